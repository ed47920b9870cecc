#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>

#include "wyvern/systems/framework/framework_common.h"
#include "wyvern/systems/framework/vector_base.h"

namespace wyvern::systems {

/** The state that evolves by a differential equation, x = [q, v, z]:
generalized positions q, generalized velocities v with q' = N(q) v, so num_v <=
num_q, and everything else z. A time derivative or an error estimate of x is one
too. */
template <typename T>
class ContinuousState {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContinuousState);

  /** Makes a state of size zero. */
  ContinuousState();
  /** All of it z. */
  explicit ContinuousState(std::unique_ptr<VectorBase<T>> state);
  /** The first `num_q` elements are q, then come v and z.
  @throws std::logic_error if the numbers do not add up to the size of `state`,
  or num_v > num_q, or any is negative, or `state` is null. */
  ContinuousState(std::unique_ptr<VectorBase<T>> state, int num_q, int num_v,
                  int num_z);
  virtual ~ContinuousState();

  /** A deep copy; the vector keeps its type if it is a BasicVector. */
  std::unique_ptr<ContinuousState<T>> Clone() const;

  /** Number of elements of x. */
  int size() const { return get_vector().size(); }
  /** Number of generalized positions. */
  int num_q() const { return get_generalized_position().size(); }
  /** Number of generalized velocities, at most num_q(). */
  int num_v() const { return get_generalized_velocity().size(); }
  /** Number of other variables. */
  int num_z() const { return get_misc_continuous_state().size(); }

  /** Element of x, unchecked. */
  T& operator[](std::size_t idx) { return (*x_)[static_cast<int>(idx)]; }
  /** Element of x, unchecked. */
  const T& operator[](std::size_t idx) const {
    return (*x_)[static_cast<int>(idx)];
  }

  /** All of x, size() elements; this and the parts below live as long as
  this. */
  const VectorBase<T>& get_vector() const { return *x_; }
  /** All of x, writable. Writing to a part writes to x. */
  VectorBase<T>& get_mutable_vector() { return *x_; }
  /** The positions q, num_q() elements. */
  const VectorBase<T>& get_generalized_position() const { return *q_; }
  /** The positions q, writable. */
  VectorBase<T>& get_mutable_generalized_position() { return *q_; }
  /** The velocities v, num_v() elements. */
  const VectorBase<T>& get_generalized_velocity() const { return *v_; }
  /** The velocities v, writable. */
  VectorBase<T>& get_mutable_generalized_velocity() { return *v_; }
  /** The other variables z, num_z() elements. */
  const VectorBase<T>& get_misc_continuous_state() const { return *z_; }
  /** The other variables z, writable. */
  VectorBase<T>& get_mutable_misc_continuous_state() { return *z_; }

  /** Copies the values of `other`, whose q, v and z have the same sizes.
  @throws std::logic_error if not. */
  template <typename U>
  void SetFrom(const ContinuousState<U>& other) {
    if constexpr (std::is_same_v<T, U>) {
      if (elements_.data() != nullptr && other.elements_.data() != nullptr &&
          num_q_ == other.num_q_ && num_v_ == other.num_v_ &&
          elements_.size() == other.elements_.size()) {
        std::copy(other.elements_.begin(), other.elements_.end(),
                  elements_.begin());
        return;
      }
    }
    internal::ConvertVector("ContinuousState::SetFrom",
                            other.get_generalized_position(), q_.get());
    internal::ConvertVector("ContinuousState::SetFrom",
                            other.get_generalized_velocity(), v_.get());
    internal::ConvertVector("ContinuousState::SetFrom",
                            other.get_misc_continuous_state(), z_.get());
  }
  /** Sets all elements, q, v and z, in this order.
  @throws std::logic_error if the size differs. */
  void SetFromVector(const Eigen::Ref<const VectorX<T>>& value) {
    x_->SetFromVector(value);
  }
  /** A copy of x. */
  VectorX<T> CopyToVector() const { return x_->CopyToVector(); }

  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** For the framework: says which System this was made for. */
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 protected:
  /** For a derived class whose q, v, z lie anywhere in x. */
  ContinuousState(std::unique_ptr<VectorBase<T>> state,
                  std::unique_ptr<VectorBase<T>> q,
                  std::unique_ptr<VectorBase<T>> v,
                  std::unique_ptr<VectorBase<T>> z);

  virtual std::unique_ptr<ContinuousState> DoClone() const;

 private:
  std::unique_ptr<VectorBase<T>> x_;
  std::unique_ptr<VectorBase<T>> q_;
  std::unique_ptr<VectorBase<T>> v_;
  std::unique_ptr<VectorBase<T>> z_;
  // All of x, if its elements lie side by side, q before v before z.
  std::span<T> elements_;
  int num_q_{0};
  int num_v_{0};
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
