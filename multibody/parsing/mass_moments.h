#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
Mass by its moments about a point: they add up and change frames without
divisions, and the inertia follows from them, I = tr(S) 1 - S. */

namespace wyvern::multibody::internal {

/** ∫dm, ∫r dm and S = ∫r rᵀ dm about the origin of a frame, in it. */
struct MassMoments {
  double mass{0};
  Vector3<double> first{Vector3<double>::Zero()};
  Matrix3<double> second{Matrix3<double>::Zero()};

  MassMoments& operator+=(const MassMoments& other);
  /** Returns this mass, given in frame G, in frame B. */
  MassMoments In(const math::RigidTransform<double>& X_BG) const;
  /** The mass made `factor` times as dense. */
  MassMoments Times(double factor) const;

  /** Makes the moments of a mass with the moments of inertia `I` about its
  centre. */
  static MassMoments OfBody(double mass, const Vector3<double>& p_BoBcm,
                            const Matrix3<double>& I_BBcm);
  Vector3<double> center() const;
  /** About the centre of mass. */
  Matrix3<double> CentralInertia() const;
};

/** @name Uniform bodies about their centres
Of density 1, or of area density 1 if hollow; half sizes in meter, along z for
what is round about it.
@{ */
MassMoments SolidBox(const Vector3<double>& half);
MassMoments HollowBox(const Vector3<double>& half);
MassMoments SolidEllipsoid(const Vector3<double>& half);
MassMoments HollowSphere(double radius);
MassMoments SolidCylinder(double radius, double half);
MassMoments HollowCylinder(double radius, double half);
MassMoments SolidCapsule(double radius, double half);
MassMoments HollowCapsule(double radius, double half);
/** @} */

/** How tetrahedra on triangles that look inward count. */
enum class Inward {
  kNegative,  ///< As what is missing.
  kPositive   ///< As all others: of closed surfaces right for those that are
              ///< seen whole from their centre.
};

/** Computes the solid enclosed by a surface of triangles, in the vertices'
frame, as MuJoCo does: tetrahedra from the middle of the surface to the
triangles give the centre, and tetrahedra from the centre give the mass and the
moments about the centre. Indices must be of vertices. */
MassMoments SolidOfTriangles(const std::vector<Vector3<double>>& vertices,
                             const std::vector<std::array<int, 3>>& triangles,
                             Inward inward);
/** The surface alone. */
MassMoments HollowOfTriangles(const std::vector<Vector3<double>>& vertices,
                              const std::vector<std::array<int, 3>>& triangles);

}  // namespace wyvern::multibody::internal
