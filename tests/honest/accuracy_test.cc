/** @file
Law 20 of this folder's README: signals that are small in their unit are right
with default settings. */

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"

namespace wyvern::systems {
namespace honest_accuracy {

using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kAmplitude = 1e-9;        // [m]
constexpr double kRate = 2 * M_PI * 1000;  // [rad/s]

/** A mass on a spring that swings with 1 kHz: q [m] and v [m/s]. */
class Resonator final : public LeafSystem<double> {
 public:
  Resonator() {
    DeclareContinuousState(BasicVector<double>(Vector2d(kAmplitude, 0)), 1, 1,
                           0);
  }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = -kRate * kRate * x[0];
  }
};

// After 100 periods the state is that of the start, to 1 % of the amplitude.
void ExpectStartAgain(const Vector2d& x) {
  EXPECT_NEAR(x[0] / kAmplitude, 1, 0.01);
  EXPECT_NEAR(x[1] / (kRate * kAmplitude), 0, 0.01);
}

TEST(ASignalOfANanometre, IsRightWithDefaultSettings) {
  const Resonator system;
  Simulator<double> simulator(system);
  simulator.AdvanceTo(0.1);
  ExpectStartAgain(
      simulator.get_context().get_continuous_state_vector().CopyToVector());
}

TEST(ASignalOfANanometre, IsRightAsAnyOtherState) {
  const test::Ode<double> system(Vector2d(kAmplitude, 0),
                                 [](double, const VectorXd& x) -> VectorXd {
                                   return Vector2d(x[1], -kRate * kRate * x[0]);
                                 });
  Simulator<double> simulator(system);
  simulator.AdvanceTo(0.1);
  ExpectStartAgain(
      simulator.get_context().get_continuous_state_vector().CopyToVector());
}

TEST(ASignalOfANanometre, IsRightAsTwoBlocksBesideALargeOne) {
  DiagramBuilder<double> builder;
  const auto* x = builder.AddSystem<Integrator<double>>(1);
  const auto* v = builder.AddSystem<Integrator<double>>(1);
  const auto* spring = builder.AddSystem<Gain<double>>(-kRate * kRate, 1);
  builder.AddSystem<test::Oscillator<double>>();
  builder.Connect(v->get_output_port(), x->get_input_port());
  builder.Connect(x->get_output_port(), spring->get_input_port());
  builder.Connect(spring->get_output_port(), v->get_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  Context<double>& context = simulator.get_mutable_context();
  x->set_integral_value(&x->GetMyMutableContextFromRoot(&context),
                        VectorXd::Constant(1, kAmplitude));
  simulator.AdvanceTo(0.1);
  ExpectStartAgain(
      {x->get_output_port().Eval(x->GetMyContextFromRoot(context))[0],
       v->get_output_port().Eval(v->GetMyContextFromRoot(context))[0]});
}

}  // namespace honest_accuracy
}  // namespace wyvern::systems
