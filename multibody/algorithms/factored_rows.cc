#include "wyvern/multibody/algorithms/factored_rows.h"

#include <algorithm>

#include "wyvern/multibody/algorithms/visit_nv.h"
#include "wyvern/systems/common/default_scalars.h"

/* The inward pass of articulated bodies (forward_dynamics.cc) takes tau and
forces f on nodes to u = L⁻¹ Jᵀ,
  u = tau + Hᵀ f,  f_P += f - U D⁻¹ u,
and v̇ = L⁻ᵀ D⁻¹ u. A force on one node changes u only on that node's path to
the world. What is locked has D⁻¹ = 0: it hands f on as it is. Limit: one body
that moves freely, u = Hᵀ f and J M⁻¹ Jᵀ = f'(H D⁻¹ Hᵀ) f. */

namespace wyvern::multibody::engine {

template <typename T>
void CalcFactoredRow(const Model& model, const PositionKinematics<T>& positions,
                     const ArticulatedInertias<T>& articulated,
                     const std::vector<bool>& is_locked,
                     const RowForces<T>& forces, Eigen::Ref<VectorX<T>> w) {
  int a = forces.node[0], b = forces.node[1];
  Vector6<T> f_a = forces.F[0], f_b = forces.F[1];
  while (a > 0 || b > 0) {
    if (a == b) {
      f_a += f_b;
      b = 0;
    } else if (a < b) {
      std::swap(a, b);
      std::swap(f_a, f_b);
    }
    const Model::Node& node = model.nodes[a];
    VisitNv<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      auto u = w.template segment<nv>(k, n);
      if (is_locked[k]) {
        u.setZero();
        return;
      }
      u += NodeColumns<nv, T>(positions.H, k, n).transpose() * f_a;
      if (node.parent == 0) return;
      const NodeVector<T, nv> x =
          NodeBlock<nv, T>(articulated.D_inverse, k, n) * u;
      f_a -= NodeColumns<nv, T>(articulated.U, k, n) * x;
    });
    a = node.parent;
  }
}

template <typename T>
void CalcInversePivots(const Model& model,
                       const ArticulatedInertias<T>& articulated,
                       const Eigen::Ref<const VectorX<T>>& w,
                       Eigen::Ref<VectorX<T>> D_inverse_w) {
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    VisitNv<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      D_inverse_w.template segment<nv>(k, n) =
          NodeBlock<nv, T>(articulated.D_inverse, k, n) *
          w.template segment<nv>(k, n);
    });
  }
}

#define WYVERN_INSTANTIATE(T)                               \
  template decltype(CalcFactoredRow<T>) CalcFactoredRow<T>; \
  template decltype(CalcInversePivots<T>) CalcInversePivots<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
