// A spring and damper on the length L of a tendon. The tension is f = k s + d
// dL/dt, where s is the stretch beyond the resting lengths; the force along L
// is -f. The energy is k s² / 2. Limits on L are rows of the plant's step
// (ActuationPart).
#include "wyvern/multibody/tree/tendon_force.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"

namespace wyvern::multibody::internal {

using systems::Context;

template <typename T>
TendonForce<T>::TendonForce(
    std::string description,
    std::unique_ptr<const ScalarCoordinate<T>> coordinate,
    const TendonProperties& properties)
    : CoordinateForce<T>(std::move(coordinate)),
      description_(std::move(description)),
      properties_(properties) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto require_finite = [&](const char* what, double value) {
    if (std::isfinite(value)) return;
    throw std::logic_error(fmt::format(
        "{}: its {} is {}; give a finite number.", description_, what, value));
  };
  const auto require_non_negative = [&](const char* what, double value) {
    require_finite(what, value);
    if (value >= 0) return;
    throw std::logic_error(
        fmt::format("{}: its {} is {}; it must not be negative.", description_,
                    what, value));
  };
  require_finite("shortest resting length", shortest());
  require_finite("longest resting length", longest());
  require_non_negative("stiffness", stiffness());
  require_non_negative("damping", damping());
  const auto require_order = [&](const char* what, double low, double high) {
    if (low <= high && low < kInfinity && high > -kInfinity) return;
    throw std::logic_error(
        fmt::format("{}: the {} are {} and {}; give the lower and then the "
                    "upper one.",
                    description_, what, low, high));
  };
  require_order("resting lengths", shortest(), longest());
  require_order("limits", lower_limit(), upper_limit());
}

template <typename T>
TendonForce<T>::~TendonForce() = default;

template <typename T>
bool TendonForce<T>::is_limited() const {
  return !std::isinf(lower_limit()) || !std::isinf(upper_limit());
}

template <typename T>
T TendonForce<T>::CalcLength(const Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  return this->coordinate().CalcValue(system,
                                      {context, system.EvalPositions(context)});
}

template <typename T>
T TendonForce<T>::CalcRate(const Context<T>& context) const {
  const auto& system = this->GetParentTreeSystem();
  return this->coordinate().CalcRate(system,
                                     {context, system.EvalPositions(context),
                                      &system.EvalVelocities(context)});
}

template <typename T>
T TendonForce<T>::CalcStretch(const T& length) const {
  const T above = length - longest();
  const T below = length - shortest();
  return if_then_else(above > 0, above, if_then_else(below < 0, below, T(0)));
}

template <typename T>
T TendonForce<T>::CalcElasticEnergy(const T& length) const {
  const T stretch = CalcStretch(length);
  return 0.5 * stiffness() * stretch * stretch;
}

template <typename T>
T TendonForce<T>::CalcElasticForce(const T& length) const {
  return -stiffness() * CalcStretch(length);
}

template <typename T>
T TendonForce<T>::CalcRateForce(const T& rate) const {
  return -damping() * rate;
}

template <typename T>
bool TendonForce<T>::HasForce() const {
  return stiffness() > 0 || damping() > 0;
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::TendonForce);
