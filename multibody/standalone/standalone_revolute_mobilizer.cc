#include "wyvern/multibody/standalone/standalone_revolute_mobilizer.h"

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
RevoluteMobilizer<T>::RevoluteMobilizer(const Frame<T>& inboard_frame_F,
                                        const Frame<T>& outboard_frame_M,
                                        const Vector3<double>& axis_F)
    : internal::EngineMobilizer<T, dynamics::RevoluteMobilizer>(
          inboard_frame_F, outboard_frame_M,
          math::RotationMatrix<double>::MakeFromOneVector(axis_F, 2).matrix()),
      axis_(axis_F.stableNormalized()) {}

template <typename T>
RevoluteMobilizer<T>::~RevoluteMobilizer() = default;

template <typename T>
const T& RevoluteMobilizer<T>::get_angle(const Context<T>& context) const {
  return this->get_positions(this->GetMultibodyTreeContextOrThrow(context))
      .coeffRef(0);
}

template <typename T>
const RevoluteMobilizer<T>& RevoluteMobilizer<T>::set_angle(
    Context<T>* context, const T& angle) const {
  internal::RequireFinite(
      internal::Caller::Element("RevoluteMobilizer",
                                this->outboard_frame().name()),
      "angle", Vector<T, 1>(angle));
  this->get_mutable_positions(
      &this->GetMutableMultibodyTreeContextOrThrow(context))[0] = angle;
  return *this;
}

template <typename T>
const T& RevoluteMobilizer<T>::get_angular_rate(
    const Context<T>& context) const {
  return this->get_velocities(this->GetMultibodyTreeContextOrThrow(context))
      .coeffRef(0);
}

template <typename T>
const RevoluteMobilizer<T>& RevoluteMobilizer<T>::set_angular_rate(
    Context<T>* context, const T& theta_dot) const {
  internal::RequireFinite(
      internal::Caller::Element("RevoluteMobilizer",
                                this->outboard_frame().name()),
      "angular rate", Vector<T, 1>(theta_dot));
  this->get_mutable_velocities(
      &this->GetMutableMultibodyTreeContextOrThrow(context))[0] = theta_dot;
  return *this;
}

template <typename T>
std::unique_ptr<Mobilizer<double>> RevoluteMobilizer<T>::DoCloneToScalar(
    const MultibodyTree<double>& tree_clone) const {
  return std::make_unique<RevoluteMobilizer<double>>(
      tree_clone.get_frame(this->inboard_frame().index()),
      tree_clone.get_frame(this->outboard_frame().index()), axis_);
}

template <typename T>
std::unique_ptr<Mobilizer<AutoDiffXd>> RevoluteMobilizer<T>::DoCloneToScalar(
    const MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) {
    return std::make_unique<RevoluteMobilizer<AutoDiffXd>>(
        tree_clone.get_frame(this->inboard_frame().index()),
        tree_clone.get_frame(this->outboard_frame().index()), axis_);
  }
  return nullptr;
}

template <typename T>
std::unique_ptr<Joint<T>> RevoluteMobilizer<T>::DoMakeJoint(
    const std::string& name) const {
  return std::make_unique<RevoluteJoint<T>>(name, this->inboard_frame(),
                                            this->outboard_frame(), axis_);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RevoluteMobilizer);
