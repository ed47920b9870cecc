#pragma once

#include <string>

#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/geometry/shapes/rgba.h"

namespace wyvern::geometry {

/** What a MeshcatVisualizer would show; nothing reads it yet. */
struct MeshcatVisualizerParams {
  double publish_period{1.0 / 64};  // [s]
  Role role{Role::kIllustration};
  Rgba default_color{0.9, 0.9, 0.9, 1.0};
  std::string prefix{"visualizer"};
  bool delete_on_initialization_event{true};
  bool enable_alpha_slider{false};
  double initial_alpha_slider_value{1.0};
  bool visible_by_default{true};
  bool show_hydroelastic{false};
  bool include_unspecified_accepting{true};
};

}  // namespace wyvern::geometry
