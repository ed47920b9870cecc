#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* A bushing between frames A and C, by the formulas in the header. B is half
way in rotation: its quaternion is that of R_AC plus 1, normalized. Forces
are those of K and D on the position in B and on roll, pitch and yaw; a
torque t with t·w = τ·q̇ is N⁻ᵀ τ for the matrix N of w = N q̇, and does not
exist in gimbal lock. */

namespace wyvern::multibody {

using math::RigidTransform;
using math::RotationMatrix;
using systems::Context;

namespace {

constexpr const char* kConstants[] = {
    "torque stiffness constants", "torque damping constants",
    "force stiffness constants", "force damping constants"};

void RequireConstants(const Vector3<double>& value, const std::string& name,
                      const char* what) {
  internal::RequireNonNegative(
      internal::Caller::Element("LinearBushingRollPitchYaw", name), what,
      value);
}

}  // namespace

// Where the frames are.
template <typename T>
struct LinearBushingRollPitchYaw<T>::Shape {
  RigidTransform<T> X_WA;
  RigidTransform<T> X_WC;
  Vector3<T> p_AoCo_A;
  RotationMatrix<T> R_AB;
  // R_AB's axis times the tangent of half its angle.
  Vector3<T> tangent;
  Vector3<T> x;
  math::RollPitchYaw<T> rpy{T(0), T(0), T(0)};
};

template <typename T>
struct LinearBushingRollPitchYaw<T>::Motion {
  Vector3<T> w_AC_A;
  Vector3<T> v_ACo_A;
  Vector3<T> x_rate;
  Vector3<T> rpy_rate;
};

template <typename T>
struct LinearBushingRollPitchYaw<T>::Forces {
  Vector3<T> f_A;  // On C, at Bo.
  Vector3<T> t_A;  // On C.
};

template <typename T>
LinearBushingRollPitchYaw<T>::LinearBushingRollPitchYaw(
    const Frame<T>& frameA, const Frame<T>& frameC,
    const Vector3<double>& torque_stiffness_constants,
    const Vector3<double>& torque_damping_constants,
    const Vector3<double>& force_stiffness_constants,
    const Vector3<double>& force_damping_constants)
    : internal::TypedForceElement<LinearBushingRollPitchYaw, T>(
          frameC.model_instance()),
      frameA_(frameA),
      frameC_(frameC),
      defaults_{torque_stiffness_constants, torque_damping_constants,
                force_stiffness_constants, force_damping_constants} {
  const std::string name =
      fmt::format("{} to {}", frameA.name(), frameC.name());
  for (int i = 0; i < 4; ++i)
    RequireConstants(defaults_[i], name, kConstants[i]);
}

template <typename T>
LinearBushingRollPitchYaw<T>::~LinearBushingRollPitchYaw() = default;

template <typename T>
const RigidBody<T>& LinearBushingRollPitchYaw<T>::link0() const {
  return frameA_.body();
}

template <typename T>
const RigidBody<T>& LinearBushingRollPitchYaw<T>::link1() const {
  return frameC_.body();
}

template <typename T>
Vector3<T> LinearBushingRollPitchYaw<T>::Get(const Context<T>& context,
                                             Constants which) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(parameters_[which]).value();
}

template <typename T>
void LinearBushingRollPitchYaw<T>::Set(Context<T>* context, Constants which,
                                       const Vector3<T>& value) const {
  this->ValidateContext(
      internal::Deref(context, "LinearBushingRollPitchYaw: a setter"));
  RequireConstants(
      value.unaryExpr([](const T& x) { return wyvern::internal::NumberIn(x); }),
      fmt::format("{} to {}", frameA_.name(), frameC_.name()),
      kConstants[which]);
  context->get_mutable_numeric_parameter(parameters_[which])
      .SetFromVector(value);
}

// With the quaternion (w, u) of R_AC, w >= 0, that of half the angle is
// (1 + w, u) but for its length.
template <typename T>
typename LinearBushingRollPitchYaw<T>::Shape
LinearBushingRollPitchYaw<T>::CalcShape(
    const internal::ForceState<T>& state) const {
  const auto& system = this->GetParentTreeSystem();
  const auto pose = [&](const Frame<T>& frame) {
    return system.BodyPose(state.pc, frame.body().index()) *
           system.EvalFramePoses(state.context)[frame.index()];
  };
  Shape shape;
  shape.X_WA = pose(frameA_);
  shape.X_WC = pose(frameC_);
  const RotationMatrix<T> R_AC =
      shape.X_WA.rotation().inverse() * shape.X_WC.rotation();
  Quaternion<T> q = R_AC.ToQuaternion();
  using wyvern::internal::MayHold;
  if (!MayHold(q.w() >= 0)) q.coeffs() = -q.coeffs();
  q.w() += 1.0;
  shape.tangent = q.vec() / q.w();
  shape.R_AB = RotationMatrix<T>(q);
  shape.p_AoCo_A =
      shape.X_WA.rotation().inverse() *
      Vector3<T>(shape.X_WC.translation() - shape.X_WA.translation());
  shape.x = shape.R_AB.inverse() * shape.p_AoCo_A;
  shape.rpy = math::RollPitchYaw<T>(R_AC);
  return shape;
}

