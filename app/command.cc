#include "wyvern/app/command.h"

#include <algorithm>
#include <chrono>
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
#include "wyvern/app/command_options.h"
#include "wyvern/app/diagram_text.h"
#include "wyvern/app/doctor.h"
#include "wyvern/app/file_kind.h"
#include "wyvern/app/graphviz_svg.h"
#include "wyvern/app/log_report.h"
#include "wyvern/app/log_view.h"
#include "wyvern/app/model_report.h"
#include "wyvern/app/model_scenario.h"
#include "wyvern/app/replay.h"
#include "wyvern/app/run_comparison.h"
#include "wyvern/app/run_controls.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_report.h"
#include "wyvern/app/scenario_schema.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/app/signal_guard.h"
#include "wyvern/app/starter_project.h"
#include "wyvern/app/sweep_command.h"
#include "wyvern/app/view.h"
#include "wyvern/multibody/parsing/conversion/convert_model.h"
#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/visualization/body_dragger.h"
#include "wyvern/multibody/visualization/body_inspector.h"
#include "wyvern/simulator/viewing/live_simulation.h"
#include "wyvern/systems/blocks/block_plugin.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/processor_level.h"
#include "wyvern/systems/common/standard_output.h"

/* The commands: each has its options, an example in its help, and a function
that does it by the library's classes. */

