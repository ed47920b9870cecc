#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/dynamics/mobilizers/ball_mobilizer.h"
#include "wyvern/multibody/standalone/engine_mobilizer.h"

namespace wyvern::multibody {

/** A gimbal: M turns freely in F, their origins coinciding. q = (θ₁, θ₂, θ₃) in
rad, angles about the axes x, y and z of F in this order ("space x-y-z", or
roll, pitch and yaw), each positive by the right-hand rule:

    R_FM = Rz(θ₃) Ry(θ₂) Rx(θ₁).

v = w_FM_F, in rad/s: not the angles' rates. From the rates, w_FM always
follows; the rates do not exist at gimbal lock, θ₂ = π/2 + kπ, and
MapVelocityToQDot() throws std::runtime_error where |cos θ₂| < 1e-3.

Functions that take a Context throw std::logic_error if it is not one of this
mobilizer's tree; setters also if a value is not finite. */
template <typename T>
class SpaceXYZMobilizer final
    : public internal::EngineMobilizer<T, dynamics::RpyBallMobilizer> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SpaceXYZMobilizer);

  /** Takes frames of two bodies.
  @throws std::runtime_error if both frames are the same. */
  SpaceXYZMobilizer(const Frame<T>& inboard_frame_F,
                    const Frame<T>& outboard_frame_M);
  ~SpaceXYZMobilizer() override;

  /** Returns the angles (θ₁, θ₂, θ₃), [rad]. */
  Vector3<T> get_angles(const systems::Context<T>& context) const;
  /** Sets (θ₁, θ₂, θ₃), rad; they are not wrapped. */
  const SpaceXYZMobilizer<T>& set_angles(systems::Context<T>* context,
                                         const Vector3<T>& angles) const;
  /** Sets the angles of the rotation nearest to R_FM, with θ₂ in [-π/2, π/2].
  @throws std::logic_error if R_FM is not finite, or singular, or what is
  nearest to it is a reflection (its determinant is negative). */
  const SpaceXYZMobilizer<T>& SetFromRotationMatrix(
      systems::Context<T>* context, const Matrix3<T>& R_FM) const;

  /** Returns the angular velocity w_FM_F, [rad/s]. */
  Vector3<T> get_angular_velocity(const systems::Context<T>& context) const;
  /** Sets w_FM_F, rad/s. */
  const SpaceXYZMobilizer<T>& set_angular_velocity(
      systems::Context<T>* context, const Vector3<T>& w_FM) const;
  /** Sets it in `state`, a State of this mobilizer's tree. */
  const SpaceXYZMobilizer<T>& set_angular_velocity(
      const systems::Context<T>& context, const Vector3<T>& w_FM,
      systems::State<T>* state) const;

 protected:
  std::unique_ptr<Mobilizer<double>> DoCloneToScalar(
      const MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Mobilizer<AutoDiffXd>> DoCloneToScalar(
      const MultibodyTree<AutoDiffXd>& tree_clone) const override;
  std::unique_ptr<Joint<T>> DoMakeJoint(const std::string& name) const override;
};

}  // namespace wyvern::multibody
