#pragma once

#include <vector>

#include "wyvern/geometry/hydroelastic/contact_surface_builder.h"
#include "wyvern/geometry/hydroelastic/element_pairs.h"
#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"

namespace wyvern::geometry::internal {

/** Scratch memory for surfaces. One thread at a time uses it; its content never
changes a result. */
template <typename T>
struct PairScratch {
  PairScratch() = default;
  // A copy is for others, who write on it before they read.
  PairScratch(const PairScratch&) {}
  PairScratch& operator=(const PairScratch&) { return *this; }

  std::vector<IndexPair> elements;
  ElementPairScratch element_pairs;
  ClippedPolygon<T> polygon;
  ContactSurfaceBuilder<T> builder;
};

/** One of two geometries that may press: what it is, its id, and X_WG. */
template <typename T>
struct HydroelasticSide {
  const HydroelasticGeometry& geometry;
  GeometryId id;
  const math::RigidTransform<T>& X_WG;
};

/** True unless one of the two lacks a type or a property, both are rigid, or
both are half spaces. */
bool CanHaveSurface(const HydroelasticGeometry& A,
                    const HydroelasticGeometry& B);

/** Adds to `list` the surface of two geometries that can have one, unless it is
empty. A face counts if its normal and the gradient of each pressure make an
angle of at most 5 pi / 8, and neither is below 1e-14 Pa/m. Its cost is linear
in the pairs of elements whose boxes touch; with double it allocates nothing
once the scratch and the list have grown.
@param touching whether flat faces that touch each other are a surface, whose
pressure is zero */
template <typename T>
void AddPairSurface(const HydroelasticSide<T>& A, const HydroelasticSide<T>& B,
                    HydroelasticContactRepresentation representation,
                    PairScratch<T>* scratch, ContactSurfaceList<T>* list,
                    bool touching = false);

}  // namespace wyvern::geometry::internal
