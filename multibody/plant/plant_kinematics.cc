#include "wyvern/multibody/plant/plant_kinematics.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/plant/step/position_rates.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* Where bodies and frames are and how they move: looked up in the cache of the
core (tree/multibody_cache.h), then expressed as asked, as X_AB = X_WA⁻¹
X_WB. Maps between q̇ and v are q̇ = N(q) v and v = N⁺(q) q̇ of
algorithms/generalized_coordinates.h, joint by joint or as sparse matrices. */

namespace wyvern::multibody {

using systems::Context;

template <typename T>
const math::RigidTransform<T>& PlantKinematics<T>::EvalBodyPoseInWorld(
    const Context<T>& context, const RigidBody<T>& body_B) const {
  core_.tree().RequireFinalized("EvalBodyPoseInWorld");
  core_.tree().RequireMember(body_B, "EvalBodyPoseInWorld");
  return core_.EvalBodyPoses(context)[body_B.index()];
}

template <typename T>
const SpatialVelocity<T>& PlantKinematics<T>::EvalBodySpatialVelocityInWorld(
    const Context<T>& context, const RigidBody<T>& body_B) const {
  core_.tree().RequireFinalized("EvalBodySpatialVelocityInWorld");
  core_.tree().RequireMember(body_B, "EvalBodySpatialVelocityInWorld");
  return core_.EvalBodyVelocities(context)[body_B.index()];
}

template <typename T>
const SpatialAcceleration<T>&
PlantKinematics<T>::EvalBodySpatialAccelerationInWorld(
    const Context<T>& context, const RigidBody<T>& body_B) const {
  core_.tree().RequireFinalized("EvalBodySpatialAccelerationInWorld");
  core_.tree().RequireMember(body_B, "EvalBodySpatialAccelerationInWorld");
  return core_.EvalBodyAccelerations(context)[body_B.index()];
}

template <typename T>
void PlantKinematics<T>::CalcSpatialAccelerationsFromVdot(
    const Context<T>& context, const VectorX<T>& known_vdot,
    std::vector<SpatialAcceleration<T>>* A_WB_array) const {
  constexpr char kName[] = "MultibodyPlant::CalcSpatialAccelerationsFromVdot";
  core_.tree().RequireFinalized("CalcSpatialAccelerationsFromVdot");
  internal::Deref(A_WB_array, kName);
  internal::RequireSize(kName, "known_vdot", known_vdot.size(), core_.num_v());
  internal::RequireFinite(kName, "known_vdot", known_vdot);
  internal::RequireSize(kName, "A_WB_array", A_WB_array->size(),
                        core_.tree().num_bodies());
  const auto positions = core_.EvalPositions(context);
  const auto& velocities = core_.EvalVelocities(context);
  std::vector<Vector6<T>> A(core_.model().num_nodes());
  dynamics::CalcAccelerationKinematics<T>(core_.model(), positions.nodes,
                                          velocities.nodes, known_vdot, &A);
  for (BodyIndex body(0); body < core_.tree().num_bodies(); ++body) {
    const dynamics::MobodIndex b = core_.tree().model_body(body);
    (*A_WB_array)[body] =
        SpatialAcceleration<T>(dynamics::CalcPointAcceleration<T>(
            core_.model(), positions.nodes, velocities.nodes, A, b,
            positions.X_WB[b].p));
    internal::RequireFiniteResult(kName, "an acceleration",
                                  (*A_WB_array)[body].get_coeffs());
  }
}

template <typename T>
math::RigidTransform<T> PlantKinematics<T>::CalcRelativeTransform(
    const Context<T>& context, const Frame<T>& frame_A,
    const Frame<T>& frame_B) const {
  core_.ValidateContext(context);
  core_.tree().RequireMember(frame_A, "CalcRelativeTransform");
  core_.tree().RequireMember(frame_B, "CalcRelativeTransform");
  return frame_B.CalcPose(context, frame_A);
}

template <typename T>
math::RotationMatrix<T> PlantKinematics<T>::CalcRelativeRotationMatrix(
    const Context<T>& context, const Frame<T>& frame_A,
    const Frame<T>& frame_B) const {
  return CalcRelativeTransform(context, frame_A, frame_B).rotation();
}

template <typename T>
void PlantKinematics<T>::CalcPointsPositions(
    const Context<T>& context, const Frame<T>& frame_B,
    const Eigen::Ref<const MatrixX<T>>& p_BQi, const Frame<T>& frame_A,
    EigenPtr<MatrixX<T>> p_AQi) const {
  if (p_AQi == nullptr || p_BQi.rows() != 3 || p_AQi->rows() != 3 ||
      p_AQi->cols() != p_BQi.cols()) {
    throw std::logic_error(
        "MultibodyPlant::CalcPointsPositions(): p_BQi and p_AQi must both be "
        "given, with three rows and a column per point.");
  }
  constexpr char kName[] = "MultibodyPlant::CalcPointsPositions";
  internal::RequireFinite(kName, "p_BQi", p_BQi);
  const math::RigidTransform<T> X_AB =
      CalcRelativeTransform(context, frame_A, frame_B);
  for (int i = 0; i < p_BQi.cols(); ++i) {
    p_AQi->col(i) = X_AB * Vector3<T>(p_BQi.col(i));
  }
  internal::RequireFiniteResult(kName, "p_AQi", *p_AQi);
}

template <typename T>
void PlantKinematics<T>::MapVelocityToQDot(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& v,
    EigenPtr<VectorX<T>> qdot) const {
  constexpr char kName[] = "MultibodyPlant::MapVelocityToQDot";
  core_.tree().RequireFinalized("MapVelocityToQDot");
  internal::RequireSize(kName, "v", v.size(), core_.num_v());
  internal::RequireFinite(kName, "v", v);
  internal::RequireSize(kName, "qdot", qdot == nullptr ? -1 : qdot->size(),
                        core_.num_q());
  if (v.size() > 0 && v.data() == qdot->data()) {  // One vector for both.
    MapVelocityToQDot(context, VectorX<T>(v), qdot);
    return;
  }
  internal::CalcPositionRates<T>(core_, context, core_.PositionsOf(context), v,
                                 *qdot);
  internal::RequireFiniteResult(kName, "qdot", *qdot);
}

template <typename T>
void PlantKinematics<T>::MapQDotToVelocity(
    const Context<T>& context, const Eigen::Ref<const VectorX<T>>& qdot,
    EigenPtr<VectorX<T>> v) const {
  constexpr char kName[] = "MultibodyPlant::MapQDotToVelocity";
  core_.tree().RequireFinalized("MapQDotToVelocity");
  internal::RequireSize(kName, "qdot", qdot.size(), core_.num_q());
  internal::RequireFinite(kName, "qdot", qdot);
  internal::RequireSize(kName, "v", v == nullptr ? -1 : v->size(),
                        core_.num_v());
  if (v->size() > 0 && qdot.data() == v->data()) {
    MapQDotToVelocity(context, VectorX<T>(qdot), v);
    return;
  }
  dynamics::MapQDotToVelocity<T>(core_.model(), core_.PositionsOf(context),
                                 qdot, *v);
  internal::RequireFiniteResult(kName, "v", *v);
}

namespace {

template <typename T>
Eigen::SparseMatrix<T> ToSparse(const MatrixX<T>& dense) {
  Eigen::SparseMatrix<T> sparse(dense.rows(), dense.cols());
  for (int j = 0; j < dense.cols(); ++j) {
    for (int i = 0; i < dense.rows(); ++i) {
      if (dense(i, j) != 0) sparse.insert(i, j) = dense(i, j);
    }
  }
  sparse.makeCompressed();
  return sparse;
}

}  // namespace

template <typename T>
Eigen::SparseMatrix<T> PlantKinematics<T>::MakeVelocityToQDotMap(
    const Context<T>& context) const {
  core_.tree().RequireFinalized("MakeVelocityToQDotMap");
  MatrixX<T> N = MatrixX<T>::Zero(core_.num_q(), core_.num_v());
  dynamics::CalcN<T>(core_.model(), core_.PositionsOf(context), N);
  return ToSparse(N);
}

template <typename T>
Eigen::SparseMatrix<T> PlantKinematics<T>::MakeQDotToVelocityMap(
    const Context<T>& context) const {
  core_.tree().RequireFinalized("MakeQDotToVelocityMap");
  MatrixX<T> Nplus = MatrixX<T>::Zero(core_.num_v(), core_.num_q());
  dynamics::CalcNPlus<T>(core_.model(), core_.PositionsOf(context), Nplus);
  return ToSparse(Nplus);
}

template <typename T>
bool PlantKinematics<T>::IsVelocityEqualToQDot() const {
  return std::ranges::all_of(
      core_.tree().model("IsVelocityEqualToQDot").bodies,
      [](const dynamics::Model::Body& body) {
        return dynamics::TraitsOf(body.type).velocity_is_qdot();
      });
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantKinematics);
