#pragma once

#include <vector>

namespace wyvern::geometry::internal {

struct HydroelasticGeometry;

/** All geometries with the proximity role as hydroelastic contact sees them, in
the order of the engine. */
struct HydroelasticModel {
  std::vector<const HydroelasticGeometry*> geometries;
  /** The largest margin, m. */
  double margin{0};
};

}  // namespace wyvern::geometry::internal
