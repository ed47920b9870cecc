#include "wyvern/systems/estimators/luenberger_observer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/estimators/observed_systems.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::estimators {
namespace luenberger_observer_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using ::wyvern::test::AllocationGuard;
using ::wyvern::test::Near;

// A pendulum without ports of noise, that can be measured by both states.
template <typename T>
class TwoStates final : public LeafSystem<T> {
 public:
  explicit TwoStates(double period)
      : LeafSystem<T>(SystemTypeTag<TwoStates>{}), period_(period) {
    this->DeclareVectorInputPort("u", 1);
    this->DeclareNumericParameter(BasicVector<T>({T(1)}));
    if (period > 0) {
      this->DeclareDiscreteState(2);
      this->DeclarePeriodicDiscreteUpdateEvent(period, 0, &TwoStates::Update);
    } else {
      this->DeclareContinuousState(1, 1, 0);
    }
    this->DeclareVectorOutputPort("y", 1, &TwoStates::CalcOutput);
  }
  template <typename U>
  explicit TwoStates(const TwoStates<U>& other) : TwoStates(other.period()) {}
  double period() const { return period_; }

 private:
  VectorX<T> CalcNext(const Context<T>& context) const {
    using std::sin;
    const VectorX<T> x =
        period_ > 0 ? context.get_discrete_state(0).value()
                    : context.get_continuous_state_vector().CopyToVector();
    VectorX<T> f(2);
    f << x[1], -context.get_numeric_parameter(0)[0] * sin(x[0]) +
                   this->get_input_port(0).Eval(context)[0];
    return f;
  }
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    if (period_ == 0) derivatives->SetFromVector(CalcNext(context));
  }
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* next) const {
    next->get_mutable_vector(0).SetFromVector(CalcNext(context));
    return EventStatus::Succeeded();
  }
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const {
    using std::sin;
    (*y)[0] = sin(period_ > 0 ? context.get_discrete_state(0)[0]
                              : context.get_continuous_state_vector()[0]) +
              0.5 * this->get_input_port(0).Eval(context)[0];
  }
  const double period_;
};

// dz/dt or z[n+1] at z = (0.4, -0.3), u = 2, y = 1.5, k = 3 and L = (5, 7).
const Vector2d kExpected(-0.3 + 5 * (1.5 - std::sin(0.4) - 1),
                         -3 * std::sin(0.4) + 2 +
                             7 * (1.5 - std::sin(0.4) - 1));

template <typename T>
VectorX<T> NextOf(const LuenbergerObserver<T>& observer, double period) {
  const auto context = observer.CreateDefaultContext();
  observer.get_observed_system_output_input_port().FixValue(
      context.get(), VectorX<T>(VectorX<T>::Constant(1, 1.5)));
  observer.get_observed_system_input_input_port().FixValue(
      context.get(), VectorX<T>(VectorX<T>::Constant(1, 2)));
  const VectorX<T> z = Vector2d(0.4, -0.3).cast<T>();
  if (period == 0) {
    context->SetContinuousState(z);
    return observer.EvalTimeDerivatives(*context).CopyToVector();
  }
  context->SetDiscreteState(0, z);
  return observer.EvalUniquePeriodicDiscreteUpdate(*context).value(0);
}

TEST(LuenbergerObserver, CorrectsTheModelByTheErrorOfTheOutput) {
  for (const double period : {0.0, 0.1}) {
    const TwoStates<double> system(period);
    const auto context = system.CreateDefaultContext();
    context->get_mutable_numeric_parameter(0)[0] = 3;
    const LuenbergerObserver<double> observer(system, *context, Vector2d(5, 7));
    EXPECT_TRUE(Near(NextOf(observer, period), kExpected, 1e-15));
    EXPECT_FALSE(observer.HasAnyDirectFeedthrough());
    // Keeps the parameters, which are not those of a default Context.
    const auto converted = System<double>::ToAutoDiffXd(observer);
    EXPECT_TRUE(Near(ToDouble(NextOf(*converted, period)), kExpected, 1e-15));
    const auto back = System<AutoDiffXd>::ToScalarType<double>(*converted);
    EXPECT_TRUE(Near(NextOf(*back, period), kExpected, 1e-15));
  }
}

