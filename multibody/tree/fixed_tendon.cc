// A spring and damper on L = sum c_i q_i. The tension is f = k s + d dL/dt,
// where s is the stretch beyond the resting lengths. It acts on joint i as -c_i
// f. The energy is k s² / 2. Limits on L are rows of the plant's step
// (ActuationPart).
#include "wyvern/multibody/tree/fixed_tendon.h"

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"

namespace wyvern::multibody {

namespace {

constexpr char kTendonKind[] = "FixedTendon";
constexpr double kUnlimitedLength = std::numeric_limits<double>::infinity();

}  // namespace

template <typename T>
FixedTendon<T>::FixedTendon(std::vector<TendonTerm<T>> terms, double shortest,
                            double longest, double stiffness, double damping,
                            double lower_limit, double upper_limit)
    : internal::TypedForceElement<FixedTendon, T,
                                  internal::JointCoordinateForce<T>>(
          internal::RequireTendonTerms(kTendonKind, {}, std::move(terms))),
      shortest_(shortest),
      longest_(longest),
      stiffness_(stiffness),
      damping_(damping),
      lower_limit_(lower_limit),
      upper_limit_(upper_limit) {
  const std::string& name = this->terms()[0].joint->name();
  const auto caller = internal::Caller::Element(kTendonKind, name);
  internal::RequireFinite(caller, "shortest resting length", shortest);
  internal::RequireFinite(caller, "longest resting length", longest);
  internal::RequireNonNegative(caller, "stiffness", stiffness);
  internal::RequireNonNegative(caller, "damping", damping);
  const auto require_order = [&](const char* what, double low, double high) {
    if (low <= high && low < kUnlimitedLength && high > -kUnlimitedLength) {
      return;
    }
    throw std::logic_error(fmt::format(
        "FixedTendon '{}': the {} are {} and {}; give the lower and then the "
        "upper one.",
        name, what, low, high));
  };
  require_order("resting lengths", shortest, longest);
  require_order("limits", lower_limit, upper_limit);
}

template <typename T>
FixedTendon<T>::~FixedTendon() = default;

template <typename T>
T FixedTendon<T>::CalcStretch(const T& length) const {
  const T above = length - longest_;
  const T below = length - shortest_;
  return if_then_else(above > 0, above, if_then_else(below < 0, below, T(0)));
}

template <typename T>
T FixedTendon<T>::CalcElasticEnergy(const T& length) const {
  const T stretch = CalcStretch(length);
  return 0.5 * stiffness_ * stretch * stretch;
}

template <typename T>
T FixedTendon<T>::CalcElasticForce(const T& length) const {
  return -stiffness_ * CalcStretch(length);
}

template <typename T>
T FixedTendon<T>::CalcRateForce(const T& rate) const {
  return -damping_ * rate;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::FixedTendon);
