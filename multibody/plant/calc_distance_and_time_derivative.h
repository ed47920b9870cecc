#pragma once

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/sorted_pair.h"

namespace wyvern::multibody {

/** The signed distance [m] of two geometries and its rate [m/s]. */
struct SignedDistanceWithTimeDerivative {
  double distance{0};
  double distance_time_derivative{0};
};

/** Of two collision geometries of a plant that is connected to a SceneGraph, at
the state in `context`, the plant's. The rate is that of the points of the two
bodies that are nearest each other, along the line between them.
@throws std::logic_error if the port "geometry_query" is not connected, or a
geometry is not a collision geometry of the plant's. */
SignedDistanceWithTimeDerivative CalcDistanceAndTimeDerivative(
    const MultibodyPlant<double>& plant,
    const SortedPair<geometry::GeometryId>& geometry_pair,
    const systems::Context<double>& context);

}  // namespace wyvern::multibody
