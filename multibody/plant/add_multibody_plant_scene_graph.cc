#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using geometry::SceneGraph;
using geometry::SceneGraphConfig;
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
  if (builder == nullptr || plant == nullptr) {
    throw std::logic_error(
        fmt::format("AddMultibodyPlantSceneGraph(): the {} is null.",
                    builder == nullptr ? "builder" : "plant"));
  }
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
  builder->Connect(the_graph->get_query_output_port(),
                   the_plant->get_geometry_query_input_port());
  return {the_plant, the_graph};
}

namespace {

template <typename Enum>
Enum FindEnum(const char* what, const std::string& name,
              std::initializer_list<std::pair<const char*, Enum>> values) {
  std::string known;
  for (const auto& [text, value] : values) {
    if (name == text) return value;
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", text);
  }
  throw std::logic_error(fmt::format(
      "MultibodyPlantConfig::{}: '{}' is not one of {}.", what, name, known));
}

}  // namespace

void ApplyMultibodyPlantConfig(const MultibodyPlantConfig& config,
                               MultibodyPlant<double>* plant) {
  using Approximation = DiscreteContactApproximation;
  using Representation = geometry::HydroelasticContactRepresentation;
  if (plant == nullptr) {
    throw std::logic_error("ApplyMultibodyPlantConfig(): the plant is null.");
  }
  plant->set_contact_model(
      FindEnum<ContactModel>("contact_model", config.contact_model,
                             {{"point", ContactModel::kPoint},
                              {"hydroelastic", ContactModel::kHydroelastic},
                              {"hydroelastic_with_fallback",
                               ContactModel::kHydroelasticWithFallback}}));
  const auto approximation = FindEnum<Approximation>(
      "discrete_contact_approximation", config.discrete_contact_approximation,
      {{"tamsi", Approximation::kTamsi},
       {"sap", Approximation::kSap},
       {"similar", Approximation::kSimilar},
       {"lagged", Approximation::kLagged}});
  if (plant->is_discrete()) {
    plant->set_discrete_contact_approximation(approximation);
    plant->SetUseSampledOutputPorts(config.use_sampled_output_ports);
  }
  plant->set_contact_surface_representation(FindEnum<Representation>(
      "contact_surface_representation", config.contact_surface_representation,
      {{"triangle", Representation::kTriangle},
       {"polygon", Representation::kPolygon}}));
  plant->set_penetration_allowance(config.penetration_allowance);
  plant->set_stiction_tolerance(config.stiction_tolerance);
  plant->set_sap_near_rigid_threshold(config.sap_near_rigid_threshold);
  plant->set_constraint_stabilization_time(
      config.constraint_stabilization_time);
  plant->set_constraint_projection(FindEnum<ConstraintProjection>(
      "constraint_projection", config.constraint_projection,
      {{"none", ConstraintProjection::kNone},
       {"every_step", ConstraintProjection::kEveryStep}}));
  plant->set_adjacent_bodies_collision_filters(
      config.adjacent_bodies_collision_filters);
}

AddMultibodyPlantSceneGraphResult<double> AddMultibodyPlant(
    const MultibodyPlantConfig& config, DiagramBuilder<double>* builder) {
  return AddMultibodyPlant(config, SceneGraphConfig{}, builder);
}

AddMultibodyPlantSceneGraphResult<double> AddMultibodyPlant(
    const MultibodyPlantConfig& plant_config,
    const SceneGraphConfig& scene_graph_config,
    DiagramBuilder<double>* builder) {
  auto plant = std::make_unique<MultibodyPlant<double>>(plant_config.time_step);
  ApplyMultibodyPlantConfig(plant_config, plant.get());
  return AddMultibodyPlantSceneGraph<double>(
      builder, std::move(plant),
      std::make_unique<SceneGraph<double>>(scene_graph_config));
}

#define WYVERN_INSTANTIATE(T)                                                \
  template AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph( \
      DiagramBuilder<T>*, double, std::unique_ptr<SceneGraph<T>>);           \
  template AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph( \
      DiagramBuilder<T>*, std::unique_ptr<MultibodyPlant<T>>,                \
      std::unique_ptr<SceneGraph<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