// With A - L C = [-l1 1; -l2 0] and poles -3 and -4: l1 = 7, l2 = 12. The error
// starts at (1, 0): e1 = 4 exp(-4 t) - 3 exp(-3 t), e2 = 12 (exp(-4 t) -
// exp(-3 t)).
TEST(LuenbergerObserver, ErrorDecaysByItsPoles) {
  const auto model = std::make_shared<LinearSystem<double>>(
      MatrixXd{{0, 1}, {0, 0}}, Vector2d(0, 1), MatrixXd{{1, 0}});
  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem(System<double>::Clone(*model));
  auto* force =
      builder.AddSystem<ConstantVectorSource<double>>(VectorXd::Ones(1));
  auto* observer = builder.AddSystem<LuenbergerObserver<double>>(
      model, *model->CreateDefaultContext(), Vector2d(7, 12));
  builder.Connect(force->get_output_port(), plant->get_input_port());
  builder.Connect(force->get_output_port(),
                  observer->get_observed_system_input_input_port());
  builder.Connect(plant->get_output_port(),
                  observer->get_observed_system_output_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  Context<double>& plant_context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  plant_context.SetContinuousState(Vector2d(1, 0));
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  const double t = 0.7;
  simulator.AdvanceTo(t);
  const Vector2d error =
      plant_context.get_continuous_state_vector().CopyToVector() -
      observer->get_estimated_state_output_port().Eval(
          observer->GetMyContextFromRoot(simulator.get_context()));
  const double fast = std::exp(-4 * t), slow = std::exp(-3 * t);
  EXPECT_TRUE(
      Near(error, Vector2d(4 * fast - 3 * slow, 12 * (fast - slow)), 1e-9));
}

// Two equal poles at 0: the error is zero after two steps.
TEST(LuenbergerObserver, DeadbeatErrorIsGoneAfterTwoSteps) {
  const LinearSystem<double> model(MatrixXd{{1, 1}, {0, 1}}, Vector2d(0, 1),
                                   MatrixXd{{1, 0}}, MatrixXd::Zero(1, 1), 0.1);
  const auto model_context = model.CreateDefaultContext();
  const LuenbergerObserver<double> observer(model, *model_context,
                                            Vector2d(2, 1));
  const auto context = observer.CreateDefaultContext();
  observer.get_observed_system_input_input_port().FixValue(context.get(),
                                                           VectorXd::Ones(1));
  Vector2d x(3, -2);
  for (int k = 0; k < 2; ++k) {
    observer.get_observed_system_output_input_port().FixValue(context.get(),
                                                              x.head(1).eval());
    context->SetDiscreteState(
        0,
        VectorXd(observer.EvalUniquePeriodicDiscreteUpdate(*context).value(0)));
    x = model.A() * x + model.B() * VectorXd::Ones(1);
  }
  EXPECT_TRUE(Near(context->get_discrete_state(0).value(), x, 1e-14));
}

TEST(LuenbergerObserver, AllocatesNothingAfterTheFirstStep) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  for (const double period : {0.0, 0.1}) {
    const auto model = std::make_shared<LinearSystem<double>>(
        MatrixXd{{0, 1}, {-1, -0.5}}, Vector2d(0, 1), MatrixXd{{1, 0}},
        MatrixXd::Zero(1, 1), period);
    DiagramBuilder<double> builder;
    auto* observer = builder.AddSystem<LuenbergerObserver<double>>(
        model, *model->CreateDefaultContext(), Vector2d(0.5, 0.2));
    for (int i = 0; i < 2; ++i) {
      builder.Connect(
          builder.AddSystem<ConstantVectorSource<double>>(VectorXd::Ones(1))
              ->get_output_port(),
          observer->get_input_port(i));
    }
    const auto diagram = builder.Build();
    Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(1);
    const AllocationGuard guard;
    simulator.AdvanceTo(2);
    EXPECT_EQ(guard.count(), 0) << period;
  }
}

TEST(LuenbergerObserver, RefusesWhatItCannotObserve) {
  using Observer = LuenbergerObserver<double>;
  const TwoStates<double> system(0);
  const auto context = system.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(Observer(system, *context, MatrixXd::Zero(1, 2)),
                        std::logic_error,
                        "observer_gain is 1 x 2; it must be 2 x 1");
  EXPECT_THROWS_MESSAGE(Observer(system, *context, Vector2d(1, NAN)),
                        std::logic_error, "observer_gain[1] is nan");
  EXPECT_THROWS_MESSAGE(Observer(nullptr, *context, Vector2d(1, 1)),
                        std::logic_error, "observed_system is null");
  const test::Pendulum<double> pendulum(0);
  EXPECT_THROWS_MESSAGE(
      Observer(pendulum, *pendulum.CreateDefaultContext(), Vector2d(1, 1)),
      std::logic_error, "has 3 input ports and 2 output ports");
}

}  // namespace luenberger_observer_test
}  // namespace wyvern::systems::estimators
