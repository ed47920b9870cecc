#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/collision_filter_groups.h"
#include "wyvern/multibody/parsing/joint_facts.h"
#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::multibody {

namespace internal {
class XmlDocument;
struct DirectiveModel;
struct ParsedModel;
struct PlacedDirectives;
enum class ModelFileType;
}  // namespace internal

class Parser;
namespace parsing {
struct ModelDirectives;
struct ModelInstanceInfo;
void ProcessModelDirectives(const ModelDirectives&, MultibodyPlant<double>*,
                            std::vector<ModelInstanceInfo>*, Parser*);
}  // namespace parsing

/** Adds the robots that model files describe to a plant. Reads URDF, SDFormat,
MJCF and model directives, which put a scene together from such files;
README.md in this folder has the tables of their elements.

@code
MultibodyPlant<double> plant(0.001);
Parser(&plant).AddModels("robot.urdf");
plant.Finalize();
@endcode

Each model becomes a model instance of its name, "outer::inner" if it is nested
in another. Links that no joint ties to the
world are free bodies. A file is added as a whole or, if it is not valid, not at
all. Shapes go to the plant's SceneGraph; without one, they are checked and left
out. A robot that can be simulated is added: what is doubtful, not known or not
modelled gives a warning, which says where it is and what was done instead, and
all of a file's come together. README.md has the table of what is repaired. */
class Parser final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Parser);

  /** @param plant what to add to; it must outlive the parser.
  @param model_name_prefix "left" makes a robot "arm" the model instance
  "left::arm". @throws std::logic_error if `plant` is null. */
  explicit Parser(MultibodyPlant<double>* plant,
                  std::string_view model_name_prefix = {});
  /** Overload with a SceneGraph: if it is not null and the plant is not
  registered with one, registers the plant. */
  Parser(MultibodyPlant<double>* plant,
         geometry::SceneGraph<double>* scene_graph,
         std::string_view model_name_prefix = {});
  ~Parser();

  /** The plant that models are added to. */
  MultibodyPlant<double>& plant() { return plant_; }
  /** As given; null without one. */
  geometry::SceneGraph<double>* scene_graph() { return scene_graph_; }
  /** The packages that URLs refer to. One that is not here is looked for in the
  package.xml of the folders that a file is in, in ROS_PACKAGE_PATH and in
  WYVERN_MODELS_DIR. */
  PackageMap& package_map() { return package_map_; }

  /** @name Adding models
  Return the model instances added, outer before inner. Throw std::logic_error
  if the plant is finalized, and std::runtime_error, as "file:line: what: why",
  if the file cannot be read, is not valid, or its robot's name is taken.
  @{ */
  /** Adds the models of a file.
  @param file_name of a file whose name ends in .urdf, .sdf, .xml or
  .dmd.yaml, or whose root element is `robot`, `sdf` or `mujoco`; the element
  decides. Of .dmd.yaml, the models are those of add_model. */
  std::vector<ModelInstanceIndex> AddModels(
      const std::filesystem::path& file_name);
  /** Adds the models of the file that a URL names.
  @param url see PackageMap::ResolveUrl(); a package that is not in the
  package map is looked for as those in files are. */
  std::vector<ModelInstanceIndex> AddModelsFromUrl(const std::string& url);
  /** Adds the models of a text.
  @param file_type "urdf", "sdf", "xml" or "dmd.yaml", with or without a
  point in front; capitals do as well. */
  std::vector<ModelInstanceIndex> AddModelsFromString(
      const std::string& file_contents, const std::string& file_type);
  /** @} */

  /** The collision filter groups of all files added so far. Names of model
  instances are the plant's present ones, those of groups and bodies the ones in
  the files. */
  CollisionFilterGroups GetCollisionFilterGroups() const;

  /** Returns facts about joints in the files added so far that the plant does
  not hold, such as effort limits of joints without actuator. */
  const JointFactsMap& joint_facts() const { return facts_.joints; }
  /** Returns the facts about actuators in these files: their home inputs. */
  const ActuatorFactsMap& actuator_facts() const { return facts_.actuators; }

  /** Whether a robot whose name is taken is called "name_1", "name_2", ...
  instead of refused. */
  void SetAutoRenaming(bool value) { is_auto_renaming_ = value; }
  /** The choice of SetAutoRenaming(). */
  bool GetAutoRenaming() const { return is_auto_renaming_; }

  /** From now on, a file with warnings is refused, with all of them. */
  void SetStrictParsing() { log_.set_strict(); }
  /** The warnings so far, each "file:line: what is wrong and was done". */
  const std::vector<std::string>& warnings() const { return log_.warnings(); }
  /** Calls `handler` with each warning instead of printing it on stderr, after
  a file was read and before its model is added; a null one keeps quiet. */
  void SetWarningHandler(std::function<void(const std::string&)> handler) {
    log_.set_handler(std::move(handler));
  }

 private:
  friend void parsing::ProcessModelDirectives(
      const parsing::ModelDirectives&, MultibodyPlant<double>*,
      std::vector<parsing::ModelInstanceInfo>*, Parser*);

  void RequireNotFinalized(std::string_view function) const;
  // Gives filter_groups_ the present names of model instances, or keeps those.
  void RenameFilterGroups();
  void RememberInstanceNames();
  std::vector<ModelInstanceIndex> AddDocument(
      const internal::XmlDocument& document, internal::ModelFileType type);
  internal::ParsedModel ReadDocument(
      const internal::XmlDocument& document, internal::ModelFileType type,
      const std::function<std::string(const std::string&)>& make_name);
  // Adds what directives say, and to `added` their models, but for those that
  // it has.
  void AddDirectives(const internal::PlacedDirectives& directives,
                     std::vector<parsing::ModelInstanceInfo>* added);
  internal::DirectiveModel ReadForDirective(const std::string& path,
                                            const std::string& place);
  std::vector<ModelInstanceIndex> AddScene(
      const internal::PlacedDirectives& directives);
  // Returns the name of a robot's model instance.
  std::string InstanceName(const std::string& model_name,
                           const std::string& place) const;

  MultibodyPlant<double>& plant_;
  geometry::SceneGraph<double>* const scene_graph_{};
  const std::string model_name_prefix_;
  PackageMap package_map_;
  CollisionFilterGroups filter_groups_;
  // The names of model instances that filter_groups_ uses, by index.
  std::vector<std::string> instance_names_;
  internal::WarningLog log_;
  bool is_auto_renaming_{false};
  ModelFacts facts_;
};

}  // namespace wyvern::multibody
