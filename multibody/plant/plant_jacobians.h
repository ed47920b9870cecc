#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/tree/jacobian_wrt_variable.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant about Jacobians and what is left of
accelerations when v̇ = 0. Motion is measured in frame A and expressed in E.
Columns of a Jacobian follow q̇ or v, as `with_respect_to` says: n is nq or nv.

All throw std::logic_error before Finalize(), for elements of another plant, and
for outputs that are null or of the wrong shape; bias accelerations also unless
`with_respect_to` is kV. */
template <typename T>
class PlantJacobians {
 public:
  /** V_ABp = J s, 6 x n, rotational part first, for a point Bp of B. */
  void CalcJacobianSpatialVelocity(const systems::Context<T>& context,
                                   JacobianWrtVariable with_respect_to,
                                   const Frame<T>& frame_B,
                                   const Eigen::Ref<const Vector3<T>>& p_BoBp_B,
                                   const Frame<T>& frame_A,
                                   const Frame<T>& frame_E,
                                   EigenPtr<MatrixX<T>> Js_V_ABp_E) const;
  /** Computes J of w_AB = J s, 3 x n. */
  void CalcJacobianAngularVelocity(const systems::Context<T>& context,
                                   const JacobianWrtVariable with_respect_to,
                                   const Frame<T>& frame_B,
                                   const Frame<T>& frame_A,
                                   const Frame<T>& frame_E,
                                   EigenPtr<Matrix3X<T>> Js_w_AB_E) const;
  /** v_ABi = J s of k points, 3k x n, a point's three rows together. */
  void CalcJacobianTranslationalVelocity(
      const systems::Context<T>& context, JacobianWrtVariable with_respect_to,
      const Frame<T>& frame_B, const Eigen::Ref<const Matrix3X<T>>& p_BoBi_B,
      const Frame<T>& frame_A, const Frame<T>& frame_E,
      EigenPtr<MatrixX<T>> Js_v_ABi_E) const;
  /** Derivatives of p_AoBi with respect to q, 3k x nq. */
  void CalcJacobianPositionVector(const systems::Context<T>& context,
                                  const Frame<T>& frame_B,
                                  const Eigen::Ref<const Matrix3X<T>>& p_BoBi_B,
                                  const Frame<T>& frame_A,
                                  const Frame<T>& frame_E,
                                  EigenPtr<MatrixX<T>> Jq_p_AoBi_E) const;
  /** v_AScm = J s of the centre of mass of the model, or of some model
  instances, 3 x n. @throws std::logic_error if they have no mass. */
  void CalcJacobianCenterOfMassTranslationalVelocity(
      const systems::Context<T>& context, JacobianWrtVariable with_respect_to,
      const Frame<T>& frame_A, const Frame<T>& frame_E,
      EigenPtr<Matrix3X<T>> Js_v_ACcm_E) const;
  /** Overload for the centre of mass of some model instances. */
  void CalcJacobianCenterOfMassTranslationalVelocity(
      const systems::Context<T>& context,
      const std::vector<ModelInstanceIndex>& model_instances,
      JacobianWrtVariable with_respect_to, const Frame<T>& frame_A,
      const Frame<T>& frame_E, EigenPtr<Matrix3X<T>> Js_v_ACcm_E) const;

  /** Returns J̇ v: the spatial acceleration A_ABp at v̇ = 0. */
  SpatialAcceleration<T> CalcBiasSpatialAcceleration(
      const systems::Context<T>& context, JacobianWrtVariable with_respect_to,
      const Frame<T>& frame_B, const Eigen::Ref<const Vector3<T>>& p_BoBp_B,
      const Frame<T>& frame_A, const Frame<T>& frame_E) const;
  /** a_ABi at v̇ = 0, one a column. */
  Matrix3X<T> CalcBiasTranslationalAcceleration(
      const systems::Context<T>& context, JacobianWrtVariable with_respect_to,
      const Frame<T>& frame_B, const Eigen::Ref<const Matrix3X<T>>& p_BoBi_B,
      const Frame<T>& frame_A, const Frame<T>& frame_E) const;
  /** Returns a_AScm, the acceleration of the centre of mass, at v̇ = 0. */
  Vector3<T> CalcBiasCenterOfMassTranslationalAcceleration(
      const systems::Context<T>& context, JacobianWrtVariable with_respect_to,
      const Frame<T>& frame_A, const Frame<T>& frame_E) const;
  /** Overload for the centre of mass of some model instances. */
  Vector3<T> CalcBiasCenterOfMassTranslationalAcceleration(
      const systems::Context<T>& context,
      const std::vector<ModelInstanceIndex>& model_instances,
      JacobianWrtVariable with_respect_to, const Frame<T>& frame_A,
      const Frame<T>& frame_E) const;

 protected:
  explicit PlantJacobians(const internal::MultibodyTreeSystem<T>& core)
      : core_(core) {}
  ~PlantJacobians() = default;

 private:
  void RequireFrames(const char* function, const Frame<T>& A, const Frame<T>& B,
                     const Frame<T>& E) const;
  void RequireBiasByVelocities(const char* function,
                               JacobianWrtVariable variable) const;
  // n, or throws unless a matrix of `rows` rows has that many columns.
  void RequireFittingShape(const char* function, JacobianWrtVariable variable,
                           bool is_null, int given_rows, int given_cols,
                           int rows) const;
  // Js from calc(J), of J with respect to v, in place or by J N⁺ for q̇.
  template <typename Calc>
  void CalcWithRespectTo(JacobianWrtVariable variable,
                         const systems::Context<T>& context,
                         Eigen::Ref<MatrixX<T>> Js, Calc&& calc) const;
  // With respect to v, of the point of B at Q, in A, expressed in E.
  void CalcRelative(dynamics::JacobianRows rows,
                    const systems::Context<T>& context, const Frame<T>& frame_B,
                    const Frame<T>& frame_A, const Vector3<T>& p_WQ,
                    const Matrix3<T>& R_EW, Eigen::Ref<MatrixX<T>> J) const;
  void CalcCenterOfMassJacobian(const char* function,
                                const systems::Context<T>& context,
                                std::span<const int> bodies,
                                JacobianWrtVariable variable,
                                const Frame<T>& frame_A,
                                const Frame<T>& frame_E,
                                EigenPtr<Matrix3X<T>> J) const;
  Vector3<T> CalcCenterOfMassBias(const char* function,
                                  const systems::Context<T>& context,
                                  std::span<const int> bodies,
                                  JacobianWrtVariable variable,
                                  const Frame<T>& frame_A,
                                  const Frame<T>& frame_E) const;
  dynamics::MobodIndex body(const Frame<T>& frame) const {
    return core_.tree().model_body(frame.body().index());
  }

  const internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
