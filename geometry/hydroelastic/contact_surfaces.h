#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wyvern/geometry/hydroelastic/hydroelastic_model.h"
#include "wyvern/geometry/hydroelastic/pair_surface.h"
#include "wyvern/geometry/proximity/proximity_engine.h"

namespace wyvern::geometry::internal {

/** Fallback for a pair that cannot have a surface. */
enum class SurfaceFallback {
  /** Nothing: if the two overlap, it is an error. */
  kNone,
  /** The point of deepest penetration. */
  kOnePoint,
  /** All contact points; see ProximityEngine::CalcContactManifolds(). */
  kManifold,
};

/** Replaces `surfaces` by the contact surfaces of all pairs that are not
excluded, sorted by ids, and adds points of pairs that cannot have one.
@param describe what messages call a geometry.
@param reach of contact points, see ProximityEngine::CalcContactManifolds(); if
positive, flat faces that touch each other are a surface without pressure.
@throws std::logic_error naming both geometries, and what would help, if they
cannot have a surface and there is no fallback; or if one lacks a property that
its compliance type needs. */
template <typename T>
void CalcContactSurfaces(
    const ProximityEngine& engine, const HydroelasticModel& model,
    const std::vector<math::RigidTransform<T>>& X_WGs,
    HydroelasticContactRepresentation representation, SurfaceFallback fallback,
    const std::function<std::string(GeometryId)>& describe,
    ProximityScratch* scratch, PairScratch<T>* pair_scratch,
    ContactSurfaceList<T>* surfaces,
    std::vector<PenetrationAsPointPair<T>>* points, double reach);

}  // namespace wyvern::geometry::internal
