#include "wyvern/multibody/algorithms/body_kinematics.h"

#include "wyvern/systems/common/default_scalars.h"

/* With r = p_OQ and the node's screws V = (w, v_O), A = (alpha, dv_O/dt):
  v_Q = v_O + w x r,   a_Q = dv_O/dt + alpha x r + w x v_Q. */

namespace wyvern::multibody::engine {

template <typename T>
Pose<T> CalcBodyPose(const Model& model, const ModelParameters<T>& parameters,
                     const PositionKinematics<T>& positions,
                     MobodArgument body) {
  return positions.X_WN[model.bodies[body].node] * parameters.X_NB[body];
}

template <typename T>
void CalcBodyPoses(const Model& model, const ModelParameters<T>& parameters,
                   const PositionKinematics<T>& positions,
                   std::vector<Pose<T>>* X_WB) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    (*X_WB)[i] = CalcBodyPose(model, parameters, positions, i);
  }
}

template <typename T>
Vector6<T> CalcPointVelocity(const Model& model,
                             const PositionKinematics<T>& positions,
                             const VelocityKinematics<T>& velocities,
                             MobodArgument body, const Vector3<T>& p_WQ) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return Vector6<T>::Zero();
  const Vector3<T> r = p_WQ - positions.p_WO[model.nodes[node].tree];
  Vector6<T> V = velocities.V[node];
  const Vector3<T> w = V.template head<3>();
  V.template tail<3>() += w.cross(r);
  return V;
}

template <typename T>
void CalcBodyVelocities(const Model& model, const std::vector<Pose<T>>& X_WB,
                        const PositionKinematics<T>& positions,
                        const VelocityKinematics<T>& velocities,
                        std::vector<Vector6<T>>* V_WB) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    (*V_WB)[i] = CalcPointVelocity(model, positions, velocities, i, X_WB[i].p);
  }
}

template <typename T>
Vector6<T> CalcPointAcceleration(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 const VelocityKinematics<T>& velocities,
                                 const std::vector<Vector6<T>>& A,
                                 MobodArgument body, const Vector3<T>& p_WQ) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return Vector6<T>::Zero();
  const Vector3<T> r = p_WQ - positions.p_WO[model.nodes[node].tree];
  const Vector3<T> w = velocities.V[node].template head<3>();
  const Vector3<T> v_Q = velocities.V[node].template tail<3>() + w.cross(r);
  Vector6<T> result = A[node];
  const Vector3<T> alpha = result.template head<3>();
  result.template tail<3>() += alpha.cross(r) + w.cross(v_Q);
  return result;
}

template <typename T>
void CalcBodyAccelerations(const Model& model, const std::vector<Pose<T>>& X_WB,
                           const PositionKinematics<T>& positions,
                           const VelocityKinematics<T>& velocities,
                           const std::vector<Vector6<T>>& A,
                           std::vector<Vector6<T>>* A_WB) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    (*A_WB)[i] =
        CalcPointAcceleration(model, positions, velocities, A, i, X_WB[i].p);
  }
}

#define WYVERN_INSTANTIATE(T)                                           \
  template decltype(CalcBodyPose<T>) CalcBodyPose<T>;                   \
  template decltype(CalcBodyPoses<T>) CalcBodyPoses<T>;                 \
  template decltype(CalcPointVelocity<T>) CalcPointVelocity<T>;         \
  template decltype(CalcBodyVelocities<T>) CalcBodyVelocities<T>;       \
  template decltype(CalcPointAcceleration<T>) CalcPointAcceleration<T>; \
  template decltype(CalcBodyAccelerations<T>) CalcBodyAccelerations<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
