#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/estimators/observed_systems.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/estimators/extended_kalman_filter.h"
#include "wyvern/systems/estimators/unscented_kalman_filter.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"

namespace wyvern::systems::estimators {
namespace nonlinear_filters_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::MakeContext;
using test::MakeFilterContext;
using test::Pendulum;
using test::PendulumOptions;
using test::ThreeStates;
using test::Update;
using ::wyvern::test::AllocationGuard;
using ::wyvern::test::Near;
using Filter = std::unique_ptr<GaussianStateObserver<double>>;

MatrixXd One(double x) { return MatrixXd::Constant(1, 1, x); }
VectorXd OneVector(double x) { return VectorXd::Constant(1, x); }

const MatrixXd kW{{0.02, 0.01}, {0.01, 0.03}};
const MatrixXd kV = One(0.04);

template <typename Options>
Options OptionsOf(const KalmanFilterSettings& s) {
  Options options;
  options.initial_state_estimate = s.initial_state_estimate;
  options.initial_state_covariance = s.initial_state_covariance;
  if (s.measurement_period > 0) {
    options.discrete_measurement_time_period = s.measurement_period;
  }
  return options;
}

// Both filters of the linear System of `s`.
std::vector<Filter> MakeLinearFilters(const LinearSystem<double>& system,
                                      const Context<double>& context,
                                      const KalmanFilterSettings& s) {
  std::vector<Filter> filters;
  filters.push_back(ExtendedKalmanFilter(
      system, context, s.W, s.V, OptionsOf<ExtendedKalmanFilterOptions>(s)));
  filters.push_back(UnscentedKalmanFilter(
      system, context, s.W, s.V, OptionsOf<UnscentedKalmanFilterOptions>(s)));
  return filters;
}

// The sigma points cancel to a few rounding errors more.
TEST(NonlinearFilters, AreTheKalmanFilterOfALinearSystem) {
  struct Case {
    double time_period, measurement_period;
  };
  for (const auto& [period, measurement] :
       {Case{0, 0}, Case{0.1, 0}, Case{0, 0.1}}) {
    KalmanFilterSettings s = ThreeStates(period);
    s.measurement_period = measurement;
    const LinearSystem<double> system(s.A, s.B, s.C, s.D, period);
    const auto context = system.CreateDefaultContext();
    const KalmanFilter<double> expected(s);
    for (const Filter& filter : MakeLinearFilters(system, *context, s)) {
      const VectorXd u = OneVector(0.7);
      const Vector2d y(0.4, -1.2);
      const auto expected_context = MakeFilterContext(expected, u, y);
      const auto filter_context = MakeFilterContext(*filter, u, y);
      for (int k = 0; k < 10; ++k) {
        EXPECT_TRUE(
            Near(filter->EvalTimeDerivatives(*filter_context).CopyToVector(),
                 expected.EvalTimeDerivatives(*expected_context).CopyToVector(),
                 1e-14));
        Update(*filter, filter_context.get());
        Update(expected, expected_context.get());
        EXPECT_TRUE(Near(filter->GetStateEstimate(*filter_context),
                         expected.GetStateEstimate(*expected_context), 1e-14));
        EXPECT_TRUE(Near(filter->GetStateCovariance(*filter_context),
                         expected.GetStateCovariance(*expected_context),
                         1e-14));
      }
    }
  }
}

// The noises of the Pendulum enter linearly, with G = [0; 1] (times the period)
// and H = 1, so a port says the same as G W G' without one.
TEST(NonlinearFilters, TakeNoiseByItsPort) {
  for (const double period : {0.0, 0.1}) {
    const Pendulum<double> pendulum(period);
    const auto context = MakeContext(pendulum);
    const double gain = period > 0 ? period : 1;
    const Matrix2d additive = Vector2d(0, 0.3 * gain * gain).asDiagonal();
    const auto compare = [&](const Filter& by_port, const Filter& direct,
                             double tolerance) {
      const auto a =
          MakeFilterContext(*by_port, OneVector(0.2), OneVector(0.5));
      const auto b = MakeFilterContext(*direct, OneVector(0.2), OneVector(0.5));
      EXPECT_TRUE(Near(by_port->EvalTimeDerivatives(*a).CopyToVector(),
                       direct->EvalTimeDerivatives(*b).CopyToVector(),
                       tolerance));
      Update(*by_port, a.get());
      Update(*direct, b.get());
      EXPECT_TRUE(Near(by_port->GetStateCovariance(*a),
                       direct->GetStateCovariance(*b), tolerance));
    };
    compare(ExtendedKalmanFilter(
                pendulum, *context, One(0.3), kV,
                PendulumOptions<ExtendedKalmanFilterOptions>(true)),
            ExtendedKalmanFilter(
                pendulum, *context, additive, kV,
                PendulumOptions<ExtendedKalmanFilterOptions>(false)),
            1e-15);
    // N differs, and with it where the points are, unless kappa makes up for
    // it. The center then counts in the fourth moments alone, which beta = 0
    // leaves out with alpha = 1.
    auto with_ports = PendulumOptions<UnscentedKalmanFilterOptions>(true);
    auto without = PendulumOptions<UnscentedKalmanFilterOptions>(false);
    with_ports.unscented_transform_parameters = {1, 0, 0.0};
    without.unscented_transform_parameters = {1, 0, 1.0};
    compare(UnscentedKalmanFilter(pendulum, *context, One(0.3), kV, with_ports),
            UnscentedKalmanFilter(pendulum, *context, additive, kV, without),
            1e-14);
  }
}

// E[x^2] of a Gaussian, and its variance, by the sigma points with beta = 2.
template <typename T>
class Square final : public LeafSystem<T> {
 public:
  Square() : LeafSystem<T>(SystemTypeTag<Square>{}) {
    this->DeclareDiscreteState(1);
    this->DeclarePeriodicDiscreteUpdateEvent(1, 0, &Square::Update);
    this->DeclareStateOutputPort("y", DiscreteStateIndex(0));
  }
  template <typename U>
  explicit Square(const Square<U>&) : Square() {}

