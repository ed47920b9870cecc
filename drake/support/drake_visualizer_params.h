#pragma once

#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/systems/common/name_value.h"

namespace wyvern::geometry {

/** Parameters of a DrakeVisualizer; nothing reads them yet. */
struct DrakeVisualizerParams {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(publish_period));
    a->Visit(WYVERN_NVP(show_hydroelastic));
    a->Visit(WYVERN_NVP(use_role_channel_suffix));
  }

  double publish_period{1.0 / 64};  // [s]
  Role role{Role::kIllustration};
  Rgba default_color{0.9, 0.9, 0.9, 1.0};
  bool show_hydroelastic{false};
  bool use_role_channel_suffix{false};
};

}  // namespace wyvern::geometry
