#include "wyvern/app/log_report.h"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/common/json_text.h"

namespace wyvern::app {

namespace {

using internal::JsonString;

std::string JsonNumber(double x) {
  std::string json;
  internal::AppendJsonNumber(x, &json);
  return json;
}

std::string ToJson(const SignalReport& signal) {
  std::vector<std::string> names;
  for (const std::string& name : signal.element_names) {
    names.push_back(JsonString(name));
  }
  return fmt::format(
      R"({{"name": {}, "unit": {}, "element_names": [{}], "num_samples": {}, )"
      R"("first_time": {}, "last_time": {}}})",
      JsonString(signal.name), JsonString(signal.unit), fmt::join(names, ", "),
      signal.num_samples, JsonNumber(signal.first_time),
      JsonNumber(signal.last_time));
}

std::string ToJson(const systems::RecordedEvent& event) {
  return fmt::format(R"({{"time": {}, "level": {}, "text": {}}})",
                     JsonNumber(event.time), JsonString(event.level),
                     JsonString(event.text));
}

std::string ToJson(const UsedFile& file) {
  return fmt::format(R"({{"path": {}, "bytes": {}, "is_inside": {}}})",
                     JsonString(file.path), file.bytes, file.is_inside);
}

template <typename Entry>
std::string JsonList(const std::vector<Entry>& entries) {
  std::vector<std::string> texts;
  for (const Entry& entry : entries) texts.push_back(ToJson(entry));
  if (texts.empty()) return "[]";
  return fmt::format("[\n    {}\n  ]", fmt::join(texts, ",\n    "));
}

}  // namespace

LogReport InspectLog(const std::filesystem::path& file) {
  const systems::Hdf5RecordingReader reader(file.string());
  LogReport report;
  report.file = file.string();
  report.folder = reader.GetAttribute("folder");
  report.scenario_bytes = reader.GetAttribute("scenario").size();
  report.reason = reader.GetStatistic("reason");
  bool has_states = false;
  for (const std::string& name : reader.GetSignalNames()) {
    const systems::RecordedSignal read = reader.ReadSignal(name);
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Eigen::Index count = read.times.size();
    report.signals.push_back(
        {.name = name,
         .unit = read.unit,
         .element_names = read.element_names,
         .num_samples = count,
         .first_time = count > 0 ? read.times[0] : kNone,
         .last_time = count > 0 ? read.times[count - 1] : kNone});
    has_states = has_states || name == "plant/state";
  }
  report.can_be_replayed = has_states && report.scenario_bytes > 0;
  report.events = reader.ReadEvents();
  const std::string list = reader.GetAttribute(kFileList);
  if (!list.empty()) report.files = ListUsedFiles(list, report.file);
  return report;
}

std::string ToText(const LogReport& report) {
  std::string text = fmt::format(
      "{}: a log of a run in {}\n"
      "End: {}\n",
      report.file, report.folder.empty() ? "an unknown folder" : report.folder,
      report.reason.empty() ? "none; the run was killed, or still goes on"
                            : report.reason);
  text += report.can_be_replayed
              ? fmt::format("Replay: wyvern view {}\n", report.file)
              : "Replay: not possible without a scenario and plant/state\n";
  text += "\nSignals:                     samples      from        to\n";
  for (const SignalReport& signal : report.signals) {
    text += fmt::format("{:<28} {:>7}", signal.name, signal.num_samples);
    if (signal.num_samples > 0) {
      text += fmt::format(" {:>7.4g} s {:>7.4g} s", signal.first_time,
                          signal.last_time);
    }
    text += "\n    " + fmt::format("{}", fmt::join(signal.element_names, ", "));
    if (!signal.unit.empty()) text += fmt::format(" [{}]", signal.unit);
    text += "\n";
  }
  if (!report.events.empty()) text += "\nEvents:\n";
  for (const systems::RecordedEvent& event : report.events) {
    text += fmt::format("{:>10.4g} s  {}: {}\n", event.time, event.level,
                        event.text);
  }
  if (!report.files.empty()) text += "\nFiles:\n";
  for (const UsedFile& file : report.files) {
    text += fmt::format("{:>10} bytes  {}{}\n", file.bytes, file.path,
                        file.is_inside ? "" : " (checksum only)");
  }
  return text;
}

std::string ToJson(const LogReport& report) {
  return fmt::format(
      "{{\n  \"file\": {},\n  \"can_be_replayed\": {},\n  \"folder\": {},\n"
      "  \"scenario_bytes\": {},\n  \"reason\": {},\n  \"signals\": {},\n"
      "  \"events\": {},\n  \"files\": {}\n}}\n",
      JsonString(report.file), report.can_be_replayed,
      JsonString(report.folder), report.scenario_bytes,
      JsonString(report.reason), JsonList(report.signals),
      JsonList(report.events), JsonList(report.files));
}

}  // namespace wyvern::app
