#include "wyvern/multibody/tree/joint_coordinate_force.h"

#include <utility>

#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

using systems::Context;

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

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::JointCoordinateForce);
