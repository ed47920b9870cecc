#pragma once

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/sorted_pair.h"

namespace wyvern::multibody {

/** The signed distance [m] of two geometries and its rate [m/s]. */
struct SignedDistanceWithTimeDerivative {
  /** Signed distance, negative if the geometries overlap, [m]. */
  double distance{0};
  /** Rate of the distance, [m/s]. */
  double distance_time_derivative{0};
};

/** Computes the distance of two collision geometries of a plant that is
connected to a SceneGraph, at the state in `context`, the plant's, and its rate:
that of the nearest points of the two bodies along the line between them.
@throws std::logic_error if the port "geometry_query" is not connected, or a
geometry is not a collision geometry of the plant's. */
SignedDistanceWithTimeDerivative CalcDistanceAndTimeDerivative(
    const MultibodyPlant<double>& plant,
    const SortedPair<geometry::GeometryId>& geometry_pair,
    const systems::Context<double>& context);

}  // namespace wyvern::multibody
