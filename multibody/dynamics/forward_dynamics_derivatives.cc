#include "wyvern/multibody/dynamics/forward_dynamics_derivatives.h"

#include "wyvern/systems/common/default_scalars.h"

/* Inverse dynamics of forward dynamics is the identity (Carpentier and
Mansard, RSS 2018, section IV): at constant tau
  ∂v̇/∂x = -M⁻¹ ∂tau/∂x for x = q, v,   ∂v̇/∂tau = M⁻¹,
∂tau/∂x being inverse dynamics' at this v̇. A column of it has entries only for
velocities inboard and outboard of its own, its path. Two ways to multiply:
- by M⁻¹, as many multiplications an entry as its column's path is long;
- by solving with the articulated-body factors, 24 an entry, and the columns
  transposed to and from panels.
The second is faster, on processors with AVX2 and AVX-512, for paths of more
than about 24 on average: chains of that many joints, 3 times at 100, not
humanoids (18 of 38 velocities). Allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

constexpr double kLongPath = 24;

// The mean length of a tree's paths.
double CalcMeanPath(const Model& model, const Model::Tree& tree) {
  double sum = 0;
  for (int i = tree.base_node; i < tree.end_node; ++i) {
    // A node's subtree is outboard of it, and it inboard of the rest of that.
    const Model::Node& node = model.nodes[i];
    sum += node.nv * (2.0 * node.subtree_nv - node.nv);
  }
  return sum / tree.nv;
}

template <typename T>
void Combine(const internal::ColumnTerm<T, 2>* terms, int count, int begin,
             int end, T* const* to) {
  internal::RunBestPacks<T>([&]<typename L>() __attribute__((always_inline)) {
    internal::CombineColumns<L>(terms, count, begin, end, to);
  });
}

// [dvdot_dq dvdot_dv] = -M⁻¹ [dtau_dq dtau_dv] in a tree's rows and columns.
template <typename T>
void MultiplyByInverse(const Model& model, const Model::Tree& tree,
                       ForwardDynamicsDerivativesScratch<T>* scratch,
                       const ColumnsOut<T> (&results)[2]) {
  // clang before 16 takes no structured binding into a lambda.
  const auto& dtau_dq = scratch->dtau_dq;
  const auto& dtau_dv = scratch->dtau_dv;
  const auto& inverse = scratch->inverse;
  auto& terms = scratch->terms;
  for (int i = tree.base_node; i < tree.end_node; ++i) {
    const Model::Node& node = model.nodes[i];
    for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
      internal::ColumnTerm<T, 2>* term = terms.data();
      const auto add = [&](int start, int size) {
        for (int l = start; l < start + size; ++l) {
          *term++ = {inverse.data() + l * inverse.rows(),
                     {-dtau_dq(l, k), -dtau_dv(l, k)}};
        }
      };
      add(node.v_start, node.subtree_nv);
      for (int p = node.parent; p > 0; p = model.nodes[p].parent) {
        add(model.nodes[p].v_start, model.nodes[p].nv);
      }
      T* const to[] = {results[0].data + k * results[0].stride,
                       results[1].data + k * results[1].stride};
      Combine<T>(terms.data(), static_cast<int>(term - terms.data()),
                 tree.v_start, tree.v_start + tree.nv, to);
    }
  }
}

}  // namespace

template <typename T>
ForwardDynamicsDerivativesScratch<T>::ForwardDynamicsDerivativesScratch(
    const Model& model)
    : inverse_dynamics(model),
      mass_matrix(model),
      dtau_dq(MatrixX<T>::Zero(model.num_v, model.num_v)),
      dtau_dv(MatrixX<T>::Zero(model.num_v, model.num_v)),
      inverse(
          MatrixX<T>::Zero(internal::PaddedSize<T>(model.num_v), model.num_v)),
      terms(model.num_v) {}

template <typename T>
void CalcForwardDynamicsDerivatives(
    const Motion<T>& motion, const Eigen::Ref<const VectorX<T>>& v,
    const Eigen::Ref<const VectorX<T>>& vdot,
    const Eigen::Ref<const VectorX<T>>& damping,
    std::span<const DeadLoad<T>> loads, Gravity gravity,
    const ArticulatedInertias<T>& articulated,
    ForwardDynamicsDerivativesScratch<T>* scratch,
    ForwardDynamicsDerivatives<T> result) {
  const Model& model = motion.model;
  const auto& positions = motion.positions;
  // clang before 16 takes no structured binding into a lambda.
  auto& dvdot_dq = result.dvdot_dq;
  auto& dvdot_dv = result.dvdot_dv;
  auto& dvdot_dtau = result.dvdot_dtau;
  MatrixX<T>&dtau_dq = scratch->dtau_dq, &dtau_dv = scratch->dtau_dv;
  const int n = model.num_v;
  CalcInverseDynamicsPartials<T>(
      motion, v, vdot, loads, gravity, &scratch->inverse_dynamics,
      {{dtau_dq.data(), n}, {dtau_dv.data(), n}, {}});
  if (damping.size() > 0) dtau_dv.diagonal() += damping;
  CalcMassMatrixInverse(model, positions, articulated, &scratch->mass_matrix,
                        dvdot_dtau);
  if (model.num_trees() > 1) {
    dvdot_dq.setZero();
    dvdot_dv.setZero();
  }
  const ColumnsOut<T> results[] = {{dvdot_dq.data(), dvdot_dq.outerStride()},
                                   {dvdot_dv.data(), dvdot_dv.outerStride()}};
  for (const Model::Tree& tree : model.trees) {
    if (CalcMeanPath(model, tree) > kLongPath) {
      SolveMassMatrixColumns<T>(model, positions, articulated, tree,
                                {{dtau_dq.data(), n}, {dtau_dv.data(), n}},
                                &scratch->mass_matrix, results);
    } else {
      const auto block = [&tree](auto& M) {
        return M.block(tree.v_start, tree.v_start, tree.nv, tree.nv);
      };
      block(scratch->inverse) = block(dvdot_dtau);
      MultiplyByInverse<T>(model, tree, scratch, results);
    }
  }
}

#define WYVERN_INSTANTIATE(T)                           \
  template struct ForwardDynamicsDerivativesScratch<T>; \
  template decltype(CalcForwardDynamicsDerivatives<T>)  \
      CalcForwardDynamicsDerivatives<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
