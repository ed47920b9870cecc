#include "wyvern/multibody/dynamics/node_forces.h"

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::dynamics {

template <typename T>
void AddForceAtPoint(const Model& model, const PositionKinematics<T>& positions,
                     MobodArgument body, const Vector3<T>& p_WQ,
                     const Vector6<T>& F_BQ_W, std::vector<Vector6<T>>* F) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return;
  const Vector3<T> r = p_WQ - positions.p_WO[model.nodes[node].tree];
  const Vector3<T> f = F_BQ_W.template tail<3>();
  (*F)[node] += F_BQ_W;
  (*F)[node].template head<3>() += r.cross(f);
}

template <typename T>
void AddBodyForces(const Model& model, const std::vector<Pose<T>>& X_WB,
                   const PositionKinematics<T>& positions,
                   std::span<const Vector6<T>> F_BBo_W,
                   std::vector<Vector6<T>>* F) {
  for (int i = 1; i < model.num_bodies(); ++i) {
    AddForceAtPoint(model, positions, i, X_WB[i].p, F_BBo_W[i], F);
  }
}

// Inward: a node carries its own force and those of its children.
template <typename T>
void CalcGeneralizedForces(const Model& model,
                           const PositionKinematics<T>& positions,
                           std::span<const Vector6<T>> F,
                           std::vector<Vector6<T>>* scratch,
                           Eigen::Ref<VectorX<T>> tau) {
  for (int i = 1; i < model.num_nodes(); ++i) (*scratch)[i] = F[i];
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      tau.template segment<nv>(k, n).noalias() =
          NodeColumns<nv, T>(positions.H, k, n).transpose() * (*scratch)[i];
    });
    if (node.parent > 0) (*scratch)[node.parent] += (*scratch)[i];
  }
}

#define WYVERN_INSTANTIATE(T)                               \
  template decltype(AddForceAtPoint<T>) AddForceAtPoint<T>; \
  template decltype(AddBodyForces<T>) AddBodyForces<T>;     \
  template decltype(CalcGeneralizedForces<T>) CalcGeneralizedForces<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
