#pragma once

#include <complex>
#include <string>

#include "wyvern/multibody/constraint_sets/constraint_set.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::examples {

/** A thin rod from a hinge about z at p_PJ of its parent, along its own x. */
const multibody::RigidBody<double>& AddRod(
    multibody::MultibodyPlant<double>* plant, const std::string& name,
    const multibody::RigidBody<double>& parent, const Eigen::Vector3d& p_PJ,
    double length, double mass);

/** Points of two bodies that meet in the x-y plane: two rows, their multipliers
the force on the second body, in the axes of the first. */
void AddPin(multibody::ConstraintSet<double>* set, const std::string& name,
            const multibody::RigidBody<double>& first,
            const Eigen::Vector3d& p_1,
            const multibody::RigidBody<double>& second,
            const Eigen::Vector3d& p_2);

/** Sets positions near a guess and velocities near v that meet the constraints,
changing only what has weight 0 if that will do.
@throws std::runtime_error, naming what is not met, if there are none. */
void Assemble(const multibody::MultibodyPlant<double>& plant,
              const Eigen::VectorXd& guess, const Eigen::VectorXd& v,
              const Eigen::VectorXd& weights,
              multibody::ConstraintSet<double>* set,
              systems::Context<double>* context);

/** The point at distance r from p and s from q, on the left of the way from p
to q. */
std::complex<double> Meet(std::complex<double> p, double r,
                          std::complex<double> q, double s);

/** A four-bar linkage of thin rods in closed form: crank a from 0, coupler b
from its end A, rocker c from d on the real axis, ends of b and c together. */
struct FourBarClosedForm {
  /** @param t, t1, t2 The crank's angle, rate and acceleration, rad and s. */
  FourBarClosedForm(double a, double b, double c, double d, double t, double t1,
                    double t2, double density, double gravity);

  double coupler, rocker;                            // Angles to x, rad.
  double coupler_rate, rocker_rate;                  // rad/s
  double coupler_acceleration, rocker_acceleration;  // rad/s^2
  std::complex<double> pin_force;                    // On the rocker's end, N.
  double motor_torque;                               // On the crank, N m.
};

}  // namespace wyvern::examples
