#include "wyvern/multibody/tree/floating_joint.h"

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

VectorX<double> MakeDamping(double angular, double translational) {
  VectorX<double> damping(6);
  damping.head<3>().setConstant(angular);
  damping.tail<3>().setConstant(translational);
  return damping;
}

constexpr char kSetter[] = "FloatingJoint: a setter";

}  // namespace

template <typename T>
FloatingJoint<T>::FloatingJoint(dynamics::MobilizerType mobilizer_type,
                                const std::string& name,
                                const Frame<T>& frame_on_parent,
                                const Frame<T>& frame_on_child,
                                double angular_damping,
                                double translational_damping)
    : Joint<T>(mobilizer_type, name, frame_on_parent, frame_on_child,
               MakeDamping(angular_damping, translational_damping)) {}

template <typename T>
FloatingJoint<T>::~FloatingJoint() = default;

template <typename T>
Vector3<T> FloatingJoint<T>::get_translation(const Context<T>& context) const {
  return this->GetPositions(context).template tail<3>();
}

template <typename T>
Vector3<T> FloatingJoint<T>::get_angular_velocity(
    const Context<T>& context) const {
  return this->GetVelocities(context).template head<3>();
}

template <typename T>
Vector3<T> FloatingJoint<T>::get_translational_velocity(
    const Context<T>& context) const {
  return this->GetVelocities(context).template tail<3>();
}

template <typename T>
void FloatingJoint<T>::set_default_translation(const Vector3<double>& p_FM) {
  VectorX<double> q = this->default_positions();
  q.tail<3>() = p_FM;
  this->set_default_positions(q);
}

template <typename T>
void FloatingJoint<T>::SetTranslationPart(Context<T>* context,
                                          const Vector3<T>& p_FM) const {
  VectorX<T> q = this->GetPositions(Deref(context, kSetter));
  q.template tail<3>() = p_FM;
  this->SetPositions(context, q);
}

template <typename T>
void FloatingJoint<T>::SetAngularVelocityPart(Context<T>* context,
                                              const Vector3<T>& w_FM) const {
  VectorX<T> v = this->GetVelocities(Deref(context, kSetter));
  v.template head<3>() = w_FM;
  this->SetVelocities(context, v);
}

template <typename T>
void FloatingJoint<T>::SetTranslationalVelocityPart(
    Context<T>* context, const Vector3<T>& v_FM) const {
  VectorX<T> v = this->GetVelocities(Deref(context, kSetter));
  v.template tail<3>() = v_FM;
  this->SetVelocities(context, v);
}

template <typename T>
VectorX<T> FloatingJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return V_FM.get_coeffs();
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::FloatingJoint);
