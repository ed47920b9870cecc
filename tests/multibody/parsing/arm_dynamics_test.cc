/** @file Dynamics and steps of examples/models/arm.urdf against Drake's; the
figures are made by tests/oracles/arm_drake.py, which says what they are. */
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace {

using wyvern::test::AllocationGuard;
using wyvern::test::Near;

std::map<std::string, MatrixX<double>> ReadFigures() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/arm_drake.txt");
  std::map<std::string, MatrixX<double>> figures;
  std::string name;
  int rows, cols;
  while (file >> name >> rows >> cols) {
    MatrixX<double> matrix(rows, cols);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) file >> matrix(i, j);
    }
    figures[name] = matrix;
  }
  return figures;
}

struct Arm {
  explicit Arm(double time_step, const MatrixX<double>& gains = {})
      : plant(time_step), drake(ReadFigures()) {
    instance = Parser(&plant)
                   .AddModels(WYVERN_SOURCE_DIR "/examples/models/arm.urdf")
                   .at(0);
    if (gains.size() == 2) {
      for (JointActuatorIndex i : plant.GetJointActuatorIndices()) {
        plant.get_mutable_joint_actuator(i).set_controller_gains(
            {gains(0), gains(1)});
      }
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositions(context.get(), drake["q"]);
    plant.SetVelocities(context.get(), drake["v"]);
    plant.get_actuation_input_port().FixValue(context.get(),
                                              VectorX<double>(drake["u"]));
  }

  MultibodyPlant<double> plant;
  std::map<std::string, MatrixX<double>> drake;
  ModelInstanceIndex instance;
  std::unique_ptr<systems::Context<double>> context;
};

// Round-off of sums of some hundred terms.
constexpr double kRoundOff = 1e-11;

TEST(ArmAgainstDrake, MassMatrixBiasAndGravityAgree) {
  Arm arm(0);
  MatrixX<double> M(7, 7);
  arm.plant.CalcMassMatrix(*arm.context, &M);
  EXPECT_TRUE(Near(M, arm.drake["mass_matrix"], kRoundOff));
  VectorX<double> Cv(7);
  arm.plant.CalcBiasTerm(*arm.context, &Cv);
  EXPECT_TRUE(Near(Cv, arm.drake["bias"], kRoundOff));
  EXPECT_TRUE(Near(arm.plant.CalcGravityGeneralizedForces(*arm.context),
                   arm.drake["gravity"], kRoundOff));
}

TEST(ArmAgainstDrake, InverseDynamicsWithForceElementsAgrees) {
  Arm arm(0);
  MultibodyForces<double> forces(arm.plant);
  arm.plant.CalcForceElementsContribution(*arm.context, &forces);
  EXPECT_TRUE(Near(
      arm.plant.CalcInverseDynamics(*arm.context, arm.drake["vdot"], forces),
      arm.drake["inverse_dynamics"], kRoundOff));
}

TEST(ArmAgainstDrake, AccelerationAndReactionForcesAgree) {
  Arm arm(0);
  EXPECT_TRUE(Near(
      arm.plant.get_generalized_acceleration_output_port().Eval(*arm.context),
      arm.drake["acceleration"], 1e-9));
  const auto& reactions =
      arm.plant.get_reaction_forces_output_port()
          .Eval<std::vector<SpatialForce<double>>>(*arm.context);
  const MatrixX<double>& expected = arm.drake["reactions"];
  ASSERT_EQ(expected.rows(), static_cast<int>(reactions.size()));
  for (int i = 0; i < expected.rows(); ++i) {
    EXPECT_TRUE(
        Near(reactions[i].get_coeffs(), expected.row(i).transpose(), 1e-9));
  }
}

// Drake's solver stops at a relative tolerance, some 1e-9 of a velocity here.
void ExpectStepsAgree(const std::string& name, double tolerance) {
  Arm arm(1e-3, ReadFigures()[name + "_gains"]);
  arm.plant.get_desired_state_input_port(arm.instance)
      .FixValue(arm.context.get(),
                VectorX<double>(arm.drake[name + "_desired"]));
  arm.plant.ExecuteForcedEvents(arm.context.get());
  EXPECT_TRUE(Near(arm.plant.GetPositionsAndVelocities(*arm.context),
                   arm.drake[name + "_state_1"], tolerance));
  EXPECT_TRUE(Near(arm.plant.get_net_actuation_output_port().Eval(*arm.context),
                   arm.drake[name + "_net_actuation"], 1e3 * tolerance));
  for (int i = 1; i < 100; ++i) {
    arm.plant.ExecuteForcedEvents(arm.context.get());
  }
  EXPECT_TRUE(Near(arm.plant.GetPositionsAndVelocities(*arm.context),
                   arm.drake[name + "_state_100"], 10 * tolerance));
}

TEST(ArmAgainstDrake, StepsUnderSoftControlAgree) {
  ExpectStepsAgree("soft", 1e-8);
}

TEST(ArmAgainstDrake, StepsIntoEffortLimitsAgree) {
  ExpectStepsAgree("stiff", 1e-7);
}

TEST(Arm, StepAllocatesNothingAfterTheFirst) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  Arm arm(1e-3, ReadFigures()["stiff_gains"]);
  arm.plant.get_desired_state_input_port(arm.instance)
      .FixValue(arm.context.get(), VectorX<double>(arm.drake["stiff_desired"]));
  const auto events = arm.plant.AllocateCompositeEventCollection();
  arm.plant.GetPeriodicEvents(*arm.context, events.get());
  const auto state = arm.context->CloneState();
  const auto step = [&] {
    arm.plant.CalcUnrestrictedUpdate(
        *arm.context, events->get_unrestricted_update_events(), state.get());
    arm.plant.ApplyUnrestrictedUpdate(events->get_unrestricted_update_events(),
                                      state.get(), arm.context.get());
  };
  step();
  AllocationGuard guard;
  for (int i = 0; i < 100; ++i) step();
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::multibody
