#pragma once

/** @file
The pin of a four-bar linkage as a ConstraintSet. */

#include "tests/multibody/plant/linkages.h"
#include "wyvern/multibody/constraint_sets/constraint_set.h"

namespace wyvern::multibody::test {

/** The coupler's end is at a point of the rocker's x axis: its end, unless
said otherwise. Two rows in the plane; bound. `repeats` of them. */
inline ConstraintSet<double> MakePin(const FourBar& linkage, int repeats = 1,
                                     double x_rocker = FourBar::kRocker,
                                     bool is_stabilized = false) {
  const math::RigidTransform<double> X_P(
      Vector3<double>(FourBar::kCoupler, 0, 0));
  const math::RigidTransform<double> X_S(Vector3<double>(x_rocker, 0, 0));
  ConstraintSet<double> set;
  for (int i = 0; i < repeats; ++i) {
    for (int axis : {3, 4}) {
      set.AddLoopConstraint(*linkage.coupler, *linkage.rocker, X_P, X_S,
                            Vector6<double>::Unit(axis), is_stabilized, 0.1,
                            "pin");
    }
  }
  set.Bind(linkage.plant);
  return set;
}

}  // namespace wyvern::multibody::test
