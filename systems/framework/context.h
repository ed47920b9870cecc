#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/framework/context_base.h"
#include "wyvern/systems/framework/parameters.h"
#include "wyvern/systems/framework/state.h"

namespace wyvern::systems {

/** Everything a System's computations depend on: time, state, parameters, the
values of its input ports, accuracy; and the cache of what has been computed
from them. The System itself never changes once built, so many Contexts can be
used with one System, each from its own thread. A Context belongs to one thread
at a time, as a whole: evaluating something from it, even through a const
reference, writes to its cache.

Setting a value, or asking for writable access to it, marks what depends on it
stale at that moment: write through the reference before evaluating anything and
do not keep it. Time and states that are not finite are refused with
std::runtime_error naming the System and the index. Indices out of range throw
std::out_of_range. Time can be set on a root Context only.

@tparam T the scalar type. */
template <typename T>
class Context : public ContextBase {
 public:
  /** A deep copy. @throws std::logic_error if this is not a root Context. */
  std::unique_ptr<Context<T>> Clone() const;

  // Read access.
  /** The time [s]. */
  const T& get_time() const { return clock_->time; }
  /** While Simulator::Initialize() looks for events at the very start, time is
  set a hair earlier and this is the true time; otherwise empty. */
  const std::optional<T>& get_true_time() const { return clock_->true_time; }
  /** The accuracy set by SetAccuracy(), if there is one. */
  const std::optional<double>& get_accuracy() const { return clock_->accuracy; }

  /** The state, valid as long as this Context; so are the parts below. */
  const State<T>& get_state() const { return do_access_state(); }
  /** True if there is no state of any kind. */
  bool is_stateless() const { return num_total_states() == 0; }
  /** True if there is continuous state and no other. */
  bool has_only_continuous_state() const;
  /** True if there is discrete state and no other. */
  bool has_only_discrete_state() const;
  /** Sum of all state sizes; abstract states count one each. */
  int num_total_states() const;
  /** Size of the continuous state: positions, velocities and others. */
  int num_continuous_states() const { return get_continuous_state().size(); }
  /** The continuous state x = [q, v, z]. */
  const ContinuousState<T>& get_continuous_state() const {
    return get_state().get_continuous_state();
  }
  /** The continuous state as one vector of num_continuous_states() elements. */
  const VectorBase<T>& get_continuous_state_vector() const {
    return get_continuous_state().get_vector();
  }
  /** Number of groups of discrete state. */
  int num_discrete_state_groups() const {
    return get_state().get_discrete_state().num_groups();
  }
  /** All groups of discrete state. */
  const DiscreteValues<T>& get_discrete_state() const {
    return get_state().get_discrete_state();
  }
  /** The only discrete group. @throws if there are more or none. */
  const BasicVector<T>& get_discrete_state_vector() const {
    return get_discrete_state().get_vector();
  }
  /** A group of discrete state. */
  const BasicVector<T>& get_discrete_state(int index) const {
    return get_discrete_state().get_vector(index);
  }
  /** Number of abstract states. */
  int num_abstract_states() const {
    return get_state().get_abstract_state().size();
  }
  /** All abstract states. */
  const AbstractValues& get_abstract_state() const {
    return get_state().get_abstract_state();
  }
  /** An abstract state.
  @throws std::logic_error if it is not a U. */
  template <typename U>
  const U& get_abstract_state(int index) const {
    return get_abstract_state().get_value(index).template get_value<U>();
  }

  /** All parameters. */
  const Parameters<T>& get_parameters() const { return *parameters_; }
  /** Number of groups of numeric parameters. */
  int num_numeric_parameter_groups() const {
    return parameters_->num_numeric_parameter_groups();
  }
  /** A group of numeric parameters. */
  const BasicVector<T>& get_numeric_parameter(int index) const {
    return parameters_->get_numeric_parameter(index);
  }
  /** Number of abstract parameters. */
  int num_abstract_parameters() const {
    return parameters_->num_abstract_parameters();
  }
  /** An abstract parameter. */
  const AbstractValue& get_abstract_parameter(int index) const {
    return parameters_->get_abstract_parameter(index);
  }

  // Changes.
  /** Sets the time [s]; root only. */
  void SetTime(const T& time_sec);
  /** Sets x = [q, v, z].
  @throws std::logic_error if the size differs. */
  void SetContinuousState(const Eigen::Ref<const VectorX<T>>& xc);
  /** Sets the time [s] and x; root only.
  @throws std::logic_error if the size differs; the time then stays. */
  void SetTimeAndContinuousState(const T& time_sec,
                                 const Eigen::Ref<const VectorX<T>>& xc);
  /** Sets the only discrete group. @throws if there are more or none. */
  void SetDiscreteState(const Eigen::Ref<const VectorX<T>>& xd);
  /** Sets a discrete group.
  @throws std::logic_error if the size differs. */
  void SetDiscreteState(int group_index,
                        const Eigen::Ref<const VectorX<T>>& xd);
  /** Sets all discrete groups.
  @throws std::logic_error if their number or a size differs. */
  void SetDiscreteState(const DiscreteValues<T>& xd);
  /** Sets an abstract state.
  @throws std::logic_error if it is not a ValueType. */
  template <typename ValueType>
  void SetAbstractState(int index, const ValueType& value) {
    get_mutable_abstract_state<ValueType>(index) = value;
  }
  /** The accuracy that computations should aim at; root only. */
  void SetAccuracy(const std::optional<double>& accuracy);

