// The commands: each has its options, an example in its help, and a function
// that does it by the library's classes.
#include "wyvern/app/command.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "wyvern/app/command_help.h"
#include "wyvern/app/diagram_text.h"
#include "wyvern/app/graphviz_svg.h"
#include "wyvern/app/log_view.h"
#include "wyvern/app/model_report.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_report.h"
#include "wyvern/app/scenario_schema.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/app/signal_guard.h"
#include "wyvern/app/sweep_command.h"
#include "wyvern/app/view.h"
#include "wyvern/multibody/parsing/conversion/convert_model.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"
#include "wyvern/simulator/viewing/live_simulation.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/processor_level.h"
#include "wyvern/systems/common/standard_output.h"

namespace wyvern::app {

namespace {

struct Options {
  std::string scenario;
  std::string model;
  std::vector<std::string> settings;
  double until{-1};
  double realtime{-1};
  std::string log;
  bool is_json{false};
  bool is_dot{false};
  std::string format{"text"};
  bool prints_scenario{false};
  std::string target;
  bool is_lossy{false};
  std::string report;
  // These options apply only to models shown in a browser.
  bool is_viewed{false};
  bool opens_browser{false};
  std::optional<int> port;
  std::string host{"localhost"};
  SweepCommand sweep;
};

std::filesystem::path FolderOf(const std::string& file) {
  return internal::MakeAbsolute("The command line", file).parent_path();
}

// The simulation of the scenario; what is wrong with it is said with its file.
std::unique_ptr<ScenarioSimulation> Build(
    const Scenario& scenario, const Options& options, bool with_logs,
    const ScenarioSimulation::Additions& additions = nullptr) {
  try {
    return std::make_unique<ScenarioSimulation>(
        scenario, FolderOf(options.scenario), with_logs, additions);
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{}: {}", options.scenario, error.what()));
  }
}

std::shared_ptr<geometry::Viewer> MakeViewer(const Options& options,
                                             std::ostream& out) {
  geometry::ViewerParams params;
  params.host = options.host;
  params.port = options.port;
  auto viewer = std::make_shared<geometry::Viewer>(params);
  out << fmt::format("Open {} to see it; Ctrl-C ends.\n", viewer->web_url())
      << std::flush;
  if (options.opens_browser) OpenInBrowser(viewer->web_url());
  return viewer;
}

// Gives the page a timeline, and waits for Ctrl-C.
void ShowRecording(geometry::Viewer* viewer, std::ostream& out) {
  if (IsInterrupted()) return;
  viewer->PublishRecording();
  out << "The page has a timeline of the run; Ctrl-C ends.\n" << std::flush;
  while (!IsInterrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Run(const Options& options, std::ostream& out, bool with_logs = true) {
  Scenario scenario = LoadScenario(options.scenario, options.settings);
  if (options.until >= 0) {
    scenario.simulation_duration =
        options.until - scenario.simulator_config.start_time;
  }
  if (options.realtime >= 0) {
    scenario.simulator_config.target_realtime_rate = options.realtime;
  } else if (options.is_viewed &&
             scenario.simulator_config.target_realtime_rate == 0) {
    scenario.simulator_config.target_realtime_rate = 1;
  }
  if (!options.log.empty()) scenario.logs.push_back({.file = options.log});
  if (options.prints_scenario) {
    out << SaveScenario(scenario);
    return;
  }
  const SignalGuard guard;
  const auto viewer = options.is_viewed ? MakeViewer(options, out) : nullptr;
  std::optional<ScenarioReport> report;
  if (!options.report.empty()) {
    report.emplace(scenario, std::filesystem::path(options.scenario).filename(),
                   viewer);
  }
  const auto simulation =
      Build(scenario, options, with_logs,
            [&](const multibody::MultibodyPlant<double>& plant,
                systems::DiagramBuilder<double>* builder) {
              if (report) report->Additions()(plant, builder);
              if (viewer == nullptr) return;
              visualization::AddDefaultVisualization(builder, viewer);
              viewer->StartRecording();
            });
  const auto should_stop = [] { return IsInterrupted(); };
  std::optional<systems::LiveSimulation> live;
  std::function<void(double)> advance;
  if (viewer != nullptr) {
    live.emplace(&simulation->simulator(), viewer,
                 systems::LiveSimulationParams{.ends_waiting = should_stop});
    simulation->AddSliders(&*live);
    advance = [&live](double time) { live->AdvanceTo(time); };
  }
  RunSummary summary;
  try {
    summary = simulation->Run(should_stop, advance);
  } catch (const std::exception& error) {
    if (viewer == nullptr) throw;
    // The page shows where, until a person has seen it.
    const double time = simulation->simulator().get_context().get_time();
    viewer->MarkRecording(error.what(), time);
    out << fmt::format("{}: {}\n", options.scenario, error.what());
    ShowRecording(viewer.get(), out);
    throw;
  }
  if (viewer != nullptr && !report) {
    viewer->MarkRecording(summary.reason, summary.end_time);
  }
  out << fmt::format("{}: ended at t = {:.6g} s, as {}; {} steps in {:.3g} s\n",
                     options.scenario, summary.end_time, summary.reason,
                     summary.num_steps, summary.wall_time);
  if (with_logs) {
    for (const Log& log : scenario.logs) {
      out << fmt::format("  {} -> {}\n", fmt::join(log.port_names(), ", "),
                         log.file);
    }
  }
  if (report) {
    report->Save(options.report, simulation.get(), summary);
    out << fmt::format("  report -> {}\n", options.report);
  }
  if (viewer == nullptr) return;
  ShowRecording(viewer.get(), out);
}

void View(Options options, std::ostream& out) {
  const std::string& file = options.model;
  const auto ends_with = [&file](std::initializer_list<const char*> endings) {
    return std::ranges::any_of(
        endings, [&file](const char* end) { return file.ends_with(end); });
  };
  if (ends_with({".csv", ".mcap"})) {
    throw std::runtime_error(fmt::format(
        "{} is a log that does not say what was simulated; give one that ends "
        "with .h5, a model, or a scenario.",
        file));
  }
  if (ends_with({".yaml", ".yml"}) && !ends_with({".dmd.yaml"})) {
    options.scenario = file;
    options.is_viewed = true;
    Run(options, out, false);
    return;
  }
  if (!options.settings.empty()) {
    throw std::runtime_error(fmt::format(
        "--set is for scenarios, and {} is a model; leave it out.", file));
  }
  const SignalGuard guard;
  // Report errors of the file before printing the address of the page.
  if (!internal::Exists(file)) {
    throw std::runtime_error(fmt::format(
        "there is no file '{}'; give a model or a scenario.", file));
  }
  if (ends_with({".h5", ".hdf5"})) {
    const LogView log(file);
    const auto viewer = MakeViewer(options, out);
    log.Show(viewer);
    ShowRecording(viewer.get(), out);
    return;
  }
  ViewModel(
      file, MakeViewer(options, out), [] { return IsInterrupted(); }, out);
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
  const systems::Diagram<double>& diagram = simulation->diagram();
  if (options.format == "svg") {
    out << DrawSvg(diagram.GetGraphvizString());
  } else {
    out << (options.is_dot || options.format == "dot"
                ? diagram.GetGraphvizString()
                : DescribeDiagram(diagram));
  }
}

void Convert(const Options& options, std::ostream& out, std::ostream& err) {
  multibody::ModelConversionOptions how;
  how.is_lossy = options.is_lossy;
  const multibody::ModelConversion conversion =
      multibody::ConvertModel(options.model, options.target, how);
  for (const std::string& warning : conversion.warnings) {
    err << "wyvern: not read: " << warning << "\n";
  }
  const std::string losses =
      fmt::format("  {}", fmt::join(conversion.losses, "\n  "));
  if (!conversion.is_written) {
    throw std::runtime_error(fmt::format(
        "{} is not written, for it would not be the same model:\n{}\n"
        "--lossy writes it all the same.",
        options.target, losses));
  }
  out << fmt::format("{} -> {}\n", options.model, options.target);
  if (conversion.losses.empty()) return;
  err << fmt::format("wyvern: {} is not the same model:\n{}\n", options.target,
                     losses);
}

// Returns the text of --help as data.
CommandHelp DescribeCommand(const CLI::App& app) {
  CommandHelp help{.name = app.get_name(),
                   .description = app.get_description(),
                   .footer = app.get_footer()};
  for (const CLI::Option* const option : app.get_options()) {
    OptionHelp& added = help.options.emplace_back();
    added.is_positional = option->get_positional();
    added.description = option->get_description();
    if (added.is_positional) {
      added.names = {option->get_name(true)};
      continue;
    }
    for (const auto& name : option->get_snames()) {
      added.names.push_back("-" + name);
    }
    for (const auto& name : option->get_lnames()) {
      added.names.push_back("--" + name);
    }
    if (option->get_items_expected_max() > 0) {
      added.value = option->get_type_name();
    }
  }
  for (const CLI::App* const command : app.get_subcommands({})) {
    help.commands.push_back(DescribeCommand(*command));
  }
  return help;
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

void AddViewOptions(CLI::App* command, Options* options) {
  command->add_flag("--open", options->opens_browser, "Opens the browser");
  command
      ->add_option("--port", options->port,
                   "Of the page; the first free one from 7000 without")
      ->check(CLI::Range(0, 65535));
  command->add_option("--host", options->host,
                      "Who may see the page: localhost, an address of this "
                      "machine, or * for all of its network");
}

void AddScenarioOptions(CLI::App* command, std::string* scenario,
                        std::vector<std::string>* settings) {
  command->add_option("scenario", *scenario, "The scenario, YAML")->required();
  command
      ->add_option("--set", *settings,
                   "path=value, of any place in the scenario")
      ->expected(1)
      ->take_all();
}

// Does what RunCommand() says, but may return before the output is flushed.
int RunArguments(const std::vector<std::string>& arguments, std::ostream& out,
                 std::ostream& err) {
  Options options;
  CLI::App app("Simulates robots: scenarios and models from files.", "wyvern");
  app.set_version_flag(
      "--version", fmt::format("{} ({})", WYVERN_VERSION, ProcessorLevel()));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  wyvern inspect arm.urdf             what is in a model\n"
      "  wyvern convert arm.urdf arm.sdf     a model in another format\n"
      "  wyvern diagram arm.yaml             the blocks of a scenario\n"
      "  wyvern run arm.yaml --log arm.csv   a run, with the states in a "
      "table\n"
      "  wyvern view arm.urdf                a model in the browser\n"
      "  wyvern sweep arm.yaml --param plant_config.time_step=[0.001, 0.01]\n"
      "                                      many, into one table\n"
      "`wyvern run --help` goes on from there.");

  CLI::App* run = app.add_subcommand("run", "Runs a scenario");
  AddScenarioOptions(run, &options.scenario, &options.settings);
  run->add_option("--until", options.until, "Simulated time to end at, s")
      ->check(kTime);
  run->add_option("--realtime", options.realtime,
                  "Simulated seconds a second; 0: as fast as possible")
      ->check(kTime);
  run->add_option(
      "--log", options.log,
      "File for the plant's state every 0.01 s: .csv, .h5 or .mcap");
  run->add_option("--report", options.report,
                  "File for a page about the run, .html: plots, statistics, "
                  "replay");
  run->add_flag("--view", options.is_viewed,
                "Shows the run in a browser, at its own pace");
  AddViewOptions(run, &options);
  run->add_flag("--print", options.prints_scenario,
                "Do not run; print the scenario with all defaults and all "
                "numbers drawn");
  run->footer(
      "Examples:\n"
      "  wyvern run arm.yaml\n"
      "  wyvern run arm.yaml --until 2 --realtime 1\n"
      "  wyvern run arm.yaml --report arm.html\n"
      "  wyvern run arm.yaml --view --open\n"
      "  wyvern run arm.yaml --set plant_config.time_step=0.002 \\\n"
      "      --set 'model_drivers.arm.kp=[50]' --set logs[0].file=soft.csv\n"
      "Ctrl-C ends a run with its logs whole; again: at once.");

  CLI::App* sweep = app.add_subcommand(
      "sweep", "Runs a scenario many times, with other numbers each time");
  AddScenarioOptions(sweep, &options.sweep.scenario, &options.sweep.settings);
  sweep
      ->add_option("--param", options.sweep.parameters,
                   "path=from:to:count, path=[a, b, c] or path=!Uniform {min: "
                   "0, max: 1}; several make a grid")
      ->expected(1)
      ->take_all();
  sweep->add_option("--samples", options.sweep.num_samples,
                    "How many runs; without, the grid once");
  sweep->add_option("--seed", options.sweep.seed, "Of all that is drawn");
  sweep
      ->add_option("--output", options.sweep.outputs,
                   "What is kept of a run: system/port, system/port[2], and "
                   ":min or :max over the run; plant/state without")
      ->expected(1)
      ->take_all();
  sweep->add_option("--folder", options.sweep.folder,
                    "For results; SCENARIO_sweep without");
  sweep
      ->add_option("--jobs", options.sweep.jobs,
                   "Processes; as processors without")
      ->check(CLI::Range(1, 1024));
  sweep->add_option("--shard", options.sweep.shard,
                    "i/n: only the samples i, i + n, ..., for n machines");
  sweep->add_flag("--resume", options.sweep.resume,
                  "Go on with what is in the folder");
  sweep
      ->add_option("--timeout", options.sweep.timeout,
                   "Wall time after which a run has failed, s")
      ->check(kTime);
  sweep
      ->add_option("--lost-after", options.sweep.lost_after,
                   "Wall time without a sign of life after which a rank of "
                   "mpirun is lost, s")
      ->check(kTime);
  sweep->add_flag("--keep", options.sweep.keep,
                  "Each run's scenario and logs go to FOLDER/samples/NUMBER");
  sweep->footer(
      "Examples:\n"
      "  wyvern sweep arm.yaml --param model_drivers.arm.kp[0]=50:150:11\n"
      "  wyvern sweep arm.yaml --samples 1000 --output plant/state:max \\\n"
      "      --param 'disturbances[0].force[0]=!Gaussian {mean: 0, stddev: "
      "9}'\n"
      "  wyvern sweep arm.yaml ... --shard 0/4     on the first of 4 machines\n"
      "  mpirun -n 8 wyvern sweep arm.yaml ...     on all machines of a job\n"
      "  wyvern sweep arm.yaml ... --resume        after an end too early; or "
      "shards\n"
      "                                            into one table\n"
      "Ctrl-C ends a sweep, to be resumed; again: at once.");

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

  CLI::App* convert = app.add_subcommand(
      "convert", "Writes a model in another format, if that loses nothing");
  convert->add_option("model", options.model, "A .urdf, .sdf or .xml (MJCF)")
      ->required();
  convert->add_option("target", options.target, "The new .urdf or .sdf")
      ->required();
  convert->add_flag("--lossy", options.is_lossy,
                    "Write it even if it is another model then");
  convert->footer(
      "Examples:\n"
      "  wyvern convert arm.urdf arm.sdf\n"
      "  wyvern convert arm.xml arm.urdf --lossy\n"
      "What would be lost is told, element by element.");

  CLI::App* view = app.add_subcommand(
      "view", "Shows a model, or a run of a scenario, in the browser");
  view->add_option("file", options.model,
                   "A .urdf, .sdf, .xml (MJCF) or .dmd.yaml, which gets "
                   "sliders for its joints and is read again when it changes; "
                   "or a scenario, .yaml")
      ->required();
  view->add_option("--set", options.settings,
                   "path=value, of any place in the scenario")
      ->expected(1)
      ->take_all();
  AddViewOptions(view, &options);
  view->footer(
      "Examples:\n"
      "  wyvern view arm.urdf --open\n"
      "  wyvern view arm.yaml --set plant_config.time_step=0.002\n"
      "Ctrl-C ends it.");

  CLI::App* diagram = app.add_subcommand(
      "diagram", "Shows the blocks of a scenario, their ports and wires");
  AddScenarioOptions(diagram, &options.scenario, &options.settings);
  auto* format =
      diagram
          ->add_option("--format", options.format,
                       "text; dot, for Graphviz; svg, a drawing that "
                       "Graphviz's program dot makes")
          ->check(CLI::IsMember({"text", "dot", "svg"}));
  diagram->add_flag("--dot", options.is_dot, "As --format dot")
      ->excludes(format);
  diagram->footer(
      "Examples:\n"
      "  wyvern diagram arm.yaml                   names for logs\n"
      "  wyvern diagram arm.yaml --format svg > arm.svg\n"
      "  wyvern diagram arm.yaml --dot | dot -Tpdf > arm.pdf");

  CLI::App* schema = app.add_subcommand(
      "schema", "Prints the JSON schema of scenarios, for editors");
  schema->footer(
      "Example:\n"
      "  wyvern schema > scenario.schema.json\n"
      "and, on top of a scenario, for editors that know YAML:\n"
      "  # yaml-language-server: $schema=scenario.schema.json");

  CLI::App* manual =
      app.add_subcommand("manual", "Prints all this as a page for man");
  manual->footer("Example:\n  wyvern manual | man -l -");
  CLI::App* completion = app.add_subcommand(
      "completion", "Prints what makes Bash complete commands and options");
  completion->footer("Example:\n  source <(wyvern completion)");

  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    if (run->parsed()) Run(options, out);
    if (sweep->parsed()) RunSweepCommand(options.sweep, out);
    if (view->parsed()) View(options, out);
    if (inspect->parsed()) Inspect(options, out);
    if (schema->parsed()) out << MakeScenarioSchema();
    if (diagram->parsed()) ShowDiagram(options, out);
    if (convert->parsed()) Convert(options, out, err);
    if (manual->parsed()) {
      out << MakeManualPage(DescribeCommand(app), WYVERN_VERSION);
    }
    if (completion->parsed()) out << MakeBashCompletion(DescribeCommand(app));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, out, err);
  } catch (const std::exception& error) {
    err << "wyvern: " << error.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace

int RunCommand(const std::vector<std::string>& arguments, std::ostream& out,
               std::ostream& err) {
  const int code = RunArguments(arguments, out, err);
  const std::string fault = internal::FindPrintingFault(&out);
  if (fault.empty()) return code;
  err << fmt::format(
      "wyvern: standard output cannot be written: {}; print to a file on a "
      "disk with room, or to a program that reads all of it.\n",
      fault);
  return code == 0 ? 1 : code;
}

}  // namespace wyvern::app
