// A random diagram of blocks, wired at random, some within others, with random
// rates, obeys the laws of a simulation.
#include <exception>
#include <memory>
#include <vector>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/simulation_laws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/discrete_derivative.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern {
namespace {

using fuzz::Choices;
using systems::System;

constexpr int kSize = 2;

double Period(Choices* choices) { return 0.01 * (1 + choices->Below(30)); }

std::unique_ptr<System<double>> MakeBlock(Choices* choices, int depth);

// One of that size, or none.
const systems::OutputPort<double>* ChooseOutput(
    Choices* choices,
    const std::vector<const systems::OutputPort<double>*>& outputs, int size) {
  std::vector<const systems::OutputPort<double>*> fitting;
  for (const auto* output : outputs) {
    if (output->size() == size) fitting.push_back(output);
  }
  const int choice = choices->Below(static_cast<int>(fitting.size()) + 1);
  return choice == static_cast<int>(fitting.size()) ? nullptr : fitting[choice];
}

// Each input is fed by an output before or after it, or exported.
std::unique_ptr<System<double>> MakeDiagram(Choices* choices, int depth) {
  systems::DiagramBuilder<double> builder;
  std::vector<System<double>*> blocks;
  for (int i = 1 + choices->Below(6); i > 0; --i) {
    blocks.push_back(builder.AddSystem(MakeBlock(choices, depth)));
  }
  std::vector<const systems::OutputPort<double>*> outputs;
  for (const auto* block : blocks) {
    for (int i = 0; i < block->num_output_ports(); ++i) {
      outputs.push_back(&block->get_output_port(i));
    }
  }
  for (const auto* block : blocks) {
    for (int i = 0; i < block->num_input_ports(); ++i) {
      const auto& input = block->get_input_port(i);
      const auto* output = ChooseOutput(choices, outputs, input.size());
      if (output == nullptr) {
        builder.ExportInput(input);
      } else {
        builder.Connect(*output, input);
      }
    }
  }
  for (const auto* output : outputs) {
    if (choices->Coin() || depth == 0) builder.ExportOutput(*output);
  }
  return builder.Build();
}

std::unique_ptr<System<double>> MakeBlock(Choices* choices, int depth) {
  // NOLINTNEXTLINE(build/namespaces)
  using namespace systems;
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(kSize);
  switch (choices->Below(16)) {
    case 0:
      return std::make_unique<Integrator<double>>(kSize);
    case 1:
      return std::make_unique<Gain<double>>(2 * choices->Number(), kSize);
    case 2:
      return std::make_unique<Adder<double>>(1 + choices->Below(3), kSize);
    case 3:
      return std::make_unique<ZeroOrderHold<double>>(Period(choices), kSize,
                                                     0.01 * choices->Below(10));
    case 4:
      return std::make_unique<DiscreteTimeDelay<double>>(
          Period(choices), choices->Below(5), kSize);
    case 5:
      return std::make_unique<Saturation<double>>(
          (-one).eval(), (choices->Number() * one).eval());
    case 6:
      return std::make_unique<FirstOrderLowPassFilter<double>>(
          0.05 + 0.05 * choices->Below(10), kSize);
    case 7:
      return std::make_unique<DiscreteDerivative<double>>(kSize,
                                                          Period(choices));
    case 8:
      return std::make_unique<DiscreteTimeIntegrator<double>>(kSize,
                                                              Period(choices));
    case 9:
      return std::make_unique<PassThrough<double>>(kSize);
    case 10:
      return std::make_unique<Multiplexer<double>>(kSize);
    case 11:
      return std::make_unique<Demultiplexer<double>>(kSize);
    case 12:
      return std::make_unique<VectorLogSink<double>>(kSize, Period(choices));
    case 13:
    case 14:
      if (depth < 3) return MakeDiagram(choices, depth + 1);
      [[fallthrough]];
    default:
      return std::make_unique<Sine<double>>(
          choices->Number(), 5 * choices->Number(), choices->Number(), kSize);
  }
}

}  // namespace
}  // namespace wyvern

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  Choices choices(data, size);
  std::unique_ptr<System<double>> diagram;
  try {
    diagram = MakeDiagram(&choices, 0);
  } catch (const std::exception& error) {
    // Algebraic loops, limits the wrong way round.
    fuzz::Refused(error);
    return 0;
  }
  const auto start = diagram->CreateDefaultContext();
  for (int i = 0; i < diagram->num_input_ports(); ++i) {
    const auto& input = diagram->get_input_port(i);
    input.FixValue(
        start.get(),
        Eigen::VectorXd::Constant(input.size(), choices.Number()).eval());
  }
  fuzz::RequireSimulationLaws(*diagram, *start, 0.37);
  return 0;
}