  /** Copies time, accuracy, state, parameters from a Context of the same
  System, maybe of another scalar type, and leaves input ports alone. Root only.
*/
  template <typename U>
  void SetTimeStateAndParametersFrom(const Context<U>& source) {
    RequireRoot("SetTimeStateAndParametersFrom");
    // Another System's state is refused before time moves.
    SetStateAndParametersFrom(source);
    SetTime(T(source.get_time()));
    SetAccuracy(source.get_accuracy());
  }
  /** Copies state and parameters, but not time and accuracy; any Context. */
  template <typename U>
  void SetStateAndParametersFrom(const Context<U>& source) {
    get_mutable_state().SetFrom(source.get_state());
    get_mutable_parameters().SetFrom(source.get_parameters());
  }

  /** Writable state. All that depends on any state becomes stale. */
  State<T>& get_mutable_state();
  /** Writable continuous state. All that depends on it becomes stale. */
  ContinuousState<T>& get_mutable_continuous_state();
  /** Writable x = [q, v, z]. All that depends on it becomes stale. */
  VectorBase<T>& get_mutable_continuous_state_vector() {
    return get_mutable_continuous_state().get_mutable_vector();
  }
  /** Writable discrete state. All that depends on any group becomes stale. */
  DiscreteValues<T>& get_mutable_discrete_state();
  /** Writable elements of the only discrete group.
  @throws std::logic_error if there are more or none. */
  BasicVector<T>& get_mutable_discrete_state_vector() {
    return get_mutable_discrete_state().get_mutable_vector();
  }
  /** A writable discrete group. Dependents of this group become stale; in a
  Diagram's Context, dependents of any. */
  BasicVector<T>& get_mutable_discrete_state(int index);
  /** Writable abstract states. All that depends on any of them becomes
  stale. */
  AbstractValues& get_mutable_abstract_state();
  /** A writable abstract state, with the effect of
  get_mutable_discrete_state().
  @throws std::logic_error if it is not a U. */
  template <typename U>
  U& get_mutable_abstract_state(int index) {
    return GetMutableAbstractStateValue(index).template get_mutable_value<U>();
  }
  /** Writable parameters. All that depends on any of them becomes stale. */
  Parameters<T>& get_mutable_parameters();
  /** A writable group of numeric parameters, whose dependents become stale. */
  BasicVector<T>& get_mutable_numeric_parameter(int index);
  /** A writable abstract parameter, whose dependents become stale. */
  AbstractValue& get_mutable_abstract_parameter(int index);

  // For integrators, which change time and state together.
  /** Sets the time [s] and returns x, writable; root only. */
  VectorBase<T>& SetTimeAndGetMutableContinuousStateVector(const T& time_sec);
  /** Sets the time [s] and returns the positions q, writable; root only. */
  VectorBase<T>& SetTimeAndGetMutableQVector(const T& time_sec);
  /** Returns the velocities v and the other variables z, writable. */
  std::pair<VectorBase<T>*, VectorBase<T>*> GetMutableVZVectors();
  /** Sets the time [s] and makes dependents of x stale; root only. */
  void SetTimeAndNoteContinuousStateChange(const T& time_sec);
  /** Makes dependents of x stale, for those who kept a reference to it. */
  void NoteContinuousStateChange();
  /** Sets time to `time` while `true_time` says what it really is. */
  void PerturbTime(const T& time, const T& true_time);

  /** A deep copy of the state. */
  std::unique_ptr<State<T>> CloneState() const;
  /** Time, states and parameters, one line each. */
  std::string to_string() const;

 protected:
  Context();
  /** Copies time, accuracy and parameters. */
  Context(const Context<T>& source);

  virtual const State<T>& do_access_state() const = 0;
  virtual State<T>& do_access_mutable_state() = 0;
  virtual std::unique_ptr<State<T>> DoCloneState() const = 0;
  virtual std::string do_to_string() const = 0;

  void init_parameters(std::unique_ptr<Parameters<T>> parameters) {
    parameters_ = std::move(parameters);
  }
  /** All Contexts within this one, at any depth, each before its contents. */
  const std::vector<Context<T>*>& contents() const { return contents_; }
  /** Adds `c` and its contents, which from now on have this Context's time and
  accuracy. */
  void AddContent(Context<T>* c);
  static State<T>& access_mutable_state(Context<T>* c) {
    return c->do_access_mutable_state();
  }
  static Parameters<T>& access_mutable_parameters(Context<T>* c) {
    return *c->parameters_;
  }

 private:
  using Bulk = internal::DependencyMasks::Bulk;

  AbstractValue& GetMutableAbstractStateValue(int index);
  void DoNoteSystemId() final;
  void RequireRoot(const char* function) const;
  void RequireFiniteState(const char* function, const char* what,
                          const Eigen::Ref<const VectorX<T>>& x) const;
  void RequireTime(const char* function, const T& time) const;
  void SetTimeAndNote(const T& time, Bulk bulk);

  struct Clock {
    T time{0.0};
    std::optional<T> true_time;
    std::optional<double> accuracy;
  };
  // All Contexts within a root use the root's.
  Clock own_clock_;
  Clock* clock_{&own_clock_};
  std::unique_ptr<Parameters<T>> parameters_;
  std::vector<Context<T>*> contents_;
};

/** Writes to_string(). */
template <typename T>
std::ostream& operator<<(std::ostream& os, const Context<T>& context) {
  return os << context.to_string();
}

}  // namespace wyvern::systems

/// @cond  Doxygen does not see what it specializes.
template <typename T>
struct fmt::formatter<wyvern::systems::Context<T>> : wyvern::StreamFormatter {};
/// @endcond
