#include "wyvern/app/command.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/app/model_report.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/sweep_command.h"
#include "wyvern/systems/common/processor_level.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::app {
namespace command_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;
const std::string kArm = (kTop / "examples/models/arm.urdf").string();
const std::string kScenario = (kTop / "app/scenarios/arm_pd.yaml").string();

struct Result {
  int code{};
  std::string out;
  std::string err;
};

Result Call(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = RunCommand(arguments, out, err);
  return {code, out.str(), err.str()};
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Command, HelpTeachesByExample) {
  EXPECT_EQ(Call({"--help"}).code, 0);
  EXPECT_TRUE(Has(Call({"--help"}).out, "wyvern run arm.yaml --log arm.csv"));
  for (const char* command : {"run", "sweep", "inspect", "diagram"}) {
    const Result help = Call({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(Has(help.out, fmt::format("  wyvern {} arm.", command)));
  }
  EXPECT_EQ(Call({"--version"}).code, 0);
  EXPECT_TRUE(
      Has(Call({"--version"}).out, fmt::format("({})", ProcessorLevel())));
}

// The names of commands, and the options of each by its --help.
std::map<std::string, std::vector<std::string>> CommandsByHelp() {
  std::map<std::string, std::vector<std::string>> commands;
  const auto read = [](const std::string& help, const std::string& section,
                       const auto& take) {
    std::istringstream lines(help);
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(" ")) is_inside = line.starts_with(section);
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (is_inside && line.starts_with("  ") && line[2] != ' ') take(word);
    }
  };
  read(Call({"--help"}).out,
       "Subcommands:", [&](const std::string& name) { commands[name]; });
  for (auto& [name, options] : commands) {
    read(Call({name, "--help"}).out, "Options:", [&](const std::string& word) {
      const std::size_t comma = word.find(',');
      options.push_back(word.substr(comma == word.npos ? 0 : comma + 1));
    });
  }
  return commands;
}

TEST(Command, TheManualHasEveryCommandAndOption) {
  const auto commands = CommandsByHelp();
  ASSERT_GE(commands.size(), 8u);
  EXPECT_GE(commands.at("sweep").size(), 11u);
  const std::string page = Call({"manual"}).out;
  for (const auto& [name, options] : commands) {
    const std::size_t begin = page.find(".SS wyvern " + name + "\n");
    ASSERT_NE(begin, page.npos) << name;
    const std::string part =
        page.substr(begin, page.find("\n.S", begin + 3) - begin);
    for (const std::string& option : options) {
      std::string escaped;
      for (const char c : option)
        escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_TRUE(Has(part, escaped + "\\fR")) << name << " " << option;
    }
  }
  EXPECT_TRUE(page.starts_with(".TH WYVERN 1 "));
}

TEST(Command, BashCompletesEveryCommandAndOption) {
  const auto complete = [](const std::string& line) {
    const fs::path file = fs::path(testing::TempDir()) / "wyvern_completion";
    std::ofstream(file) << Call({"completion"}).out;
    const std::string script = fmt::format(
        "source {0}; COMP_WORDS=({1}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); "
        "_wyvern; echo \" ${{COMPREPLY[*]}} \"",
        file.string(), line);
    EXPECT_EQ(
        std::system(fmt::format("bash -c '{}' > {}.out", script, file.string())
                        .c_str()),
        0);
    std::ifstream out(file.string() + ".out");
    std::string text;
    std::getline(out, text);
    return text;
  };
  EXPECT_EQ(complete("wyvern sw"), " sweep ");
  EXPECT_EQ(complete("wyvern sweep ar"), "  ") << "Files are left to Bash";
  for (const auto& [name, options] : CommandsByHelp()) {
    EXPECT_TRUE(Has(complete("wyvern \"\""), " " + name + " ")) << name;
    const std::string all = complete("wyvern " + name + " --");
    for (const std::string& option : options) {
      EXPECT_TRUE(Has(all, " " + option + " ")) << name << " " << option;
    }
  }
}

