#include "wyvern/multibody/plant/plant_jacobians.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/plant/parts/body_sets.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* Jacobians and bias accelerations. J of a point of B in A is the difference of
the spatial-velocity Jacobians of the points of B and A that are there, in W,
rotated into E; with respect to q̇ it is J N⁺(q). A bias acceleration is the
acceleration at v̇ = 0, moved from W to A with the Coriolis and centripetal
terms of Frame::CalcSpatialAcceleration(). */

namespace wyvern::multibody {

using dynamics::JacobianRows;
using internal::FindModelBodies;
using systems::Context;

template <typename T>
void PlantJacobians<T>::RequireFrames(const char* function, const Frame<T>& A,
                                      const Frame<T>& B,
                                      const Frame<T>& E) const {
  core_.tree().RequireFinalized(function);
  core_.tree().RequireMember(A, function);
  core_.tree().RequireMember(B, function);
  core_.tree().RequireMember(E, function);
}

template <typename T>
void PlantJacobians<T>::RequireBiasByVelocities(
    const char* function, JacobianWrtVariable variable) const {
  if (variable == JacobianWrtVariable::kV) return;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::{}(): bias accelerations exist with respect to "
      "JacobianWrtVariable::kV only.",
      function));
}

template <typename T>
void PlantJacobians<T>::RequireFittingShape(const char* function,
                                            JacobianWrtVariable variable,
                                            bool is_null, int given_rows,
                                            int given_cols, int rows) const {
  const int cols =
      variable == JacobianWrtVariable::kV ? core_.num_v() : core_.num_q();
  if (!is_null && given_rows == rows && given_cols == cols) return;
  throw std::logic_error(
      fmt::format("MultibodyPlant::{}(): the output must be a {} x {} matrix.",
                  function, rows, cols));
}

template <typename T>
template <typename Calc>
void PlantJacobians<T>::CalcWithRespectTo(JacobianWrtVariable variable,
                                          const Context<T>& context,
                                          Eigen::Ref<MatrixX<T>> Js,
                                          Calc&& calc) const {
  if (variable == JacobianWrtVariable::kV) {
    calc(Js);
    return;
  }
  MatrixX<T> Jv(Js.rows(), core_.num_v());
  calc(Jv);
  MatrixX<T> Nplus = MatrixX<T>::Zero(core_.num_v(), core_.num_q());
  dynamics::CalcNPlus<T>(core_.model(), core_.PositionsOf(context), Nplus);
  Js = Jv * Nplus;
}

// The difference of the motions of the points of B and of A at Q, in E.
template <typename T>
void PlantJacobians<T>::CalcRelative(
    JacobianRows rows, const Context<T>& context, const Frame<T>& frame_B,
    const Frame<T>& frame_A, const Vector3<T>& p_WQ, const Matrix3<T>& R_EW,
    Eigen::Ref<MatrixX<T>> J) const {
  const auto& positions = core_.EvalNodePositions(context);
  J.setZero();
  const auto add = [&](const Frame<T>& frame, double sign) {
    dynamics::AddVelocityJacobian<T>(rows, core_.model(), positions,
                                     body(frame), p_WQ, R_EW, sign, J);
  };
  add(frame_B, 1);
  if (body(frame_A) != 0) add(frame_A, -1);
}

template <typename T>
void PlantJacobians<T>::CalcJacobianSpatialVelocity(
    const Context<T>& context, JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_B, const Eigen::Ref<const Vector3<T>>& p_BoBp_B,
    const Frame<T>& frame_A, const Frame<T>& frame_E,
    EigenPtr<MatrixX<T>> Js_V_ABp_E) const {
  constexpr char kName[] = "CalcJacobianSpatialVelocity";
  RequireFrames(kName, frame_A, frame_B, frame_E);
  const bool is_null = Js_V_ABp_E == nullptr;
  RequireFittingShape(kName, with_respect_to, is_null,
                      is_null ? 0 : Js_V_ABp_E->rows(),
                      is_null ? 0 : Js_V_ABp_E->cols(), 6);
  internal::RequireFinite({"MultibodyPlant", kName}, "p_BoBp_B", p_BoBp_B);
  const Vector3<T> p_WQ =
      frame_B.CalcPoseInWorld(context) * Vector3<T>(p_BoBp_B);
  const Matrix3<T> R_EW =
      frame_E.CalcRotationMatrixInWorld(context).matrix().transpose();
  CalcWithRespectTo(with_respect_to, context, *Js_V_ABp_E, [&](auto&& J) {
    CalcRelative(JacobianRows::kSpatial, context, frame_B, frame_A, p_WQ, R_EW,
                 J);
  });
  internal::RequireFiniteResult({"MultibodyPlant", kName}, "the Jacobian",
                                *Js_V_ABp_E);
}

