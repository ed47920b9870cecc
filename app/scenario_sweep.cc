#include "wyvern/app/scenario_sweep.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/yaml/yaml_io.h"

/* A sweep of a scenario is a study whose samples are scenarios: the plan gives
the settings of a sample, and a Simulator runs to its end. OutputWatch evaluates
the wanted ports: the last value at the end of the run, the least and the
largest after each step. Each sample loads the scenario anew. The first sample
is built before the sweep starts, so that an error in all samples shows at once.
*/

namespace wyvern::app {

using systems::OutputPort;

namespace {

enum class Reduction { kFinal, kMin, kMax };

/** One of the outputs of a sweep, as its text says. */
struct WantedOutput {
  std::string port;
  // All elements if -1.
  int index{-1};
  Reduction reduction{Reduction::kFinal};
  std::string suffix;
};

WantedOutput ReadWantedOutput(const std::string& text) {
  WantedOutput wanted;
  const std::size_t colon = text.rfind(':');
  std::string name = text.substr(0, colon);
  if (colon != text.npos) {
    const std::string reduction = text.substr(colon + 1);
    wanted.suffix = ":" + reduction;
    if (reduction == "min") {
      wanted.reduction = Reduction::kMin;
    } else if (reduction == "max") {
      wanted.reduction = Reduction::kMax;
    } else if (reduction == "final") {
      wanted.suffix = "";
    } else {
      throw std::runtime_error(
          fmt::format("--output {}: there is no '{}'; give :final, :min or "
                      ":max.",
                      text, reduction));
    }
  }
  if (name.ends_with(']')) {
    const std::size_t begin = std::min(name.rfind('['), name.size() - 1);
    const char* const last = name.data() + name.size() - 1;
    const auto [end, error] =
        std::from_chars(name.data() + begin + 1, last, wanted.index);
    if (error != std::errc() || end != last || wanted.index < 0) {
      throw std::runtime_error(
          fmt::format("--output {}: the index is no number from 0 on.", text));
    }
    name.resize(begin);
  }
  wanted.port = name;
  return wanted;
}

const OutputPort<double>* FindPort(const ScenarioSimulation& simulation,
                                   const std::string& output,
                                   const std::string& port) {
  try {
    return &simulation.GetVectorPort(port);
  } catch (const std::logic_error& error) {
    throw std::runtime_error(
        fmt::format("--output {}: {}", output, error.what()));
  }
}

/** Outputs of one run: what they are so far. */
class OutputWatch {
 public:
  OutputWatch(const ScenarioSimulation& simulation,
              const std::vector<std::string>& outputs) {
    for (const std::string& text : outputs) {
      const WantedOutput wanted = ReadWantedOutput(text);
      Item item{.port = FindPort(simulation, text, wanted.port),
                .wanted = wanted,
                .values = {}};
      std::vector<std::string> names = simulation.GetElementNames(*item.port);
      if (wanted.index >= static_cast<int>(names.size())) {
        throw std::runtime_error(fmt::format(
            "--output {}: the port has {} elements.", text, names.size()));
      }
      if (wanted.index >= 0) names = {names[wanted.index]};
      const double start = wanted.reduction == Reduction::kMin
                               ? std::numeric_limits<double>::infinity()
                               : -std::numeric_limits<double>::infinity();
      item.values.assign(names.size(), start);
      for (const std::string& name : names) {
        names_.push_back(name + wanted.suffix);
      }
      is_watching_ = is_watching_ || wanted.reduction != Reduction::kFinal;
      items_.push_back(std::move(item));
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  bool is_watching() const { return is_watching_; }

  void Update(const systems::Context<double>& root, bool is_end) {
    for (Item& item : items_) {
      const bool is_final = item.wanted.reduction == Reduction::kFinal;
      if (is_final && !is_end) continue;
      const auto& now =
          item.port->Eval(item.port->get_system().GetMyContextFromRoot(root));
      const int first = std::max(item.wanted.index, 0);
      for (std::size_t i = 0; i < item.values.size(); ++i) {
        const double value = now[first + static_cast<int>(i)];
        double& kept = item.values[i];
        kept = is_final ? value
               : item.wanted.reduction == Reduction::kMin
                   ? std::min(kept, value)
                   : std::max(kept, value);
      }
    }
  }

  std::vector<double> CollectValues() const {
    std::vector<double> values;
    for (const Item& item : items_) {
      values.insert(values.end(), item.values.begin(), item.values.end());
    }
    return values;
  }

 private:
  struct Item {
    const OutputPort<double>* port{};
    WantedOutput wanted;
    std::vector<double> values;
  };
  std::vector<Item> items_;
  std::vector<std::string> names_;
  bool is_watching_{false};
};

std::vector<std::string> Concatenate(std::vector<std::string> all,
                                     const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The sample's scenario and logs go to a folder of its own.
void KeepSample(const std::filesystem::path& folder, Scenario* scenario) {
  internal::MakeFolders("RunSweep()", folder);
  for (Log& log : scenario->logs) {
    log.file = (folder / std::filesystem::path(log.file).filename()).string();
    // Thousands of logs would have a copy of the models each.
    log.largest_file = 0;
  }
  internal::WriteWholeFile("RunSweep()", folder / "scenario.yaml",
                           SaveScenario(*scenario));
}

}  // namespace

SweepStudy MakeStudy(const ScenarioSweep& sweep, SweepPlan plan) {
  const std::string text = yaml::internal::ReadFile(sweep.scenario);
  const std::filesystem::path folder =
      internal::MakeAbsolute("RunSweep()", sweep.scenario).parent_path();
  const auto load = [=](const std::vector<std::string>& settings) {
    return LoadScenarioFromString(text, Concatenate(sweep.settings, settings),
                                  sweep.scenario);
  };
  std::vector<std::string> outputs;
  {
    // A sample that is wrong in all of them is found before they run.
    const ScenarioSimulation first(load(plan.MakeSettings(plan.MakeSample(0))),
                                   folder, false);
    outputs = OutputWatch(first, sweep.outputs).names();
  }
  outputs.push_back("end_time");
  std::string description = text;
  for (const std::string& setting : sweep.settings) {
    description += "\n--set " + setting;
  }
  auto function = [=](const SweepSample& sample,
                      const std::function<bool()>& should_stop) {
    Scenario scenario = load(plan.MakeSettings(sample));
    const bool is_kept = !sweep.sample_folder.empty();
    if (is_kept) {
      KeepSample(sweep.sample_folder / std::to_string(sample.index), &scenario);
    }
    ScenarioSimulation simulation(scenario, folder, is_kept);
    OutputWatch watch(simulation, sweep.outputs);
    const RunSummary summary = simulation.Run([&] {
      if (watch.is_watching()) {
        watch.Update(simulation.simulator().get_context(), false);
      }
      return should_stop();
    });
    watch.Update(simulation.simulator().get_context(), true);
    SampleResult result{watch.CollectValues(), summary.reason};
    result.values.push_back(summary.end_time);
    return result;
  };
  return {.plan = plan,
          .outputs = outputs,
          .function = function,
          .description = description};
}

}  // namespace wyvern::app
