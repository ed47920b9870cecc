#include "wyvern/multibody/tree/polynomial_coupler.h"

#include <cmath>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace internal {

template <typename T>
PolynomialGap<T>::PolynomialGap(const Joint<T>& joint0, const Joint<T>& joint1,
                                const CouplerPolynomial& polynomial)
    : joint0_(joint0), joint1_(joint1), polynomial_(polynomial) {}

template <typename T>
PolynomialGap<T>::~PolynomialGap() = default;

template <typename T>
ModelInstanceIndex PolynomialGap<T>::model_instance() const {
  return joint0_.model_instance();
}

template <typename T>
T PolynomialGap<T>::CalcValue(const MultibodyTreeSystem<T>&,
                              const ForceState<T>& state) const {
  const T x = joint1_.GetOnePosition(state.context) - polynomial_.x0;
  T p(0);
  for (int k = 4; k >= 0; --k) p = p * x + polynomial_.c[k];
  return joint0_.GetOnePosition(state.context) - p;
}

template <typename T>
T PolynomialGap<T>::CalcSlope(const ForceState<T>& state) const {
  const T x = joint1_.GetOnePosition(state.context) - polynomial_.x0;
  T slope(0);
  for (int k = 4; k > 0; --k) slope = slope * x + k * polynomial_.c[k];
  return slope;
}

template <typename T>
T PolynomialGap<T>::CalcRate(const MultibodyTreeSystem<T>&,
                             const ForceState<T>& state) const {
  return joint0_.GetOneVelocity(state.context) -
         CalcSlope(state) * joint1_.GetOneVelocity(state.context);
}

template <typename T>
void PolynomialGap<T>::AddForce(const MultibodyTreeSystem<T>&,
                                const ForceState<T>& state, const T& force,
                                MultibodyForces<T>* forces) const {
  joint0_.AddInOneForce(state.context, 0, force, forces);
  joint1_.AddInOneForce(state.context, 0, -CalcSlope(state) * force, forces);
}

template <typename T>
void PolynomialGap<T>::AddGeneralizedForce(const MultibodyTreeSystem<T>&,
                                           const ForceState<T>& state,
                                           const T& force,
                                           Eigen::Ref<VectorX<T>> tau) const {
  tau[joint0_.velocity_start()] += force;
  tau[joint1_.velocity_start()] -= CalcSlope(state) * force;
}

template <typename T>
std::vector<const Joint<T>*> PolynomialGap<T>::FindJoints(
    const MultibodyTree<T>&) const {
  return {&joint0_, &joint1_};
}

template <typename T>
void PolynomialGap<T>::RequireMembers(const MultibodyTree<T>& tree,
                                      std::string_view function) const {
  tree.RequireMember(joint0_, function);
  tree.RequireMember(joint1_, function);
}

}  // namespace internal

template <typename T>
PolynomialCoupler<T>::PolynomialCoupler(const Joint<T>& joint0,
                                        const Joint<T>& joint1,
                                        const CouplerPolynomial& polynomial)
    : internal::TypedForceElement<PolynomialCoupler, T,
                                  internal::TendonForce<T>>(
          fmt::format("PolynomialCoupler of joints '{}' and '{}'",
                      joint0.name(), joint1.name()),
          std::make_unique<internal::PolynomialGap<T>>(joint0, joint1,
                                                       polynomial),
          TendonProperties{.lower_limit = 0, .upper_limit = 0}) {
  constexpr double kMost = 1e50;
  const auto require = [this](bool is_met, const std::string& what) {
    if (is_met) return;
    throw std::logic_error(fmt::format("{}: {}", this->description(), what));
  };
  require(&joint0 != &joint1, "both joints are one; give two.");
  for (const Joint<T>* joint : {&joint0, &joint1}) {
    require(joint->num_velocities() == 1,
            fmt::format("joint '{}' has {} degrees of freedom; each joint must "
                        "have one.",
                        joint->name(), joint->num_velocities()));
  }
  require(std::isfinite(polynomial.x0),
          fmt::format("x0 is {}; give a finite number.", polynomial.x0));
  for (const double c : polynomial.c) {
    require(
        std::abs(c) <= kMost,
        fmt::format("a coefficient is {}; give a finite one, of a magnitude "
                    "up to {}.",
                    c, kMost));
  }
}

template <typename T>
PolynomialCoupler<T>::~PolynomialCoupler() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::PolynomialGap);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PolynomialCoupler);