TEST(Command, ConvertWritesWhatLosesNothingOrSaysWhat) {
  const fs::path folder =
      fs::path(testing::TempDir()) / "wyvern_convert_command";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string sdf = (folder / "arm.sdf").string();
  const Result good = Call({"convert", kArm, sdf});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(good.out, kArm + " -> " + sdf + "\n");
  const std::string hinge = (folder / "hinge.xml").string();
  std::ofstream(hinge) << "<mujoco model='h'><worldbody><body name='a'><joint "
                          "name='j' stiffness='3'/><geom size='1'/></body>"
                          "</worldbody></mujoco>";
  const std::string urdf = (folder / "hinge.urdf").string();
  const Result bad = Call({"convert", hinge, urdf});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(Has(bad.err, "\n  joint 'j': its spring stiffness 3 becomes 0\n"))
      << bad.err;
  EXPECT_FALSE(fs::exists(urdf));
  const Result lossy = Call({"convert", hinge, urdf, "--lossy"});
  EXPECT_EQ(lossy.code, 0);
  EXPECT_TRUE(Has(lossy.err, "spring stiffness"));
  EXPECT_TRUE(fs::exists(urdf));
  fs::remove_all(folder);
}

TEST(Command, ACommandLineThatIsWrongIsAnError) {
  EXPECT_NE(Call({}).code, 0);
  EXPECT_NE(Call({"fly"}).code, 0);
  EXPECT_NE(Call({"run"}).code, 0);
  EXPECT_NE(Call({"run", kScenario, "--until", "nan"}).code, 0);
  EXPECT_NE(Call({"inspect", kArm, "--json", "--dot"}).code, 0);
  const Result missing = Call({"run", "nope.yaml"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(Has(missing.err, "wyvern: ") && Has(missing.err, "nope.yaml"));
  const Result wrong =
      Call({"run", kScenario, "--set", "model_drivers.arm.kp=[1, 2]"});
  EXPECT_TRUE(Has(wrong.err, "arm_pd.yaml: Scenario (model_drivers['arm'])"))
      << wrong.err;
}

TEST(Command, RunEndsWhereItIsToldAndWritesTheLog) {
  const std::string log = testing::TempDir() + "/wyvern_run.csv";
  fs::remove(log);
  const Result run = Call(
      {"run", kScenario, "--set", "logs=[]", "--until", "0.5", "--log", log});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(Has(run.out,
                  "ended at t = 0.5 s, as the duration is over; 522 "
                  "steps"))
      << run.out;
  std::ifstream stream(log);
  std::string line;
  int lines = 0;
  while (std::getline(stream, line)) ++lines;
  EXPECT_EQ(lines, 1 + 51);
}

TEST(Command, ASignalEndsARunWithItsLogsWhole) {
  const std::string log = testing::TempDir() + "/wyvern_signal.csv";
  fs::remove(log);
  const std::string run = fmt::format(
      "{0} run {1} --set logs=[] --set simulation_duration=.inf --log {2} > "
      "{2}.out 2>&1 &\n"
      "until [ -s {2}.partial ] || ! kill -0 $!; do sleep 0.02; done\n"
      "kill -INT $!; wait $!",
      WYVERN_PROGRAM, kScenario, log);
  EXPECT_NE(std::system(run.c_str()), -1);
  std::ifstream said(log + ".out");
  const std::string text(std::istreambuf_iterator<char>(said), {});
  EXPECT_TRUE(Has(text, "it was told to stop")) << text;
  EXPECT_FALSE(Has(text, "\r"))
      << "No progress line where there is no terminal";
  std::ifstream stream(log);
  const std::string rows(std::istreambuf_iterator<char>(stream), {});
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back(), '\n');
  EXPECT_FALSE(fs::exists(log + ".partial"));
}

// The row of a sample, as numbers; words are 0.
std::vector<double> ReadRow(const fs::path& table, int sample) {
  std::ifstream stream(table);
  std::string line;
  for (int i = 0; i <= sample + 1; ++i) std::getline(stream, line);
  std::vector<double> row;
  std::istringstream fields(line);
  while (std::getline(fields, line, ',')) {
    row.push_back(std::strtod(line.c_str(), nullptr));
  }
  return row;
}

TEST(Command, ASweepGivesATableAndTheCommandOfEachWorstCase) {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_sweep";
  fs::remove_all(folder);
  const std::string pole = (kTop / "app/scenarios/cart_pole_lqr.yaml").string();
  const std::vector<std::string> arguments{
      "sweep",     pole,
      "--set",     "simulation_duration=0.05",
      "--set",     "plant_config.time_step=0.001",
      "--param",   "initial_position.cart_pole.pin=[[0], [0.1], [0.2]]",
      "--param",   "model_drivers.cart_pole.R[0]=!Uniform {min: 1, max: 2}",
      "--samples", "6",
      "--output",  "plant/state[1]",
      "--output",  "plant/state[1]:max",
      "--folder",  folder.string()};
  const Result sweep = Call(arguments);
  EXPECT_EQ(sweep.code, 0) << sweep.err;
  EXPECT_TRUE(Has(sweep.out, "6 of 6 samples are done, 0 of them failed"))
      << sweep.out;
  const std::vector<double> last = ReadRow(folder / "results.csv", 5);
  EXPECT_NEAR(last.at(3), 0.2, 1e-3);
  EXPECT_EQ(last.at(4), 0.05);
  // The command of the sample that moved most does the same again.
  const std::size_t at = sweep.out.find("most cart_pole_pin_q:max");
  ASSERT_NE(at, std::string::npos) << sweep.out;
  const std::size_t number = sweep.out.rfind("# sample ", at) + 9;
  const int sample = std::stoi(sweep.out.substr(number));
  const std::size_t begin = sweep.out.find("wyvern run", at) + 6;
  const std::string again =
      sweep.out.substr(begin, sweep.out.find('\n', begin) - begin);
  const std::string log = (folder / "again.csv").string();
  EXPECT_EQ(std::system(fmt::format("{} {} --set 'logs=[]' --log {} > {}.out",
                                    WYVERN_PROGRAM, again, log, log)
                            .c_str()),
            0);
  const std::vector<double> end = ReadRow(log, 5);
  EXPECT_EQ(end.at(2), ReadRow(folder / "results.csv", sample).at(2));
  // Without --resume the folder is not touched.
  EXPECT_TRUE(Has(Call(arguments).err, "has results"));
}

// Blocks of a plug-in are needed by the runs that the summary suggests.
TEST(Command, CommandsOfASweepLoadItsPlugins) {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_sweep_plugin";
  fs::remove_all(folder);
  SweepCommand command;
  command.scenario = (kTop / "app/scenarios/cart_pole_lqr.yaml").string();
  command.settings = {"simulation_duration=0.01"};
  command.plugins = {"my blocks.so", "b.so"};
  command.parameters = {"plant_config.time_step=[0.001, 0.002]"};
  command.folder = folder.string();
  std::ostringstream out;
  RunSweepCommand(command, out);
  EXPECT_TRUE(Has(out.str(),
                  "cart_pole_lqr.yaml' --plugin 'my blocks.so' "
                  "--plugin 'b.so' --set 'simulation_duration=0.01' "
                  "--set "))
      << out.str();
}

TEST(Command, ASweepThatCannotBeIsAnErrorBeforeItBegins) {
  const auto sweep = [](const std::vector<std::string>& more) {
    std::vector<std::string> all{"sweep", kScenario, "--folder",
                                 testing::TempDir() + "/wyvern_no_sweep"};
    all.insert(all.end(), more.begin(), more.end());
    return Call(all).err;
  };
  EXPECT_TRUE(Has(sweep({"--param", "x=1"}), "--param x=1"));
  EXPECT_TRUE(Has(sweep({"--param", "plant_config.tme=1:2:3"}), "'tme'"));
  EXPECT_TRUE(Has(sweep({"--output", "plant/stat"}), "plant/stat"));
  EXPECT_TRUE(Has(sweep({"--output", "plant/state[99]"}), "has 14 elements"));
  EXPECT_TRUE(Has(sweep({"--output", "plant/state:mean"}), "no 'mean'"));
  EXPECT_TRUE(Has(sweep({"--shard", "2/2"}), "--shard 2/2"));
  EXPECT_TRUE(Has(sweep({"--timeout", "nan"}), "nan"));
  EXPECT_FALSE(fs::exists(testing::TempDir() + "/wyvern_no_sweep"));
}

TEST(Command, PrintGivesTheScenarioWithEveryDefault) {
  const Result print = Call({"run", kScenario, "--print", "--set",
                             "random_seed=!Deterministic {value: 3}"});
  EXPECT_NE(print.code, 0);
  const Result good = Call({"run", kScenario, "--print"});
  EXPECT_EQ(good.code, 0);
  EXPECT_TRUE(Has(good.out, "random_seed: 0\n"));
  EXPECT_TRUE(Has(good.out, "hunt_crossley_dissipation:"));
}

// JSON is YAML, as far as this goes.
std::vector<std::string> KeysOf(const yaml::internal::Node& schema) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : schema.Find("properties")->entries) {
    keys.push_back(key);
  }
  return keys;
}

