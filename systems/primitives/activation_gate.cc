#include "wyvern/systems/primitives/activation_gate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The key is what the condition said when the gate last looked. A guard reaches
zero when the key changes: u_i for a condition i before the true one, -u_i for
the true one; the distances from the half integers around a selector; u or -u
for a trigger. So only the state tells which System is active, and the
integrator sees one set of equations until the moment of the change.

A trigger goes through two phases that take no time. In the first one the System
runs its updates. In the second one its outputs are live, and are copied to
those that are held; so no output shows a state between the old and the new one.
*/

namespace wyvern::systems::internal {

using wyvern::internal::Caller;

template <typename T>
ActivationGate<T>::ActivationGate(const ActivationRule& rule,
                                  const std::vector<int>& output_sizes,
                                  const ActivationOptions& options)
    : ModalBlock<T>(SystemTypeTag<systems::internal::ActivationGate>{}),
      rule_(rule),
      output_sizes_(output_sizes),
      options_(options),
      advance_(
          TriggerType::kTimed,
          [this](const Context<T>& context, const DiscreteUpdateEvent<T>&,
                 DiscreteValues<T>* next) { return Advance(context, next); }) {
  const char* const who = "ActivationOptions";
  const auto num_outputs = static_cast<int>(output_sizes_.size());
  const auto& initial = options_.initial_outputs;
  if (!initial.empty()) {
    wyvern::internal::RequireSize(who, "initial_outputs", std::ssize(initial),
                                  num_outputs,
                                  "give a vector for each output port");
  }
  for (std::size_t i = 0; i < initial.size(); ++i) {
    const std::string what = fmt::format("initial_outputs[{}]", i);
    wyvern::internal::RequireSize(who, what, initial[i].size(),
                                  output_sizes_[i]);
    wyvern::internal::RequireFinite(who, what, initial[i]);
  }
  this->DeclareVectorInputPort(
      "condition", rule_.kind == Kind::kFirstTrue ? rule_.num_conditions : 1);
  for (int system = 0; system < rule_.num_systems; ++system) {
    for (int i = 0; i < num_outputs; ++i) {
      this->DeclareVectorInputPort(fmt::format("u{}_{}", system, i),
                                   output_sizes_[i]);
    }
  }
  int offset = kFirstOutput;
  for (int i = 0; i < num_outputs; ++i) {
    std::set<DependencyTicket> sources{this->xd_ticket()};
    for (int system = 0; system < rule_.num_systems; ++system) {
      sources.insert(this->input_port_ticket(
          InputPortIndex(1 + system * num_outputs + i)));
    }
    this->DeclareVectorOutputPort(
        fmt::format("y{}", i), output_sizes_[i],
        [this, i, offset](const Context<T>& context, BasicVector<T>* y) {
          CalcOutput(context, i, offset, y);
        },
        sources);
    offset += output_sizes_[i];
  }
  DiscreteValues<T> start(
      std::make_unique<BasicVector<T>>(VectorX<T>::Zero(offset)));
  start[kActive] = T(-1);
  ResetOutputs(&start);
  this->DeclareDiscreteState(start.get_vector());
  this->DeclareInitializationDiscreteUpdateEvent(&ActivationGate<T>::Start);
  this->DeclareGuards(rule_.kind == Kind::kFirstTrue ? rule_.num_conditions
                      : rule_.kind == Kind::kCase    ? 2
                                                     : 1);
}

template <typename T>
ActivationGate<T>::~ActivationGate() = default;

template <typename T>
int ActivationGate<T>::GetActive(const Context<T>& context) const {
  return GetActive(context.get_discrete_state());
}

template <typename T>
int ActivationGate<T>::GetActive(const DiscreteValues<T>& state) const {
  return static_cast<int>(ToDouble(state[kActive]));
}

template <typename T>
GatePhase ActivationGate<T>::GetPhase(const Context<T>& context) const {
  return static_cast<GatePhase>(
      static_cast<int>(ToDouble(context.get_discrete_state()[kPhase])));
}

template <typename T>
bool ActivationGate<T>::IsStarted(const Context<T>& context) const {
  return context.get_discrete_state()[kIsStarted] > 0.5;
}

template <typename T>
double ActivationGate<T>::GetKey(const Context<T>& context) const {
  return ToDouble(context.get_discrete_state()[kKey]);
}

template <typename T>
double ActivationGate<T>::CalcKey(const Context<T>& context) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  if (!wyvern::internal::AllFinite(u)) {
    const std::string path = this->GetSystemPathname();
    wyvern::internal::RequireNotNan(
        Caller("ConditionalDiagram").Of("the gate", path).OfResults(),
        "the condition", u);
  }
  switch (rule_.kind) {
    case Kind::kFirstTrue: {
      int i = 0;
      while (i < u.size() && !(u[i] > 0)) ++i;
      return i;
    }
    case Kind::kCase:
      return std::floor(ToDouble(u[0]) + 0.5);
    case Kind::kTrigger:
      return u[0] > 0 ? 1 : 0;
  }
  return 0;
}

template <typename T>
int ActivationGate<T>::FindSystem(double key) const {
  switch (rule_.kind) {
    case Kind::kFirstTrue: {
      const int system = static_cast<int>(key);
      return system < rule_.num_systems ? system : -1;
    }
    case Kind::kCase: {
      const auto num_cases = static_cast<int>(rule_.cases.size());
      for (int system = 0; system < num_cases; ++system) {
        const std::vector<int>& cases = rule_.cases[system];
        if (std::find(cases.begin(), cases.end(), key) != cases.end()) {
          return system;
        }
      }
      return num_cases < rule_.num_systems ? num_cases : -1;
    }
    case Kind::kTrigger:
      return -1;
  }
  return -1;
}

