#pragma once

#include <map>
#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** The poses X_ML of the links of a model M from a URDF file, with joints at 0.
Links that no joint leads to are at M, as is the world. */
std::map<std::string, math::RigidTransform<double>> CalcUrdfLinkPoses(
    const ParsedModel& model);

/** Moves a model from a URDF file to where an SDFormat file includes it: links
by their poses, and what is fixed to the world of the URDF file by X_WM. */
void PlaceUrdf(const math::RigidTransform<double>& X_WM, ParsedModel* model);

}  // namespace wyvern::multibody::internal
