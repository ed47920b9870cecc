#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

namespace internal {
template <typename T>
class GravityOnBodies;
template <typename T>
class MultibodyTree;
template <typename T>
class MultibodyTreeSystem;
}  // namespace internal

/** A set of forces on a model: one generalized force per velocity, and one
spatial force F_Bo_W per body, applied at the body's origin, in the world.
Entries follow v and BodyIndex; the world's is ignored.

The gravity that a plant puts in is computed for each body only when somebody
reads the bodies' forces, because inverse dynamics can include gravity without
computing them. Once they were read, every later call keeps them up to date. */
template <typename T>
class MultibodyForces {
 public:
  MultibodyForces(const MultibodyForces& other);
  MultibodyForces& operator=(const MultibodyForces& other);
  MultibodyForces(MultibodyForces&& other) noexcept;
  MultibodyForces& operator=(MultibodyForces&& other);

  /** Zero forces of the size of a model.
  @throws std::logic_error before Finalize(). */
  explicit MultibodyForces(const internal::MultibodyTree<T>& model);
  explicit MultibodyForces(const internal::MultibodyTreeSystem<T>& plant);
  /** Zero forces on `nb` bodies and `nv` velocities.
  @throws std::logic_error if one of them is negative. */
  MultibodyForces(int nb, int nv);
  ~MultibodyForces();

  MultibodyForces<T>& SetZero();

  int num_bodies() const { return static_cast<int>(F_B_W_.size()); }
  int num_velocities() const { return static_cast<int>(tau_.size()); }

  const VectorX<T>& generalized_forces() const { return tau_; }
  VectorX<T>& mutable_generalized_forces() { return tau_; }
  const std::vector<SpatialForce<T>>& body_forces() const {
    if (!is_seen_.load(std::memory_order_acquire)) Show();
    return F_B_W_;
  }
  std::vector<SpatialForce<T>>& mutable_body_forces() {
    if (!is_seen_.load(std::memory_order_acquire)) Show();
    return F_B_W_;
  }

  /** @throws std::logic_error if the sizes differ. */
  void AddInForces(const MultibodyForces<T>& addend);

  bool CheckHasRightSizeForModel(const internal::MultibodyTree<T>& model) const;
  bool CheckHasRightSizeForModel(
      const internal::MultibodyTreeSystem<T>& plant) const;
  /** @throws std::logic_error, in the name of `function`, if the sizes are not
  those of the model. */
  void RequireSizeFor(const internal::MultibodyTree<T>& model,
                      std::string_view function) const;

  /** @name For elements and plants
  @{ */
  /** Adds a force without looking at the others.
  @throws std::out_of_range if there is no such body. */
  void AddBodyForce(int body, const SpatialForce<T>& F_Bo_W) {
    if (body < 0 || body >= num_bodies()) ThrowNoBody(body);
    is_zero_ = false;
    F_B_W_[body] += F_Bo_W;
  }
  /** Adds gravity at q to forces that have none apart yet.
  @throws std::logic_error if it is null, or of another model's size. */
  void AddGravity(std::shared_ptr<const internal::GravityOnBodies<T>> gravity,
                  const Eigen::Ref<const VectorX<T>>& q);
  /** Whether gravity has been put in since the last SetZero(), by a plant or by
  forces that were added: who adds gravity anyway refuses these. */
  bool has_gravity() const { return has_gravity_; }
  /** For who puts gravity in without AddGravity(). */
  void NoteGravity() { has_gravity_ = true; }
  /** True once bodies' forces were looked at: gravity is not kept apart. */
  bool is_seen() const { return is_seen_.load(std::memory_order_acquire); }
  /** Calls visit(F_Bo_W, is_apart, is_zero) while nobody changes what is apart:
  the bodies' forces, without gravity at q if `is_apart`. If `is_zero` they are
  known to be 0; not if they were looked at. */
  template <typename Visitor>
  void VisitBodyForces(const internal::GravityOnBodies<T>* gravity,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Visitor& visit) const {
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (!is_seen()) lock.lock();
    if (gravity_ != nullptr && (gravity_.get() != gravity || q_ != q)) Merge();
    visit(std::as_const(F_B_W_), gravity_ != nullptr, is_zero_ && !is_seen());
  }
  /** @} */

 private:
  [[noreturn]] void ThrowNoBody(int body) const;
  // Once seen, references are out, and gravity_ is null for good.
  void Show() const;
  // Works gravity_ out; the lock is held, or nobody else has this.
  void Merge() const;

  // Guards what is mutable in const functions until it is seen.
  mutable std::mutex mutex_;
  mutable std::atomic<bool> is_seen_{false};
  mutable bool is_zero_{true};  // F_B_W_, until it is seen.
  bool has_gravity_{false};
  mutable std::vector<SpatialForce<T>> F_B_W_;
  mutable std::shared_ptr<const internal::GravityOnBodies<T>> gravity_;
  VectorX<T> q_;  // Where gravity_ is.
  VectorX<T> tau_;
};

}  // namespace wyvern::multibody
