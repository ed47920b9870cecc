#pragma once

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry::internal {

/** The dual basis of three vectors d_i: rows g_i with g_i . d_j = 1 if i = j,
else 0. For the edges of a tetrahedron from its vertex 0 they are the gradients
of the barycentric coordinates of vertices 1 to 3.
@param determinant d_1 . (d_2 x d_3), for such edges six times the volume; the
result is not finite if it is zero */
template <typename T>
Matrix3<T> CalcDualBasis(const Vector3<T>& d1, const Vector3<T>& d2,
                         const Vector3<T>& d3, T* determinant) {
  *determinant = d1.dot(d2.cross(d3));
  Matrix3<T> result;
  result << d2.cross(d3).transpose(), d3.cross(d1).transpose(),
      d1.cross(d2).transpose();
  result /= *determinant;
  return result;
}

}  // namespace wyvern::geometry::internal
