#include "wyvern/systems/framework/system.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"

/* Public functions check their arguments, mostly that the Context is this
System's own, and hand the work to a virtual function in which leaves and
Diagrams differ. Defaults are set before anything random, and random
parameters before the random state that may depend on them. The check of a
fixed input's type is a function that each Context keeps from its allocation
on, so that it can refuse a value without its System. External constraints
are kept as given besides, since a System of another scalar type needs a
function of that type.

Contexts, ports, parts of subsystems, constraints and scalar conversion.
Events are in system_events.cc, derivatives and energy in system_dynamics.cc. */

namespace wyvern::systems {

template <typename T>
System<T>::System(SystemScalarConverter converter)
    : converter_(std::move(converter)) {
  DeclareKnownCacheEntries();
}

template <typename T>
System<T>::~System() = default;

template <typename T>
void System<T>::Accept(SystemVisitor<T>* v) const {
  RequireOutput("Accept", v);
  v->VisitSystem(*this);
}

template <typename T>
void System<T>::ThrowNullOutput(const char* function) const {
  throw std::logic_error(fmt::format(
      "System::{}(): System {} ({}) was given a null pointer to write to; pass "
      "an object.",
      function, this->GetSystemPathname(), this->GetSystemType()));
}

// Contexts.

template <typename T>
std::unique_ptr<Context<T>> System<T>::AllocateContext() const {
  return std::unique_ptr<Context<T>>(
      static_cast<Context<T>*>(SystemBase::AllocateContext().release()));
}

template <typename T>
std::unique_ptr<Context<T>> System<T>::CreateDefaultContext() const {
  std::unique_ptr<Context<T>> context = AllocateContext();
  SetDefaultContext(context.get());
  return context;
}

template <typename T>
void System<T>::SetDefaultContext(Context<T>* context) const {
  this->ValidateContext(context);
  SetDefaultState(*context, &context->get_mutable_state());
  SetDefaultParameters(*context, &context->get_mutable_parameters());
}

template <typename T>
void System<T>::SetRandomContext(Context<T>* context,
                                 RandomGenerator* generator) const {
  this->ValidateContext(context);
  SetDefaultContext(context);
  // Parameters come first: a random state may depend on them.
  SetRandomParameters(*context, &context->get_mutable_parameters(), generator);
  SetRandomState(*context, &context->get_mutable_state(), generator);
}

template <typename T>
void System<T>::SetRandomState(const Context<T>& context, State<T>* state,
                               RandomGenerator*) const {
  SetDefaultState(context, state);
}

template <typename T>
void System<T>::SetRandomParameters(const Context<T>& context,
                                    Parameters<T>* parameters,
                                    RandomGenerator*) const {
  SetDefaultParameters(context, parameters);
}

template <typename T>
void System<T>::AllocateFixedInputs(Context<T>* context) const {
  this->ValidateContext(context);
  for (InputPortIndex i(0); i < this->num_input_ports(); ++i) {
    const InputPort<T>& port = get_input_port(i);
    if (port.HasValue(*context)) continue;
    port.FixValue(context, *port.Allocate());
  }
}

template <typename T>
std::unique_ptr<BasicVector<T>> System<T>::AllocateInputVector(
    const InputPort<T>& input_port) const {
  const std::unique_ptr<AbstractValue> value =
      AllocateInputAbstract(input_port);
  const auto* vector = value->template maybe_get_value<BasicVector<T>>();
  if (vector == nullptr) {
    throw std::logic_error(
        fmt::format("System::AllocateInputVector(): {} is abstract-valued; use "
                    "AllocateInputAbstract().",
                    input_port.GetFullDescription()));
  }
  return vector->Clone();
}

template <typename T>
std::unique_ptr<AbstractValue> System<T>::AllocateInputAbstract(
    const InputPort<T>& input_port) const {
  if (&input_port.get_system() != this) {
    throw std::logic_error(
        fmt::format("System::AllocateInputAbstract(): {} is not a port of "
                    "System {} ({}); ask the System that has it.",
                    input_port.GetFullDescription(), this->GetSystemPathname(),
                    this->GetSystemType()));
  }
  return input_port.Allocate();
}

template <typename T>
std::unique_ptr<SystemOutput<T>> System<T>::AllocateOutput() const {
  auto result = std::make_unique<SystemOutput<T>>();
  for (int i = 0; i < this->num_output_ports(); ++i) {
    result->values_.push_back(get_output_port(i).Allocate());
  }
  result->system_id_ = this->get_system_id();
  return result;
}

template <typename T>
VectorX<T> System<T>::AllocateImplicitTimeDerivativesResidual() const {
  return VectorX<T>::Zero(this->implicit_time_derivatives_residual_size());
}

template <typename T>
void System<T>::FixInputPortsFrom(const System<double>& other_system,
                                  const Context<double>& other_context,
                                  Context<T>* target_context) const {
  this->ValidateContext(target_context);
  other_system.ValidateContext(other_context);
  if (other_system.num_input_ports() != this->num_input_ports()) {
    throw std::logic_error(fmt::format(
        "System::FixInputPortsFrom(): {} has {} input ports and {} has {}; the "
        "Systems must correspond.",
        other_system.GetSystemPathname(), other_system.num_input_ports(),
        this->GetSystemPathname(), this->num_input_ports()));
  }
  for (int i = 0; i < this->num_input_ports(); ++i) {
    const AbstractValue* value =
        other_system.EvalAbstractInput(other_context, i);
    if (value == nullptr) continue;
    const InputPort<T>& port = get_input_port(i);
    if (port.get_data_type() == kAbstractValued) {
      port.FixValue(target_context, *value);
    } else {
      const auto& vector = value->template get_value<BasicVector<double>>();
      port.FixValue(target_context,
                    VectorX<T>(vector.value().template cast<T>()));
    }
  }
}

// Ports.

namespace {
// The number of the only port, or of the only one that is not deprecated; -1 if
// there is none such.
template <typename Get>
int FindOnlyPort(int num_ports, Get&& get) {
  if (num_ports == 1) return 0;
  int only = -1;
  for (int i = 0; i < num_ports; ++i) {
    if (get(i).get_deprecation().has_value()) continue;
    if (only >= 0) return -1;
    only = i;
  }
  return only;
}
}  // namespace

template <typename T>
const InputPort<T>& System<T>::get_input_port(int port_index, bool) const {
  if (port_index < 0) this->ThrowInputPortIndex("get_input_port", port_index);
  return static_cast<const InputPort<T>&>(
      this->get_input_port_base(InputPortIndex(port_index)));
}

template <typename T>
const InputPort<T>& System<T>::get_input_port() const {
  const int only = FindOnlyPort(
      this->num_input_ports(),
      [this](int i) -> const PortBase& { return get_input_port(i); });
  if (only < 0) {
    throw std::logic_error(fmt::format(
        "System::get_input_port(): System {} ({}) has {} input ports; pass an "
        "index or use GetInputPort(name) unless there is exactly one.",
        this->GetSystemPathname(), this->GetSystemType(),
        this->num_input_ports()));
  }
  return get_input_port(only);
}

template <typename T>
const InputPort<T>* System<T>::get_input_port_selection(
    std::variant<InputPortSelection, InputPortIndex> port_index) const {
  if (const auto* index = std::get_if<InputPortIndex>(&port_index)) {
    return &get_input_port(*index);
  }
  const bool wants_first = std::get<InputPortSelection>(port_index) ==
                           InputPortSelection::kUseFirstInputIfItExists;
  return wants_first && this->num_input_ports() > 0 ? &get_input_port(0)
                                                    : nullptr;
}

namespace {
template <typename Port, typename Get>
const Port* FindPort(int num_ports, const std::string& name, Get&& get) {
  for (int i = 0; i < num_ports; ++i) {
    const Port& port = get(i);
    if (port.get_name() == name) return &port;
  }
  return nullptr;
}

template <typename Get>
std::string ListNames(int num_ports, Get&& get) {
  std::string result;
  for (int i = 0; i < num_ports; ++i) {
    result += fmt::format("{}'{}'", i == 0 ? "" : ", ", get(i).get_name());
  }
  return result.empty() ? "none" : result;
}
}  // namespace

template <typename T>
const InputPort<T>& System<T>::GetInputPort(
    const std::string& port_name) const {
  const auto get = [this](int i) -> const InputPort<T>& {
    return get_input_port(i);
  };
  const auto* port =
      FindPort<InputPort<T>>(this->num_input_ports(), port_name, get);
  if (port == nullptr) {
    throw std::logic_error(fmt::format(
        "System::GetInputPort(): System {} ({}) has no input port named '{}'; "
        "it has {}.",
        this->GetSystemPathname(), this->GetSystemType(), port_name,
        ListNames(this->num_input_ports(), get)));
  }
  return *port;
}

template <typename T>
bool System<T>::HasInputPort(const std::string& port_name) const {
  return FindPort<InputPort<T>>(this->num_input_ports(), port_name,
                                [this](int i) -> const InputPort<T>& {
                                  return get_input_port(i);
                                }) != nullptr;
}

template <typename T>
const OutputPort<T>& System<T>::get_output_port(int port_index, bool) const {
  if (port_index < 0) this->ThrowOutputPortIndex("get_output_port", port_index);
  return static_cast<const OutputPort<T>&>(
      this->get_output_port_base(OutputPortIndex(port_index)));
}

template <typename T>
const OutputPort<T>& System<T>::get_output_port() const {
  const int only = FindOnlyPort(
      this->num_output_ports(),
      [this](int i) -> const PortBase& { return get_output_port(i); });
  if (only < 0) {
    throw std::logic_error(fmt::format(
        "System::get_output_port(): System {} ({}) has {} output ports; pass "
        "an index or use GetOutputPort(name) unless there is exactly one.",
        this->GetSystemPathname(), this->GetSystemType(),
        this->num_output_ports()));
  }
  return get_output_port(only);
}

template <typename T>
const OutputPort<T>* System<T>::get_output_port_selection(
    std::variant<OutputPortSelection, OutputPortIndex> port_index) const {
  if (const auto* index = std::get_if<OutputPortIndex>(&port_index)) {
    return &get_output_port(*index);
  }
  const bool wants_first = std::get<OutputPortSelection>(port_index) ==
                           OutputPortSelection::kUseFirstOutputIfItExists;
  return wants_first && this->num_output_ports() > 0 ? &get_output_port(0)
                                                     : nullptr;
}

template <typename T>
const OutputPort<T>& System<T>::GetOutputPort(
    const std::string& port_name) const {
  const auto get = [this](int i) -> const OutputPort<T>& {
    return get_output_port(i);
  };
  const auto* port =
      FindPort<OutputPort<T>>(this->num_output_ports(), port_name, get);
  if (port == nullptr) {
    throw std::logic_error(fmt::format(
        "System::GetOutputPort(): System {} ({}) has no output port named "
        "'{}'; it has {}.",
        this->GetSystemPathname(), this->GetSystemType(), port_name,
        ListNames(this->num_output_ports(), get)));
  }
  return *port;
}

template <typename T>
bool System<T>::HasOutputPort(const std::string& port_name) const {
  return FindPort<OutputPort<T>>(this->num_output_ports(), port_name,
                                 [this](int i) -> const OutputPort<T>& {
                                   return get_output_port(i);
                                 }) != nullptr;
}

template <typename T>
bool System<T>::HasAnyDirectFeedthrough() const {
  return !this->GetDirectFeedthroughs().empty();
}

template <typename T>
bool System<T>::HasDirectFeedthrough(int output_port) const {
  const auto pairs = this->GetDirectFeedthroughs();
  return std::any_of(pairs.begin(), pairs.end(), [output_port](const auto& p) {
    return p.second == output_port;
  });
}

template <typename T>
bool System<T>::HasDirectFeedthrough(int input_port, int output_port) const {
  const auto pairs = this->GetDirectFeedthroughs();
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) {
    return p.first == input_port && p.second == output_port;
  });
}

