#include "wyvern/multibody/dynamics/center_of_mass.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/systems/common/default_scalars.h"

/* M p_WC = sum of m_B p_WBcm, and its time derivatives; M is the set's mass. */

namespace wyvern::multibody::dynamics {
namespace {

template <typename T>
T TotalMass(const ModelParameters<T>& parameters, std::span<const int> bodies) {
  T mass(0);
  for (int body : bodies) mass += parameters.bodies[body].mass;
  if (!(mass > 0)) {
    throw std::logic_error(fmt::format(
        "Centre of mass: the mass of the {} bodies given is not positive; "
        "give a set with mass.",
        bodies.size()));
  }
  return mass;
}

template <typename T>
Vector3<T> CenterOfMassOfBody(const Model& model,
                              const ModelParameters<T>& parameters,
                              const PositionKinematics<T>& positions,
                              int body) {
  return CalcBodyPose(model, parameters, positions, body) *
         parameters.bodies[body].p_BoBcm_B;
}

}  // namespace

template <typename T>
Vector3<T> CalcCenterOfMass(const Model& model,
                            const ModelParameters<T>& parameters,
                            const PositionKinematics<T>& positions,
                            std::span<const int> bodies) {
  const T total = TotalMass(parameters, bodies);
  Vector3<T> sum = Vector3<T>::Zero();
  for (int body : bodies) {
    sum += parameters.bodies[body].mass *
           CenterOfMassOfBody(model, parameters, positions, body);
  }
  return sum / total;
}

template <typename T>
Vector3<T> CalcCenterOfMassVelocity(const Model& model,
                                    const ModelParameters<T>& parameters,
                                    const PositionKinematics<T>& positions,
                                    const VelocityKinematics<T>& velocities,
                                    std::span<const int> bodies) {
  const T total = TotalMass(parameters, bodies);
  Vector3<T> sum = Vector3<T>::Zero();
  for (int body : bodies) {
    const Vector6<T> V = CalcPointVelocity<T>(
        model, positions, velocities, body,
        CenterOfMassOfBody(model, parameters, positions, body));
    sum += parameters.bodies[body].mass * V.template tail<3>();
  }
  return sum / total;
}

template <typename T>
Vector3<T> CalcCenterOfMassAcceleration(const Model& model,
                                        const ModelParameters<T>& parameters,
                                        const PositionKinematics<T>& positions,
                                        const VelocityKinematics<T>& velocities,
                                        const std::vector<Vector6<T>>& A,
                                        std::span<const int> bodies) {
  const T total = TotalMass(parameters, bodies);
  Vector3<T> sum = Vector3<T>::Zero();
  for (int body : bodies) {
    const Vector6<T> A_Bcm = CalcPointAcceleration<T>(
        model, positions, velocities, A, body,
        CenterOfMassOfBody(model, parameters, positions, body));
    sum += parameters.bodies[body].mass * A_Bcm.template tail<3>();
  }
  return sum / total;
}

template <typename T>
void CalcCenterOfMassJacobian(const Model& model,
                              const ModelParameters<T>& parameters,
                              const PositionKinematics<T>& positions,
                              std::span<const int> bodies,
                              Eigen::Ref<MatrixX<T>> J) {
  const T total = TotalMass(parameters, bodies);
  J.setZero();
  for (int body : bodies) {
    const T share = parameters.bodies[body].mass / total;
    const int own_node = model.bodies[body].node;
    if (own_node == 0) continue;
    const Vector3<T> r =
        CenterOfMassOfBody(model, parameters, positions, body) -
        positions.p_WO[model.nodes[own_node].tree];
    for (int i = own_node; i > 0; i = model.nodes[i].parent) {
      const Model::Node& node = model.nodes[i];
      for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
        const Vector3<T> w = positions.H.col(k).template head<3>();
        const Vector3<T> v = positions.H.col(k).template tail<3>();
        J.col(k) += share * (v + w.cross(r));
      }
    }
  }
}

#define WYVERN_INSTANTIATE(T)                                                 \
  template decltype(CalcCenterOfMass<T>) CalcCenterOfMass<T>;                 \
  template decltype(CalcCenterOfMassVelocity<T>) CalcCenterOfMassVelocity<T>; \
  template decltype(CalcCenterOfMassAcceleration<T>)                          \
      CalcCenterOfMassAcceleration<T>;                                        \
  template decltype(CalcCenterOfMassJacobian<T>) CalcCenterOfMassJacobian<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
