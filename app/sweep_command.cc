#include "wyvern/app/sweep_command.h"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "wyvern/app/replay.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/app/scenario_sweep.h"
#include "wyvern/app/signal_guard.h"
#include "wyvern/app/sweep_page.h"
#include "wyvern/app/sweep_report.h"
#include "wyvern/systems/common/file_paths.h"

/* Turns the command line into a study, shows a progress line on a terminal
while it runs, and prints a summary of its table. */

namespace wyvern::app {

namespace {

// "2/8" into 2 and 8.
void ReadShard(const std::string& text, SweepOptions* options) {
  if (text.empty()) return;
  const char* const last = text.data() + text.size();
  const auto [slash, error] =
      std::from_chars(text.data(), last, options->shard);
  bool is_good = error == std::errc() && slash != last && *slash == '/';
  if (is_good) {
    const auto [end, error2] =
        std::from_chars(slash + 1, last, options->num_shards);
    is_good = error2 == std::errc() && end == last && options->shard >= 0 &&
              options->shard < options->num_shards;
  }
  if (!is_good) {
    throw std::runtime_error(fmt::format(
        "--shard {}: give i/n with i from 0 to n - 1, as in 0/8.", text));
  }
}

/** Rewrites a line about the sweep on a terminal, after a second. */
class SweepLine {
 public:
  using Clock = std::chrono::steady_clock;
  SweepLine() = default;
  SweepLine(const SweepLine&) = delete;
  ~SweepLine() {
    if (is_shown_) fmt::print(stderr, "\r\x1b[K");
  }
  void Update(const SweepProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (num_before_ < 0) num_before_ = static_cast<double>(progress.num_done);
    if (!is_terminal_ || now - began_ < std::chrono::seconds(1) ||
        now - shown_ < std::chrono::milliseconds(500)) {
      return;
    }
    shown_ = now;
    is_shown_ = true;
    const auto done = static_cast<double>(progress.num_done);
    const auto whole = static_cast<double>(progress.num_samples);
    const std::chrono::duration<double> elapsed = now - began_;
    const double rate = (done - num_before_) / elapsed.count();
    fmt::print(stderr,
               "\r\x1b[K[{:3.0f}%] {} of {} samples, {} failed, {:.3g} per s, "
               "{}",
               100 * done / whole, progress.num_done, progress.num_samples,
               progress.num_failed, rate,
               rate > 0 ? fmt::format("{:.0f} s to go", (whole - done) / rate)
                        : "no end in sight");
  }

