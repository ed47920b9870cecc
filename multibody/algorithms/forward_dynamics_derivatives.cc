#include "wyvern/multibody/algorithms/forward_dynamics_derivatives.h"

#include "wyvern/systems/common/default_scalars.h"

/* Inverse dynamics of forward dynamics is the identity (Carpentier and
Mansard, RSS 2018, section IV): at constant tau
  ∂v̇/∂x = -M⁻¹ ∂tau/∂x for x = q, v,   ∂v̇/∂tau = M⁻¹,
∂tau/∂x being inverse dynamics' at this v̇. A column of it has entries only for
velocities inboard and outboard of its own. Allocates nothing. */

namespace wyvern::multibody::engine {

template <typename T>
ForwardDynamicsDerivativesScratch<T>::ForwardDynamicsDerivativesScratch(
    const Model& model)
    : inverse_dynamics(model),
      mass_matrix(model),
      dtau_dq(MatrixX<T>::Zero(model.num_v, model.num_v)),
      dtau_dv(MatrixX<T>::Zero(model.num_v, model.num_v)),
      terms(model.num_v) {}

template <typename T>
void CalcForwardDynamicsDerivatives(
    const Model& model, const ModelParameters<T>& parameters,
    const PositionKinematics<T>& positions,
    const std::vector<RigidInertia<T>>& inertias,
    const VelocityKinematics<T>& velocities,
    const Eigen::Ref<const VectorX<T>>& v,
    const Eigen::Ref<const VectorX<T>>& vdot,
    const Eigen::Ref<const VectorX<T>>& damping,
    std::span<const DeadLoad<T>> loads, Gravity gravity,
    const ArticulatedInertias<T>& articulated,
    ForwardDynamicsDerivativesScratch<T>* scratch,
    Eigen::Ref<MatrixX<T>> dvdot_dq, Eigen::Ref<MatrixX<T>> dvdot_dv,
    Eigen::Ref<MatrixX<T>> dvdot_dtau) {
  auto& [inverse_dynamics, mass_matrix, dtau_dq, dtau_dv, terms] = *scratch;
  const int n = model.num_v;
  CalcInverseDynamicsPartials<T>(
      model, parameters, positions, inertias, velocities, v, vdot, loads,
      gravity, &inverse_dynamics,
      {{dtau_dq.data(), n}, {dtau_dv.data(), n}, {}});
  if (damping.size() > 0) dtau_dv.diagonal() += damping;
  CalcMassMatrixInverse(model, positions, articulated, &mass_matrix,
                        dvdot_dtau);
  const MatrixX<T>& inverse = mass_matrix.inverse;
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    const int outboard = node.subtree_nv;
    int count = outboard;
    for (int p = node.parent; p > 0; p = model.nodes[p].parent) {
      count += model.nodes[p].nv;
    }
    for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
      ColumnTerm<T, 2>* term = terms.data();
      const auto add = [&](int start, int size) {
        for (int l = start; l < start + size; ++l) {
          *term++ = {inverse.data() + l * inverse.rows(),
                     {-dtau_dq(l, k), -dtau_dv(l, k)}};
        }
      };
      add(node.v_start, outboard);
      for (int p = node.parent; p > 0; p = model.nodes[p].parent) {
        add(model.nodes[p].v_start, model.nodes[p].nv);
      }
      T* const to[] = {dvdot_dq.data() + k * dvdot_dq.outerStride(),
                       dvdot_dv.data() + k * dvdot_dv.outerStride()};
      CombineColumns<2, T>(terms.data(), count, 0, n, to);
    }
  }
}

#define WYVERN_INSTANTIATE(T)                                                \
  template struct ForwardDynamicsDerivativesScratch<T>;                      \
  template void CalcForwardDynamicsDerivatives(                              \
      const Model&, const ModelParameters<T>&, const PositionKinematics<T>&, \
      const std::vector<RigidInertia<T>>&, const VelocityKinematics<T>&,     \
      const Eigen::Ref<const VectorX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&,                                   \
      const Eigen::Ref<const VectorX<T>>&, std::span<const DeadLoad<T>>,     \
      Gravity, const ArticulatedInertias<T>&,                                \
      ForwardDynamicsDerivativesScratch<T>*, Eigen::Ref<MatrixX<T>>,         \
      Eigen::Ref<MatrixX<T>>, Eigen::Ref<MatrixX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