TEST(Command, TheSchemaHasTheFieldsOfAScenario) {
  const Result result = Call({"schema"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto schema = yaml::internal::Parse(result.out, "schema");
  // A saved scenario has all keys.
  const auto saved = yaml::internal::Parse(
      SaveScenario(LoadScenarioFromString("gravity: [0, 0, -9.81]")), "saved");
  std::vector<std::string> keys;
  for (const auto& [key, value] : saved->entries) keys.push_back(key);
  // A key that has no default, as gravity, is saved last.
  std::vector<std::string> keys_of_schema = KeysOf(*schema);
  std::ranges::sort(keys_of_schema);
  std::ranges::sort(keys);
  EXPECT_EQ(keys_of_schema, keys);
  const yaml::internal::Node* plant =
      schema->Find("properties")->Find("plant_config")->Find("properties");
  EXPECT_EQ(plant->Find("time_step")->Find("default")->text, "0.001");
  const yaml::internal::Node* drivers = schema->Find("properties")
                                            ->Find("model_drivers")
                                            ->Find("additionalProperties")
                                            ->Find("anyOf");
  EXPECT_EQ(drivers->items.size(), std::variant_size_v<ModelDriver>);
  EXPECT_EQ(drivers->items[1]->Find("title")->text, "!PdDriver");
  const yaml::internal::Node* sensors = schema->Find("properties")
                                            ->Find("sensors")
                                            ->Find("additionalProperties")
                                            ->Find("anyOf");
  EXPECT_EQ(sensors->items.size(), std::variant_size_v<Sensor>);
  EXPECT_EQ(KeysOf(*sensors->items[0]->Find("properties")->Find("errors")),
            (std::vector<std::string>{"period", "offset", "delay", "bias",
                                      "noise", "quantum", "seed"}));
}

// Paths of the keys in a schema that have no description.
void AddUndescribedKeys(const yaml::internal::Node& schema,
                        const std::string& path,
                        std::vector<std::string>* undescribed) {
  for (const auto& [name, value] : schema.entries) {
    AddUndescribedKeys(*value, path + "/" + name, undescribed);
    if (name != "properties") continue;
    for (const auto& [key, field] : value->entries) {
      if (field->Find("description") == nullptr) {
        undescribed->push_back(path + "/" + key);
      }
    }
  }
  for (const auto& item : schema.items) {
    AddUndescribedKeys(*item, path, undescribed);
  }
}

TEST(Command, TheSchemaDescribesEveryKey) {
  const Result result = Call({"schema"});
  const auto schema = yaml::internal::Parse(result.out, "schema");
  std::vector<std::string> undescribed;
  AddUndescribedKeys(*schema, "", &undescribed);
  EXPECT_EQ(undescribed, std::vector<std::string>{});
}

TEST(Command, DiagramListsThePortsThatLogsMayName) {
  const Result text = Call({"diagram", kScenario});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(Has(text.out, "-> plant/arm_state [14]"));
  EXPECT_TRUE(Has(text.out, "<- arm_actuation [7] N m  from arm_driver/sum"));
  const Result dot = Call({"diagram", kScenario, "--dot"});
  EXPECT_TRUE(dot.out.starts_with("digraph"));
  EXPECT_TRUE(
      Has(Call({"diagram", kScenario, "--format", "dot"}).out, "digraph"));
  EXPECT_NE(Call({"diagram", kScenario, "--format", "png"}).code, 0);
}

// A search path with one program `dot`, or with none.
class SearchPath {
 public:
  explicit SearchPath(const std::string& script) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    if (!script.empty()) {
      std::ofstream(folder_ / "dot") << "#!/bin/sh\n" << script;
      fs::permissions(folder_ / "dot", fs::perms::owner_all);
    }
    setenv("PATH", folder_.c_str(), 1);
  }
  ~SearchPath() {
    setenv("PATH", before_.c_str(), 1);
    fs::remove_all(folder_);
  }

 private:
  const std::string before_{getenv("PATH")};
  const fs::path folder_{fs::path(testing::TempDir()) / "wyvern_search_path"};
};

TEST(Command, ADiagramIsDrawnByGraphviz) {
  const auto draw = [] {
    return Call({"diagram", kScenario, "--format", "svg"});
  };
  {
    // Given the arguments, and all that is written to it.
    const SearchPath path(
        "echo \"<svg $*\"; while read -r l; do echo $l; done");
    const Result drawn = draw();
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_TRUE(drawn.out.starts_with("<svg -Tsvg\n")) << drawn.out;
    EXPECT_TRUE(Has(drawn.out, "arm_driver"));
    EXPECT_TRUE(Has(drawn.out, "\n}\n"));
  }
  {
    const SearchPath path("");
    const Result result = draw();
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(Has(result.err,
                    "Graphviz's program dot is not in the PATH; "
                    "install it (Debian: graphviz)"))
        << result.err;
  }
  {
    const SearchPath path("exit 3");
    EXPECT_TRUE(Has(draw().err, "dot ended with code 3")) << draw().err;
  }
  if (std::system("dot -V >/dev/null 2>&1") != 0) return;
  EXPECT_TRUE(Has(draw().out, "</svg>"));
}

TEST(Command, InspectTellsTreeMassesAndLimits) {
  const Result text = Call({"inspect", kArm});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(
      Has(text.out, "7 positions, 7 velocities, 7 actuators, 23.32 kg"));
  EXPECT_TRUE(Has(text.out,
                  "      shoulder_pitch (revolute, -2.05 to 2.05, effort 120) "
                  "-> arm::upper_arm\n"));
  EXPECT_TRUE(Call({"inspect", kArm, "--dot"}).out.starts_with("digraph"));
}

// JSON is YAML: the typed reader takes it, with all its fields.
struct Json {
  struct Body {
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_NVP(name));
      a->Visit(WYVERN_NVP(mass));
      a->Visit(WYVERN_NVP(center_of_mass));
      a->Visit(WYVERN_NVP(principal_moments));
      a->Visit(WYVERN_NVP(ellipsoid_semi_axes));
      a->Visit(WYVERN_NVP(shape_reach));
      a->Visit(WYVERN_NVP(num_visuals));
      a->Visit(WYVERN_NVP(num_collisions));
    }
    std::string name;
    double mass{}, shape_reach{};
    Vector3<double> center_of_mass, principal_moments, ellipsoid_semi_axes;
    int num_visuals{}, num_collisions{};
  };
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(total_mass));
    a->Visit(WYVERN_NVP(num_actuators));
    a->Visit(WYVERN_NVP(bodies));
    a->Visit(WYVERN_NVP(warnings));
  }
  double total_mass{};
  int num_actuators{};
  std::vector<Body> bodies;
  std::vector<std::string> warnings;
};

