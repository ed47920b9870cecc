#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wyvern/systems/framework/abstract_values.h"
#include "wyvern/systems/framework/discrete_values.h"

namespace wyvern::systems {

/** Parameters in a System's Context, which are neither time, state nor input:
groups of numbers, and values of any type. Constant during a simulation. */
template <typename T>
class Parameters {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Parameters);

  /** Makes an empty set of parameters. */
  Parameters();
  /** Takes both kinds.
  @throws std::logic_error if any is null, here and below. */
  Parameters(std::vector<std::unique_ptr<BasicVector<T>>>&& numeric,
             std::vector<std::unique_ptr<AbstractValue>>&& abstract);
  /** Takes numeric parameters alone. */
  explicit Parameters(std::vector<std::unique_ptr<BasicVector<T>>>&& numeric);
  /** Takes abstract parameters alone. */
  explicit Parameters(std::vector<std::unique_ptr<AbstractValue>>&& abstract);
  /** Takes one group of numeric parameters. */
  explicit Parameters(std::unique_ptr<BasicVector<T>> vec);
  /** Takes one abstract parameter. */
  explicit Parameters(std::unique_ptr<AbstractValue> value);
  virtual ~Parameters();

  /** Number of groups of numeric parameters. */
  int num_numeric_parameter_groups() const { return numeric_->num_groups(); }
  /** Number of abstract parameters. */
  int num_abstract_parameters() const { return abstract_->size(); }

  /** Returns a group of numeric parameters.
  @throws std::out_of_range on a bad index, here and below. */
  const BasicVector<T>& get_numeric_parameter(int index) const {
    return numeric_->get_vector(index);
  }
  /** Mutable variant of get_numeric_parameter(). */
  BasicVector<T>& get_mutable_numeric_parameter(int index) {
    return numeric_->get_mutable_vector(index);
  }
  /** All groups of numeric parameters. */
  const DiscreteValues<T>& get_numeric_parameters() const { return *numeric_; }
  /** Replaces all numeric parameters.
  @throws std::logic_error if null. */
  void set_numeric_parameters(
      std::unique_ptr<DiscreteValues<T>> numeric_params);

  /** An abstract parameter of any type. */
  const AbstractValue& get_abstract_parameter(int index) const {
    return abstract_->get_value(index);
  }
  /** Mutable variant of get_abstract_parameter(). */
  AbstractValue& get_mutable_abstract_parameter(int index) {
    return abstract_->get_mutable_value(index);
  }
  /** Returns an abstract parameter as a V.
  @throws std::logic_error if the parameter is not a V. */
  template <typename V>
  const V& get_abstract_parameter(int index) const {
    return get_abstract_parameter(index).template get_value<V>();
  }
  /** An abstract parameter as a writable V.
  @throws std::logic_error if it is not a V. */
  template <typename V>
  V& get_mutable_abstract_parameter(int index) {
    return get_mutable_abstract_parameter(index)
        .template get_mutable_value<V>();
  }
  /** All abstract parameters. */
  const AbstractValues& get_abstract_parameters() const { return *abstract_; }
  /** Replaces all abstract parameters.
  @throws std::logic_error if null. */
  void set_abstract_parameters(std::unique_ptr<AbstractValues> abstract_params);

  /** A deep copy. */
  std::unique_ptr<Parameters<T>> Clone() const;

  /** Copies all values of `other`. @throws std::logic_error if numbers, sizes
  or types differ. */
  template <typename U>
  void SetFrom(const Parameters<U>& other) {
    numeric_->SetFrom(other.get_numeric_parameters());
    abstract_->SetFrom(other.get_abstract_parameters());
  }

  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** For the framework: says which System this was made for. */
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 private:
  std::unique_ptr<DiscreteValues<T>> numeric_;
  std::unique_ptr<AbstractValues> abstract_;
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
