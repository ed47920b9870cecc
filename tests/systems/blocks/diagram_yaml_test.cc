// Diagrams as data: what their YAML makes, what it must not be, and the way
// back from Diagrams built in C++.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/blocks/arithmetic_blocks.h"
#include "wyvern/systems/blocks/block_plugin.h"
#include "wyvern/systems/blocks/control_blocks.h"
#include "wyvern/systems/blocks/make_diagram.h"
#include "wyvern/systems/blocks/source_blocks.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/limited_integrator.h"
#include "wyvern/systems/primitives/linear/filters.h"
#include "wyvern/systems/primitives/relay.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/state_machine.h"
#include "wyvern/systems/primitives/transport_delay.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::systems {
namespace diagram_yaml_test {

namespace fs = std::filesystem;

// A folder of the test's own.
class DiagramYaml : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::unique_ptr<Diagram<double>> Load(const std::string& text) {
    return LoadDiagram(Write("main.yaml", text));
  }
  fs::path folder_{fs::path(::testing::TempDir())};
};

double Evaluate(const Diagram<double>& diagram, double time, int port = 0) {
  Simulator<double> simulator(diagram);
  simulator.AdvanceTo(time);
  return diagram.get_output_port(port).Eval(simulator.get_context())[0];
}

// A loop: x' = k (r - x) from 0 to the reference 2, x = 2 (1 - exp(-k t)).
constexpr char kLoop[] = R"(blocks:
  reference: !ConstantVectorSource {value: [2]}
  error: !Adder {signs: "+-"}
  gain: !Gain {k: [3]}
  x: !Integrator
connections:
- {from: reference/y0, to: error/u0}
- {from: x/y0, to: error/u1}
- {from: error/sum, to: gain/u0}
- {from: gain/y0, to: x/u0}
outputs: {x: x/y0}
)";

TEST_F(DiagramYaml, MakesALoop) {
  EXPECT_NEAR(Evaluate(*Load(kLoop), 0.7), 2 * (1 - std::exp(-2.1)), 1e-4);
}

TEST_F(DiagramYaml, SaysWhereABlockIsWrong) {
  const auto with = [&](const std::string& block) {
    return "blocks:\n  source: !Sine\n  gain: " + block + "\n";
  };
  EXPECT_THROWS_MESSAGE(Load(with("!Gian {k: [3]}")), std::runtime_error,
                        "main.yaml:3:9: 'blocks.gain' has the tag !Gian, which "
                        "is no block; is '!Gain' meant?");
  EXPECT_THROWS_MESSAGE(Load(with("!Zzzzzz")), std::runtime_error,
                        "give one of [!Adder, ");
  EXPECT_THROWS_MESSAGE(Load(with("{k: [3]}")), std::runtime_error,
                        "'blocks.gain' has no tag that names a block");
  EXPECT_THROWS_MESSAGE(Load(with("!Gain {kk: [3]}")), std::runtime_error,
                        "'blocks.gain' has the key 'kk'");
  EXPECT_THROWS_MESSAGE(Load(with("!Gain {k: [.nan]}")), std::runtime_error,
                        "main.yaml:3:9: 'blocks.gain': Gain(): k[0] is "
                        "nan");
  EXPECT_THROWS_MESSAGE(Load(with("!Integrator {size: 2000000000}")),
                        std::runtime_error, "size is 2000000000");
  EXPECT_THROWS_MESSAGE(Load(with("!NaryFunction {operation: nandd}")),
                        std::runtime_error,
                        "operation is 'nandd'; is 'nand' "
                        "meant");
}

