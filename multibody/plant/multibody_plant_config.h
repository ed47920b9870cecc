#pragma once

#include <string>

#include "wyvern/systems/common/name_value.h"

namespace wyvern::multibody {

/** The settings of a MultibodyPlant, for configuration files and the like; see
ApplyMultibodyPlantConfig(). */
struct MultibodyPlantConfig {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(time_step));
    a->Visit(WYVERN_NVP(use_sampled_output_ports));
    a->Visit(WYVERN_NVP(penetration_allowance));
    a->Visit(WYVERN_NVP(stiction_tolerance));
    a->Visit(WYVERN_NVP(contact_model));
    a->Visit(WYVERN_NVP(discrete_contact_approximation));
    a->Visit(WYVERN_NVP(sap_near_rigid_threshold));
    a->Visit(WYVERN_NVP(contact_surface_representation));
    a->Visit(WYVERN_NVP(constraint_stabilization_time));
    a->Visit(WYVERN_NVP(constraint_projection));
    a->Visit(WYVERN_NVP(adjacent_bodies_collision_filters));
    a->Visit(WYVERN_NVP(speculative_contact_margin));
  }

  /** [s]; zero for a continuous plant. */
  double time_step{0.001};
  /** See MultibodyPlant::SetUseSampledOutputPorts(). */
  bool use_sampled_output_ports{true};
  /** [m]. */
  double penetration_allowance{0.001};
  /** [m/s]. */
  double stiction_tolerance{0.0001};
  /** "point", "hydroelastic" or "hydroelastic_with_fallback". */
  std::string contact_model{"hydroelastic_with_fallback"};
  /** "tamsi", "sap", "similar" or "lagged". */
  std::string discrete_contact_approximation{"lagged"};
  /** See PlantContact::set_sap_near_rigid_threshold(). */
  double sap_near_rigid_threshold{1.0};
  /** "triangle" or "polygon". */
  std::string contact_surface_representation{"polygon"};
  /** Stabilization time of a continuous plant's constraints, [s]; see
  PlantConstraints::set_constraint_stabilization_time(). */
  double constraint_stabilization_time{0.1};
  /** "none" or "every_step"; the latter needs a continuous plant. */
  std::string constraint_projection{"none"};
  /** See PlantContact::set_adjacent_bodies_collision_filters(). */
  bool adjacent_bodies_collision_filters{true};
  /** Margin of speculative contact of a discrete plant, [m]; see
  PlantContact::set_speculative_contact_margin(). */
  double speculative_contact_margin{0};
};

}  // namespace wyvern::multibody
