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
#include "wyvern/systems/primitives/random_source.h"
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
  for (int i = 0; i < BlockSite::kMaxBlocks; ++i) site.CountBlock();
  EXPECT_THROWS_MESSAGE(site.CountBlock(), std::runtime_error,
                        "more than 1000000 blocks");
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
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<RandomSource<double>>(
      "noise", RandomDistribution::kGaussian, 1, 0.1);
  EXPECT_THROWS_MESSAGE(SaveDiagram(*builder.Build()), std::logic_error,
                        "which no registered type describes");
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