TEST_F(DiagramYaml, SaysWhichPortsThereAre) {
  const auto with = [](const std::string& from, const std::string& to) {
    return fmt::format(
        "{}- {{from: {}, to: {}}}\n",
        std::string(kLoop).substr(0, std::string(kLoop).find("outputs")), from,
        to);
  };
  EXPECT_THROWS_MESSAGE(Load(with("gian/y0", "x/u0")), std::runtime_error,
                        "main.yaml:11:10: 'connections[4].from': there is "
                        "no block 'gian'; is 'gain' meant?");
  EXPECT_THROWS_MESSAGE(Load(with("gain/y1", "x/u0")), std::runtime_error,
                        "the block 'gain' has no output port 'y1'; is 'y0' "
                        "meant? Its output ports are [y0]");
  EXPECT_THROWS_MESSAGE(Load(with("gain/y0", "error/zzz")), std::runtime_error,
                        "no input port 'zzz'. Its input ports are [u0, u1]");
  EXPECT_THROWS_MESSAGE(Load(with("gain", "x/u0")), std::runtime_error,
                        "'gain' is no port; give block/port");
  EXPECT_THROWS_MESSAGE(Load(with("gain/y0", "x/u0")), std::runtime_error,
                        "main.yaml:11:23: 'connections[4].to': "
                        "DiagramBuilder::Connect(): ");
}

TEST_F(DiagramYaml, ListsAllMistakesAtOnce) {
  constexpr char kText[] = R"(blocks:
  a: !Gain {k: [1]}
  b: !Gain {k: [1, 2]}
  c: !Adder
connections:
- {from: a/y0, to: b/u0}
- {from: a/y, to: c/u0}
- {from: d/y0, to: c/u0}
- {from: a/y0, to: c/u1}
- {from: a/y0, to: c/u1}
- {from: a/y0, to: c/u2}
)";
  std::string message;
  try {
    Load(kText);
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_TRUE(message.starts_with("the diagram has 5 mistakes:\n")) << message;
  for (const std::string part :
       {"main.yaml:6:20: 'connections[0].to'", "a vector of 2 elements",
        "main.yaml:7:10: 'connections[1].from'",
        "main.yaml:8:10: ", "main.yaml:10:20: ", "main.yaml:11:20: "}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << message;
  }
}

TEST_F(DiagramYaml, RefusesALoopWithoutState) {
  EXPECT_THROWS_MESSAGE(Load("blocks: {a: !Gain {}, b: !Gain {}}\n"
                             "connections: [{from: a/y0, to: b/u0}, {from: "
                             "b/y0, to: a/u0}]\n"),
                        std::logic_error, "loop");
}

TEST_F(DiagramYaml, SolvesALoopAtAWireThatSaysSo) {
  // y = 3 - y / 2 has the solution 2, and comes back as it was written.
  const auto diagram = Load(R"(blocks:
  three: !ConstantVectorSource {value: [3]}
  sum: !Adder
  half: !Gain {k: [-0.5]}
connections:
- {from: three/y0, to: sum/u0}
- {from: half/y0, to: sum/u1, solve: true}
- {from: sum/sum, to: half/u0}
outputs: {y: sum/sum}
)");
  const auto solve = [](const Diagram<double>& one) {
    return one.get_output_port().Eval(*one.CreateDefaultContext())[0];
  };
  EXPECT_NEAR(solve(*diagram), 2, 1e-15);
  const std::string saved = SaveDiagram(*diagram);
  EXPECT_NE(saved.find("solve: true"), std::string::npos) << saved;
  EXPECT_EQ(solve(*Load(saved)), solve(*diagram));
  EXPECT_EQ(SaveDiagram(*Load(saved)), saved);
}

constexpr char kAxis[] = R"(parameters: {gain: 1, size: null}
blocks:
  gain: !Gain {k: [$gain]}
  x: !Integrator {size: $size}
connections: [{from: gain/y0, to: x/u0}]
inputs: {u: [gain/u0]}
outputs: {y: x/y0}
)";

std::string MakeOuter(const std::string& parameters) {
  return fmt::format(R"(blocks:
  one: !ConstantVectorSource {{value: [1]}}
  axis: !DiagramFile {{file: axis.yaml, parameters: {}}}
connections: [{{from: one/y0, to: axis/u}}]
outputs: {{y: axis/y}}
)",
                     parameters);
}