template <typename T>
void System<T>::CalcOutput(const Context<T>& context,
                           SystemOutput<T>* outputs) const {
  this->ValidateContext(context);
  RequireOutput("CalcOutput", outputs);
  this->ValidateCreatedForThisSystem(*outputs);
  for (int i = 0; i < this->num_output_ports(); ++i) {
    get_output_port(i).Calc(context, outputs->GetMutableData(i));
  }
}

template <typename T>
InputPort<T>& System<T>::DeclareInputPort(
    std::variant<std::string, UseDefaultName> name, PortDataType type, int size,
    std::optional<RandomDistribution> random_type) {
  auto port = std::make_unique<InputPort<T>>(
      this, this, this->NextInputPortName(std::move(name)),
      InputPortIndex(this->num_input_ports()), this->AddTicket(), type, size,
      random_type);
  InputPort<T>& result = *port;
  this->AddInputPort(std::move(port));
  return result;
}

template <typename T>
std::unique_ptr<AbstractValue> System<T>::DoAllocateInput(
    const InputPortBase& port) const {
  std::unique_ptr<AbstractValue> value =
      DoAllocateInputValue(static_cast<const InputPort<T>&>(port));
  if (value == nullptr) {
    throw std::logic_error(
        fmt::format("System::AllocateInput(): the model value of {} is null.",
                    port.GetFullDescription()));
  }
  return value;
}

