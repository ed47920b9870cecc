#pragma once

/** @file
Small Systems with known solutions or with something to count. */

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::test {

/** xdot = f(t, x) for any f and size; all state is "z". */
template <typename T>
class Ode final : public LeafSystem<T> {
 public:
  using Function = std::function<VectorX<T>(const T&, const VectorX<T>&)>;
  Ode(const VectorX<T>& x0, Function f) : f_(std::move(f)) {
    this->DeclareContinuousState(BasicVector<T>(x0));
  }

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    derivatives->SetFromVector(
        f_(context.get_time(),
           context.get_continuous_state_vector().CopyToVector()));
  }
  Function f_;
};

/** A mass of 1 kg on a spring of 1 N/m: qdot = v, vdot = -q. From q = 1, v = 0
the solution is q = cos t. Allocates nothing. */
template <typename T>
class Oscillator final : public LeafSystem<T> {
 public:
  Oscillator() {
    this->DeclareContinuousState(
        BasicVector<T>(VectorX<T>(Vector2<T>(T(1.0), T(0.0)))), 1, 1, 0);
  }

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    const VectorBase<T>& x = context.get_continuous_state_vector();
    derivatives->get_mutable_vector()[0] = x[1];
    derivatives->get_mutable_vector()[1] = -x[0];
  }
};

/** Keeps a diary of its events: a letter for the kind (p, d, u), one for the
trigger (i, s, t), and the time. */
class Diary final : public LeafSystem<double> {
 public:
  explicit Diary(int num_continuous = 0) {
    if (num_continuous > 0) DeclareContinuousState(num_continuous);
    DeclareDiscreteState(1);
  }
  struct Entry {
    std::string what;
    double time;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries() const { return entries_; }
  /** The times of the entries that say `what`. */
  std::vector<double> times(const std::string& what) const {
    std::vector<double> result;
    for (const Entry& e : entries_) {
      if (e.what == what) result.push_back(e.time);
    }
    return result;
  }
  std::string sequence() const {
    std::string result;
    for (const Entry& e : entries_) result += e.what + ' ';
    return result;
  }
  void clear() { entries_.clear(); }

  void AddInitialization() {
    DeclareInitializationEvent(Publish("pi"));
    DeclareInitializationEvent(Discrete("di"));
    DeclareInitializationEvent(Unrestricted("ui"));
  }
  void AddPerStep() {
    DeclarePerStepEvent(Publish("ps"));
    DeclarePerStepEvent(Discrete("ds"));
    DeclarePerStepEvent(Unrestricted("us"));
  }
  void AddPeriodic(double period, double offset) {
    DeclarePeriodicEvent(period, offset, Publish("pt"));
    DeclarePeriodicEvent(period, offset, Discrete("dt"));
    DeclarePeriodicEvent(period, offset, Unrestricted("ut"));
  }
  void AddPeriodicDiscrete(double period, double offset, std::string what) {
    DeclarePeriodicEvent(period, offset, Discrete(std::move(what)));
  }
  void AddPeriodicPublish(double period, double offset, std::string what) {
    DeclarePeriodicEvent(period, offset, Publish(std::move(what)));
  }
  /** The discrete update at or after `time` returns `status`. */
  void SetStatus(double time, EventStatus status) {
    status_time_ = time;
    status_ = std::move(status);
  }

 private:
  EventStatus Write(const std::string& what,
                    const Context<double>& context) const {
    entries_.push_back({what, context.get_time()});
    const bool special = what[0] == 'd' && context.get_time() >= status_time_;
    return special ? status_ : EventStatus::Succeeded();
  }
  PublishEvent<double> Publish(std::string what) {
    return PublishEvent<double>(
        [this, what](const Context<double>& c, const PublishEvent<double>&) {
          return Write(what, c);
        });
  }
  DiscreteUpdateEvent<double> Discrete(std::string what) {
    return DiscreteUpdateEvent<double>(
        [this, what](const Context<double>& c,
                     const DiscreteUpdateEvent<double>&,
                     DiscreteValues<double>*) { return Write(what, c); });
  }
  UnrestrictedUpdateEvent<double> Unrestricted(std::string what) {
    return UnrestrictedUpdateEvent<double>(
        [this, what](const Context<double>& c,
                     const UnrestrictedUpdateEvent<double>&,
                     State<double>*) { return Write(what, c); });
  }
  void DoCalcTimeDerivatives(const Context<double>&,
                             ContinuousState<double>* xdot) const final {
    for (int i = 0; i < xdot->size(); ++i) xdot->get_mutable_vector()[i] = 1.0;
  }

  mutable std::vector<Entry> entries_;
  double status_time_{1e300};
  EventStatus status_{EventStatus::Succeeded()};
};

/** Counts ticks of two rates in discrete state, without allocating. */
class Counters final : public LeafSystem<double> {
 public:
  Counters(double period_a, double period_b, double offset_b = 0) {
    DeclareDiscreteState(2);
    DeclarePeriodicEvent(period_a, 0.0, Tick(0));
    DeclarePeriodicEvent(period_b, offset_b, Tick(1));
  }

 private:
  static DiscreteUpdateEvent<double> Tick(int i) {
    return DiscreteUpdateEvent<double>([i](const Context<double>& c,
                                           const DiscreteUpdateEvent<double>&,
                                           DiscreteValues<double>* xd) {
      xd->get_mutable_vector(0)[i] = c.get_discrete_state(0)[i] + 1;
    });
  }
};

}  // namespace wyvern::systems::test