template <typename T>
void PlantJacobians<T>::CalcJacobianAngularVelocity(
    const Context<T>& context, const JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_B, const Frame<T>& frame_A, const Frame<T>& frame_E,
    EigenPtr<Matrix3X<T>> Js_w_AB_E) const {
  constexpr char kName[] = "CalcJacobianAngularVelocity";
  RequireFrames(kName, frame_A, frame_B, frame_E);
  const bool is_null = Js_w_AB_E == nullptr;
  RequireFittingShape(kName, with_respect_to, is_null, 3,
                      is_null ? 0 : Js_w_AB_E->cols(), 3);
  const Vector3<T> p_WBo = frame_B.CalcPoseInWorld(context).translation();
  const Matrix3<T> R_EW =
      frame_E.CalcRotationMatrixInWorld(context).matrix().transpose();
  CalcWithRespectTo(with_respect_to, context, *Js_w_AB_E, [&](auto&& J) {
    CalcRelative(JacobianRows::kAngular, context, frame_B, frame_A, p_WBo, R_EW,
                 J);
  });
}

template <typename T>
void PlantJacobians<T>::CalcJacobianTranslationalVelocity(
    const Context<T>& context, JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_B, const Eigen::Ref<const Matrix3X<T>>& p_BoBi_B,
    const Frame<T>& frame_A, const Frame<T>& frame_E,
    EigenPtr<MatrixX<T>> Js_v_ABi_E) const {
  constexpr char kName[] = "CalcJacobianTranslationalVelocity";
  RequireFrames(kName, frame_A, frame_B, frame_E);
  const int k = static_cast<int>(p_BoBi_B.cols());
  const bool is_null = Js_v_ABi_E == nullptr;
  RequireFittingShape(kName, with_respect_to, is_null,
                      is_null ? 0 : Js_v_ABi_E->rows(),
                      is_null ? 0 : Js_v_ABi_E->cols(), 3 * k);
  internal::RequireFinite({"MultibodyPlant", kName}, "p_BoBi_B", p_BoBi_B);
  const math::RigidTransform<T> X_WB = frame_B.CalcPoseInWorld(context);
  const Matrix3<T> R_EW =
      frame_E.CalcRotationMatrixInWorld(context).matrix().transpose();
  CalcWithRespectTo(with_respect_to, context, *Js_v_ABi_E, [&](auto&& J) {
    for (int i = 0; i < k; ++i) {
      const Vector3<T> p_WBi = X_WB * Vector3<T>(p_BoBi_B.col(i));
      CalcRelative(JacobianRows::kTranslational, context, frame_B, frame_A,
                   p_WBi, R_EW, J.middleRows(3 * i, 3));
    }
  });
  internal::RequireFiniteResult({"MultibodyPlant", kName}, "the Jacobian",
                                *Js_v_ABi_E);
}

template <typename T>
void PlantJacobians<T>::CalcJacobianPositionVector(
    const Context<T>& context, const Frame<T>& frame_B,
    const Eigen::Ref<const Matrix3X<T>>& p_BoBi_B, const Frame<T>& frame_A,
    const Frame<T>& frame_E, EigenPtr<MatrixX<T>> Jq_p_AoBi_E) const {
  CalcJacobianTranslationalVelocity(context, JacobianWrtVariable::kQDot,
                                    frame_B, p_BoBi_B, frame_A, frame_E,
                                    Jq_p_AoBi_E);
}

