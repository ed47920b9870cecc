// One Diagram, a Context and a Simulator in each thread: all const functions of
// Systems at once, and nothing that one thread does is seen by another. Meant
// to be run with the thread sanitizer too.
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/random_source.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace simulator_threads_test {

constexpr int kThreads = 8;

/** A ball that bounces: a witness function, its event, and a counter. */
class Ball final : public LeafSystem<double> {
 public:
  Ball() {
    DeclareContinuousState(BasicVector<double>({1, 0}), 1, 1, 0);
    DeclareAbstractState(Value<int>(0));
    DeclareStateOutputPort("x", ContinuousStateIndex(0));
    witness_ = MakeWitnessFunction(
        "height", WitnessFunctionDirection::kPositiveThenNonPositive,
        &Ball::Height,
        UnrestrictedUpdateEvent<double>(
            [](const Context<double>& context,
               const UnrestrictedUpdateEvent<double>&, State<double>* state) {
              auto& x = state->get_mutable_continuous_state();
              x.get_mutable_vector()[1] *= -0.9;
              state->get_mutable_abstract_state<int>(0) =
                  context.get_abstract_state<int>(0) + 1;
            }));
  }

 private:
  double Height(const Context<double>& context) const {
    return context.get_continuous_state_vector()[0];
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] = context.get_continuous_state_vector()[1];
    xdot->get_mutable_vector()[1] = -9.81;
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* witnesses) const final {
    witnesses->push_back(witness_.get());
  }
  std::unique_ptr<WitnessFunction<double>> witness_;
};

struct World {
  World() {
    DiagramBuilder<double> inner;
    auto* gain = inner.AddNamedSystem<Gain<double>>("gain", 2.0, 1);
    auto* integrator = inner.AddNamedSystem<Integrator<double>>("sum", 1);
    inner.Cascade(*gain, *integrator);
    inner.ExportInput(gain->get_input_port(), "u");
    inner.ExportOutput(integrator->get_output_port(), "y");

    DiagramBuilder<double> builder;
    auto* sine = builder.AddNamedSystem<Sine<double>>("sine", 1.0, 2.0, 0.0, 1);
    auto* noise = builder.AddNamedSystem<RandomSource<double>>(
        "noise", RandomDistribution::kGaussian, 1, 0.05);
    auto* adder = builder.AddNamedSystem<Adder<double>>("adder", 2, 1);
    auto* part = builder.AddNamedSystem("part", inner.Build());
    auto* hold = builder.AddNamedSystem<ZeroOrderHold<double>>("hold", 0.1, 1);
    auto* delay =
        builder.AddNamedSystem<DiscreteTimeDelay<double>>("delay", 0.1, 3, 1);
    auto* sink = builder.AddNamedSystem<VectorLogSink<double>>("sink", 1);
    auto* ball = builder.AddNamedSystem<Ball>("ball");
    builder.Connect(sine->get_output_port(0), adder->get_input_port(0));
    builder.Connect(noise->get_output_port(), adder->get_input_port(1));
    builder.Connect(adder->get_output_port(), part->get_input_port());
    builder.Cascade(*part, *hold);
    builder.Cascade(*hold, *delay);
    builder.Cascade(*delay, *sink);
    builder.ExportOutput(part->get_output_port(), "y");
    builder.ExportOutput(ball->get_output_port(), "x");
    diagram = builder.Build();
    log = sink;
  }
  std::unique_ptr<Diagram<double>> diagram;
  const VectorLogSink<double>* log;
};

// All numbers that a run comes up with.
using Numbers = std::vector<double>;

void Append(const Eigen::VectorXd& values, Numbers* numbers) {
  numbers->insert(numbers->end(), values.data(), values.data() + values.size());
}

// Evaluates what there is to evaluate.
void Evaluate(const Diagram<double>& diagram, const Context<double>& context,
              Numbers* numbers) {
  Append(diagram.EvalTimeDerivatives(context).CopyToVector(), numbers);
  auto xdot = diagram.AllocateTimeDerivatives();
  diagram.CalcTimeDerivatives(context, xdot.get());
  Append(xdot->CopyToVector(), numbers);
  auto output = diagram.AllocateOutput();
  diagram.CalcOutput(context, output.get());
  for (int i = 0; i < diagram.num_output_ports(); ++i) {
    Append(output->get_vector_data(i)->CopyToVector(), numbers);
    Append(diagram.get_output_port(i).Eval(context), numbers);
  }
  auto events = diagram.AllocateCompositeEventCollection();
  numbers->push_back(diagram.CalcNextUpdateTime(context, events.get()));
  numbers->push_back(diagram.GetDirectFeedthroughs().size());
  numbers->push_back(diagram.GetGraphvizString().size());
  numbers->push_back(diagram.EvalPotentialEnergy(context));
  diagram.ForcedPublish(context);
}

