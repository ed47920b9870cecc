#pragma once

#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
The one place where inertias that no body has are repaired.

About the centre of mass, the second moments of a body's mass, S = ∫ r rᵀ dm,
are positive semidefinite, and its inertia is I = tr(S) 1 - S. Both conditions
on I, no negative principal moment and the triangle inequality, say no more than
that about S = tr(I)/2 1 - I. The nearest inertia is that of the nearest
positive semidefinite S in the Frobenius norm: S with its negative eigenvalues
set to 0. It keeps mass, centre of mass and principal axes. */

namespace wyvern::multibody::internal {

/** Inertia of a link B, as written in a file. */
struct WrittenInertia {
  /** [kg] */
  double mass{};
  /** The frame C, its origin at the centre of mass. */
  math::RigidTransform<double> X_BC;
  /** (Ixx, Iyy, Izz) and (Ixy, Ixz, Iyz) about Co, in C, [kg m²]. */
  Vector3<double> moments{Vector3<double>::Zero()};
  Vector3<double> products{Vector3<double>::Zero()};
};

/** The inertia of B about Bo, as it is written or, if no body has that, the
nearest that one has. A mass of 0 or less makes a body without mass or inertia.
@param remark set to what is wrong and what was done, with the numbers before
  and after; to nothing if no number changed by more than rounding: by 1e-12 of
  the largest moment about Bo, or what a radius of gyration of 1e-12 m is.
@throws std::logic_error if a number is not finite or overflows. */
SpatialInertia<double> RepairInertia(const WrittenInertia& written,
                                     std::string* remark);

}  // namespace wyvern::multibody::internal