template <typename T>
void PlantJacobians<T>::CalcJacobianCenterOfMassTranslationalVelocity(
    const Context<T>& context, JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_A, const Frame<T>& frame_E,
    EigenPtr<Matrix3X<T>> Js_v_ACcm_E) const {
  constexpr char kName[] = "CalcJacobianCenterOfMassTranslationalVelocity";
  CalcCenterOfMassJacobian(kName, context, FindModelBodies(core_.tree(), kName),
                           with_respect_to, frame_A, frame_E, Js_v_ACcm_E);
}

template <typename T>
void PlantJacobians<T>::CalcJacobianCenterOfMassTranslationalVelocity(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances,
    JacobianWrtVariable with_respect_to, const Frame<T>& frame_A,
    const Frame<T>& frame_E, EigenPtr<Matrix3X<T>> Js_v_ACcm_E) const {
  constexpr char kName[] = "CalcJacobianCenterOfMassTranslationalVelocity";
  CalcCenterOfMassJacobian(
      kName, context, FindModelBodies(core_.tree(), model_instances, kName),
      with_respect_to, frame_A, frame_E, Js_v_ACcm_E);
}

template <typename T>
void PlantJacobians<T>::CalcCenterOfMassJacobian(
    const char* function, const Context<T>& context,
    std::span<const int> bodies, JacobianWrtVariable variable,
    const Frame<T>& frame_A, const Frame<T>& frame_E,
    EigenPtr<Matrix3X<T>> J_out) const {
  RequireFrames(function, frame_A, frame_A, frame_E);
  const bool is_null = J_out == nullptr;
  RequireFittingShape(function, variable, is_null, 3,
                      is_null ? 0 : J_out->cols(), 3);
  RequireMass(core_, context, bodies, function);
  const auto& parameters = core_.EvalModelParameters(context);
  const auto& positions = core_.EvalNodePositions(context);
  const Matrix3<T> R_EW =
      frame_E.CalcRotationMatrixInWorld(context).matrix().transpose();
  CalcWithRespectTo(variable, context, *J_out, [&](auto&& J) {
    dynamics::CalcCenterOfMassJacobian<T>(core_.model(), parameters, positions,
                                          bodies, J);
    for (int i = 0; i < J.cols(); ++i) {
      const Vector3<T> column = J.col(i);
      J.col(i) = R_EW * column;
    }
    if (body(frame_A) == 0) return;
    const Vector3<T> p_WC = dynamics::CalcCenterOfMass<T>(
        core_.model(), parameters, positions, bodies);
    dynamics::AddVelocityJacobian<T>(JacobianRows::kTranslational,
                                     core_.model(), positions, body(frame_A),
                                     p_WC, R_EW, -1, J);
  });
}

// As in Frame::CalcSpatialAcceleration(), at v̇ = 0.
template <typename T>
SpatialAcceleration<T> PlantJacobians<T>::CalcBiasSpatialAcceleration(
    const Context<T>& context, JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_B, const Eigen::Ref<const Vector3<T>>& p_BoBp_B,
    const Frame<T>& frame_A, const Frame<T>& frame_E) const {
  constexpr char kName[] = "CalcBiasSpatialAcceleration";
  RequireFrames(kName, frame_A, frame_B, frame_E);
  RequireBiasByVelocities(kName, with_respect_to);
  internal::RequireFinite({"MultibodyPlant", kName}, "p_BoBp_B", p_BoBp_B);
  const auto& positions = core_.EvalNodePositions(context);
  const auto& velocities = core_.EvalVelocities(context).nodes;
  const dynamics::Model& model = core_.model();
  std::vector<Vector6<T>> A(model.num_nodes());
  dynamics::CalcBiasAccelerations<T>(model, velocities, &A);
  const Vector3<T> p_WQ =
      frame_B.CalcPoseInWorld(context) * Vector3<T>(p_BoBp_B);
  const auto velocity = [&](const Frame<T>& frame) {
    return dynamics::CalcPointVelocity<T>(model, positions, velocities,
                                          body(frame), p_WQ);
  };
  const auto acceleration = [&](const Frame<T>& frame) {
    return dynamics::CalcPointAcceleration<T>(model, positions, velocities, A,
                                              body(frame), p_WQ);
  };
  const Vector6<T> V_WA = velocity(frame_A);
  const Vector3<T> w_WA = V_WA.template head<3>();
  const Vector6<T> V_AB = velocity(frame_B) - V_WA;
  Vector6<T> A_AB = acceleration(frame_B) - acceleration(frame_A);
  A_AB.template head<3>() -= w_WA.cross(Vector3<T>(V_AB.template head<3>()));
  A_AB.template tail<3>() -=
      2.0 * w_WA.cross(Vector3<T>(V_AB.template tail<3>()));
  internal::RequireFiniteResult("MultibodyPlant::CalcBiasSpatialAcceleration",
                                "A_AB", A_AB);
  return frame_E.CalcRotationMatrixInWorld(context).inverse() *
         SpatialAcceleration<T>(A_AB);
}