TEST(Command, InspectGivesJsonWithTheSame) {
  const Result result = Call({"inspect", kArm, "--json"});
  const auto json = yaml::LoadYamlString<Json>(
      result.out, {}, {},
      yaml::LoadYamlOptions{.allow_yaml_with_no_cpp = true});
  EXPECT_NEAR(json.total_mass, 23.32, 1e-12);
  ASSERT_EQ(json.bodies.size(), 9u);
  const Json::Body& base = json.bodies[0];
  EXPECT_EQ(base.name, "arm::base");
  // A cylinder of 5.2 kg, radius 0.09 m, length 0.16 m: m r^2 / 2 is 0.02106.
  EXPECT_NEAR(base.principal_moments[2], 0.02106, 1e-12);
  // An ellipsoid has I_x = m (b^2 + c^2) / 5.
  const Vector3<double> s = base.ellipsoid_semi_axes;
  EXPECT_NEAR(5.2 / 5 * (s[1] * s[1] + s[2] * s[2]), base.principal_moments[2],
              1e-12);
}

TEST(Command, InspectTellsWhatIsDoubtful) {
  const std::string file = testing::TempDir() + "/wyvern_doubt.urdf";
  std::ofstream(file) << "<robot name='\"q\"'><link name='a' "
                         "colour='red'><inertial><mass value='1'/><inertia "
                         "ixx='1' iyy='1' izz='8' ixy='0' ixz='0' "
                         "iyz='0'/></inertial></link></robot>";
  EXPECT_TRUE(Has(Call({"inspect", file}).out, "Warnings:\n"));
  const auto json = yaml::LoadYamlString<Json>(
      Call({"inspect", file, "--json"}).out, {}, {},
      yaml::LoadYamlOptions{.allow_yaml_with_no_cpp = true});
  EXPECT_EQ(json.warnings.size(), 2u);
  EXPECT_EQ(json.bodies.at(0).name, "\"q\"::a");
}