TEST_F(DiagramYaml, FilesHaveParameters) {
  Write("axis.yaml", kAxis);
  EXPECT_NEAR(Evaluate(*Load(MakeOuter("{gain: 5, size: 1}")), 2), 10, 1e-12);
  EXPECT_NEAR(Evaluate(*Load(MakeOuter("{size: 1}")), 2), 2, 1e-12);
  EXPECT_THROWS_MESSAGE(
      Load(MakeOuter("{gian: 5}")), std::runtime_error,
      "axis.yaml:1:1: 'parameters' needs a parameter 'gian', but the file's "
      "are [gain, size]; is 'gain' meant");
  // The place of a bad value is that of the parameter in the file.
  EXPECT_THROWS_MESSAGE(Load(MakeOuter("{size: many}")), std::runtime_error,
                        "axis.yaml:4:25: 'blocks.x.size' is the scalar 'many'");
  Write("axis.yaml", "blocks: {x: !Integrator {size: $sise}}\n");
  EXPECT_THROWS_MESSAGE(Load(MakeOuter("{}")), std::runtime_error,
                        "axis.yaml:1:32: 'blocks.x.size' needs a parameter "
                        "'sise'");
}

TEST_F(DiagramYaml, RefusesFilesThatIncludeEachOther) {
  const auto include = [&](const std::string& name, const std::string& other) {
    Write(name, "blocks: {a: !DiagramFile {file: " + other + "}}\n");
  };
  include("a.yaml", "b.yaml");
  include("b.yaml", "./a.yaml");
  EXPECT_THROWS_MESSAGE(LoadDiagram((folder_ / "a.yaml").string()),
                        std::runtime_error, "a.yaml' includes itself");
  EXPECT_THROWS_MESSAGE(Load("blocks: {a: !DiagramFile {file: none.yaml}}"),
                        std::runtime_error, "none.yaml");
  const auto nest = [&](int count, int copies) {
    Write("0.yaml", "blocks: {a: !Gain}\n");
    for (int i = 1; i < count; ++i) {
      std::string text = "blocks:\n";
      for (int j = 0; j < copies; ++j) {
        text +=
            fmt::format("  b{}: !DiagramFile {{file: {}.yaml}}\n", j, i - 1);
      }
      Write(fmt::format("{}.yaml", i), text);
    }
    return (folder_ / fmt::format("{}.yaml", count - 1)).string();
  };
  EXPECT_THROWS_MESSAGE(LoadDiagram(nest(40, 1)), std::runtime_error,
                        "32 at most are possible");
  // Each file doubles what the one before makes, without any cycle.
  EXPECT_THROWS_MESSAGE(LoadDiagram(nest(15, 2)), std::runtime_error,
                        "more than 1000000 blocks");
}

TEST_F(DiagramYaml, BoundsWhatParametersMake) {
  std::string many = "[0";
  for (int i = 0; i < 3000; ++i) many += ", 0";
  many += "]";
  std::string file = "parameters: {p: " + many + "}\nblocks:\n";
  for (int i = 0; i < 2000; ++i)
    file += fmt::format("  g{}: !Gain {{k: $p}}\n", i);
  EXPECT_THROWS_MESSAGE(Load(file), std::runtime_error, "values; use smaller");
}

TEST_F(DiagramYaml, TakesManyThousandsOfBlocksButNotAnyNumber) {
  constexpr int kCount = 5000;
  std::string text = "blocks:\n  b0: !Sine\n";
  std::string wires = "connections:\n";
  for (int i = 1; i < kCount; ++i) {
    text += fmt::format("  b{}: !Gain\n", i);
    wires += fmt::format("- {{from: b{}/y0, to: b{}/u0}}\n", i - 1, i);
  }
  EXPECT_EQ(Load(text + wires)->GetSystems().size(), std::size_t{kCount});
  const BlockSite site;
  site.CountBlocks(BlockSite::kMaxBlocks);
  EXPECT_THROWS_MESSAGE(site.CountBlocks(1), std::runtime_error,
                        "more than 1000000 blocks");
}

// The blocks are counted before the first one is made; none of these can be.
TEST_F(DiagramYaml, RefusesAMillionBlocksBeforeItMakesThem) {
  DiagramData data;
  data.blocks.items.resize(BlockSite::kMaxBlocks + 1);
  EXPECT_THROWS_MESSAGE(MakeDiagram(data, BlockSite()), std::runtime_error,
                        "there are more than 1000000 blocks");
  data.blocks.items.resize(1);
  EXPECT_THROWS_MESSAGE(MakeDiagram(data, BlockSite()), std::logic_error,
                        "the name is empty");
}

