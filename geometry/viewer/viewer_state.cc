#include "wyvern/geometry/viewer/viewer_state.h"

#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/json_text.h"

namespace wyvern::geometry::internal {

using wyvern::internal::JsonString;

namespace {

constexpr std::string_view kPose = "pose";
// Of what was taken away, for pages that have it.
constexpr std::string_view kDeleted = "delete";
constexpr std::string_view kGone = "gone";
constexpr int kMaxTombstones = 1000;

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
  return result + "]";
}

}  // namespace wyvern::geometry::internal
