#pragma once

#include <optional>
#include <variant>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** A LeafSystem with at most one vector input, "u", at most one vector output,
"y", and state that is continuous or one discrete group, seen as plain Eigen
vectors. Override what applies; size zero declares no port.

An output without direct feedthrough (see the constructors) gets an empty input
vector. */
template <typename T>
class VectorSystem : public LeafSystem<T> {
 public:
  ~VectorSystem() override;

 protected:
  /** `direct_feedthrough`: whether the output depends on the input directly;
  unset means yes if there are both.
  @throws std::logic_error on a negative size. */
  VectorSystem(int input_size, int output_size,
               std::optional<bool> direct_feedthrough = std::nullopt);
  VectorSystem(SystemScalarConverter converter, int input_size, int output_size,
               std::optional<bool> direct_feedthrough = std::nullopt);

  /** The value of the input port, or an empty vector without one. */
  const VectorX<T>& EvalVectorInput(const Context<T>& context) const;
  /** The continuous or discrete state as a vector; empty without state. */
  VectorX<T> GetVectorState(const Context<T>& context) const;

  /** Declares that DoCalcVectorDiscreteVariableUpdates() happens periodically,
  besides when a discrete update is forced. */
  void DeclarePeriodicDiscreteUpdate(double period_sec, double offset_sec);

  virtual void DoCalcVectorOutput(
      const Context<T>& context,
      const Eigen::VectorBlock<const VectorX<T>>& input,
      const Eigen::VectorBlock<const VectorX<T>>& state,
      Eigen::VectorBlock<VectorX<T>>* output) const;
  virtual void DoCalcVectorTimeDerivatives(
      const Context<T>& context,
      const Eigen::VectorBlock<const VectorX<T>>& input,
      const Eigen::VectorBlock<const VectorX<T>>& state,
      Eigen::VectorBlock<VectorX<T>>* derivatives) const;
  virtual void DoCalcVectorDiscreteVariableUpdates(
      const Context<T>& context,
      const Eigen::VectorBlock<const VectorX<T>>& input,
      const Eigen::VectorBlock<const VectorX<T>>& state,
      Eigen::VectorBlock<VectorX<T>>* next_state) const;

  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;
  void DoValidateAllocatedLeafContext(
      const LeafContext<T>& context) const final;

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* output) const;
  EventStatus CalcDiscreteUpdate(const Context<T>& context,
                                 DiscreteValues<T>* next) const;
  [[noreturn]] void ThrowNotOverridden(const char* function) const;

  bool output_needs_input_{};
};

}  // namespace wyvern::systems
