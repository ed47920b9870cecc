// Forces that come in by ports, and what goes out by them, on both scalars.

#include <fmt/format.h>

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using wyvern::test::Near;

template <typename T>
class Ports : public test::ScalarPlants<T> {
 public:
  Ports() {
    const auto& plant = *this->plant_;
    plant.SetPositions(c(), this->instance_, Vector2<T>(0.3, 0.8));
    plant.SetVelocities(c(), VectorXd::LinSpaced(8, -1, 2).template cast<T>());
  }
  systems::Context<T>* c() { return this->context_.get(); }
  VectorXd Vdot() {
    return ToDouble(
        this->plant_->get_generalized_acceleration_output_port().Eval(*c()));
  }
  // M v̇ less what it is without the forces: tau of what was connected.
  VectorXd TauOf(const VectorXd& vdot, const VectorXd& vdot_without) {
    MatrixX<T> M(8, 8);
    this->plant_->CalcMassMatrix(*c(), &M);
    return ToDouble(M) * (vdot - vdot_without);
  }
};
TYPED_TEST_SUITE(Ports, test::Scalars);

// Saved diagrams and users know ports by name and number.
TYPED_TEST(Ports, KeepTheirNamesNumbersAndSizes) {
  using Names = std::vector<std::string>;
  const auto& plant = *this->plant_;
  Names inputs, outputs;
  const auto text = [](const auto& port) {
    return port.get_data_type() == systems::kAbstractValued
               ? port.get_name()
               : fmt::format("{} {}", port.get_name(), port.size());
  };
  for (systems::InputPortIndex i(0); i < plant.num_input_ports(); ++i) {
    inputs.push_back(text(plant.get_input_port(i)));
  }
  for (systems::OutputPortIndex i(0); i < plant.num_output_ports(); ++i) {
    outputs.push_back(text(plant.get_output_port(i)));
  }
  EXPECT_EQ(
      inputs,
      (Names{"geometry_query", "actuation 2", "applied_generalized_force 8",
             "applied_spatial_force", "WorldModelInstance_actuation 0",
             "WorldModelInstance_desired_state 0",
             "DefaultModelInstance_actuation 0",
             "DefaultModelInstance_desired_state 0", "cart_pole_actuation 2",
             "cart_pole_desired_state 4", "loose_actuation 0",
             "loose_desired_state 0"}));
  EXPECT_EQ(outputs, (Names{"geometry_pose",
                            "deformable_body_configuration",
                            "state 17",
                            "WorldModelInstance_state 0",
                            "DefaultModelInstance_state 0",
                            "cart_pole_state 4",
                            "loose_state 13",
                            "body_poses",
                            "body_spatial_velocities",
                            "body_spatial_accelerations",
                            "reaction_forces",
                            "generalized_acceleration 8",
                            "net_actuation 2",
                            "constraint_multipliers 0",
                            "contact_results",
                            "WorldModelInstance_generalized_acceleration 0",
                            "WorldModelInstance_generalized_contact_forces 0",
                            "WorldModelInstance_net_actuation 0",
                            "DefaultModelInstance_generalized_acceleration 0",
                            "DefaultModelInstance_generalized_contact_forces 0",
                            "DefaultModelInstance_net_actuation 0",
                            "cart_pole_generalized_acceleration 2",
                            "cart_pole_generalized_contact_forces 2",
                            "cart_pole_net_actuation 2",
                            "loose_generalized_acceleration 6",
                            "loose_generalized_contact_forces 6",
                            "loose_net_actuation 0"}));
}

TYPED_TEST(Ports, NoBodyDeforms) {
  using Configuration = geometry::GeometryConfigurationVector<TypeParam>;
  // There before Finalize(), to be connected.
  EXPECT_EQ(
      this->open_.get_deformable_body_configuration_output_port().get_name(),
      "deformable_body_configuration");
  const auto& port =
      this->plant_->get_deformable_body_configuration_output_port();
  EXPECT_EQ(port.template Eval<Configuration>(*this->c()).size(), 0);
  const auto id = geometry::GeometryId::get_new_id();
  Configuration one{{id, VectorX<TypeParam>::Zero(6)}};
  EXPECT_EQ(one.value(id).size(), 6);
}

