#include "wyvern/geometry/shapes/geometry_frame.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::geometry {

GeometryFrame::GeometryFrame(const std::string& frame_name, int frame_group_id)
    : id_(FrameId::get_new_id()),
      name_(frame_name),
      frame_group_(frame_group_id) {
  if (frame_group_id < 0) {
    throw std::logic_error(fmt::format(
        "GeometryFrame: the frame group of '{}' is {}; it must not be "
        "negative.",
        frame_name, frame_group_id));
  }
}

}  // namespace wyvern::geometry
