#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace wyvern::report {
class Report;
}  // namespace wyvern::report

namespace wyvern::app {

/** Keeps of a run what a report about it says: states, efforts of actuators,
sensors, logged vector ports, and, if the library has the viewer, the motion.

@code
const Scenario scenario;
ScenarioReport report(scenario, "arm.yaml");
ScenarioSimulation simulation(scenario, ".", true, report.Additions());
report.Save("arm.html", &simulation, simulation.Run());
@endcode */
class ScenarioReport final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScenarioReport);

  /** @param name of the scenario, as the reader knows it.
  @param viewer that shows the run, whose recording becomes the replay; if null
  one of its own is made. */
  ScenarioReport(Scenario scenario, std::string name,
                 std::shared_ptr<geometry::Viewer> viewer = nullptr);
  ~ScenarioReport();

  /** For the simulation's constructor; it refers to this. */
  ScenarioSimulation::Additions Additions();

  /** Writes the report of a run that has ended: by its time, a stop condition
  or a signal.
  @throws std::runtime_error if the file cannot be written. */
  void Save(const std::filesystem::path& file, ScenarioSimulation* simulation,
            const RunSummary& summary) const;

 private:
  using Sink = systems::VectorLogSink<double>;
  // A sensor's port, or one that the scenario logs.
  struct PortLog {
    std::string name;
    const systems::OutputPort<double>* port{};
    const Sink* sink{};
  };

  // Samples the port under a name of the report's own.
  const Sink* AddSink(const systems::OutputPort<double>& port,
                      systems::DiagramBuilder<double>* builder) const;
  void AddPortLogs(const multibody::MultibodyPlant<double>& plant,
                   systems::DiagramBuilder<double>* builder);
  void AddPlotsOfPlant(const ScenarioSimulation& simulation,
                       const systems::Context<double>& root,
                       report::Report* report) const;

  const Scenario scenario_;
  const std::string name_;
  std::shared_ptr<geometry::Viewer> viewer_;
  const bool is_viewer_own_;
  // Sampling period [s].
  double period_{};
  const Sink* states_{};
  const Sink* efforts_{};
  std::vector<PortLog> sensors_;
  std::vector<PortLog> ports_;
};

}  // namespace wyvern::app