TYPED_TEST(Ports, HaveTheUnitsOfTheirJoints) {
  using Units = std::vector<std::string>;
  const auto& plant = *this->plant_;
  const ModelInstanceIndex cart_pole = this->instance_;
  EXPECT_EQ(plant.get_state_output_port(cart_pole).units(),
            (Units{"m", "rad", "m/s", "rad/s"}));
  EXPECT_EQ(plant.get_actuation_input_port(cart_pole).units(),
            (Units{"N", "N m"}));
  EXPECT_EQ(plant.get_desired_state_input_port(cart_pole).units(),
            (Units{"m", "rad", "m/s", "rad/s"}));
  EXPECT_EQ(plant.get_generalized_acceleration_output_port(cart_pole).units(),
            (Units{"m/s^2", "rad/s^2"}));
  EXPECT_EQ(plant.get_net_actuation_output_port(cart_pole).units(),
            (Units{"N", "N m"}));
  // A quaternion has no unit.
  const auto loose = plant.GetModelInstanceByName("loose");
  EXPECT_EQ(plant.get_state_output_port(loose).DescribeUnits(),
            "-, -, -, -, m, m, m, rad/s, rad/s, rad/s, m/s, m/s, m/s");
  EXPECT_EQ(
      plant.get_generalized_contact_forces_output_port(loose).DescribeUnits(),
      "N m, N m, N m, N, N, N");
  EXPECT_EQ(plant.get_applied_generalized_force_input_port().units().size(), 8);
  EXPECT_EQ(plant.get_state_output_port().units().size(), 17);
}

TYPED_TEST(Ports, GeneralizedForcesAreTau) {
  using T = TypeParam;
  const VectorXd free = this->Vdot();
  const VectorXd tau = VectorXd::LinSpaced(8, 1, 8);
  this->plant_->get_applied_generalized_force_input_port().FixValue(
      this->c(), VectorX<T>(tau.template cast<T>()));
  EXPECT_TRUE(Near(this->TauOf(this->Vdot(), free), tau, 1e-12));
}

TYPED_TEST(Ports, SpatialForcesActAtTheirPoint) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const VectorXd free = this->Vdot();
  std::vector<ExternallyAppliedSpatialForce<T>> forces(1);
  forces[0].body_index = plant.GetBodyByName("flag").index();
  forces[0].p_BoBq_B = Vector3<T>(0.3, 0.2, -0.1);
  forces[0].F_Bq_W = SpatialForce<T>(Vector3<T>(1, 2, 3), Vector3<T>(-3, 4, 5));
  plant.get_applied_spatial_force_input_port().FixValue(this->c(), forces);
  MatrixX<T> J(6, 8);
  plant.CalcJacobianSpatialVelocity(
      *this->c(), JacobianWrtVariable::kV, plant.GetFrameByName("flag"),
      forces[0].p_BoBq_B, plant.world_frame(), plant.world_frame(), &J);
  const VectorXd tau =
      ToDouble(VectorX<T>(J.transpose() * forces[0].F_Bq_W.get_coeffs()));
  EXPECT_TRUE(Near(this->TauOf(this->Vdot(), free), tau, 1e-12));
}

TYPED_TEST(Ports, ActuationOfTheWholeAndOfModelInstancesAddUp) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const VectorXd free = this->Vdot();
  plant.get_actuation_input_port().FixValue(this->c(), Vector2<T>(1, 2));
  plant.get_actuation_input_port(this->instance_)
      .FixValue(this->c(), Vector2<T>(10, 20));
  // Without a PD controller the limits, 20 N and 5 Nm, are not enforced.
  const VectorXd u =
      ToDouble(plant.get_net_actuation_output_port().Eval(*this->c()));
  EXPECT_TRUE(Near(u, Eigen::Vector2d(11, 22)));
  EXPECT_TRUE(Near(ToDouble(plant.get_net_actuation_output_port(this->instance_)
                                .Eval(*this->c())),
                   u));
  EXPECT_EQ(plant.get_net_actuation_output_port(this->model_.loose)
                .Eval(*this->c())
                .size(),
            0);
  VectorXd tau = VectorXd::Zero(8);
  tau.head(2) = u;
  EXPECT_TRUE(Near(this->TauOf(this->Vdot(), free), tau, 1e-12));
}

TYPED_TEST(Ports, AccelerationsOfModelInstancesAreParts) {
  const auto& plant = *this->plant_;
  const VectorXd vdot = this->Vdot();
  const auto part = [&](ModelInstanceIndex i) {
    return ToDouble(
        plant.get_generalized_acceleration_output_port(i).Eval(*this->c()));
  };
  EXPECT_EQ(part(this->instance_), vdot.head(2));
  EXPECT_EQ(part(this->model_.loose), vdot.tail(6));
  EXPECT_TRUE(Near(
      ToDouble(
          plant.EvalTimeDerivatives(*this->c()).CopyToVector().tail(8).eval()),
      vdot));
}

