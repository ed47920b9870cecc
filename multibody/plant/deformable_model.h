#pragma once

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::multibody {

/** A place for deformable bodies, which are not available yet: no plant has
one, and whatever would return one throws std::logic_error. */
template <typename T>
class DeformableModel {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DeformableModel);
  DeformableModel() = delete;
};

}  // namespace wyvern::multibody
