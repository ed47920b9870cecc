/** @file
Laws of wiring and control: laws 7, 9, 10 and 20 of this folder's README.
*/

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/pass_through.h"

namespace wyvern::systems {
namespace honest_control {

using Eigen::Vector2d;
using Eigen::VectorXd;
using multibody::PdControllerGains;

// Port 0 leads to port 1, and port 1 to port 0.
std::unique_ptr<Diagram<double>> MakeCrossed() {
  DiagramBuilder<double> builder;
  const auto* down = builder.AddNamedSystem<PassThrough<double>>("down", 1);
  const auto* up = builder.AddNamedSystem<PassThrough<double>>("up", 1);
  builder.ExportInput(down->get_input_port(), "u0");
  builder.ExportInput(up->get_input_port(), "u1");
  builder.ExportOutput(up->get_output_port(), "y0");
  builder.ExportOutput(down->get_output_port(), "y1");
  return builder.Build();
}

TEST(CrossedFeedthrough, ClosedOutsideIsALoopOnlyIfItIsOne) {
  DiagramBuilder<double> open;
  const auto* source = open.AddSystem<ConstantVectorSource<double>>(3.0);
  const auto* crossed = open.AddSystem(MakeCrossed());
  open.Connect(source->get_output_port(), crossed->get_input_port(1));
  open.Connect(crossed->get_output_port(0), crossed->get_input_port(0));
  open.ExportOutput(crossed->get_output_port(1), "y");
  const auto diagram = open.Build();
  EXPECT_EQ(
      diagram->get_output_port().Eval(*diagram->CreateDefaultContext())[0], 3);

  DiagramBuilder<double> closed;
  auto* looped = closed.AddNamedSystem("crossed", MakeCrossed());
  closed.Connect(looped->get_output_port(1), looped->get_input_port(0));
  closed.ExportInput(looped->get_input_port(1), "u");
  EXPECT_THROWS_MESSAGE(closed.Build(), std::logic_error, "u0");
}

TEST(Setters, WorkAtOnceOrThrow) {
  const Gain<double> gain(2, 1);
  const auto context = gain.CreateDefaultContext();
  FixedInputPortValue& value =
      gain.get_input_port().FixValue(context.get(), VectorXd::Constant(1, 1.0));
  EXPECT_EQ(gain.get_output_port().Eval(*context)[0], 2);
  value.GetMutableVectorData<double>()->SetAtIndex(0, 5);
  EXPECT_EQ(gain.get_output_port().Eval(*context)[0], 10);

  multibody::test::Pendulum pendulum(0.01);
  pendulum.plant.Finalize();
  const auto& plant = pendulum.plant;
  const auto state = plant.CreateDefaultContext();
  const auto moment_of_gravity = [&] {
    pendulum.joint->set_angle(state.get(), 1.0);
    return plant.CalcGravityGeneralizedForces(*state)[0];
  };
  const double before = moment_of_gravity();
  pendulum.body->SetMass(state.get(), 2 * pendulum.kMass);
  EXPECT_NEAR(moment_of_gravity(), 2 * before, 1e-12);
  EXPECT_THROW(pendulum.plant.AddModelInstance("late"), std::logic_error);
  EXPECT_THROW(pendulum.plant.set_discrete_contact_approximation(
                   multibody::DiscreteContactApproximation::kSap),
               std::logic_error);
}

// A pendulum without gravity, or with it, that a controller holds at `target`.
struct HeldPendulum {
  HeldPendulum(double time_step, PdControllerGains gains, double gravity)
      : model(time_step), kp(gains.p) {
    model.plant
        .get_mutable_joint_actuator(
            model.plant.AddJointActuator("motor", *model.joint).index())
        .set_controller_gains(gains);
    model.plant.mutable_gravity_field().set_gravity_vector({0, 0, -gravity});
    model.plant.Finalize();
    simulator = std::make_unique<Simulator<double>>(model.plant);
    auto& context = simulator->get_mutable_context();
    model.plant.get_desired_state_input_port(model.joint->model_instance())
        .FixValue(&context, Vector2d(target, 0));
  }
  double CalcEnergy() const {
    const auto& context = simulator->get_context();
    const double error = model.joint->get_angle(context) - target;
    return model.plant.CalcKineticEnergy(context) + kp / 2 * error * error;
  }
  static constexpr double target = 0.7;
  multibody::test::Pendulum model;
  double kp;
  std::unique_ptr<Simulator<double>> simulator;
};

// Calls f(time_step, gains) for gains and steps over eight orders of magnitude.
template <typename Function>
void ForAllGains(const Function& f) {
  for (const double time_step : {1e-4, 1e-3, 1e-2, 1e-1}) {
    for (const double kp : {1e1, 1e3, 1e5, 1e8}) {
      for (const double kd : {0.0, 1.0, 1e2, 1e5}) {
        f(time_step, PdControllerGains{kp, kd});
      }
    }
  }
}

TEST(PdControlOfAnyGainsAndStep, NeverAddsEnergyAtAConstantReference) {
  ForAllGains([](double time_step, PdControllerGains gains) {
    HeldPendulum held(time_step, gains, 0);
    double energy = held.CalcEnergy();
    for (int i = 1; i <= 200; ++i) {
      held.simulator->AdvanceTo(i * time_step);
      const double next = held.CalcEnergy();
      // Rounding of an angle, 1e-16, at the stiffness kp.
      ASSERT_LE(next, energy * (1 + 1e-12) + gains.p * 1e-30)
          << time_step << " s, " << gains.p << ", " << gains.d;
      energy = next;
    }
  });
}

TEST(PdControlOfAnyGainsAndStep, HasTheSameEquilibrium) {
  ForAllGains([](double time_step, PdControllerGains gains) {
    HeldPendulum held(time_step, gains, 9.81);
    // kp (target - q) = m g l sin(q), by Newton's method.
    const double weight = held.model.kMass * 9.81 * held.model.kLength;
    double q = held.target;
    for (int i = 0; i < 50; ++i) {
      q -= (gains.p * (q - held.target) + weight * std::sin(q)) /
           (gains.p + weight * std::cos(q));
    }
    held.model.joint->set_angle(&held.simulator->get_mutable_context(), q);
    held.simulator->AdvanceTo(300 * time_step);
    EXPECT_NEAR(held.model.joint->get_angle(held.simulator->get_context()), q,
                1e-9)
        << time_step << " s, " << gains.p << ", " << gains.d;
  });
}

}  // namespace honest_control
}  // namespace wyvern::systems
