#include "wyvern/simulator/stiff/convex_integrator.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/implicit_step.h"
#include "wyvern/systems/primitives/integrator.h"

namespace wyvern::systems {
namespace convex_integrator_test {

/** x = [q; v] with qdot = v and vdot = rate (u - v), which takes implicit steps
for v; the input u may be absent and is then 1. Adjustable troubles. */
class Drag final : public LeafSystem<double>, public ImplicitStep<double> {
 public:
  explicit Drag(double rate) : rate_(rate) {
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(0, 3)), 1, 1, 0);
    DeclareVectorInputPort("u", 1);
    DeclareVectorOutputPort(
        "v", 1,
        [](const Context<double>& context, BasicVector<double>* v) {
          (*v)[0] = context.get_continuous_state_vector()[1];
        },
        {xc_ticket()});
  }

  bool TakesImplicitSteps() const final { return takes_steps; }
  double CalcImplicitStep(const Context<double>& context, double h,
                          const VectorX<double>* guess,
                          VectorX<double>* x_next) const final {
    if (guess != nullptr) ++num_guesses;
    if (h > longest) throw std::runtime_error("Drag: the step is too long.");
    const double v0 = context.get_continuous_state_vector()[1];
    const double v = (v0 + h * rate_ * Input(context)) / (1 + h * rate_);
    *x_next << context.get_continuous_state_vector()[0] + h * v, v;
    return h > followed ? 1 : 0;
  }

  bool takes_steps{true};
  double longest{std::numeric_limits<double>::infinity()};
  double followed{std::numeric_limits<double>::infinity()};
  mutable int num_guesses{0};

 private:
  double Input(const Context<double>& context) const {
    const auto& port = get_input_port(0);
    return port.HasValue(context) ? port.Eval(context)[0] : 1.0;
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const double v = context.get_continuous_state_vector()[1];
    xdot->get_mutable_vector()[0] = v;
    xdot->get_mutable_vector()[1] = rate_ * (Input(context) - v);
  }
  const double rate_;
};

Eigen::VectorXd GetState(const Simulator<double>& simulator) {
  return simulator.get_context().get_continuous_state_vector().CopyToVector();
}

ConvexIntegrator<double>& UseConvex(double max_step, double accuracy,
                                    Simulator<double>* simulator) {
  auto& integrator = simulator->reset_integrator<ConvexIntegrator<double>>();
  integrator.set_maximum_step_size(max_step);
  if (accuracy > 0) {
    integrator.set_target_accuracy(accuracy);
  } else {
    integrator.set_fixed_step_mode(true);
  }
  return integrator;
}

// From v = 3 and u = 1: v = 1 + 2 exp(-rate t), q its integral.
Eigen::Vector2d Exact(double rate, double t) {
  const double e = std::exp(-rate * t);
  return {t + 2 / rate * (1 - e), 1 + 2 * e};
}

TEST(ConvexIntegrator, IsOfSecondOrder) {
  const Drag system(3);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    Simulator<double> simulator(system);
    UseConvex(0.1 / (1 << k), 0, &simulator);
    simulator.AdvanceTo(1);
    error[k] = (GetState(simulator) - Exact(3, 1)).norm();
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3);
}

TEST(ConvexIntegrator, DampsWhatIsMuchFasterThanItsSteps) {
  const Drag system(1e8);
  Simulator<double> simulator(system);
  UseConvex(0.1, 0, &simulator);
  simulator.AdvanceTo(0.1);
  EXPECT_NEAR(GetState(simulator)[1], 1, 1e-5);
  simulator.AdvanceTo(1);
  EXPECT_NEAR(GetState(simulator)[1], 1, 1e-12);
}

TEST(ConvexIntegrator, HoldsTheAccuracyAskedFor) {
  const Drag system(20);
  double last = 1;
  for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
    Simulator<double> simulator(system);
    UseConvex(0.1, accuracy, &simulator);
    simulator.AdvanceTo(0.3);
    const double error = (GetState(simulator) - Exact(20, 0.3)).norm();
    EXPECT_LT(error, 10 * accuracy);
    EXPECT_LT(error, last);
    last = error;
  }
}

