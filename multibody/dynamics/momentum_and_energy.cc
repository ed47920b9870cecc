#include "wyvern/multibody/dynamics/momentum_and_energy.h"

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::dynamics {

// Momentum of one body, with c = p_BoBcm in W:  L = m (v_Bo + w x c),
// about Bo  R I Rᵀ w + m c x v_Bo,  about Q that plus p_QBo x L.
template <typename T>
Vector6<T> CalcSpatialMomentum(const Model& model,
                               const ModelParameters<T>& parameters,
                               const PositionKinematics<T>& positions,
                               const VelocityKinematics<T>& velocities,
                               std::span<const int> bodies,
                               const Vector3<T>& p_WQ) {
  Vector6<T> momentum = Vector6<T>::Zero();
  for (int body : bodies) {
    const BodyParameters<T>& B = parameters.bodies[body];
    const Pose<T> X_WB = CalcBodyPose(model, parameters, positions, body);
    const Vector6<T> V =
        CalcPointVelocity(model, positions, velocities, body, X_WB.p);
    const Vector3<T> w = V.template head<3>(), v = V.template tail<3>();
    const Vector3<T> mc = X_WB.R * (B.mass * B.p_BoBcm_B);
    const Vector3<T> L = B.mass * v + w.cross(mc);
    const Vector3<T> w_B = X_WB.R.transpose() * w;
    const Vector3<T> p_QBo = X_WB.p - p_WQ;
    momentum.template head<3>() +=
        X_WB.R * (B.I_BBo_B * w_B) + mc.cross(v) + p_QBo.cross(L);
    momentum.template tail<3>() += L;
  }
  return momentum;
}

template <typename T>
T CalcKineticEnergy(const Model& model, const ModelParameters<T>& parameters,
                    const std::vector<RigidInertia<T>>& inertias,
                    const VelocityKinematics<T>& velocities,
                    const Eigen::Ref<const VectorX<T>>& v) {
  T twice(0);
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Vector6<T>& V = velocities.V[i];
    twice += V.dot(inertias[i] * V);
  }
  if (parameters.has_reflected_inertia) {
    for (int k = 0; k < model.num_v; ++k) {
      twice += parameters.reflected_inertia[k] * v[k] * v[k];
    }
  }
  return 0.5 * twice;
}

// -sum of m g·p_WBcm; the world's node holds what is welded to the world.
template <typename T>
T CalcGravityPotentialEnergy(const Model& model,
                             const ModelParameters<T>& parameters,
                             const PositionKinematics<T>& positions) {
  T energy(0);
  for (int i = 0; i < model.num_nodes(); ++i) {
    const NodeConstants<T>& node = parameters.nodes[i];
    const Vector3<T> mass_times_com = positions.X_WN[i].R * node.gravity_h +
                                      node.gravity_mass * positions.X_WN[i].p;
    energy -= parameters.gravity.dot(mass_times_com);
  }
  return energy;
}

template <typename T>
T CalcGravityPower(const Model& model, const ModelParameters<T>& parameters,
                   const PositionKinematics<T>& positions,
                   const std::vector<RigidInertia<T>>& inertias,
                   const VelocityKinematics<T>& velocities) {
  T power(0);
  for (int i = 1; i < model.num_nodes(); ++i) {
    power += velocities.V[i].dot(
        CalcGravityForce(model, parameters, positions, inertias, i));
  }
  return power;
}

#define WYVERN_INSTANTIATE(T)                                       \
  template decltype(CalcSpatialMomentum<T>) CalcSpatialMomentum<T>; \
  template decltype(CalcKineticEnergy<T>) CalcKineticEnergy<T>;     \
  template decltype(CalcGravityPotentialEnergy<T>)                  \
      CalcGravityPotentialEnergy<T>;                                \
  template decltype(CalcGravityPower<T>) CalcGravityPower<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