template <typename T>
std::function<void(const AbstractValue&)>
System<T>::MakeFixInputPortTypeChecker(InputPortIndex port_index) const {
  const InputPort<T>& port = get_input_port(port_index);
  const std::string who = port.GetFullDescription();
  if (port.get_data_type() == kVectorValued) {
    const int size = port.size();
    return [who, size](const AbstractValue& value) {
      const auto* vector = value.maybe_get_value<BasicVector<T>>();
      if (vector == nullptr) {
        throw std::logic_error(fmt::format(
            "InputPort::FixValue(): {} was given a {}; it takes a vector of "
            "{} elements.",
            who, value.GetNiceTypeName(), size));
      }
      if (vector->size() != size) {
        throw std::logic_error(fmt::format(
            "InputPort::FixValue(): {} was given a vector of {} elements; it "
            "takes {}.",
            who, vector->size(), size));
      }
    };
  }
  const std::shared_ptr<const AbstractValue> model = DoAllocateInput(port);
  return [who, model](const AbstractValue& value) {
    if (value.static_type_info() != model->static_type_info()) {
      throw std::logic_error(fmt::format(
          "InputPort::FixValue(): {} was given a {}; it takes a {}.", who,
          value.GetNiceTypeName(), model->GetNiceTypeName()));
    }
  };
}

