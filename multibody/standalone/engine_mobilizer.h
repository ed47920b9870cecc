#pragma once

#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/standalone/mobilizer_impl.h"

namespace wyvern::multibody::internal {

/** A mobilizer whose motion is one of the engine's, such as
dynamics::RevoluteMobilizer. Where the motion has an axis, it is the engine's z
turned by R_FZ. */
template <typename T, template <typename> class Motion>
class EngineMobilizer
    : public MobilizerImpl<T, Motion<T>::kNq, Motion<T>::kNv> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(EngineMobilizer);

  void set_zero_state(const systems::Context<T>& context,
                      systems::State<T>* state) const override;
  Isometry3<T> CalcAcrossMobilizerTransform(
      const MultibodyTreeContext<T>& context) const override;
  SpatialVelocity<T> CalcAcrossMobilizerSpatialVelocity(
      const MultibodyTreeContext<T>& context,
      const Eigen::Ref<const VectorX<T>>& v) const override;
  SpatialAcceleration<T> CalcAcrossMobilizerSpatialAcceleration(
      const MultibodyTreeContext<T>& context,
      const Eigen::Ref<const VectorX<T>>& vdot) const override;
  void ProjectSpatialForce(const MultibodyTreeContext<T>& context,
                           const SpatialForce<T>& F_Mo_F,
                           Eigen::Ref<VectorX<T>> tau) const override;
  void MapVelocityToQDot(const MultibodyTreeContext<T>& context,
                         const Eigen::Ref<const VectorX<T>>& v,
                         EigenPtr<VectorX<T>> qdot) const override;
  void MapQDotToVelocity(const MultibodyTreeContext<T>& context,
                         const Eigen::Ref<const VectorX<T>>& qdot,
                         EigenPtr<VectorX<T>> v) const override;

 protected:
  EngineMobilizer(const Frame<T>& inboard_frame, const Frame<T>& outboard_frame,
                  const Matrix3<double>& R_FZ = Matrix3<double>::Identity())
      : MobilizerImpl<T, Motion<T>::kNq, Motion<T>::kNv>(inboard_frame,
                                                         outboard_frame),
        R_FZ_(R_FZ.template cast<T>()) {}
  ~EngineMobilizer() override;

 private:
  Eigen::Matrix<T, 6, Motion<T>::kNv> H_FM(
      const MultibodyTreeContext<T>& context) const;

  const Matrix3<T> R_FZ_;
};

}  // namespace wyvern::multibody::internal
