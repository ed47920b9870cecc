#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** dx/dt = u, y = x.

Input port u0, output port y0, vectors of `size`; no direct feedthrough. The
continuous state starts at zero. */
template <typename T>
class Integrator final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Integrator);

  /** Integrates `size` elements.
  @throws std::logic_error if the size is negative. */
  explicit Integrator(int size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Integrator(const Integrator<U>& other)
      : Integrator(other.get_input_port(0).size()) {}

  /** Sets the state. @throws std::logic_error on a wrong size. */
  void set_integral_value(Context<T>* context,
                          const Eigen::Ref<const VectorX<T>>& value) const;

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const override;
};

}  // namespace wyvern::systems
