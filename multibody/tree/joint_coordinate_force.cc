#include "wyvern/multibody/tree/joint_coordinate_force.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

using systems::Context;

template <typename T>
std::vector<TendonTerm<T>> RequireTendonTerms(
    const char* kind, std::string name, std::vector<TendonTerm<T>> terms) {
  constexpr double kMostCoefficient = 1e100;
  if (terms.empty()) {
    throw std::logic_error(fmt::format(
        "{} '{}': it has no joint; give one term or more.", kind, name));
  }
  if (name.empty()) name = Deref(terms[0].joint, kind).name();
  const auto caller = Caller::Element(kind, name);
  for (const TendonTerm<T>& term : terms) {
    const Joint<T>& joint = Deref(term.joint, kind);
    if (joint.num_velocities() != 1) {
      throw std::logic_error(fmt::format(
          "{} '{}': joint '{}' has {} degrees of freedom; each joint must have "
          "one.",
          kind, name, joint.name(), joint.num_velocities()));
    }
    RequireFinite(caller, "coefficient", term.coefficient);
    if (std::abs(term.coefficient) <= kMostCoefficient) continue;
    throw std::logic_error(
        fmt::format("{} '{}': the coefficient {} is more than {}, of which the "
                    "square is lost; give a smaller one.",
                    kind, name, term.coefficient, kMostCoefficient));
  }
  return terms;
}

template <typename T>
JointCoordinateForce<T>::JointCoordinateForce(std::vector<TendonTerm<T>> terms)
    : BasicForceElement<T>(terms.at(0).joint->model_instance()),
      terms_(std::move(terms)) {}

template <typename T>
JointCoordinateForce<T>::~JointCoordinateForce() = default;

template <typename T>
T JointCoordinateForce<T>::CalcCoordinate(const Context<T>& context) const {
  T s(0);
  for (const TendonTerm<T>& term : terms_) {
    s += term.coefficient * term.joint->GetOnePosition(context);
  }
  return s;
}

template <typename T>
T JointCoordinateForce<T>::CalcCoordinateRate(const Context<T>& context) const {
  T s_rate(0);
  for (const TendonTerm<T>& term : terms_) {
    s_rate += term.coefficient * term.joint->GetOneVelocity(context);
  }
  return s_rate;
}

template <typename T>
T JointCoordinateForce<T>::CalcRateForce(const T&) const {
  return T(0);
}

template <typename T>
T JointCoordinateForce<T>::CalcEnergy(const ForceState<T>& state) const {
  return CalcElasticEnergy(CalcCoordinate(state.context));
}

template <typename T>
T JointCoordinateForce<T>::CalcReleasedPower(const ForceState<T>& state) const {
  return CalcElasticForce(CalcCoordinate(state.context)) *
         CalcCoordinateRate(state.context);
}

template <typename T>
T JointCoordinateForce<T>::CalcOtherPower(const ForceState<T>& state) const {
  const T s_rate = CalcCoordinateRate(state.context);
  return CalcRateForce(s_rate) * s_rate;
}

template <typename T>
void JointCoordinateForce<T>::AddForces(const ForceState<T>& state,
                                        MultibodyForces<T>* forces) const {
  const Context<T>& context = state.context;
  const T force = CalcElasticForce(CalcCoordinate(context)) +
                  CalcRateForce(CalcCoordinateRate(context));
  for (const TendonTerm<T>& term : terms_) {
    term.joint->AddInOneForce(context, 0, term.coefficient * force, forces);
  }
}

template <typename T>
void JointCoordinateForce<T>::DoRequireMembers(
    const MultibodyTree<T>& tree) const {
  for (const TendonTerm<T>& term : terms_) {
    tree.RequireMember(*term.joint, "AddForceElement");
  }
}

#define WYVERN_INSTANTIATE(T)                             \
  template std::vector<TendonTerm<T>> RequireTendonTerms( \
      const char*, std::string, std::vector<TendonTerm<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::JointCoordinateForce);
