#include "wyvern/geometry/proximity/box_axis.h"

#include <cmath>
#include <limits>

/* Along a unit axis u, box A reaches sum_i half_i |u·a_i| from its centre; the
boxes overlap by both reaches less |u·p_AB|. In A's frame, a_i is an axis of
space and b_j a column of R = R_AB, so that |u·a_i| and |u·b_j| are elements of
|R|. For u = a_i x b_j, of length sqrt(1 - R_ij²): |u·a_k| = |R_mj| and
|u·b_k| = |R_im| with m the third index, neither i (or j) nor k. */

namespace wyvern::geometry::internal {

using Eigen::Matrix3d;
using Eigen::Vector3d;

BoxAxis FindBoxAxis(const Vector3d& half_A,
                    const math::RigidTransform<double>& X_WA,
                    const Vector3d& half_B,
                    const math::RigidTransform<double>& X_WB, double slack) {
  constexpr double kEdgePreference = 0.99;
  constexpr double kParallel = 1e-6;
  const math::RigidTransform<double> X_AB = X_WA.InvertAndCompose(X_WB);
  const Matrix3d& R = X_AB.rotation().matrix();
  const Vector3d& p = X_AB.translation();
  const Matrix3d size = R.cwiseAbs();
  BoxAxis result;
  double least = std::numeric_limits<double>::infinity();
  Vector3d axis_A = Vector3d::UnitX();
  // Keeps the axis if it is the best one; false if it separates the boxes.
  const auto look = [&](const Vector3d& u, double reach, double preference) {
    const double along = u.dot(p);
    double overlap = reach - std::abs(along);
    if (!(overlap > -slack)) {
      result.depth = overlap;
      result.nhat_BA_W = X_WA.rotation() * (along > 0 ? Vector3d(-u) : u);
      return false;
    }
    // If they touch along several axes, take the first, a face's, not the one
    // of the least rounding.
    if (overlap < slack) overlap = 0;
    if (overlap < preference * least) {
      least = overlap;
      axis_A = along > 0 ? Vector3d(-u) : u;
      result.is_face = preference == 1;
    }
    return true;
  };

  const Vector3d reach_A = half_A + size * half_B;
  const Vector3d reach_B = half_B + size.transpose() * half_A;
  for (int i = 0; i < 3; ++i) {
    if (!look(Vector3d::Unit(i), reach_A[i], 1)) return result;
  }
  for (int j = 0; j < 3; ++j) {
    if (!look(R.col(j), reach_B[j], 1)) return result;
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const Vector3d u = Vector3d::Unit(i).cross(R.col(j));
      const double length = u.norm();
      if (length < kParallel) continue;
      const double reach = half_A[i1] * size(i2, j) + half_A[i2] * size(i1, j) +
                           half_B[j1] * size(i, j2) + half_B[j2] * size(i, j1);
      if (!look(u / length, reach / length, kEdgePreference)) return result;
    }
  }
  result.overlap = true;
  result.nhat_BA_W = X_WA.rotation() * axis_A;
  result.depth = least;
  return result;
}

}  // namespace wyvern::geometry::internal
