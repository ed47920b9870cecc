#pragma once

#include <cstdint>

#include "wyvern/geometry/shapes/geometry_roles.h"

namespace wyvern::geometry {

/** Tells whether geometry data of a role have changed: two versions are the
same for a role if and only if nothing that affects the role changed between
them. Copies are the same as their source; versions of different scenes never
are. */
class GeometryVersion {
 public:
  /** A version that is the same as no other. */
  GeometryVersion();

  /** True if the data of `role` are those of `other`. */
  bool IsSameAs(const GeometryVersion& other, Role role) const;

  /** For the owner of the data: notes a change that affects `role`. */
  void Modify(Role role);

 private:
  int64_t proximity_;
  int64_t illustration_;
  int64_t perception_;
};

}  // namespace wyvern::geometry
