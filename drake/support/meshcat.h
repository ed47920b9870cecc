#pragma once

#include "wyvern/drake/meshcat_params.h"
#include "wyvern/geometry/viewer/viewer.h"

namespace wyvern::geometry {

/** Another page, but its functions by the same names. */
using Meshcat = Viewer;

}  // namespace wyvern::geometry
