#pragma once

/** @file
Small Systems that several tests use. */

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::test {

/** y = k u, counting the evaluations. */
template <typename T>
class Scale final : public LeafSystem<T> {
 public:
  explicit Scale(double k, int size = 1)
      : LeafSystem<T>(SystemTypeTag<Scale>{}), k_(k), size_(size) {
    this->DeclareVectorInputPort("u", size);
    this->DeclareVectorOutputPort(
        "y", size, &Scale::CalcY,
        {SystemBase::input_port_ticket(InputPortIndex(0))});
  }
  template <typename U>
  explicit Scale(const Scale<U>& other) : Scale(other.k(), other.size()) {}

  double k() const { return k_; }
  int size() const { return size_; }
  int count() const { return count_; }

 private:
  void CalcY(const Context<T>& context, BasicVector<T>* y) const {
    ++count_;
    y->SetFromVector(k_ * this->get_input_port().Eval(context));
  }
  double k_;
  int size_;
  mutable int count_{0};
};

/** x' = u, y = x: no direct feedthrough. */
template <typename T>
class Accumulator final : public LeafSystem<T> {
 public:
  Accumulator() : LeafSystem<T>(SystemTypeTag<Accumulator>{}) {
    this->DeclareVectorInputPort("u", 1);
    const auto x = this->DeclareContinuousState(1);
    this->DeclareStateOutputPort("y", x);
  }
  template <typename U>
  explicit Accumulator(const Accumulator<U>&) : Accumulator() {}

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    derivatives->SetFromVector(this->get_input_port().Eval(context));
  }
};

/** q'' = 0 with one q and v, kinetic energy v^2 / 2. */
template <typename T>
class FreeMass final : public LeafSystem<T> {
 public:
  FreeMass() : LeafSystem<T>(SystemTypeTag<FreeMass>{}) {
    this->DeclareContinuousState(BasicVector<T>(VectorX<T>::Ones(2)), 1, 1, 0);
    this->DeclareNumericParameter(BasicVector<T>(VectorX<T>::Constant(1, 2.0)));
  }
  template <typename U>
  explicit FreeMass(const FreeMass<U>&) : FreeMass() {}

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    (*derivatives)[0] = context.get_continuous_state()[1];
    (*derivatives)[1] = T(0.0);
  }
  T DoCalcKineticEnergy(const Context<T>& context) const final {
    const T& v = context.get_continuous_state()[1];
    return 0.5 * context.get_numeric_parameter(0)[0] * v * v;
  }
};

/** Counts its events in discrete state 0: updates at period and offset. */
class Ticker final : public LeafSystem<double> {
 public:
  Ticker(double period, double offset) {
    DeclareDiscreteState(1);
    DeclarePeriodicDiscreteUpdateEvent(period, offset, &Ticker::Count);
    DeclarePeriodicPublishEvent(period, offset, &Ticker::Record);
    DeclareForcedDiscreteUpdateEvent(&Ticker::CountTen);
    DeclarePerStepPublishEvent(&Ticker::Record);
    DeclareInitializationDiscreteUpdateEvent(&Ticker::CountTen);
  }
  mutable std::vector<double> times;

 private:
  EventStatus Count(const Context<double>& context,
                    DiscreteValues<double>* xd) const {
    (*xd)[0] = context.get_discrete_state(0)[0] + 1;
    return EventStatus::Succeeded();
  }
  void CountTen(const Context<double>& context,
                DiscreteValues<double>* xd) const {
    (*xd)[0] = context.get_discrete_state(0)[0] + 10;
  }
  EventStatus Record(const Context<double>& context) const {
    times.push_back(context.get_time());
    return EventStatus::Succeeded();
  }
};

}  // namespace wyvern::systems::test
