#include "wyvern/multibody/tree/rigid_body.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/default_scalars.h"

/* A body's mass properties and motion. Mass, p_BoBcm_B and the unit inertia
G_BBo_B are one parameter of the Context, ten numbers; setters check that a
body can have them (math/inertia_validity.h). Poses, velocities and
accelerations are looked up in the cache; at the centre of mass they are
shifted by p_BoBcm. */

namespace wyvern::multibody {

using internal::Deref;
using systems::Context;

namespace {

// The parameter's layout: mass, p_BoBcm_B, and the unit inertia G_BBo_B as
// xx yy zz xy xz yz.
constexpr int kInertiaSize = 10;

template <typename T, typename U>
VectorX<T> InertiaToVector(const SpatialInertia<U>& M) {
  const Vector3<U> moments = M.get_unit_inertia().get_moments();
  const Vector3<U> products = M.get_unit_inertia().get_products();
  VectorX<T> result(kInertiaSize);
  result[0] = T(M.get_mass());
  for (int i = 0; i < 3; ++i) {
    result[1 + i] = T(M.get_com()[i]);
    result[4 + i] = T(moments[i]);
    result[7 + i] = T(products[i]);
  }
  return result;
}

template <typename T>
SpatialInertia<T> VectorToInertia(const VectorX<T>& p) {
  const auto G = RotationalInertia<T>::MakeFromMomentsAndProductsOfInertia(
      p[4], p[5], p[6], p[7], p[8], p[9], /* skip_validity_check */ true);
  return SpatialInertia<T>(p[0], Vector3<T>(p.template segment<3>(1)),
                           UnitInertia<T>(G), /* skip_validity_check */ true);
}

// As of a body of a planar model, which turns about one axis alone: no solid
// has two central moments of 0 and a third that is not.
template <typename T>
bool HasOneMoment(const SpatialInertia<T>& M) {
  const double mass = ToDouble(M.get_mass());
  const Eigen::Vector3d p = ToDouble(M.get_com());
  const Eigen::Matrix3d G =
      ToDouble(Matrix3<T>(M.get_unit_inertia().CopyToFullMatrix3()));
  if (!(mass >= 0 && std::isfinite(mass) && p.allFinite() && G.allFinite())) {
    return false;
  }
  const Eigen::Matrix3d G_cm =
      G - (p.squaredNorm() * Eigen::Matrix3d::Identity() - p * p.transpose());
  const Eigen::Vector3d moments =
      internal::CalcPrincipalMomentsAndAxes(G_cm).first;
  const double tolerance = internal::kInertiaRelativeTolerance * G.trace();
  return std::abs(moments[0]) <= tolerance &&
         std::abs(moments[1]) <= tolerance && moments[2] >= 0;
}

// SpatialInertia::NaN(), of which no number is known.
bool IsPlaceholder(const SpatialInertia<double>& M) {
  return M.CopyToFullMatrix6().array().isNaN().all() &&
         M.get_com().array().isNaN().all() && std::isnan(M.get_mass());
}

}  // namespace

template <typename T>
RigidBody<T>::RigidBody(const std::string& body_name,
                        ModelInstanceIndex model_instance,
                        const SpatialInertia<double>& M_BBo_B)
    : RigidBody(Unnamed{}, internal::RequireElementName(body_name, "body"),
                model_instance, M_BBo_B) {}

template <typename T>
RigidBody<T>::RigidBody(const SpatialInertia<double>& M_BBo_B)
    : RigidBody(Unnamed{}, "", default_model_instance(), M_BBo_B) {}

template <typename T>
RigidBody<T>::RigidBody(Unnamed, const std::string& body_name,
                        ModelInstanceIndex model_instance,
                        const SpatialInertia<double>& M_BBo_B)
    : MultibodyElement<T>(model_instance),
      name_(body_name),
      default_inertia_(M_BBo_B),
      body_frame_(*this) {
  if (!IsPlaceholder(M_BBo_B) && !M_BBo_B.IsPhysicallyValid() &&
      !HasOneMoment(M_BBo_B)) {
    throw std::logic_error(fmt::format(
        "RigidBody(): the spatial inertia of body '{}' is not physical (mass "
        "{}); wanted is a finite mass >= 0 and principal moments >= 0 about "
        "the centre of mass of which none exceeds the sum of the other two, or "
        "of which two are 0, for a planar model.",
        name_, M_BBo_B.get_mass()));
  }
}

template <typename T>
RigidBody<T>::RigidBody(const std::string& body_name,
                        const SpatialInertia<double>& M_BBo_B)
    : RigidBody(body_name, default_model_instance(), M_BBo_B) {}

template <typename T>
RigidBody<T>::~RigidBody() = default;

template <typename T>
ScopedName RigidBody<T>::scoped_name() const {
  return ScopedName(
      this->get_parent_tree().GetModelInstanceName(this->model_instance()),
      name_);
}

template <typename T>
const T& RigidBody<T>::get_mass(const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(inertia_parameter_).value()[0];
}

template <typename T>
Vector3<T> RigidBody<T>::CalcCenterOfMassInBodyFrame(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(inertia_parameter_)
      .value()
      .template segment<3>(1);
}

template <typename T>
SpatialInertia<T> RigidBody<T>::CalcSpatialInertiaInBodyFrame(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return VectorToInertia<T>(
      context.get_numeric_parameter(inertia_parameter_).value());
}

template <typename T>
void RigidBody<T>::SetMass(Context<T>* context, const T& mass) const {
  const SpatialInertia<T> M =
      CalcSpatialInertiaInBodyFrame(Deref(context, "RigidBody::SetMass"));
  SetInertia(context,
             SpatialInertia<T>(mass, M.get_com(), M.get_unit_inertia(), true));
}

template <typename T>
void RigidBody<T>::SetCenterOfMassInBodyFrame(Context<T>* context,
                                              const Vector3<T>& com) const {
  const SpatialInertia<T> M = CalcSpatialInertiaInBodyFrame(
      Deref(context, "RigidBody::SetCenterOfMassInBodyFrame"));
  SetInertia(context,
             SpatialInertia<T>(M.get_mass(), com, M.get_unit_inertia(), true));
}

template <typename T>
void RigidBody<T>::SetCenterOfMassInBodyFrameAndPreserveCentralInertia(
    Context<T>* context, const Vector3<T>& center_of_mass_position) const {
  const SpatialInertia<T> M = CalcSpatialInertiaInBodyFrame(
      Deref(context,
            "RigidBody::SetCenterOfMassInBodyFrameAndPreserveCentralInertia"));
  const UnitInertia<T> G_Bcm =
      M.get_unit_inertia().ShiftToCenterOfMass(M.get_com());
  const UnitInertia<T> G_Bo =
      G_Bcm.ShiftFromCenterOfMass(-center_of_mass_position);
  SetInertia(context, SpatialInertia<T>(M.get_mass(), center_of_mass_position,
                                        G_Bo, true));
}

template <typename T>
void RigidBody<T>::SetSpatialInertiaInBodyFrame(
    Context<T>* context, const SpatialInertia<T>& M_Bo_B) const {
  this->ValidateContext(
      Deref(context, "RigidBody::SetSpatialInertiaInBodyFrame"));
  SetInertia(context, M_Bo_B);
}

template <typename T>
void RigidBody<T>::SetInertia(Context<T>* context,
                              const SpatialInertia<T>& M_Bo_B) const {
  const VectorX<T> values = InertiaToVector<T>(M_Bo_B);
  internal::RequireFinite(internal::Caller::Element("RigidBody", name_),
                          "spatial inertia", values);
  if (!M_Bo_B.IsPhysicallyValid() && !HasOneMoment(M_Bo_B)) {
    throw std::logic_error(fmt::format(
        "RigidBody '{}': the spatial inertia given is not physical (mass {}).",
        name_, ToDouble(M_Bo_B.get_mass())));
  }
  context->get_mutable_numeric_parameter(inertia_parameter_)
      .SetFromVector(values);
}

template <typename T>
const math::RigidTransform<T>& RigidBody<T>::EvalPoseInWorld(
    const Context<T>& context) const {
  return this->GetParentTreeSystem().EvalBodyPoses(context)[index_];
}

template <typename T>
const SpatialVelocity<T>& RigidBody<T>::EvalSpatialVelocityInWorld(
    const Context<T>& context) const {
  return this->GetParentTreeSystem().EvalBodyVelocities(context)[index_];
}

template <typename T>
const SpatialAcceleration<T>& RigidBody<T>::EvalSpatialAccelerationInWorld(
    const Context<T>& context) const {
  return this->GetParentTreeSystem().EvalBodyAccelerations(context)[index_];
}

template <typename T>
Vector3<T> RigidBody<T>::CalcCenterOfMassTranslationalVelocityInWorld(
    const Context<T>& context) const {
  const Vector3<T> p_BoBcm_W = EvalPoseInWorld(context).rotation() *
                               CalcCenterOfMassInBodyFrame(context);
  return EvalSpatialVelocityInWorld(context).Shift(p_BoBcm_W).translational();
}

template <typename T>
Vector3<T> RigidBody<T>::CalcCenterOfMassTranslationalAccelerationInWorld(
    const Context<T>& context) const {
  const Vector3<T> p_BoBcm_W = EvalPoseInWorld(context).rotation() *
                               CalcCenterOfMassInBodyFrame(context);
  const Vector3<T> w_WB_W = EvalSpatialVelocityInWorld(context).rotational();
  return EvalSpatialAccelerationInWorld(context)
      .Shift(p_BoBcm_W, w_WB_W)
      .translational();
}

template <typename T>
const SpatialForce<T>& RigidBody<T>::GetForceInWorld(
    const Context<T>& context, const MultibodyForces<T>& forces) const {
  this->ValidateContext(context);
  forces.RequireSizeFor(this->get_parent_tree(), "RigidBody::GetForceInWorld");
  return forces.body_forces()[index_];
}

template <typename T>
void RigidBody<T>::AddInForceInWorld(const Context<T>& context,
                                     const SpatialForce<T>& F_Bo_W,
                                     MultibodyForces<T>* forces) const {
  this->ValidateContext(context);
  Deref(forces, "RigidBody::AddInForceInWorld")
      .RequireSizeFor(this->get_parent_tree(), "RigidBody::AddInForceInWorld");
  internal::RequireFinite("RigidBody::AddInForceInWorld", "F_Bo_W",
                          F_Bo_W.get_coeffs());
  forces->AddBodyForce(index_, F_Bo_W);
}

template <typename T>
void RigidBody<T>::AddInForce(const Context<T>& context,
                              const Vector3<T>& p_BP_E,
                              const SpatialForce<T>& F_Bp_E,
                              const Frame<T>& frame_E,
                              MultibodyForces<T>* forces) const {
  const math::RotationMatrix<T> R_WE =
      frame_E.CalcRotationMatrixInWorld(context);
  const Vector3<T> p_PB_W = -(R_WE * p_BP_E);
  AddInForceInWorld(context, (R_WE * F_Bp_E).Shift(p_PB_W), forces);
}

template <typename T>
const Joint<T>& RigidBody<T>::inboard_joint(const char* function) const {
  const Joint<T>* joint =
      this->get_parent_tree().FindInboardJoint(index_, function);
  if (joint == nullptr) {
    throw std::logic_error(fmt::format(
        "RigidBody::{}(): the world body has no joint that moves it.",
        function));
  }
  return *joint;
}

template <typename T>
bool RigidBody<T>::is_floating() const {
  const Joint<T>* joint =
      this->get_parent_tree().FindInboardJoint(index_, "is_floating");
  if (joint == nullptr || joint->num_velocities() != 6) return false;
  return joint->parent_body().index() == world_index() ||
         joint->child_body().index() == world_index();
}

template <typename T>
bool RigidBody<T>::has_quaternion_dofs() const {
  const Joint<T>* joint =
      this->get_parent_tree().FindInboardJoint(index_, "has_quaternion_dofs");
  return joint != nullptr && joint->mobilizer_traits().has_quaternion;
}

template <typename T>
const Joint<T>& RigidBody<T>::floating_joint(const char* function) const {
  if (!is_floating()) {
    throw std::logic_error(fmt::format(
        "RigidBody::{}(): body '{}' is not floating; only a body that a six "
        "degree of freedom joint ties to the world is.",
        function, name_));
  }
  return inboard_joint(function);
}

template <typename T>
int RigidBody<T>::floating_positions_start() const {
  return floating_joint("floating_positions_start").position_start();
}

template <typename T>
int RigidBody<T>::floating_velocities_start_in_v() const {
  return floating_joint("floating_velocities_start_in_v").velocity_start();
}

template <typename T>
std::string RigidBody<T>::floating_position_suffix(
    int position_index_in_body) const {
  return floating_joint("floating_position_suffix")
      .position_suffix(position_index_in_body);
}

template <typename T>
std::string RigidBody<T>::floating_velocity_suffix(
    int velocity_index_in_body) const {
  return floating_joint("floating_velocity_suffix")
      .velocity_suffix(velocity_index_in_body);
}

template <typename T>
void RigidBody<T>::Lock(Context<T>* context) const {
  inboard_joint("Lock").Lock(context);
}

template <typename T>
void RigidBody<T>::Unlock(Context<T>* context) const {
  inboard_joint("Unlock").Unlock(context);
}

template <typename T>
bool RigidBody<T>::is_locked(const Context<T>& context) const {
  return inboard_joint("is_locked").is_locked(context);
}

template <typename T>
BodyNodeIndex RigidBody<T>::get_node_index() const {
  this->get_parent_tree().RequireFinalized("get_node_index");
  return BodyNodeIndex(this->get_parent_tree().model_body(index_));
}

template <typename T>
const SpatialAcceleration<T>& RigidBody<T>::get_from_spatial_acceleration_array(
    const std::vector<SpatialAcceleration<T>>& A_WB_array) const {
  internal::RequireSize("RigidBody::get_from_spatial_acceleration_array",
                        "A_WB_array", A_WB_array.size(),
                        this->get_parent_tree().num_bodies());
  const BodyNodeIndex node = get_node_index();
  // With shadows of bodies in loops, there are more nodes than bodies.
  if (node >= static_cast<int>(A_WB_array.size())) {
    throw std::out_of_range(fmt::format(
        "RigidBody::get_from_spatial_acceleration_array(): body '{}' is at {} "
        "in the compiled order, beyond the {} of A_WB_array; index what "
        "CalcSpatialAccelerationsFromVdot() gives by index().",
        name_, static_cast<int>(node), A_WB_array.size()));
  }
  return A_WB_array[node];
}

template <typename T>
void RigidBody<T>::DoDeclareParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  inertia_parameter_ = this->DeclareNumericParameter(
      tree_system,
      systems::BasicVector<T>(InertiaToVector<T>(default_inertia_)));
}

template <typename T>
void RigidBody<T>::DoSetDefaultParameters(
    systems::Parameters<T>* parameters) const {
  parameters->get_mutable_numeric_parameter(inertia_parameter_)
      .SetFromVector(InertiaToVector<T>(default_inertia_));
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::RigidBody);
