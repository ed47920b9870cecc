#pragma once

#include <cmath>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

/** The unit quaternion of the Hopf coordinates (A. Yershova et al., "Generating
uniform incremental grids on SO(3) using the Hopf fibration", IJRR 29(7), 2010):
a turn by theta in [0, pi] about the direction [0, cos phi, sin phi], phi in
[0, 2 pi], and then one by psi about the x axis:

    [cos(theta/2) cos(psi/2), cos(theta/2) sin(psi/2),
     sin(theta/2) cos(phi + psi/2), sin(theta/2) sin(phi + psi/2)].

Angles in rad. */
template <typename T>
Eigen::Quaternion<T> HopfCoordinateToQuaternion(const T& theta, const T& phi,
                                                const T& psi) {
  using std::cos;
  using std::sin;
  const T c = cos(theta / 2);
  const T s = sin(theta / 2);
  return {c * cos(psi / 2), c * sin(psi / 2), s * cos(phi + psi / 2),
          s * sin(phi + psi / 2)};
}

/** (theta, phi, psi) of a unit quaternion, of q or -q whichever has w >= 0:
theta in [0, pi], phi in [0, 2 pi), psi in [-pi, pi]. */
template <typename T>
Vector3<T> QuaternionToHopfCoordinate(const Eigen::Quaternion<T>& quaternion) {
  using std::atan2;
  using std::sqrt;
  const double sign = quaternion.w() < 0 ? -1.0 : 1.0;
  const T w = sign * quaternion.w(), x = sign * quaternion.x(),
          y = sign * quaternion.y(), z = sign * quaternion.z();
  const T half_psi = atan2(x, w);
  T phi = atan2(z, y) - half_psi;
  if (phi < 0) phi += 2 * M_PI;
  if (phi >= 2 * M_PI) phi -= 2 * M_PI;
  return {2 * atan2(sqrt(y * y + z * z), sqrt(w * w + x * x)), phi,
          2 * half_psi};
}

}  // namespace wyvern::math