template <typename T>
int ActivationGate<T>::CalcSelected(const Context<T>& context) const {
  return FindSystem(CalcKey(context));
}

template <typename T>
const VectorX<T>& ActivationGate<T>::EvalOutputOf(const Context<T>& context,
                                                  int system, int port) const {
  const auto num_outputs = static_cast<int>(output_sizes_.size());
  return this->get_input_port(1 + system * num_outputs + port).Eval(context);
}

template <typename T>
void ActivationGate<T>::Capture(const Context<T>& context, int system,
                                DiscreteValues<T>* next) const {
  int offset = kFirstOutput;
  for (int i = 0; i < static_cast<int>(output_sizes_.size()); ++i) {
    next->get_mutable_value().segment(offset, output_sizes_[i]) =
        EvalOutputOf(context, system, i);
    offset += output_sizes_[i];
  }
}

template <typename T>
void ActivationGate<T>::ResetOutputs(DiscreteValues<T>* next) const {
  int offset = kFirstOutput;
  for (std::size_t i = 0; i < output_sizes_.size(); ++i) {
    for (int k = 0; k < output_sizes_[i]; ++k) {
      const auto& initial = options_.initial_outputs;
      (*next)[offset++] = T(initial.empty() ? 0 : initial[i][k]);
    }
  }
}

template <typename T>
void ActivationGate<T>::Change(const Context<T>& context,
                               DiscreteValues<T>* next) const {
  const double key = CalcKey(context);
  (*next)[kKey] = T(key);
  if (rule_.kind == Kind::kTrigger) {
    const TriggerEdge edge =
        key > 0 ? TriggerEdge::kRising : TriggerEdge::kFalling;
    if (rule_.edge == edge || rule_.edge == TriggerEdge::kEither) {
      (*next)[kPhase] = T(static_cast<int>(GatePhase::kRun));
    }
    return;
  }
  const int before = GetActive(context);
  const int after = FindSystem(key);
  if (after == before) return;
  (*next)[kActive] = T(after);
  if (after >= 0) {
    const bool resets = options_.states == WhenInactive::kReset;
    (*next)[kPhase] = T(
        static_cast<int>(resets ? GatePhase::kInitialize : GatePhase::kSteady));
  } else if (options_.outputs == WhenInactive::kReset) {
    ResetOutputs(next);
  } else {
    Capture(context, before, next);
  }
}

template <typename T>
EventStatus ActivationGate<T>::Start(const Context<T>& context,
                                     DiscreteValues<T>* next) const {
  // A Context may be initialized again in the middle of a run.
  if (IsStarted(context)) return EventStatus::DidNothing();
  Restart(context, next);
  return EventStatus::Succeeded();
}

template <typename T>
void ActivationGate<T>::Restart(const Context<T>& context,
                                DiscreteValues<T>* next) const {
  const double key = CalcKey(context);
  (*next)[kIsStarted] = T(1);
  (*next)[kKey] = T(key);
  (*next)[kActive] = T(FindSystem(key));
}

template <typename T>
void ActivationGate<T>::Follow(const Context<T>& context,
                               DiscreteValues<T>* next) const {
  if (CalcKey(context) != GetKey(context)) Change(context, next);
}

template <typename T>
EventStatus ActivationGate<T>::Advance(const Context<T>& context,
                                       DiscreteValues<T>* next) const {
  GatePhase after = GatePhase::kSteady;
  if (GetPhase(context) == GatePhase::kRun) after = GatePhase::kSample;
  if (GetPhase(context) == GatePhase::kSample) Capture(context, 0, next);
  (*next)[kPhase] = T(static_cast<int>(after));
  return EventStatus::Succeeded();
}

template <typename T>
void ActivationGate<T>::CalcOutput(const Context<T>& context, int port,
                                   int offset, BasicVector<T>* y) const {
  const bool is_sampling = GetPhase(context) == GatePhase::kSample;
  const int active = is_sampling ? 0 : GetActive(context);
  if (active >= 0) {
    y->get_mutable_value() = EvalOutputOf(context, active, port);
  } else {
    y->get_mutable_value() =
        context.get_discrete_state(0).value().segment(offset, y->size());
  }
}

// Guards.

template <typename T>
bool ActivationGate<T>::IsGuardActive(const Context<T>& context,
                                      int guard) const {
  return rule_.kind != Kind::kFirstTrue || guard <= GetKey(context);
}

template <typename T>
T ActivationGate<T>::CalcGuard(const Context<T>& context, int guard) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  const double key = GetKey(context);
  switch (rule_.kind) {
    case Kind::kFirstTrue:
      return guard < key ? u[guard] : T(-u[guard]);
    case Kind::kCase:
      return guard == 0 ? T(u[0] - (key + 0.5)) : T((key - 0.5) - u[0]);
    case Kind::kTrigger:
      return key > 0 ? T(-u[0]) : u[0];
  }
  return T(0);
}

template <typename T>
bool ActivationGate<T>::IsGuardDue(const Context<T>& context, int) const {
  return CalcKey(context) != GetKey(context);
}

template <typename T>
bool ActivationGate<T>::ChangeMode(const Context<T>& context, int,
                                   State<T>* state) const {
  // One look at the condition decides for all guards. A guard may be exactly
  // zero while the condition is not above zero yet.
  Follow(context, &state->get_mutable_discrete_state());
  return true;
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ActivationGate);
