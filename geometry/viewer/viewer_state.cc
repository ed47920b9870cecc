#include "wyvern/geometry/viewer/viewer_state.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/json_text.h"

/* The state is a map of items with a list in the order of their last change. A
writer moves an item to the end of that list with a new number. A reader goes
back from the end to the number that it saw last, so its cost is the number of
changes, not of items. A deleted item leaves a message of its deletion, because
pages still show it. Samples of signals are in rings with a number each. Texts
are made after the lock is released; a reader without news returns an empty
text. */

namespace wyvern::geometry::internal {

using wyvern::internal::JsonString;

namespace {

constexpr std::string_view kPose = "pose";
// Message about a removed item, for pages that still show it.
constexpr std::string_view kDeleted = "delete";
constexpr std::string_view kGone = "gone";
constexpr int kMaxTombstones = 1000;
constexpr int64_t kMaxSamples = 4096;

// Kinds whose key is no path of a thing shown: they outlive Delete().
bool IsOfScene(std::string_view kind) {
  return kind == kPose || kind == "object" || kind.starts_with("property");
}

bool IsAtOrBelow(std::string_view path, std::string_view top) {
  return path.starts_with(top) &&
         (path.size() == top.size() || top.empty() || path[top.size()] == '/');
}

}  // namespace

std::string FullPath(std::string_view path) {
  constexpr std::string_view kTop = "/wyvern";
  if (path.empty()) return std::string(kTop);
  std::string result = path.starts_with('/') ? std::string(path)
                                             : fmt::format("{}/{}", kTop, path);
  while (result.ends_with('/')) result.pop_back();
  return result;
}

ViewerState::Item& ViewerState::Touch(std::string_view kind,
                                      std::string_view path) {
  auto found = items_.find(std::pair(path, kind));
  if (found == items_.end()) {
    found =
        items_.emplace(Key(std::string(path), std::string(kind)), Item{}).first;
    found->second.place = by_version_.insert(by_version_.end(), &found->first);
  } else {
    by_version_.splice(by_version_.end(), by_version_, found->second.place);
  }
  found->second.version = ++version_;
  return found->second;
}

void ViewerState::Set(std::string_view kind, std::string_view path,
                      std::string json) {
  const std::lock_guard lock(mutex_);
  Touch(kind, path).content = std::move(json);
}

void ViewerState::SetPose(std::string_view path, const ViewerPose& pose) {
  const std::lock_guard lock(mutex_);
  Touch(kPose, path).content = pose;
}

void ViewerState::SetNumber(std::string_view kind, double value) {
  const std::lock_guard lock(mutex_);
  Touch(kind, "").content = value;
}

void ViewerState::AddSample(std::string_view signal, double time,
                            const double* values, int size) {
  const std::lock_guard lock(mutex_);
  ++version_;
  auto found = samples_.find(signal);
  if (found == samples_.end()) {
    found = samples_.emplace(std::string(signal), Samples{}).first;
  }
  Samples& samples = found->second;
  const int64_t last = (samples.count + kMaxSamples - 1) % kMaxSamples;
  if (samples.size != size ||
      (samples.count > 0 && time < samples.numbers[last * (1 + size)])) {
    samples.size = size;
    samples.count = 0;
    samples.begin_version = version_;
    samples.versions.resize(kMaxSamples);
    samples.numbers.resize(kMaxSamples * (1 + size));
  }
  const int64_t place = samples.count++ % kMaxSamples;
  samples.versions[place] = version_;
  double* const numbers = &samples.numbers[place * (1 + size)];
  numbers[0] = time;
  std::copy_n(values, size, numbers + 1);
}

void ViewerState::DeleteSignal(std::string_view signal) {
  const std::lock_guard lock(mutex_);
  const auto found = samples_.find(signal);
  if (found != samples_.end()) samples_.erase(found);
}

// Samples that were added after change `seen`, an item for each signal.
void ViewerState::AppendSamples(int64_t seen, std::string* json) const {
  for (const auto& [signal, samples] : samples_) {
    const int64_t kept = std::min(samples.count, kMaxSamples);
    int64_t first = samples.count;
    while (first > samples.count - kept &&
           samples.versions[(first - 1) % kMaxSamples] > seen) {
      --first;
    }
    if (first == samples.count) continue;
    fmt::format_to(std::back_inserter(*json),
                   R"({}{{"type":"samples","path":{},"fresh":{},"rows":[)",
                   json->size() > 1 ? ",\n" : "", JsonString(signal),
                   samples.begin_version > seen);
    for (int64_t k = first; k < samples.count; ++k) {
      *json += k > first ? ",[" : "[";
      for (int i = 0; i <= samples.size; ++i) {
        if (i > 0) *json += ',';
        wyvern::internal::AppendJsonNumber(
            samples.numbers[k % kMaxSamples * (1 + samples.size) + i], json);
      }
      *json += ']';
    }
    *json += "]}";
  }
}

void ViewerState::Erase(Items::iterator item) {
  by_version_.erase(item->second.place);
  items_.erase(item);
}

void ViewerState::Delete(std::string_view path) {
  const std::lock_guard lock(mutex_);
  for (auto item = items_.begin(); item != items_.end();) {
    const auto next = std::next(item);
    const auto& [its_path, kind] = item->first;
    if (IsOfScene(kind) && IsAtOrBelow(its_path, path)) Erase(item);
    item = next;
  }
  AddTombstone(
      kDeleted, path,
      fmt::format(R"({{"type":"delete","path":{}}})", JsonString(path)));
}

void ViewerState::AddTombstone(std::string_view kind, std::string_view path,
                               std::string json) {
  Touch(kind, path).content = std::move(json);
  if (++num_tombstones_ > kMaxTombstones) BeginAnew();
}

// Pages begin anew, so that nobody needs to be told what was deleted.
void ViewerState::BeginAnew() {
  for (auto item = items_.begin(); item != items_.end();) {
    const auto next = std::next(item);
    const std::string& kind = item->first.second;
    if (kind == kDeleted || kind == kGone) Erase(item);
    item = next;
  }
  num_tombstones_ = 0;
  oldest_good_ = ++version_;
}

void ViewerState::DeleteItem(std::string_view kind, std::string_view path) {
  const std::lock_guard lock(mutex_);
  const auto found = items_.find(std::pair(path, kind));
  if (found == items_.end()) return;
  Erase(found);
  AddTombstone(kGone, fmt::format("{}:{}", kind, path),
               fmt::format(R"({{"type":"gone","kind":{},"path":{}}})",
                           JsonString(kind), JsonString(path)));
}

bool ViewerState::HasPath(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, item] : items_) {
    if (IsOfScene(key.second) && IsAtOrBelow(key.first, path)) return true;
  }
  return false;
}

