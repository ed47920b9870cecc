#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody {

using geometry::SceneGraph;
using geometry::SceneGraphConfig;
using systems::DiagramBuilder;

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
  wyvern::internal::RequireNotNull("ApplyMultibodyPlantConfig", "the plant",
                                   plant, "give one");
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
  plant->set_speculative_contact_margin(config.speculative_contact_margin);
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

}  // namespace wyvern::multibody
