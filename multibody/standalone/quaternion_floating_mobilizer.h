#pragma once

#include <memory>
#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/dynamics/mobilizers/floating_mobilizer.h"
#include "wyvern/multibody/standalone/engine_mobilizer.h"

namespace wyvern::multibody {

/** No joint at all: M moves freely in F. q = (qw, qx, qy, qz, p_FoMo_F), the
quaternion of R_FM of any length but zero; v = (w_FM_F, v_FMo_F). A
MultibodyTree gives one to every body that nothing ties to the world. */
template <typename T>
class QuaternionFloatingMobilizer final
    : public internal::EngineMobilizer<T,
                                       dynamics::QuaternionFloatingMobilizer> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(QuaternionFloatingMobilizer);

  /** Takes frames of two bodies.
  @throws std::runtime_error if both frames are the same. */
  QuaternionFloatingMobilizer(const Frame<T>& inboard_frame_F,
                              const Frame<T>& outboard_frame_M);
  ~QuaternionFloatingMobilizer() override;

  /** Returns the pose X_FM. */
  math::RigidTransform<T> get_pose(const systems::Context<T>& context) const;
  /** Sets X_FM.
  @throws std::logic_error if the pose is not finite. */
  const QuaternionFloatingMobilizer<T>& set_pose(
      systems::Context<T>* context, const math::RigidTransform<T>& X_FM) const;
  /** Returns the velocity V_FM_F. */
  SpatialVelocity<T> get_spatial_velocity(
      const systems::Context<T>& context) const;
  /** Sets V_FM_F.
  @throws std::logic_error if a value is not finite. */
  const QuaternionFloatingMobilizer<T>& set_spatial_velocity(
      systems::Context<T>* context, const SpatialVelocity<T>& V_FM) const;

 protected:
  std::unique_ptr<Mobilizer<double>> DoCloneToScalar(
      const MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Mobilizer<AutoDiffXd>> DoCloneToScalar(
      const MultibodyTree<AutoDiffXd>& tree_clone) const override;
  std::unique_ptr<Joint<T>> DoMakeJoint(const std::string& name) const override;
};

}  // namespace wyvern::multibody