Numbers SimulateIn(const World& world, const std::string& scheme) {
  Numbers numbers;
  Simulator<double> simulator(*world.diagram);
  SimulatorConfig config;
  config.integration_scheme = scheme;
  config.max_step_size = 0.01;
  ApplySimulatorConfig(config, &simulator);
  for (const double t : {0.21, 0.5, 1.0}) {
    simulator.AdvanceTo(t);
    Evaluate(*world.diagram, simulator.get_context(), &numbers);
    const auto clone = simulator.get_context().Clone();
    Evaluate(*world.diagram, *clone, &numbers);
  }
  Append(simulator.get_context().get_continuous_state_vector().CopyToVector(),
         &numbers);
  const auto& log = world.log->FindLog(simulator.get_context());
  Append(log.sample_times(), &numbers);
  Append(log.data().reshaped(), &numbers);
  numbers.push_back(simulator.get_num_steps_taken());
  return numbers;
}

// Returns the result of f(index) in each of the threads.
std::vector<Numbers> RunInThreads(const std::function<Numbers(int)>& f) {
  std::vector<Numbers> results(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&results, &f, i] { results[i] = f(i); });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

// The schemes differ in what they ask of a System; each thread has another.
const std::string& SchemeOf(int i) {
  const auto& schemes = GetIntegrationSchemes();
  return schemes[i % schemes.size()];
}

TEST(SimulatorsInThreads, GiveTheBitsOfOneAlone) {
  // Nothing has been evaluated yet: what is made at first use is made by all.
  const World world;
  const std::vector<Numbers> results =
      RunInThreads([&](int i) { return SimulateIn(world, SchemeOf(i)); });
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(results[i], SimulateIn(world, SchemeOf(i))) << SchemeOf(i);
    EXPECT_GT(results[i].size(), 50u);
  }
}

TEST(SimulatorsInThreads, GiveTheSameBitsIfTheyDoTheSame) {
  const World world;
  const std::vector<Numbers> results =
      RunInThreads([&](int) { return SimulateIn(world, "runge_kutta3"); });
  for (const Numbers& numbers : results) EXPECT_EQ(numbers, results[0]);
}

TEST(SimulatorsInThreads, ReportErrorsOfTheirOwn) {
  const World world;
  const std::vector<Numbers> results = RunInThreads([&](int i) -> Numbers {
    Simulator<double> simulator(*world.diagram);
    simulator.set_monitor([i](const Context<double>& context) {
      if (context.get_time() < 0.1 * i) return EventStatus::DidNothing();
      throw std::runtime_error(std::to_string(i));
    });
    try {
      simulator.AdvanceTo(2);
    } catch (const std::exception& error) {
      return {std::stod(error.what()), simulator.get_context().get_time()};
    }
    return {};
  });
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_EQ(results[i].size(), 2u);
    EXPECT_EQ(results[i][0], i);
    EXPECT_NEAR(results[i][1], 0.1 * i, 0.11);
  }
}

TEST(SimulatorsInThreads, ConvertSystemsAtTheSameTime) {
  DiagramBuilder<double> builder;
  auto* gain = builder.AddSystem<Gain<double>>(3.0, 1);
  auto* integrator = builder.AddSystem<Integrator<double>>(1);
  builder.Cascade(*gain, *integrator);
  builder.ExportInput(gain->get_input_port(), "u");
  const auto diagram = builder.Build();
  const std::vector<Numbers> results = RunInThreads([&](int i) -> Numbers {
    const auto autodiff = System<double>::ToAutoDiffXd(*diagram);
    auto context = autodiff->CreateDefaultContext();
    autodiff->get_input_port(0).FixValue(
        context.get(), AutoDiffXd(i, Eigen::VectorXd::Ones(1)));
    const auto& xdot = autodiff->EvalTimeDerivatives(*context);
    return {xdot[0].value(), xdot[0].derivatives()[0]};
  });
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(results[i], (Numbers{3.0 * i, 3.0}));
  }
}

}  // namespace simulator_threads_test
}  // namespace wyvern::systems
