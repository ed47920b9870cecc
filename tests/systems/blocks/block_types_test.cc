// Every type of block: its YAML, the System that comes of it, and the way back.
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::systems {
namespace block_types_test {

struct Holder {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(block));
  }
  Block block;
};

Block Load(const std::string& text) {
  return yaml::LoadYamlString<Holder>("block: " + text, {}, Holder{}).block;
}

std::string Save(const Block& block) {
  Holder holder;
  holder.block = block;
  return yaml::SaveYamlString(holder);
}

// Parameters of each type that differ from its defaults.
const std::map<std::string, std::string> kExamples{
    {"ConstantVectorSource", "{value: [1, 2]}"},
    {"Sine", "{amplitude: [2], frequency: [3], phase: [0.5]}"},
    {"WaveformSource",
     "{signals: [!PiecewiseLinear {initial: 1, start: 2, period: 3, times: [0, "
     "1], values: [4, 5], slopes: [6, 7]}, !Clock {}, !Chirp {amplitude: 2, "
     "start_frequency: 1, end_frequency: 2, duration: 3, is_exponential: "
     "true}]}"},
    {"Adder", "{signs: '+-', size: 3}"},
    {"Product", "{operations: '*/*', size: 2}"},
    {"DotProduct", "{size: 4}"},
    {"Gain", "{k: [2, 3], tunable: true}"},
    {"MatrixGain", "{D: [[1, 2], [3, 4], [5, 6]]}"},
    {"ElementwiseFunction", "{function: signed_sqrt, size: 2}"},
    {"DeadZone", "{low: -2, high: 3, size: 2}"},
    {"Quantizer", "{step: 0.5, size: 2}"},
    {"CoulombAndViscous", "{coulomb: 2, viscous: 3, size: 2}"},
    {"NaryFunction", "{operation: xor, num_inputs: 3, size: 2}"},
    {"Comparison", "{relation: not_equal, b: [1, 2], size: 2}"},
    {"LookupTable",
     "{grid: [[0, 1], [2, 3]], values: [1, 2, 3, 4], interpolation: cubic, "
     "extrapolation: error}"},
    {"Saturation", "{min_value: [-.inf, 1], max_value: [2, 3]}"},
    {"ManualSwitch", "{num_inputs: 3, size: 2, selected: 1}"},
    {"ThresholdSwitch",
     "{threshold: 1, hysteresis: 0.5, size: 2, control_size: 2}"},
    {"Relay",
     "{on_point: 2, off_point: 1, on_value: 5, off_value: 4, size: 2}"},
    {"Multiplexer", "{input_sizes: [2, 1, 3]}"},
    {"Demultiplexer", "{output_ports_sizes: [2, 1]}"},
    {"PassThrough", "{value: [1, 2]}"},
    {"Integrator", "{size: 3}"},
    {"LimitedIntegrator",
     "{lower: -1, upper: 2, initial_value: 1, has_reset_port: true, "
     "has_initial_value_port: true, size: 2}"},
    {"RateLimiter", "{rising: 2, falling: 3, lag: 0.01, size: 2}"},
    {"Backlash", "{width: 2, initial_output: 1, size: 2}"},
    {"TransportDelay", "{delay: 0.5, size: 2, initial_output: 3}"},
    {"FirstOrderLowPassFilter", "{time_constants: [2, 3]}"},
    {"AffineSystem",
     "{A: [[1]], B: [[2]], f0: [3], C: [[4]], D: [[5]], y0: [6], time_period: "
     "0.5, initial_state: [7]}"},
    {"LinearSystem",
     "{A: [[1]], B: [[2]], C: [[3]], D: [[4]], time_period: 0.5, "
     "initial_state: [7]}"},
    {"ZeroOrderHold", "{period: 0.5, size: 2, offset: 0.25}"},
    {"FirstOrderHold", "{period: 0.5, size: 2}"},
    {"DiscreteTimeDelay",
     "{update_sec: 0.5, delay_time_steps: 3, vector_size: 2}"},
    {"DiscreteTimeIntegrator", "{size: 2, time_step: 0.5}"},
    {"DiscreteDerivative",
     "{num_inputs: 2, time_step: 0.5, suppress_initial_transient: false}"},
    {"PidController",
     "{kp: [1], ki: [2], kd: [3], state_projection: [[1, 0, 0], [0, 0, 1]], "
     "output_projection: [[4], [5]], tunable: true}"},
    {"PidCompensator",
     "{kp: 2, ki: 3, kd: 4, derivative_bandwidth: 50, proportional_weight: "
     "0.5, derivative_weight: 0.25, lower: -1, upper: 2, anti_windup: "
     "back_calculation, back_calculation: 3, period: 0.01, method: "
     "backward_euler, has_feedforward_port: true, size: 2}"},
    {"RandomSource",
     "{distribution: exponential, num_outputs: 3, sampling_interval_sec: 0.5, "
     "seed: 4294967295}"},
    {"Selector",
     "{inputs: [{name: a, size: 2}, {name: u1, size: 1}], outputs: [{name: b, "
     "selections: [[1, 0], [0, 1]]}, {name: y1, selections: []}]}"},
    {"StateMachine",
     "{input_size: 2, num_outputs: 1, states: [{name: a, keep_history: true}, "
     "{name: b, parent: a, entry: [3]}, {name: c}], transitions: [{from: a, "
     "to: c, input: 1, below: 2}, {from: c, to: b, input: 0, above: -1}, "
     "{from: c, to: a, input: 0, after: 0.5}]}"},
    {"Counter",
     "{period: 0.5, step: -2, initial: 3, lower: -4, upper: 5, at_limit: stop, "
     "has_down_port: true, has_reset_port: true}"},
    {"EnabledSubsystem",
     "{block: !Integrator {size: 2}, outputs: reset, states: reset, "
     "initial_outputs: [[1, 2]]}"},
    {"TriggeredSubsystem",
     "{block: !Counter {step: 2}, edge: either, initial_outputs: [[3]]}"},
    {"IfElseSubsystem",
     "{num_conditions: 1, blocks: [!Gain {k: [2]}, !Gain {k: [3]}], outputs: "
     "reset, states: hold, initial_outputs: [[4]]}"},
    {"CaseSubsystem",
     "{cases: [[1], [2, 3]], blocks: [!Gain {k: [2]}, !Gain {k: [3]}, !Gain "
     "{k: "
     "[4]}], outputs: hold, states: reset, initial_outputs: []}"},
    {"KalmanFilter",
     "{A: [[1]], B: [[2]], C: [[3]], D: [[4]], W: [[5]], V: [[6]], "
     "initial_state_estimate: [7], initial_state_covariance: [[8]], "
     "time_period: 0.5}"},
    {"StateFeedback", "{K: [[1, 2]], has_feedforward_port: true}"},
    {"GainScheduledFeedback",
     "{schedule: [{at: 1, K: [[2]], x0: [3], u0: [4]}, {at: 2, K: [[3]], x0: "
     "[5], u0: [6]}]}"},
    {"LinearModelPredictiveController",
     "{A: [[2]], B: [[3]], Q: [[4]], R: [[5]], P: [[6]], horizon: 7, lower: "
     "[-8], upper: [9], x0: [10], u0: [8]}"},
    {"Diagram",
     "{blocks: {a: !Gain {k: [2]}}, inputs: {u: [a/u0]}, outputs: {y: a/y0}}"}};
