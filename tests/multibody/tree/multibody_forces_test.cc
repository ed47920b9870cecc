#include "wyvern/multibody/tree/multibody_forces.h"

#include <stdexcept>
#include <string>

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

TEST(MultibodyForces, OnABodyThatIsNotThereAreRefused) {
  MultibodyForces<double> forces(2, 3);
  const SpatialForce<double> F(Vector3<double>::Ones(),
                               Vector3<double>::Ones());
  for (const int body : {-1, 2, 1000000}) {
    EXPECT_THROWS_MESSAGE(forces.AddBodyForce(body, F), std::out_of_range,
                          "there is no body " + std::to_string(body) +
                              "; these are forces on 2 bodies");
  }
  forces.AddBodyForce(1, F);
  EXPECT_EQ(forces.body_forces()[1].rotational()[0], 1);
}

TEST(MultibodyForces, OfNegativeNumbersAreRefused) {
  EXPECT_THROWS_MESSAGE(MultibodyForces<double>(-1, 3), std::logic_error,
                        "the number of bodies is -1");
  EXPECT_THROWS_MESSAGE(MultibodyForces<double>(1, -3), std::logic_error,
                        "the number of velocities is -3");
}

TEST(MultibodyForces, KnowWhetherGravityIsAmongThem) {
  MultibodyForces<double> forces(2, 3), sum(2, 3);
  forces.NoteGravity();
  sum.AddInForces(forces);
  EXPECT_TRUE(sum.has_gravity());
  EXPECT_TRUE(MultibodyForces<double>(sum).has_gravity());
  EXPECT_FALSE(sum.SetZero().has_gravity());
}

}  // namespace
}  // namespace wyvern::multibody