 private:
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* next) const {
    const T x = context.get_discrete_state(0)[0];
    (*next)[0] = x * x;
    return EventStatus::Succeeded();
  }
};

TEST(UnscentedKalmanFilter, HasTheMomentsOfASquare) {
  const Square<double> square;
  UnscentedKalmanFilterOptions options;
  const double mean = 0.8, variance = 0.3;
  options.initial_state_estimate = OneVector(mean);
  options.initial_state_covariance = One(variance);
  // kappa = 2 for N = 1 has the fourth moment of a Gaussian, with beta = 0.
  options.unscented_transform_parameters = {
      1, 0, std::function<double(int)>([](int N) { return 3.0 - N; })};
  // A measurement that says nothing.
  const Filter filter = UnscentedKalmanFilter(
      square, *square.CreateDefaultContext(), One(0.1), One(1e20), options);
  const auto context = MakeFilterContext(*filter, VectorXd(0), OneVector(mean));
  Update(*filter, context.get());
  EXPECT_NEAR(filter->GetStateEstimate(*context)[0], mean * mean + variance,
              1e-14);
  EXPECT_NEAR(filter->GetStateCovariance(*context)(0, 0),
              4 * mean * mean * variance + 2 * variance * variance + 0.1,
              1e-14);
}

// Figures of filterpy 2.0.0 and scipy: tests/oracles/estimators.py.
std::map<std::string, VectorXd> ReadFigures() {
  std::ifstream file(std::string(WYVERN_SOURCE_DIR) +
                     "/tests/oracles/estimators.txt");
  std::map<std::string, VectorXd> figures;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    std::vector<double> numbers;
    for (double x; words >> x;) numbers.push_back(x);
    figures[name] = Eigen::Map<VectorXd>(numbers.data(), numbers.size());
  }
  return figures;
}

// The estimate above the columns of its covariance.
VectorXd Moments(const GaussianStateObserver<double>& filter,
                 const Context<double>& context) {
  const MatrixXd P = filter.GetStateCovariance(context);
  VectorXd result(6);
  result << filter.GetStateEstimate(context), P.col(0), P.col(1);
  return result;
}

void CompareWithFigures(
    const std::string& name,
    const std::function<Filter(const Pendulum<double>&, const Context<double>&,
                               bool is_sampled)>& make) {
  const auto figures = ReadFigures();
  const auto expected = [&](const std::string& what) {
    return figures.at(name + "_" + what);
  };
  const Pendulum<double> discrete(0.1), continuous(0);
  {
    const auto model = MakeContext(discrete);
    const Filter filter = make(discrete, *model, false);
    const auto context = MakeFilterContext(*filter, OneVector(0), OneVector(0));
    for (int k = 0; k < 5; ++k) {
      filter->get_input_port(0).FixValue(context.get(), OneVector(std::sin(k)));
      filter->get_input_port(1).FixValue(context.get(),
                                         OneVector(0.5 * std::cos(k)));
      Update(*filter, context.get());
    }
    EXPECT_TRUE(Near(Moments(*filter, *context), expected("discrete"), 1e-12));
  }
  const auto model = MakeContext(continuous);
  {
    const Filter filter = make(continuous, *model, false);
    const auto context =
        MakeFilterContext(*filter, OneVector(0.3), OneVector(0.5));
    const VectorXd rates = filter->EvalTimeDerivatives(*context).CopyToVector();
    VectorXd all(6);
    all << rates[0], rates[1], rates[2], rates[3], rates[3], rates[4];
    // Their extrapolation is exact to 1e-10.
    EXPECT_TRUE(Near(all, expected("continuous"), 1e-9));
  }
  {
    const Filter filter = make(continuous, *model, true);
    auto context = MakeFilterContext(*filter, OneVector(0.3), OneVector(0.5));
    Simulator<double> simulator(*filter, std::move(context));
    simulator.get_mutable_integrator().set_target_accuracy(1e-10);
    simulator.AdvanceTo(0.55);
    EXPECT_TRUE(Near(Moments(*filter, simulator.get_context()),
                     expected("sampled"), 1e-8));
  }
}