/** z' = v of the Drag, and the Drag follows u = -z: a loop through both. */
struct Loop {
  explicit Loop(double rate) {
    DiagramBuilder<double> builder;
    drag = builder.AddSystem<Drag>(rate);
    sum = builder.AddSystem<Integrator>(1);
    inverse = builder.AddSystem<test::Ode<double>>(
        Eigen::VectorXd::Ones(1), [](double t, const Eigen::VectorXd& x) {
          return Eigen::VectorXd::Constant(1, -x[0] * std::cos(t)).eval();
        });
    builder.Connect(drag->GetOutputPort("v"), sum->get_input_port());
    builder.Connect(sum->get_output_port(), drag->get_input_port(0));
    diagram = builder.Build();
  }
  Drag* drag{};
  Integrator<double>* sum{};
  test::Ode<double>* inverse{};
  std::unique_ptr<Diagram<double>> diagram;
};

// vdot = rate (z - v), zdot = v: z grows as exp(s t) with s^2 + rate s = rate.
TEST(ConvexIntegrator, AdvancesTheOtherStatesToTheSameAccuracy) {
  const Loop loop(2);
  Simulator<double> simulator(*loop.diagram);
  auto& integrator = UseConvex(0.1, 1e-6, &simulator);
  simulator.AdvanceTo(1);
  Simulator<double> reference(*loop.diagram);
  reference.get_mutable_integrator().set_target_accuracy(1e-10);
  reference.AdvanceTo(1);
  EXPECT_LT((GetState(simulator) - GetState(reference)).norm(), 3e-6);
  EXPECT_NEAR(GetState(simulator)[3], std::exp(-std::sin(1.0)), 1e-6);
  EXPECT_GT(integrator.get_num_implicit_steps(), 100);
  EXPECT_GT(loop.drag->num_guesses, 60);
}

// Systems of any kinds of state, in any order.
TEST(ConvexIntegrator, KeepsTheStatesOfSystemsApart) {
  DiagramBuilder<double> inner_builder;
  inner_builder.AddSystem<Drag>(3.0);
  inner_builder.AddSystem<test::Oscillator<double>>();
  DiagramBuilder<double> builder;
  builder.AddSystem<test::Ode<double>>(
      Eigen::VectorXd::Ones(1),
      [](double, const Eigen::VectorXd& x) { return Eigen::VectorXd(-x); });
  builder.AddSystem(inner_builder.Build());
  builder.AddSystem<Drag>(20.0);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  const Eigen::VectorXd start =
      (Eigen::VectorXd(7) << 1, 0, 3, 1, 0, 0, 3).finished();
  simulator.get_mutable_context().SetContinuousState(start);
  UseConvex(0.1, 1e-5, &simulator);
  simulator.AdvanceTo(0.4);
  Eigen::VectorXd exact(7);
  exact << std::exp(-0.4), Exact(3, 0.4), std::cos(0.4), -std::sin(0.4),
      Exact(20, 0.4);
  EXPECT_LT((GetState(simulator) - exact).norm(), 1e-4);
}

TEST(ConvexIntegrator, IsTheMidpointRuleWithoutImplicitSteps) {
  Drag system(3);
  system.takes_steps = false;
  Simulator<double> simulator(system);
  UseConvex(0.1, 0, &simulator);
  simulator.AdvanceTo(0.1);
  // v + h f(v + h/2 f(v)) with v = 3, f = 3 (1 - v).
  EXPECT_NEAR(GetState(simulator)[1], 3 + 0.1 * 3 * (1 - (3 - 0.05 * 6)),
              1e-14);
}

TEST(ConvexIntegrator, TakesShorterStepsWhereOneHasNoSolution) {
  Drag system(3);
  system.longest = 1e-3;
  Simulator<double> simulator(system);
  auto& integrator = UseConvex(0.1, 1e-2, &simulator);
  simulator.AdvanceTo(0.05);
  EXPECT_LE(integrator.get_largest_step_size_taken(), 1e-3);
  EXPECT_GT(integrator.get_num_substep_failures(), 0);
  EXPECT_NEAR(GetState(simulator)[1], Exact(3, 0.05)[1], 1e-3);
}