// Subsystems' parts. A leaf has itself only; Diagram overrides.

template <typename T>
const Context<T>* System<T>::DoGetTargetSystemContext(
    const System<T>& target_system, const Context<T>* context) const {
  return &target_system == this ? context : nullptr;
}
template <typename T>
const State<T>* System<T>::DoGetTargetSystemState(
    const System<T>& target_system, const State<T>* state) const {
  return &target_system == this ? state : nullptr;
}
template <typename T>
State<T>* System<T>::DoGetMutableTargetSystemState(
    const System<T>& target_system, State<T>* state) const {
  return &target_system == this ? state : nullptr;
}
template <typename T>
const ContinuousState<T>* System<T>::DoGetTargetSystemContinuousState(
    const System<T>& target_system, const ContinuousState<T>* xc) const {
  return &target_system == this ? xc : nullptr;
}
template <typename T>
const CompositeEventCollection<T>*
System<T>::DoGetTargetSystemCompositeEventCollection(
    const System<T>& target_system,
    const CompositeEventCollection<T>* events) const {
  return &target_system == this ? events : nullptr;
}
template <typename T>
CompositeEventCollection<T>*
System<T>::DoGetMutableTargetSystemCompositeEventCollection(
    const System<T>& target_system, CompositeEventCollection<T>* events) const {
  return &target_system == this ? events : nullptr;
}

template <typename T>
const Context<T>& System<T>::GetSubsystemContext(
    const System<T>& subsystem, const Context<T>& context) const {
  this->ValidateContext(context);
  const Context<T>* result = DoGetTargetSystemContext(subsystem, &context);
  if (result == nullptr) {
    throw std::logic_error(fmt::format(
        "System::GetSubsystemContext(): System {} ({}) is not within {}; pass "
        "one of its subsystems.",
        subsystem.GetSystemPathname(), subsystem.GetSystemType(),
        this->GetSystemPathname()));
  }
  return *result;
}

template <typename T>
Context<T>& System<T>::GetMutableSubsystemContext(const System<T>& subsystem,
                                                  Context<T>* context) const {
  this->ValidateContext(context);
  return const_cast<Context<T>&>(GetSubsystemContext(subsystem, *context));
}

template <typename T>
const Context<T>& System<T>::GetMyContextFromRoot(
    const Context<T>& root_context) const {
  if (!root_context.is_root_context()) {
    throw std::logic_error(fmt::format(
        "System::GetMyContextFromRoot(): System {} was given the Context of "
        "{}, which is not a root Context; pass the outermost Diagram's.",
        this->GetSystemPathname(), root_context.GetSystemPathname()));
  }
  const SystemBase* root = this;
  while (root->get_parent() != nullptr) root = root->get_parent();
  return static_cast<const System<T>*>(root)->GetSubsystemContext(*this,
                                                                  root_context);
}