// Blocks of many kinds in one Diagram, one of them a Diagram.
std::unique_ptr<Diagram<double>> MakeMixture() {
  DiagramBuilder<double> inner;
  auto* filter = inner.AddNamedSystem("filter", MakeLeadLag(2, 0.3, 0.1));
  auto* delay = inner.AddNamedSystem<TransportDelay<double>>("delay", 0.13);
  inner.Cascade(*filter, *delay);
  inner.ExportInput(filter->get_input_port(), "u");
  inner.ExportOutput(delay->get_output_port(), "y");
  DiagramBuilder<double> builder;
  auto* sine = builder.AddNamedSystem<Sine<double>>("sine", 1, 7.1, 0.3, 1);
  auto* square = builder.AddNamedSystem<WaveformSource<double>>(
      "square", Waveform::Square(0.7, 3, 0.3));
  auto* sum = builder.AddNamedSystem<Adder<double>>("sum", "+-+");
  auto* nested = builder.AddNamedSystem("nested", inner.Build());
  auto* relay =
      builder.AddNamedSystem<Relay<double>>("relay", 0.4, -0.2, 1, -1);
  auto* x = builder.AddNamedSystem<LimitedIntegrator<double>>(
      "x", LimitedIntegratorOptions{.upper = 0.25});
  auto* gain = builder.AddNamedSystem<Gain<double>>(
      "gain", Eigen::VectorXd::Constant(1, 1.0 / 3));
  builder.Connect(sine->get_output_port(0), sum->get_input_port(0));
  builder.Connect(square->get_output_port(), sum->get_input_port(1));
  builder.Connect(gain->get_output_port(), sum->get_input_port(2));
  builder.Connect(sum->get_output_port(), nested->get_input_port());
  builder.Connect(nested->get_output_port(), relay->get_input_port());
  builder.Connect(relay->get_output_port(), x->get_input_port(0));
  builder.Connect(*x, *gain);
  builder.ExportOutput(x->get_output_port(), "x");
  builder.ExportOutput(nested->get_output_port(), "delayed");
  return builder.Build();
}

TEST_F(DiagramYaml, ADiagramOfCppComesBackToTheBit) {
  const auto built = MakeMixture();
  const std::string text = SaveDiagram(*built);
  const auto loaded = Load(text);
  EXPECT_EQ(SaveDiagram(*loaded), text);
  Simulator<double> one(*built), other(*loaded);
  for (const double time : {0.3, 1.1, 2.7}) {
    one.AdvanceTo(time);
    other.AdvanceTo(time);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(built->get_output_port(i).Eval(one.get_context()),
                loaded->get_output_port(i).Eval(other.get_context()))
          << time;
    }
  }
  EXPECT_EQ(one.get_num_steps_taken(), other.get_num_steps_taken());
}

TEST_F(DiagramYaml, SaysWhichBlockHasNoData) {
  // Functions of C++ are no data.
  const auto save = [](const StateChart& chart) {
    DiagramBuilder<double> builder;
    builder.AddNamedSystem<StateMachine<double>>("chart", chart, 1);
    return SaveDiagram(*builder.Build());
  };
  const StateChart::Action act = [](const ChartMoment&, auto) {};
  StateChart chart;
  const auto a = chart.AddState("a");
  chart.AddTransition(a, a, ChartCrossing{.bound = 1});
  EXPECT_NO_THROW(save(chart));
  const auto refuse = [&](const auto& change) {
    StateChart changed(chart);
    change(&changed);
    EXPECT_THROWS_MESSAGE(save(changed), std::logic_error,
                          "which no registered type describes");
  };
  refuse([&](StateChart* c) { c->OnEntry(a, act); });
  refuse([&](StateChart* c) { c->OnExit(a, act); });
  refuse([&](StateChart* c) { c->During(a, act); });
  refuse([&](StateChart* c) { c->AddTimeout(a, a, 1, act); });
  refuse([&](StateChart* c) {
    c->AddTransition(a, a, [](const ChartMoment&) { return 0; });
  });
}

