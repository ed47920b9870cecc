#include "wyvern/simulator/integrators/integrator_base.h"

#include <string>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

// Tolerances of elements of the state. internal::ErrorScales keeps them.

namespace wyvern::systems {

template <typename T>
void IntegratorBase<T>::SetTolerance(const char* function,
                                     typename Scales::Kind kind,
                                     const System<T>* part,
                                     const Eigen::VectorXd& tolerances) {
  RequireNotStepping(function);
  RequireErrorEstimate(function);
  const std::string who = std::string("IntegratorBase::") + function;
  wyvern::internal::RequireNonNegative(who, "tolerance", tolerances);
  norm_.scales().AddTolerance(kind, part, tolerances);
  if (!is_initialized_) return;
  try {
    norm_.scales().Resolve(system_, *context_);
  } catch (...) {
    norm_.scales().RemoveLastTolerance();
    norm_.scales().Resolve(system_, *context_);
    throw;
  }
}

template <typename T>
void IntegratorBase<T>::set_relative_tolerance(double tolerance) {
  SetTolerance("set_relative_tolerance", Scales::Kind::kRelative, nullptr,
               Eigen::VectorXd::Constant(1, tolerance));
}

template <typename T>
void IntegratorBase<T>::set_relative_tolerance(
    const Eigen::VectorXd& tolerances) {
  wyvern::internal::RequireSize("IntegratorBase::set_relative_tolerance",
                                "tolerances", tolerances.size(),
                                system_.num_continuous_states());
  SetTolerance("set_relative_tolerance", Scales::Kind::kRelative, nullptr,
               tolerances);
}

template <typename T>
void IntegratorBase<T>::set_relative_tolerance(const System<T>& subsystem,
                                               double tolerance) {
  set_relative_tolerance(subsystem, Eigen::VectorXd::Constant(1, tolerance));
}

template <typename T>
void IntegratorBase<T>::set_relative_tolerance(
    const System<T>& subsystem, const Eigen::VectorXd& tolerances) {
  SetTolerance("set_relative_tolerance", Scales::Kind::kRelative, &subsystem,
               tolerances);
}

template <typename T>
void IntegratorBase<T>::set_absolute_tolerance(double tolerance) {
  SetTolerance("set_absolute_tolerance", Scales::Kind::kAbsolute, nullptr,
               Eigen::VectorXd::Constant(1, tolerance));
}

template <typename T>
void IntegratorBase<T>::set_absolute_tolerance(
    const Eigen::VectorXd& tolerances) {
  wyvern::internal::RequireSize("IntegratorBase::set_absolute_tolerance",
                                "tolerances", tolerances.size(),
                                system_.num_continuous_states());
  SetTolerance("set_absolute_tolerance", Scales::Kind::kAbsolute, nullptr,
               tolerances);
}

template <typename T>
void IntegratorBase<T>::set_absolute_tolerance(const System<T>& subsystem,
                                               double tolerance) {
  set_absolute_tolerance(subsystem, Eigen::VectorXd::Constant(1, tolerance));
}

template <typename T>
void IntegratorBase<T>::set_absolute_tolerance(
    const System<T>& subsystem, const Eigen::VectorXd& tolerances) {
  SetTolerance("set_absolute_tolerance", Scales::Kind::kAbsolute, &subsystem,
               tolerances);
}

template <typename T>
void IntegratorBase<T>::ClearTolerances() {
  RequireNotStepping("ClearTolerances");
  norm_.scales().ClearTolerances();
  if (is_initialized_) norm_.scales().Resolve(system_, *context_);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::IntegratorBase);
