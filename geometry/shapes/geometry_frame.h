#pragma once

#include <string>

#include "wyvern/geometry/shapes/geometry_ids.h"

namespace wyvern::geometry {

/** A frame to be registered with a SceneGraph: geometries fixed to it move with
it. */
class GeometryFrame {
 public:
  /** `frame_group_id` is for the owner's use, and must not be negative.
  @throws std::logic_error if it is. */
  explicit GeometryFrame(const std::string& frame_name, int frame_group_id = 0);

  /** Id of the frame, unique in the process. */
  FrameId id() const { return id_; }
  /** Name of the frame. */
  const std::string& name() const { return name_; }
  /** Number for the owner's use. */
  int frame_group() const { return frame_group_; }

 private:
  FrameId id_;
  std::string name_;
  int frame_group_;
};

}  // namespace wyvern::geometry
