#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/viewer/viewer_state.h"

namespace wyvern::geometry::internal {

/** Poses over time, a track for each path, as few bytes as will do: a frame
that says the same as the one before it is left out, positions are whole
multiples of 1e-5 m and quaternions of 1e-4, and what is written is the
difference from the frame before, deflated. */
class ViewerRecording {
 public:
  /** @throws std::logic_error unless positive and finite. */
  explicit ViewerRecording(double frames_per_second);

  /** A pose at `time` [s], which replaces that of the same frame. Frames are
  counted from the first time that is added; an earlier one is left out. */
  void Add(std::string_view path, const ViewerPose& pose, double time);
  bool is_empty() const { return tracks_.empty(); }

  /** {"type":"recording", ...}: tracks are paths in the order of the bytes,
  each with its number of keys. In the bytes a key is 8 integers, which are
  written as their differences from those of the key before, sign last, 7 bits a
  byte: the frame, then the pose. */
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

  const double frames_per_second_;
  std::optional<double> start_;
  int last_frame_{0};
  std::map<std::string, Track, std::less<>> tracks_;
};

}  // namespace wyvern::geometry::internal
