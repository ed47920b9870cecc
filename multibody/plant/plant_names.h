#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that names the entries of its vectors. All
throw std::logic_error before Finalize() and std::out_of_range for a model
instance that does not exist. */
template <typename T>
class PlantNames {
 public:
  /** @name Names
  "<model instance>_<joint>_<suffix>", or "<model instance>_<actuator>".
  @param always_add_suffix False leaves the suffix of single-dof joints out.
  @{ */
  /** Names of all positions, in the order of q. */
  std::vector<std::string> GetPositionNames(
      bool add_model_instance_prefix = true,
      bool always_add_suffix = true) const;
  /** Names of the positions of a model instance. */
  std::vector<std::string> GetPositionNames(
      ModelInstanceIndex model_instance, bool add_model_instance_prefix = false,
      bool always_add_suffix = true) const;
  /** Names of all velocities, in the order of v. */
  std::vector<std::string> GetVelocityNames(
      bool add_model_instance_prefix = true,
      bool always_add_suffix = true) const;
  /** Names of the velocities of a model instance. */
  std::vector<std::string> GetVelocityNames(
      ModelInstanceIndex model_instance, bool add_model_instance_prefix = false,
      bool always_add_suffix = true) const;
  /** Names of all positions, then of all velocities, with suffixes. */
  std::vector<std::string> GetStateNames(
      bool add_model_instance_prefix = true) const;
  /** Names of the positions, then velocities, of a model instance, with
  suffixes. */
  std::vector<std::string> GetStateNames(
      ModelInstanceIndex model_instance,
      bool add_model_instance_prefix = false) const;
  /** Names of all actuators, in the order of u. */
  std::vector<std::string> GetActuatorNames(
      bool add_model_instance_prefix = true) const;
  /** Names of the actuators of a model instance. */
  std::vector<std::string> GetActuatorNames(
      ModelInstanceIndex model_instance,
      bool add_model_instance_prefix = false) const;
  /** @} */

 protected:
  explicit PlantNames(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantNames() = default;

 private:
  std::string Prefix(ModelInstanceIndex model_instance, bool wanted) const;

  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
