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

/** Two inputs and outputs, each output of the other's input; nothing is
declared of it, as if all depended on everything. */
template <typename T>
class Crossed final : public LeafSystem<T> {
 public:
  Crossed() : LeafSystem<T>(SystemTypeTag<Crossed>{}) {
    this->DeclareVectorInputPort("u0", 1);
    this->DeclareVectorInputPort("u1", 1);
    this->DeclareDiscreteState(1);
    this->DeclareForcedDiscreteUpdateEvent(&Crossed::Update);
    this->DeclareVectorOutputPort("y0", 1, &Crossed::CalcY0);
    this->DeclareVectorOutputPort("y1", 1, &Crossed::CalcY1);
  }
  template <typename U>
  explicit Crossed(const Crossed<U>&) : Crossed() {}

 private:
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* xd) const {
    const T x = context.get_discrete_state(0)[0];
    xd->set_value(0, Vector1<T>(x * x + context.get_time()));
    return EventStatus::Succeeded();
  }
  void CalcY0(const Context<T>& context, BasicVector<T>* y) const {
    y->SetFromVector(2.0 * this->get_input_port(1).Eval(context));
  }
  void CalcY1(const Context<T>& context, BasicVector<T>* y) const {
    const T u = this->get_input_port(0).Eval(context)[0];
    // The terms of the other input cancel.
    const T other = this->get_input_port(1).Eval(context)[0];
    (*y)[0] = u + other - other;
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
