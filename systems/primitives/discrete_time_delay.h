#pragma once

#include <memory>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Samples its input every `update_sec` seconds and gives it back
`delay_time_steps` samples later: after the sample at n update_sec, y = u[n - N]
with N the delay. With N = 0 it is a ZeroOrderHold.

Input port `u`, output port `delayed_u`, a vector or an abstract value; no
direct feedthrough. Before the first N samples have passed, y is zero or the
model value. The state is a buffer of N + 1 samples. */
template <typename T>
class DiscreteTimeDelay final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiscreteTimeDelay);

  /** Delays a vector.
  @throws std::logic_error if `update_sec` is not positive and finite,
  `delay_time_steps` is negative, or `vector_size` is below 1. */
  DiscreteTimeDelay(double update_sec, int delay_time_steps, int vector_size);

  /** Delays an abstract value of the type of `abstract_model_value`.
  @throws std::logic_error as above. */
  DiscreteTimeDelay(double update_sec, int delay_time_steps,
                    const AbstractValue& abstract_model_value);

  /** Scalar-converting copy constructor. An abstract value keeps its type. */
  template <typename U>
  explicit DiscreteTimeDelay(const DiscreteTimeDelay<U>& other)
      : DiscreteTimeDelay(other.update_sec_, other.delay_time_steps_,
                          other.vector_size_,
                          other.abstract_model_value_.get()) {}

  ~DiscreteTimeDelay() override;

  /** The period [s]. */
  double update_sec() const { return update_sec_; }
  /** The delay in periods. */
  int delay_time_steps() const { return delay_time_steps_; }

  /** Takes a sample now, as the periodic update does. */
  void SaveInputToBuffer(Context<T>* context) const;

 private:
  template <typename U>
  friend class DiscreteTimeDelay;

  DiscreteTimeDelay(double update_sec, int delay_time_steps, int vector_size,
                    const AbstractValue* abstract_model_value);

  bool is_abstract() const { return abstract_model_value_ != nullptr; }
  int buffer_size() const { return delay_time_steps_ + 1; }

  EventStatus SaveVector(const Context<T>& context,
                         DiscreteValues<T>* next) const;
  EventStatus SaveAbstract(const Context<T>& context, State<T>* next) const;
  void CopyOldestVector(const Context<T>& context, BasicVector<T>* y) const;
  void CopyOldestAbstract(const Context<T>& context, AbstractValue* y) const;

  const double update_sec_;
  const int delay_time_steps_;
  const int vector_size_;
  const std::unique_ptr<const AbstractValue> abstract_model_value_;
};

}  // namespace wyvern::systems
