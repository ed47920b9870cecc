#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/geometry/viewer/viewer_state.h"

namespace wyvern::geometry::internal {

/** Objects that change, and poses over time, a track for each path, as few
bytes as will do: a frame that says the same as the one before it is left out,
positions are whole multiples of 1e-5 m and quaternions of 1e-4, and what is
written is the difference from the frame before, deflated. Of objects, such as
forces of contact, frames are left out where there would be more than
kMaxObjectBytes: then one stays of two neighbours, the newer. */
class ViewerRecording {
 public:
  static constexpr size_t kMaxObjectBytes = 8'000'000;
  static constexpr int kMaxMarks = 1000;

  /** Takes the largest number of frames per second.
  @throws std::logic_error unless positive and finite. */
  explicit ViewerRecording(double frames_per_second);

  /** A pose at `time` [s], which replaces that of the same frame. Frames are
  counted from the first time that is added; an earlier one is left out. */
  void Add(std::string_view path, const ViewerPose& pose, double time);
  /** The object at `path` from `time` on [s], an item as pages read it; none if
  empty. It replaces that of the same frame; an earlier one is left out. */
  void AddObject(std::string_view path, std::string item, double time);
  /** Marks an event at `time`, [s]. Beyond kMaxMarks, the last mark says how
  many there are. */
  void Mark(std::string text, double time);
  bool is_empty() const { return tracks_.empty() && objects_.empty(); }

  /** {"type":"recording", ...}: "start" is the time of the first frame, "marks"
  are times with what happened, tracks are paths in the order of the bytes,
  each with its number of keys. In the bytes a key is 8 integers, which are
  written as their differences from those of the key before, sign last, 7 bits a
  byte: the frame, then the pose. "objects" are paths with the frames of their
  changes, "items" what they change to, deflated JSON: for each path a list of
  items, null where there is none. */
  std::string ToJson() const;

 private:
  struct Key {
    int frame{};
    std::array<int, 7> pose{};
  };
  struct Track {
    std::vector<Key> keys;
    int still_until{};  // The last frame that had the pose of the last key.
  };

  struct Change {
    int frame{};
    std::string item;
  };

  std::optional<int> FrameOf(double time);
  void ThinObjects();

  const double frames_per_second_;
  std::optional<double> start_;
  int last_frame_{0};
  std::vector<std::pair<double, std::string>> marks_;
  int num_marks_{0};
  std::map<std::string, Track, std::less<>> tracks_;
  std::map<std::string, std::vector<Change>, std::less<>> objects_;
  size_t object_bytes_{0};
  int object_stride_{1};  // Frames of which one change of an object stays.
};

}  // namespace wyvern::geometry::internal
