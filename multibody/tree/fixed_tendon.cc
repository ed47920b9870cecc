// A spring and damper on L = sum c_i q_i. The tension is f = k s + d dL/dt,
// where s is the stretch beyond the resting lengths. It acts on joint i as -c_i
// f. The energy is k s² / 2. Limits on L are rows of the plant's step
// (ActuationPart).
#include "wyvern/multibody/tree/fixed_tendon.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"

namespace wyvern::multibody {

using systems::Context;

namespace {

constexpr char kTendonKind[] = "FixedTendon";
constexpr double kMostCoefficient = 1e100;
constexpr double kUnlimitedLength = std::numeric_limits<double>::infinity();

template <typename T>
ModelInstanceIndex InstanceOfTendon(const std::vector<TendonTerm<T>>& terms) {
  if (terms.empty()) {
    throw std::logic_error(
        "FixedTendon: it has no joint; give one term or more.");
  }
  for (const TendonTerm<T>& term : terms) {
    const Joint<T>& joint = internal::Deref(term.joint, kTendonKind);
    if (joint.num_velocities() == 1) continue;
    throw std::logic_error(fmt::format(
        "FixedTendon: joint '{}' has {} degrees of freedom; each joint must "
        "have one.",
        joint.name(), joint.num_velocities()));
  }
  return terms[0].joint->model_instance();
}

}  // namespace

template <typename T>
FixedTendon<T>::FixedTendon(std::vector<TendonTerm<T>> terms, double shortest,
                            double longest, double stiffness, double damping,
                            double lower_limit, double upper_limit)
    : ForceElement<T>(InstanceOfTendon(terms)),
      terms_(std::move(terms)),
      shortest_(shortest),
      longest_(longest),
      stiffness_(stiffness),
      damping_(damping),
      lower_limit_(lower_limit),
      upper_limit_(upper_limit) {
  const auto caller =
      internal::Caller::Element(kTendonKind, terms_[0].joint->name());
  for (const TendonTerm<T>& term : terms_) {
    internal::RequireFinite(caller, "coefficient", term.coefficient);
    if (std::abs(term.coefficient) <= kMostCoefficient) continue;
    throw std::logic_error(
        fmt::format("FixedTendon '{}': the coefficient {} is more than {}, of "
                    "which the square is lost; give a smaller one.",
                    term.joint->name(), term.coefficient, kMostCoefficient));
  }
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
        terms_[0].joint->name(), what, low, high));
  };
  require_order("resting lengths", shortest, longest);
  require_order("limits", lower_limit, upper_limit);
}

template <typename T>
FixedTendon<T>::~FixedTendon() = default;

template <typename T>
T FixedTendon<T>::CalcLength(const Context<T>& context) const {
  T length(0);
  for (const TendonTerm<T>& term : terms_) {
    length += term.coefficient * term.joint->GetOnePosition(context);
  }
  return length;
}

template <typename T>
T FixedTendon<T>::CalcRate(const Context<T>& context) const {
  T rate(0);
  for (const TendonTerm<T>& term : terms_) {
    rate += term.coefficient * term.joint->GetOneVelocity(context);
  }
  return rate;
}

template <typename T>
T FixedTendon<T>::CalcStretch(const Context<T>& context) const {
  const T length = CalcLength(context);
  const T above = length - longest_;
  const T below = length - shortest_;
  return if_then_else(above > 0, above, if_then_else(below < 0, below, T(0)));
}

template <typename T>
T FixedTendon<T>::CalcPotentialEnergy(
    const Context<T>& context,
    const internal::PositionKinematicsCache<T>&) const {
  const T stretch = CalcStretch(context);
  return 0.5 * stiffness_ * stretch * stretch;
}

template <typename T>
T FixedTendon<T>::CalcConservativePower(
    const Context<T>& context, const internal::PositionKinematicsCache<T>&,
    const internal::VelocityKinematicsCache<T>&) const {
  return -stiffness_ * CalcStretch(context) * CalcRate(context);
}

template <typename T>
T FixedTendon<T>::CalcNonConservativePower(
    const Context<T>& context, const internal::PositionKinematicsCache<T>&,
    const internal::VelocityKinematicsCache<T>&) const {
  const T rate = CalcRate(context);
  return -damping_ * rate * rate;
}

template <typename T>
void FixedTendon<T>::DoRequireMembers(
    const internal::MultibodyTree<T>& tree) const {
  for (const TendonTerm<T>& term : terms_) {
    tree.RequireMember(*term.joint, "AddForceElement");
  }
}

template <typename T>
void FixedTendon<T>::DoCalcAndAddForceContribution(
    const Context<T>& context, const internal::PositionKinematicsCache<T>&,
    const internal::VelocityKinematicsCache<T>&,
    MultibodyForces<T>* forces) const {
  const T tension =
      stiffness_ * CalcStretch(context) + damping_ * CalcRate(context);
  for (const TendonTerm<T>& term : terms_) {
    term.joint->AddInOneForce(context, 0, -term.coefficient * tension, forces);
  }
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<ForceElement<ToScalar>> FixedTendon<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  std::vector<TendonTerm<ToScalar>> terms;
  for (const TendonTerm<T>& term : terms_) {
    terms.push_back(
        {&tree_clone.get_joint(term.joint->index()), term.coefficient});
  }
  return std::make_unique<FixedTendon<ToScalar>>(std::move(terms), shortest_,
                                                 longest_, stiffness_, damping_,
                                                 lower_limit_, upper_limit_);
}

template <typename T>
std::unique_ptr<ForceElement<double>> FixedTendon<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<ForceElement<AutoDiffXd>> FixedTendon<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::FixedTendon);
