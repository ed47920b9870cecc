#pragma once

/** @file
Small plants for tests. */

#include <memory>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody::test {

/** A body of `mass` whose centre of mass is at p_BoBcm, with moments of inertia
`moment` about every axis through it. */
inline SpatialInertia<double> MakeInertia(double mass,
                                          const Vector3<double>& p_BoBcm,
                                          double moment) {
  return SpatialInertia<double>::MakeFromCentralInertia(
      mass, p_BoBcm, RotationalInertia<double>(moment, moment, moment));
}

/** A pendulum about the world's y: 2 kg, half a metre below the hinge, 0.02 kg
m² about its centre of mass. */
struct Pendulum {
  static constexpr double kMass = 2;
  static constexpr double kLength = 0.5;
  static constexpr double kMoment = 0.02 + kMass * kLength * kLength;
  static constexpr double kGravity = 9.81;

  explicit Pendulum(double time_step, double damping = 0) : plant(time_step) {
    body =
        &plant.AddRigidBody("bob", MakeInertia(kMass, {0, 0, -kLength}, 0.02));
    joint =
        &plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, *body,
                                       {}, Vector3<double>::UnitY(), damping);
  }

  MultibodyPlant<double> plant;
  const RigidBody<double>* body{};
  const RevoluteJoint<double>* joint{};
};

/** A slider along x, a hinge on it, and a free body; two model instances. */
struct CartPole {
  explicit CartPole(double time_step) : plant(time_step) {
    instance = plant.AddModelInstance("cart_pole");
    loose = plant.AddModelInstance("loose");
    cart = &plant.AddRigidBody("cart", instance,
                               MakeInertia(1, Vector3<double>::Zero(), 0.1));
    pole = &plant.AddRigidBody("pole", instance,
                               MakeInertia(0.5, {0, 0, 0.3}, 0.01));
    stone = &plant.AddRigidBody("stone", loose,
                                MakeInertia(3, {0.1, 0.2, 0.3}, 0.4));
    slider = &plant.AddJoint<PrismaticJoint>(
        "slider", plant.world_body(), {}, *cart, {}, Vector3<double>::UnitX());
    hinge = &plant.AddJoint<RevoluteJoint>(
        "hinge", *cart,
        math::RigidTransform<double>(Vector3<double>(0, 0, 0.1)), *pole, {},
        Vector3<double>::UnitY());
    plant.AddJointActuator("push", *slider, 20);
    plant.AddJointActuator("twist", *hinge, 5);
  }

  MultibodyPlant<double> plant;
  ModelInstanceIndex instance;
  ModelInstanceIndex loose;
  const RigidBody<double>* cart{};
  const RigidBody<double>* pole{};
  const RigidBody<double>* stone{};
  const PrismaticJoint<double>* slider{};
  const RevoluteJoint<double>* hinge{};
};

}  // namespace wyvern::multibody::test
