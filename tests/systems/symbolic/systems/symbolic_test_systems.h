#pragma once

/** @file
Systems as a user writes them, which several tests convert to expressions. */

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::systems::test {

/** m l² θ̈ = u - b θ̇ - m g l sin θ, with parameters m, l, b, g; y = [θ, θ̇]. */
template <typename T>
class Pendulum final : public LeafSystem<T> {
 public:
  Pendulum() : LeafSystem<T>(SystemTypeTag<Pendulum>{}) {
    this->DeclareVectorInputPort("u", 1);
    const auto x = this->DeclareContinuousState(1, 1, 0);
    this->DeclareNumericParameter(
        BasicVector<T>(Vector4<T>(T(0.7), T(0.5), T(0.1), T(9.81))));
    this->DeclareStateOutputPort("state", x);
  }
  template <typename U>
  explicit Pendulum(const Pendulum<U>&) : Pendulum() {}

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    using std::sin;
    const VectorX<T> x = context.get_continuous_state_vector().CopyToVector();
    const VectorX<T>& p = context.get_numeric_parameter(0).value();
    const T& u = this->get_input_port().Eval(context)[0];
    const T torque = u - p[2] * x[1] - p[0] * p[3] * p[1] * sin(x[0]);
    derivatives->SetFromVector(Vector2<T>(x[1], torque / (p[0] * p[1] * p[1])));
  }
};

/** Has no symbolic form, and says so below. */
template <typename T>
class Numeric final : public LeafSystem<T> {
 public:
  Numeric() : LeafSystem<T>(SystemTypeTag<Numeric>{}) {}
  template <typename U>
  explicit Numeric(const Numeric<U>&) : Numeric() {
    static_assert(!std::is_same_v<U, symbolic::Expression> &&
                  !std::is_same_v<T, symbolic::Expression>);
  }
};

}  // namespace wyvern::systems::test

template <>
struct wyvern::systems::scalar_conversion::Traits<
    wyvern::systems::test::Numeric> : NonSymbolicTraits {};
