#pragma once

#include <string>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** What <compiler> and <option> of an MJCF file say of all its elements. */
struct MjcfSettings {
  enum class InertiaFrom { kGeoms, kInertial, kInertialOrGeoms };

  /** [rad] of the file's unit of angles. */
  double angle{};
  bool autolimits{true};
  /** Capital letters are axes that stay, small ones those that turn. */
  std::string eulerseq{"xyz"};
  /** Where mesh files are, from the file's folder. */
  std::string meshdir;
  /** Folders in the names of mesh files are left out. */
  bool strippath{false};
  InertiaFrom inertia_from{InertiaFrom::kInertialOrGeoms};
  /** The first and the last group of geoms that have mass. */
  Vector2<double> inertia_groups{0, 5};
  bool balance_inertia{false};
  double bound_mass{0};
  double bound_inertia{0};
  /** Negative for none. */
  double total_mass{-1};

  Vector3<double> gravity{0, 0, -9.81};
  bool has_contact{true};
  bool has_limits{true};
  bool has_friction{true};
  bool has_springs{true};
  bool has_damping{true};
  bool has_equalities{true};
};

/** @throws std::runtime_error "file:line: ..." if something is not valid, or
moves the robot and is not modelled, such as a viscous medium. */
MjcfSettings ReadMjcfSettings(const MjcfDocument& document, WarningLog* log);

}  // namespace wyvern::multibody::internal
