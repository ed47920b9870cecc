#include "wyvern/multibody/dynamics/inertias_in_world.h"

#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/kernels/pose_columns.h"
#include "wyvern/systems/common/default_scalars.h"

/* R I Rᵀ + shift from No to O. With r = p_ON, h = m p_NNcm in W, a = h + m r /
  2: I_O = I_N + 2 (r·a) 1 - (r aᵀ + a rᵀ),   h_O = h + m r. */

namespace wyvern::multibody::dynamics {
namespace {

// The entry after each, in turn.
template <typename Column>
EIGEN_STRONG_INLINE Column Next(const Column& c) {
  Column result = c;
  for (int i = 0; i < 3; ++i) result[i] = c[(i + 1) % 3];
  return result;
}

template <typename T>
EIGEN_STRONG_INLINE void MoveToWorld(const NodeConstants<T>& node,
                                     const Pose<T>& X_WN, const Vector3<T>& r,
                                     RigidInertia<T>* result) {
  using Column = typename internal::PoseColumns<T>::Column;
  const internal::PoseColumns<T> R(X_WN);
  const auto& I = node.I;
  // K = R I; then the entries xx, yy, zz and xy, yz, zx of K Rᵀ.
  const Column Kx = R.x * I[0] + R.y * I[3] + R.z * I[4];
  const Column Ky = R.x * I[3] + R.y * I[1] + R.z * I[5];
  const Column Kz = R.x * I[4] + R.y * I[5] + R.z * I[2];
  const Column along = Kx * R.x + Ky * R.y + Kz * R.z;
  const Column across = Kx * Next(R.x) + Ky * Next(R.y) + Kz * Next(R.z);
  const Vector3<T> h = R.Times(node.h.data()).template head<3>();
  const Vector3<T> a = h + (0.5 * node.mass) * r;
  const T rax = r[0] * a[0], ray = r[1] * a[1], raz = r[2] * a[2];
  result->mass = node.mass;
  result->h = h + node.mass * r;
  result->xx = along[0] + 2.0 * (ray + raz);
  result->yy = along[1] + 2.0 * (rax + raz);
  result->zz = along[2] + 2.0 * (rax + ray);
  result->xy = across[0] - (r[0] * a[1] + a[0] * r[1]);
  result->yz = across[1] - (r[1] * a[2] + a[1] * r[2]);
  result->xz = across[2] - (r[0] * a[2] + a[0] * r[2]);
}

}  // namespace

template <typename T>
void CalcInertiasInWorld(const Model& model,
                         const ModelParameters<T>& parameters,
                         const PositionKinematics<T>& positions,
                         std::vector<RigidInertia<T>>* result) {
  internal::RunBest<T>([&] {
    for (int i = 1; i < model.num_nodes(); ++i) {
      MoveToWorld<T>(parameters.nodes[i], positions.X_WN[i],
                     positions.p_ON(model, i), &(*result)[i]);
    }
  });
}

template <typename T>
void CalcCompositeInertias(const Model& model,
                           const std::vector<RigidInertia<T>>& inertias,
                           std::vector<RigidInertia<T>>* result) {
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = model.nodes[i];
    if (!node.has_children) (*result)[i] = inertias[i];
    if (node.parent == 0) continue;
    RigidInertia<T>& parent = (*result)[node.parent];
    // Its parent's last child is the first to be added to it.
    const bool is_last =
        node.subtree_end == model.nodes[node.parent].subtree_end;
    if (is_last) parent = inertias[node.parent];
    parent += (*result)[i];
  }
}

template <typename T>
Vector6<T> CalcGravityForce(const Model& model,
                            const ModelParameters<T>& parameters,
                            const PositionKinematics<T>& positions,
                            const std::vector<RigidInertia<T>>& inertias,
                            int node) {
  Vector6<T> force;
  if (parameters.gravity_is_uniform) {
    force.template head<3>() = inertias[node].h.cross(parameters.gravity);
    force.template tail<3>() = inertias[node].mass * parameters.gravity;
    return force;
  }
  const NodeConstants<T>& constants = parameters.nodes[node];
  const T& mass = constants.gravity_mass;
  const Vector3<T> h = positions.X_WN[node].R * constants.gravity_h +
                       mass * positions.p_ON(model, node);
  force.template head<3>() = h.cross(parameters.gravity);
  force.template tail<3>() = mass * parameters.gravity;
  return force;
}

#define WYVERN_INSTANTIATE(T)                                           \
  template decltype(CalcInertiasInWorld<T>) CalcInertiasInWorld<T>;     \
  template decltype(CalcCompositeInertias<T>) CalcCompositeInertias<T>; \
  template decltype(CalcGravityForce<T>) CalcGravityForce<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