TEST_F(DiagramYaml, StructsOfCppMakeTheSameDiagram) {
  DiagramData data;
  data.blocks.items = {
      {"two", Block(blocks::ConstantVectorSource{
                  .value = Eigen::VectorXd::Constant(1, 2)})},
      {"gain", Block(blocks::Gain{.k = Eigen::VectorXd::Constant(1, 4)})}};
  data.connections = {{PortName("two/y0"), PortName("gain/u0")}};
  data.outputs.items = {{"y", PortName("gain/y0")}};
  EXPECT_EQ(Evaluate(*MakeDiagram(data, BlockSite()), 0), 8);
  data.blocks.items[1].second =
      Block(blocks::Gain{.k = Eigen::VectorXd::Constant(1, NAN)});
  EXPECT_THROWS_MESSAGE(MakeDiagram(data, BlockSite()), std::logic_error,
                        "block 'gain': Gain(): k[0] is nan");
}

// y = 1 from the moment at which the ramp passes 0.5 until 0.25 s later.
TEST_F(DiagramYaml, StateMachinesAreWritten) {
  const auto diagram = Load(R"(blocks:
  ramp: !WaveformSource {signals: [!Ramp {}]}
  x: !Integrator
  machine: !StateMachine
    num_outputs: 1
    states: [{name: "idle"}, {name: "busy", entry: [1]}, {name: "done", entry: [0]}]
    transitions:
    - {from: "idle", to: "busy", above: 0.5}
    - {from: "busy", to: "done", after: 0.25}
connections:
- {from: ramp/y, to: machine/u}
- {from: machine/y, to: x/u0}
outputs: {x: x/y0, state: machine/state}
)");
  EXPECT_NEAR(Evaluate(*diagram, 0.6), 0.1, 1e-6);
  EXPECT_NEAR(Evaluate(*diagram, 2), 0.25, 1e-6);
  EXPECT_EQ(Evaluate(*diagram, 2, 1), 2);
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {m: !StateMachine {states: [{name: a}], transitions: "
           "[{from: a, to: b, after: 1}]}}"),
      std::runtime_error, "transitions[0].to is 'b'");
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {m: !StateMachine {states: [{name: a}], transitions: "
           "[{from: a, to: a}]}}"),
      std::runtime_error, "has 0 of `above`, `below` and `after`");
  EXPECT_THROWS_MESSAGE(Load("blocks: {m: !StateMachine {}}"),
                        std::runtime_error, "number of states is 0");
}

TEST_F(DiagramYaml, RefusesChartsThatCannotRun) {
  const auto load = [&](const std::string& fields) {
    return Load("blocks: {m: !StateMachine {" + fields + "}}");
  };
  EXPECT_THROWS_MESSAGE(load("states: [{name: a}, {name: lost}]"),
                        std::runtime_error,
                        "no transition leads to the state 'lost'");
  std::string many = "states: [{name: s0}";
  for (int i = 1; i < 300; ++i) many += fmt::format(", {{name: s{}}}", i);
  EXPECT_THROWS_MESSAGE(load(many + "]"), std::runtime_error,
                        "the number of states is 300");
  EXPECT_THROWS_MESSAGE(
      load("states: [{name: a}], transitions: [{from: a, to: a, input: 1, "
           "above: 0}]"),
      std::runtime_error, "transitions[0].input is 1");
}

TEST_F(DiagramYaml, NamesTheStatesOfACycleOfParents) {
  const auto refused = [&](const std::string& states, const char* message) {
    EXPECT_THROWS_MESSAGE(
        Load("blocks: {m: !StateMachine {states: [" + states + "]}}"),
        std::runtime_error, message);
  };
  refused("{name: a, parent: a}", "form a cycle: 'a' in 'a'; take out one");
  refused("{name: top}, {name: a, parent: b}, {name: b, parent: a}",
          "form a cycle: 'a' in 'b' in 'a'; take out one");
  // The first state is not in the cycle.
  refused(
      "{name: x, parent: c}, {name: a, parent: b}, {name: b, parent: c}, "
      "{name: c, parent: a}",
      "form a cycle: 'a' in 'b' in 'c' in 'a'; take out one");
  refused("{name: inner, parent: outer}, {name: outer}",
          "states[0].parent is 'outer', which is listed later, as states[1]");
  refused("{name: a, parent: far}, {name: else}",
          "states[0].parent is 'far'; give one of [a, else]");
}