TEST(ConvexIntegrator, PassesOnTheErrorOfAStepThatNeverHasASolution) {
  Drag system(3);
  system.longest = 0;
  Simulator<double> simulator(system);
  UseConvex(0.1, 1e-2, &simulator);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error,
                        "Drag: the step is too long.");
  EXPECT_EQ(simulator.get_context().get_time(), 0);
}

/** A state whose derivative throws from time 1 on. */
class Broken final : public LeafSystem<double> {
 public:
  Broken() { DeclareContinuousState(1); }
  mutable int num_throws{0};

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    if (context.get_time() > 1) {
      ++num_throws;
      throw std::runtime_error("Broken: it is late.");
    }
    xdot->SetFromVector(Eigen::VectorXd::Ones(1));
  }
};

TEST(ConvexIntegrator, PassesOnErrorsOfOtherBlocksAtOnce) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Drag>(1);
  const auto* broken = builder.AddSystem<Broken>();
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  UseConvex(0.1, 1e-3, &simulator);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(2), std::runtime_error,
                        "it is late");
  EXPECT_EQ(broken->num_throws, 1);
}

// Where no convex step has a solution, the Simulator's own integrator goes on
// with another method. With few states it would begin with the other one.
TEST(ConvexIntegrator, IsLeftByTheDefaultWhereNoStepHasASolution) {
  constexpr int kNumDrags = 15;
  DiagramBuilder<double> builder;
  std::vector<Drag*> drags;
  for (int i = 0; i < kNumDrags; ++i) {
    drags.push_back(builder.AddSystem<Drag>(1e5));
  }
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(0.5);
  const auto trials = [&] {
    return dynamic_cast<const RungeKutta3Integrator<double>&>(
               simulator.get_integrator())
        .get_num_convex_trials();
  };
  EXPECT_GT(trials(), 0);
  for (Drag* drag : drags) drag->longest = 0;
  simulator.AdvanceTo(2);
  const int64_t last = trials();
  simulator.AdvanceTo(10);
  EXPECT_EQ(trials(), last);
  for (int i = 0; i < kNumDrags; ++i) {
    EXPECT_LT((GetState(simulator).segment<2>(2 * i) - Exact(1e5, 10)).norm(),
              1e-3);
  }
}

TEST(ConvexIntegrator, FollowsWhatAStepIsTooLongFor) {
  Drag system(3);
  system.followed = 1e-3;
  Simulator<double> simulator(system);
  auto& integrator = UseConvex(0.1, 1e-2, &simulator);
  simulator.AdvanceTo(0.1);
  EXPECT_LT(integrator.get_largest_step_size_taken(), 2e-3);
  EXPECT_GT(integrator.get_num_step_shrinkages_from_error_control(), 0);
}

TEST(ConvexIntegrator, NamesADerivativeThatIsNotFinite) {
  DiagramBuilder<double> builder;
  builder.AddSystem<Drag>(3.0);
  builder.AddSystem<test::Ode<double>>(
      Eigen::VectorXd::Zero(1), [](double t, const Eigen::VectorXd&) {
        return Eigen::VectorXd::Constant(1, t < 0.5 ? 1.0 : std::nan(""))
            .eval();
      });
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  UseConvex(0.1, 1e-3, &simulator);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error,
                        "derivative");
  EXPECT_NEAR(simulator.get_context().get_time(), 0.5, 0.05);
}

TEST(ConvexIntegrator, AllocatesNothingAfterItsFirstStep) {
  if (!wyvern::test::AllocationGuard::is_active()) GTEST_SKIP();
  const Drag system(2);
  Simulator<double> simulator(system);
  UseConvex(0.01, 1e-3, &simulator);
  simulator.AdvanceTo(0.1);
  const wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(0.5);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace convex_integrator_test
}  // namespace wyvern::systems
