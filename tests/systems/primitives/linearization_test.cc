#include "wyvern/systems/primitives/linear/linearization.h"

#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kGravityOverLength = 9.81;

// A pendulum with unit mass and length, torque u and no friction; output is the
// height of the mass. With a period, its forward Euler discretisation.
template <typename T>
class Pendulum final : public LeafSystem<T> {
 public:
  explicit Pendulum(double period)
      : LeafSystem<T>(SystemTypeTag<Pendulum>{}), period_(period) {
    this->DeclareVectorInputPort("torque", 1);
    if (period > 0) {
      this->DeclareDiscreteState(2);
      this->DeclarePeriodicDiscreteUpdateEvent(period, 0.0,
                                               &Pendulum<T>::Update);
    } else {
      this->DeclareContinuousState(1, 1, 0);
    }
    this->DeclareVectorOutputPort("height", 1, &Pendulum<T>::CalcHeight);
  }
  template <typename U>
  explicit Pendulum(const Pendulum<U>& other) : Pendulum(other.period_) {}

 private:
  template <typename U>
  friend class Pendulum;

  Vector2<T> StateOf(const Context<T>& context) const {
    if (period_ > 0) return context.get_discrete_state(0).value();
    return context.get_continuous_state_vector().CopyToVector();
  }
  Vector2<T> Rate(const Context<T>& context) const {
    using std::sin;
    const Vector2<T> x = StateOf(context);
    const T& u = this->get_input_port(0).Eval(context)[0];
    return Vector2<T>(x[1], u - kGravityOverLength * sin(x[0]));
  }
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    if (period_ == 0) derivatives->SetFromVector(Rate(context));
  }
  void Update(const Context<T>& context, DiscreteValues<T>* next) const {
    next->set_value(0, StateOf(context) + period_ * Rate(context));
  }
  void CalcHeight(const Context<T>& context, BasicVector<T>* y) const {
    using std::cos;
    (*y)[0] = -cos(StateOf(context)[0]);
  }

  const double period_;
};

TEST(Linearize, AgreesWithTheDerivativesOfAPendulum) {
  const Pendulum<double> pendulum(0);
  auto context = pendulum.CreateDefaultContext();
  const double angle = 0.3;  // Held there by a torque.
  context->SetContinuousState(Vector2d(angle, 0));
  pendulum.get_input_port().FixValue(context.get(),
                                     kGravityOverLength * std::sin(angle));
  const auto linear = Linearize(pendulum, *context);
  // Rounding only.
  EXPECT_TRUE(::wyvern::test::Near(
      linear->A(), MatrixXd{{0, 1}, {-kGravityOverLength * std::cos(angle), 0}},
      1e-14));
  EXPECT_TRUE(::wyvern::test::Near(linear->B(), Vector2d(0, 1), 1e-14));
  EXPECT_TRUE(
      ::wyvern::test::Near(linear->C(), MatrixXd{{std::sin(angle), 0}}, 1e-14));
  EXPECT_TRUE(::wyvern::test::Near(linear->D(), MatrixXd{{0}}, 0));
  EXPECT_EQ(linear->time_period(), 0);
}

TEST(Linearize, AgreesWithTheDerivativesOfADiscretePendulum) {
  constexpr double kPeriod = 0.1;
  const Pendulum<double> pendulum(kPeriod);
  auto context = pendulum.CreateDefaultContext();
  context->SetDiscreteState(Vector2d(M_PI, 0));
  pendulum.get_input_port().FixValue(context.get(), 0.0);
  const auto linear = Linearize(pendulum, *context);
  EXPECT_TRUE(::wyvern::test::Near(
      linear->A(), MatrixXd{{1, kPeriod}, {kPeriod * kGravityOverLength, 1}},
      1e-14));
  EXPECT_TRUE(::wyvern::test::Near(linear->B(), Vector2d(0, kPeriod), 1e-14));
  EXPECT_EQ(linear->time_period(), kPeriod);
}

TEST(Linearize, RefusesAPointThatIsNoEquilibrium) {
  const Pendulum<double> pendulum(0);
  auto context = pendulum.CreateDefaultContext();
  context->SetContinuousState(Vector2d(M_PI / 2, 0));
  pendulum.get_input_port().FixValue(context.get(), 0.0);
  EXPECT_THROWS_MESSAGE(Linearize(pendulum, *context), std::runtime_error,
                        "the derivative of state 1 is -9.81");
  const Pendulum<double> discrete(0.5);
  auto discrete_context = discrete.CreateDefaultContext();
  discrete_context->SetDiscreteState(Vector2d(M_PI / 2, 0));
  discrete.get_input_port().FixValue(discrete_context.get(), 0.0);
  EXPECT_THROWS_MESSAGE(Linearize(discrete, *discrete_context),
                        std::runtime_error,
                        "the change in one period of state 1");
}

