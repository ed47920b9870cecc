#pragma once

#include <string>

#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/geometry/shapes/rgba.h"

namespace wyvern::geometry {

/** Selects what a ViewerVisualizer shows, and how. */
struct ViewerVisualizerParams {
  double publish_period{1.0 / 64};  // [s]
  /** Geometries that have this role are shown. */
  Role role{Role::kIllustration};
  /** Colour of geometries whose properties have no ("phong", "diffuse"). */
  Rgba default_color{0.9, 0.9, 0.9, 1.0};
  /** The path that everything is below. */
  std::string prefix{"visualizer"};
  /** Whether what is at the prefix goes when a simulation starts. */
  bool delete_on_initialization_event{true};
  /** A slider, "<prefix> α", for the opacity of everything. */
  bool enable_alpha_slider{false};
  /** Opacity at first, from 0 to 1. */
  double initial_alpha_slider_value{1.0};
  /** True: geometries are shown until somebody hides them. */
  bool visible_by_default{true};
  /** With the proximity role: shows the meshes of hydroelastic contact in place
  of the shapes that they stand for. */
  bool show_hydroelastic{false};
  /** Whether to show geometries that do not say, by a property ("meshcat",
  "accepting"), which prefix shows them. */
  bool include_unspecified_accepting{true};
};

}  // namespace wyvern::geometry
