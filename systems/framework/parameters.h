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

  Parameters();
  Parameters(std::vector<std::unique_ptr<BasicVector<T>>>&& numeric,
             std::vector<std::unique_ptr<AbstractValue>>&& abstract);
  explicit Parameters(std::vector<std::unique_ptr<BasicVector<T>>>&& numeric);
  explicit Parameters(std::vector<std::unique_ptr<AbstractValue>>&& abstract);
  explicit Parameters(std::unique_ptr<BasicVector<T>> vec);
  explicit Parameters(std::unique_ptr<AbstractValue> value);
  virtual ~Parameters();

  int num_numeric_parameter_groups() const { return numeric_->num_groups(); }
  int num_abstract_parameters() const { return abstract_->size(); }

  /** @throws std::out_of_range on a bad index, here and below. */
  const BasicVector<T>& get_numeric_parameter(int index) const {
    return numeric_->get_vector(index);
  }
  BasicVector<T>& get_mutable_numeric_parameter(int index) {
    return numeric_->get_mutable_vector(index);
  }
  const DiscreteValues<T>& get_numeric_parameters() const { return *numeric_; }
  /** @throws std::logic_error if null. */
  void set_numeric_parameters(
      std::unique_ptr<DiscreteValues<T>> numeric_params);

  const AbstractValue& get_abstract_parameter(int index) const {
    return abstract_->get_value(index);
  }
  AbstractValue& get_mutable_abstract_parameter(int index) {
    return abstract_->get_mutable_value(index);
  }
  /** @throws std::logic_error if the parameter is not a V. */
  template <typename V>
  const V& get_abstract_parameter(int index) const {
    return get_abstract_parameter(index).template get_value<V>();
  }
  template <typename V>
  V& get_mutable_abstract_parameter(int index) {
    return get_mutable_abstract_parameter(index)
        .template get_mutable_value<V>();
  }
  const AbstractValues& get_abstract_parameters() const { return *abstract_; }
  /** @throws std::logic_error if null. */
  void set_abstract_parameters(std::unique_ptr<AbstractValues> abstract_params);

  std::unique_ptr<Parameters<T>> Clone() const;

  /** Copies all values of `other`. @throws std::logic_error if numbers, sizes
  or types differ. */
  template <typename U>
  void SetFrom(const Parameters<U>& other) {
    numeric_->SetFrom(other.get_numeric_parameters());
    abstract_->SetFrom(other.get_abstract_parameters());
  }

  internal::SystemId get_system_id() const { return system_id_; }
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 private:
  std::unique_ptr<DiscreteValues<T>> numeric_;
  std::unique_ptr<AbstractValues> abstract_;
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
