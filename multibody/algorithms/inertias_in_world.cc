#include "wyvern/multibody/algorithms/inertias_in_world.h"

#include "wyvern/systems/common/default_scalars.h"

/* R I Rᵀ + shift from No to O. With r = p_ON, h = m p_NNcm in W, a = h + m r /
  2: I_O = I_N + 2 (r·a) 1 - (r aᵀ + a rᵀ),   h_O = h + m r. */

namespace wyvern::multibody::engine {
namespace {

template <typename T>
void MoveToWorld(const NodeConstants<T>& node, const Matrix3<T>& R,
                 const Vector3<T>& r, RigidInertia<T>* result) {
  const auto& I = node.I;
  // K = R I; then the six entries of K Rᵀ.
  const Vector3<T> x = R.col(0), y = R.col(1), z = R.col(2);
  const Vector3<T> Kx = x * I[0] + y * I[3] + z * I[4];
  const Vector3<T> Ky = x * I[3] + y * I[1] + z * I[5];
  const Vector3<T> Kz = x * I[4] + y * I[5] + z * I[2];
  const auto entry = [&](int i, int j) -> T {
    return Kx[i] * x[j] + Ky[i] * y[j] + Kz[i] * z[j];
  };
  const Vector3<T> h = R * node.h;
  const Vector3<T> a = h + (0.5 * node.mass) * r;
  const T rax = r[0] * a[0], ray = r[1] * a[1], raz = r[2] * a[2];
  result->mass = node.mass;
  result->h = h + node.mass * r;
  result->xx = entry(0, 0) + 2.0 * (ray + raz);
  result->yy = entry(1, 1) + 2.0 * (rax + raz);
  result->zz = entry(2, 2) + 2.0 * (rax + ray);
  result->xy = entry(0, 1) - (r[0] * a[1] + a[0] * r[1]);
  result->xz = entry(0, 2) - (r[0] * a[2] + a[0] * r[2]);
  result->yz = entry(1, 2) - (r[1] * a[2] + a[1] * r[2]);
}

}  // namespace

template <typename T>
void CalcInertiasInWorld(const Model& model,
                         const ModelParameters<T>& parameters,
                         const PositionKinematics<T>& positions,
                         std::vector<RigidInertia<T>>* result) {
  for (int i = 1; i < model.num_nodes(); ++i) {
    MoveToWorld<T>(parameters.nodes[i], positions.X_WN[i].R,
                   positions.p_ON(model, i), &(*result)[i]);
  }
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

}  // namespace wyvern::multibody::engine
