#include "wyvern/multibody/plant/plant_with_scene_graph.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using geometry::SceneGraph;
using systems::DiagramBuilder;

template <typename T>
AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph(
    DiagramBuilder<T>* builder, double time_step,
    std::unique_ptr<SceneGraph<T>> scene_graph) {
  return AddMultibodyPlantSceneGraph<T>(
      builder, std::make_unique<MultibodyPlant<T>>(time_step),
      std::move(scene_graph));
}

template <typename T>
AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph(
    DiagramBuilder<T>* builder, std::unique_ptr<MultibodyPlant<T>> plant,
    std::unique_ptr<SceneGraph<T>> scene_graph) {
  wyvern::internal::RequireNotNull("AddMultibodyPlantSceneGraph", "the builder",
                                   builder);
  wyvern::internal::RequireNotNull("AddMultibodyPlantSceneGraph", "the plant",
                                   plant);
  if (plant->is_finalized() && !plant->geometry_source_is_registered()) {
    throw std::logic_error(
        "AddMultibodyPlantSceneGraph(): the plant is finalized without a "
        "SceneGraph; finalize it afterwards.");
  }
  if (scene_graph == nullptr) scene_graph = std::make_unique<SceneGraph<T>>();
  if (plant->get_name().empty()) plant->set_name("plant");
  if (scene_graph->get_name().empty()) scene_graph->set_name("scene_graph");
  auto* const the_plant = builder->AddSystem(std::move(plant));
  auto* const the_graph = builder->AddSystem(std::move(scene_graph));
  if (!the_plant->geometry_source_is_registered()) {
    the_plant->RegisterAsSourceForSceneGraph(the_graph);
  }
  builder->Connect(
      the_plant->get_geometry_pose_output_port(),
      the_graph->get_source_pose_port(*the_plant->get_source_id()));
  builder->Connect(
      the_plant->get_deformable_body_configuration_output_port(),
      the_graph->get_source_configuration_port(*the_plant->get_source_id()));
  builder->Connect(the_graph->get_query_output_port(),
                   the_plant->get_geometry_query_input_port());
  return {the_plant, the_graph};
}

#define WYVERN_INSTANTIATE(T)                                                \
  template AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph( \
      DiagramBuilder<T>*, double, std::unique_ptr<SceneGraph<T>>);           \
  template AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph( \
      DiagramBuilder<T>*, std::unique_ptr<MultibodyPlant<T>>,                \
      std::unique_ptr<SceneGraph<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
