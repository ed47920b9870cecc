#include "wyvern/geometry/hydroelastic/contact_surfaces.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry::internal {
namespace {

// Throws if either lacks a property.
void RequireProperties(const HydroelasticGeometry& geometry, GeometryId id,
                       const std::function<std::string(GeometryId)>& describe) {
  if (geometry.missing.empty()) return;
  throw std::logic_error(fmt::format(
      "Hydroelastic contact: {} is {}, but {}", describe(id),
      geometry.is_rigid() ? "rigid" : "compliant", geometry.missing));
}

std::string ExplainWhyNot(const HydroelasticGeometry& A,
                          const HydroelasticGeometry& B) {
  if (A.is_half_space && B.is_half_space) {
    return "both are half spaces; filter the pair.";
  }
  if (A.is_rigid() && B.is_rigid()) {
    return "both are rigid; make one compliant by "
           "AddCompliantHydroelasticProperties(), filter the pair, or use "
           "contact with fallback.";
  }
  const bool both = A.type == B.type;
  return fmt::format(
      "{} has no hydroelastic compliance type; add one by "
      "AddCompliantHydroelasticProperties() or "
      "AddRigidHydroelasticProperties(), filter the pair, or use contact with "
      "fallback.",
      both                                     ? "neither"
      : A.type == HydroelasticType::kUndefined ? "the first"
                                               : "the second");
}

}  // namespace

template <typename T>
void CalcContactSurfaces(
    const ProximityEngine& engine, const HydroelasticModel& model,
    const std::vector<math::RigidTransform<T>>& X_WGs,
    HydroelasticContactRepresentation representation, SurfaceFallback fallback,
    const std::function<std::string(GeometryId)>& describe,
    ProximityScratch* scratch, PairScratch<T>* pair_scratch,
    ContactSurfaceList<T>* surfaces,
    std::vector<PenetrationAsPointPair<T>>* points, double reach) {
  surfaces->Clear();
  // Both geometries may have a margin, so that twice the margin is the reach.
  for (const IndexPair& pair : engine.FindNearPairs(
           X_WGs, std::max(reach, 2 * model.margin), scratch)) {
    const HydroelasticGeometry& A = *model.geometries[pair.a];
    const HydroelasticGeometry& B = *model.geometries[pair.b];
    const GeometryId id_A = engine.ids()[pair.a], id_B = engine.ids()[pair.b];
    if (CanHaveSurface(A, B)) {
      AddPairSurface<T>({A, id_A, X_WGs[pair.a]}, {B, id_B, X_WGs[pair.b]},
                        representation, pair_scratch, surfaces, reach > 0);
      continue;
    }
    RequireProperties(A, id_A, describe);
    RequireProperties(B, id_B, describe);
    const bool both_half_spaces = A.is_half_space && B.is_half_space;
    if (both_half_spaces ||
        (fallback == SurfaceFallback::kNone && engine.Overlap(X_WGs, pair))) {
      throw std::logic_error(fmt::format(
          "Hydroelastic contact: {} and {} cannot have a contact surface, as "
          "{}",
          describe(id_A), describe(id_B), ExplainWhyNot(A, B)));
    }
    if (fallback == SurfaceFallback::kOnePoint) {
      engine.AddPenetration(X_WGs, pair, points);
    } else if (fallback == SurfaceFallback::kManifold) {
      engine.AddContactManifold(X_WGs, pair, scratch, points, reach);
    }
  }
}

#define WYVERN_INSTANTIATE(T)                                           \
  template void CalcContactSurfaces<T>(                                 \
      const ProximityEngine&, const HydroelasticModel&,                 \
      const std::vector<math::RigidTransform<T>>&,                      \
      HydroelasticContactRepresentation, SurfaceFallback,               \
      const std::function<std::string(GeometryId)>&, ProximityScratch*, \
      PairScratch<T>*, ContactSurfaceList<T>*,                          \
      std::vector<PenetrationAsPointPair<T>>*, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
