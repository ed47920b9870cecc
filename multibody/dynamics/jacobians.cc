#include "wyvern/multibody/dynamics/jacobians.h"

#include "wyvern/systems/common/default_scalars.h"

/* A velocity moves the body if its node is on the body's path to the world; its
screw (w, v_O) gives the column (w, v_O + w x p_OQ). O(depth), plus the zeros.
*/

namespace wyvern::multibody::dynamics {
namespace {

// f(k) for every velocity k that moves the body, tips first.
template <typename F>
void ForEachVelocity(const Model& model, MobodArgument body, F&& f) {
  for (NodeIndex i = model.bodies[body].node; i > 0;
       i = model.nodes[i].parent) {
    const Model::Node& node = model.nodes[i];
    for (int k = node.v_start; k < node.v_start + node.nv; ++k) f(k);
  }
}

// p_OQ of the body's tree; any vector for what does not move.
template <typename T>
Vector3<T> FromTreeOrigin(const Model& model,
                          const PositionKinematics<T>& positions,
                          MobodArgument body, const Vector3<T>& p_WQ) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return p_WQ;
  return p_WQ - positions.p_WO[model.nodes[node].tree];
}

template <typename T>
Vector3<T> LinearColumn(const PositionKinematics<T>& positions, int k,
                        const Vector3<T>& p_OQ) {
  const Vector3<T> w = positions.H.col(k).template head<3>();
  return positions.H.col(k).template tail<3>() + w.cross(p_OQ);
}

}  // namespace

template <typename T>
void CalcSpatialVelocityJacobian(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 MobodArgument body, const Vector3<T>& p_WQ,
                                 Eigen::Ref<Matrix6X<T>> J) {
  J.setZero();
  const Vector3<T> r = FromTreeOrigin(model, positions, body, p_WQ);
  ForEachVelocity(model, body, [&](int k) {
    J.col(k).template head<3>() = positions.H.col(k).template head<3>();
    J.col(k).template tail<3>() = LinearColumn(positions, k, r);
  });
}

template <typename T>
void CalcAngularVelocityJacobian(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 MobodArgument body, Eigen::Ref<MatrixX<T>> J) {
  J.setZero();
  ForEachVelocity(model, body, [&](int k) {
    J.col(k) = positions.H.col(k).template head<3>();
  });
}

template <typename T>
void CalcTranslationalVelocityJacobian(const Model& model,
                                       const PositionKinematics<T>& positions,
                                       MobodArgument body,
                                       const Vector3<T>& p_WQ,
                                       Eigen::Ref<MatrixX<T>> J) {
  J.setZero();
  const Vector3<T> r = FromTreeOrigin(model, positions, body, p_WQ);
  ForEachVelocity(model, body,
                  [&](int k) { J.col(k) = LinearColumn(positions, k, r); });
}

template <typename T>
void AddVelocityJacobian(JacobianRows rows, const Model& model,
                         const PositionKinematics<T>& positions,
                         MobodArgument body, const Vector3<T>& p_WQ,
                         const Matrix3<T>& R_EW, double sign,
                         Eigen::Ref<MatrixX<T>> J_E) {
  const Vector3<T> r = FromTreeOrigin(model, positions, body, p_WQ);
  ForEachVelocity(model, body, [&](int k) {
    auto column = J_E.col(k);
    if (rows != JacobianRows::kTranslational) {
      const Vector3<T> w = positions.H.col(k).template head<3>();
      column.template head<3>() += sign * (R_EW * w);
    }
    if (rows != JacobianRows::kAngular) {
      column.template tail<3>() +=
          sign * (R_EW * LinearColumn(positions, k, r));
    }
  });
}

template <typename T>
void AddGeneralizedForceAtPoint(const Model& model,
                                const PositionKinematics<T>& positions,
                                MobodArgument body, const Vector3<T>& p_WQ,
                                const Vector6<T>& F_BQ_W,
                                Eigen::Ref<VectorX<T>> tau) {
  const Vector3<T> r = FromTreeOrigin(model, positions, body, p_WQ);
  Vector6<T> F = F_BQ_W;
  const Vector3<T> f = F.template tail<3>();
  F.template head<3>() += r.cross(f);
  ForEachVelocity(model, body,
                  [&](int k) { tau[k] += positions.H.col(k).dot(F); });
}

#define WYVERN_INSTANTIATE(T)                                       \
  template decltype(CalcSpatialVelocityJacobian<T>)                 \
      CalcSpatialVelocityJacobian<T>;                               \
  template decltype(CalcAngularVelocityJacobian<T>)                 \
      CalcAngularVelocityJacobian<T>;                               \
  template decltype(CalcTranslationalVelocityJacobian<T>)           \
      CalcTranslationalVelocityJacobian<T>;                         \
  template decltype(AddVelocityJacobian<T>) AddVelocityJacobian<T>; \
  template decltype(AddGeneralizedForceAtPoint<T>)                  \
      AddGeneralizedForceAtPoint<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
