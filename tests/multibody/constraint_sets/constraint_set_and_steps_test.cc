// A ConstraintSet's forward dynamics and the steps of discrete plants, as these
// become small.
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/pinned_linkage.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Eigen::VectorXd;
using test::FourBar;
using test::MakePin;

constexpr double kEnd = 0.2;  // [s]

// The state of a linkage at the end, by small steps of the midpoint rule.
VectorXd MoveByForwardDynamics(int num_steps) {
  FourBar linkage(0, FourBar::Closure::kNone);
  ConstraintSet<double> pin = MakePin(linkage);
  linkage.SetMotion(1, 3);
  const auto rate = [&](const VectorXd& x) {
    linkage.plant.SetPositionsAndVelocities(linkage.context.get(), x);
    VectorXd xdot(6), vdot(3);
    ForwardDynamicsConstraintsDirect<double>(linkage.plant, *linkage.context,
                                             VectorXd::Zero(3), &pin, &vdot);
    xdot << x.tail(3), vdot;
    return xdot;
  };
  const double h = kEnd / num_steps;
  VectorXd x = linkage.plant.GetPositionsAndVelocities(*linkage.context);
  for (int i = 0; i < num_steps; ++i) {
    const VectorXd middle = x + 0.5 * h * rate(x);
    x += h * rate(middle);
  }
  return x;
}

// Moves a plant whose loop is closed by a ball constraint in steps of dt.
VectorXd MoveByConvexSteps(double dt) {
  FourBar linkage(dt, FourBar::Closure::kBall);
  linkage.SetMotion(1, 3);
  systems::Simulator<double> simulator(linkage.plant);
  simulator.get_mutable_context().SetTimeStateAndParametersFrom(
      *linkage.context);
  simulator.AdvanceTo(kEnd);
  return linkage.plant.GetPositionsAndVelocities(simulator.get_context());
}

TEST(ConstraintSetAndSteps, ComeTogetherToFirstOrderAsStepsBecomeSmall) {
  // Good to 1e-6: halving its steps changes it by less.
  const VectorXd limit = MoveByForwardDynamics(2000);
  EXPECT_LE((MoveByForwardDynamics(1000) - limit).norm(), 1e-6);
  double before = 0;
  for (const double dt : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const double error = (MoveByConvexSteps(dt) - limit).norm();
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 1, 0.1) << dt << ": " << error;
    }
    before = error;
  }
  EXPECT_LE(before, 2e-3 * limit.norm());
}

}  // namespace
}  // namespace wyvern::multibody
