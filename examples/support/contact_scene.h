#pragma once

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::examples {

/** Gives the world a floor, z < 0. */
void AddFloor(const multibody::CoulombFriction<double>& friction,
              multibody::MultibodyPlant<double>* plant);
/** Gives the world a floor and thick walls at x, y = ±half, up to `height`. */
void AddBin(double half, double height,
            const multibody::CoulombFriction<double>& friction,
            multibody::MultibodyPlant<double>* plant);
/** Adds a free body "body<i>" of about radius r: in turn a ball, a box, a
cylinder, a capsule and an ellipsoid. */
const multibody::RigidBody<double>& AddMixedShape(
    int i, double mass, double r,
    const multibody::CoulombFriction<double>& friction,
    multibody::MultibodyPlant<double>* plant);
/** The sum of all contact forces on a body, as the plant's port of contact
results has them, [N]. */
Vector3<double> CalcContactForce(const multibody::MultibodyPlant<double>& plant,
                                 const systems::Context<double>& plant_context,
                                 const multibody::RigidBody<double>& body);

}  // namespace wyvern::examples
