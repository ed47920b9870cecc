#include "wyvern/systems/recording/recording_description.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems {

namespace {

constexpr char kName[] = "RecordingDescription";

// Returns the reason why a name is invalid, or null.
const char* Fault(const std::string& name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      return "has a character that does not print";
    }
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string word = name.substr(begin, end - begin);
    if (word.empty()) return "has an empty word";
    if (word == "." || word == "..") return "has '.' or '..' as a word";
    begin = end + 1;
  }
  return nullptr;
}

}  // namespace

int RecordingDescription::AddSignal(SignalDescription description, int size) {
  wyvern::internal::RequireAtLeast(kName, "the size of a signal", size, 0);
  if (description.element_names.empty() && size > 0) {
    for (int i = 0; i < size; ++i) {
      description.element_names.push_back(
          size == 1 ? description.name
                    : fmt::format("{}[{}]", description.name, i));
    }
  }
  wyvern::internal::RequireSize(
      wyvern::internal::Caller(kName).Of("signal", description.name),
      "element_names", static_cast<int64_t>(description.element_names.size()),
      size);
  std::set<std::string> seen;
  for (const std::string& name : description.element_names) {
    if (seen.insert(name).second) continue;
    throw std::logic_error(fmt::format(
        "{}: signal '{}' has two elements of the name '{}'; give each its own.",
        kName, description.name, name));
  }
  const int index = Add(std::move(description), size);
  const double period = signals[index].description.period;
  auto group =
      std::find_if(groups.begin(), groups.end(),
                   [period](const Group& one) { return one.period == period; });
  if (group == groups.end()) {
    group = groups.insert(group, {.period = period, .signals = {}, .size = 0});
  }
  group->signals.push_back(index);
  group->size += size;
  return index;
}

int RecordingDescription::AddTextSignal(SignalDescription description) {
  return Add(std::move(description), -1);
}

void RecordingDescription::AddFile(const std::string& name,
                                   std::string contents) {
  wyvern::internal::RequireNotEmpty(kName, "the name of a file", name.empty());
  for (const File& one : files) {
    if (one.name != name) continue;
    throw std::logic_error(fmt::format(
        "{}: there is already a file of the name '{}'; give each its own.",
        kName, name));
  }
  files.push_back(
      {name, std::make_shared<const std::string>(std::move(contents))});
}

int RecordingDescription::Add(SignalDescription description, int size) {
  const std::string& name = description.name;
  if (const char* fault = Fault(name)) {
    throw std::logic_error(
        fmt::format("{}: the signal's name '{}' {}; give words, with '/' "
                    "between them if there are several.",
                    kName, name, fault));
  }
  for (const Signal& other : signals) {
    const std::string& taken = other.description.name;
    if (name == taken || name.starts_with(taken + '/') ||
        taken.starts_with(name + '/')) {
      throw std::logic_error(
          fmt::format("{}: the signal's name '{}' collides with '{}'; give "
                      "each its own, none the beginning of another.",
                      kName, name, taken));
    }
  }
  wyvern::internal::RequireNonNegative(
      wyvern::internal::Caller(kName).Of("signal", name), "period",
      description.period);
  signals.push_back({std::move(description), size});
  return static_cast<int>(signals.size()) - 1;
}

}  // namespace wyvern::systems
