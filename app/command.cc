// The commands: each has its options, an example in its help, and a function
// that does it by the library's classes.
#include "wyvern/app/command.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "wyvern/app/command_help.h"
#include "wyvern/app/command_line_hints.h"
#include "wyvern/app/diagram_text.h"
#include "wyvern/app/file_kind.h"
#include "wyvern/app/graphviz_svg.h"
#include "wyvern/app/log_view.h"
#include "wyvern/app/model_report.h"
#include "wyvern/app/model_scenario.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_report.h"
#include "wyvern/app/scenario_schema.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/app/signal_guard.h"
#include "wyvern/app/sweep_command.h"
#include "wyvern/app/view.h"
#include "wyvern/multibody/parsing/conversion/convert_model.h"
#include "wyvern/multibody/parsing/package_map.h"
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
  ModelOptions simulated;
  // Whether `wyvern view` simulates a model.
  bool has_physics{false};
  std::vector<std::string> packages;
  SweepCommand sweep;
};

std::filesystem::path FolderOf(const std::string& file) {
  return internal::MakeAbsolute("The command line", file).parent_path();
}

// The paths of packages by name, each given as NAME=DIR.
std::map<std::string, std::string> ReadPackages(const Options& options) {
  std::map<std::string, std::string> packages;
  for (const std::string& text : options.packages) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size()) {
      throw std::runtime_error(fmt::format(
          "--package {}: give NAME=DIR, as in robot_description=../robot.",
          text));
    }
    const std::string name = text.substr(0, equals);
    const auto [at, is_new] = packages.emplace(
        name,
        internal::MakeAbsolute("The command line", text.substr(equals + 1))
            .string());
    if (!is_new) {
      throw std::runtime_error(fmt::format(
          "--package {}: the package '{}' is given twice.", text, name));
    }
    std::error_code error;
    if (!std::filesystem::is_directory(at->second, error)) {
      throw std::runtime_error(fmt::format(
          "--package {}: there is no folder '{}'.", text, at->second));
    }
  }
  return packages;
}

multibody::PackageMap ReadPackageMap(const Options& options) {
  multibody::PackageMap packages;
  for (const auto& [name, path] : ReadPackages(options)) {
    packages.Add(name, path);
  }
  return packages;
}

// Returns the scenario of the command line: a file's, or one for a model.
Scenario MakeScenario(const Options& options, const std::string& command) {
  const FileKind kind = FindFileKind(options.scenario);
  Scenario scenario;
  if (IsModel(kind)) {
    scenario = MakeModelScenario(options.scenario, options.simulated);
    scenario.packages = ReadPackages(options);
    if (!options.is_viewed && !options.prints_scenario) {
      scenario.simulation_duration = kModelDuration;
    }
    scenario = LoadScenarioFromString(SaveScenario(scenario), options.settings,
                                      options.scenario);
  } else {
    RequireFileKind(options.scenario, command, {FileKind::kScenario});
    scenario = LoadScenario(options.scenario, options.settings);
    ApplyModelOptions(options.simulated, &scenario);
    for (const auto& [name, path] : ReadPackages(options)) {
      scenario.packages[name] = path;
    }
  }
  return scenario;
}

