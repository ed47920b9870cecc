#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/plant/contact_model.h"
#include "wyvern/multibody/plant/multibody_plant_config.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::multibody::internal {

/** How a plant models contact. */
struct ContactConfig {
  ContactModel model{ContactModel::kHydroelasticWithFallback};
  DiscreteContactApproximation approximation{
      DiscreteContactApproximation::kLagged};
  geometry::HydroelasticContactRepresentation surface_representation{};
  double near_rigid_threshold{MultibodyPlantConfig{}.sap_near_rigid_threshold};
  double stiction_tolerance{1e-3};
  double penetration_allowance{MultibodyPlantConfig{}.penetration_allowance};
  bool filters_adjacent_bodies{true};
  double speculative_margin{MultibodyPlantConfig{}.speculative_contact_margin};
  // Stiffness of geometries without their own; Finalize() computes it from the
  // penetration allowance.
  double default_stiffness{};    // [N/m]
  double default_dissipation{};  // [s/m]
  double time_scale{-1};         // [s]
  /** Counts changes of these. */
  int revision{0};
};

/** Which geometries of a SceneGraph are a plant's, and on which bodies. */
struct GeometryBinding {
  std::optional<geometry::SourceId> source;
  std::map<BodyIndex, geometry::FrameId> frame_of_body;
  std::unordered_map<geometry::FrameId, BodyIndex> body_of_frame;
  std::vector<std::vector<geometry::GeometryId>> visual_of_body;
  std::vector<std::vector<geometry::GeometryId>> collision_of_body;
  std::unordered_map<geometry::GeometryId, BodyIndex> body_of_collision;
  int num_visual{0};
};

}  // namespace wyvern::multibody::internal
