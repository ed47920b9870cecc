#include "wyvern/multibody/tree/screw_joint.h"

#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
ScrewJoint<T>::ScrewJoint(const std::string& name,
                          const Frame<T>& frame_on_parent,
                          const Frame<T>& frame_on_child, double screw_pitch,
                          double damping)
    : ScrewJoint(name, frame_on_parent, frame_on_child,
                 Vector3<double>::UnitZ(), screw_pitch, damping) {}

template <typename T>
ScrewJoint<T>::ScrewJoint(const std::string& name,
                          const Frame<T>& frame_on_parent,
                          const Frame<T>& frame_on_child,
                          const Vector3<double>& axis, double screw_pitch,
                          double damping)
    : internal::TypedJoint<ScrewJoint, T, internal::SingleAxisJoint<T>>(
          dynamics::MobilizerType::kScrew, name, frame_on_parent,
          frame_on_child, axis, -std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::infinity(), damping),
      pitch_(screw_pitch) {
  internal::RequireFinite(internal::Caller::Element("ScrewJoint", name),
                          "pitch", screw_pitch);
}

template <typename T>
double ScrewJoint<T>::metres_per_radian() const {
  return pitch_ / (2 * std::numbers::pi);
}

template <typename T>
double ScrewJoint<T>::radians_per_metre() const {
  if (pitch_ == 0) {
    throw std::logic_error(fmt::format(
        "ScrewJoint: joint '{}' has the pitch 0, so that no angle gives a "
        "translation; set its rotation.",
        this->name()));
  }
  return 2 * std::numbers::pi / pitch_;
}

template <typename T>
const ScrewJoint<T>& ScrewJoint<T>::set_translation(
    systems::Context<T>* context, const T& z) const {
  return set_rotation(context, z * radians_per_metre());
}

template <typename T>
const ScrewJoint<T>& ScrewJoint<T>::set_translational_velocity(
    systems::Context<T>* context, const T& vz) const {
  return set_angular_velocity(context, vz * radians_per_metre());
}

template <typename T>
void ScrewJoint<T>::set_default_translation(const double& z) {
  set_default_rotation(z * radians_per_metre());
}

template <typename T>
ScrewJoint<T>::~ScrewJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::ScrewJoint);