// Filters and observers come back as LinearSystems, tables as WaveformSources,
// files as what is in them.
const std::map<std::string, std::string> kOneWay{
    {"TransferFunction", "{numerator: [1, 2], denominator: [1, 3, 4]}"},
    {"ZeroPole", "{zeros: [[-1, 0]], poles: [[-2, 1], [-2, -1]], gain: 3}"},
    {"FilteredDerivative", "{time_constant: 0.1}"},
    {"SecondOrderLowPass", "{corner_frequency: 3, damping_ratio: 0.5}"},
    {"Notch", "{frequency: 5, ratio: 0.2}"},
    {"LeadLag", "{gain: 2, lead_time: 0.3, lag_time: 0.1}"},
    {"FirFilter", "{coefficients: [1, 2, 3], time_period: 0.1}"},
    {"IirFilter", "{b: [1, 2], a: [1, 0.5], time_period: 0.1}"},
    {"MovingAverage", "{num_samples: 4, time_period: 0.1}"},
    {"CsvSource", ""},
    {"Observer", "{A: [[1]], B: [[2]], C: [[3]], D: [[4]], L: [[5]]}"},
    {"DisturbanceObserver", "{A: [[1]], B: [[2]], C: [[3]], L: [[5], [6]]}"},
    {"FeedforwardInverse", "{A: [[1]], B: [[2]], C: [[3]], time_period: 0.1}"},
    {"DiagramFile", ""}};

TEST(BlockTypes, AreAllTestedHere) {
  std::set<std::string> tested;
  for (const auto& [name, text] : kExamples) tested.insert(name);
  for (const auto& [name, text] : kOneWay) tested.insert(name);
  for (const std::string& name : BlockRegistry::Get().names()) {
    // The plug-in of another test.
    EXPECT_TRUE(tested.contains(name) || name == "Wobble") << name;
  }
}

TEST(BlockTypes, SystemsComeBackWithAllTheirParameters) {
  for (const auto& [name, text] : kExamples) {
    SCOPED_TRACE(name);
    const Block block = Load("!" + name + " " + text);
    const auto system = block.Make(BlockSite());
    const Block described = BlockRegistry::Get().Describe(*system);
    EXPECT_EQ(described.type(), name);
    EXPECT_EQ(Save(described), Save(block));
    EXPECT_EQ(Save(Load(Save(block).substr(7))), Save(block));
  }
}

TEST(BlockTypes, FiltersComeBackAsLinearSystems) {
  for (const auto& [name, text] : kOneWay) {
    if (text.empty()) continue;
    SCOPED_TRACE(name);
    const auto system = Load("!" + name + " " + text).Make(BlockSite());
    EXPECT_EQ(BlockRegistry::Get().Describe(*system).type(), "LinearSystem");
  }
}

TEST(BlockTypes, EveryKeyOfTheSchemaIsDescribed) {
  const BlockRegistry& registry = BlockRegistry::Get();
  for (const std::string& name : registry.names()) {
    SCOPED_TRACE(name);
    const std::string& schema = registry.Find(name)->schema;
    const std::set<std::string> words{"items", "properties",
                                      "additionalProperties"};
    const std::regex key("\"(\\w+)\": \\{");
    for (std::sregex_iterator at(schema.begin(), schema.end(), key), end;
         at != end; ++at) {
      if (words.contains((*at)[1])) continue;
      EXPECT_TRUE(at->suffix().str().starts_with("\"description\": "))
          << (*at)[1];
    }
    EXPECT_FALSE(registry.Find(name)->summary.empty());
  }
}

}  // namespace block_types_test
}  // namespace wyvern::systems
