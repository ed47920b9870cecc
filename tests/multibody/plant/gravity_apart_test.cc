// Gravity in a MultibodyForces is worked out by body when somebody looks. That
// nobody can tell: forces that were looked at before, which have it at once,
// are what others are compared with.
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace gravity_apart_test {

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

class GravityApart : public testing::Test {
 protected:
  GravityApart() {
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
  // With gravity now; looked at before, if `seen`.
  Forces Gravity(bool seen = false) const {
    Forces forces(plant_);
    if (seen) forces.mutable_body_forces();
    plant_.CalcForceElementsContribution(*context_, &forces);
    EXPECT_EQ(forces.is_seen(), seen);
    return forces;
  }
  VectorX<double> Tau(const Forces& forces) const {
    return plant_.CalcInverseDynamics(*context_, vdot_, forces);
  }

  CartPole model_{0};
  MultibodyPlant<double>& plant_{model_.plant};
  std::unique_ptr<systems::Context<double>> context_;
  VectorX<double> vdot_;
};

TEST_F(GravityApart, IsThatOfForcesLookedAtBefore) {
  const Forces apart = Gravity();
  EXPECT_EQ(BodyForces(apart), BodyForces(Gravity(true)));
  EXPECT_TRUE(apart.is_seen());
  EXPECT_EQ(apart.body_forces()[model_.cart->index()].translational()[2],
            -9.81);
}

TEST_F(GravityApart, CountsInInverseDynamics) {
  const Forces apart = Gravity();
  EXPECT_TRUE(Near(Tau(apart), Tau(Gravity(true)), kTolerance));
  EXPECT_GT((Tau(apart) - Tau(Forces(plant_))).norm(), 0.5);
  EXPECT_FALSE(apart.is_seen());
}

TEST_F(GravityApart, CountsWithForcesOnBodies) {
  const SpatialForce<double> F(Vector3<double>(1, 2, 3),
                               Vector3<double>(4, 5, 6));
  Forces apart = Gravity(), seen = Gravity(true);
  for (Forces* forces : {&apart, &seen}) {
    model_.pole->AddInForceInWorld(*context_, F, forces);
  }
  EXPECT_TRUE(Near(Tau(apart), Tau(seen), kTolerance));
  EXPECT_FALSE(apart.is_seen());
  EXPECT_EQ(BodyForces(apart), BodyForces(seen));
}

TEST_F(GravityApart, IsOfTheConfigurationItWasCalculatedAt) {
  const Forces apart = Gravity(), same = Gravity(), seen = Gravity(true);
  Move(0.2);
  EXPECT_TRUE(Near(Tau(apart), Tau(seen), kTolerance));
  EXPECT_GT((Tau(apart) - Tau(Gravity())).norm(), 0.1);
  EXPECT_EQ(BodyForces(same), BodyForces(seen));
  context_.reset();
  EXPECT_EQ(BodyForces(apart), BodyForces(seen));
}

TEST_F(GravityApart, IsOfTheMassesItWasCalculatedWith) {
  const Forces apart = Gravity(), same = Gravity(), seen = Gravity(true);
  model_.pole->SetMass(context_.get(), 7);
  EXPECT_TRUE(Near(Tau(apart), Tau(seen), kTolerance));
  EXPECT_GT((Tau(apart) - Tau(Gravity())).norm(), 1);
  EXPECT_EQ(BodyForces(same), BodyForces(seen));
  EXPECT_TRUE(Near(Tau(Gravity()), Tau(Gravity(true)), kTolerance));
}

TEST_F(GravityApart, ReachesReferencesTakenBefore) {
  Forces forces(plant_);
  const auto& all = std::as_const(forces).body_forces();
  plant_.CalcForceElementsContribution(*context_, &forces);
  EXPECT_EQ(all[model_.cart->index()].translational()[2], -9.81);
  forces = Gravity();
  forces.SetZero();
  EXPECT_EQ(all[model_.cart->index()].translational()[2], 0);
  forces = Gravity();
  EXPECT_EQ(all[model_.cart->index()].translational()[2], -9.81);
  forces.SetZero();
  Forces other = Gravity();
  forces = other;
  EXPECT_EQ(all[model_.cart->index()].translational()[2], -9.81);
}

TEST_F(GravityApart, GoesWithCopiesAndSums) {
  const MatrixX<double> expected = BodyForces(Gravity(true));
  Forces first = Gravity();
  const Forces copy = first;
  Forces sum = Gravity();
  sum.AddInForces(first);
  const Forces moved = std::move(first);
  EXPECT_EQ(BodyForces(copy), expected);
  EXPECT_EQ(BodyForces(moved), expected);
  EXPECT_TRUE(Near(BodyForces(sum), 2 * expected, kTolerance));
  Forces none = Gravity();
  none.SetZero();
  EXPECT_EQ(BodyForces(none).norm(), 0);
}

// All that is looked up is known there, but for what is kept for gravity apart.
TEST_F(GravityApart, IsWorkedOutInAFrozenContextToo) {
  const Forces apart = Gravity();
  const VectorX<double> expected = Tau(apart);
  const auto other = plant_.CreateDefaultContext();
  other->SetTimeStateAndParametersFrom(*context_);
  context_->FreezeCache();
  EXPECT_TRUE(Near(Tau(apart), expected, kTolerance));
  Forces forces(plant_);
  forces.mutable_body_forces();
  plant_.CalcForceElementsContribution(*other, &forces);
  plant_.CalcInverseDynamics(*other, vdot_, forces);
  other->FreezeCache();
  Forces frozen(plant_);
  plant_.CalcForceElementsContribution(*other, &frozen);
  EXPECT_TRUE(Near(plant_.CalcInverseDynamics(*other, vdot_, frozen), expected,
                   kTolerance));
}

TEST_F(GravityApart, MayBeLookedAtByThreadsAtATime) {
  const MatrixX<double> expected = BodyForces(Gravity(true));
  for (int round = 0; round < 100; ++round) {
    const Forces apart = Gravity();
    std::atomic<int> num_waiting{4};
    const auto together = [&num_waiting] {
      for (--num_waiting; num_waiting > 0;) std::this_thread::yield();
    };
    MatrixX<double> seen[4];
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        together();
        seen[i] = BodyForces(i % 2 == 0 ? apart : Forces(apart));
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const MatrixX<double>& F : seen) EXPECT_EQ(F, expected);
  }
}

TEST_F(GravityApart, AllocatesOnlyTheResult) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  Forces forces(plant_);
  const auto count = [&] {
    Move(0.1);
    const AllocationGuard guard;
    plant_.CalcForceElementsContribution(*context_, &forces);
    Tau(forces);
    return guard.count();
  };
  count();
  EXPECT_EQ(count(), 1);
  forces.mutable_body_forces();
  count();
  EXPECT_EQ(count(), 1);
}

// Of a body that closes a loop, half the mass is the shadow's; gravity is on
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

}  // namespace gravity_apart_test
}  // namespace wyvern::multibody
