// Scenarios: the program `wyvern` as functions. wyvern/scenario.py makes them
// convenient.
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/gil.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/app/command.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_report.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/systems/common/standard_output.h"

namespace wyvern::python {

using app::RunSummary;
using app::Scenario;
using app::ScenarioReport;
using app::ScenarioSimulation;
using Sink = systems::VectorLogSink<double>;

namespace {

// The output port of a name "system/port" among those added so far.
const systems::OutputPort<double>& FindPort(
    const systems::DiagramBuilder<double>& builder, const std::string& name) {
  const size_t slash = name.rfind('/');
  if (slash == name.npos) {
    throw std::logic_error(fmt::format(
        "'{}' is no port; use 'system/port', such as 'plant/state'.", name));
  }
  return builder.GetSubsystemByName(name.substr(0, slash))
      .GetOutputPort(name.substr(slash + 1));
}

// A run of a scenario, with samples of ports and what a report needs.
class ScenarioRun final {
 public:
  ScenarioRun(const std::filesystem::path& file,
              const std::vector<std::string>& settings,
              std::vector<std::string> ports, double period, bool writes_logs)
      : ports_(std::move(ports)) {
    const Scenario scenario = app::LoadScenario(file.string(), settings);
    if (ports_.empty()) {
      for (const app::Log& log : scenario.logs) {
        for (const std::string& port : log.port_names()) ports_.push_back(port);
      }
    }
    if (ports_.empty()) ports_ = {"plant/state"};
    report_ =
        std::make_unique<ScenarioReport>(scenario, file.filename().string());
    const auto additions = report_->Additions();
    simulation_ = std::make_unique<ScenarioSimulation>(
        scenario, file.parent_path(), writes_logs,
        [&](const multibody::MultibodyPlant<double>& plant,
            systems::DiagramBuilder<double>* builder) {
          additions(plant, builder);
          for (const std::string& port : ports_) {
            sinks_.push_back(
                LogVectorOutput(FindPort(*builder, port), builder, period));
          }
        });
  }

  void Run() {
    auto next_look = std::chrono::steady_clock::now();
    const GilRelease release;
    summary_ = simulation_->Run([&next_look] {
      const auto now = std::chrono::steady_clock::now();
      if (now < next_look) return false;
      next_look = now + std::chrono::milliseconds(20);
      const GilAcquire gil;
      if (PyErr_CheckSignals() != 0) {
        const nb::python_error error;
        throw CallbackError(error, "in a run of a scenario");
      }
      return false;
    });
  }

  const RunSummary& summary() const { return summary_; }
  const std::vector<std::string>& ports() const { return ports_; }
  const std::vector<std::string>& warnings() const {
    return simulation_->warnings();
  }
  std::vector<std::string> ElementNames(size_t i) const {
    return simulation_->GetElementNames(
        simulation_->GetVectorPort(ports_.at(i)));
  }
  VectorXd Times(size_t i) const { return LogOf(i).sample_times(); }
  MatrixXd Samples(size_t i) const { return LogOf(i).data(); }
  void Report(const std::filesystem::path& file) const {
    report_->Save(file, simulation_.get(), summary_);
  }
  const systems::Diagram<double>& diagram() const {
    return simulation_->diagram();
  }
  const multibody::MultibodyPlant<double>& plant() const {
    return simulation_->plant();
  }
  const systems::Context<double>& context() const {
    return simulation_->simulator().get_context();
  }

 private:
  const systems::VectorLog<double>& LogOf(size_t i) const {
    return sinks_.at(i)->FindLog(simulation_->simulator().get_context());
  }

  std::vector<std::string> ports_;
  std::unique_ptr<ScenarioReport> report_;
  std::vector<const Sink*> sinks_;
  std::unique_ptr<ScenarioSimulation> simulation_;
  RunSummary summary_;
};

}  // namespace

void BindScenario(nb::module_ m) {
  DocumentedClass<RunSummary>(m, "RunSummary", "How a run went.")
      .def_ro("reason", &RunSummary::reason)
      .def_ro("end_time", &RunSummary::end_time, "[s]")
      .def_ro("wall_time", &RunSummary::wall_time, "[s]")
      .def_ro("num_steps", &RunSummary::num_steps);
  using Run = ScenarioRun;
  DocumentedClass<Run>(m, "ScenarioRun")
      .def(nb::init<const std::filesystem::path&,
                    const std::vector<std::string>&, std::vector<std::string>,
                    double, bool>(),
           "file"_a, "settings"_a, "ports"_a, "period"_a, "writes_logs"_a)
      .def("run", &Run::Run)
      .def("summary", &Run::summary, nb::rv_policy::copy)
      .def("ports", &Run::ports)
      .def("warnings", &Run::warnings)
      .def("element_names", &Run::ElementNames, "port"_a)
      .def("times", &Run::Times, "port"_a)
      .def("samples", &Run::Samples, "port"_a)
      .def("report", &Run::Report, "file"_a)
      .def("diagram", &Run::diagram, kInside)
      .def("plant", &Run::plant, kInside)
      .def("context", &Run::context, kInside);
  m.def(
      "scenario_text",
      [](const std::filesystem::path& file,
         const std::vector<std::string>& settings) {
        return app::SaveScenario(app::LoadScenario(file.string(), settings));
      },
      "file"_a, "settings"_a, "Returns the scenario with all defaults.");
  m.def(
      "run_command",
      [](const std::vector<std::string>& arguments) {
        wyvern::internal::ReserveStandardStreams();
        return app::RunCommand(arguments, std::cout, std::cerr);
      },
      "arguments"_a, nb::call_guard<GilRelease>(),
      "Runs the program wyvern and returns its exit code.");
}

}  // namespace wyvern::python
