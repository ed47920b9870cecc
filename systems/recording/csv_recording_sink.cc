#include "wyvern/systems/recording/csv_recording_sink.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace wyvern::systems {

namespace {

[[noreturn]] void ThrowNoPlace(const std::string& filename,
                               const std::string& fault) {
  throw std::logic_error(fmt::format(
      "CsvRecordingSink: '{}' is one table of numbers, but {}; record to a "
      "file of the ending .h5 or .mcap, or to several.",
      filename, fault));
}

}  // namespace

CsvRecordingSink::CsvRecordingSink(const std::string& filename)
    : writer_(filename) {}

void CsvRecordingSink::Start(const RecordingDescription& description) {
  for (const auto& signal : description.signals) {
    if (!signal.is_text()) continue;
    ThrowNoPlace(filename(), fmt::format("the samples of '{}' are texts",
                                         signal.description.name));
  }
  if (description.groups.size() != 1) {
    ThrowNoPlace(filename(),
                 description.groups.empty()
                     ? "there is no signal"
                     : fmt::format("there are signals of {} s and of {} s",
                                   description.groups[0].period,
                                   description.groups[1].period));
  }
  std::vector<std::string> columns{"time"};
  for (const auto& signal : description.signals) {
    for (const std::string& name : signal.description.element_names) {
      columns.push_back(signal.description.name + '/' + name);
    }
  }
  row_.resize(static_cast<int>(columns.size()));
  writer_.WriteHeader(columns);
}

void CsvRecordingSink::WriteFrame(int, double time, const double* values) {
  row_[0] = time;
  row_.tail(row_.size() - 1) =
      Eigen::Map<const Eigen::VectorXd>(values, row_.size() - 1);
  writer_.WriteRow(row_);
}

void CsvRecordingSink::WriteText(int, double, std::string_view) {
  ThrowNoPlace(filename(), "a sample is a text");
}

void CsvRecordingSink::WriteEvent(double time, std::string_view level,
                                  std::string_view text) {
  const std::string name = filename() + ".events.csv";
  const auto require = [&name](bool is_good) {
    if (is_good) return;
    throw std::runtime_error(
        fmt::format("CsvRecordingSink: cannot write '{}': {}.", name,
                    std::strerror(errno)));
  };
  if (events_ == nullptr) {
    events_.reset(std::fopen(name.c_str(), "wb"));
    require(events_ != nullptr);
    require(std::fputs("time,level,text\n", events_.get()) >= 0);
  }
  const std::string row =
      fmt::format("{},{},{}\n", time, internal::QuoteCsvText(level),
                  internal::QuoteCsvText(text));
  require(std::fputs(row.c_str(), events_.get()) >= 0);
  require(std::fflush(events_.get()) == 0);
}

void CsvRecordingSink::Flush() { writer_.Flush(); }

void CsvRecordingSink::Close(const std::map<std::string, std::string>&) {
  events_.reset();
  writer_.Close();
}

}  // namespace wyvern::systems
