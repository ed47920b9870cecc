// The commands: each has its options, an example in its help, and a function
// that does it by the library's classes. Signals set a flag that the run asks
// for after each step, and give the next one its default meaning.
#include "wyvern/app/command.h"

#include <cmath>
#include <csignal>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "wyvern/app/diagram_text.h"
#include "wyvern/app/model_report.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"

namespace wyvern::app {

namespace {

volatile std::sig_atomic_t g_is_interrupted = 0;

extern "C" void TakeSignal(int signal) {
  g_is_interrupted = 1;
  std::signal(signal, SIG_DFL);
}

/** Takes SIGINT and SIGTERM while it lives. */
class SignalGuard {
 public:
  SignalGuard() {
    g_is_interrupted = 0;
    interrupt_ = std::signal(SIGINT, TakeSignal);
    terminate_ = std::signal(SIGTERM, TakeSignal);
  }
  SignalGuard(const SignalGuard&) = delete;
  ~SignalGuard() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, terminate_);
  }

 private:
  using Handler = void (*)(int);
  Handler interrupt_{};
  Handler terminate_{};
};

struct Options {
  std::string scenario;
  std::string model;
  std::vector<std::string> settings;
  double until{-1};
  double realtime{-1};
  std::string log;
  bool is_json{false};
  bool is_dot{false};
};

std::filesystem::path FolderOf(const std::string& file) {
  return std::filesystem::absolute(file).parent_path();
}

// The simulation of the scenario; what is wrong with it is said with its file.
std::unique_ptr<ScenarioSimulation> Build(const Scenario& scenario,
                                          const Options& options,
                                          bool with_logs) {
  try {
    return std::make_unique<ScenarioSimulation>(
        scenario, FolderOf(options.scenario), with_logs);
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{}: {}", options.scenario, error.what()));
  }
}

void Run(const Options& options, std::ostream& out) {
  Scenario scenario = LoadScenario(options.scenario, options.settings);
  if (options.until >= 0) {
    scenario.simulation_duration =
        options.until - scenario.simulator_config.start_time;
  }
  if (options.realtime >= 0) {
    scenario.simulator_config.target_realtime_rate = options.realtime;
  }
  if (!options.log.empty()) scenario.logs.push_back({.file = options.log});
  const auto simulation = Build(scenario, options, true);
  const SignalGuard guard;
  const RunSummary summary =
      simulation->Run([] { return g_is_interrupted != 0; });
  out << fmt::format("{}: ended at t = {:.6g} s, as {}; {} steps in {:.3g} s\n",
                     options.scenario, summary.end_time, summary.reason,
                     summary.num_steps, summary.wall_time);
  for (const Log& log : scenario.logs) {
    out << fmt::format("  {} -> {}\n", fmt::join(log.port_names(), ", "),
                       log.file);
  }
}

void Inspect(const Options& options, std::ostream& out) {
  const ModelReport report = InspectModel(options.model);
  out << (options.is_json  ? ToJson(report)
          : options.is_dot ? report.graphviz
                           : ToText(report));
}

void ShowDiagram(const Options& options, std::ostream& out) {
  const auto simulation =
      Build(LoadScenario(options.scenario, options.settings), options, false);
  out << (options.is_dot ? simulation->diagram().GetGraphvizString()
                         : DescribeDiagram(simulation->diagram()));
}

// CLI11's own check lets nan through.
const CLI::Validator kTime(
    [](std::string& text) -> std::string {
      double value = 0.0;
      const bool is_good = CLI::detail::lexical_cast(text, value) &&
                           std::isfinite(value) && value >= 0.0;
      return is_good ? "" : "'" + text + "' is no time; give 0 or more";
    },
    "NUMBER");

void AddScenarioOptions(CLI::App* command, Options* options) {
  command->add_option("scenario", options->scenario, "The scenario, YAML")
      ->required();
  command
      ->add_option("--set", options->settings,
                   "path=value, of any place in the scenario")
      ->expected(1)
      ->take_all();
}

}  // namespace

int RunCommand(const std::vector<std::string>& arguments, std::ostream& out,
               std::ostream& err) {
  Options options;
  CLI::App app("Simulates robots: scenarios and models from files.", "wyvern");
  app.set_version_flag("--version", WYVERN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  wyvern inspect arm.urdf             what is in a model\n"
      "  wyvern diagram arm.yaml             the blocks of a scenario\n"
      "  wyvern run arm.yaml --log arm.csv   a run, with the states in a "
      "table\n"
      "`wyvern run --help` goes on from there.");

  CLI::App* run = app.add_subcommand("run", "Runs a scenario");
  AddScenarioOptions(run, &options);
  run->add_option("--until", options.until, "Simulated time to end at, s")
      ->check(kTime);
  run->add_option("--realtime", options.realtime,
                  "Simulated seconds a second; 0: as fast as possible")
      ->check(kTime);
  run->add_option(
      "--log", options.log,
      "File for the plant's state every 0.01 s: .csv, .h5 or .mcap");
  run->footer(
      "Examples:\n"
      "  wyvern run arm.yaml\n"
      "  wyvern run arm.yaml --until 2 --realtime 1\n"
      "  wyvern run arm.yaml --set plant_config.time_step=0.002 \\\n"
      "      --set 'model_drivers.arm.kp=[50]' --set logs[0].file=soft.csv\n"
      "Ctrl-C ends a run with its logs whole; again: at once.");

  CLI::App* inspect = app.add_subcommand(
      "inspect", "Tells what is in a model: joints, masses, limits, doubts");
  inspect
      ->add_option("model", options.model,
                   "A .urdf, .sdf, .xml (MJCF) or .dmd.yaml")
      ->required();
  auto* json = inspect->add_flag("--json", options.is_json, "As JSON");
  inspect->add_flag("--dot", options.is_dot, "The joints, for Graphviz")
      ->excludes(json);
  inspect->footer(
      "Examples:\n"
      "  wyvern inspect arm.urdf\n"
      "  wyvern inspect arm.urdf --json | jq .total_mass\n"
      "  wyvern inspect arm.urdf --dot | dot -Tsvg > arm.svg");

  CLI::App* diagram = app.add_subcommand(
      "diagram", "Shows the blocks of a scenario, their ports and wires");
  AddScenarioOptions(diagram, &options);
  diagram->add_flag("--dot", options.is_dot, "For Graphviz");
  diagram->footer(
      "Examples:\n"
      "  wyvern diagram arm.yaml                          names for logs\n"
      "  wyvern diagram arm.yaml --dot | dot -Tsvg > arm.svg");

  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    if (run->parsed()) Run(options, out);
    if (inspect->parsed()) Inspect(options, out);
    if (diagram->parsed()) ShowDiagram(options, out);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, out, err);
  } catch (const std::exception& error) {
    err << "wyvern: " << error.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace wyvern::app
