#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/multibody/control/joint_stiffness_controller.h"
#include "wyvern/multibody/control/pid/inverse_dynamics_controller.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"

// The controllers against those of Drake.

namespace wyvern::systems::controllers {
namespace controller_oracle_test {

using Eigen::Vector2d;
using Eigen::Vector4d;
using multibody::MultibodyPlant;
using multibody::RevoluteJoint;
using wyvern::test::Near;

// The plant of tests/oracles/controllers.py.
std::unique_ptr<MultibodyPlant<double>> MakePlant() {
  auto plant = std::make_unique<MultibodyPlant<double>>(0.0);
  const auto inertia = [](double mass, double z) {
    return multibody::SpatialInertia<double>(
        mass, Eigen::Vector3d(0, 0, z),
        multibody::UnitInertia<double>(0.5, 0.5, 0.5));
  };
  const auto& upper = plant->AddRigidBody("upper", inertia(1, -0.3));
  const auto& lower = plant->AddRigidBody("lower", inertia(2, -0.2));
  const auto& shoulder =
      plant->AddJoint<RevoluteJoint>("shoulder", plant->world_body(), {}, upper,
                                     {}, Eigen::Vector3d::UnitY(), 0.3);
  const auto& elbow = plant->AddJoint<RevoluteJoint>(
      "elbow", upper, math::RigidTransform<double>(Eigen::Vector3d(0, 0, -0.6)),
      lower, {}, Eigen::Vector3d::UnitX(), 0.1);
  plant->AddJointActuator("elbow", elbow);
  plant->AddJointActuator("shoulder", shoulder);
  plant->Finalize();
  return plant;
}

class ControllerOracle : public ::testing::Test {
 protected:
  ControllerOracle() {
    std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/controllers.txt");
    std::string name;
    Vector2d figures;
    while (file >> name >> figures[0] >> figures[1]) wanted_[name] = figures;
  }
  void Check(const std::string& name, const OutputPort<double>& port,
             const Context<double>& context) {
    EXPECT_TRUE(Near(port.Eval(context), wanted_.at(name), 1e-13)) << name;
  }
  const std::unique_ptr<MultibodyPlant<double>> plant_{MakePlant()};
  const Vector4d x_{0.4, -0.7, 0.5, 0.9};
  const Vector4d x_d_{0.1, 0.2, 0.3, 0.4};
  const Vector2d vdot_d_{0.5, -0.6};
  std::map<std::string, Vector2d> wanted_;
};

TEST_F(ControllerOracle, InverseDynamicsAgrees) {
  using Dynamics = InverseDynamics<double>;
  const Dynamics dynamics(plant_.get());
  const auto context = dynamics.CreateDefaultContext();
  dynamics.get_input_port_estimated_state().FixValue(context.get(), x_);
  dynamics.get_input_port_desired_acceleration().FixValue(context.get(),
                                                          vdot_d_);
  Check("InverseDynamics.generalized_force",
        dynamics.get_output_port_generalized_force(), *context);
  const Dynamics gravity(plant_.get(), Dynamics::kGravityCompensation);
  const auto gravity_context = gravity.CreateDefaultContext();
  gravity.get_input_port_estimated_state().FixValue(gravity_context.get(), x_);
  Check("GravityCompensation", gravity.get_output_port(), *gravity_context);
}

TEST_F(ControllerOracle, InverseDynamicsControllerAgrees) {
  const InverseDynamicsController<double> controller(
      *plant_, Vector2d(10, 20), Vector2d(1, 2), Vector2d(3, 4), true);
  const auto context = controller.CreateDefaultContext();
  controller.get_input_port_estimated_state().FixValue(context.get(), x_);
  controller.get_input_port_desired_state().FixValue(context.get(), x_d_);
  controller.get_input_port_desired_acceleration().FixValue(context.get(),
                                                            vdot_d_);
  controller.set_integral_value(context.get(), Vector2d(0.1, -0.2));
  Check("InverseDynamicsController.actuation",
        controller.get_output_port_control(), *context);
  Check("InverseDynamicsController.generalized_force",
        controller.get_output_port_generalized_force(), *context);
}

TEST_F(ControllerOracle, JointStiffnessControllerAgrees) {
  const JointStiffnessController<double> controller(*plant_, Vector2d(10, 20),
                                                    Vector2d(3, 4));
  const auto context = controller.CreateDefaultContext();
  controller.get_input_port_estimated_state().FixValue(context.get(), x_);
  controller.get_input_port_desired_state().FixValue(context.get(), x_d_);
  Check("JointStiffnessController.actuation",
        controller.get_output_port_actuation(), *context);
  // The only port that is not deprecated.
  EXPECT_EQ(&controller.get_output_port(),
            &controller.get_output_port_actuation());
}

}  // namespace controller_oracle_test
}  // namespace wyvern::systems::controllers