template <typename T>
typename LinearBushingRollPitchYaw<T>::Motion
LinearBushingRollPitchYaw<T>::CalcMotion(const internal::ForceState<T>& state,
                                         const Shape& shape) const {
  const auto& system = this->GetParentTreeSystem();
  if (shape.rpy.DoesPitchAngleViolateGimbalLockTolerance()) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': the LinearBushingRollPitchYaw from frame '{}' of "
        "body '{}' to frame '{}' of body '{}' is bent to a pitch of {:.4f} "
        "degree, in gimbal lock: rates of roll and yaw, and its torque, do not "
        "exist within {:.2g} degree of ±90. Make it stiffer about y, or turn "
        "its frames so that it bends about x or z.",
        system.GetSystemPathname(), frameA_.name(), link0().name(),
        frameC_.name(), link1().name(),
        ToDouble(shape.rpy.pitch_angle()) * 180 / M_PI,
        math::RollPitchYaw<T>::GimbalLockPitchAngleTolerance() * 180 / M_PI));
  }
  const auto velocity = [&](const Frame<T>& frame) {
    return dynamics::CalcPointVelocity<T>(
        system.model(), state.pc.nodes, state.vc->nodes,
        system.tree().model_body(frame.body().index()),
        shape.X_WC.translation());
  };
  // Relative velocity of the points of L0 and L1 that coincide with Co.
  const Vector6<T> V = velocity(frameC_) - velocity(frameA_);
  const RotationMatrix<T> R_AW = shape.X_WA.rotation().inverse();
  Motion motion;
  motion.w_AC_A = R_AW * Vector3<T>(V.template head<3>());
  motion.v_ACo_A = R_AW * Vector3<T>(V.template tail<3>());
  motion.x_rate =
      shape.R_AB.inverse() *
      Vector3<T>(motion.v_ACo_A - 0.5 * motion.w_AC_A.cross(shape.p_AoCo_A));
  motion.rpy_rate =
      shape.rpy.CalcRpyDtFromAngularVelocityInParent(motion.w_AC_A);
  return motion;
}

template <typename T>
typename LinearBushingRollPitchYaw<T>::Forces
LinearBushingRollPitchYaw<T>::CalcForces(const Context<T>& context,
                                         const Shape& shape,
                                         const Motion& motion) const {
  const Vector3<T> f_B =
      -Get(context, kForceStiffness).cwiseProduct(shape.x) -
      Get(context, kForceDamping).cwiseProduct(motion.x_rate);
  const Vector3<T> tau =
      -Get(context, kTorqueStiffness).cwiseProduct(shape.rpy.vector()) -
      Get(context, kTorqueDamping).cwiseProduct(motion.rpy_rate);
  const Matrix3<T> N =
      shape.rpy.CalcMatrixRelatingRpyDtToAngularVelocityInParent();
  return {shape.R_AB * f_B, N.transpose() * tau};
}

template <typename T>
typename LinearBushingRollPitchYaw<T>::Forces
LinearBushingRollPitchYaw<T>::CalcPresentForces(const Context<T>& context,
                                                Shape* shape) const {
  const auto& system = this->GetParentTreeSystem();
  const internal::PositionKinematicsCache<T> pc = system.EvalPositions(context);
  const internal::ForceState<T> state{context, pc,
                                      &system.EvalVelocities(context)};
  *shape = CalcShape(state);
  return CalcForces(context, *shape, CalcMotion(state, *shape));
}

template <typename T>
SpatialForce<T> LinearBushingRollPitchYaw<T>::CalcBushingSpatialForceOnFrameA(
    const Context<T>& context) const {
  Shape shape;
  const Forces forces = CalcPresentForces(context, &shape);
  const Vector3<T> p_AoBo_A = 0.5 * shape.p_AoCo_A;
  return SpatialForce<T>(-forces.t_A - p_AoBo_A.cross(forces.f_A), -forces.f_A);
}

