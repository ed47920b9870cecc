#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/app/model_drivers.h"
#include "wyvern/app/scenario.h"
#include "wyvern/app/sensor_blocks.h"
#include "wyvern/multibody/parsing/file_record.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/recording/recorder.h"

namespace wyvern::systems {
class LiveSimulation;
}  // namespace wyvern::systems

namespace wyvern::app {

/** How a run went. */
struct RunSummary {
  /** Why it ended, "the duration is over" or another reason in words. */
  std::string reason;
  /** [s] */
  double end_time{};
  /** Wall time of the run, [s]. */
  double wall_time{};
  /** How many steps the simulator has taken. */
  std::int64_t num_steps{};
};

/** A scenario made into a diagram and a simulation of it. The systems of the
diagram are `plant`, `scene_graph`, for each driver `<model>_driver` and
`<model>_reference` with blocks between them, for each sensor the ideal one and
what is seen of it, `disturbances`, and the scenario's blocks by their names.

@code
ScenarioSimulation simulation(LoadScenario("arm.yaml"), ".");
simulation.Run();
simulation.plant().GetPositions(simulation.plant_context());
@endcode */
class ScenarioSimulation final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScenarioSimulation);

  /** Adds systems to the builder, when the plant is finalized. */
  using Additions =
      std::function<void(const multibody::MultibodyPlant<double>& plant,
                         systems::DiagramBuilder<double>* builder)>;

  /** @param folder that paths in the scenario are relative to, and packages are
  looked for from; the working folder if empty. @param with_logs whether logs
  are written; their files are open from here on. @param additions what else
  is in the diagram; null: nothing. @param record gets the files of models;
  null: one of its own.
  @throws std::runtime_error or std::logic_error, as what is at fault does. */
  explicit ScenarioSimulation(
      const Scenario& scenario, const std::filesystem::path& folder = {},
      bool with_logs = true, const Additions& additions = nullptr,
      std::shared_ptr<multibody::FileRecord> record = nullptr);
  ~ScenarioSimulation();

  /** Returns the root of all systems. */
  const systems::Diagram<double>& diagram() const { return *diagram_; }
  /** Returns the plant, which is finalized. */
  const multibody::MultibodyPlant<double>& plant() const { return *plant_; }
  /** Returns the simulator; its Context may be changed before Run(). */
  systems::Simulator<double>& simulator() { return *simulator_; }
  /** Returns the plant's part of the simulator's Context. */
  const systems::Context<double>& plant_context() const;
  /** Returns the warnings about the models' files. */
  const std::vector<std::string>& warnings() const { return warnings_; }
  /** The port of a name "system/port".
  @throws std::logic_error naming those there are. */
  const systems::OutputPort<double>& GetVectorPort(
      const std::string& name) const;
  /** A name for each element of such a port. */
  std::vector<std::string> GetElementNames(
      const systems::OutputPort<double>& port) const;
  /** The names of the elements of a sensor's port or of a port that
  multibody::GetElementNames() knows; empty for other ports. */
  std::vector<std::string> FindElementNames(
      const systems::PortBase& port) const;

  /** A unit for each element of such a port, such as "m/s²"; empty texts for
  ports of other blocks than sensors. */
  std::vector<std::string> GetElementUnits(
      const systems::OutputPort<double>& port) const;

  /** The parameters that the scenario's tunables name. */
  const std::vector<TunableGain>& tunables() const { return tunables_; }
  /** Returns the tunables that differ from the scenario now, as settings for
  LoadScenario(): "model_drivers.arm.kp=[50, 40.5]". */
  std::vector<std::string> MakeTunedSettings() const;
  /** Gives a page sliders of the tunables: "arm kp elbow [N·m/rad]".
  @throws std::logic_error as LiveSimulation::AddTunable(). */
  void AddSliders(systems::LiveSimulation* live) const;

  /** Runs to the end and closes the logs, which get their names then: also if
  something throws, with the rows so far.
  The Simulator's monitor, if it has one, is called as before.
  @param should_stop asked after each step; null: never.
  @param advance advances the simulator() to a time; null: its AdvanceTo().
  @throws what a step throws. */
  RunSummary Run(const std::function<bool()>& should_stop = nullptr,
                 const std::function<void(double)>& advance = nullptr);

 private:
  struct Condition {
    const systems::OutputPort<double>* port{};
    StopCondition wanted;
    std::string Describe(double value) const;
  };

  void AddLogs(const Scenario& scenario, const std::filesystem::path& folder,
               const multibody::FileRecord& record,
               systems::DiagramBuilder<double>* builder);
  void AddConditions(const Scenario& scenario,
                     const systems::DiagramBuilder<double>& builder);
  // Closes all logs; `statistics` describe a run that ended.
  void CloseLogs(const std::map<std::string, std::string>& statistics = {});

  const double duration_;
  multibody::MultibodyPlant<double>* plant_{};
  std::vector<std::string> warnings_;
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::vector<systems::Recorder<double>*> logs_;
  std::vector<Condition> conditions_;
  std::vector<TunableGain> tunables_;
  // At the start, one for each tunable.
  std::vector<Eigen::VectorXd> first_gains_;
  std::map<const systems::OutputPort<double>*, SensorElements> sensors_;
  std::unique_ptr<systems::Simulator<double>> simulator_;
};

}  // namespace wyvern::app
