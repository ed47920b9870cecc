#include "examples/support/servo_slider.h"

#include "wyvern/multibody/tree/prismatic_joint.h"

namespace wyvern::examples {

const multibody::RigidBody<double>& AddServoSlider(
    const std::string& name, const multibody::RigidBody<double>& parent,
    const math::RigidTransform<double>& X_PF, const Vector3<double>& axis,
    const multibody::SpatialInertia<double>& M_BBo_B, const Servo& servo,
    multibody::MultibodyPlant<double>* plant) {
  const auto& body = plant->AddRigidBody(name, M_BBo_B);
  const auto& joint = plant->AddJoint<multibody::PrismaticJoint>(
      name, parent, X_PF, body, {}, axis);
  const auto& motor = plant->AddJointActuator(name, joint, servo.effort);
  plant->get_mutable_joint_actuator(motor.index())
      .set_controller_gains({.p = servo.p, .d = servo.d});
  return body;
}

}  // namespace wyvern::examples