namespace wyvern::app {

namespace {

std::filesystem::path FolderOf(const std::string& file) {
  return internal::MakeAbsolute("The command line", file).parent_path();
}

// The paths of packages by name, each given as NAME=DIR.
std::map<std::string, std::string> ReadPackages(const CommandOptions& options) {
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

multibody::PackageMap ReadPackageMap(const CommandOptions& options) {
  multibody::PackageMap packages;
  for (const auto& [name, path] : ReadPackages(options)) {
    packages.Add(name, path);
  }
  return packages;
}

// Returns the scenario of the command line: a file's, or one for a model.
// @param text of the scenario in place of that in the file; null: none.
Scenario MakeScenario(const CommandOptions& options, const std::string& command,
                      bool is_model, const std::string* text = nullptr) {
  Scenario scenario;
  if (is_model) {
    scenario = MakeModelScenario(options.scenario, options.simulated);
    scenario.packages = ReadPackages(options);
    if (!options.is_viewed && !options.prints_scenario) {
      scenario.simulation_duration = kModelDuration;
    }
    scenario = LoadScenarioFromString(SaveScenario(scenario), options.settings,
                                      options.scenario);
  } else {
    RequireFileKind(options.scenario, command, {FileKind::kScenario});
    scenario =
        text == nullptr
            ? LoadScenario(options.scenario, options.settings)
            : LoadScenarioFromString(*text, options.settings, options.scenario);
    ApplyModelOptions(options.simulated, &scenario);
    for (const auto& [name, path] : ReadPackages(options)) {
      scenario.packages[name] = path;
    }
  }
  return scenario;
}

// Returns the simulation of the scenario; errors name the scenario's file.
std::unique_ptr<ScenarioSimulation> Build(
    const Scenario& scenario, const CommandOptions& options, bool is_model,
    bool with_logs, const ScenarioSimulation::Additions& additions = nullptr) {
  // The path of a model is from the working folder.
  const std::filesystem::path folder =
      is_model ? internal::MakeAbsolute("The command line", ".")
               : FolderOf(options.scenario);
  try {
    return std::make_unique<ScenarioSimulation>(scenario, folder, with_logs,
                                                additions);
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{}: {}", options.scenario, error.what()));
  }
}

std::shared_ptr<geometry::Viewer> MakeViewer(const CommandOptions& options,
                                             std::ostream& out) {
  geometry::ViewerParams params;
  if (options.host) params.host = *options.host;
  params.port = options.port;
  auto viewer = std::make_shared<geometry::Viewer>(params);
  out << fmt::format("Open {} to see it; Ctrl-C ends.\n", viewer->web_url())
      << std::flush;
  if (options.opens_browser) OpenInBrowser(viewer->web_url());
  return viewer;
}

// Waits until a page is open, so that a person sees the run begin.
void WaitForPage(const geometry::Viewer& viewer, std::ostream& out) {
  if (viewer.GetNumActiveConnections() > 0) return;
  out << "The run starts when a page is open; --no-wait starts it at once.\n"
      << std::flush;
  while (viewer.GetNumActiveConnections() == 0 && !IsInterrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

// Gives the page a timeline, and waits for Ctrl-C or, each time it is asked,
// until `may_end`.
void ShowRecording(geometry::Viewer* viewer, std::ostream& out,
                   const std::function<bool()>& may_end = nullptr) {
  if (IsInterrupted() || (may_end && may_end())) return;
  viewer->PublishRecording();
  out << "The page has a timeline of the run; Ctrl-C ends.\n" << std::flush;
  while (!IsInterrupted() && !(may_end && may_end())) {
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

// Sets the end, the pace and the additional log of the command line.
void ApplyRunOptions(const CommandOptions& options, Scenario* scenario) {
  systems::SimulatorConfig& config = scenario->simulator_config;
  if (options.until >= 0) {
    scenario->simulation_duration = options.until - config.start_time;
  }
  if (options.realtime >= 0) {
    config.target_realtime_rate = options.realtime;
  } else if (options.is_viewed && config.target_realtime_rate == 0) {
    config.target_realtime_rate = 1;
  }
  if (!options.log.empty()) scenario->logs.push_back({.file = options.log});
}

// Says how the run ended, and where its logs are.
void PrintSummary(const CommandOptions& options, const Scenario& scenario,
                  const RunSummary& summary,
                  const std::vector<std::string>& remarks, bool with_logs,
                  std::ostream& out) {
  out << fmt::format("{}: ended at t = {:.6g} s, as {}; {} steps in {:.3g} s\n",
                     options.scenario, summary.end_time, summary.reason,
                     summary.num_steps, summary.wall_time);
  for (const std::string& remark : remarks) {
    out << fmt::format("{}: {}\n", options.scenario, remark);
  }
  if (!with_logs) return;
  for (const Log& log : scenario.logs) {
    out << fmt::format("  {} -> {}\n", fmt::join(log.port_names(), ", "),
                       log.file);
  }
}

// The page pulls bodies and sees what was selected, whenever it is updated.
void LetPageTouch(multibody::BodyDragger* dragger,
                  multibody::BodyInspector* inspector,
                  systems::LiveSimulation* live) {
  live->AddListener([dragger, inspector](systems::Context<double>* root) {
    const bool has_changed = dragger->Update(root);
    inspector->Publish(*root);
    return has_changed;
  });
}

// Refuses options that have no effect without a page.
void RequireNoPageOptions(const CommandOptions& options) {
  std::vector<std::string> given;
  if (options.opens_browser) given.emplace_back("--open");
  if (options.port) given.push_back(fmt::format("--port {}", *options.port));
  if (options.host) given.push_back(fmt::format("--host {}", *options.host));
  if (options.does_not_wait) given.emplace_back("--no-wait");
  if (options.is_paused) given.emplace_back("--paused");
  if (given.empty()) return;
  throw std::runtime_error(fmt::format(
      "{}: the run has no page; add --view, or leave out what is for pages.",
      fmt::join(given, ", ")));
}

// A page, its controls, and what was tuned in it; null pointers without a page.
struct RunPage {
  std::shared_ptr<geometry::Viewer> viewer;
  std::unique_ptr<RunControls> controls;

  bool WantsRestart() const { return viewer && controls->WantsRestart(); }
};

// Simulates once. Errors of a run with a page are thrown after a person has
// seen the page, unless the person starts the run again.
void RunOnce(const CommandOptions& options, const Scenario& scenario,
             bool is_model, bool with_logs, const RunPage& page,
             std::ostream& out) {
  const auto& viewer = page.viewer;
  std::optional<ScenarioReport> report;
  if (!options.report.empty()) {
    report.emplace(scenario, std::filesystem::path(options.scenario).filename(),
                   viewer);
  }
  multibody::BodyDragger* dragger = nullptr;
  const auto simulation = Build(
      scenario, options, is_model, with_logs,
      [&](const multibody::MultibodyPlant<double>& plant,
          systems::DiagramBuilder<double>* builder) {
        if (report) report->Additions()(plant, builder);
        if (viewer == nullptr) return;
        AddAlignedVisualization(1 / 64.0, plant.time_step(), viewer, builder);
        dragger = &multibody::BodyDragger::AddToBuilder(builder, plant, viewer);
        viewer->StartRecording();
      });
  // Remarks on a model that a person has not put into a scenario.
  std::optional<ModelRemarks> remarks;
  if (is_model) {
    remarks = MakeRemarks(*simulation, options.scenario);
    for (const std::string& remark : remarks->AtStart()) {
      out << fmt::format("{}: {}\n", options.scenario, remark);
    }
    out << std::flush;
  }
  const auto should_stop = [&page] {
    return IsInterrupted() || page.WantsRestart();
  };
  std::optional<multibody::BodyInspector> inspector;
  std::optional<systems::LiveSimulation> live;
  std::function<void(double)> advance;
  if (viewer != nullptr) {
    inspector.emplace(&simulation->plant(), viewer);
    live.emplace(&simulation->simulator(), viewer,
                 systems::LiveSimulationParams{
                     .starts_paused = options.is_paused,
                     .element_names =
                         [&simulation](const systems::PortBase& port) {
                           return simulation->FindElementNames(port);
                         },
                     .ends_waiting = should_stop});
    page.controls->Begin(scenario, simulation.get(), &*live);
    LetPageTouch(dragger, &*inspector, &*live);
    if (!options.does_not_wait) WaitForPage(*viewer, out);
    advance = [&live](double time) { live->AdvanceTo(time); };
  }
  // A person may tune and save after the run, too.
  const auto may_end = [&] {
    live->ApplyChanges();
    return page.WantsRestart();
  };
  RunSummary summary;
  try {
    summary = simulation->Run(should_stop, advance);
  } catch (const std::exception& error) {
    if (viewer == nullptr) throw;
    // The page shows where, until a person has seen it.
    const double time = simulation->simulator().get_context().get_time();
    viewer->MarkRecording(error.what(), time);
    out << fmt::format("{}: {}\n", options.scenario, error.what());
    ShowRecording(viewer.get(), out, may_end);
    if (page.WantsRestart()) return page.controls->End();
    throw;
  }
  if (viewer != nullptr && !report) {
    viewer->MarkRecording(summary.reason, summary.end_time);
  }
  PrintSummary(
      options, scenario, summary,
      remarks ? remarks->AtEnd(*simulation) : std::vector<std::string>{},
      with_logs, out);
  if (report) {
    report->Save(options.report, simulation.get(), summary);
    out << fmt::format("  report -> {}\n", options.report);
  }
  if (viewer == nullptr) return;
  ShowRecording(viewer.get(), out, may_end);
  page.controls->End();
}

// Takes the first step of a run that nobody sees, to find errors in it.
void TryFirstStep(ScenarioSimulation* simulation) {
  constexpr double kShort = 1e-3;  // [s]
  systems::Simulator<double>& simulator = simulation->simulator();
  simulator.set_target_realtime_rate(0);
  simulator.Initialize();
  const double step = simulation->plant().time_step();
  simulator.AdvanceTo(simulator.get_context().get_time() +
                      (step > 0 ? step : kShort));
}

// Runs again as often as a person at the page wants, with the numbers as tuned.
void Run(CommandOptions options, std::ostream& out, bool with_logs = true) {
  if (!options.is_viewed) RequireNoPageOptions(options);
  const bool is_model = IsModel(FindFileKind(options.scenario));
  const std::vector<std::string> given = options.settings;
  const SignalGuard guard;
  RunPage page;
  // Text of the scenario as edited on the page; null: that of the file.
  const auto make_scenario = [&](const std::string* text) {
    options.settings = given;
    if (page.controls != nullptr) {
      for (std::string& tuned : page.controls->MakeSettings()) {
        options.settings.push_back(std::move(tuned));
      }
    }
    Scenario made =
        MakeScenario(options, with_logs ? "run" : "view", is_model, text);
    ApplyRunOptions(options, &made);
    return made;
  };
  Scenario scenario = make_scenario(nullptr);
  if (options.prints_scenario) {
    out << SaveScenario(scenario);
    return;
  }
  if (options.is_viewed) {
    page.viewer = MakeViewer(options, out);
    page.controls = std::make_unique<RunControls>(
        page.viewer, is_model ? "" : options.scenario, &out);
    std::error_code error;
    if (!is_model &&
        std::filesystem::is_regular_file(options.scenario, error)) {
      page.controls->LetPagesEdit([&](const std::string& text) {
        const Scenario tried = make_scenario(&text);
        const auto simulation =
            Build(tried, options, is_model, /* with_logs= */ false);
        RunControls::RequireTunables(tried, simulation.get());
        TryFirstStep(simulation.get());
      });
    }
  }
  for (bool is_again = false;; is_again = true) {
    if (is_again) page.viewer->DeleteRecording();
    RunOnce(options, scenario, is_model, with_logs, page, out);
    if (IsInterrupted() || !page.WantsRestart()) return;
    const auto tune = [&] {
      scenario = make_scenario(page.controls->edited_text());
    };
    try {
      tune();
      const auto built =
          Build(scenario, options, is_model, /* with_logs= */ false);
      RunControls::RequireTunables(scenario, built.get());
    } catch (const std::exception& error) {
      out << fmt::format("{}; the numbers of the last run stay\n",
                         error.what());
      page.controls->TakeBack();
      tune();
    }
    out << fmt::format("{}: the run starts again\n", options.scenario)
        << std::flush;
  }
}

void View(CommandOptions options, std::ostream& out) {
  const std::string& file = options.model;
  RequireFileKind(file, "view",
                  {FileKind::kScenario, FileKind::kHdf5, FileKind::kUrdf,
                   FileKind::kSdf, FileKind::kMjcf, FileKind::kDirectives});
  const FileKind kind = FindFileKind(file);
  const bool is_simulated = options.has_physics || options.is_paused ||
                            options.does_not_wait || options.until >= 0 ||
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

void Inspect(const CommandOptions& options, std::ostream& out) {
  RequireFileKind(options.model, "inspect",
                  {FileKind::kUrdf, FileKind::kSdf, FileKind::kMjcf,
                   FileKind::kDirectives, FileKind::kHdf5});
  if (FindFileKind(options.model) == FileKind::kHdf5) {
    if (options.is_dot) {
      throw std::runtime_error(fmt::format(
          "{} is a log, which has no joints for --dot; leave it out.",
          options.model));
    }
    const LogReport log = InspectLog(options.model);
    out << (options.is_json ? ToJson(log) : ToText(log));
    return;
  }
  const ModelReport report =
      InspectModel(options.model, ReadPackageMap(options));
  out << (options.is_json  ? ToJson(report)
          : options.is_dot ? report.graphviz
                           : ToText(report));
}

void ShowDiagram(const CommandOptions& options, std::ostream& out) {
  RequireFileKind(options.scenario, "diagram", {FileKind::kScenario});
  const auto simulation =
      Build(LoadScenario(options.scenario, options.settings), options,
            /* is_model= */ false, /* with_logs= */ false);
  const systems::Diagram<double>& diagram = simulation->diagram();
  if (options.format == "svg") {
    out << DrawSvg(diagram.GetGraphvizString());
  } else {
    out << (options.is_dot || options.format == "dot"
                ? diagram.GetGraphvizString()
                : DescribeDiagram(diagram));
  }
}

void Compare(const CommandOptions& options, std::ostream& out) {
  ComparisonOptions how{.columns = options.columns};
  for (const std::string& text : options.matches) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size()) {
      throw std::runtime_error(fmt::format(
          "--match {}: give FIRST=SECOND, as in plant/state/elbow_q=elbow.",
          text));
    }
    how.matches.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  const RunComparison comparison =
      CompareRuns(options.first_log, options.second_log, how);
  out << ToText(comparison);
  if (!options.report.empty()) {
    SaveComparison(comparison, options.report);
    out << fmt::format("  report -> {}\n", options.report);
  }
  if (options.tolerance < 0) return;
  for (const ColumnComparison& column : comparison.columns) {
    if (column.largest <= options.tolerance) continue;
    throw std::runtime_error(fmt::format(
        "{} differs by {:.6g} at {:.6g} s, more than --tolerance {:g}.",
        column.name, column.largest, column.time_of_largest,
        options.tolerance));
  }
}

void MakeProject(const std::string& folder, std::ostream& out) {
  for (const auto& file : MakeStarterProject(folder)) {
    out << "  -> " << file.string() << "\n";
  }
  out << "Run `wyvern run scenario.yaml --view` in that folder.\n";
}

// Returns the exit code.
int RunDoctor(bool is_json, std::ostream& out) {
  const auto findings = Diagnose(DoctorParams::FromEnvironment());
  out << (is_json ? ToJson(findings) : ToText(findings));
  return std::ranges::any_of(findings, [](const DoctorFinding& finding) {
    return finding.level == DoctorFinding::Level::kFault;
  });
}

void Convert(const CommandOptions& options, std::ostream& out,
             std::ostream& err) {
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

// Does what RunCommand() says, but may return before the output is flushed.
int RunArguments(const std::vector<std::string>& arguments, std::ostream& out,
                 std::ostream& err) {
  CommandOptions options;
  CLI::App app("Simulate robots from scenario and model files.", "wyvern");
  app.set_version_flag(
      "--version", fmt::format("{} ({})", WYVERN_VERSION, ProcessorLevel()));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  wyvern new robot                    a folder to start from\n"
      "  wyvern inspect arm.urdf             joints and masses of a model\n"
      "  wyvern convert arm.urdf arm.sdf     a model in another format\n"
      "  wyvern diagram arm.yaml             the blocks of a scenario\n"
      "  wyvern run arm.yaml --log arm.csv   a run, with the states in a "
      "table\n"
      "  wyvern run arm.urdf --base welded   a model by itself, on a floor\n"
      "  wyvern view arm.urdf                a model in the browser\n"
      "  wyvern sweep arm.yaml --param plant_config.time_step=[0.001, 0.01]\n"
      "                                      many runs and one table of "
      "results\n"
      "  wyvern compare a.h5 b.h5            differences of two runs\n"
      "`wyvern COMMAND --help` lists the options of a command.");

  AddCommands(&app, &options);

  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    for (const std::string& plugin : options.plugins) {
      systems::LoadBlockPlugin(plugin);
    }
    if (app.got_subcommand("run")) Run(options, out);
    if (app.got_subcommand("sweep")) {
      RequireFileKind(options.sweep.scenario, "sweep", {FileKind::kScenario});
      options.sweep.plugins = options.plugins;
      RunSweepCommand(options.sweep, out);
    }
    if (app.got_subcommand("view")) View(options, out);
    if (app.got_subcommand("inspect")) Inspect(options, out);
    if (app.got_subcommand("schema")) out << MakeScenarioSchema();
    if (app.got_subcommand("diagram")) ShowDiagram(options, out);
    if (app.got_subcommand("convert")) Convert(options, out, err);
    if (app.got_subcommand("compare")) Compare(options, out);
    if (app.got_subcommand("new")) MakeProject(options.project, out);
    if (app.got_subcommand("doctor")) return RunDoctor(options.is_json, out);
    if (app.got_subcommand("manual")) {
      out << MakeManualPage(DescribeCommand(app), WYVERN_VERSION);
    }
    if (app.got_subcommand("completion"))
      out << MakeBashCompletion(DescribeCommand(app));
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
