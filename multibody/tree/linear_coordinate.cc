#include "wyvern/multibody/tree/linear_coordinate.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

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
LinearCoordinate<T>::LinearCoordinate(std::vector<TendonTerm<T>> terms)
    : terms_(std::move(terms)) {}

template <typename T>
LinearCoordinate<T>::~LinearCoordinate() = default;

template <typename T>
ModelInstanceIndex LinearCoordinate<T>::model_instance() const {
  return terms_.at(0).joint->model_instance();
}

template <typename T>
T LinearCoordinate<T>::CalcValue(const MultibodyTreeSystem<T>&,
                                 const ForceState<T>& state) const {
  T s(0);
  for (const TendonTerm<T>& term : terms_) {
    s += term.coefficient * term.joint->GetOnePosition(state.context);
  }
  return s;
}

template <typename T>
T LinearCoordinate<T>::CalcRate(const MultibodyTreeSystem<T>&,
                                const ForceState<T>& state) const {
  T s_rate(0);
  for (const TendonTerm<T>& term : terms_) {
    s_rate += term.coefficient * term.joint->GetOneVelocity(state.context);
  }
  return s_rate;
}

template <typename T>
void LinearCoordinate<T>::AddForce(const MultibodyTreeSystem<T>&,
                                   const ForceState<T>& state, const T& force,
                                   MultibodyForces<T>* forces) const {
  for (const TendonTerm<T>& term : terms_) {
    term.joint->AddInOneForce(state.context, 0, term.coefficient * force,
                              forces);
  }
}

template <typename T>
void LinearCoordinate<T>::AddGeneralizedForce(
    const MultibodyTreeSystem<T>&, const ForceState<T>&, const T& force,
    Eigen::Ref<VectorX<T>> tau) const {
  for (const TendonTerm<T>& term : terms_) {
    tau[term.joint->velocity_start()] += term.coefficient * force;
  }
}

template <typename T>
std::vector<const Joint<T>*> LinearCoordinate<T>::FindJoints(
    const MultibodyTree<T>&) const {
  std::vector<const Joint<T>*> joints;
  for (const TendonTerm<T>& term : terms_) joints.push_back(term.joint);
  return joints;
}

template <typename T>
void LinearCoordinate<T>::RequireMembers(const MultibodyTree<T>& tree,
                                         std::string_view function) const {
  for (const TendonTerm<T>& term : terms_) {
    tree.RequireMember(*term.joint, function);
  }
}

#define WYVERN_INSTANTIATE(T)                             \
  template std::vector<TendonTerm<T>> RequireTendonTerms( \
      const char*, std::string, std::vector<TendonTerm<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::LinearCoordinate);
