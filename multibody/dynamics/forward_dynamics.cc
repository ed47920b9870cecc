#include "wyvern/multibody/dynamics/forward_dynamics.h"

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/multibody/dynamics/forward_dynamics_passes.h"
#include "wyvern/multibody/dynamics/pivot_block.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/multibody/dynamics/singular_inertia.h"
#include "wyvern/systems/common/default_scalars.h"

/* Articulated bodies (Featherstone, 2008, chapter 7), in world axes. Inward:
  P = I + sum over children of (P - U D⁻¹ Uᵀ),  U = P H,  D = Hᵀ U + d.
This is the factorization of M + diag(d). Accelerations are split into those at
v̇ = 0, whose forces are known beforehand, and the rest, Y, linear in v̇:
  inward   u = tau - Hᵀ Z,  Z_P += Z + U D⁻¹ u,
  outward  v̇ = D⁻¹ (u - Uᵀ Y_P),  Y = Y_P + H v̇,
Z starting as each node's force at v̇ = 0. Limit: one body, v̇ = D⁻¹ tau.
O(bodies); allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

template <int nv, typename T>
void FactorNode(const Model::Node& node, const NodeVector<T, nv>& diagonal,
                const PositionKinematics<T>& positions, int index,
                ArticulatedInertias<T>* result) {
  const int n = NvOf<nv>(node);
  const auto H = NodeColumns<nv, T>(positions.H, node.v_start, n);
  auto U = NodeColumns<nv, T>(&result->U, node.v_start, n);
  auto D_inverse = NodeBlock<nv, T>(&result->D_inverse, node.v_start, n);
  const Matrix6<T>& P = result->P[index];
  U.noalias() = P * H;
  NodeMatrix<T, nv, nv> D = H.transpose() * U;
  // How large D's terms are before they cancel: what rounding is measured by.
  NodeVector<T, nv> scale(n);
  for (int i = 0; i < n; ++i) {
    scale[i] = H.col(i).cwiseAbs().dot(U.col(i).cwiseAbs());
  }
  D.diagonal() += diagonal;
  NodeMatrix<T, nv, nv> inverse(n, n);
  if (!InvertPivotBlock<T, nv>(D, scale, &inverse)) {
    throw SingularInertia(
        NodeIndex(index),
        fmt::format(
            "CalcArticulatedInertias(): the inertia that moves with velocity "
            "{} (mobilizer of body {}) is zero, negative or not finite; give "
            "the bodies outboard of it mass and rotational inertia.",
            node.v_start, node.body));
  }
  D_inverse = inverse;
  if (node.parent == 0) return;
  if constexpr (nv == 1) {
    const Vector6<T> U_D = U * inverse(0, 0);
    result->P[node.parent] += P - U_D * U.transpose();
  } else {
    const NodeMatrix<T, 6, nv> U_D = U * inverse;
    result->P[node.parent] += P - U_D * U.transpose();
  }
}

// articulated->u and ->Z from `tau` and the forces already in Z.
template <typename T>
void SolveInward(const Model& model, const PositionKinematics<T>& positions,
                 const Eigen::Ref<const VectorX<T>>& tau,
                 ArticulatedInertias<T>* articulated) {
  // clang before 16 takes no structured binding into a lambda.
  const auto& U = articulated->U;
  const auto& D_inverse = articulated->D_inverse;
  auto& Z = articulated->Z;
  auto& u = articulated->u;
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      NodeVector<T, nv> u_i(n);
      TransposeTimes<T>(positions.H.data() + 6 * k, Z[i], n, u_i.data());
      u_i = tau.template segment<nv>(k, n) - u_i;
      const NodeVector<T, nv> D_inverse_u =
          NodeBlock<nv, T>(D_inverse, k, n) * u_i;
      u.template segment<nv>(k, n) = D_inverse_u;
      if (node.parent == 0) return;
      Vector6<T> Z_P;
      PlusTimes<T>(Z[i], U.data() + 6 * k, D_inverse_u.data(), n, &Z_P);
      for (int c = 0; c < 6; ++c) Z[node.parent][c] += Z_P[c];
    });
  }
}

// v̇ and Y from articulated->u.
template <typename T>
void SolveOutward(const Model& model, const PositionKinematics<T>& positions,
                  const ArticulatedInertias<T>& articulated,
                  std::vector<Vector6<T>>* Y, Eigen::Ref<VectorX<T>>* vdot) {
  (*Y)[0].setZero();
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      const Vector6<T>& Y_P = (*Y)[node.parent];
      NodeVector<T, nv> x = articulated.u.template segment<nv>(k, n);
      if (node.parent > 0) {
        NodeVector<T, nv> Ut_Y(n);
        TransposeTimes<T>(articulated.U.data() + 6 * k, Y_P, n, Ut_Y.data());
        x -= NodeBlock<nv, T>(articulated.D_inverse, k, n) * Ut_Y;
      }
      vdot->template segment<nv>(k, n) = x;
      PlusTimes<T>(Y_P, positions.H.data() + 6 * k, x.data(), n, &(*Y)[i]);
    });
  }
}

}  // namespace

template <typename T>
ArticulatedInertias<T>::ArticulatedInertias(const Model& model)
    : P(model.num_nodes(), Matrix6<T>::Zero()),
      U(Matrix6X<T>::Zero(6, model.num_v)),
      D_inverse(Matrix6X<T>::Zero(6, model.num_v)),
      Z(model.num_nodes(), Vector6<T>::Zero()),
      A_bias(model.num_nodes(), Vector6<T>::Zero()),
      u(VectorX<T>::Zero(model.num_v)) {}

template <typename T>
void CalcArticulatedInertias(const Configuration<T>& at,
                             const Eigen::Ref<const VectorX<T>>& diagonal,
                             ArticulatedInertias<T>* result) {
  const Model& model = at.model;
  const ModelParameters<T>& parameters = at.parameters;
  for (int i = 1; i < model.num_nodes(); ++i) {
    result->P[i] = at.inertias[i].ToMatrix();
  }
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int n = NvOf<nv>(node);
      NodeVector<T, nv> d = NodeVector<T, nv>::Zero(n);
      if (parameters.has_reflected_inertia) {
        d += parameters.reflected_inertia.template segment<nv>(node.v_start, n);
      }
      if (diagonal.size() > 0) {
        d += diagonal.template segment<nv>(node.v_start, n);
      }
      FactorNode<nv, T>(node, d, at.positions, i, result);
    });
  }
}

template <typename T>
void CalcForwardDynamicsInward(const Motion<T>& motion,
                               const Eigen::Ref<const VectorX<T>>& tau,
                               std::span<const Vector6<T>> F, Gravity gravity,
                               ArticulatedInertias<T>* articulated) {
  const Model& model = motion.model;
  const ModelParameters<T>& parameters = motion.parameters;
  auto& [P, U, D_inverse, Z, A_bias, u] = *articulated;
  const Vector3<T> zero = Vector3<T>::Zero();
  const bool falls = gravity == Gravity::kOn;
  const bool is_uniform = parameters.gravity_is_uniform;
  const Vector3<T>& g = falls && is_uniform ? parameters.gravity : zero;
  CalcBiasAccelerations(model, motion.velocities, &A_bias);
  for (int i = 1; i < model.num_nodes(); ++i) {
    CalcRequiredForce<T>(motion.inertias[i], motion.velocities.V[i], A_bias[i],
                         g, &Z[i]);
    if (falls && !is_uniform) {
      Z[i] -= CalcGravityForce(model, parameters, motion.positions,
                               motion.inertias, i);
    }
    if (!F.empty()) Z[i] -= F[i];
  }
  SolveInward(model, motion.positions, tau, articulated);
}

template <typename T>
void CalcForwardDynamicsOutward(const Model& model,
                                const PositionKinematics<T>& positions,
                                const ArticulatedInertias<T>& articulated,
                                std::vector<Vector6<T>>* Y,
                                Eigen::Ref<VectorX<T>> vdot) {
  SolveOutward(model, positions, articulated, Y, &vdot);
}

template <typename T>
void CalcForwardDynamics(const Motion<T>& motion,
                         const Eigen::Ref<const VectorX<T>>& tau,
                         std::span<const Vector6<T>> F, Gravity gravity,
                         ArticulatedInertias<T>* articulated,
                         std::vector<Vector6<T>>* A,
                         Eigen::Ref<VectorX<T>> vdot) {
  CalcForwardDynamicsInward(motion, tau, F, gravity, articulated);
  SolveOutward(motion.model, motion.positions, *articulated, A, &vdot);
  for (int i = 1; i < motion.model.num_nodes(); ++i) {
    (*A)[i] += articulated->A_bias[i];
  }
}

template <typename T>
void SolveMassMatrix(const Model& model, const PositionKinematics<T>& positions,
                     const Eigen::Ref<const VectorX<T>>& b,
                     ArticulatedInertias<T>* articulated,
                     std::vector<Vector6<T>>* A, Eigen::Ref<VectorX<T>> x) {
  for (Vector6<T>& Z : articulated->Z) Z.setZero();
  SolveInward(model, positions, b, articulated);
  SolveOutward(model, positions, *articulated, A, &x);
}

#define WYVERN_INSTANTIATE(T)                                               \
  template struct ArticulatedInertias<T>;                                   \
  template decltype(CalcArticulatedInertias<T>) CalcArticulatedInertias<T>; \
  template decltype(CalcForwardDynamicsInward<T>)                           \
      CalcForwardDynamicsInward<T>;                                         \
  template decltype(CalcForwardDynamicsOutward<T>)                          \
      CalcForwardDynamicsOutward<T>;                                        \
  template decltype(CalcForwardDynamics<T>) CalcForwardDynamics<T>;         \
  template decltype(SolveMassMatrix<T>) SolveMassMatrix<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
