#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/tree/joint.h"

namespace wyvern::multibody {

/** Fixes M in F. */
template <typename T>
class WeldJoint final : public Joint<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(WeldJoint);
  static constexpr char kTypeName[] = "weld";

  WeldJoint(const std::string& name, const Frame<T>& frame_on_parent_F,
            const Frame<T>& frame_on_child_M,
            const math::RigidTransform<double>& X_FM);
  ~WeldJoint() override;

  const std::string& type_name() const override;
  const math::RigidTransform<double>& X_FM() const { return X_FM_; }

 private:
  std::string do_position_suffix(int) const override { return {}; }
  std::string do_velocity_suffix(int) const override { return {}; }
  math::RigidTransform<double> weld_pose() const override { return X_FM_; }
  std::unique_ptr<Joint<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Joint<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<Joint<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;

  const math::RigidTransform<double> X_FM_;
};

}  // namespace wyvern::multibody
