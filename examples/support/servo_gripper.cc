#include "examples/support/servo_gripper.h"

#include <algorithm>

namespace wyvern::examples {

using Eigen::Vector3d;

ServoGripper::ServoGripper(double x, double z, const Servo& hand,
                           const Servo& finger,
                           multibody::MultibodyPlant<double>* plant)
    : plant_(*plant), height_(z), stiffness_(hand.p) {
  const auto M =
      multibody::SpatialInertia<double>::SolidCubeWithMass(kBodyMass, 0.05);
  hand_ = &AddServoSlider("hand", plant->world_body(),
                          math::RigidTransformd(Vector3d(0, 0, z)),
                          Vector3d::UnitZ(), M, hand, plant);
  for (const int side : {1, -1}) {
    fingers_[side < 0] =
        &AddServoSlider(side < 0 ? "left" : "right", *hand_,
                        math::RigidTransformd(Vector3d(side * x, 0, 0)),
                        Vector3d(-side, 0, 0), M, finger, plant);
  }
}

void ServoGripper::Hold(double rise, double closing,
                        systems::Context<double>* plant_context) const {
  Vector6<double> x = Vector6<double>::Zero();
  x.head<3>() << rise, closing, closing;
  plant_.get_desired_state_input_port(hand_->model_instance())
      .FixValue(plant_context, x);
}

void ServoGripper::CloseAndRise(double closing, double rise,
                                systems::Simulator<double>* simulator) const {
  auto& context =
      plant_.GetMyMutableContextFromRoot(&simulator->get_mutable_context());
  for (int i = 0; i <= 150; ++i) {
    Hold(rise * std::max(0, i - 50) / 100, closing * std::min(i, 50) / 50,
         &context);
    simulator->AdvanceTo(0.01 * i);
  }
  simulator->AdvanceTo(2.5);
}

double ServoGripper::CalcLoad(
    double rise, const systems::Context<double>& plant_context) const {
  const double sag =
      height_ + rise -
      plant_.EvalBodyPoseInWorld(plant_context, *hand_).translation().z();
  return stiffness_ * sag - 3 * kBodyMass * 9.81;
}

}  // namespace wyvern::examples
