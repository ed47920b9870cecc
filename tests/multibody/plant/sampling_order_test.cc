#include <memory>

#include <gtest/gtest.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

// The picture in docs/sampling.md: who sees which state at a tick.

namespace wyvern::multibody {
namespace sampling_order_test {

using Eigen::Vector3d;

constexpr double kStep = 1e-3;

// A slider at 1 m/s, whose force is its own state as a hold of 200 Hz has it.
class Motion {
 public:
  explicit Motion(bool sampled) {
    systems::DiagramBuilder<double> builder;
    auto* plant = builder.AddSystem<MultibodyPlant<double>>(kStep);
    plant->SetUseSampledOutputPorts(sampled);
    plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    const auto& body = plant->AddRigidBody(
        "body", SpatialInertia<double>::SolidCubeWithMass(1e6, 0.1));
    const auto& slider = plant->AddJoint<PrismaticJoint>(
        "slider", plant->world_body(), {}, body, {}, Vector3d::UnitX());
    plant->AddJointActuator("motor", slider);
    plant->Finalize();
    auto* hold =
        builder.AddSystem<systems::ZeroOrderHold<double>>(5 * kStep, 2);
    builder.Connect(plant->get_state_output_port(), hold->get_input_port());
    auto* first = builder.AddSystem<First>();
    builder.Connect(hold->get_output_port(), first->get_input_port());
    builder.Connect(first->get_output_port(),
                    plant->get_actuation_input_port());
    state_log_ =
        LogVectorOutput(plant->get_state_output_port(), &builder, kStep);
    hold_log_ = LogVectorOutput(hold->get_output_port(), &builder, kStep);
    force_log_ = LogVectorOutput(plant->get_net_actuation_output_port(),
                                 &builder, kStep);
    simulator_ = std::make_unique<systems::Simulator<double>>(builder.Build());
    auto& context =
        plant->GetMyMutableContextFromRoot(&simulator_->get_mutable_context());
    plant->SetPositions(&context, Vector1<double>(7.0));
    plant->SetVelocities(&context, Vector1<double>(1.0));
    simulator_->AdvanceTo(8 * kStep);
  }
  // Logged at a tick.
  double StateAt(int tick) const { return At(state_log_, tick); }
  double HoldAt(int tick) const { return At(hold_log_, tick); }
  double ForceAt(int tick) const { return At(force_log_, tick); }

 private:
  double At(const systems::VectorLogSink<double>* log, int tick) const {
    return log->FindLog(simulator_->get_context()).data()(0, tick);
  }
  // The first of two numbers.
  class First final : public systems::LeafSystem<double> {
   public:
    First() {
      DeclareVectorInputPort("in", 2);
      DeclareVectorOutputPort("out", 1, &First::Calc);
    }

   private:
    void Calc(const systems::Context<double>& context,
              systems::BasicVector<double>* out) const {
      (*out)[0] = get_input_port().Eval(context)[0];
    }
  };

  std::unique_ptr<systems::Simulator<double>> simulator_;
  const systems::VectorLogSink<double>* state_log_{};
  const systems::VectorLogSink<double>* hold_log_{};
  const systems::VectorLogSink<double>* force_log_{};
};

// Figures of tests/oracles/sampling_order.py, of pydrake 1.51.
TEST(SamplingOrder, TheStateAtATickIsThatOfItsTime) {
  for (const bool sampled : {true, false}) {
    const Motion motion(sampled);
    for (int k = 0; k <= 8; ++k) {
      EXPECT_NEAR(motion.StateAt(k), 7 + k * kStep, 1e-6) << k;
    }
  }
}

TEST(SamplingOrder, AHoldReadsTheStateAfterTheStepOfASampledPlant) {
  const Motion motion(true);
  EXPECT_EQ(motion.HoldAt(0), 0);  // Before its first update.
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(motion.HoldAt(k), 7.001, 1e-6) << k;
  for (int k = 6; k <= 8; ++k) EXPECT_NEAR(motion.HoldAt(k), 7.006, 1e-6) << k;
}

TEST(SamplingOrder, AHoldReadsTheStateBeforeTheStepOfALivePlant) {
  const Motion motion(false);
  EXPECT_EQ(motion.HoldAt(0), 0);
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(motion.HoldAt(k), 7.0, 1e-6) << k;
  for (int k = 6; k <= 8; ++k) EXPECT_NEAR(motion.HoldAt(k), 7.005, 1e-6) << k;
}

TEST(SamplingOrder, ThePlantsStepReadsTheHoldBeforeItsUpdate) {
  // Logged at a tick is the force of the step that led there.
  const Motion motion(true);
  EXPECT_EQ(motion.ForceAt(0), 0);
  EXPECT_EQ(motion.ForceAt(1), 0);
  for (int k = 2; k <= 6; ++k) EXPECT_NEAR(motion.ForceAt(k), 7.001, 1e-6) << k;
  EXPECT_NEAR(motion.ForceAt(7), 7.006, 1e-6);
}

}  // namespace sampling_order_test
}  // namespace wyvern::multibody