int64_t ViewerState::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

std::string ViewerState::CollectSince(int64_t* seen) const {
  // Copied under the lock, put into words after it.
  std::vector<std::pair<Key, Content>> changes;
  std::string samples = "[";
  bool begins_anew = false;
  {
    const std::lock_guard lock(mutex_);
    if (*seen == version_) return {};
    begins_anew = *seen < oldest_good_ || *seen == 0;
    if (begins_anew) *seen = 0;
    auto first = by_version_.end();
    while (first != by_version_.begin()) {
      const auto before = std::prev(first);
      if (items_.find(**before)->second.version <= *seen) break;
      first = before;
    }
    for (; first != by_version_.end(); ++first) {
      changes.emplace_back(**first, items_.find(**first)->second.content);
    }
    AppendSamples(*seen, &samples);
    *seen = version_;
  }
  std::string result = begins_anew ? R"([{"type":"clear"})" : "[";
  for (const auto& [key, content] : changes) {
    if (result.size() > 1) result += ",\n";
    if (const auto* text = std::get_if<std::string>(&content)) {
      result += *text;
    } else if (const auto* number = std::get_if<double>(&content)) {
      result += fmt::format(R"({{"type":{},"value":{}}})",
                            JsonString(key.second), *number);
    } else {
      const auto& x = std::get<ViewerPose>(content);
      result += fmt::format(
          R"({{"type":"pose","path":{},"x":[{},{},{},{},{},{},{}]}})",
          JsonString(key.first), x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    }
  }
  if (samples.size() > 1) {
    if (result.size() > 1) result += ",\n";
    result.append(samples, 1);
  }
  return result + "]";
}

}  // namespace wyvern::geometry::internal