template <typename T>
Matrix3X<T> PlantJacobians<T>::CalcBiasTranslationalAcceleration(
    const Context<T>& context, JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_B, const Eigen::Ref<const Matrix3X<T>>& p_BoBi_B,
    const Frame<T>& frame_A, const Frame<T>& frame_E) const {
  Matrix3X<T> result(3, p_BoBi_B.cols());
  for (int i = 0; i < p_BoBi_B.cols(); ++i) {
    result.col(i) = CalcBiasSpatialAcceleration(
                        context, with_respect_to, frame_B,
                        Vector3<T>(p_BoBi_B.col(i)), frame_A, frame_E)
                        .translational();
  }
  return result;
}

template <typename T>
Vector3<T> PlantJacobians<T>::CalcBiasCenterOfMassTranslationalAcceleration(
    const Context<T>& context, JacobianWrtVariable with_respect_to,
    const Frame<T>& frame_A, const Frame<T>& frame_E) const {
  constexpr char kName[] = "CalcBiasCenterOfMassTranslationalAcceleration";
  return CalcCenterOfMassBias(kName, context,
                              FindModelBodies(core_.tree(), kName),
                              with_respect_to, frame_A, frame_E);
}

template <typename T>
Vector3<T> PlantJacobians<T>::CalcBiasCenterOfMassTranslationalAcceleration(
    const Context<T>& context,
    const std::vector<ModelInstanceIndex>& model_instances,
    JacobianWrtVariable with_respect_to, const Frame<T>& frame_A,
    const Frame<T>& frame_E) const {
  constexpr char kName[] = "CalcBiasCenterOfMassTranslationalAcceleration";
  return CalcCenterOfMassBias(
      kName, context, FindModelBodies(core_.tree(), model_instances, kName),
      with_respect_to, frame_A, frame_E);
}

template <typename T>
Vector3<T> PlantJacobians<T>::CalcCenterOfMassBias(
    const char* function, const Context<T>& context,
    std::span<const int> bodies, JacobianWrtVariable variable,
    const Frame<T>& frame_A, const Frame<T>& frame_E) const {
  RequireFrames(function, frame_A, frame_A, frame_E);
  RequireBiasByVelocities(function, variable);
  RequireMass(core_, context, bodies, function);
  // The mass-weighted mean of the bodies' own.
  const auto& parameters = core_.EvalModelParameters(context);
  Vector3<T> sum = Vector3<T>::Zero();
  T mass(0);
  for (int b : bodies) {
    const auto& p = parameters.bodies[b];
    const RigidBody<T>& B =
        core_.tree().bodies().get(BodyIndex(core_.model().bodies[b].link));
    sum +=
        p.mass * CalcBiasSpatialAcceleration(context, variable, B.body_frame(),
                                             p.p_BoBcm_B, frame_A, frame_E)
                     .translational();
    mass += p.mass;
  }
  return sum / mass;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantJacobians);
