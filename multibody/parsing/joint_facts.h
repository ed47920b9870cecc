#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/multibody/tree/multibody_tree_indexes.h"
#include "wyvern/multibody/tree/muscle.h"

namespace wyvern::multibody {

template <typename T>
class MultibodyPlant;

/** Facts that a model file states about a joint of one degree of freedom, and
that a plant does not hold. */
struct JointFacts {
  /** [N·m] or [N]: `<limit effort>` of URDF and SDFormat, `actuatorfrcrange` of
  MJCF; infinite if the file gives none. */
  double effort_limit{std::numeric_limits<double>::infinity()};
  /** Where the joint starts, [rad] or [m]. */
  double default_position{0};
};

/** By joint. */
using JointFactsMap = std::map<JointIndex, JointFacts>;

/** Facts that a model file states about an actuator, and that a plant does not
hold. */
struct ActuatorFacts {
  /** The force at position and velocity 0 of the joint, or at length and rate 0
  of the tendon, [N·m] or [N], for `ctrl` of an MJCF model's key; nothing
  without one. An actuator with gains holds the position home_force / p. */
  std::optional<double> home_force{};
  /** A muscle: the plant takes its force, which MuscleActuation makes. */
  std::optional<MuscleProperties> muscle{};
  /** The excitation of the muscle in `ctrl` of the key; 0 without one. */
  double home_excitation{0};
};

/** By actuator. */
using ActuatorFactsMap = std::map<JointActuatorIndex, ActuatorFacts>;

/** The facts of Parser::joint_facts() and Parser::actuator_facts(). */
struct ModelFacts {
  /** Facts about joints. */
  JointFactsMap joints;
  /** Facts about actuators. */
  ActuatorFactsMap actuators;
};

/** Returns the joints of one degree of freedom of a model instance that neither
have an actuator, of their own or of a tendon, nor follow another joint. */
std::vector<JointIndex> FindUnactuatedJoints(
    ModelInstanceIndex model_instance, const MultibodyPlant<double>& plant);

/** Adds an actuator, with the joint's name and its effort limit, to each joint
of one degree of freedom of a model instance that has no actuator and follows no
other joint. Joints whose effort limit is 0 are skipped.
@param joints the names of the joints; empty: all of the model instance.
@param facts of Parser::joint_facts(), for effort limits.
@returns the new actuators.
@throws std::logic_error if the plant is finalized, or if a joint of `joints`
does not exist, has an actuator, follows another joint, has an effort limit of
0, or has not one degree of freedom. */
std::vector<JointActuatorIndex> AddMissingActuators(
    ModelInstanceIndex model_instance, const std::vector<std::string>& joints,
    const JointFactsMap& facts, MultibodyPlant<double>* plant);

}  // namespace wyvern::multibody
