#pragma once

#include "wyvern/geometry/viewer/viewer_visualizer_params.h"

namespace wyvern::geometry {

using MeshcatVisualizerParams = ViewerVisualizerParams;

}  // namespace wyvern::geometry