template <typename T>
Context<T>& System<T>::GetMyMutableContextFromRoot(
    Context<T>* root_context) const {
  RequireOutput("GetMyMutableContextFromRoot", root_context);
  return const_cast<Context<T>&>(GetMyContextFromRoot(*root_context));
}

// Constraints.

template <typename T>
const SystemConstraint<T>& System<T>::get_constraint(
    SystemConstraintIndex constraint_index) const {
  if (constraint_index < 0 || constraint_index >= num_constraints()) {
    throw std::out_of_range(fmt::format(
        "System::get_constraint(): System {} ({}) has no constraint {}; it has "
        "{}.",
        this->GetSystemPathname(), this->GetSystemType(),
        static_cast<int>(constraint_index), num_constraints()));
  }
  return *constraints_[constraint_index];
}

template <typename T>
bool System<T>::CheckSystemConstraintsSatisfied(const Context<T>& context,
                                                double tol) const {
  this->ValidateContext(context);
  if (!(tol >= 0)) {
    throw std::logic_error(fmt::format(
        "System::CheckSystemConstraintsSatisfied(): System {} was given the "
        "tolerance {}; it must not be negative.",
        this->GetSystemPathname(), tol));
  }
  return std::all_of(
      constraints_.begin(), constraints_.end(),
      [&](const auto& c) { return c->CheckSatisfied(context, tol); });
}

template <typename T>
SystemConstraintIndex System<T>::AddConstraint(
    std::unique_ptr<SystemConstraint<T>> constraint) {
  RequireOutput("AddConstraint", constraint.get());
  constraints_.push_back(std::move(constraint));
  return SystemConstraintIndex(num_constraints() - 1);
}

template <typename T>
void System<T>::ReplaceConstraint(
    SystemConstraintIndex constraint_index,
    std::unique_ptr<SystemConstraint<T>> constraint) {
  get_constraint(constraint_index);  // Checks the index.
  RequireOutput("ReplaceConstraint", constraint.get());
  constraints_[constraint_index] = std::move(constraint);
}

template <typename T>
SystemConstraintIndex System<T>::AddExternalConstraint(
    ExternalSystemConstraint constraint) {
  SystemConstraintCalc<T> calc = constraint.template get_calc<T>();
  if (calc == nullptr) {
    calc = [name = constraint.description()](const System<T>& system,
                                             const Context<T>&, VectorX<T>*) {
      throw std::logic_error(fmt::format(
          "SystemConstraint::Calc(): the external constraint '{}' of {} has no "
          "function for this scalar type; give one to its constructor.",
          name, system.GetSystemPathname()));
    };
  }
  const SystemConstraintIndex result =
      AddConstraint(std::make_unique<SystemConstraint<T>>(
          this, std::move(calc), constraint.bounds(),
          constraint.description()));
  external_constraints_.push_back(std::move(constraint));
  return result;
}

// Scalar conversion.

template <typename T>
std::unique_ptr<System<T>> System<T>::CloneByConversion() const {
  using Other =
      std::conditional_t<std::is_same_v<T, double>, AutoDiffXd, double>;
  auto there = ToScalarTypeMaybe<Other>();
  if (there == nullptr) return nullptr;
  return there->template ToScalarTypeMaybe<T>();
}

template <typename T>
void System<T>::AddExternalConstraintsTo(System<double>* converted) const {
  for (const auto& c : external_constraints_) {
    converted->AddExternalConstraint(c);
  }
}
template <typename T>
void System<T>::AddExternalConstraintsTo(System<AutoDiffXd>* converted) const {
  if constexpr (kHasScalar<AutoDiffXd>) {
    for (const auto& c : external_constraints_) {
      converted->AddExternalConstraint(c);
    }
  }
}

template <typename T>
void System<T>::ThrowNotConvertible(const std::type_info& wanted) const {
  throw std::logic_error(fmt::format(
      "System::ToScalarType(): System {} of type {} does not support "
      "conversion to scalar type {}; {}.",
      this->GetSystemPathname(), NiceTypeName::Get(*this),
      NiceTypeName::Get(wanted),
      kHasScalar<AutoDiffXd>
          ? "see SystemScalarConverter for how to support it"
          : "this library was configured for double alone, with "
            "WYVERN_AUTODIFF=OFF: configure it with ON"));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::System);