TEST(ExtendedKalmanFilter, HasTheFiguresOfFilterpy) {
  CompareWithFigures(
      "ekf", [](const auto& pendulum, const auto& context, bool is_sampled) {
        auto options = PendulumOptions<ExtendedKalmanFilterOptions>(false);
        if (is_sampled) options.discrete_measurement_time_period = 0.1;
        return ExtendedKalmanFilter(pendulum, context, kW, kV, options);
      });
}

TEST(UnscentedKalmanFilter, HasTheFiguresOfFilterpy) {
  CompareWithFigures(
      "ukf", [](const auto& pendulum, const auto& context, bool is_sampled) {
        auto options = PendulumOptions<UnscentedKalmanFilterOptions>(false);
        if (is_sampled) options.discrete_measurement_time_period = 0.1;
        return UnscentedKalmanFilter(pendulum, context, kW, kV, options);
      });
}

TEST(ExtendedKalmanFilter, SharesASystemOfAutoDiff) {
  const auto system = std::make_shared<const Pendulum<AutoDiffXd>>(0.1);
  const auto options = PendulumOptions<ExtendedKalmanFilterOptions>(false);
  const Filter filter =
      ExtendedKalmanFilter(std::shared_ptr<const System<AutoDiffXd>>(system),
                           *MakeContext(*system), kW, kV, options);
  const Pendulum<double> pendulum(0.1);
  const Filter expected =
      ExtendedKalmanFilter(pendulum, *MakeContext(pendulum), kW, kV, options);
  const auto a = MakeFilterContext(*filter, OneVector(1), OneVector(2));
  const auto b = MakeFilterContext(*expected, OneVector(1), OneVector(2));
  Update(*filter, a.get());
  Update(*expected, b.get());
  EXPECT_EQ(Moments(*filter, *a), Moments(*expected, *b));
}

TEST(NonlinearFilters, StartFromTheDefaultsOfTheirOptions) {
  const Pendulum<double> pendulum(0.1);
  const auto model = MakeContext(pendulum);
  const Filter extended =
      ExtendedKalmanFilter(pendulum, *model, kW, MatrixXd::Identity(2, 2));
  const Filter unscented =
      UnscentedKalmanFilter(pendulum, *model, kW, MatrixXd::Identity(2, 2));
  for (const Filter* filter : {&extended, &unscented}) {
    const auto context = (*filter)->CreateDefaultContext();
    EXPECT_EQ((*filter)->GetStateEstimate(*context), Vector2d::Zero());
    EXPECT_EQ(
        (*filter)->GetStateCovariance(*context),
        (filter == &extended ? 0 : std::numeric_limits<double>::epsilon()) *
            Matrix2d::Identity());
  }
}

TEST(NonlinearFilters, AllocateNothingAfterTheFirstSteps) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  for (const double period : {0.0, 0.1}) {
    const Pendulum<double> pendulum(period);
    const auto model = MakeContext(pendulum);
    for (const bool is_extended : {true, false}) {
      DiagramBuilder<double> builder;
      auto* filter = builder.AddSystem(
          is_extended
              ? ExtendedKalmanFilter(
                    pendulum, *model, One(0.3), kV,
                    PendulumOptions<ExtendedKalmanFilterOptions>(true))
              : UnscentedKalmanFilter(
                    pendulum, *model, One(0.3), kV,
                    PendulumOptions<UnscentedKalmanFilterOptions>(true)));
      for (int i = 0; i < 2; ++i) {
        builder.Connect(
            builder.AddSystem<ConstantVectorSource<double>>(OneVector(0.2))
                ->get_output_port(),
            filter->get_input_port(i));
      }
      const auto diagram = builder.Build();
      Simulator<double> simulator(*diagram);
      simulator.AdvanceTo(1);
      const AllocationGuard guard;
      simulator.AdvanceTo(2);
      EXPECT_EQ(guard.count(), 0) << period << " " << is_extended;
    }
  }
}

