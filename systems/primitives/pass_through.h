#pragma once

#include <memory>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = u, for a vector or an abstract value.

Input port `u`, output port `y`, direct feedthrough. Useful to give a fan-out a
single named port. */
template <typename T>
class PassThrough final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PassThrough);

  /** Passes a vector of the given size.
  @throws std::logic_error if the size is negative. */
  explicit PassThrough(int vector_size);

  /** Passes a vector; `value` is what the output port gives while the input is
  not connected. */
  explicit PassThrough(const Eigen::Ref<const Eigen::VectorXd>& value);

  /** Passes an abstract value of the type of `abstract_model_value`, which is
  what the output gives while the input is not connected. */
  explicit PassThrough(const AbstractValue& abstract_model_value);

  /** Scalar-converting copy constructor. An abstract value keeps its type. */
  template <typename U>
  explicit PassThrough(const PassThrough<U>& other)
      : PassThrough(other.is_abstract() ? 0 : other.default_value_.size(),
                    other.default_value_, other.abstract_model_value_.get()) {}

  ~PassThrough() override;

  /** Whether the signal is an abstract value. */
  bool is_abstract() const { return abstract_model_value_ != nullptr; }
  /** The vector that the output has while the input is not connected. */
  const Eigen::VectorXd& default_value() const { return default_value_; }

  /** The port `u`. */
  const InputPort<T>& get_input_port() const {
    return LeafSystem<T>::get_input_port(0);
  }
  using LeafSystem<T>::get_input_port;

 private:
  template <typename U>
  friend class PassThrough;

  PassThrough(int vector_size, const Eigen::VectorXd& value,
              const AbstractValue* abstract_model_value);

  void CopyVector(const Context<T>& context, BasicVector<T>* y) const;
  void CopyAbstract(const Context<T>& context, AbstractValue* y) const;

  const Eigen::VectorXd default_value_;
  const std::unique_ptr<const AbstractValue> abstract_model_value_;
};

}  // namespace wyvern::systems
