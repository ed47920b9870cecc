#pragma once

#include "wyvern/multibody/tree/medium_force.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** Coefficients of an EllipsoidDrag, without unit. */
struct EllipsoidDragCoefficients {
  double blunt{0.5};     ///< Drag of the projected area.
  double slender{0.25};  ///< Drag of the rest of the largest projected area.
  double angular{1.5};   ///< Drag of the swept ellipsoid.
  double kutta{1};       ///< Lift of a shape that is oblique to its velocity.
  double magnus{1};      ///< Lift of a shape that turns.
};

/** Returns whether a double holds the force on the ellipsoid at the speed 1
m/s, and the torque at 1 rad/s. */
bool IsFiniteEllipsoidDrag(const Vector3<double>& semi_axes,
                           const FluidMedium& medium,
                           const EllipsoidDragCoefficients& coefficients);

}  // namespace wyvern::multibody
