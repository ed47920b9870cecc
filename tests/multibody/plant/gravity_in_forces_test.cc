// Gravity in inverse dynamics: among the forces given, or asked for.
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace gravity_in_forces_test {

using dynamics::Gravity;
using test::CartPole;
using test::MakeInertia;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;
using Forces = MultibodyForces<double>;

// Rounding of numbers of order 10.
constexpr double kTolerance = 1e-12;

// A column by body.
MatrixX<double> BodyForces(const Forces& forces) {
  MatrixX<double> result(6, forces.num_bodies());
  for (int b = 0; b < forces.num_bodies(); ++b) {
    result.col(b) = forces.body_forces()[b].get_coeffs();
  }
  return result;
}

class GravityInForces : public testing::Test {
 protected:
  GravityInForces() {
    plant_.mutable_gravity_field().set_enabled(model_.loose, false);
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
    Move(0.3);
    vdot_ = VectorX<double>::LinSpaced(plant_.num_velocities(), 3, -1);
  }
  void Move(double by) {
    VectorX<double> q = plant_.GetPositions(*context_);
    for (int i = 0; i < q.size(); ++i) q[i] += by * (i + 1);
    plant_.SetPositions(context_.get(), q);
    plant_.SetVelocities(context_.get(), VectorX<double>::LinSpaced(
                                             plant_.num_velocities(), -1, 2));
  }
  Forces Elements(Gravity gravity = Gravity::kOn) const {
    Forces forces(plant_);
    plant_.CalcForceElementsContribution(*context_, &forces, gravity);
    EXPECT_EQ(forces.has_gravity(), gravity == Gravity::kOn);
    return forces;
  }
  VectorX<double> Tau(const Forces& forces,
                      Gravity gravity = Gravity::kOff) const {
    return plant_.CalcInverseDynamics(*context_, vdot_, forces, gravity);
  }

  CartPole model_{0};
  MultibodyPlant<double>& plant_{model_.plant};
  std::unique_ptr<systems::Context<double>> context_;
  VectorX<double> vdot_;
};

TEST_F(GravityInForces, IsTheWeightOfEachBody) {
  const Forces forces = Elements();
  EXPECT_EQ(forces.body_forces()[model_.cart->index()].translational()[2],
            -9.81);
  EXPECT_EQ(BodyForces(Elements(Gravity::kOff)).norm(), 0);
}

TEST_F(GravityInForces, CountsAsItDoesWhereItIsAskedFor) {
  const VectorX<double> expected = Tau(Elements());
  EXPECT_TRUE(
      Near(Tau(Elements(Gravity::kOff), Gravity::kOn), expected, kTolerance));
  EXPECT_GT((expected - Tau(Elements(Gravity::kOff))).norm(), 0.5);
  EXPECT_TRUE(Near(expected + plant_.CalcGravityGeneralizedForces(*context_),
                   Tau(Elements(Gravity::kOff)), kTolerance));
}

TEST_F(GravityInForces, CountsWithForcesOnBodies) {
  const SpatialForce<double> F(Vector3<double>(1, 2, 3),
                               Vector3<double>(4, 5, 6));
  Forces with = Elements(), without = Elements(Gravity::kOff);
  for (Forces* forces : {&with, &without}) {
    model_.pole->AddInForceInWorld(*context_, F, forces);
  }
  EXPECT_TRUE(Near(Tau(without, Gravity::kOn), Tau(with), kTolerance));
}

TEST_F(GravityInForces, IsOfTheStateAndMassesItWasCalculatedWith) {
  const Forces before = Elements();
  const MatrixX<double> expected = BodyForces(before);
  Move(0.2);
  EXPECT_GT((Tau(before) - Tau(Elements())).norm(), 0.1);
  model_.pole->SetMass(context_.get(), 7);
  EXPECT_EQ(BodyForces(before), expected);
  EXPECT_TRUE(Near(Tau(Elements()), Tau(Elements(Gravity::kOff), Gravity::kOn),
                   kTolerance));
}

TEST_F(GravityInForces, GoesWithCopiesAndSums) {
  const MatrixX<double> expected = BodyForces(Elements());
  Forces first = Elements();
  const Forces copy = first;
  Forces sum = Elements();
  sum.AddInForces(first);
  const Forces moved = std::move(first);
  EXPECT_EQ(BodyForces(copy), expected);
  EXPECT_EQ(BodyForces(moved), expected);
  EXPECT_TRUE(Near(BodyForces(sum), 2 * expected, kTolerance));
  Forces none = Elements();
  none.SetZero();
  EXPECT_EQ(BodyForces(none).norm(), 0);
}

TEST_F(GravityInForces, TwiceIsRefused) {
  EXPECT_THROWS_MESSAGE(Tau(Elements(), Gravity::kOn), std::logic_error,
                        "gravity is asked for, and the external_forces given "
                        "have it in them");
}

TEST_F(GravityInForces, IsTheSameInAFrozenContext) {
  const VectorX<double> expected = Tau(Elements());
  context_->FreezeCache();
  EXPECT_TRUE(Near(Tau(Elements()), expected, kTolerance));
  EXPECT_TRUE(Near(Tau(Forces(plant_), Gravity::kOn), expected, kTolerance));
}

TEST_F(GravityInForces, AllocatesOnlyTheResult) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  Forces forces(plant_);
  for (const auto& [in_forces, asked] :
       {std::pair(Gravity::kOn, Gravity::kOff),
        std::pair(Gravity::kOff, Gravity::kOn)}) {
    for (const bool is_first : {true, false}) {
      Move(0.1);
      const AllocationGuard guard;
      plant_.CalcForceElementsContribution(*context_, &forces, in_forces);
      Tau(forces, asked);
      const int64_t count = guard.count();
      if (!is_first) {
        EXPECT_EQ(count, 1);
      }
    }
  }
}

// The shadow of a body that closes a loop has half of its mass; gravity acts on
// the body.
TEST(GravityOfAClosedLoop, IsOnTheBodiesThatWereAdded) {
  MultibodyPlant<double> plant(0);
  const RigidBody<double>* bodies[2];
  for (int i = 0; i < 2; ++i) {
    bodies[i] = &plant.AddRigidBody(i == 0 ? "a" : "b",
                                    MakeInertia(2, {0.5, 0, 0.1}, 0.1));
  }
  const Vector3<double> axis(0, 1, 0);
  const math::RigidTransform<double> end(Vector3<double>(1, 0, 0));
  plant.AddJoint<RevoluteJoint>("j0", plant.world_body(), {}, *bodies[0], {},
                                axis);
  plant.AddJoint<RevoluteJoint>("j1", *bodies[0], end, *bodies[1], {}, axis);
  plant.AddJoint<RevoluteJoint>("j2", plant.world_body(), {}, *bodies[1], end,
                                axis);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  Forces forces(plant);
  plant.CalcForceElementsContribution(*context, &forces);
  for (const RigidBody<double>* body : bodies) {
    const SpatialForce<double>& F = forces.body_forces()[body->index()];
    EXPECT_EQ(F.translational()[2], -2 * 9.81);
    EXPECT_GT(std::abs(F.rotational()[1]), 1);
  }
}

}  // namespace gravity_in_forces_test
}  // namespace wyvern::multibody
