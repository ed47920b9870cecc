#include "wyvern/systems/framework/context.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"

/* Common part of the Contexts of leaves and Diagrams. Asking for writing access
counts as a change: each get_mutable_...() marks the dependents of that part
as stale at once, and a reference that is kept and written to later is not
noticed. A leaf marks the dependents of one group by the group's ticket; a
Diagram's Context marks the dependents of all groups of the kind, in all that
it contains. Time and accuracy are on a clock of the root, to which all its
contents point, and only the root can set it. The Set...() functions refuse
numbers that are not finite; functions that return references cannot. */

namespace wyvern::systems {

using wyvern::internal::Caller;

template <typename T>
Context<T>::Context() : parameters_(std::make_unique<Parameters<T>>()) {}

template <typename T>
Context<T>::Context(const Context<T>& source)
    : ContextBase(source), own_clock_(*source.clock_) {}

template <typename T>
void Context<T>::AddContent(Context<T>* c) {
  contents_.push_back(c);
  contents_.insert(contents_.end(), c->contents_.begin(), c->contents_.end());
  c->clock_ = clock_;
  for (Context<T>* inner : c->contents_) inner->clock_ = clock_;
}

template <typename T>
std::unique_ptr<Context<T>> Context<T>::Clone() const {
  std::unique_ptr<ContextBase> clone = ContextBase::Clone();
  return std::unique_ptr<Context<T>>(static_cast<Context<T>*>(clone.release()));
}

template <typename T>
bool Context<T>::has_only_continuous_state() const {
  return num_continuous_states() > 0 && num_discrete_state_groups() == 0 &&
         num_abstract_states() == 0;
}

template <typename T>
bool Context<T>::has_only_discrete_state() const {
  return num_discrete_state_groups() > 0 && num_continuous_states() == 0 &&
         num_abstract_states() == 0;
}

template <typename T>
int Context<T>::num_total_states() const {
  int count = num_continuous_states() + num_abstract_states();
  for (int i = 0; i < num_discrete_state_groups(); ++i) {
    count += get_discrete_state(i).size();
  }
  return count;
}

template <typename T>
void Context<T>::RequireRoot(const char* function) const {
  if (!this->is_root_context()) {
    throw std::logic_error(fmt::format(
        "Context::{}(): the Context of {} is part of a Diagram's Context; "
        "call this on the root Context.",
        function, this->GetSystemPathname()));
  }
}

template <typename T>
void Context<T>::RequireTime(const char* function, const T& time) const {
  if (!this->is_root_context()) RequireRoot(function);
  const double t = wyvern::internal::NumberIn(time);
  if (std::isfinite(t)) return;
  const std::string system = this->GetSystemPathname();
  wyvern::internal::RequireFinite(
      Caller("Context", function).Of("System", system).OfResults(), "time", t);
}

template <typename T>
void Context<T>::RequireFiniteState(
    const char* function, const char* what,
    const Eigen::Ref<const VectorX<T>>& x) const {
  if (wyvern::internal::AllFinite(x)) return;
  const std::string system = this->GetSystemPathname();
  wyvern::internal::RequireFinite(
      Caller("Context", function).Of("System", system).OfResults(), what, x,
      fmt::format("the time is {} s", ScalarText(get_time())));
}

template <typename T>
void Context<T>::SetTimeAndNote(const T& time, Bulk bulk) {
  clock_->time = time;
  clock_->true_time.reset();
  this->NoteBulkChange(bulk);
}

template <typename T>
void Context<T>::SetTime(const T& time_sec) {
  RequireTime("SetTime", time_sec);
  SetTimeAndNote(time_sec, Bulk::kTime);
}

template <typename T>
void Context<T>::PerturbTime(const T& time, const T& true_time) {
  RequireTime("PerturbTime", time);
  SetTimeAndNote(time, Bulk::kTime);
  clock_->true_time = true_time;
}

template <typename T>
void Context<T>::SetAccuracy(const std::optional<double>& accuracy) {
  if (!this->is_root_context()) RequireRoot("SetAccuracy");
  if (accuracy.has_value() && !(*accuracy > 0 && std::isfinite(*accuracy))) {
    const std::string system = this->GetSystemPathname();
    wyvern::internal::RequirePositive(
        Caller("Context::SetAccuracy").Of("System", system), "accuracy",
        *accuracy, "give none for each integrator's own");
  }
  clock_->accuracy = accuracy;
  this->NoteBulkChange(Bulk::kAccuracy);
}

template <typename T>
void Context<T>::SetContinuousState(const Eigen::Ref<const VectorX<T>>& xc) {
  RequireFiniteState("SetContinuousState", "continuous state", xc);
  get_mutable_continuous_state().SetFromVector(xc);
}

template <typename T>
void Context<T>::SetTimeAndContinuousState(
    const T& time_sec, const Eigen::Ref<const VectorX<T>>& xc) {
  const char* const what = "continuous state";
  RequireFiniteState("SetTimeAndContinuousState", what, xc);
  if (xc.size() != num_continuous_states()) {
    // Refuses the state before the time is changed.
    const std::string system = this->GetSystemPathname();
    wyvern::internal::RequireSize(
        Caller("Context::SetTimeAndContinuousState").Of("System", system), what,
        xc.size(), num_continuous_states());
  }
  SetTimeAndGetMutableContinuousStateVector(time_sec).SetFromVector(xc);
}

template <typename T>
void Context<T>::SetDiscreteState(const Eigen::Ref<const VectorX<T>>& xd) {
  if (num_discrete_state_groups() != 1) {
    throw std::logic_error(fmt::format(
        "Context::SetDiscreteState(): {} has {} discrete state groups; name "
        "the group unless there is exactly one.",
        this->GetSystemPathname(), num_discrete_state_groups()));
  }
  SetDiscreteState(0, xd);
}

template <typename T>
void Context<T>::SetDiscreteState(int group_index,
                                  const Eigen::Ref<const VectorX<T>>& xd) {
  RequireFiniteState("SetDiscreteState", "discrete state", xd);
  get_mutable_discrete_state(group_index).SetFromVector(xd);
}

template <typename T>
void Context<T>::SetDiscreteState(const DiscreteValues<T>& xd) {
  for (int i = 0; i < xd.num_groups(); ++i) {
    RequireFiniteState("SetDiscreteState", "discrete state",
                       xd.get_vector(i).value());
  }
  get_mutable_discrete_state().SetFrom(xd);
}

template <typename T>
State<T>& Context<T>::get_mutable_state() {
  this->NoteBulkChange(Bulk::kState);
  return do_access_mutable_state();
}

template <typename T>
ContinuousState<T>& Context<T>::get_mutable_continuous_state() {
  this->NoteBulkChange(Bulk::kContinuousState);
  return do_access_mutable_state().get_mutable_continuous_state();
}

template <typename T>
DiscreteValues<T>& Context<T>::get_mutable_discrete_state() {
  this->NoteBulkChange(Bulk::kDiscreteState);
  return do_access_mutable_state().get_mutable_discrete_state();
}

template <typename T>
BasicVector<T>& Context<T>::get_mutable_discrete_state(int index) {
  DiscreteValues<T>& xd =
      do_access_mutable_state().get_mutable_discrete_state();
  BasicVector<T>& group = xd.get_mutable_vector(index);
  if (contents_.empty()) {
    this->NoteDiscreteGroupChange(index);
  } else {
    this->NoteBulkChange(Bulk::kDiscreteState);
  }
  return group;
}

template <typename T>
AbstractValues& Context<T>::get_mutable_abstract_state() {
  this->NoteBulkChange(Bulk::kAbstractState);
  return do_access_mutable_state().get_mutable_abstract_state();
}

template <typename T>
AbstractValue& Context<T>::GetMutableAbstractStateValue(int index) {
  AbstractValue& value =
      do_access_mutable_state().get_mutable_abstract_state().get_mutable_value(
          index);
  if (contents_.empty()) {
    this->NoteAbstractStateChange(index);
  } else {
    this->NoteBulkChange(Bulk::kAbstractState);
  }
  return value;
}

template <typename T>
Parameters<T>& Context<T>::get_mutable_parameters() {
  this->NoteBulkChange(Bulk::kParameters);
  return *parameters_;
}

template <typename T>
BasicVector<T>& Context<T>::get_mutable_numeric_parameter(int index) {
  BasicVector<T>& value = parameters_->get_mutable_numeric_parameter(index);
  if (contents_.empty()) {
    this->NoteNumericParameterChange(index);
  } else {
    this->NoteBulkChange(Bulk::kNumericParameters);
  }
  return value;
}

template <typename T>
AbstractValue& Context<T>::get_mutable_abstract_parameter(int index) {
  AbstractValue& value = parameters_->get_mutable_abstract_parameter(index);
  if (contents_.empty()) {
    this->NoteAbstractParameterChange(index);
  } else {
    this->NoteBulkChange(Bulk::kAbstractParameters);
  }
  return value;
}

template <typename T>
VectorBase<T>& Context<T>::SetTimeAndGetMutableContinuousStateVector(
    const T& time_sec) {
  SetTimeAndNoteContinuousStateChange(time_sec);
  return do_access_mutable_state()
      .get_mutable_continuous_state()
      .get_mutable_vector();
}

template <typename T>
VectorBase<T>& Context<T>::SetTimeAndGetMutableQVector(const T& time_sec) {
  RequireTime("SetTimeAndGetMutableQVector", time_sec);
  SetTimeAndNote(time_sec, Bulk::kTimeAndQ);
  return do_access_mutable_state()
      .get_mutable_continuous_state()
      .get_mutable_generalized_position();
}

template <typename T>
std::pair<VectorBase<T>*, VectorBase<T>*> Context<T>::GetMutableVZVectors() {
  this->NoteBulkChange(Bulk::kVz);
  ContinuousState<T>& xc =
      do_access_mutable_state().get_mutable_continuous_state();
  return {&xc.get_mutable_generalized_velocity(),
          &xc.get_mutable_misc_continuous_state()};
}

template <typename T>
void Context<T>::SetTimeAndNoteContinuousStateChange(const T& time_sec) {
  RequireTime("SetTimeAndNoteContinuousStateChange", time_sec);
  SetTimeAndNote(time_sec, Bulk::kTimeAndContinuousState);
}

template <typename T>
void Context<T>::NoteContinuousStateChange() {
  this->NoteBulkChange(Bulk::kContinuousState);
}

namespace {
template <typename T>
void SetSystemId(internal::SystemId id, State<T>* state) {
  state->set_system_id(id);
  state->get_mutable_continuous_state().set_system_id(id);
  state->get_mutable_discrete_state().set_system_id(id);
}
}  // namespace

template <typename T>
void Context<T>::DoNoteSystemId() {
  SetSystemId(this->get_system_id(), &do_access_mutable_state());
  parameters_->set_system_id(this->get_system_id());
}

template <typename T>
std::unique_ptr<State<T>> Context<T>::CloneState() const {
  std::unique_ptr<State<T>> state = DoCloneState();
  SetSystemId(this->get_system_id(), state.get());
  return state;
}

template <typename T>
std::string Context<T>::to_string() const {
  return fmt::format("{} Context\n{}\nTime: {}\n{}", this->GetSystemPathname(),
                     std::string(this->GetSystemPathname().size() + 8, '-'),
                     ScalarText(get_time()), do_to_string());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Context);
