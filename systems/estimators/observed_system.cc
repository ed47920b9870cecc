#include "wyvern/systems/estimators/observed_system.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* The constructor makes a Context of its own: parameters from the Context that
was given, every input port that has a value there fixed at it, and the chosen
ports fixed at zero. A Workspace is a copy of that Context. Setting an argument
writes into the Context, which makes stale what depends on it, so f and g are
evaluated by the System's own cache. The discrete events are gathered once,
since looking for them allocates. */

namespace wyvern::systems::estimators::internal {

namespace {

template <typename T>
std::optional<PeriodicEventData> FindTiming(const char* who,
                                            const System<T>& system,
                                            const Context<T>& context) {
  if (context.has_only_continuous_state()) return {};
  if (context.has_only_discrete_state() &&
      context.num_discrete_state_groups() == 1) {
    const auto timing = system.GetUniquePeriodicDiscreteUpdateAttribute();
    if (timing.has_value()) return timing;
  }
  throw std::logic_error(fmt::format(
      "{}(): '{}' has {} continuous states, {} discrete groups and {} abstract "
      "states; only continuous state, or one discrete group with one periodic "
      "update, can be estimated.",
      who, system.GetSystemPathname(), context.num_continuous_states(),
      context.num_discrete_state_groups(), context.num_abstract_states()));
}

template <typename Port>
void RequireVectorValued(const char* who, const Port* port) {
  if (port == nullptr || port->get_data_type() == kVectorValued) return;
  throw std::logic_error(
      fmt::format("{}(): port '{}' is abstract-valued; choose a vector-valued "
                  "port.",
                  who, port->get_name()));
}

}  // namespace

template <typename T>
ObservedSystem<T>::ObservedSystem(const char* who,
                                  std::shared_ptr<const System<T>> system,
                                  const Context<T>& context,
                                  const ObservedPorts& ports)
    : system_(std::move(
          wyvern::internal::RequireNotNull(who, "observed_system", system))) {
  system_->ValidateContext(context);
  timing_ = FindTiming(who, *system_, context);
  input_ = system_->get_input_port_selection(ports.input);
  output_ = system_->get_output_port_selection(ports.output);
  process_noise_ = ChooseNoise(who, "process_noise", ports.process_noise);
  measurement_noise_ =
      ChooseNoise(who, "measurement_noise", ports.measurement_noise);
  RequireFittingPorts(who);

  auto own = system_->CreateDefaultContext();
  own->SetTimeStateAndParametersFrom(context);
  for (int i = 0; i < system_->num_input_ports(); ++i) {
    const InputPort<T>& port = system_->get_input_port(i);
    if (&port == input_ || &port == process_noise_ ||
        &port == measurement_noise_) {
      port.FixValue(own.get(), VectorX<T>(VectorX<T>::Zero(port.size())));
    } else if (port.HasValue(context)) {
      port.FixValue(own.get(), port.template Eval<AbstractValue>(context));
    }
  }
  model_.context = copyable_unique_ptr<Context<T>>(std::move(own));
  if (is_discrete()) {
    model_.update = copyable_unique_ptr<DiscreteValues<T>>(
        system_->AllocateDiscreteVariables());
    updates_ = system_->AllocateCompositeEventCollection();
    system_->GetPeriodicEvents(*model_.context, updates_.get());
  }
}

template <typename T>
const InputPort<T>* ObservedSystem<T>::ChooseNoise(
    const char* who, const char* what,
    std::optional<InputPortIndex> index) const {
  if (!index.has_value()) return nullptr;
  wyvern::internal::RequireIndex(who, fmt::format("{}_input_port_index", what),
                                 *index, system_->num_input_ports());
  return &system_->get_input_port(*index);
}

template <typename T>
void ObservedSystem<T>::RequireFittingPorts(const char* who) const {
  if (output_ == nullptr) {
    throw std::logic_error(
        fmt::format("{}(): '{}' has no output to be measured; declare an "
                    "output port.",
                    who, system_->GetSystemPathname()));
  }
  RequireVectorValued(who, input_);
  RequireVectorValued(who, output_);
  for (const InputPort<T>* noise : {process_noise_, measurement_noise_}) {
    if (noise == nullptr) continue;
    RequireVectorValued(who, noise);
    if (noise != input_) continue;
    throw std::logic_error(fmt::format(
        "{}(): input port '{}' is chosen as actuation and as noise; choose "
        "another actuation_input_port_index, or "
        "InputPortSelection::kNoInput.",
        who, noise->get_name()));
  }
  if (process_noise_ != nullptr && process_noise_ == measurement_noise_) {
    throw std::logic_error(fmt::format(
        "{}(): input port '{}' is chosen as process noise and as measurement "
        "noise; choose two ports.",
        who, process_noise_->get_name()));
  }
  if (process_noise_ != nullptr &&
      system_->HasDirectFeedthrough(process_noise_->get_index(),
                                    output_->get_index())) {
    throw std::logic_error(fmt::format(
        "{}(): the process noise '{}' feeds through to the output '{}', but "
        "both noises must be independent; use two ports.",
        who, process_noise_->get_name(), output_->get_name()));
  }
  if (measurement_noise_ != nullptr &&
      !system_->HasDirectFeedthrough(measurement_noise_->get_index(),
                                     output_->get_index())) {
    throw std::logic_error(fmt::format(
        "{}(): the measurement noise '{}' does not reach the output '{}'; "
        "choose another port.",
        who, measurement_noise_->get_name(), output_->get_name()));
  }
}

template <typename T>
int ObservedSystem<T>::num_states() const {
  return is_discrete() ? model_.context->get_discrete_state(0).size()
                       : model_.context->num_continuous_states();
}

template <typename T>
void ObservedSystem<T>::SetTime(const T& time, Workspace* work) const {
  work->context->SetTime(time);
}

template <typename T>
void ObservedSystem<T>::SetState(const VectorX<T>& x, Workspace* work) const {
  if (is_discrete()) {
    work->context->SetDiscreteState(0, x);
  } else {
    work->context->SetContinuousState(x);
  }
}

template <typename T>
void ObservedSystem<T>::SetPort(const InputPort<T>* port,
                                const VectorX<T>& value,
                                Workspace* work) const {
  if (port == nullptr) return;
  work->context->MaybeGetMutableFixedInputPortValue(port->get_index())
      ->template GetMutableVectorData<T>()
      ->SetFromVector(value);
}

template <typename T>
void ObservedSystem<T>::SetInput(const VectorX<T>& u, Workspace* work) const {
  SetPort(input_, u, work);
}

template <typename T>
void ObservedSystem<T>::SetProcessNoise(const VectorX<T>& w,
                                        Workspace* work) const {
  SetPort(process_noise_, w, work);
}

template <typename T>
void ObservedSystem<T>::SetMeasurementNoise(const VectorX<T>& v,
                                            Workspace* work) const {
  SetPort(measurement_noise_, v, work);
}

template <typename T>
void ObservedSystem<T>::CalcDynamics(Workspace* work, VectorX<T>* f) const {
  if (is_discrete()) {
    system_->CalcDiscreteVariableUpdate(*work->context,
                                        updates_->get_discrete_update_events(),
                                        work->update.get());
    *f = work->update->value(0);
    return;
  }
  const VectorBase<T>& xdot =
      system_->EvalTimeDerivatives(*work->context).get_vector();
  for (int i = 0; i < xdot.size(); ++i) (*f)[i] = xdot[i];
}

template <typename T>
const VectorX<T>& ObservedSystem<T>::EvalOutput(const Workspace& work) const {
  return output_->Eval(*work.context);
}

}  // namespace wyvern::systems::estimators::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::estimators::internal::ObservedSystem);
