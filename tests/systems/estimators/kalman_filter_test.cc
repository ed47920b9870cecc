#include "wyvern/systems/estimators/kalman_filter.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/estimators/observed_systems.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/controllers/kalman_observer.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"

namespace wyvern::systems::estimators {
namespace kalman_filter_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::MakeFilterContext;
using test::ThreeStates;
using test::Update;
using ::wyvern::test::AllocationGuard;
using ::wyvern::test::Near;

MatrixXd One(double x) { return MatrixXd::Constant(1, 1, x); }
VectorXd OneVector(double x) { return VectorXd::Constant(1, x); }

// The information form: P^-1 + C'V^-1 C, another arithmetic for the same
// filter.
TEST(KalmanFilter, DiscreteAgreesWithTheInformationFilter) {
  const KalmanFilterSettings s = ThreeStates(0.1);
  const KalmanFilter<double> filter(s);
  const auto context =
      MakeFilterContext(filter, OneVector(0), Eigen::Vector2d::Zero());
  VectorXd x = s.initial_state_estimate;
  MatrixXd P = s.initial_state_covariance;
  for (int k = 0; k < 20; ++k) {
    const VectorXd u = OneVector(std::sin(k));
    const Eigen::Vector2d y(std::cos(2 * k), 0.1 * k);
    filter.get_input_port(0).FixValue(context.get(), u);
    filter.get_input_port(1).FixValue(context.get(), y);
    Update(filter, context.get());
    const MatrixXd weighted = s.C.transpose() * s.V.inverse();
    P = (P.inverse() + weighted * s.C).inverse();
    x += P * weighted * (y - s.C * x - s.D * u);
    x = s.A * x + s.B * u;
    P = s.A * P * s.A.transpose() + s.W;
    EXPECT_TRUE(Near(filter.GetStateEstimate(*context), x, 1e-12));
    EXPECT_TRUE(Near(filter.GetStateCovariance(*context), P, 1e-12));
  }
  EXPECT_TRUE(Near(filter.get_output_port().Eval(*context), x, 1e-12));
}

TEST(KalmanFilter, SettlesAtTheSolutionOfTheRiccatiEquation) {
  for (const double period : {0.0, 0.1}) {
    const KalmanFilterSettings s = ThreeStates(period);
    const LinearSystem<double> system(s.A, s.B, s.C, s.D, period);
    const auto [L, P] = controllers::CalcKalmanGain(system, s.W, s.V);
    const KalmanFilter<double> filter(s);
    const auto context =
        MakeFilterContext(filter, OneVector(0), Eigen::Vector2d::Zero());
    filter.SetStateEstimateAndCovariance(context.get(), VectorXd::Zero(3), P);
    if (period > 0) {
      Update(filter, context.get());
      EXPECT_TRUE(Near(filter.GetStateCovariance(*context), P, 1e-12));
    } else {
      const VectorXd rates =
          filter.EvalTimeDerivatives(*context).CopyToVector();
      EXPECT_TRUE(Near(rates, VectorXd::Zero(9), 1e-12));
    }
  }
}

// dp/dt = w - c^2 p^2 / v has the solution sqrt(w v) / c tanh(c sqrt(w / v) t).
TEST(KalmanFilter, ContinuousCovarianceOfARandomWalkIsAHyperbolicTangent) {
  const double w = 0.7, v = 0.2, c = 1.3, end = 0.9;
  const KalmanFilter<double> filter({.A = One(0),
                                     .B = {},
                                     .C = One(c),
                                     .D = {},
                                     .W = One(w),
                                     .V = One(v),
                                     .initial_state_estimate = {},
                                     .initial_state_covariance = {}});
  auto context = MakeFilterContext(filter, VectorXd(0), OneVector(0.4));
  Simulator<double> simulator(filter, std::move(context));
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  simulator.AdvanceTo(end);
  EXPECT_NEAR(filter.GetStateCovariance(simulator.get_context())(0, 0),
              std::sqrt(w * v) / c * std::tanh(c * std::sqrt(w / v) * end),
              1e-9);
}

// Between measurements p grows by w h; a measurement takes p to p v / (p + v).
TEST(KalmanFilter, SampledMeasurementsOfARandomWalkFollowTheRecursion) {
  const double w = 0.7, v = 0.2, h = 0.25;
  const KalmanFilter<double> filter({.A = One(0),
                                     .B = {},
                                     .C = {},
                                     .D = {},
                                     .W = One(w),
                                     .V = One(v),
                                     .initial_state_estimate = {},
                                     .initial_state_covariance = One(1),
                                     .measurement_period = h});
  auto context = MakeFilterContext(filter, VectorXd(0), OneVector(2));
  Simulator<double> simulator(filter, std::move(context));
  simulator.AdvanceTo(10.5 * h);
  double x = 0, p = 1;
  for (int k = 0; k <= 10; ++k) {
    if (k > 0) p += w * h;
    x += p / (p + v) * (2 - x);
    p = p * v / (p + v);
  }
  EXPECT_NEAR(filter.GetStateEstimate(simulator.get_context())[0], x, 1e-13);
  EXPECT_NEAR(filter.GetStateCovariance(simulator.get_context())(0, 0),
              p + w * h / 2, 1e-13);
}

// P - K S K' alone would be wrong by 1e-4 of the result here.
TEST(KalmanFilter, KeepsTheDigitsOfAPreciseMeasurementAfterAVaguePrior) {
  const double prior = 1e6, v = 1e-6;
  const KalmanFilter<double> filter({.A = One(1),
                                     .B = {},
                                     .C = {},
                                     .D = {},
                                     .W = One(0),
                                     .V = One(v),
                                     .initial_state_estimate = {},
                                     .initial_state_covariance = One(prior),
                                     .time_period = 1});
  const auto context = MakeFilterContext(filter, VectorXd(0), OneVector(1));
  Update(filter, context.get());
  const double expected = 1 / (1 / prior + 1 / v);
  EXPECT_NEAR(filter.GetStateCovariance(*context)(0, 0) / expected, 1, 1e-10);
}

// Innovations, divided by their standard deviation, are white of variance 1:
// the sum of their squares is chi-square distributed, and neighbours do not
// correlate. The bounds are four standard deviations.
TEST(KalmanFilter, InnovationsAreWhite) {
  KalmanFilterSettings s = ThreeStates(0.1);
  s.A += MatrixXd::Identity(3, 3) * 0.8;
  const KalmanFilter<double> filter(s);
  const auto context =
      MakeFilterContext(filter, OneVector(0), Eigen::Vector2d::Zero());
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  const auto draw = [&](const MatrixXd& covariance) {
    VectorXd result(covariance.rows());
    for (double& one : result) one = normal(generator);
    const MatrixXd root =
        (covariance + 1e-300 * MatrixXd::Identity(result.size(), result.size()))
            .llt()
            .matrixL();
    return VectorXd(root * result);
  };
  VectorXd x = s.initial_state_estimate + draw(s.initial_state_covariance);
  constexpr int kSteps = 4000;
  double squares = 0, neighbours = 0;
  Eigen::Vector2d last = Eigen::Vector2d::Zero();
  for (int k = 0; k < kSteps; ++k) {
    const VectorXd u = OneVector(std::sin(0.1 * k));
    const VectorXd y = s.C * x + s.D * u + draw(s.V);
    const MatrixXd S =
        s.C * filter.GetStateCovariance(*context) * s.C.transpose() + s.V;
    const Eigen::Vector2d innovation = S.llt().matrixL().solve(
        y - s.C * filter.GetStateEstimate(*context) - s.D * u);
    squares += innovation.squaredNorm();
    neighbours += innovation.dot(last);
    last = innovation;
    filter.get_input_port(0).FixValue(context.get(), u);
    filter.get_input_port(1).FixValue(context.get(), y);
    Update(filter, context.get());
    x = s.A * x + s.B * u + draw(s.W);
  }
  constexpr double kCount = 2 * kSteps;
  EXPECT_NEAR(squares, kCount, 4 * std::sqrt(2 * kCount));
  EXPECT_NEAR(neighbours, 0, 4 * std::sqrt(kCount));
}

TEST(KalmanFilter, ConvertsWithAllItsSettings) {
  KalmanFilterSettings s = ThreeStates(0);
  s.measurement_period = 0.1;
  const KalmanFilter<double> filter(s);
  const auto context =
      MakeFilterContext(filter, OneVector(0.3), Eigen::Vector2d(0.2, -0.4));
  const auto converted = System<double>::ToAutoDiffXd(filter);
  const auto ad_context = converted->CreateDefaultContext();
  converted->FixInputPortsFrom(filter, *context, ad_context.get());
  EXPECT_EQ(
      ToDouble(converted->EvalTimeDerivatives(*ad_context).CopyToVector()),
      filter.EvalTimeDerivatives(*context).CopyToVector());
  EXPECT_EQ(converted->settings().measurement_period, 0.1);
}

// d(next estimate) / dy = A K.
TEST(KalmanFilter, HasDerivativesOfItsUpdate) {
  const KalmanFilterSettings s = ThreeStates(0.1);
  const auto filter = System<double>::ToAutoDiffXd(KalmanFilter<double>(s));
  const auto context = filter->CreateDefaultContext();
  filter->get_input_port(0).FixValue(context.get(),
                                     VectorX<AutoDiffXd>::Zero(1));
  VectorX<AutoDiffXd> y(2);
  y << AutoDiffXd(0.2, 2, 0), AutoDiffXd(-0.1, 2, 1);
  filter->get_input_port(1).FixValue(context.get(), y);
  const VectorX<AutoDiffXd> next =
      filter->EvalUniquePeriodicDiscreteUpdate(*context).value(0).head(3);
  const MatrixXd PC = s.initial_state_covariance * s.C.transpose();
  const MatrixXd expected = s.A * PC * (s.C * PC + s.V).inverse();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Near(VectorXd(next[i].derivatives()),
                     expected.row(i).transpose(), 1e-13));
  }
}

