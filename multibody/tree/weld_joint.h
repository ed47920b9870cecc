#pragma once

#include <string>
#include <tuple>

#include "wyvern/multibody/tree/typed_joint.h"

namespace wyvern::multibody {

/** Fixes M in F. */
template <typename T>
class WeldJoint final : public internal::TypedJoint<WeldJoint, T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(WeldJoint);
  /** The value of type_name(). */
  static constexpr char kTypeName[] = "weld";

  /** Fixes M in F with the pose X_FM.
  @throws std::logic_error if a value is not finite. */
  WeldJoint(const std::string& name, const Frame<T>& frame_on_parent_F,
            const Frame<T>& frame_on_child_M,
            const math::RigidTransform<double>& X_FM);
  ~WeldJoint() override;

  /** Pose of M in F. */
  const math::RigidTransform<double>& X_FM() const { return X_FM_; }

 private:
  friend class internal::TypedJoint<WeldJoint, T>;
  auto clone_arguments() const { return std::tuple(X_FM_); }
  math::RigidTransform<double> weld_pose() const override { return X_FM_; }

  const math::RigidTransform<double> X_FM_;
};

}  // namespace wyvern::multibody
