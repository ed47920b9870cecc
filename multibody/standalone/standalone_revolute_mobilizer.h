#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/dynamics/mobilizers/revolute_mobilizer.h"
#include "wyvern/multibody/standalone/engine_mobilizer.h"

namespace wyvern::multibody {

/** A hinge: M turns in F by an angle about an axis through both origins that is
fixed in both. q is the angle [rad], v its rate. */
template <typename T>
class RevoluteMobilizer final
    : public internal::EngineMobilizer<T, dynamics::RevoluteMobilizer> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RevoluteMobilizer);

  /** @param axis_F of any length but zero; it is normalized.
  @throws std::logic_error if it is zero or not finite. */
  RevoluteMobilizer(const Frame<T>& inboard_frame_F,
                    const Frame<T>& outboard_frame_M,
                    const Vector3<double>& axis_F);
  ~RevoluteMobilizer() override;

  /** The unit axis, the same numbers in F and in M. */
  const Vector3<double>& revolute_axis() const { return axis_; }
  /** Returns revolute_axis(). */
  const Vector3<double>& get_revolute_axis() const { return axis_; }

  /** Returns q, rad; the reference is into the state of `context`. */
  const T& get_angle(const systems::Context<T>& context) const;
  /** Sets q, rad.
  @throws std::logic_error if it is not finite. */
  const RevoluteMobilizer<T>& set_angle(systems::Context<T>* context,
                                        const T& angle) const;
  /** Returns v, rad/s; the reference is into the state of `context`. */
  const T& get_angular_rate(const systems::Context<T>& context) const;
  /** Sets v, rad/s.
  @throws std::logic_error if it is not finite. */
  const RevoluteMobilizer<T>& set_angular_rate(systems::Context<T>* context,
                                               const T& theta_dot) const;

 protected:
  std::unique_ptr<Mobilizer<double>> DoCloneToScalar(
      const MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Mobilizer<AutoDiffXd>> DoCloneToScalar(
      const MultibodyTree<AutoDiffXd>& tree_clone) const override;
  std::unique_ptr<Joint<T>> DoMakeJoint(const std::string& name) const override;

 private:
  const Vector3<double> axis_;
};

}  // namespace wyvern::multibody
