#include "wyvern/multibody/dynamics/dead_loads.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::dynamics {
namespace {

// A torque t, and a force f at r.
template <typename T>
void AddLoad(const Vector3<T>& r, const Vector3<T>& t, const Vector3<T>& f,
             DeadLoad<T>* load) {
  load->F.template head<3>() += t + r.cross(f);
  load->F.template tail<3>() += f;
  load->S.noalias() += r * f.transpose();
}

}  // namespace

template <typename T>
void AddDeadLoadAtPoint(const Model& model,
                        const PositionKinematics<T>& positions,
                        MobodArgument body, const Vector3<T>& p_WQ,
                        const Vector6<T>& F_BQ_W,
                        std::vector<DeadLoad<T>>* loads) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return;
  AddLoad<T>(p_WQ - positions.p_WO[model.nodes[node].tree],
             F_BQ_W.template head<3>(), F_BQ_W.template tail<3>(),
             &(*loads)[node]);
}

template <typename T>
void AddGravityLoads(const Model& model, const ModelParameters<T>& parameters,
                     const PositionKinematics<T>& positions,
                     std::vector<DeadLoad<T>>* loads) {
  const Vector3<T>& g = parameters.gravity;
  for (int i = 1; i < model.num_nodes(); ++i) {
    const NodeConstants<T>& node = parameters.nodes[i];
    const Vector3<T> h = positions.X_WN[i].R * node.gravity_h +
                         node.gravity_mass * positions.p_ON(model, i);
    DeadLoad<T>& load = (*loads)[i];
    load.F.template head<3>() += h.cross(g);
    load.F.template tail<3>() += node.gravity_mass * g;
    load.S.noalias() += h * g.transpose();
  }
}

#define WYVERN_INSTANTIATE(T)                                     \
  template decltype(AddDeadLoadAtPoint<T>) AddDeadLoadAtPoint<T>; \
  template decltype(AddGravityLoads<T>) AddGravityLoads<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