TEST(FirstOrderTaylorApproximation, TouchesTheSystemAtTheOperatingPoint) {
  const Pendulum<double> pendulum(0);
  auto context = pendulum.CreateDefaultContext();
  const Vector2d x(1, 2);
  const double u = 3;
  context->SetContinuousState(x);
  pendulum.get_input_port().FixValue(context.get(), u);
  const auto affine = FirstOrderTaylorApproximation(pendulum, *context);
  EXPECT_TRUE(::wyvern::test::Near(
      affine->A() * x + affine->B() * u + affine->f0(),
      pendulum.EvalTimeDerivatives(*context).CopyToVector(), 1e-14));
  EXPECT_TRUE(
      ::wyvern::test::Near(affine->C() * x + affine->D() * u + affine->y0(),
                           pendulum.get_output_port().Eval(*context), 1e-14));
  EXPECT_NEAR(affine->A()(1, 0), -kGravityOverLength * std::cos(1), 1e-14);
}

TEST(FirstOrderTaylorApproximation, GivesAnAffineSystemBack) {
  const MatrixXd A{{0, 1}, {-2, -3}};
  const AffineSystem<double> system(A, Vector2d(0, 4), Vector2d(5, 6),
                                    MatrixXd{{1, 2}}, MatrixXd{{7}},
                                    VectorXd::Constant(1, 8), 0.1);
  auto context = system.CreateDefaultContext();
  context->SetDiscreteState(Vector2d(0.3, -0.6));
  system.get_input_port().FixValue(context.get(), 0.9);
  const auto same = FirstOrderTaylorApproximation(system, *context);
  EXPECT_TRUE(::wyvern::test::Near(same->A(), A, 1e-14));
  EXPECT_TRUE(::wyvern::test::Near(same->B(), system.B(), 1e-14));
  EXPECT_TRUE(::wyvern::test::Near(same->f0(), system.f0(), 1e-14));
  EXPECT_TRUE(::wyvern::test::Near(same->C(), system.C(), 1e-14));
  EXPECT_TRUE(::wyvern::test::Near(same->D(), system.D(), 1e-14));
  EXPECT_TRUE(::wyvern::test::Near(same->y0(), system.y0(), 1e-14));
  EXPECT_EQ(same->time_period(), 0.1);
}

TEST(FirstOrderTaylorApproximation, LeavesOutPortsThatAreNotChosen) {
  const Pendulum<double> pendulum(0);
  auto context = pendulum.CreateDefaultContext();
  pendulum.get_input_port().FixValue(context.get(), 0.0);
  const auto affine = FirstOrderTaylorApproximation(
      pendulum, *context, InputPortSelection::kNoInput,
      OutputPortSelection::kNoOutput);
  EXPECT_EQ(affine->num_inputs(), 0);
  EXPECT_EQ(affine->num_outputs(), 0);
  EXPECT_EQ(affine->num_states(), 2);
}

TEST(FirstOrderTaylorApproximation, WorksOnStatelessSystemsAndDiagrams) {
  DiagramBuilder<double> builder;
  const auto* first = builder.AddSystem<Gain<double>>(2.0, 1);
  const auto* second = builder.AddSystem<Gain<double>>(3.0, 1);
  builder.Connect(*first, *second);
  builder.ExportInput(first->get_input_port());
  builder.ExportOutput(second->get_output_port());
  const auto diagram = builder.Build();
  auto context = diagram->CreateDefaultContext();
  diagram->get_input_port(0).FixValue(context.get(), 1.0);
  EXPECT_EQ(FirstOrderTaylorApproximation(*diagram, *context)->D()(0, 0), 6);
}

TEST(FirstOrderTaylorApproximation, RefusesOtherKindsOfStateAndPorts) {
  const ZeroOrderHold<double> abstract(0.1, Value<std::string>());
  auto context = abstract.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(FirstOrderTaylorApproximation(abstract, *context),
                        std::logic_error, "is abstract-valued");
  EXPECT_THROWS_MESSAGE(FirstOrderTaylorApproximation(
                            abstract, *context, InputPortSelection::kNoInput,
                            OutputPortSelection::kNoOutput),
                        std::logic_error,
                        "1 abstract states; only continuous state");
  const DiscreteDerivative<double> two_groups(1, 0.1, false);
  const auto two_context = two_groups.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      FirstOrderTaylorApproximation(two_groups, *two_context,
                                    InputPortSelection::kNoInput),
      std::logic_error, "2 discrete groups");
}

TEST(FirstOrderTaylorApproximation, RefusesAnInputThatIsNotConnected) {
  const Pendulum<double> pendulum(0);
  const auto context = pendulum.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(FirstOrderTaylorApproximation(pendulum, *context),
                        std::logic_error, "torque");
}

}  // namespace
}  // namespace wyvern::systems
