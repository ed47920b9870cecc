#pragma once

#include <array>

#include "examples/support/servo_slider.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::examples {

/** A hand that a motor moves along z, and two fingers that motors move along x
towards each other; bodies of 0.2 kg. */
class ServoGripper {
 public:
  static constexpr double kBodyMass = 0.2;  // [kg]

  /** The hand is at the height z [m]; fingers are at x and -x. */
  ServoGripper(double x, double z, const Servo& hand, const Servo& finger,
               multibody::MultibodyPlant<double>* plant);

  /** Right and left. */
  const std::array<const multibody::RigidBody<double>*, 2>& fingers() const {
    return fingers_;
  }

  /** Fixes what the motors are to do: rise by so much, close by so much [m]. */
  void Hold(double rise, double closing,
            systems::Context<double>* plant_context) const;

  /** Closes by that in 0.5 s, then rises by that in 1 s, and waits for 1 s. */
  void CloseAndRise(double closing, double rise,
                    systems::Simulator<double>* simulator) const;

  /** The weight that the hand's motor carries besides the gripper's own [N], at
  rest after Hold(rise, ...): by how far the hand sags below it. */
  double CalcLoad(double rise,
                  const systems::Context<double>& plant_context) const;

 private:
  const multibody::MultibodyPlant<double>& plant_;
  const double height_;
  const double stiffness_;
  const multibody::RigidBody<double>* hand_{};
  std::array<const multibody::RigidBody<double>*, 2> fingers_{};
};

}  // namespace wyvern::examples