// Returns the simulation of the scenario; errors name the scenario's file.
std::unique_ptr<ScenarioSimulation> Build(
    const Scenario& scenario, const Options& options, bool with_logs,
    const ScenarioSimulation::Additions& additions = nullptr) {
  // The path of a model is from the working folder.
  const std::filesystem::path folder =
      IsModel(FindFileKind(options.scenario))
          ? internal::MakeAbsolute("The command line", ".")
          : FolderOf(options.scenario);
  try {
    return std::make_unique<ScenarioSimulation>(scenario, folder, with_logs,
                                                additions);
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

ModelRemarks MakeRemarks(const ScenarioSimulation& simulation,
                         const std::string& model) {
  try {
    return ModelRemarks(simulation);
  } catch (const std::logic_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", model, error.what()));
  }
}

void Run(const Options& options, std::ostream& out, bool with_logs = true) {
  Scenario scenario = MakeScenario(options, with_logs ? "run" : "view");
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
  // Remarks on a model that a person has not put into a scenario.
  std::optional<ModelRemarks> remarks;
  if (IsModel(FindFileKind(options.scenario))) {
    remarks = MakeRemarks(*simulation, options.scenario);
    for (const std::string& remark : remarks->AtStart()) {
      out << fmt::format("{}: {}\n", options.scenario, remark);
    }
    out << std::flush;
  }
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
  if (remarks) {
    for (const std::string& remark : remarks->AtEnd(*simulation)) {
      out << fmt::format("{}: {}\n", options.scenario, remark);
    }
  }
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
  RequireFileKind(file, "view",
                  {FileKind::kScenario, FileKind::kHdf5, FileKind::kUrdf,
                   FileKind::kSdf, FileKind::kMjcf, FileKind::kDirectives});
  const FileKind kind = FindFileKind(file);
  const bool is_simulated = options.has_physics || options.until >= 0 ||
                            options.realtime >= 0 ||
                            options.simulated.time_step.has_value() ||
                            !options.simulated.contact_model.empty() ||
                            !options.simulated.base.empty();
  if (kind == FileKind::kHdf5) {
    if (is_simulated || !options.settings.empty()) {
      throw std::runtime_error(fmt::format(
          "{} is a log, which is replayed as it is; leave out the options of a "
          "simulation.",
          file));
    }
    const SignalGuard guard;
    const LogView log(file);
    const auto viewer = MakeViewer(options, out);
    log.Show(viewer);
    ShowRecording(viewer.get(), out);
    return;
  }
  if (kind == FileKind::kScenario || is_simulated) {
    options.scenario = file;
    options.is_viewed = true;
    Run(options, out, false);
    return;
  }
  if (!options.settings.empty()) {
    throw std::runtime_error(fmt::format(
        "--set is for simulations, and {} is a model; leave it out, or add "
        "--physics.",
        file));
  }
  const SignalGuard guard;
  const multibody::PackageMap packages = ReadPackageMap(options);
  ViewModel(
      file, MakeViewer(options, out), [] { return IsInterrupted(); }, out,
      packages);
}

void Inspect(const Options& options, std::ostream& out) {
  RequireFileKind(options.model, "inspect",
                  {FileKind::kUrdf, FileKind::kSdf, FileKind::kMjcf,
                   FileKind::kDirectives});
  const ModelReport report =
      InspectModel(options.model, ReadPackageMap(options));
  out << (options.is_json  ? ToJson(report)
          : options.is_dot ? report.graphviz
                           : ToText(report));
}

void ShowDiagram(const Options& options, std::ostream& out) {
  RequireFileKind(options.scenario, "diagram", {FileKind::kScenario});
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
  RequireFileKind(options.model, "convert",
                  {FileKind::kUrdf, FileKind::kSdf, FileKind::kMjcf});
  multibody::ModelConversionOptions how;
  how.packages = ReadPackageMap(options);
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
      return is_good ? ""
                     : "'" + text + "' is not a valid time; use a number >= 0";
    },
    "NUMBER");

void AddViewOptions(CLI::App* command, Options* options) {
  command->add_flag("--open", options->opens_browser,
                    "Open the page in the default browser");
  command
      ->add_option("--port", options->port,
                   "Port of the page (default: the first free one from 7000)")
      ->check(CLI::Range(0, 65535));
  command->add_option("--host", options->host,
                      "Address that serves the page: localhost, an address of "
                      "this machine, or * for all of its network");
}

void AddPackageOption(CLI::App* command, Options* options) {
  command
      ->add_option("--package", options->packages,
                   "Folder of a package, as NAME=DIR, for URLs such as "
                   "package://NAME/arm.obj")
      ->expected(1)
      ->take_all();
}

// Adds the options of simulations of models, most of which scenarios take too.
void AddModelOptions(CLI::App* command, Options* options) {
  command
      ->add_option("--time-step", options->simulated.time_step,
                   "Time step of the plant, s; 0 for continuous time (default "
                   "0.001)")
      ->check(kTime);
  command
      ->add_option("--contact-model", options->simulated.contact_model,
                   "Contact model: point, hydroelastic or "
                   "hydroelastic_with_fallback (the default)")
      ->check(CLI::IsMember(
          {"point", "hydroelastic", "hydroelastic_with_fallback"}));
  command
      ->add_option("--base", options->simulated.base,
                   "Base of a model: free, or welded to the world (default "
                   "free, unless the file has a joint to the world)")
      ->check(CLI::IsMember({"free", "welded"}));
  command
      ->add_option("--until", options->until,
                   "Simulated time at which to stop, s")
      ->check(kTime);
  command
      ->add_option("--realtime", options->realtime,
                   "Simulated seconds per second; 0: as fast as possible")
      ->check(kTime);
  AddPackageOption(command, options);
}

void AddSettings(CLI::App* command, std::vector<std::string>* settings) {
  command
      ->add_option("--set", *settings,
                   "Set any value of the scenario, as path=value")
      ->expected(1)
      ->take_all();
}

void AddScenarioOptions(CLI::App* command, std::string* scenario,
                        std::vector<std::string>* settings) {
  command->add_option("scenario", *scenario, "Scenario (.yaml)")->required();
  AddSettings(command, settings);
}

// Does what RunCommand() says, but may return before the output is flushed.
int RunArguments(const std::vector<std::string>& arguments, std::ostream& out,
                 std::ostream& err) {
  Options options;
  CLI::App app("Simulate robots from scenario and model files.", "wyvern");
  app.set_version_flag(
      "--version", fmt::format("{} ({})", WYVERN_VERSION, ProcessorLevel()));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  wyvern inspect arm.urdf             joints and masses of a model\n"
      "  wyvern convert arm.urdf arm.sdf     a model in another format\n"
      "  wyvern diagram arm.yaml             the blocks of a scenario\n"
      "  wyvern run arm.yaml --log arm.csv   a run, with the states in a "
      "table\n"
      "  wyvern run arm.urdf --base welded   a model by itself, on a floor\n"
      "  wyvern view arm.urdf                a model in the browser\n"
      "  wyvern sweep arm.yaml --param plant_config.time_step=[0.001, 0.01]\n"
      "                                      many runs, into one table\n"
      "`wyvern COMMAND --help` lists the options of a command.");

  CLI::App* run = app.add_subcommand("run", "Simulate a scenario or a model");
  run->add_option("scenario", options.scenario,
                  "Scenario (.yaml) or model (URDF, SDFormat, MJCF or "
                  "directives). A model gets gravity, a floor if nothing is "
                  "below it, and servos that hold its home position")
      ->required();
  AddSettings(run, &options.settings);
  AddModelOptions(run, &options);
  run->add_option(
      "--log", options.log,
      "File for the plant's state every 0.01 s: .csv, .h5 or .mcap");
  run->add_option("--report", options.report,
                  "File for a page about the run, .html: plots, statistics, "
                  "replay");
  run->add_flag("--view", options.is_viewed,
                "Show the run in a browser, in real time by default");
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
      "  wyvern run robot.urdf --base welded --view\n"
      "  wyvern run robot.urdf --print > robot.yaml\n"
      "  wyvern run arm.yaml --set plant_config.time_step=0.002 \\\n"
      "      --set 'model_drivers.arm.kp=[50]' --set logs[0].file=soft.csv\n"
      "Ctrl-C stops the run and closes its logs; press it twice to abort.");

  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run a scenario many times, with other numbers each time");
  AddScenarioOptions(sweep, &options.sweep.scenario, &options.sweep.settings);
  sweep
      ->add_option("--param", options.sweep.parameters,
                   "path=from:to:count, path=[a, b, c] or path=!Uniform {min: "
                   "0, max: 1}; several make a grid")
      ->expected(1)
      ->take_all();
  sweep->add_option("--samples", options.sweep.num_samples,
                    "Number of runs (default: the grid once)");
  sweep->add_option("--seed", options.sweep.seed,
                    "Random seed for all distributions (default 0)");
  sweep
      ->add_option("--output", options.sweep.outputs,
                   "Result to keep of each run: system/port, system/port[2], "
                   "and :min or :max over the run (default plant/state)")
      ->expected(1)
      ->take_all();
  sweep->add_option("--folder", options.sweep.folder,
                    "Folder for results (default SCENARIO_sweep)");
  sweep
      ->add_option("--jobs", options.sweep.jobs,
                   "Number of worker processes (default: one per CPU)")
      ->check(CLI::Range(1, 1024));
  sweep->add_option(
      "--shard", options.sweep.shard,
      "Run only the samples i, i + n, ... for the machine i of n, as i/n");
  sweep->add_flag("--resume", options.sweep.resume,
                  "Continue the sweep in the folder");
  sweep
      ->add_option("--timeout", options.sweep.timeout,
                   "Wall time after which a run counts as failed, s")
      ->check(kTime);
  sweep
      ->add_option("--lost-after", options.sweep.lost_after,
                   "Wall time without a message after which a rank of mpirun "
                   "counts as lost, s")
      ->check(kTime);
  sweep->add_flag("--keep", options.sweep.keep,
                  "Keep each run's scenario and logs in FOLDER/samples/NUMBER");
  sweep->footer(
      "Examples:\n"
      "  wyvern sweep arm.yaml --param model_drivers.arm.kp[0]=50:150:11\n"
      "  wyvern sweep arm.yaml --samples 1000 --output plant/state:max \\\n"
      "      --param 'disturbances[0].force[0]=!Gaussian {mean: 0, stddev: "
      "9}'\n"
      "  wyvern sweep arm.yaml ... --shard 0/4     on the first of 4 machines\n"
      "  mpirun -n 8 wyvern sweep arm.yaml ...     on all machines of a job\n"
      "  wyvern sweep arm.yaml ... --resume        after an interruption, or "
      "to\n"
      "                                            join shards in one table\n"
      "Ctrl-C stops the sweep, and --resume continues it; press it twice to "
      "abort.");

  CLI::App* inspect = app.add_subcommand(
      "inspect", "List the joints, masses, limits and warnings of a model");
  inspect
      ->add_option("model", options.model,
                   "Model (URDF, SDFormat, MJCF or directives)")
      ->required();
  AddPackageOption(inspect, &options);
  auto* json = inspect->add_flag("--json", options.is_json, "Print JSON");
  inspect->add_flag("--dot", options.is_dot, "Print the joints for Graphviz")
      ->excludes(json);
  inspect->footer(
      "Examples:\n"
      "  wyvern inspect arm.urdf\n"
      "  wyvern inspect arm.urdf --json | jq .total_mass\n"
      "  wyvern inspect arm.urdf --dot | dot -Tsvg > arm.svg");

  CLI::App* convert = app.add_subcommand(
      "convert", "Write a model in another format, if that loses nothing");
  convert
      ->add_option("model", options.model,
                   "Model (.urdf, .sdf or .xml of MJCF)")
      ->required();
  convert->add_option("target", options.target, "New file (.urdf or .sdf)")
      ->required();
  AddPackageOption(convert, &options);
  convert->add_flag("--lossy", options.is_lossy,
                    "Write the file even if parts of the model are lost");
  convert->footer(
      "Examples:\n"
      "  wyvern convert arm.urdf arm.sdf\n"
      "  wyvern convert arm.xml arm.urdf --lossy\n"
      "The command lists each element that would be lost.");

  CLI::App* view = app.add_subcommand(
      "view", "Show a model, or a run of a scenario, in the browser");
  view->add_option("file", options.model,
                   "Model (URDF, SDFormat, MJCF or directives), scenario "
                   "(.yaml) or log (.h5). A model gets sliders for its joints "
                   "and is read again when it changes")
      ->required();
  view->add_flag("--physics", options.has_physics,
                 "Simulate a model, as `wyvern run MODEL --view` does. Options "
                 "of a simulation, such as --until, imply it");
  AddSettings(view, &options.settings);
  AddModelOptions(view, &options);
  AddViewOptions(view, &options);
  view->footer(
      "Examples:\n"
      "  wyvern view arm.urdf --open\n"
      "  wyvern view arm.urdf --physics --base welded\n"
      "  wyvern view arm.yaml --set plant_config.time_step=0.002\n"
      "Press Ctrl-C to stop.");

  CLI::App* diagram = app.add_subcommand(
      "diagram", "Show the blocks of a scenario, their ports and connections");
  AddScenarioOptions(diagram, &options.scenario, &options.settings);
  auto* format =
      diagram
          ->add_option("--format", options.format,
                       "Output format: text; dot, for Graphviz; or svg, drawn "
                       "by Graphviz's program dot (default text)")
          ->check(CLI::IsMember({"text", "dot", "svg"}));
  diagram->add_flag("--dot", options.is_dot, "Short for --format dot")
      ->excludes(format);
  diagram->footer(
      "Examples:\n"
      "  wyvern diagram arm.yaml                   names for logs\n"
      "  wyvern diagram arm.yaml --format svg > arm.svg\n"
      "  wyvern diagram arm.yaml --dot | dot -Tpdf > arm.pdf");

  CLI::App* schema = app.add_subcommand(
      "schema", "Print the JSON schema of scenarios, for editors");
  schema->footer(
      "Example:\n"
      "  wyvern schema > scenario.schema.json\n"
      "Put this line on top of a scenario, for editors that know YAML:\n"
      "  # yaml-language-server: $schema=scenario.schema.json");

  CLI::App* manual =
      app.add_subcommand("manual", "Print the manual page, for man");
  manual->footer("Example:\n  wyvern manual | man -l -");
  CLI::App* completion = app.add_subcommand(
      "completion", "Print the Bash completion of commands and options");
  completion->footer("Example:\n  source <(wyvern completion)");

  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    if (run->parsed()) Run(options, out);
    if (sweep->parsed()) {
      RequireFileKind(options.sweep.scenario, "sweep", {FileKind::kScenario});
      RunSweepCommand(options.sweep, out);
    }
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
    if (error.get_exit_code() == 0) return app.exit(error, out, err);
    const std::string hint =
        ExplainCommandLine(DescribeCommand(app), arguments);
    if (hint.empty()) return app.exit(error, out, err);
    err << "wyvern: " << hint << "\n";
    return error.get_exit_code();
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
