#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "wyvern/app/scenario.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace wyvern::app {

/** Keeps of a run what a report about it says: states, what actuators do, and,
where the library has the viewer, the motion.

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
  const Scenario scenario_;
  const std::string name_;
  std::shared_ptr<geometry::Viewer> viewer_;
  const bool is_viewer_own_;
  const systems::VectorLogSink<double>* states_{};
  const systems::VectorLogSink<double>* efforts_{};
};

}  // namespace wyvern::app
