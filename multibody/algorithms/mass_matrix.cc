#include "wyvern/multibody/algorithms/mass_matrix.h"

#include "wyvern/multibody/algorithms/screw_algebra.h"
#include "wyvern/multibody/algorithms/visit_nv.h"
#include "wyvern/systems/common/default_scalars.h"

/* Composite rigid bodies (Featherstone, 2008, table 6.2). In world axes about
one point a force needs no transformation on its way to the ancestors:
  F = I_composite H_i,   M_ij = H_jᵀ F for i itself and every j inboard of it.
O(bodies * depth); allocates nothing. */

namespace wyvern::multibody::engine {

template <typename T>
void CalcTreeMassMatrix(const Model& model,
                        const ModelParameters<T>& parameters,
                        const PositionKinematics<T>& positions,
                        const std::vector<RigidInertia<T>>& composites,
                        int tree, Eigen::Ref<MatrixX<T>> M) {
  M.setZero();
  const T* const H = positions.H.data();
  const Model::Tree& extent = model.trees[tree];
  const int first = extent.v_start;
  for (int i = extent.end_node - 1; i >= extent.base_node; --i) {
    const Model::Node& node = model.nodes[i];
    for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
      const Vector6<T> F = composites[i] * (H + 6 * k);
      const auto set = [&](int j) {
        M(j - first, k - first) = M(k - first, j - first) =
            Dot<T>(H + 6 * j, F);
      };
      for (int j = node.v_start; j <= k; ++j) set(j);
      for (int p = node.parent; p > 0; p = model.nodes[p].parent) {
        const int start = model.nodes[p].v_start;
        for (int j = start; j < start + model.nodes[p].nv; ++j) set(j);
      }
    }
  }
  if (parameters.has_reflected_inertia) {
    M.diagonal() += parameters.reflected_inertia.segment(first, extent.nv);
  }
}

template <typename T>
void CalcMassMatrix(const Model& model, const ModelParameters<T>& parameters,
                    const PositionKinematics<T>& positions,
                    const std::vector<RigidInertia<T>>& composites,
                    Eigen::Ref<MatrixX<T>> M) {
  if (model.num_trees() > 1) M.setZero();
  for (int t = 0; t < model.num_trees(); ++t) {
    const Model::Tree& tree = model.trees[t];
    CalcTreeMassMatrix<T>(
        model, parameters, positions, composites, t,
        M.block(tree.v_start, tree.v_start, tree.nv, tree.nv));
  }
}

template <typename T>
void CalcMassMatrixViaInverseDynamics(
    const Model& model, const ModelParameters<T>& parameters,
    const PositionKinematics<T>& positions,
    const std::vector<RigidInertia<T>>& inertias,
    const VelocityKinematics<T>& at_rest, InverseDynamicsScratch<T>* scratch,
    VectorX<T>* vdot, Eigen::Ref<MatrixX<T>> M) {
  vdot->setZero();
  for (int k = 0; k < model.num_v; ++k) {
    (*vdot)[k] = 1;
    CalcInverseDynamics<T>(model, parameters, positions, inertias, at_rest,
                           *vdot, {}, Gravity::kOff, scratch, M.col(k));
    (*vdot)[k] = 0;
  }
}

#define WYVERN_INSTANTIATE(T)                                                \
  template void CalcTreeMassMatrix(                                          \
      const Model&, const ModelParameters<T>&, const PositionKinematics<T>&, \
      const std::vector<RigidInertia<T>>&, int, Eigen::Ref<MatrixX<T>>);     \
  template void CalcMassMatrix(                                              \
      const Model&, const ModelParameters<T>&, const PositionKinematics<T>&, \
      const std::vector<RigidInertia<T>>&, Eigen::Ref<MatrixX<T>>);          \
  template void CalcMassMatrixViaInverseDynamics(                            \
      const Model&, const ModelParameters<T>&, const PositionKinematics<T>&, \
      const std::vector<RigidInertia<T>>&, const VelocityKinematics<T>&,     \
      InverseDynamicsScratch<T>*, VectorX<T>*, Eigen::Ref<MatrixX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