// Each state's guard is due as soon as it is entered.
TEST_F(DiagramYaml, StopsGuardsThatFireForEver) {
  const auto diagram = Load(R"(blocks:
  one: !ConstantVectorSource {value: [1]}
  machine: !StateMachine
    states: [{name: a}, {name: b}]
    transitions:
    - {from: a, to: b, above: 0.5}
    - {from: b, to: a, above: 0.25}
connections: [{from: one/y0, to: machine/u}]
)");
  Simulator<double> simulator(*diagram);
  EXPECT_THROWS_MESSAGE(simulator.AdvanceTo(1), std::runtime_error,
                        "machine (");
}

// A pulse enables an integrator of 1 from 1 s to 1.5 s, and at 2 s a counter of
// the pulses is shown by a case.
constexpr char kConditional[] = R"(blocks:
  pulses: !WaveformSource {signals: [!PulseTrain {period: 1, width: 0.5}]}
  one: !ConstantVectorSource {value: [1]}
  noise: !RandomSource {sampling_interval_sec: 0.1}
  swap: !Selector {inputs: [{size: 1}, {size: 1}], outputs: [{selections: [[1, 0], [0, 0]]}]}
  chart: !StateMachine
    num_outputs: 1
    states: [{name: low}, {name: high, entry: [2]}]
    transitions: [{from: low, to: high, above: 0.3}]
  x: !EnabledSubsystem
    block: !Diagram
      blocks: {x: !Integrator, k: !Gain {k: [3]}}
      connections: [{from: x/y0, to: k/u0}]
      inputs: {u: [x/u0]}
      outputs: {y: k/y0}
  count: !TriggeredSubsystem {block: !Counter {}, edge: either}
  branch: !IfElseSubsystem {num_conditions: 1, blocks: [!Gain {k: [5]}, !Gain {k: [7]}]}
  case: !CaseSubsystem {cases: [[2]], blocks: [!Gain {k: [11]}], outputs: reset}
connections:
- {from: pulses/y, to: x/enable}
- {from: pulses/y, to: count/trigger}
- {from: pulses/y, to: branch/conditions}
- {from: count/y, to: case/selector}
- {from: one/y0, to: x/u}
- {from: one/y0, to: branch/u0}
- {from: one/y0, to: case/u0}
- {from: noise/output, to: swap/u0}
- {from: one/y0, to: swap/u1}
- {from: noise/output, to: chart/u}
outputs: {x: x/y, count: count/y, branch: branch/y0, case: case/y0, swap: swap/y0, chart: chart/y}
)";

TEST_F(DiagramYaml, BlocksRunUnderConditions) {
  const auto diagram = Load(kConditional);
  const auto at = [&](double time, int port) {
    return Evaluate(*diagram, time, port);
  };
  EXPECT_NEAR(at(0.25, 0), 0.75, 1e-12);
  EXPECT_NEAR(at(2.25, 0), 3 * 1.25, 1e-12);
  EXPECT_EQ(at(0.75, 1), 1);
  EXPECT_EQ(at(2.25, 1), 4);
  EXPECT_EQ(at(2.25, 2), 5);
  EXPECT_EQ(at(2.75, 2), 7);
  EXPECT_EQ(at(0.75, 3), 0);
  EXPECT_EQ(at(1.25, 3), 11);
  EXPECT_EQ(at(1.75, 3), 0);
}

TEST_F(DiagramYaml, BlocksWithConditionsAndNoiseComeBackToTheBit) {
  const auto first = Load(kConditional);
  const std::string text = SaveDiagram(*first);
  const auto loaded = Load(text);
  EXPECT_EQ(SaveDiagram(*loaded), text);
  Simulator<double> one(*first), other(*loaded);
  for (const double time : {0.3, 1.1, 2.7}) {
    one.AdvanceTo(time);
    other.AdvanceTo(time);
    for (int i = 0; i < first->num_output_ports(); ++i) {
      EXPECT_EQ(first->get_output_port(i).Eval(one.get_context()),
                loaded->get_output_port(i).Eval(other.get_context()))
          << time;
    }
  }
}

