#include "wyvern/systems/framework/system_constraint.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

namespace {
// Wraps a function in one with a System argument, which is ignored; an empty
// function stays empty.
template <typename T>
SystemConstraintCalc<T> WithSystem(ContextConstraintCalc<T> calc) {
  if (calc == nullptr) return nullptr;
  return [calc = std::move(calc)](const System<T>&, const Context<T>& context,
                                  VectorX<T>* value) { calc(context, value); };
}
}  // namespace

template <typename T>
SystemConstraint<T>::SystemConstraint(const System<T>* system,
                                      ContextConstraintCalc<T> calc,
                                      SystemConstraintBounds bounds,
                                      std::string description)
    : SystemConstraint(system, WithSystem(std::move(calc)), std::move(bounds),
                       std::move(description)) {}

template <typename T>
SystemConstraint<T>::SystemConstraint(const System<T>* system,
                                      SystemConstraintCalc<T> calc,
                                      SystemConstraintBounds bounds,
                                      std::string description)
    : system_(system),
      bounds_(std::move(bounds)),
      calc_(std::move(calc)),
      description_(std::move(description)) {
  if (calc_ == nullptr) {
    throw std::logic_error(fmt::format(
        "SystemConstraint: constraint '{}' of {} has no function; give one "
        "that computes its value.",
        description_, system_->GetSystemPathname()));
  }
}

template <typename T>
void SystemConstraint<T>::Calc(const Context<T>& context,
                               VectorX<T>* value) const {
  system_->ValidateContext(context);
  value->resize(size());
  calc_(*system_, context, value);
  if (value->size() != size()) {
    throw std::logic_error(fmt::format(
        "SystemConstraint::Calc(): constraint '{}' of {} computed {} values; "
        "its bounds have {}.",
        description_, system_->GetSystemPathname(), value->size(), size()));
  }
}

template <typename T>
bool SystemConstraint<T>::CheckSatisfied(const Context<T>& context,
                                         double tol) const {
  VectorX<T> value;
  Calc(context, &value);
  for (int i = 0; i < size(); ++i) {
    const double x = ToDouble(value[i]);
    if (!(x >= lower_bound()[i] - tol && x <= upper_bound()[i] + tol)) {
      return false;
    }
  }
  return true;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::SystemConstraint);
