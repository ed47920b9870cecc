#include "tests/simulator/copies.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "wyvern/systems/controllers/gain_scheduled_feedback.h"
#include "wyvern/systems/controllers/linear_model_predictive_controller.h"
#include "wyvern/systems/controllers/pid_compensator.h"
#include "wyvern/systems/controllers/pid_controlled_system.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/controllers/state_feedback.h"
#include "wyvern/systems/estimators/extended_kalman_filter.h"
#include "wyvern/systems/estimators/kalman_filter.h"
#include "wyvern/systems/estimators/unscented_kalman_filter.h"
#include "wyvern/systems/framework/bus_value.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/backlash.h"
#include "wyvern/systems/primitives/barycentric_system.h"
#include "wyvern/systems/primitives/bus_creator.h"
#include "wyvern/systems/primitives/bus_selector.h"
#include "wyvern/systems/primitives/case_subsystem.h"
#include "wyvern/systems/primitives/comparison.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/counter.h"
#include "wyvern/systems/primitives/csv_log_sink.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/dot_product.h"
#include "wyvern/systems/primitives/elementwise_function.h"
#include "wyvern/systems/primitives/enabled_subsystem.h"
#include "wyvern/systems/primitives/first_order_hold.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/if_else_subsystem.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/limited_integrator.h"
#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/linear/trajectory_affine_system.h"
#include "wyvern/systems/primitives/linear/trajectory_linear_system.h"
#include "wyvern/systems/primitives/linear_transform_density.h"
#include "wyvern/systems/primitives/lookup_table.h"
#include "wyvern/systems/primitives/manual_switch.h"
#include "wyvern/systems/primitives/multilayer_perceptron.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/nary_function.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/port_switch.h"
#include "wyvern/systems/primitives/product.h"
#include "wyvern/systems/primitives/random_source.h"
#include "wyvern/systems/primitives/rate_limiter.h"
#include "wyvern/systems/primitives/relay.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/selector.h"
#include "wyvern/systems/primitives/shared_pointer_system.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"
#include "wyvern/systems/primitives/state_interpolator_with_discrete_derivative.h"
#include "wyvern/systems/primitives/state_machine.h"
#include "wyvern/systems/primitives/threshold_switch.h"
#include "wyvern/systems/primitives/trajectory_source.h"
#include "wyvern/systems/primitives/transport_delay.h"
#include "wyvern/systems/primitives/triggered_subsystem.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/primitives/wrap_to_system.h"
#include "wyvern/systems/primitives/zero_order_hold.h"
#include "wyvern/systems/sensors/measured_signal.h"
#include "wyvern/systems/sensors/rotary_encoders.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

// Clones and saves of every block of the library.

