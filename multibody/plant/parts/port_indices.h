#pragma once

#include <vector>

#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::multibody::internal {

/** Where the plant's ports are; those in vectors are by model instance. */
struct PortIndices {
  systems::InputPortIndex actuation;
  std::vector<systems::InputPortIndex> instance_actuation;
  std::vector<systems::InputPortIndex> instance_desired_state;
  systems::InputPortIndex applied_generalized_force;
  systems::InputPortIndex applied_spatial_force;
  systems::InputPortIndex geometry_query;

  systems::OutputPortIndex state;
  std::vector<systems::OutputPortIndex> instance_state;
  systems::OutputPortIndex body_poses;
  systems::OutputPortIndex body_spatial_velocities;
  systems::OutputPortIndex body_spatial_accelerations;
  systems::OutputPortIndex generalized_acceleration;
  std::vector<systems::OutputPortIndex> instance_generalized_acceleration;
  systems::OutputPortIndex net_actuation;
  std::vector<systems::OutputPortIndex> instance_net_actuation;
  systems::OutputPortIndex reaction_forces;
  systems::OutputPortIndex constraint_multipliers;
  systems::OutputPortIndex contact_results;
  systems::OutputPortIndex geometry_pose;
  systems::OutputPortIndex deformable_body_configuration;
  std::vector<systems::OutputPortIndex> instance_generalized_contact_forces;
};

}  // namespace wyvern::multibody::internal