TYPED_TEST(Ports, MotionOfBodiesIsByTheirIndex) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const auto& poses =
      plant.get_body_poses_output_port()
          .template Eval<std::vector<math::RigidTransform<T>>>(*this->c());
  const auto& velocities =
      plant.get_body_spatial_velocities_output_port()
          .template Eval<std::vector<SpatialVelocity<T>>>(*this->c());
  const auto& accelerations =
      plant.get_body_spatial_accelerations_output_port()
          .template Eval<std::vector<SpatialAcceleration<T>>>(*this->c());
  ASSERT_EQ(poses.size(), 5);
  for (BodyIndex b(0); b < 5; ++b) {
    const RigidBody<T>& body = plant.get_body(b);
    EXPECT_TRUE(poses[b].IsExactlyEqualTo(body.EvalPoseInWorld(*this->c())));
    EXPECT_TRUE(Near(
        ToDouble(velocities[b].get_coeffs()),
        ToDouble(body.EvalSpatialVelocityInWorld(*this->c()).get_coeffs())));
    EXPECT_TRUE(Near(
        ToDouble(accelerations[b].get_coeffs()),
        ToDouble(
            body.EvalSpatialAccelerationInWorld(*this->c()).get_coeffs())));
  }
}

// The slider carries all but the stone: what it does not do along x, the guide
// does; the sum is the change of momentum less gravity.
TYPED_TEST(Ports, ReactionsCloseTheBalanceOfForces) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const auto& forces =
      plant.get_reaction_forces_output_port()
          .template Eval<std::vector<SpatialForce<T>>>(*this->c());
  const Joint<T>& slider = plant.GetJointByName("slider");
  const std::vector<ModelInstanceIndex> instance{this->instance_};
  const T mass = plant.CalcTotalMass(*this->c(), instance);
  const Vector3<T> expected =
      mass * (plant.CalcCenterOfMassTranslationalAccelerationInWorld(*this->c(),
                                                                     instance) +
              Vector3<T>(0, 0, 9.81));
  // The slider does not turn: its frames are the world's.
  EXPECT_TRUE(Near(ToDouble(forces[slider.ordinal()].translational()),
                   ToDouble(expected), 1e-12));
  EXPECT_EQ(forces.size(), 4);
}

TYPED_TEST(Ports, RotorsAddTheirReflectedInertiaToTheMassMatrix) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  MatrixX<T> before(8, 8), after(8, 8);
  plant.CalcMassMatrix(*this->c(), &before);
  const JointActuator<T>& twist = plant.GetJointActuatorByName("twist");
  twist.SetRotorInertia(this->c(), 0.01);
  twist.SetGearRatio(this->c(), -30);
  plant.CalcMassMatrix(*this->c(), &after);
  MatrixXd added = MatrixXd::Zero(8, 8);
  added(1, 1) = 9;
  EXPECT_TRUE(Near(ToDouble((after - before).eval()), added, 1e-14));
  EXPECT_NEAR(ToDouble(twist.calc_reflected_inertia(*this->c())), 9, 1e-14);
  plant.CalcMassMatrixViaInverseDynamics(*this->c(), &before);
  EXPECT_TRUE(Near(ToDouble(before), ToDouble(after), 1e-13));
}

// d/dt of kinetic and potential energy by what the forces do.
TYPED_TEST(Ports, PowerIsTheRateOfEnergy) {
  const auto& plant = *this->plant_;
  using T = TypeParam;
  const VectorX<T> v = plant.GetVelocities(*this->c());
  const VectorX<T> tau_g = plant.CalcGravityGeneralizedForces(*this->c());
  EXPECT_NEAR(ToDouble(plant.CalcConservativePower(*this->c())),
              ToDouble(v.dot(tau_g)), 1e-12);
  EXPECT_EQ(ToDouble(plant.CalcNonConservativePower(*this->c())), 0);
  MatrixX<T> M(8, 8);
  plant.CalcMassMatrix(*this->c(), &M);
  EXPECT_NEAR(ToDouble(plant.CalcKineticEnergy(*this->c())),
              0.5 * ToDouble(v.dot(M * v)), 1e-13);
  EXPECT_EQ(plant.EvalKineticEnergy(*this->c()),
            plant.CalcKineticEnergy(*this->c()));
  EXPECT_EQ(plant.EvalPotentialEnergy(*this->c()),
            plant.CalcPotentialEnergy(*this->c()));
}

}  // namespace
}  // namespace wyvern::multibody