 private:
  const bool is_terminal_{isatty(STDERR_FILENO) == 1};
  const Clock::time_point began_{Clock::now()};
  Clock::time_point shown_{};
  double num_before_{-1};
  bool is_shown_{false};
};

// As a shell reads it.
std::string Quote(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return "'" + quoted + "'";
}

// Runs a sample again, no longer than a run of the sweep may take, and returns
// a page that plays it; empty in a library without the viewer's page.
std::string ReplaySample(const SweepCommand& command, const SweepStudy& study,
                         std::uint64_t index) {
  if (!geometry::Viewer::IsAvailable()) return {};
  std::vector<std::string> settings = command.settings;
  for (std::string& setting :
       study.plan.MakeSettings(study.plan.MakeSample(index))) {
    settings.push_back(std::move(setting));
  }
  const std::filesystem::path folder =
      internal::MakeAbsolute("The sweep", command.scenario).parent_path();
  std::shared_ptr<geometry::Viewer> viewer;
  std::string reason;
  const auto start = std::chrono::steady_clock::now();
  const auto is_too_long = [&] {
    const std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - start;
    return spent.count() > command.timeout;
  };
  std::unique_ptr<ScenarioSimulation> simulation;
  try {
    simulation = std::make_unique<ScenarioSimulation>(
        LoadScenario(command.scenario, settings), folder, false,
        [&viewer](const multibody::MultibodyPlant<double>& plant,
                  systems::DiagramBuilder<double>* builder) {
          viewer = AddReplayViewer(plant.time_step(), builder);
        });
    bool is_cut = false;
    reason = simulation
                 ->Run([&] {
                   is_cut = is_too_long();
                   return is_cut || IsInterrupted();
                 })
                 .reason;
    if (is_cut) {
      reason = fmt::format(
          "the replay ends here: it took more than --timeout "
          "{:g} s",
          command.timeout);
    }
  } catch (const std::exception& error) {
    // A run that failed is worth seeing up to its end.
    reason = error.what();
  }
  if (simulation == nullptr) return {};
  return FinishReplay(viewer.get(), reason,
                      simulation->simulator().get_context().get_time());
}

}  // namespace

void RunSweepCommand(const SweepCommand& command, std::ostream& out) {
  std::vector<SweepParameter> parameters;
  for (const std::string& text : command.parameters) {
    parameters.push_back(ParseSweepParameter(text));
  }
  SweepOptions how{.folder = command.folder,
                   .jobs = command.jobs,
                   .resume = command.resume,
                   .timeout = command.timeout};
  if (command.folder.empty()) {
    how.folder = std::filesystem::path(command.scenario).stem();
    how.folder += "_sweep";
  }
  ReadShard(command.shard, &how);
  const std::unique_ptr<SweepRanks> ranks = JoinMpiRanks(command.lost_after);
  how.ranks = ranks.get();
  const bool speaks = ranks == nullptr || ranks->rank() == 0;
  ScenarioSweep sweep{.scenario = command.scenario,
                      .settings = command.settings};
  if (!command.outputs.empty()) sweep.outputs = command.outputs;
  if (command.keep) sweep.sample_folder = how.folder / "samples";
  const SweepStudy study = MakeStudy(
      sweep, SweepPlan(parameters, command.num_samples, command.seed));
  const SignalGuard guard;
  how.should_stop = [] { return IsInterrupted(); };
  SweepSummary summary;
  {
    SweepLine line;
    how.report = [&line, speaks](const SweepProgress& progress) {
      if (speaks) line.Update(progress);
    };
    summary = RunSweep(study, how);
  }
  if (!speaks) return;
  out << fmt::format("{}: {} of {} samples are done, {} of them failed",
                     how.folder.string(), summary.num_done, summary.num_samples,
                     summary.num_failed);
  if (summary.num_resumed > 0) {
    out << fmt::format("; {} were there before", summary.num_resumed);
  }
  if (summary.num_lost_ranks > 0) {
    out << fmt::format("; lost were {} ranks, whose samples others did",
                       summary.num_lost_ranks);
  }
  out << "\n";
  if (!summary.is_complete) {
    throw std::runtime_error(
        "the sweep was told to stop; the same with --resume goes on.");
  }
  out << fmt::format("  -> {}{}{}\n", summary.table.string(),
                     summary.hdf5_table.empty() ? "" : ", ",
                     summary.hdf5_table.string());
  const auto rerun = [&](std::uint64_t index) {
    std::string text = "wyvern run " + Quote(command.scenario);
    for (const std::string& plugin : command.plugins) {
      text += " --plugin " + Quote(plugin);
    }
    for (const std::string& setting : command.settings) {
      text += " --set " + Quote(setting);
    }
    for (const std::string& setting :
         study.plan.MakeSettings(study.plan.MakeSample(index))) {
      text += " --set " + Quote(setting);
    }
    return text;
  };
  const auto num_outputs = static_cast<int>(study.outputs.size());
  out << ToText(ComputeStatistics(summary.table, num_outputs),
                FindFailed(summary.table, 3), rerun);
  if (command.report.empty()) return;
  SaveSweepPage({.title = command.scenario,
                 .table = summary.table,
                 .num_outputs = num_outputs,
                 .rerun = rerun,
                 .replay =
                     [&](std::uint64_t index) {
                       return ReplaySample(command, study, index);
                     }},
                command.report);
  out << fmt::format("  report -> {}\n", command.report);
}

}  // namespace wyvern::app