TEST(KalmanFilter, AllocatesNothingAfterTheFirstStep) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  for (const double period : {0.0, 0.1}) {
    DiagramBuilder<double> builder;
    auto* filter = builder.AddSystem<KalmanFilter<double>>(ThreeStates(period));
    builder.Connect(
        builder.AddSystem<ConstantVectorSource<double>>(OneVector(0.2))
            ->get_output_port(),
        filter->get_input_port(0));
    builder.Connect(
        builder
            .AddSystem<ConstantVectorSource<double>>(Eigen::Vector2d(0.2, 0.1))
            ->get_output_port(),
        filter->get_input_port(1));
    const auto diagram = builder.Build();
    Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(1);
    const AllocationGuard guard;
    simulator.AdvanceTo(2);
    EXPECT_EQ(guard.count(), 0) << period;
  }
}

TEST(KalmanFilter, RefusesBadSettings) {
  const auto refused = [](auto change, const char* message) {
    KalmanFilterSettings s = ThreeStates(0.1);
    change(&s);
    EXPECT_THROWS_MESSAGE(KalmanFilter<double>{s}, std::logic_error, message);
  };
  refused([](auto* s) { s->A(0, 1) = NAN; }, "A(0, 1) is nan");
  refused([](auto* s) { s->B = MatrixXd::Zero(2, 1); },
          "B is 2 x 1; it must be 3 x 1");
  refused([](auto* s) { s->C = MatrixXd::Zero(2, 2); },
          "C is 2 x 2; it must be 2 x 3");
  refused([](auto* s) { s->D = MatrixXd::Zero(1, 1); },
          "D is 1 x 1; it must be 2 x 1");
  refused([](auto* s) { s->W = One(1); }, "W is 1 x 1; it must be 3 x 3");
  refused([](auto* s) { s->W(0, 1) = 0.2; }, "W is not symmetric");
  refused([](auto* s) { s->W(2, 2) = -1; }, "W is not positive semidefinite");
  refused([](auto* s) { s->W << 1, 0, 0, 0, 0, 0.1, 0, 0.1, 1; },
          "W is not positive semidefinite");
  refused([](auto* s) { s->V << 1, 1, 1, 1; }, "V is not positive definite");
  refused([](auto* s) { s->V(0, 0) = INFINITY; }, "V(0, 0) is inf");
  refused([](auto* s) { s->initial_state_estimate = OneVector(1); },
          "initial_state_estimate has size 1; it must have size 3");
  refused([](auto* s) { s->initial_state_covariance(0, 0) = -1; },
          "initial_state_covariance is not positive semidefinite");
  refused([](auto* s) { s->time_period = -1; }, "time_period is -1");
  refused([](auto* s) { s->measurement_period = NAN; },
          "measurement_period is nan");
  refused([](auto* s) { s->measurement_period = 0.2; },
          "discrete_measurement_time_period is 0.2 s, but the observed System "
          "is discrete");
  refused([](auto* s) { *s = {}; }, "the number of states is 0");
}

