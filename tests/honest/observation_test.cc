/** @file
Laws of looking: laws 4, 12 and 19 of this folder's README. Who looks at a
simulation changes nothing, and sees what is there.
*/

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/simulator/analysis/monte_carlo.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace honest_observation {

// theta'' = -9.81 sin(theta) - u.
class SwingingArm final : public LeafSystem<double> {
 public:
  SwingingArm() {
    DeclareVectorInputPort("u", 1);
    DeclareContinuousState(BasicVector<double>(Eigen::Vector2d(2, 0)), 1, 1, 0);
    DeclareStateOutputPort("x", ContinuousStateIndex(0));
  }

 private:
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    const VectorBase<double>& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] =
        -9.81 * std::sin(x[0]) - get_input_port(0).Eval(context)[0];
  }
};

// The arm, braked by a sampled velocity, and `num_observers` of each kind.
std::unique_ptr<Diagram<double>> MakeLoop(int num_observers = 0) {
  DiagramBuilder<double> builder;
  const auto* arm = builder.AddNamedSystem<SwingingArm>("arm");
  const auto* hold = builder.AddSystem<ZeroOrderHold<double>>(0.013, 2);
  const auto* brake =
      builder.AddSystem<MatrixGain<double>>(Eigen::RowVector2d(0, 0.3));
  builder.Connect(*arm, *hold);
  builder.Connect(*hold, *brake);
  builder.Connect(*brake, *arm);
  for (int i = 0; i < num_observers; ++i) {
    const OutputPort<double>& x = arm->get_output_port();
    LogVectorOutput(x, &builder);
    LogVectorOutput(x, &builder, 0.0071 * (i + 1));
    LogVectorOutput(x, &builder, 0.01);
    LogVectorOutput(x, &builder, 0.001);
  }
  return builder.Build();
}

Eigen::Vector4d RunLoop(const std::string& scheme, int num_observers) {
  const auto diagram = MakeLoop(num_observers);
  Simulator<double> simulator(*diagram);
  SimulatorConfig config;
  config.integration_scheme = scheme;
  config.max_step_size = 0.02;
  ApplySimulatorConfig(config, &simulator);
  simulator.AdvanceTo(3);
  Eigen::Vector4d result;
  result
      << simulator.get_context().get_continuous_state_vector().CopyToVector(),
      simulator.get_context().get_discrete_state(0).value();
  return result;
}

TEST(LogsAndScopes, DoNotChangeABitOfTheState) {
  for (const std::string& scheme : GetIntegrationSchemes()) {
    const Eigen::Vector4d alone = RunLoop(scheme, 0);
    EXPECT_EQ(RunLoop(scheme, 1), alone) << scheme;
    EXPECT_EQ(RunLoop(scheme, 5), alone) << scheme;
  }
}

// Compares each output port with that of a new Context with the same state.
void ExpectFreshOutputs(const Diagram<double>& diagram,
                        const Context<double>& context) {
  const auto fresh = diagram.CreateDefaultContext();
  fresh->SetTimeStateAndParametersFrom(context);
  for (const System<double>* system : diagram.GetSystems()) {
    for (int i = 0; i < system->num_output_ports(); ++i) {
      const auto& port = system->get_output_port(i);
      ASSERT_EQ(port.Eval(diagram.GetSubsystemContext(*system, context)),
                port.Eval(diagram.GetSubsystemContext(*system, *fresh)));
    }
  }
}

// Calls a function at publish and update events of 7 ms and of each step.
class Caller final : public LeafSystem<double> {
 public:
  Caller() {
    DeclarePeriodicPublishEvent(0.007, 0, &Caller::Publish);
    DeclarePerStepPublishEvent(&Caller::Publish);
    DeclarePeriodicDiscreteUpdateEvent(0.007, 0, &Caller::Update);
    DeclarePeriodicUnrestrictedUpdateEvent(0.007, 0, &Caller::UpdateAll);
  }
  std::function<void()> function;
  mutable int num_calls{};

 private:
  EventStatus Call() const {
    ++num_calls;
    function();
    return EventStatus::Succeeded();
  }
  EventStatus Publish(const Context<double>&) const { return Call(); }
  EventStatus Update(const Context<double>&, DiscreteValues<double>*) const {
    return Call();
  }
  EventStatus UpdateAll(const Context<double>&, State<double>*) const {
    return Call();
  }
};

TEST(EveryPort, IsFreshInMonitorsPublishesAndUpdates) {
  DiagramBuilder<double> builder;
  auto loop = MakeLoop(1);
  const Diagram<double>* inner = loop.get();
  builder.AddSystem(std::move(loop));
  auto* caller = builder.AddSystem<Caller>();
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  caller->function = [&] {
    ExpectFreshOutputs(*inner,
                       inner->GetMyContextFromRoot(simulator.get_context()));
  };
  simulator.set_monitor([&](const Context<double>&) {
    caller->function();
    return EventStatus::DidNothing();
  });
  simulator.AdvanceTo(0.3);
  EXPECT_GT(caller->num_calls, 3 * 0.3 / 0.007);
}

// Adds the bits of the state at 300 moments to a checksum (FNV-1a).
class Checksum {
 public:
  void Add(const Context<double>& context) {
    for (const double x :
         context.get_continuous_state_vector().CopyToVector()) {
      uint64_t bits{};
      static_assert(sizeof(bits) == sizeof(x));
      std::memcpy(&bits, &x, sizeof(x));
      for (int i = 0; i < 8; ++i) {
        value_ = (value_ ^ (bits >> (8 * i) & 0xff)) * 0x100000001b3ULL;
      }
    }
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_{0xcbf29ce484222325ULL};
};

enum class Interruption { kNone, kPauses, kSaves };

uint64_t CalcChecksum(Interruption interruption) {
  const auto diagram = MakeLoop();
  auto simulator = std::make_unique<Simulator<double>>(*diagram);
  simulator->Initialize();
  Checksum checksum;
  for (int k = 1; k <= 300; ++k) {
    if (interruption == Interruption::kPauses) {
      simulator->AdvanceTo(0.01 * k - 0.0037);
    } else if (interruption == Interruption::kSaves) {
      std::stringstream saved;
      SaveSimulation(*simulator, &saved);
      simulator = std::make_unique<Simulator<double>>(*diagram);
      LoadSimulation(&saved, simulator.get());
    }
    simulator->AdvanceTo(0.01 * k);
    checksum.Add(simulator->get_context());
  }
  return checksum.value();
}

TEST(ATrajectory, HasTheSameBitsWithPausesAndSaves) {
  const uint64_t whole = CalcChecksum(Interruption::kNone);
  EXPECT_EQ(CalcChecksum(Interruption::kPauses), whole);
  EXPECT_EQ(CalcChecksum(Interruption::kSaves), whole);
}

TEST(ATrajectory, HasTheSameBitsForAnyNumberOfThreads) {
  using analysis::MonteCarloSimulation;
  const auto make = [](RandomGenerator*) {
    return std::make_unique<Simulator<double>>(MakeLoop());
  };
  const auto output = [](const System<double>&,
                         const Context<double>& context) {
    return context.get_continuous_state_vector()[0];
  };
  const auto alone = MonteCarloSimulation(make, output, 1.0, 6);
  for (const int threads : {2, 5}) {
    const auto result = MonteCarloSimulation(make, output, 1.0, 6, nullptr,
                                             Parallelism(threads));
    for (int i = 0; i < 6; ++i) EXPECT_EQ(result[i].output, alone[i].output);
  }
}

}  // namespace honest_observation
}  // namespace wyvern::systems
