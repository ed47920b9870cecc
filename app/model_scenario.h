#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::app {

/** Default duration of the simulation of a model by itself, [s]. */
inline constexpr double kModelDuration = 10;

/** Options of the command line for the simulation of a model. */
struct ModelOptions {
  /** [s] */
  std::optional<double> time_step{};
  /** Contact model of MultibodyPlantConfig; empty: its default. */
  std::string contact_model{};
  /** Base of ModelFile; empty: its default. */
  std::string base{};
};

/** Returns the scenario of a model by itself: all models of a file, with
gravity, and a floor if nothing is below them.
@param file URDF, SDFormat, MJCF or directives; a path from the working folder.
*/
Scenario MakeModelScenario(const std::string& file,
                           const ModelOptions& options);

/** Applies the options to a scenario that was loaded.
@throws std::runtime_error if the scenario has no model_files, and a base is
given. */
void ApplyModelOptions(const ModelOptions& options, Scenario* scenario);

/** Remarks for a person who simulates a model by itself: on free bases, which
may fall, on joints without actuators, and on missing masses. */
class ModelRemarks {
 public:
  /** @param simulation before it runs.
  @throws std::logic_error if no body of a model that moves has a mass. */
  explicit ModelRemarks(const ScenarioSimulation& simulation);

  /** Remarks that are known before the run, one sentence each. */
  std::vector<std::string> AtStart() const { return at_start_; }
  /** Names the free bases that have fallen, and how far. */
  std::vector<std::string> AtEnd(const ScenarioSimulation& simulation) const;

 private:
  std::vector<std::string> at_start_;
  // Heights of the free bases that carry joints, [m].
  std::map<multibody::BodyIndex, double> heights_;
};

}  // namespace wyvern::app
