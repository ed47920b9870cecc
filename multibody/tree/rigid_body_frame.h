#pragma once

#include <memory>

#include "wyvern/multibody/tree/frame.h"

namespace wyvern::multibody {

/** The frame B that comes with a body; it is named after the body. */
template <typename T>
class RigidBodyFrame final : public Frame<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RigidBodyFrame);
  ~RigidBodyFrame() override;

 private:
  friend class RigidBody<T>;

  explicit RigidBodyFrame(const RigidBody<T>& body);

  math::RigidTransform<T> DoCalcPoseInBodyFrame(
      const systems::Parameters<T>&) const override {
    return math::RigidTransform<T>();
  }
  math::RigidTransform<T> DoGetFixedPoseInBodyFrame() const override {
    return math::RigidTransform<T>();
  }
  // A body's copy brings its own frame.
  std::unique_ptr<Frame<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>&) const override;
  std::unique_ptr<Frame<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>&) const override;
};

/** Drake's earlier name of RigidBodyFrame. */
template <typename T>
using BodyFrame = RigidBodyFrame<T>;

}  // namespace wyvern::multibody
