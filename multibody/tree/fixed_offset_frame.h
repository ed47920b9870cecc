#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wyvern/multibody/tree/frame.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** A frame F with a constant pose in a parent frame P of the same body. The
pose is a parameter: each Context may change it. */
template <typename T>
class FixedOffsetFrame final : public Frame<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(FixedOffsetFrame);

  /** @param X_PF pose of the new frame in `P`.
  @param model_instance that of `P` unless given.
  @throws std::logic_error if the name is empty or the pose not finite. */
  FixedOffsetFrame(const std::string& name, const Frame<T>& P,
                   const math::RigidTransform<double>& X_PF,
                   std::optional<ModelInstanceIndex> model_instance = {});
  /** A frame given by its pose X_BF in the body frame of `bodyB`. */
  FixedOffsetFrame(const std::string& name, const RigidBody<T>& bodyB,
                   const math::RigidTransform<double>& X_BF);
  /** @name Without a name
  The model gives one as the frame is added: "frame_" and its index.
  @{ */
  /** A frame given by its pose X_PF in `P`. */
  FixedOffsetFrame(const Frame<T>& P, const math::RigidTransform<double>& X_PF);
  /** A frame given by its pose X_BF in the body frame of `bodyB`. */
  FixedOffsetFrame(const RigidBody<T>& bodyB,
                   const math::RigidTransform<double>& X_BF);
  /** Overload for a pose as an Eigen transform. */
  FixedOffsetFrame(const Frame<T>& P, const Isometry3<double>& X_PF);
  /** Overload for a pose as an Eigen transform. */
  FixedOffsetFrame(const RigidBody<T>& bodyB, const Isometry3<double>& X_BF);
  /** @} */
  ~FixedOffsetFrame() override;

  /** X_PF as `context` has it. */
  math::RigidTransform<T> GetPoseInParentFrame(
      const systems::Context<T>& context) const;
  /** Sets X_PF in `context`. @throws std::logic_error if it is not finite. */
  void SetPoseInParentFrame(systems::Context<T>* context,
                            const math::RigidTransform<T>& X_PF) const;

 private:
  template <typename>
  friend class FixedOffsetFrame;

  void DoDeclareFrameParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override;
  void DoSetDefaultFrameParameters(
      systems::Parameters<T>* parameters) const override;
  math::RigidTransform<T> DoCalcPoseInBodyFrame(
      const systems::Parameters<T>& parameters) const override;
  math::RigidTransform<T> DoGetFixedPoseInBodyFrame() const override;
  std::unique_ptr<Frame<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override;
  std::unique_ptr<Frame<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override;
  template <typename ToScalar>
  std::unique_ptr<Frame<ToScalar>> TemplatedClone(
      const internal::MultibodyTree<ToScalar>& tree_clone) const;

  const Frame<T>& parent_frame_;
  const math::RigidTransform<double> X_PF_;
  systems::NumericParameterIndex X_PF_parameter_;
};

}  // namespace wyvern::multibody
