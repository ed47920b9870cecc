#include "wyvern/multibody/tree/coordinate_force.h"

#include <utility>
#include <vector>

#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
CoordinateForce<T>::CoordinateForce(
    std::unique_ptr<const ScalarCoordinate<T>> coordinate)
    : BasicForceElement<T>(coordinate->model_instance()),
      coordinate_(std::move(coordinate)) {}

template <typename T>
CoordinateForce<T>::CoordinateForce(const Joint<T>& joint)
    : CoordinateForce<T>(std::make_unique<LinearCoordinate<T>>(
          std::vector<TendonTerm<T>>{{&joint, 1.0}})) {}

template <typename T>
CoordinateForce<T>::~CoordinateForce() = default;

template <typename T>
T CoordinateForce<T>::CalcRateForce(const T&) const {
  return T(0);
}

template <typename T>
bool CoordinateForce<T>::HasForce() const {
  return true;
}

template <typename T>
T CoordinateForce<T>::CalcValue(const ForceState<T>& state) const {
  return coordinate_->CalcValue(this->GetParentTreeSystem(), state);
}

template <typename T>
T CoordinateForce<T>::CalcRate(const ForceState<T>& state) const {
  return coordinate_->CalcRate(this->GetParentTreeSystem(), state);
}

template <typename T>
T CoordinateForce<T>::CalcEnergy(const ForceState<T>& state) const {
  return HasForce() ? CalcElasticEnergy(CalcValue(state)) : T(0);
}

template <typename T>
T CoordinateForce<T>::CalcReleasedPower(const ForceState<T>& state) const {
  if (!HasForce()) return T(0);
  return CalcElasticForce(CalcValue(state)) * CalcRate(state);
}

template <typename T>
T CoordinateForce<T>::CalcOtherPower(const ForceState<T>& state) const {
  if (!HasForce()) return T(0);
  const T s_rate = CalcRate(state);
  return CalcRateForce(s_rate) * s_rate;
}

template <typename T>
void CoordinateForce<T>::AddForces(const ForceState<T>& state,
                                   MultibodyForces<T>* forces) const {
  if (!HasForce()) return;
  const T force =
      CalcElasticForce(CalcValue(state)) + CalcRateForce(CalcRate(state));
  coordinate_->AddForce(this->GetParentTreeSystem(), state, force, forces);
}

template <typename T>
void CoordinateForce<T>::DoRequireMembers(const MultibodyTree<T>& tree) const {
  coordinate_->RequireMembers(tree, "AddForceElement");
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::CoordinateForce);
