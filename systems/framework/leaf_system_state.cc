#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/leaf_system.h"

/* Declaring a state or parameter keeps a clone of its model, makes a ticket for
each numbered group, and turns bounds of the model into a constraint. The
continuous state is one vector of q, v and z, and declaring it again replaces
it and its bounds; discrete and abstract states and parameters are numbered
as they come. Allocation clones the models, so that a vector keeps its
subclass, while defaults are copied into values that are there already. Time
derivatives are allocated like the state itself. */

namespace wyvern::systems {

template <typename T>
ContinuousStateIndex LeafSystem<T>::DeclareContinuousState(
    int num_state_variables) {
  return DeclareContinuousState(0, 0, num_state_variables);
}

template <typename T>
ContinuousStateIndex LeafSystem<T>::DeclareContinuousState(int num_q, int num_v,
                                                           int num_z) {
  RequireFittingSize("DeclareContinuousState", num_q);
  RequireFittingSize("DeclareContinuousState", num_v);
  RequireFittingSize("DeclareContinuousState", num_z);
  RequireFittingSize("DeclareContinuousState", num_q + num_v + num_z);
  BasicVector<T> model(num_q + num_v + num_z);
  model.SetZero();
  return DeclareContinuousState(model, num_q, num_v, num_z);
}

template <typename T>
ContinuousStateIndex LeafSystem<T>::DeclareContinuousState(
    const BasicVector<T>& model_vector) {
  return DeclareContinuousState(model_vector, 0, 0, model_vector.size());
}

template <typename T>
ContinuousStateIndex LeafSystem<T>::DeclareContinuousState(
    const BasicVector<T>& model_vector, int num_q, int num_v, int num_z) {
  if (num_q < 0 || num_v < 0 || num_z < 0 || num_v > num_q ||
      num_q + num_v + num_z != model_vector.size()) {
    throw std::logic_error(fmt::format(
        "LeafSystem::DeclareContinuousState(): System {} ({}) was given {} q, "
        "{} v and {} z for a vector of {} elements; the numbers must add up, "
        "and there cannot be more v than q.",
        this->GetSystemPathname(), this->GetSystemType(), num_q, num_v, num_z,
        model_vector.size()));
  }
  RequireModel("DeclareContinuousState", model_vector);
  this->RequireNoContexts();
  const char* const what = "continuous state";
  auto bounds =
      MaybeMakeBounds(what, model_vector,
                      [](const Context<T>& context) -> const VectorBase<T>& {
                        return context.get_continuous_state_vector();
                      });
  model_continuous_state_ = model_vector.Clone();
  auto& sizes = this->get_mutable_context_sizes();
  sizes.num_q = num_q;
  sizes.num_v = num_v;
  sizes.num_z = num_z;
  if (continuous_state_bounds_.has_value()) {
    // Replace the constraint of a state declared before. Constraints keep their
    // numbers.
    if (bounds == nullptr) {
      bounds = std::make_unique<SystemConstraint<T>>(
          this, fmt::format("no bounds of {}", what));
    }
    this->ReplaceConstraint(*continuous_state_bounds_, std::move(bounds));
  } else if (bounds != nullptr) {
    continuous_state_bounds_ = this->AddConstraint(std::move(bounds));
  }
  return ContinuousStateIndex(0);
}

template <typename T>
DiscreteStateIndex LeafSystem<T>::DeclareDiscreteState(
    const BasicVector<T>& model_vector) {
  RequireModel("DeclareDiscreteState", model_vector);
  const DiscreteStateIndex index(
      static_cast<int>(model_discrete_states_.size()));
  this->AddDiscreteStateGroup();
  model_discrete_states_.push_back(model_vector.Clone());
  MaybeDeclareBounds(
      fmt::format("discrete state {}", static_cast<int>(index)), model_vector,
      [index](const Context<T>& context) -> const VectorBase<T>& {
        return context.get_discrete_state(index);
      });
  return index;
}

template <typename T>
DiscreteStateIndex LeafSystem<T>::DeclareDiscreteState(
    const Eigen::Ref<const VectorX<T>>& vector) {
  return DeclareDiscreteState(BasicVector<T>(VectorX<T>(vector)));
}

template <typename T>
DiscreteStateIndex LeafSystem<T>::DeclareDiscreteState(
    int num_state_variables) {
  RequireFittingSize("DeclareDiscreteState", num_state_variables);
  return DeclareDiscreteState(
      BasicVector<T>(VectorX<T>::Zero(num_state_variables)));
}

template <typename T>
AbstractStateIndex LeafSystem<T>::DeclareAbstractState(
    const AbstractValue& model_value) {
  const AbstractStateIndex index(
      static_cast<int>(model_abstract_states_.size()));
  this->AddAbstractState();
  model_abstract_states_.push_back(model_value.Clone());
  return index;
}

template <typename T>
int LeafSystem<T>::DeclareNumericParameter(const BasicVector<T>& model_vector) {
  RequireModel("DeclareNumericParameter", model_vector);
  const int index = static_cast<int>(model_numeric_parameters_.size());
  this->AddNumericParameter();
  model_numeric_parameters_.push_back(model_vector.Clone());
  MaybeDeclareBounds(
      fmt::format("numeric parameter {}", index), model_vector,
      [index](const Context<T>& context) -> const VectorBase<T>& {
        return context.get_numeric_parameter(index);
      });
  return index;
}

template <typename T>
int LeafSystem<T>::DeclareAbstractParameter(const AbstractValue& model_value) {
  const int index = static_cast<int>(model_abstract_parameters_.size());
  this->AddAbstractParameter();
  model_abstract_parameters_.push_back(model_value.Clone());
  return index;
}

template <typename T>
void LeafSystem<T>::DeclareImplicitTimeDerivativesResidualSize(int n) {
  RequireFittingSize("DeclareImplicitTimeDerivativesResidualSize", n);
  this->set_implicit_time_derivatives_residual_size(n);
}

template <typename T>
std::unique_ptr<ContinuousState<T>> LeafSystem<T>::AllocateContinuousState()
    const {
  const auto& sizes = this->get_context_sizes();
  auto result = std::make_unique<ContinuousState<T>>(
      model_continuous_state_->Clone(), sizes.num_q, sizes.num_v, sizes.num_z);
  result->set_system_id(this->get_system_id());
  return result;
}

template <typename T>
std::unique_ptr<ContinuousState<T>> LeafSystem<T>::AllocateTimeDerivatives()
    const {
  return AllocateContinuousState();
}

template <typename T>
std::unique_ptr<DiscreteValues<T>> LeafSystem<T>::AllocateDiscreteVariables()
    const {
  std::vector<std::unique_ptr<BasicVector<T>>> groups;
  for (const auto& model : model_discrete_states_) {
    groups.push_back(model->Clone());
  }
  auto result = std::make_unique<DiscreteValues<T>>(std::move(groups));
  result->set_system_id(this->get_system_id());
  return result;
}

template <typename T>
void LeafSystem<T>::SetDefaultState(const Context<T>& context,
                                    State<T>* state) const {
  this->ValidateContext(context);
  state->get_mutable_continuous_state().get_mutable_vector().SetFrom(
      *model_continuous_state_);
  DiscreteValues<T>& xd = state->get_mutable_discrete_state();
  for (size_t i = 0; i < model_discrete_states_.size(); ++i) {
    xd.get_mutable_vector(i).SetFrom(*model_discrete_states_[i]);
  }
  AbstractValues& xa = state->get_mutable_abstract_state();
  for (size_t i = 0; i < model_abstract_states_.size(); ++i) {
    xa.get_mutable_value(i).SetFrom(*model_abstract_states_[i]);
  }
}

template <typename T>
void LeafSystem<T>::SetDefaultParameters(const Context<T>& context,
                                         Parameters<T>* parameters) const {
  this->ValidateContext(context);
  for (size_t i = 0; i < model_numeric_parameters_.size(); ++i) {
    parameters->get_mutable_numeric_parameter(i).SetFrom(
        *model_numeric_parameters_[i]);
  }
  for (size_t i = 0; i < model_abstract_parameters_.size(); ++i) {
    parameters->get_mutable_abstract_parameter(i).SetFrom(
        *model_abstract_parameters_[i]);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LeafSystem);
