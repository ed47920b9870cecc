#pragma once

#include <memory>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Samples its input every `period` seconds and holds it in between:
x[n+1] = u[n], y = x.

Input port `u`, output port `y`, a vector or an abstract value; no direct
feedthrough. The state (a discrete vector or an abstract value) is updated at
offset + k period, k = 0, 1, ...; it starts at zero or at the model value. With
a zero offset the first sample is taken at the start of the simulation's first
step, not in Initialize(). */
template <typename T>
class ZeroOrderHold final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ZeroOrderHold);

  /** Holds a vector. Times in seconds.
  @throws std::logic_error if the period is not positive and finite, the offset
  is negative or not finite, or the size is negative. */
  ZeroOrderHold(double period_sec, int vector_size, double offset_sec = 0.0);

  /** Holds an abstract value of the type of `abstract_model_value`, at first
  that value.
  @throws std::logic_error on a period or offset as above. */
  ZeroOrderHold(double period_sec, const AbstractValue& abstract_model_value,
                double offset_sec = 0.0);

  /** Scalar-converting copy constructor. An abstract value keeps its type. */
  template <typename U>
  explicit ZeroOrderHold(const ZeroOrderHold<U>& other)
      : ZeroOrderHold(other.period(), other.offset(), other.vector_size_,
                      other.abstract_model_value_.get()) {}

  ~ZeroOrderHold() override;

  /** Seconds between samples. */
  double period() const { return period_; }
  /** Time of the first sample, s. */
  double offset() const { return offset_; }

  /** Sets the held vector.
  @throws std::logic_error if this holds an abstract value, or on a wrong
  size. */
  void SetVectorState(Context<T>* context,
                      const Eigen::Ref<const VectorX<T>>& value) const;

  /** Samples the input now. */
  void LatchInputPortToState(Context<T>* context) const;

 private:
  template <typename U>
  friend class ZeroOrderHold;

  ZeroOrderHold(double period_sec, double offset_sec, int vector_size,
                const AbstractValue* abstract_model_value);

  bool is_abstract() const { return abstract_model_value_ != nullptr; }
  void LatchVector(const Context<T>& context, DiscreteValues<T>* next) const;
  void LatchAbstract(const Context<T>& context, State<T>* next) const;

  const double period_;
  const double offset_;
  const int vector_size_;
  const std::unique_ptr<const AbstractValue> abstract_model_value_;
};

}  // namespace wyvern::systems
