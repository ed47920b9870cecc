#include "wyvern/multibody/tree/multibody_forces.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

MultibodyForces<double> MakeForces(double value) {
  MultibodyForces<double> forces(2, 3);
  forces.mutable_generalized_forces().setConstant(value);
  forces.mutable_body_forces()[1] = SpatialForce<double>(
      Vector3<double>::Zero(), Vector3<double>::Constant(value));
  return forces;
}

TEST(MultibodyForces, StartAtZero) {
  const MultibodyForces<double> forces(2, 3);
  EXPECT_EQ(forces.num_bodies(), 2);
  EXPECT_EQ(forces.num_velocities(), 3);
  EXPECT_EQ(forces.generalized_forces().norm(), 0);
  EXPECT_EQ(forces.body_forces()[1].get_coeffs().norm(), 0);
}

TEST(MultibodyForces, AddAndGoBackToZero) {
  MultibodyForces<double> forces = MakeForces(1);
  forces.AddInForces(MakeForces(2));
  EXPECT_EQ(forces.generalized_forces()[2], 3);
  EXPECT_EQ(forces.body_forces()[1].translational()[0], 3);
  forces.SetZero();
  EXPECT_EQ(forces.generalized_forces().norm(), 0);
  EXPECT_EQ(forces.body_forces()[1].get_coeffs().norm(), 0);
}

TEST(MultibodyForces, OfAnotherSizeAreNotAdded) {
  MultibodyForces<double> forces(2, 3);
  EXPECT_THROWS_MESSAGE(forces.AddInForces(MultibodyForces<double>(4, 3)),
                        std::logic_error, "4 bodies");
}

}  // namespace
}  // namespace wyvern::multibody
