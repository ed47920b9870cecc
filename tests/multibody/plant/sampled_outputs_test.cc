#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using test::CartPole;
using test::Pendulum;
using wyvern::test::Near;

TEST(SampledOutputs, AreZeroBeforeTheFirstStep) {
  Pendulum p(0.01);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 1);
  EXPECT_EQ(
      p.plant.get_generalized_acceleration_output_port().Eval(*context)[0], 0);
  EXPECT_EQ(p.plant.get_reaction_forces_output_port()
                .Eval<std::vector<SpatialForce<double>>>(*context)[0]
                .get_coeffs()
                .norm(),
            0);
}

TEST(SampledOutputs, ShowTheLastStepWhateverTheState) {
  Pendulum p(0.01);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 1);
  const auto& port = p.plant.get_generalized_acceleration_output_port();
  p.plant.ExecuteForcedEvents(context.get());
  const double sampled = port.Eval(*context)[0];
  EXPECT_LT(sampled, -1);
  p.joint->set_angle(context.get(), -1);
  EXPECT_EQ(port.Eval(*context)[0], sampled);
}

TEST(SampledOutputs, AreNotFedThroughButLiveOnesAre) {
  for (const bool sampled : {true, false}) {
    CartPole m(0.01);
    m.plant.SetUseSampledOutputPorts(sampled);
    m.plant.Finalize();
    const int in = m.plant.get_actuation_input_port().get_index();
    const int out = m.plant.get_net_actuation_output_port().get_index();
    EXPECT_EQ(m.plant.HasDirectFeedthrough(in, out), !sampled);
    EXPECT_FALSE(m.plant.HasDirectFeedthrough(
        in, m.plant.get_state_output_port().get_index()));
  }
}

TEST(SampledOutputs, OffMeansOnlyKinematicStateAndLivePorts) {
  Pendulum p(0.01);
  p.plant.SetUseSampledOutputPorts(false);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  EXPECT_EQ(context->num_abstract_states(), 0);
  p.joint->set_angle(context.get(), 1);
  const double live =
      p.plant.get_generalized_acceleration_output_port().Eval(*context)[0];
  p.plant.ExecuteForcedEvents(context.get());
  EXPECT_NEAR(p.joint->get_angular_rate(*context), 0.01 * live, 1e-15);
}

TEST(SampledOutputs, EvalFunctionsNeverReadTheSample) {
  Pendulum p(0.01);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 1);
  EXPECT_GT(p.plant.EvalBodySpatialAccelerationInWorld(*context, *p.body)
                .rotational()
                .norm(),
            1);
}

TEST(SampledOutputs, AccelerationsAndReactionsBelongToTheStepsStart) {
  Pendulum live(0.01);
  live.plant.SetUseSampledOutputPorts(false);
  live.plant.Finalize();
  Pendulum sampled(0.01);
  sampled.plant.Finalize();
  const auto c1 = live.plant.CreateDefaultContext();
  const auto c2 = sampled.plant.CreateDefaultContext();
  live.joint->set_angle(c1.get(), 1);
  live.joint->set_angular_rate(c1.get(), 2);
  sampled.plant.SetPositionsAndVelocities(
      c2.get(), live.plant.GetPositionsAndVelocities(*c1));
  sampled.plant.ExecuteForcedEvents(c2.get());
  using Accelerations = std::vector<SpatialAcceleration<double>>;
  using Forces = std::vector<SpatialForce<double>>;
  EXPECT_TRUE(Near(live.plant.get_body_spatial_accelerations_output_port()
                       .Eval<Accelerations>(*c1)[1]
                       .get_coeffs(),
                   sampled.plant.get_body_spatial_accelerations_output_port()
                       .Eval<Accelerations>(*c2)[1]
                       .get_coeffs(),
                   1e-13));
  EXPECT_TRUE(Near(live.plant.get_reaction_forces_output_port()
                       .Eval<Forces>(*c1)[0]
                       .get_coeffs(),
                   sampled.plant.get_reaction_forces_output_port()
                       .Eval<Forces>(*c2)[0]
                       .get_coeffs(),
                   1e-13));
}

TEST(SampledOutputs, StateIsCopiedToAnotherScalar) {
  Pendulum p(0.01);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  p.joint->set_angle(context.get(), 1);
  p.plant.ExecuteForcedEvents(context.get());
  const auto plant = systems::System<double>::ToAutoDiffXd(p.plant);
  const auto copy = plant->CreateDefaultContext();
  copy->SetTimeStateAndParametersFrom(*context);
  EXPECT_EQ(
      plant->get_generalized_acceleration_output_port().Eval(*copy)[0].value(),
      p.plant.get_generalized_acceleration_output_port().Eval(*context)[0]);
}

TEST(SampledOutputs, CannotBeSetForContinuousOrFinalizedPlants) {
  MultibodyPlant<double> continuous(0);
  EXPECT_THROWS_MESSAGE(continuous.SetUseSampledOutputPorts(true),
                        std::logic_error, "continuous");
  MultibodyPlant<double> discrete(0.01);
  discrete.Finalize();
  EXPECT_THROWS_MESSAGE(discrete.SetUseSampledOutputPorts(false),
                        std::logic_error, "after Finalize()");
}

}  // namespace
}  // namespace wyvern::multibody