// A ball's own, 0.4 m r^2; no mass in it has more than m r^2 for each axis.
TEST(Command, InspectDoubtsAnInertiaThatTheShapesDoNotHave) {
  const std::string file = testing::TempDir() + "/wyvern_ball.urdf";
  const auto inspect = [&file](double moment) {
    std::ofstream(file) << fmt::format(
        "<robot name='r'><link name='a'><inertial><mass value='2'/><inertia "
        "ixx='{0}' iyy='{0}' izz='{0}' ixy='0' ixz='0' iyz='0'/></inertial>"
        "<visual><origin xyz='0 0 0.3'/><geometry><sphere radius='0.2'/>"
        "</geometry></visual></link></robot>",
        moment);
    return Call({"inspect", file}).out;
  };
  const double reach = 0.5;
  const double least_outside = 2 * 2.0 * reach * reach;
  EXPECT_FALSE(Has(inspect(0.99 * least_outside), "Warnings"));
  EXPECT_TRUE(Has(inspect(1.01 * least_outside),
                  "the inertia of 'r::a' is that of a solid ellipsoid with a "
                  "semi-axis of 1.12 m, and its shapes reach 0.5 m from its "
                  "centre of mass: no mass within them has it."));
  EXPECT_TRUE(Has(inspect(1e-5), "all mass is close to that point"));
  EXPECT_FALSE(Has(Call({"inspect", kArm}).out, "Warnings"));
}

}  // namespace command_test
}  // namespace wyvern::app
