#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Coordinates of configurations by what has changed since one of them, q0: xi,
nv entries, 0 there. Of a quaternion it is the rotation vector [rad] by which it
has turned, in F: R_FM = exp(xi) R0; of every other position q - q0. */
template <typename T>
class AssemblyCoordinates {
 public:
  /** Sets q0, of num_q entries, as the origin.
  @throws std::runtime_error if a quaternion of q0 is 0 or not finite. */
  AssemblyCoordinates(const dynamics::Model& model, const VectorX<T>& q0);

  /** q of xi; quaternions have unit length. */
  void CalcPositions(const VectorX<T>& xi, VectorX<T>* q) const;
  /** G dv/dxi for a G of nv columns, in place. */
  void MultiplyByVelocities(const VectorX<T>& xi, MatrixX<T>* G) const;
  /** Rotation vectors longer than pi become the short way round. */
  void Shorten(VectorX<T>* xi) const;
  /** Whether an entry is an angle. */
  bool is_angle(int i) const { return is_angle_[i]; }

 private:
  const dynamics::Model& model_;
  VectorX<T> q0_;
  std::vector<bool> is_angle_;
};

}  // namespace wyvern::multibody::internal
