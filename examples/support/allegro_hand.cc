#include "examples/support/allegro_hand.h"

#include <array>
#include <string>

#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::examples {

using multibody::JointActuatorIndex;
using multibody::MultibodyPlant;

namespace {

constexpr char kWrist[] = "wrist";
// Where joint_0 to joint_15 are in a fist: four a finger, the thumb last.
constexpr std::array kClosed{0.0, 1.4, 1.4, 1.3, 0.0, 1.4, 1.4, 1.3,
                             0.0, 1.4, 1.4, 1.3, 1.3, 0.3, 0.5, 0.8};

}  // namespace

AllegroHand::AllegroHand(const std::filesystem::path& models,
                         const math::RigidTransform<double>& X_WF,
                         MultibodyPlant<double>* plant)
    : plant_(plant) {
  multibody::Parser parser(plant);
  parser.package_map().AddPackageXml((models / "package.xml").string());
  const auto hand = parser.AddModels(models /
                                     "allegro_hand_description/urdf/"
                                     "allegro_hand_description_right.urdf")[0];
  palm_ = &plant->GetBodyByName("hand_root", hand);
  plant->AddJointActuator(kWrist, plant->AddJoint<multibody::RevoluteJoint>(
                                      kWrist, plant->world_body(), X_WF, *palm_,
                                      {}, Vector3<double>::UnitZ()));
  for (const JointActuatorIndex i : plant->GetJointActuatorIndices()) {
    auto& motor = plant->get_mutable_joint_actuator(i);
    const bool is_wrist = motor.joint().name() == kWrist;
    // The file has 10 N m, with motors of 0.7 N m: nothing would move.
    plant->get_mutable_joint(motor.joint().index())
        .set_default_friction_vector(VectorX<double>::Zero(1));
    motor.set_controller_gains(
        {.p = is_wrist ? 200.0 : 3.0, .d = is_wrist ? 20.0 : 0.1});
  }
}

void AllegroHand::SetDesired(double close, double turn,
                             systems::Context<double>* plant_context) const {
  for (multibody::ModelInstanceIndex instance(0);
       instance < plant_->num_model_instances(); ++instance) {
    const auto motors = plant_->GetJointActuatorIndices(instance);
    if (motors.empty()) continue;
    VectorX<double> x = VectorX<double>::Zero(2 * motors.size());
    for (std::size_t i = 0; i < motors.size(); ++i) {
      const std::string& name =
          plant_->get_joint_actuator(motors[i]).joint().name();
      // joint_7 is "joint_" and a number.
      x[i] =
          name == kWrist ? turn : close * kClosed.at(std::stoi(name.substr(6)));
    }
    plant_->get_desired_state_input_port(instance).FixValue(plant_context, x);
  }
}

}  // namespace wyvern::examples
