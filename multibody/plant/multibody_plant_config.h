#pragma once

#include <string>

namespace wyvern::multibody {

/** The settings of a MultibodyPlant, for configuration files and the like; see
ApplyMultibodyPlantConfig(). */
struct MultibodyPlantConfig {
  /** [s]; zero for a continuous plant. */
  double time_step{0.001};
  bool use_sampled_output_ports{true};
  /** [m]. */
  double penetration_allowance{0.001};
  /** [m/s]. */
  double stiction_tolerance{0.001};
  /** "point", "hydroelastic" or "hydroelastic_with_fallback". */
  std::string contact_model{"hydroelastic_with_fallback"};
  /** "tamsi", "sap", "similar" or "lagged". */
  std::string discrete_contact_approximation{"lagged"};
  double sap_near_rigid_threshold{1.0};
  /** "triangle" or "polygon". */
  std::string contact_surface_representation{"polygon"};
  /** Of a continuous plant's constraints, [s]; see
  PlantConstraints::set_constraint_stabilization_time(). */
  double constraint_stabilization_time{0.1};
  /** "none" or "every_step"; the latter needs a continuous plant. */
  std::string constraint_projection{"none"};
  bool adjacent_bodies_collision_filters{true};
};

}  // namespace wyvern::multibody