namespace wyvern::systems {
namespace copies_test {

using copies::CopiesOfARun;
using copies::Probe;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using sensors::MeasuredSignal;
using sensors::RotaryEncoders;

struct Block {
  std::string name;
  std::function<std::unique_ptr<System<double>>()> make;
};

void PrintTo(const Block& block, std::ostream* os) { *os << block.name; }

template <template <typename> class S, typename... Args>
Block Of(std::string name, Args... args) {
  return {std::move(name),
          [args...]() { return std::make_unique<S<double>>(args...); }};
}

MatrixXd Numbers(int rows, int cols) {
  MatrixXd m(rows, cols);
  for (int i = 0; i < m.size(); ++i) m.data()[i] = 0.3 - 0.7 * i;
  return m;
}

trajectories::PiecewisePolynomial<double> Line(const MatrixXd& slope) {
  return trajectories::PiecewisePolynomial<double>::FirstOrderHold(
      std::vector<double>{0, 1}, {0 * slope, slope});
}

std::unique_ptr<System<double>> MakeBusSelector() {
  auto selector = std::make_unique<BusSelector<double>>();
  selector->DeclareVectorOutputPort("y", 2);
  selector->DeclareAbstractOutputPort("text", Value<std::string>());
  return selector;
}

std::unique_ptr<System<double>> MakeBusCreator() {
  auto creator = std::make_unique<BusCreator<double>>();
  creator->DeclareVectorInputPort("u", 2);
  return creator;
}

std::unique_ptr<System<double>> MakePortSwitch() {
  auto port_switch = std::make_unique<PortSwitch<double>>(2);
  port_switch->DeclareInputPort("left");
  return port_switch;
}

std::unique_ptr<System<double>> MakeControlled() {
  return std::make_unique<controllers::PidControlledSystem<double>>(
      std::make_shared<LinearSystem<double>>(
          MatrixXd{{0, 1}, {0, 0}}, Vector2d(0, 1), MatrixXd::Identity(2, 2)),
      3.0, 5.0, 7.0);
}

// Starts from the value of its port, 0.06, and arrives at the upper limit.
const LimitedIntegratorOptions kLimited{.lower = -0.07,
                                        .upper = 0.07,
                                        .has_reset_port = true,
                                        .has_initial_value_port = true};

controllers::PidSettings PidOf(double period) {
  return {
      .kp = 2, .ki = 3, .kd = 1, .lower = -0.5, .upper = 1, .period = period};
}

// Measured every 0.01 s if `is_sampled`.
estimators::KalmanFilterSettings KalmanOf(double period, bool is_sampled) {
  return {.A = MatrixXd{{-1, 0.5}, {0.2, -0.3}},
          .B = Vector2d(1, 2),
          .C = MatrixXd{{1, 0.3}},
          .D = {},
          .W = MatrixXd::Identity(2, 2),
          .V = MatrixXd::Identity(1, 1),
          .initial_state_estimate = {},
          .initial_state_covariance = {},
          .time_period = period,
          .measurement_period = is_sampled ? 0.01 : 0};
}

std::shared_ptr<LinearSystem<double>> MakeObserved(double period) {
  const auto s = KalmanOf(period, false);
  return std::make_shared<LinearSystem<double>>(s.A, s.B, s.C,
                                                MatrixXd::Zero(1, 1), period);
}

std::unique_ptr<System<double>> MakeExtended(double period) {
  const auto s = KalmanOf(period, false);
  const auto model = MakeObserved(period);
  return estimators::ExtendedKalmanFilter(
      *model, *model->CreateDefaultContext(), s.W, s.V);
}

std::unique_ptr<System<double>> MakeUnscented(double period) {
  const auto s = KalmanOf(period, false);
  const auto model = MakeObserved(period);
  return estimators::UnscentedKalmanFilter(
      std::shared_ptr<const System<double>>(model),
      *model->CreateDefaultContext(), s.W, s.V);
}

std::unique_ptr<System<double>> MakeLuenberger(double period) {
  const auto model = MakeObserved(period);
  return std::make_unique<estimators::LuenbergerObserver<double>>(
      model, *model->CreateDefaultContext(), Vector2d(0.5, 0.4));
}

// At a limit for a part of the time.
controllers::LinearMpcSettings Mpc() {
  return {.A = MatrixXd{{1, 0.1}, {0, 1}},
          .B = Vector2d(0, 0.1),
          .Q = MatrixXd::Identity(2, 2),
          .R = MatrixXd::Identity(1, 1),
          .P = {},
          .horizon = 5,
          .lower = VectorXd::Constant(1, -0.1),
          .upper = {},
          .x0 = {},
          .u0 = {}};
}

// Goes round through a guard and a timeout, with a history.
StateChart Chart() {
  StateChart chart(1);
  const auto idle = chart.AddState("idle");
  const auto work = chart.AddState("work");
  const auto one = chart.AddState("one", work);
  const auto two = chart.AddState("two", work);
  chart.KeepHistory(work);
  chart.OnEntry(work, [](const auto& now, auto y) { y[0] += now.time; });
  chart.AddTransition(idle, work,
                      [](const auto& now) { return now.u[0] - 0.1; });
  chart.AddTransition(work, idle,
                      [](const auto& now) { return now.time_in_state - 0.06; });
  chart.AddTimeout(one, two, 0.013);
  chart.AddTimeout(two, one, 0.017);
  return chart;
}

// A subsystem whose condition changes several times in a run.
std::unique_ptr<System<double>> WithFastCondition(
    std::unique_ptr<System<double>> subsystem) {
  DiagramBuilder<double> builder;
  auto* condition =
      builder.AddNamedSystem<Sine<double>>("condition", 1.6, 150, 0.3, 1);
  auto* block = builder.AddNamedSystem("subsystem", std::move(subsystem));
  builder.Connect(condition->get_output_port(0), block->get_input_port(0));
  for (int i = 1; i < block->num_input_ports(); ++i) {
    builder.ExportInput(block->get_input_port(i));
  }
  for (int i = 0; i < block->num_output_ports(); ++i) {
    builder.ExportOutput(block->get_output_port(i));
  }
  return builder.Build();
}

// A chart and an integrator, which a reset starts anew.
std::unique_ptr<System<double>> MakeEnabled(WhenInactive when) {
  DiagramBuilder<double> builder;
  auto* machine =
      builder.AddNamedSystem<StateMachine<double>>("machine", Chart(), 1);
  auto* x = builder.AddNamedSystem<Integrator<double>>("x", 1);
  builder.ExportInput(machine->get_input_port(0), "u");
  builder.ConnectInput("u", x->get_input_port(0));
  builder.ExportOutput(machine->get_output_port(0), "time");
  builder.ExportOutput(x->get_output_port(), "x");
  return WithFastCondition(std::make_unique<EnabledSubsystem<double>>(
      builder.Build(), ActivationOptions{.outputs = when, .states = when}));
}

std::vector<std::shared_ptr<System<double>>> MakeCounters() {
  std::vector<std::shared_ptr<System<double>>> counters;
  for (const int step : {1, -1}) {
    counters.push_back(std::make_shared<Counter<double>>(CounterSettings{
        .period = 0.01, .step = step, .upper = 5, .has_down_port = true}));
  }
  return counters;
}

std::vector<Block> AllBlocks() {
  const MatrixXd A = Numbers(2, 2);
  const VectorXd b = Numbers(2, 1);
  return {
      Of<Adder>("Adder", 3, 2),
      Of<AffineSystem>("AffineSystem", A, A, b, A, A, b, 0.0),
      Of<AffineSystem>("AffineSystemDiscrete", A, A, b, A, A, b, 0.01),
      Of<Backlash>("Backlash", 0.1, 0.02, 2),
      {"BarycentricMeshSystem",
       [] {
         return std::make_unique<BarycentricMeshSystem<double>>(
             math::BarycentricMesh<double>({{-1.0, 1.0}}), Numbers(2, 2));
       }},
      {"BusCreator", MakeBusCreator},
      {"BusSelector", MakeBusSelector},
      {"CaseSubsystem",
       [] {
         return WithFastCondition(std::make_unique<CaseSubsystem<double>>(
             std::vector<std::vector<int>>{{0}, {1, -1}}, MakeCounters()));
       }},
      Of<Comparison>("Comparison", Relation::kLess, 2),
      {"ConstantValueSource",
       [] {
         return std::make_unique<ConstantValueSource<double>>(
             Value<std::string>("text"));
       }},
      Of<ConstantVectorSource>("ConstantVectorSource", b),
      Of<Counter>("Counter", CounterSettings{.period = 0.01,
                                             .lower = -2,
                                             .has_down_port = true,
                                             .has_reset_port = true}),
      // Its file is for one simulation, so that clones must not write.
      {"CsvLogSink",
       [] {
         static int count = 0;
         return std::make_unique<CsvLogSink<double>>(
             testing::TempDir() + fmt::format("/copies_{}.csv", ++count),
             std::vector<std::string>{"a", "b"},
             TriggerTypeSet{TriggerType::kForced});
       }},
      Of<Demultiplexer>("Demultiplexer", std::vector<int>{1, 3}),
      Of<DiscreteDerivative>("DiscreteDerivative", 2, 0.01),
      Of<DiscreteTimeDelay>("DiscreteTimeDelay", 0.01, 2, 3),
      {"DiscreteTimeDelayAbstract",
       [] {
         return std::make_unique<DiscreteTimeDelay<double>>(0.01, 2,
                                                            Value<BusValue>());
       }},
      Of<DiscreteTimeIntegrator>("DiscreteTimeIntegrator", 2, 0.01),
      Of<DotProduct>("DotProduct", 2),
      {"ElementwiseFunction",
       [] { return ElementwiseFunction<double>::DeadZone(-0.1, 0.1, 2); }},
      {"EnabledSubsystem", [] { return MakeEnabled(WhenInactive::kHold); }},
      {"EnabledSubsystemReset",
       [] { return MakeEnabled(WhenInactive::kReset); }},
      {"ExtendedKalmanFilter", [] { return MakeExtended(0); }},
      {"ExtendedKalmanFilterDiscrete", [] { return MakeExtended(0.01); }},
      Of<FirstOrderHold>("FirstOrderHold", 0.01, 2),
      Of<FirstOrderLowPassFilter>("FirstOrderLowPassFilter", 0.2, 2),
      Of<Gain>("Gain", b),
      Of<controllers::GainScheduledFeedback>(
          "GainScheduledFeedback",
          std::vector<controllers::ScheduledGain>{
              {.at = -0.1, .K = A, .x0 = {}, .u0 = b},
              {.at = 0.1, .K = 2 * A, .x0 = b, .u0 = {}}}),
      {"IfElseSubsystem",
       [] {
         return WithFastCondition(
             std::make_unique<IfElseSubsystem<double>>(1, MakeCounters()));
       }},
      Of<Integrator>("Integrator", 3),
      Of<estimators::KalmanFilter>("KalmanFilter", KalmanOf(0, false)),
      Of<estimators::KalmanFilter>("KalmanFilterSampled", KalmanOf(0, true)),
      Of<estimators::KalmanFilter>("KalmanFilterDiscrete",
                                   KalmanOf(0.01, false)),
      Of<LimitedIntegrator>("LimitedIntegrator", kLimited, 2),
      Of<controllers::LinearModelPredictiveController>(
          "LinearModelPredictiveController", Mpc()),
      Of<LinearSystem>("LinearSystem", A, A, A, A, 0.0),
      Of<LinearTransformDensity>("LinearTransformDensity",
                                 RandomDistribution::kGaussian, 2, 2),
      {"LuenbergerObserver", [] { return MakeLuenberger(0); }},
      {"LuenbergerObserverDiscrete", [] { return MakeLuenberger(0.01); }},
      {"LookupTable",
       [] {
         return LookupTable<double>::Make1D({-0.2, 0, 0.1}, {1, 2, 0},
                                            TableInterpolation::kCubic,
                                            TableExtrapolation::kLinear);
       }},
      Of<ManualSwitch>("ManualSwitch", 2, 3, 1),
      Of<MatrixGain>("MatrixGain", A),
      Of<MeasuredSignal>(
          "MeasuredSignal", 2,
          sensors::MeasurementErrors{
              .period = 0.01, .delay = 0.025, .noise = VectorXd::Ones(1)}),
      Of<MultilayerPerceptron>("MultilayerPerceptron",
                               std::vector<int>{2, 3, 1}),
      Of<Multiplexer>("Multiplexer", std::vector<int>{2, 1}),
      Of<NaryFunction>("NaryFunction", NaryOperation::kMax, 3, 2),
      Of<PassThrough>("PassThrough", 3),
      {"PassThroughAbstract",
       [] {
         return std::make_unique<PassThrough<double>>(Value<std::string>("x"));
       }},
      Of<controllers::PidCompensator>("PidCompensator", PidOf(0), 2),
      Of<controllers::PidCompensator>("PidCompensatorSampled", PidOf(0.01), 2),
      {"PidControlledSystem", MakeControlled},
      Of<controllers::PidController>("PidController", b, b, b),
      {"PortSwitch", MakePortSwitch},
      Of<Product>("Product", std::string("**"), 2),
      Of<RandomSource>("RandomSource", RandomDistribution::kGaussian, 2, 0.01),
      Of<RateLimiter>("RateLimiter", 3.0, 2.0, 0.01, 2),
      Of<Relay>("Relay", 0.1, -0.1, 2.0, 1.0, 2),
      Of<RotaryEncoders>("RotaryEncoders", std::vector<int>{100, 36}),
      Of<Saturation>("Saturation", VectorXd(-b.cwiseAbs()),
                     VectorXd(b.cwiseAbs())),
      {"Selector",
       [] {
         return std::make_unique<Selector<double>>(
             SelectorParams{.inputs = {{"a", 2}, {"b", 1}},
                            .outputs = {{"", {{1, 0}, {0, 1}}}}});
       }},
      {"SharedPointerSystem",
       [] {
         return std::make_unique<SharedPointerSystem<double>>(
             std::make_shared<std::string>("held"));
       }},
      Of<Sine>("Sine", 2.0, 3.0, 0.5, 2),
      Of<SparseMatrixGain>("SparseMatrixGain",
                           Eigen::SparseMatrix<double>(A.sparseView())),
      Of<controllers::StateFeedback>("StateFeedback", A, true),
      Of<StateInterpolatorWithDiscreteDerivative>(
          "StateInterpolatorWithDiscreteDerivative", 2, 0.01),
      Of<StateMachine>("StateMachine", Chart(), 1),
      Of<ThresholdSwitch>("ThresholdSwitch", 0.0, 0.1, 2),
      {"TrajectoryAffineSystem",
       [A, b] {
         return std::make_unique<TrajectoryAffineSystem<double>>(
             Line(A), Line(A), Line(b), Line(A), Line(A), Line(b));
       }},
      {"TrajectoryLinearSystem",
       [A] {
         return std::make_unique<TrajectoryLinearSystem<double>>(
             Line(A), Line(A), Line(A), Line(A), 0.01);
       }},
      {"TrajectorySource",
       [b] { return std::make_unique<TrajectorySource<double>>(Line(b)); }},
      {"UnscentedKalmanFilter", [] { return MakeUnscented(0); }},
      {"UnscentedKalmanFilterDiscrete", [] { return MakeUnscented(0.01); }},
      Of<VectorLogSink>("VectorLogSink", 2, 0.01),
      Of<TransportDelay>("TransportDelay", 0.02, 2),
      {"TriggeredSubsystem",
       [] {
         return WithFastCondition(std::make_unique<TriggeredSubsystem<double>>(
             MakeCounters()[0], TriggerEdge::kEither));
       }},
      Of<WaveformSource>(
          "WaveformSource",
          std::vector<Waveform>{Waveform::PulseTrain(0.03, 0.01, 1),
                                Waveform::Chirp(1, 2, 30, 0.2)}),
      Of<WrapToSystem>("WrapToSystem", 2),
      Of<ZeroOrderHold>("ZeroOrderHold", 0.01, 3),
      {"ZeroOrderHoldAbstract",
       [] {
         return std::make_unique<ZeroOrderHold<double>>(0.01,
                                                        Value<BusValue>());
       }},
  };
}

// Vector inputs follow sines; abstract ones are fixed.
std::unique_ptr<Diagram<double>> MakeDiagram(const Block& block) {
  DiagramBuilder<double> builder;
  auto* system = builder.AddNamedSystem("block", block.make());
  for (int i = 0; i < system->num_input_ports(); ++i) {
    const InputPort<double>& port = system->get_input_port(i);
    if (port.get_data_type() == kVectorValued) {
      builder.Connect(
          builder.AddSystem<Sine<double>>(0.3, 20.0 + i, 0.1 * i, port.size())
              ->get_output_port(0),
          port);
    } else {
      builder.ExportInput(port, port.get_name());
    }
  }
  builder.AddSystem<Probe>();
  return builder.Build();
}

void FixInputs(const Diagram<double>& diagram, Context<double>* context) {
  for (int i = 0; i < diagram.num_input_ports(); ++i) {
    const InputPort<double>& port = diagram.get_input_port(i);
    auto value = port.Allocate();
    if (auto* bus = value->maybe_get_mutable_value<BusValue>()) {
      bus->Set("y", Value<BasicVector<double>>(Vector2d(1, 2)));
      bus->Set("text", Value<std::string>("in the bus"));
    }
    if (auto* index = value->maybe_get_mutable_value<InputPortIndex>()) {
      *index = InputPortIndex(1);
    }
    port.FixValue(context, *value);
  }
}

class CopiesOfBlocks : public ::testing::TestWithParam<Block> {};

TEST_P(CopiesOfBlocks, GoOnAsTheyWould) {
  // Blocks that are updated in each step, or have witness functions.
  static const std::set<std::string> stops_steer{
      "Backlash",        "CaseSubsystem",         "EnabledSubsystem",
      "IfElseSubsystem", "EnabledSubsystemReset", "LimitedIntegrator",
      "Relay",           "StateMachine",          "ThresholdSwitch",
      "TransportDelay",  "TriggeredSubsystem"};
  CopiesOfARun([this] { return MakeDiagram(GetParam()); }, &FixInputs, 0.1237,
               stops_steer.contains(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(All, CopiesOfBlocks, ::testing::ValuesIn(AllBlocks()),
                         [](const auto& suite) { return suite.param.name; });

// A new block belongs into the list above.
TEST(CopiesOfBlocks, AreTriedOfEveryBlock) {
  std::set<std::string> tried;
  for (const Block& block : AllBlocks()) tried.insert(block.name);
  // These are for others to derive from.
  tried.insert("ActivationGate");
  tried.insert("ConditionalDiagram");
  tried.insert("GaussianFilter");
  tried.insert("GaussianStateObserver");
  tried.insert("ModalBlock");
  tried.insert("TwoPointBlock");
  tried.insert("TimeVaryingAffineSystem");
  tried.insert("TimeVaryingLinearSystem");
  const std::regex declaration(
      R"(\nclass (\w+)(?: final)?\s*:\s*public\s+(?:\w+::)*)"
      R"((?:LeafSystem|Diagram|VectorSystem|\w*Gain|\w*AffineSystem|)"
      R"(\w*LinearSystem|SingleOutputVectorSource|ModalBlock|TwoPointBlock|)"
      R"(ConditionalDiagram|StateFeedbackControllerInterface|)"
      R"(GaussianStateObserver|GaussianFilter)<T>)");
  int count = 0;
  for (const char* folder :
       {"primitives", "controllers", "estimators", "sensors"}) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(
             std::string(WYVERN_SOURCE_DIR) + "/systems/" + folder)) {
      if (file.path().extension() != ".h") continue;
      std::ifstream in(file.path());
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      for (std::sregex_iterator i(text.begin(), text.end(), declaration), end;
           i != end; ++i) {
        ++count;
        EXPECT_TRUE(tried.contains((*i)[1])) << (*i)[1];
      }
    }
  }
  EXPECT_GT(count, 30);
}

}  // namespace copies_test
}  // namespace wyvern::systems
