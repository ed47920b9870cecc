#pragma once

#include <string_view>
#include <vector>

#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

namespace internal {
template <typename T>
class MultibodyTree;
template <typename T>
class MultibodyTreeSystem;
}  // namespace internal

/** A set of forces on a model: one generalized force per velocity, and one
spatial force F_Bo_W per body, applied at the body's origin, in the world.
Entries follow v and BodyIndex; the world's is ignored. */
template <typename T>
class MultibodyForces {
 public:
  /** Zero forces of the size of a model.
  @throws std::logic_error before Finalize(). */
  explicit MultibodyForces(const internal::MultibodyTree<T>& model);
  /** Zero forces of the size of a plant.
  @throws std::logic_error before Finalize(). */
  explicit MultibodyForces(const internal::MultibodyTreeSystem<T>& plant);
  /** Zero forces on `nb` bodies and `nv` velocities.
  @throws std::logic_error if one of them is negative. */
  MultibodyForces(int nb, int nv);

  /** Sets all forces to zero, and forgets that gravity was added. */
  MultibodyForces<T>& SetZero();

  /** Number of bodies, the world included. */
  int num_bodies() const { return static_cast<int>(F_B_W_.size()); }
  /** Number of generalized velocities. */
  int num_velocities() const { return static_cast<int>(tau_.size()); }

  /** Generalized forces, num_velocities() elements. */
  const VectorX<T>& generalized_forces() const { return tau_; }
  /** Generalized forces, writable; the size must stay. */
  VectorX<T>& mutable_generalized_forces() { return tau_; }
  /** F_Bo_W of each body, by BodyIndex. */
  const std::vector<SpatialForce<T>>& body_forces() const { return F_B_W_; }
  /** F_Bo_W of each body, writable; the size must stay. */
  std::vector<SpatialForce<T>>& mutable_body_forces() { return F_B_W_; }

  /** Adds all forces of another object of the same sizes.
  @throws std::logic_error if the sizes differ. */
  void AddInForces(const MultibodyForces<T>& addend);

  /** True if the numbers of bodies and velocities are those of the model.
  @throws std::logic_error before Finalize(). */
  bool CheckHasRightSizeForModel(const internal::MultibodyTree<T>& model) const;
  /** Overload for a plant. */
  bool CheckHasRightSizeForModel(
      const internal::MultibodyTreeSystem<T>& plant) const;
  /** Checks that the sizes are those of the model.
  @throws std::logic_error, in the name of `function`, if the sizes are not
  those of the model. */
  void RequireSizeFor(const internal::MultibodyTree<T>& model,
                      std::string_view function) const;

  /** @name For elements and plants
  @{ */
  /** Adds F_Bo_W to the force on a body.
  @throws std::out_of_range if there is no such body. */
  void AddBodyForce(int body, const SpatialForce<T>& F_Bo_W) {
    if (body < 0 || body >= num_bodies()) ThrowNoBody(body);
    F_B_W_[body] += F_Bo_W;
  }
  /** Whether gravity has been put in since the last SetZero(), by the gravity
  field or by forces that were added: functions that add gravity themselves
  refuse these. */
  bool has_gravity() const { return has_gravity_; }
  /** Declares that these forces contain gravity. */
  void NoteGravity() { has_gravity_ = true; }
  /** @} */

 private:
  [[noreturn]] void ThrowNoBody(int body) const;

  std::vector<SpatialForce<T>> F_B_W_;
  VectorX<T> tau_;
  bool has_gravity_{false};
};

}  // namespace wyvern::multibody