TEST_F(DiagramYaml, SaysWhichInnerBlockIsWrong) {
  EXPECT_THROWS_MESSAGE(
      Load("blocks:\n  e: !EnabledSubsystem {block: !Gian {}}\n"),
      std::runtime_error,
      "main.yaml:2:32: 'blocks.e.block' has the tag !Gian, which is no block");
  EXPECT_THROWS_MESSAGE(Load("blocks: {e: !EnabledSubsystem {}}"),
                        std::runtime_error, "there is no block");
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {e: !EnabledSubsystem {block: !Gain {k: [.nan]}}}"),
      std::runtime_error, "k[0] is nan");
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {e: !EnabledSubsystem {block: !Gain {}, outputs: held}}"),
      std::runtime_error, "outputs is 'held'; is 'hold' meant?");
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {e: !TriggeredSubsystem {block: !Integrator {}}}"),
      std::runtime_error, "has 1 continuous states");
  Write("self.yaml",
        "blocks: {e: !EnabledSubsystem {block: !DiagramFile {file: "
        "self.yaml}}}\n");
  EXPECT_THROWS_MESSAGE(LoadDiagram((folder_ / "self.yaml").string()),
                        std::runtime_error, "self.yaml' includes itself");
}

TEST_F(DiagramYaml, SubsystemsNestAsDeepAsDiagrams) {
  const auto nest = [&](int depth) {
    std::string text = "blocks: {e: ";
    for (int i = 0; i < depth; ++i) text += "!EnabledSubsystem {block: ";
    return text + "!Gain {}" + std::string(depth + 1, '}');
  };
  EXPECT_NO_THROW(Load(nest(1)));
  // A port `enable` of the inner block is in the way of the outer one.
  EXPECT_THROWS_MESSAGE(Load(nest(2)), std::runtime_error,
                        "the name 'enable' is in use already");
  EXPECT_THROW(Load(nest(100'000)), std::runtime_error);
}

constexpr char kTable[] = "time,force,speed\n1,2,10\n2,4,20\n4,0,30\n";

std::string MakeTable(const std::string& fields) {
  return "blocks: {t: !CsvSource {file: table.csv" + fields +
         "}}\noutputs: {y: t/y}\n";
}

TEST_F(DiagramYaml, TablesOfFilesAreSources) {
  Write("table.csv", kTable);
  const auto at = [&](const std::string& fields, double time) {
    const auto diagram = Load(MakeTable(fields));
    const auto context = diagram->CreateDefaultContext();
    context->SetTime(time);
    return Eigen::VectorXd(diagram->get_output_port(0).Eval(*context));
  };
  using Eigen::Vector2d;
  EXPECT_EQ(at("", 0), Vector2d(2, 10));
  EXPECT_EQ(at("", 1.5), Vector2d(3, 15));
  EXPECT_EQ(at("", 3), Vector2d(2, 25));
  EXPECT_EQ(at("", 9), Vector2d(0, 30));
  EXPECT_EQ(at(", columns: [speed]", 3)[0], 25);
  EXPECT_EQ(at(", columns: [speed, force]", 1), Vector2d(10, 2));
  EXPECT_EQ(at(", interpolation: hold", 1.999), Vector2d(2, 10));
  EXPECT_EQ(at(", interpolation: hold", 2), Vector2d(4, 20));
  EXPECT_EQ(at(", extrapolation: linear", 6), Vector2d(-4, 40));
  EXPECT_EQ(at(", extrapolation: linear", 0), Vector2d(2, 10));
  EXPECT_EQ(at(", extrapolation: repeat", 1.5 + 3 * 7), Vector2d(3, 15));
  EXPECT_EQ(at(", extrapolation: repeat", 0.0), Vector2d(2, 25));
}

// The integral of a pulse of 1e-4 s is exact, so a step ends at each row.
TEST_F(DiagramYaml, RowsOfTablesEndSteps) {
  Write("table.csv", "t,a\n0,0\n0.7,1\n0.7001,0\n");
  const auto diagram = Load(R"(blocks:
  t: !CsvSource {file: table.csv, interpolation: hold}
  x: !Integrator
connections: [{from: t/y, to: x/u0}]
outputs: {x: x/y0}
)");
  EXPECT_NEAR(Evaluate(*diagram, 2), 1e-4, 1e-15);
  // The saved text needs no file.
  const std::string text = SaveDiagram(*diagram);
  std::filesystem::remove(folder_ / "table.csv");
  EXPECT_NEAR(Evaluate(*Load(text), 2), 1e-4, 1e-15);
}

TEST_F(DiagramYaml, SaysWhatIsWrongWithATable) {
  const auto load = [&](const std::string& table, const std::string& fields) {
    Write("table.csv", table);
    return Load(MakeTable(fields));
  };
  EXPECT_THROWS_MESSAGE(load(kTable, ", columns: [sped]"), std::runtime_error,
                        "table.csv: there is no column 'sped'; is 'speed'");
  EXPECT_THROWS_MESSAGE(load(kTable, ", interpolation: cubic"),
                        std::runtime_error, "interpolation is 'cubic'");
  EXPECT_THROWS_MESSAGE(load(kTable, ", extrapolation: none"),
                        std::runtime_error, "extrapolation is 'none'");
  EXPECT_THROWS_MESSAGE(load("t,a\n0,1\n2,1\n2,3\n", ""), std::runtime_error,
                        "table.csv: row 3 has the time 2 s, which is not "
                        "after that of row 2");
  EXPECT_THROWS_MESSAGE(load("t,a\n0,nan\n", ""), std::runtime_error,
                        "table.csv:2: ");
  EXPECT_THROWS_MESSAGE(load("t,a\n0,1,2\n", ""), std::runtime_error,
                        "there are 2 names for 3 columns");
  EXPECT_THROWS_MESSAGE(load("t,a\n0,1\n", ", extrapolation: repeat"),
                        std::runtime_error, "there is 1 row");
  EXPECT_THROWS_MESSAGE(load("t,a\n", ""), std::runtime_error,
                        "there are no rows");
  EXPECT_THROWS_MESSAGE(Load("blocks: {t: !CsvSource {file: none.csv}}"),
                        std::runtime_error, "none.csv:1: the file cannot be");
}

TEST_F(DiagramYaml, RefusesSeedsOutOfRange) {
  EXPECT_THROWS_MESSAGE(Load("blocks: {n: !RandomSource {seed: 4294967296}}"),
                        std::runtime_error, "seed is 4294967296");
  EXPECT_THROWS_MESSAGE(Load("blocks: {n: !RandomSource {seed: -1}}"),
                        std::runtime_error, "seed is -1");
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {n: !RandomSource {distribution: normal}}"),
      std::runtime_error, "distribution is 'normal'");
  EXPECT_THROWS_MESSAGE(
      Load("blocks: {s: !Selector {outputs: [{selections: [[3, 0]]}]}}"),
      std::runtime_error, "Selector");
}

TEST_F(DiagramYaml, PluginsAddBlocks) {
  LoadBlockPlugin(WYVERN_WOBBLE_PLUGIN);
  LoadBlockPlugin(WYVERN_WOBBLE_PLUGIN);
  EXPECT_EQ(Evaluate(*Load("blocks: {a: !ConstantVectorSource {value: [1]}, b: "
                           "!Wobble {factor: 4}}\n"
                           "connections: [{from: a/y0, to: b/u0}]\n"
                           "outputs: {y: b/y0}\n"),
                     0),
            8);
  EXPECT_THROWS_MESSAGE(LoadBlockPlugin((folder_ / "no.so").string()),
                        std::runtime_error, "no.so' does not exist");
  EXPECT_THROWS_MESSAGE(LoadBlockPlugin(Write("text.so", "no library")),
                        std::runtime_error, "text.so' cannot be loaded");
}

}  // namespace diagram_yaml_test
}  // namespace wyvern::systems
