#pragma once

#include "wyvern/drake/meshcat.h"
#include "wyvern/drake/meshcat_visualizer_params.h"
#include "wyvern/geometry/viewer/viewer_visualizer.h"

namespace wyvern::geometry {

template <typename T>
using MeshcatVisualizer = ViewerVisualizer<T>;
using MeshcatVisualizerd = ViewerVisualizer<double>;

}  // namespace wyvern::geometry
