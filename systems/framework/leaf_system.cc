#include "wyvern/systems/framework/leaf_system.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"

/* Declarations of a constructor are kept as models: vectors and values that
give type, size and default. A new Context gets a clone of each, and so
shares no value with another. A model vector without a default may be nan
throughout, but not in part. If a subclass of BasicVector has bounds for its
elements, every port, state or parameter that is declared with it adds them
as an inequality constraint.

Construction, Contexts, constraints and witness functions. Ports, state and
events are in leaf_system_{ports,state,events}.cc. */

namespace wyvern::systems {

template <typename T>
LeafSystem<T>::LeafSystem() : LeafSystem(SystemScalarConverter{}) {}

template <typename T>
LeafSystem<T>::LeafSystem(SystemScalarConverter converter)
    : System<T>(std::move(converter)),
      model_continuous_state_(std::make_unique<BasicVector<T>>(0)) {
  this->set_forced_publish_events(
      std::make_unique<LeafEventCollection<PublishEvent<T>>>());
  this->set_forced_discrete_update_events(
      std::make_unique<LeafEventCollection<DiscreteUpdateEvent<T>>>());
  this->set_forced_unrestricted_update_events(
      std::make_unique<LeafEventCollection<UnrestrictedUpdateEvent<T>>>());
}

template <typename T>
LeafSystem<T>::~LeafSystem() = default;

template <typename T>
std::unique_ptr<LeafContext<T>> LeafSystem<T>::AllocateContext() const {
  return std::unique_ptr<LeafContext<T>>(
      static_cast<LeafContext<T>*>(System<T>::AllocateContext().release()));
}

template <typename T>
std::unique_ptr<LeafContext<T>> LeafSystem<T>::DoMakeLeafContext() const {
  return std::make_unique<LeafContext<T>>();
}

template <typename T>
void LeafSystem<T>::DoValidateAllocatedLeafContext(
    const LeafContext<T>&) const {}

template <typename T>
std::vector<std::unique_ptr<AbstractValue>> LeafSystem<T>::CloneModels(
    const char* what,
    const std::vector<std::unique_ptr<AbstractValue>>& models) const {
  std::vector<std::unique_ptr<AbstractValue>> result;
  for (const auto& model : models) {
    result.push_back(model->Clone());
    result.back()->set_description(
        fmt::format("{} {} of System {} ({})", what, result.size() - 1,
                    this->GetSystemPathname(), this->GetSystemType()));
  }
  return result;
}

template <typename T>
std::unique_ptr<ContextBase> LeafSystem<T>::DoAllocateContext() const {
  std::unique_ptr<LeafContext<T>> context = DoMakeLeafContext();
  context->init_continuous_state(AllocateContinuousState());
  context->init_discrete_state(AllocateDiscreteVariables());
  context->init_abstract_state(std::make_unique<AbstractValues>(
      CloneModels("abstract state", model_abstract_states_)));
  std::vector<std::unique_ptr<BasicVector<T>>> numeric;
  for (const auto& model : model_numeric_parameters_) {
    numeric.push_back(model->Clone());
  }
  auto parameters = std::make_unique<Parameters<T>>(
      std::move(numeric),
      CloneModels("abstract parameter", model_abstract_parameters_));
  parameters->set_system_id(this->get_system_id());
  context->init_parameters(std::move(parameters));
  DoValidateAllocatedLeafContext(*context);
  return context;
}

template <typename T>
void LeafSystem<T>::ThrowParameterType(int index, const BasicVector<T>& held,
                                       const std::type_info& wanted) const {
  throw std::logic_error(fmt::format(
      "LeafSystem::GetNumericParameter(): numeric parameter {} of System {} "
      "({}) is a {}, and was read as a {}; read it as what it was declared "
      "with.",
      index, this->GetSystemPathname(), this->GetSystemType(),
      NiceTypeName::Get(held), NiceTypeName::Get(wanted)));
}

template <typename T>
void LeafSystem<T>::RequireHandler(bool is_given) const {
  if (!is_given) {
    throw std::logic_error(fmt::format(
        "LeafSystem: System {} ({}) declares a null or empty function; pass "
        "one that can be called.",
        this->GetSystemPathname(), this->GetSystemType()));
  }
}

template <typename T>
void LeafSystem<T>::RequireFittingSize(const char* function, int size) const {
  const std::string system = this->GetSystemPathname();
  wyvern::internal::RequireAtLeast(
      wyvern::internal::Caller("LeafSystem", function).Of("System", system),
      "size", size, 0);
}

template <typename T>
void LeafSystem<T>::RequireModel(const char* function,
                                 const BasicVector<T>& model) const {
  int first_nan = -1;
  int num_nan = 0;
  for (int i = model.size() - 1; i >= 0; --i) {
    if (!std::isnan(wyvern::internal::NumberIn(model[i]))) continue;
    first_nan = i;
    ++num_nan;
  }
  if (num_nan == 0 || num_nan == model.size()) return;
  throw std::logic_error(fmt::format(
      "LeafSystem::{}(): System {} ({}) was given a model vector whose element "
      "{} is nan; set every element, or none and the defaults later.",
      function, this->GetSystemPathname(), this->GetSystemType(), first_nan));
}

// Witness functions.

template <typename T>
std::unique_ptr<WitnessFunction<T>> LeafSystem<T>::MakeWitness(
    const std::string& description, const WitnessFunctionDirection& direction,
    std::function<T(const Context<T>&)> calc,
    std::unique_ptr<Event<T>> event) const {
  RequireHandler(calc != nullptr);
  return std::make_unique<WitnessFunction<T>>(
      this, this, description, direction, std::move(calc), std::move(event));
}

template <typename T>
T LeafSystem<T>::DoCalcWitnessValue(
    const Context<T>& context, const WitnessFunction<T>& witness_func) const {
  if (&witness_func.get_system() != this) {
    throw std::logic_error(fmt::format(
        "System::CalcWitnessValue(): the witness function '{}' is not of "
        "System {} ({}); ask the System that made it, or a Diagram around it.",
        witness_func.description(), this->GetSystemPathname(),
        this->GetSystemType()));
  }
  return witness_func.CalcWitnessValue(context);
}

template <typename T>
void LeafSystem<T>::AddTriggeredWitnessFunctionToCompositeEventCollection(
    Event<T>* event, CompositeEventCollection<T>* events) const {
  event->AddToComposite(events);
}

// Constraints.

template <typename T>
SystemConstraintIndex LeafSystem<T>::DeclareEqualityConstraint(
    ContextConstraintCalc<T> calc, int count, std::string description) {
  RequireFittingSize("DeclareEqualityConstraint", count);
  return DeclareInequalityConstraint(std::move(calc),
                                     SystemConstraintBounds::Equality(count),
                                     std::move(description));
}

template <typename T>
SystemConstraintIndex LeafSystem<T>::DeclareInequalityConstraint(
    ContextConstraintCalc<T> calc, SystemConstraintBounds bounds,
    std::string description) {
  return this->AddConstraint(std::make_unique<SystemConstraint<T>>(
      this, std::move(calc), std::move(bounds), std::move(description)));
}

template <typename T>
std::unique_ptr<SystemConstraint<T>> LeafSystem<T>::MaybeMakeBounds(
    const std::string& what, const BasicVector<T>& model_vector,
    std::function<const VectorBase<T>&(const Context<T>&)> get) const {
  Eigen::VectorXd lower, upper;
  model_vector.GetElementBounds(&lower, &upper);
  if (lower.size() == 0 && upper.size() == 0) return nullptr;
  return std::make_unique<SystemConstraint<T>>(
      this,
      [get = std::move(get)](const Context<T>& context, VectorX<T>* value) {
        *value = get(context).CopyToVector();
      },
      SystemConstraintBounds(lower, upper), "bounds of " + what);
}

template <typename T>
void LeafSystem<T>::MaybeDeclareBounds(
    const std::string& what, const BasicVector<T>& model_vector,
    std::function<const VectorBase<T>&(const Context<T>&)> get) {
  auto bounds = MaybeMakeBounds(what, model_vector, std::move(get));
  if (bounds != nullptr) this->AddConstraint(std::move(bounds));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LeafSystem);