// Tries a change of the options or covariances with both filters.
template <typename Change>
void ExpectRefused(const Change& change, const char* message) {
  const Pendulum<double> pendulum(0.1);
  const auto model = MakeContext(pendulum);
  const auto make_extended = [&] {
    auto options = PendulumOptions<ExtendedKalmanFilterOptions>(false);
    MatrixXd W = kW, V = kV;
    change(&options, &W, &V);
    ExtendedKalmanFilter(pendulum, *model, W, V, options);
  };
  const auto make_unscented = [&] {
    auto options = PendulumOptions<UnscentedKalmanFilterOptions>(false);
    MatrixXd W = kW, V = kV;
    change(&options, &W, &V);
    UnscentedKalmanFilter(pendulum, *model, W, V, options);
  };
  EXPECT_THROWS_MESSAGE(make_extended(), std::logic_error, message);
  EXPECT_THROWS_MESSAGE(make_unscented(), std::logic_error, message);
}

TEST(NonlinearFilters, RefuseBadOptions) {
  ExpectRefused([](auto*, auto* W, auto*) { *W = One(1); },
                "W is 1 x 1; it must be 2 x 2");
  ExpectRefused([](auto*, auto*, auto* V) { *V = One(0); },
                "V is not positive definite");
  ExpectRefused([](auto*, auto* W, auto*) { (*W)(1, 1) = NAN; },
                "W(1, 1) is nan");
  ExpectRefused(
      [](auto* o, auto*, auto*) { o->initial_state_estimate = OneVector(1); },
      "initial_state_estimate has size 1; it must have size 2");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->initial_state_covariance = Matrix2d{{1, 2}, {2, 1}};
      },
      "initial_state_covariance is not positive semidefinite");
  ExpectRefused(
      [](auto* o, auto*, auto*) { o->discrete_measurement_time_period = 0.2; },
      "discrete_measurement_time_period is 0.2 s");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->process_noise_input_port_index = InputPortIndex(0);
      },
      "input port 'u' is chosen as actuation and as noise");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->process_noise_input_port_index = InputPortIndex(2);
        o->measurement_noise_input_port_index = InputPortIndex(2);
      },
      "input port 'v' is chosen as process noise and as measurement noise");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->process_noise_input_port_index = InputPortIndex(2);
      },
      "the process noise 'v' feeds through to the output 'y'");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->measurement_noise_input_port_index = InputPortIndex(1);
      },
      "the measurement noise 'w' does not reach the output 'y'");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->process_noise_input_port_index = InputPortIndex(7);
      },
      "process_noise_input_port_index is 7; it must be from 0 to 2");
  ExpectRefused(
      [](auto* o, auto*, auto*) {
        o->measurement_output_port_index = OutputPortSelection::kNoOutput;
      },
      "has no output to be measured");
}

TEST(UnscentedKalmanFilter, RefusesBadParametersOfTheTransform) {
  const Pendulum<double> pendulum(0.1);
  const auto model = MakeContext(pendulum);
  const auto refused = [&](double alpha, double beta, auto kappa,
                           const char* message) {
    auto options = PendulumOptions<UnscentedKalmanFilterOptions>(false);
    options.unscented_transform_parameters = {alpha, beta, kappa};
    EXPECT_THROWS_MESSAGE(
        UnscentedKalmanFilter(pendulum, *model, kW, kV, options),
        std::logic_error, message);
  };
  refused(0, 2, 0.0, "alpha is 0");
  refused(1, NAN, 0.0, "beta is nan");
  refused(1, 2, INFINITY, "kappa is inf");
  refused(1, 2, -2.0, "kappa is -2 for sigma points of 2 numbers");
  refused(1, 2, std::function<double(int)>(), "kappa is empty");
}

TEST(NonlinearFilters, RefuseAStateThatTheyCannotEstimate) {
  const ConstantVectorSource<double> source(OneVector(1));
  const auto context = source.CreateDefaultContext();
  const char* const message =
      "has 0 continuous states, 0 discrete groups and 0 abstract states";
  EXPECT_THROWS_MESSAGE(ExtendedKalmanFilter(source, *context, kW, kV),
                        std::logic_error, message);
  EXPECT_THROWS_MESSAGE(UnscentedKalmanFilter(source, *context, kW, kV),
                        std::logic_error, message);
  EXPECT_THROWS_MESSAGE(
      UnscentedKalmanFilter(std::shared_ptr<const System<double>>(), *context,
                            kW, kV),
      std::logic_error, "observed_system is null");
}

}  // namespace nonlinear_filters_test
}  // namespace wyvern::systems::estimators