TEST(KalmanFilter, RefusesABadEstimate) {
  const KalmanFilter<double> filter(ThreeStates(0));
  const auto context = filter.CreateDefaultContext();
  const auto set = [&](const VectorXd& x, const MatrixXd& P) {
    filter.SetStateEstimateAndCovariance(context.get(), x, P);
  };
  const MatrixXd P = MatrixXd::Identity(3, 3);
  EXPECT_THROWS_MESSAGE(set(VectorXd::Zero(2), P), std::logic_error,
                        "state_estimate has size 2; it must have size 3");
  EXPECT_THROWS_MESSAGE(set(VectorXd::Constant(3, NAN), P), std::logic_error,
                        "state_estimate[0] is nan");
  EXPECT_THROWS_MESSAGE(set(VectorXd::Zero(3), -P), std::logic_error,
                        "state_covariance is not positive semidefinite");
  set(Eigen::Vector3d(1, 2, 3), 2 * P);
  EXPECT_EQ(filter.GetStateEstimate(*context), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(filter.GetStateCovariance(*context), 2 * P);
}

// Two copies of one sensor without noise of their own cannot be told apart.
TEST(KalmanFilter, NamesACovarianceThatIsSingularToRounding) {
  const KalmanFilter<double> filter({.A = One(1),
                                     .B = {},
                                     .C = MatrixXd::Ones(2, 1),
                                     .D = {},
                                     .W = One(1),
                                     .V = 1e-30 * MatrixXd::Identity(2, 2),
                                     .initial_state_estimate = {},
                                     .initial_state_covariance = One(1),
                                     .time_period = 1});
  const auto context =
      MakeFilterContext(filter, VectorXd(0), Eigen::Vector2d(1, 1));
  EXPECT_THROWS_MESSAGE(
      Update(filter, context.get()), std::runtime_error,
      "the covariance of output 1 given the outputs before it is not positive "
      "at time 0 s; raise the covariance of the measurement noise.");
}

TEST(SteadyStateKalmanFilter, HasTheGainOfTheRiccatiEquation) {
  const KalmanFilterSettings s = ThreeStates(0);
  for (const double period : {0.0, 0.1}) {
    const auto system = std::make_shared<const LinearSystem<double>>(
        s.A, s.B, s.C, s.D, period);
    const MatrixXd L = controllers::CalcKalmanGain(*system, s.W, s.V).L;
    EXPECT_EQ(period > 0
                  ? DiscreteTimeSteadyStateKalmanFilter(s.A, s.C, s.W, s.V)
                  : SteadyStateKalmanFilter(s.A, s.C, s.W, s.V),
              L);
    EXPECT_EQ(SteadyStateKalmanFilter(system, s.W, s.V)->L(), L);
    const auto context = system->CreateDefaultContext();
    system->get_input_port().FixValue(context.get(), OneVector(0));
    EXPECT_TRUE(Near(
        SteadyStateKalmanFilter(std::shared_ptr<const System<double>>(system),
                                *context, s.W, s.V)
            ->observer_gain(),
        L, 1e-14));
  }
  EXPECT_THROWS_MESSAGE(
      SteadyStateKalmanFilter(std::shared_ptr<const LinearSystem<double>>(),
                              s.W, s.V),
      std::logic_error, "system is null");
}

}  // namespace kalman_filter_test
}  // namespace wyvern::systems::estimators
