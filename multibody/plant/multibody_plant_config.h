#pragma once

#include <string>

#include "wyvern/systems/common/described_value.h"

namespace wyvern::multibody {

/** The settings of a MultibodyPlant, for configuration files and the like; see
ApplyMultibodyPlantConfig(). */
struct MultibodyPlantConfig {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(time_step,
                         "Time step of the plant, s; 0: continuous time."));
    a->Visit(WYVERN_DNVP(
        use_sampled_output_ports,
        "Whether outputs of a discrete plant change at its steps only."));
    a->Visit(WYVERN_DNVP(
        penetration_allowance,
        "Depth at rest of bodies that have no stiffness of their own, m."));
    a->Visit(WYVERN_DNVP(
        stiction_tolerance,
        "Speed of sliding below which a contact counts as sticking, m/s."));
    a->Visit(WYVERN_DNVP(contact_model,
                         "point, hydroelastic or hydroelastic_with_fallback."));
    a->Visit(WYVERN_DNVP(discrete_contact_approximation,
                         "Contact approximation of a discrete plant: tamsi, "
                         "sap, similar or lagged."));
    a->Visit(WYVERN_DNVP(sap_near_rigid_threshold,
                         "Stiffness above which `sap` softens contact, as a "
                         "share of what a step resolves; 0: never."));
    a->Visit(WYVERN_DNVP(contact_surface_representation,
                         "Faces of contact surfaces: triangle or polygon."));
    a->Visit(WYVERN_DNVP(
        constraint_stabilization_time,
        "Time in which a continuous plant reduces errors of constraints, s."));
    a->Visit(WYVERN_DNVP(constraint_projection,
                         "none, or every_step: project a continuous plant onto "
                         "its constraints after each step."));
    a->Visit(
        WYVERN_DNVP(adjacent_bodies_collision_filters,
                    "Whether bodies that a joint connects do not collide."));
    a->Visit(WYVERN_DNVP(speculative_contact_margin,
                         "Distance at which a discrete plant already considers "
                         "points as contacts, m; 0: when they overlap."));
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
