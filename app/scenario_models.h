#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/multibody/parsing/file_record.h"
#include "wyvern/multibody/parsing/joint_facts.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::geometry {
template <typename T>
class SceneGraph;
}  // namespace wyvern::geometry

namespace wyvern::multibody {
template <typename T>
class Joint;
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::app {

/** Facts about the models of a scenario that their plant does not hold. */
struct AddedModels {
  /** Warnings about files, which were printed too. */
  std::vector<std::string> warnings;
  /** Facts of the files that a plant has no place for. */
  multibody::ModelFacts facts;
};

/** Adds the models of a scenario to a plant, with their actuators, initial
positions and the floor, and finalizes it. Gains of a file become 0 if a driver
other than ServoDriver feeds the actuators of the model.
@param folder that files are relative to.
@param scene_graph that the plant is registered with; null: no shapes, no floor.
@param record of the files that are read; null: they are not recorded.
@throws std::runtime_error if a file or directive is at fault; std::logic_error
if there is no such model instance or joint, naming the nearest name. */
AddedModels AddModels(const Scenario& scenario,
                      const std::filesystem::path& folder,
                      multibody::MultibodyPlant<double>* plant,
                      const geometry::SceneGraph<double>* scene_graph,
                      std::shared_ptr<multibody::FileRecord> record = nullptr);

/** Returns the model instance of a name.
@param who names the key of the scenario, for errors.
@throws std::logic_error naming the nearest name, if there is none such. */
multibody::ModelInstanceIndex FindModel(
    const std::string& who, const std::string& name,
    const multibody::MultibodyPlant<double>& plant);

/** Returns a body of a model instance; throws as FindModel(). */
multibody::BodyIndex FindBody(const std::string& who, const std::string& name,
                              multibody::ModelInstanceIndex model,
                              const multibody::MultibodyPlant<double>& plant);

/** Returns a joint of a model instance; throws as FindModel(). */
multibody::JointIndex FindJoint(const std::string& who, const std::string& name,
                                multibody::ModelInstanceIndex model,
                                const multibody::MultibodyPlant<double>& plant);

/** Sets default positions before Finalize(), or after it in a plant without
Contexts. @throws std::logic_error as FindModel() and the joints. */
void SetDefaultPositions(const std::string& who,
                         const JointPositions& positions,
                         multibody::MultibodyPlant<double>* plant);

/** Returns "; did you mean 'arm'?" with the nearest of some names, or "". */
std::string SuggestName(const std::string& name,
                        const std::vector<std::string>& names);

}  // namespace wyvern::app
