#pragma once

#include "wyvern/geometry/viewer/viewer_params.h"

namespace wyvern::geometry {

using MeshcatParams = ViewerParams;

}  // namespace wyvern::geometry
