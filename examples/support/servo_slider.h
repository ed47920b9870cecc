#pragma once

#include <string>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::examples {

/** Drive of a slider: gains of its PD controller and its effort limit. */
struct Servo {
  double p{};       // [N/m]
  double d{};       // [N s/m]
  double effort{};  // [N]
};

/** Adds a body that slides along an axis of a frame fixed in its parent, and a
servo motor that drives it; body, joint and motor have the same name. */
const multibody::RigidBody<double>& AddServoSlider(
    const std::string& name, const multibody::RigidBody<double>& parent,
    const math::RigidTransform<double>& X_PF, const Vector3<double>& axis,
    const multibody::SpatialInertia<double>& M_BBo_B, const Servo& servo,
    multibody::MultibodyPlant<double>* plant);

}  // namespace wyvern::examples
