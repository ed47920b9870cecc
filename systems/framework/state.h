#pragma once

#include <memory>

#include "wyvern/systems/framework/abstract_values.h"
#include "wyvern/systems/framework/continuous_state.h"
#include "wyvern/systems/framework/discrete_values.h"

namespace wyvern::systems {

/** All that a System remembers: continuous, discrete and abstract state. */
template <typename T>
class State {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(State);

  /** Empty. */
  State();
  virtual ~State();

  /** Replaces the continuous state.
  @throws std::logic_error if null, here and below. */
  void set_continuous_state(std::unique_ptr<ContinuousState<T>> xc);
  /** The continuous state, valid until set_continuous_state(). */
  const ContinuousState<T>& get_continuous_state() const { return *xc_; }
  /** The continuous state, writable. */
  ContinuousState<T>& get_mutable_continuous_state() { return *xc_; }

  /** Sets the discrete state. */
  void set_discrete_state(std::unique_ptr<DiscreteValues<T>> xd);
  /** All discrete groups, valid until set_discrete_state(). */
  const DiscreteValues<T>& get_discrete_state() const { return *xd_; }
  /** All discrete groups, writable. */
  DiscreteValues<T>& get_mutable_discrete_state() { return *xd_; }
  /** Returns a discrete group.
  @throws std::out_of_range on a bad index, here and below. */
  const BasicVector<T>& get_discrete_state(int index) const {
    return xd_->get_vector(index);
  }
  /** Mutable variant of get_discrete_state(). */
  BasicVector<T>& get_mutable_discrete_state(int index) {
    return xd_->get_mutable_vector(index);
  }

  /** Sets the abstract state. */
  void set_abstract_state(std::unique_ptr<AbstractValues> xa);
  /** All abstract states, valid until set_abstract_state(). */
  const AbstractValues& get_abstract_state() const { return *xa_; }
  /** All abstract states, writable. */
  AbstractValues& get_mutable_abstract_state() { return *xa_; }
  /** Returns an abstract state as a U.
  @throws std::logic_error if the state is not a U. */
  template <typename U>
  const U& get_abstract_state(int index) const {
    return xa_->get_value(index).get_value<U>();
  }
  /** An abstract state as a writable U.
  @throws std::logic_error if it is not a U. */
  template <typename U>
  U& get_mutable_abstract_state(int index) {
    return xa_->get_mutable_value(index).get_mutable_value<U>();
  }

  /** Copies all values of `other`. @throws std::logic_error if numbers, sizes
  or types differ. */
  template <typename U>
  void SetFrom(const State<U>& other) {
    xc_->SetFrom(other.get_continuous_state());
    xd_->SetFrom(other.get_discrete_state());
    xa_->SetFrom(other.get_abstract_state());
  }

  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** For the framework: says which System this was made for. */
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 private:
  std::unique_ptr<ContinuousState<T>> xc_;
  std::unique_ptr<DiscreteValues<T>> xd_;
  std::unique_ptr<AbstractValues> xa_;
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
