#include "wyvern/geometry/viewer/viewer_recording.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>
#include <zlib.h>

#include "wyvern/geometry/viewer/shape_json.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"

/* A recording stores changes only. A pose is rounded to whole multiples of 1e-5
m and 1e-4, so that equal poses are equal integers; a key is written if they
differ from the last key. Keys are written as differences, seven bits a byte
with a zigzag sign, and deflated; a body at rest costs nothing. Objects, such as
arrows of forces, have no such differences: if they exceed kMaxObjectBytes, the
newer of two neighbours stays. */

namespace wyvern::geometry::internal {
namespace {

constexpr double kPositionUnit = 1e-5;    // [m]
constexpr double kQuaternionUnit = 1e-4;  // About 0.01 degrees.
constexpr double kMaxInteger = 2e9;

int Quantize(double value, double unit) {
  return static_cast<int>(
      std::lround(std::clamp(value / unit, -kMaxInteger, kMaxInteger)));
}

void Append(std::vector<uint8_t>* bytes, int64_t difference) {
  auto rest = static_cast<uint64_t>(difference) << 1;
  if (difference < 0) rest = ~rest;
  for (; rest >= 0x80; rest >>= 7) {
    bytes->push_back(static_cast<uint8_t>(rest | 0x80));
  }
  bytes->push_back(static_cast<uint8_t>(rest));
}

std::string Deflate(const void* bytes, size_t size) {
  uLongf room = compressBound(size);
  std::vector<uint8_t> deflated(room);
  if (compress2(deflated.data(), &room, static_cast<const Bytef*>(bytes), size,
                9) != Z_OK) {
    throw std::runtime_error(
        "Viewer::PublishRecording(): zlib could not deflate the frames.");
  }
  return Base64Json(deflated.data(), room);
}

}  // namespace

ViewerRecording::ViewerRecording(double frames_per_second)
    : frames_per_second_(frames_per_second) {
  wyvern::internal::RequirePositive("Viewer::StartRecording",
                                    "frames_per_second", frames_per_second);
}

// Nothing, if it is before the first.
std::optional<int> ViewerRecording::FrameOf(double time) {
  if (!start_) start_ = time;
  const double frames =
      std::floor((time - *start_) * frames_per_second_ + 1e-6);
  if (!(frames >= 0)) return {};
  const int frame = static_cast<int>(std::min(frames, kMaxInteger));
  last_frame_ = std::max(last_frame_, frame);
  return frame;
}

void ViewerRecording::AddObject(std::string_view path, std::string item,
                                double time) {
  const std::optional<int> frame = FrameOf(time);
  if (!frame) return;
  auto found = objects_.find(path);
  if (found == objects_.end()) {
    if (item.empty()) return;
    found = objects_.emplace(std::string(path), std::vector<Change>{}).first;
  }
  std::vector<Change>& changes = found->second;
  if (!changes.empty()) {
    Change& last = changes.back();
    if (*frame < last.frame || item == last.item) return;
    if (*frame / object_stride_ == last.frame / object_stride_) {
      object_bytes_ += item.size();
      object_bytes_ -= last.item.size();
      last = {*frame, std::move(item)};
      return;
    }
  }
  object_bytes_ += item.size();
  changes.push_back({*frame, std::move(item)});
  while (object_bytes_ > kMaxObjectBytes && object_stride_ < (1 << 20)) {
    ThinObjects();
  }
}

void ViewerRecording::Mark(std::string text, double time) {
  ++num_marks_;
  if (num_marks_ <= kMaxMarks) {
    marks_.emplace_back(time, std::move(text));
  } else {
    marks_.back() = {time, fmt::format("{} further events, the last: {}",
                                       num_marks_ - kMaxMarks + 1, text)};
  }
}

void ViewerRecording::ThinObjects() {
  object_stride_ *= 2;
  object_bytes_ = 0;
  for (auto& [path, changes] : objects_) {
    std::vector<Change> kept;
    for (Change& change : changes) {
      if (!kept.empty() &&
          kept.back().frame / object_stride_ == change.frame / object_stride_) {
        kept.back() = std::move(change);
      } else {
        kept.push_back(std::move(change));
      }
    }
    changes = std::move(kept);
    for (const Change& change : changes) object_bytes_ += change.item.size();
  }
}

void ViewerRecording::Add(std::string_view path, const ViewerPose& pose,
                          double time) {
  const std::optional<int> frame = FrameOf(time);
  if (!frame) return;
  Key key{.frame = *frame};
  for (int i = 0; i < 7; ++i) {
    key.pose[i] = Quantize(pose[i], i < 3 ? kPositionUnit : kQuaternionUnit);
  }
  auto found = tracks_.find(path);
  if (found == tracks_.end()) {
    found = tracks_.emplace(std::string(path), Track{}).first;
  }
  Track& track = found->second;
  if (!track.keys.empty()) {
    const Key last = track.keys.back();
    if (key.frame < track.still_until) return;
    if (key.pose == last.pose) {
      track.still_until = key.frame;
      return;
    }
    if (key.frame == last.frame) {
      track.keys.pop_back();
    } else if (const int still = std::min(track.still_until, key.frame - 1);
               still > last.frame) {
      track.keys.push_back({.frame = still, .pose = last.pose});
    }
  }
  track.still_until = key.frame;
  track.keys.push_back(key);
}

std::string ViewerRecording::ToJson() const {
  std::vector<uint8_t> bytes;
  std::string tracks;
  for (const auto& [path, track] : tracks_) {
    tracks +=
        fmt::format(R"({}[{},{}])", tracks.empty() ? "" : ",",
                    wyvern::internal::JsonString(path), track.keys.size());
    Key last;
    for (const Key& key : track.keys) {
      Append(&bytes, key.frame - last.frame);
      for (int i = 0; i < 7; ++i) {
        Append(&bytes, int64_t{key.pose[i]} - last.pose[i]);
      }
      last = key;
    }
  }
  std::string objects, items;
  for (const auto& [path, changes] : objects_) {
    objects += fmt::format("{}[{},[", objects.empty() ? "" : ",",
                           wyvern::internal::JsonString(path));
    items += items.empty() ? "[" : ",[";
    for (const Change& change : changes) {
      const char* const comma = &change == &changes.front() ? "" : ",";
      objects += fmt::format("{}{}", comma, change.frame);
      items += comma;
      items += change.item.empty() ? "null" : change.item;
    }
    objects += "]]";
    items += ']';
  }
  items = "[" + items + "]";
  auto ordered = marks_;
  std::ranges::stable_sort(ordered, {}, &std::pair<double, std::string>::first);
  std::string marks;
  for (const auto& [time, text] : ordered) {
    marks += fmt::format("{}[{},{}]", marks.empty() ? "" : ",", time,
                         wyvern::internal::JsonString(text));
  }
  return fmt::format(
      R"({{"type":"recording","rate":{},"frames":{},"start":{},"marks":[{}],"units":[{},{}],"tracks":[{}],"deflated":{},"objects":[{}],"items":{}}})",
      frames_per_second_, last_frame_ + 1, start_.value_or(0), marks,
      kPositionUnit, kQuaternionUnit, tracks,
      Deflate(bytes.data(), bytes.size()), objects,
      Deflate(items.data(), items.size()));
}

}  // namespace wyvern::geometry::internal
