#include "wyvern/multibody/standalone/space_xyz_mobilizer.h"

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using systems::Context;

template <typename T>
SpaceXYZMobilizer<T>::SpaceXYZMobilizer(const Frame<T>& inboard_frame_F,
                                        const Frame<T>& outboard_frame_M)
    : internal::EngineMobilizer<T, dynamics::RpyBallMobilizer>(
          inboard_frame_F, outboard_frame_M) {}

template <typename T>
SpaceXYZMobilizer<T>::~SpaceXYZMobilizer() = default;

template <typename T>
Vector3<T> SpaceXYZMobilizer<T>::get_angles(const Context<T>& context) const {
  return this->get_positions(this->GetMultibodyTreeContextOrThrow(context));
}

template <typename T>
const SpaceXYZMobilizer<T>& SpaceXYZMobilizer<T>::set_angles(
    Context<T>* context, const Vector3<T>& angles) const {
  internal::RequireFinite(
      internal::Caller::Element("SpaceXYZMobilizer",
                                this->outboard_frame().name()),
      "angles", angles);
  this->get_mutable_positions(
      &this->GetMutableMultibodyTreeContextOrThrow(context)) = angles;
  return *this;
}

template <typename T>
const SpaceXYZMobilizer<T>& SpaceXYZMobilizer<T>::SetFromRotationMatrix(
    Context<T>* context, const Matrix3<T>& R_FM) const {
  const auto R = math::RotationMatrix<T>::ProjectToRotationMatrix(R_FM);
  return set_angles(context, math::RollPitchYaw<T>(R).vector());
}

template <typename T>
Vector3<T> SpaceXYZMobilizer<T>::get_angular_velocity(
    const Context<T>& context) const {
  return this->get_velocities(this->GetMultibodyTreeContextOrThrow(context));
}

template <typename T>
const SpaceXYZMobilizer<T>& SpaceXYZMobilizer<T>::set_angular_velocity(
    Context<T>* context, const Vector3<T>& w_FM) const {
  internal::RequireFinite(
      internal::Caller::Element("SpaceXYZMobilizer",
                                this->outboard_frame().name()),
      "angular velocity", w_FM);
  this->get_mutable_velocities(
      &this->GetMutableMultibodyTreeContextOrThrow(context)) = w_FM;
  return *this;
}

template <typename T>
const SpaceXYZMobilizer<T>& SpaceXYZMobilizer<T>::set_angular_velocity(
    const Context<T>& context, const Vector3<T>& w_FM,
    systems::State<T>* state) const {
  internal::RequireFinite(
      internal::Caller::Element("SpaceXYZMobilizer",
                                this->outboard_frame().name()),
      "angular velocity", w_FM);
  this->get_mutable_velocities(context, state) = w_FM;
  return *this;
}

template <typename T>
std::unique_ptr<Mobilizer<double>> SpaceXYZMobilizer<T>::DoCloneToScalar(
    const MultibodyTree<double>& tree_clone) const {
  return std::make_unique<SpaceXYZMobilizer<double>>(
      tree_clone.get_frame(this->inboard_frame().index()),
      tree_clone.get_frame(this->outboard_frame().index()));
}

template <typename T>
std::unique_ptr<Mobilizer<AutoDiffXd>> SpaceXYZMobilizer<T>::DoCloneToScalar(
    const MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) {
    return std::make_unique<SpaceXYZMobilizer<AutoDiffXd>>(
        tree_clone.get_frame(this->inboard_frame().index()),
        tree_clone.get_frame(this->outboard_frame().index()));
  }
  return nullptr;
}

template <typename T>
std::unique_ptr<Joint<T>> SpaceXYZMobilizer<T>::DoMakeJoint(
    const std::string& name) const {
  return std::make_unique<BallRpyJoint<T>>(name, this->inboard_frame(),
                                           this->outboard_frame());
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::SpaceXYZMobilizer);