template <typename T>
SpatialForce<T> LinearBushingRollPitchYaw<T>::CalcBushingSpatialForceOnFrameC(
    const Context<T>& context) const {
  Shape shape;
  const Forces forces = CalcPresentForces(context, &shape);
  const RotationMatrix<T> R_CA =
      shape.X_WC.rotation().inverse() * shape.X_WA.rotation();
  const Vector3<T> p_CoBo_A = -0.5 * shape.p_AoCo_A;
  return R_CA *
         SpatialForce<T>(forces.t_A + p_CoBo_A.cross(forces.f_A), forces.f_A);
}

template <typename T>
void LinearBushingRollPitchYaw<T>::DoRequireMembers(
    const internal::MultibodyTree<T>& tree) const {
  tree.RequireMember(frameA_, "AddForceElement");
  tree.RequireMember(frameC_, "AddForceElement");
}

template <typename T>
void LinearBushingRollPitchYaw<T>::AddForces(
    const internal::ForceState<T>& state, MultibodyForces<T>* forces) const {
  const auto& system = this->GetParentTreeSystem();
  const Shape shape = CalcShape(state);
  const Forces on_C =
      CalcForces(state.context, shape, CalcMotion(state, shape));
  const Vector3<T> f_W = shape.X_WA.rotation() * on_C.f_A;
  const Vector3<T> t_W = shape.X_WA.rotation() * on_C.t_A;
  const Vector3<T> p_WBo =
      0.5 * (shape.X_WA.translation() + shape.X_WC.translation());
  const auto add = [&](BodyIndex body, const T& sign) {
    const Vector3<T> p = p_WBo - system.BodyPose(state.pc, body).translation();
    forces->AddBodyForce(
        body, SpatialForce<T>(sign * (t_W + p.cross(f_W)), sign * f_W));
  };
  add(link0().index(), T(-1));
  add(link1().index(), T(1));
}

template <typename T>
T LinearBushingRollPitchYaw<T>::CalcEnergy(
    const internal::ForceState<T>& state) const {
  const Shape shape = CalcShape(state);
  const Vector3<T>& q = shape.rpy.vector();
  const Vector3<T> k_f = Get(state.context, kForceStiffness);
  const Vector3<T> k_t = Get(state.context, kTorqueStiffness);
  return 0.5 *
         (shape.x.dot(k_f.cwiseProduct(shape.x)) + q.dot(k_t.cwiseProduct(q)));
}

// Minus the rate of the energy; x really changes with w_AB, which is w_AC / 2
// and, with u the tangent, -u × w_AC / 2 besides: w_AC = (1 + R_AB) w_AB, for
// R_AC = R_AB R_AB.
template <typename T>
T LinearBushingRollPitchYaw<T>::CalcReleasedPower(
    const internal::ForceState<T>& state) const {
  const Shape shape = CalcShape(state);
  const Motion motion = CalcMotion(state, shape);
  const Vector3<T> extra_w_AB = -0.5 * shape.tangent.cross(motion.w_AC_A);
  const Vector3<T> x_rate =
      motion.x_rate -
      shape.R_AB.inverse() * Vector3<T>(extra_w_AB.cross(shape.p_AoCo_A));
  return -Get(state.context, kForceStiffness)
              .cwiseProduct(shape.x)
              .dot(x_rate) -
         Get(state.context, kTorqueStiffness)
             .cwiseProduct(shape.rpy.vector())
             .dot(motion.rpy_rate);
}

template <typename T>
T LinearBushingRollPitchYaw<T>::CalcOtherPower(
    const internal::ForceState<T>& state) const {
  const Shape shape = CalcShape(state);
  const Motion motion = CalcMotion(state, shape);
  const Forces forces = CalcForces(state.context, shape, motion);
  const T power = forces.f_A.dot(shape.R_AB * motion.x_rate) +
                  forces.t_A.dot(motion.w_AC_A);
  return power - CalcReleasedPower(state);
}

template <typename T>
void LinearBushingRollPitchYaw<T>::DoDeclareForceElementParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  for (int i = 0; i < 4; ++i) {
    parameters_[i] = this->DeclareNumericParameter(
        tree_system,
        systems::BasicVector<T>(VectorX<T>(defaults_[i].template cast<T>())));
  }
}

template <typename T>
void LinearBushingRollPitchYaw<T>::DoSetDefaultForceElementParameters(
    systems::Parameters<T>* parameters) const {
  for (int i = 0; i < 4; ++i) {
    parameters->get_mutable_numeric_parameter(parameters_[i])
        .SetFromVector(defaults_[i].template cast<T>());
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::LinearBushingRollPitchYaw);
