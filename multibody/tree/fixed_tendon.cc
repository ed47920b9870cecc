#include "wyvern/multibody/tree/fixed_tendon.h"

#include <memory>

#include <fmt/format.h>

#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace {

constexpr char kTendonKind[] = "FixedTendon";

template <typename T>
const Joint<T>& FirstJoint(const std::vector<TendonTerm<T>>& terms) {
  return *internal::RequireTendonTerms(kTendonKind, {}, terms)[0].joint;
}

}  // namespace

template <typename T>
FixedTendon<T>::FixedTendon(std::vector<TendonTerm<T>> terms, double shortest,
                            double longest, double stiffness, double damping,
                            double lower_limit, double upper_limit)
    : internal::TypedForceElement<FixedTendon, T, internal::TendonForce<T>>(
          fmt::format("{} '{}'", kTendonKind, FirstJoint(terms).name()),
          std::make_unique<internal::LinearCoordinate<T>>(terms),
          TendonProperties{.shortest = shortest,
                           .longest = longest,
                           .stiffness = stiffness,
                           .damping = damping,
                           .lower_limit = lower_limit,
                           .upper_limit = upper_limit}) {}

template <typename T>
FixedTendon<T>::~FixedTendon() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::FixedTendon);
