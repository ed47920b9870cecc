#include "wyvern/app/command_options.h"

#include <cmath>

#include <CLI/CLI.hpp>

/* One function for each command of `wyvern`: its options, and examples below
its help. A help line is an imperative, or a noun phrase with unit and default.
*/

namespace wyvern::app {

namespace {

// CLI11's own check lets nan through.
const CLI::Validator kTime(
    [](std::string& text) -> std::string {
      double value = 0.0;
      const bool is_good = CLI::detail::lexical_cast(text, value) &&
                           std::isfinite(value) && value >= 0.0;
      return is_good ? ""
                     : "'" + text + "' is not a valid time; use a number >= 0";
    },
    "");

// A number >= 0 without a unit.
const CLI::Validator kSize(
    [](std::string& text) -> std::string {
      double value = 0.0;
      const bool is_good = CLI::detail::lexical_cast(text, value) &&
                           std::isfinite(value) && value >= 0.0;
      return is_good ? "" : "'" + text + "' is not valid; use a number >= 0";
    },
    "");

void AddViewOptions(CLI::App* command, CommandOptions* options) {
  command->add_flag("--open", options->opens_browser,
                    "Open the page in the default browser");
  command
      ->add_option("--port", options->port,
                   "Port of the page (default: the first free port from 7000)")
      ->type_name("PORT")
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--host", options->host,
                   "Address on which the page is served: localhost (the "
                   "default), another address of this machine, or * for all of "
                   "its addresses")
      ->type_name("ADDRESS");
  command->add_flag(
      "--no-wait", options->does_not_wait,
      "Start the run at once (default: wait until the page is open)");
  command->add_flag("--paused", options->is_paused,
                    "Start the run paused; play or step it in the page");
}

void AddPackageOption(CLI::App* command, CommandOptions* options) {
  command
      ->add_option("--package", options->packages,
                   "Folder of a package, as NAME=DIR, for URLs such as "
                   "package://NAME/arm.obj")
      ->type_name("NAME=DIR")
      ->expected(1)
      ->take_all();
}

// Adds the options of simulations of models, most of which scenarios take too.
void AddModelOptions(CLI::App* command, CommandOptions* options) {
  command
      ->add_option("--time-step", options->simulated.time_step,
                   "Time step of the plant, s; 0 for continuous time (default "
                   "0.001)")
      ->type_name("SECONDS")
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
      ->type_name("SECONDS")
      ->check(kTime);
  command
      ->add_option("--realtime", options->realtime,
                   "Simulated seconds per second of wall time; 0: as fast as "
                   "possible")
      ->type_name("RATE")
      ->check(kTime);
  AddPackageOption(command, options);
}

void AddPluginOption(CLI::App* command, CommandOptions* options) {
  command
      ->add_option("--plugin", options->plugins,
                   "Shared library (.so) with block types for the scenario")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
}

void AddSettings(CLI::App* command, std::vector<std::string>* settings) {
  command
      ->add_option("--set", *settings,
                   "Set any value of the scenario, such as "
                   "plant_config.time_step=0.002")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
}

void AddScenarioOptions(CLI::App* command, std::string* scenario,
                        std::vector<std::string>* settings) {
  command->add_option("scenario", *scenario, "Scenario (.yaml)")
      ->type_name("FILE")
      ->required();
  AddSettings(command, settings);
}

void AddRunCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* run = app->add_subcommand("run", "Simulate a scenario or a model");
  run->add_option("scenario", options->scenario,
                  "Scenario (.yaml) or model (URDF, SDFormat, MJCF or "
                  "directives). A model gets gravity, a floor if nothing is "
                  "below it, and servos that hold its home position")
      ->type_name("FILE")
      ->required();
  AddSettings(run, &options->settings);
  AddPluginOption(run, options);
  AddModelOptions(run, options);
  run->add_option("--log", options->log,
                  "Write the plant's state every 0.01 s to this file: .csv, "
                  ".h5 or .mcap")
      ->type_name("FILE");
  run->add_option("--report", options->report,
                  "Write a page about the run to this file (.html): plots, "
                  "statistics, replay")
      ->type_name("FILE");
  run->add_flag("--view", options->is_viewed,
                "Show the run in a browser, in real time by default");
  AddViewOptions(run, options);
  run->add_flag("--print", options->prints_scenario,
                "Print the scenario with all defaults and with random numbers "
                "drawn, instead of running it");
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
}

void AddSweepCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* sweep = app->add_subcommand(
      "sweep", "Run a scenario many times, with other numbers each time");
  AddScenarioOptions(sweep, &options->sweep.scenario, &options->sweep.settings);
  AddPluginOption(sweep, options);
  sweep
      ->add_option("--param", options->sweep.parameters,
                   "Values to try: path=from:to:count, path=[a, b, c] or "
                   "path=!Uniform {min: 0, max: 1}. Several options make a "
                   "grid")
      ->type_name("PATH=VALUES")
      ->expected(1)
      ->take_all();
  sweep
      ->add_option("--samples", options->sweep.num_samples,
                   "Number of runs (default: one for each point of the grid)")
      ->type_name("COUNT");
  sweep
      ->add_option("--seed", options->sweep.seed,
                   "Random seed for all distributions (default 0)")
      ->type_name("SEED");
  sweep
      ->add_option("--output", options->sweep.outputs,
                   "Result of each run to record: the last value of "
                   "system/port or of its element system/port[2], or with :min "
                   "or :max the extreme over the run (default plant/state)")
      ->type_name("PORT")
      ->expected(1)
      ->take_all();
  sweep
      ->add_option("--folder", options->sweep.folder,
                   "Folder for results (default SCENARIO_sweep)")
      ->type_name("DIR");
  sweep
      ->add_option("--jobs", options->sweep.jobs,
                   "Number of worker processes (default: one per CPU)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1024));
  sweep
      ->add_option("--shard", options->sweep.shard,
                   "Run one share of the samples, to split a sweep over N "
                   "machines: 0/N on the first, 1/N on the second, and so on")
      ->type_name("I/N");
  sweep->add_flag("--resume", options->sweep.resume,
                  "Continue the sweep in the folder, or join its shards");
  sweep
      ->add_option("--timeout", options->sweep.timeout,
                   "Wall time after which a run counts as failed, s")
      ->type_name("SECONDS")
      ->check(kTime);
  sweep
      ->add_option("--lost-after", options->sweep.lost_after,
                   "Wall time without a message after which a process of "
                   "mpirun counts as lost, s")
      ->type_name("SECONDS")
      ->check(kTime);
  sweep->add_flag("--keep", options->sweep.keep,
                  "Keep each run's scenario and logs in FOLDER/samples/NUMBER");
  sweep
      ->add_option("--report", options->sweep.report,
                   "Write a page about the sweep to this file (.html): "
                   "statistics, scatter plot, distributions, worst runs with "
                   "replays")
      ->type_name("FILE");
  sweep->footer(
      "Examples:\n"
      "  wyvern sweep arm.yaml --param model_drivers.arm.kp[0]=50:150:11\n"
      "  wyvern sweep arm.yaml --samples 1000 --output plant/state:max \\\n"
      "      --param 'disturbances[0].force[0]=!Gaussian {mean: 0, stddev: "
      "9}'\n"
      "  wyvern sweep arm.yaml --samples 50 --report study.html\n"
      "  wyvern sweep arm.yaml ... --shard 0/4     on the first of 4 machines\n"
      "  mpirun -n 8 wyvern sweep arm.yaml ...     on all machines of a job\n"
      "  wyvern sweep arm.yaml ... --resume        after an interruption, or "
      "to\n"
      "                                            join shards in one table\n"
      "Ctrl-C stops the sweep, and --resume continues it; press it twice to "
      "abort.");
}

void AddCompareCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* compare = app->add_subcommand(
      "compare", "Compare two logs, or a log and measured data");
  compare->add_option("first", options->first_log, "Log (.h5 or .csv)")
      ->type_name("FILE")
      ->required();
  compare
      ->add_option("second", options->second_log,
                   "Log, or measured data: a CSV file with times in its first "
                   "column. It is interpolated at the times of the first file")
      ->type_name("FILE")
      ->required();
  compare
      ->add_option("--column", options->columns,
                   "Column of the first file to compare (default: all columns "
                   "that both files have)")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  compare
      ->add_option("--match", options->matches,
                   "Compare columns that have different names in the files")
      ->type_name("FIRST=SECOND")
      ->expected(1)
      ->take_all();
  compare
      ->add_option("--tolerance", options->tolerance,
                   "Fail if a difference is larger than this number")
      ->type_name("NUMBER")
      ->check(kSize);
  compare
      ->add_option("--report", options->report,
                   "Write a page with both runs in common plots to this file "
                   "(.html)")
      ->type_name("FILE");
  compare->footer(
      "Examples:\n"
      "  wyvern compare before.h5 after.h5 --report change.html\n"
      "  wyvern compare run.h5 measured.csv \\\n"
      "      --match plant/state/arm_elbow_q=elbow\n"
      "  wyvern compare a.csv b.csv --tolerance 1e-9    for scripts");
}

void AddInspectCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* inspect = app->add_subcommand(
      "inspect",
      "List the joints, masses, limits and warnings of a model, or the signals "
      "of a log");
  inspect
      ->add_option("model", options->model,
                   "Model (URDF, SDFormat, MJCF or directives) or log (.h5)")
      ->type_name("FILE")
      ->required();
  AddPackageOption(inspect, options);
  auto* json = inspect->add_flag("--json", options->is_json, "Print JSON");
  inspect
      ->add_flag("--dot", options->is_dot,
                 "Print the tree of joints for Graphviz")
      ->excludes(json);
  inspect->footer(
      "Examples:\n"
      "  wyvern inspect arm.urdf\n"
      "  wyvern inspect arm.urdf --json | jq .total_mass\n"
      "  wyvern inspect run.h5                     signals, events, files\n"
      "  wyvern inspect arm.urdf --dot | dot -Tsvg > arm.svg");
}

void AddConvertCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* convert = app->add_subcommand(
      "convert",
      "Convert a model to URDF or SDFormat if nothing would be lost");
  convert
      ->add_option("model", options->model,
                   "Model (.urdf, .sdf or .xml of MJCF)")
      ->type_name("FILE")
      ->required();
  convert->add_option("target", options->target, "New file (.urdf or .sdf)")
      ->type_name("FILE")
      ->required();
  AddPackageOption(convert, options);
  convert->add_flag("--lossy", options->is_lossy,
                    "Write the file even if parts of the model are lost");
  convert->footer(
      "Examples:\n"
      "  wyvern convert arm.urdf arm.sdf\n"
      "  wyvern convert arm.xml arm.urdf --lossy\n"
      "The command lists each element that would be lost.");
}

void AddViewCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* view = app->add_subcommand(
      "view", "Show a model, or a run of a scenario, in the browser");
  view->add_option("file", options->model,
                   "Model (URDF, SDFormat, MJCF or directives), scenario "
                   "(.yaml) or log (.h5). A model gets sliders for its joints "
                   "and is read again when it changes")
      ->type_name("FILE")
      ->required();
  view->add_flag("--physics", options->has_physics,
                 "Simulate a model, as `wyvern run MODEL --view` does. Options "
                 "of a simulation, such as --until and --paused, imply it");
  AddSettings(view, &options->settings);
  AddPluginOption(view, options);
  AddModelOptions(view, options);
  AddViewOptions(view, options);
  view->footer(
      "Examples:\n"
      "  wyvern view arm.urdf --open\n"
      "  wyvern view arm.urdf --physics --base welded\n"
      "  wyvern view arm.yaml --paused\n"
      "  wyvern view arm.yaml --set plant_config.time_step=0.002\n"
      "Press Ctrl-C to stop.");
}

void AddDiagramCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* diagram = app->add_subcommand(
      "diagram", "Show the blocks of a scenario, their ports and connections");
  AddScenarioOptions(diagram, &options->scenario, &options->settings);
  AddPluginOption(diagram, options);
  auto* format =
      diagram
          ->add_option("--format", options->format,
                       "Output format: text; dot, for Graphviz; or svg, drawn "
                       "by Graphviz's program dot (default text)")
          ->check(CLI::IsMember({"text", "dot", "svg"}));
  diagram->add_flag("--dot", options->is_dot, "Short for --format dot")
      ->excludes(format);
  diagram->footer(
      "Examples:\n"
      "  wyvern diagram arm.yaml                   names for logs\n"
      "  wyvern diagram arm.yaml --format svg > arm.svg\n"
      "  wyvern diagram arm.yaml --dot | dot -Tpdf > arm.pdf");
}

void AddSchemaCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* schema = app->add_subcommand(
      "schema", "Print the JSON schema of scenarios, for editors");
  AddPluginOption(schema, options);
  schema->footer(
      "Example:\n"
      "  wyvern schema > scenario.schema.json\n"
      "Put this line on top of a scenario, for editors that know YAML:\n"
      "  # yaml-language-server: $schema=scenario.schema.json");
}

void AddNewCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* command = app->add_subcommand(
      "new", "Make a folder with a scenario, a model and a README to edit");
  command->add_option("name", options->project, "New folder")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Example:\n"
      "  wyvern new robot && cd robot && wyvern run scenario.yaml");
}

void AddDoctorCommand(CLI::App* app, CommandOptions* options) {
  CLI::App* doctor =
      app->add_subcommand("doctor",
                          "Check the installation: versions, missing parts, "
                          "faults and their fixes");
  doctor->add_flag("--json", options->is_json, "Print JSON");
  doctor->footer(
      "Examples:\n"
      "  wyvern doctor\n"
      "  wyvern doctor --json | jq '.[] | select(.level != \"ok\")'\n"
      "The exit code is 1 if a required part is missing or faulty.");
}

void AddManualCommand(CLI::App* app) {
  CLI::App* manual =
      app->add_subcommand("manual", "Print the manual page, for man");
  manual->footer("Example:\n  wyvern manual | man -l -");
}

void AddCompletionCommand(CLI::App* app) {
  CLI::App* completion = app->add_subcommand(
      "completion", "Print a Bash script that completes commands and options");
  completion->footer("Example:\n  source <(wyvern completion)");
}

}  // namespace

void AddCommands(CLI::App* app, CommandOptions* options) {
  AddRunCommand(app, options);
  AddSweepCommand(app, options);
  AddCompareCommand(app, options);
  AddInspectCommand(app, options);
  AddConvertCommand(app, options);
  AddViewCommand(app, options);
  AddDiagramCommand(app, options);
  AddSchemaCommand(app, options);
  AddNewCommand(app, options);
  AddDoctorCommand(app, options);
  AddManualCommand(app);
  AddCompletionCommand(app);
}

}  // namespace wyvern::app
