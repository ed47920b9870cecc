// A ball that bounces: a witness function finds each moment of contact.
//
//   z ^ o
//     |  \                        falls freely while z > 0;
//     |   \    _                  at z = 0 it turns back with
//     |    \  / \    _            v+ = -e v-
//     +-----\/---\--/-\--> t
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/leaf_system.h"

using namespace wyvern::systems;  // NOLINT(build/namespaces)

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kHeight = 1.0;    // m
constexpr double kRestitution = 0.8;

class Ball final : public LeafSystem<double> {
 public:
  Ball() {
    DeclareContinuousState(
        BasicVector<double>(Eigen::VectorXd(Eigen::Vector2d(kHeight, 0))), 1, 1,
        0);
    contact_ = MakeWitnessFunction(
        "contact", WitnessFunctionDirection::kPositiveThenNonPositive,
        &Ball::CalcHeight, &Ball::Bounce);
  }
  const std::vector<double>& bounce_times() const { return bounce_times_; }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = context.get_continuous_state_vector()[1];
    xdot->get_mutable_vector()[1] = -kGravity;
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* all) const final {
    all->push_back(contact_.get());
  }
  double CalcHeight(const Context<double>& context) const {
    return context.get_continuous_state_vector()[0];
  }
  void Bounce(const Context<double>& context,
              const UnrestrictedUpdateEvent<double>&,
              State<double>* state) const {
    auto& x = state->get_mutable_continuous_state().get_mutable_vector();
    x[0] = 0;
    x[1] = -kRestitution * x[1];
    bounce_times_.push_back(context.get_time());
  }
  std::unique_ptr<WitnessFunction<double>> contact_;
  mutable std::vector<double> bounce_times_;
};

int main() {
  const Ball ball;
  Simulator<double> simulator(ball);
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  simulator.AdvanceTo(3.0);

  // Each flight lasts e times as long as the one before.
  double expected = std::sqrt(2 * kHeight / kGravity);
  double flight = 2 * kRestitution * expected;
  double worst = ball.bounce_times().size() == 6 ? 0 : 1;
  for (const double t : ball.bounce_times()) {
    fmt::print("bounce at {:.9f} s, in closed form {:.9f} s\n", t, expected);
    worst = std::max(worst, std::abs(t - expected));
    expected += flight;
    flight *= kRestitution;
  }
  fmt::print("worst: {:.1e} s\n", worst);
  return worst < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
