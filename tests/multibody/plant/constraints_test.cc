#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using math::RotationMatrixd;
using systems::Context;
using test::AddBar;
using test::CartPole;
using test::FourBar;
using test::MakeInertia;
using wyvern::test::Near;

constexpr double kStep = 1e-3;

void Step(const MultibodyPlant<double>& plant, Context<double>* context,
          int steps) {
  for (int i = 0; i < steps; ++i) plant.ExecuteForcedEvents(context);
}

TEST(BallConstraint, AFourBarFollowsItsClosedForm) {
  FourBar linkage(kStep);
  linkage.SetAngles(1.0);
  for (int i = 0; i < 200; ++i) {
    Step(linkage.plant, linkage.context.get(), 5);
    const double crank = linkage.hinge_O->get_angle(*linkage.context);
    // The loop is open by dt^2 v^2 / l or so.
    EXPECT_NEAR(linkage.hinge_C->get_angle(*linkage.context),
                linkage.rocker_for(crank), 1e-4);
  }
  EXPECT_LT(linkage.hinge_O->get_angle(*linkage.context), 0.5);
}

TEST(BallConstraint, AnOpenLoopIsClosedWithinSomeSteps) {
  FourBar linkage(kStep);
  linkage.SetAngles(1.0);
  const double closed = linkage.hinge_C->get_angle(*linkage.context);
  linkage.hinge_C->set_angle(linkage.context.get(), closed + 0.01);
  Step(linkage.plant, linkage.context.get(), 20);
  EXPECT_NEAR(linkage.hinge_C->get_angle(*linkage.context),
              linkage.rocker_for(linkage.hinge_O->get_angle(*linkage.context)),
              1e-4);
}

TEST(Constraints, InactiveOnesDoNothing) {
  FourBar linkage(kStep);
  linkage.SetAngles(1.0);
  EXPECT_TRUE(
      linkage.plant.GetConstraintActiveStatus(*linkage.context, linkage.id));
  linkage.plant.SetConstraintActiveStatus(linkage.context.get(), linkage.id,
                                          false);
  EXPECT_FALSE(
      linkage.plant.GetConstraintActiveStatus(*linkage.context, linkage.id));
  const double rocker = linkage.hinge_C->get_angle(*linkage.context);
  Step(linkage.plant, linkage.context.get(), 1);
  // A rod that falls about its end: -3 g cos / (2 l).
  const double rate = -1.5 * 9.81 * std::cos(rocker) / FourBar::kRocker * kStep;
  EXPECT_NEAR(linkage.hinge_C->get_angular_rate(*linkage.context), rate, 1e-12);
}

// Two rods fall from level, welded end to end: as one.
TEST(WeldConstraint, MakesTwoBodiesOne) {
  MultibodyPlant<double> plant(kStep);
  const auto& one = AddBar(&plant, "one", 0.5);
  const auto& other = AddBar(&plant, "other", 0.5);
  const auto& hinge = plant.AddJoint<RevoluteJoint>(
      "hinge", plant.world_body(), {}, one, {}, Vector3d::UnitY());
  plant.AddWeldConstraint(one, RigidTransformd(Vector3d(0.5, 0, 0)), other, {});
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  plant.SetFreeBodyPose(context.get(), other,
                        RigidTransformd(Vector3d(0.5, 0, 0)));
  Step(plant, context.get(), 1);
  // A rod of length 1 m has 3 g / 2 when it is level.
  EXPECT_NEAR(hinge.get_angular_rate(*context), 1.5 * 9.81 * kStep,
              1e-3 * kStep);
  Step(plant, context.get(), 300);
  const RigidTransformd X = plant.CalcRelativeTransform(
      *context, one.body_frame(), other.body_frame());
  EXPECT_TRUE(X.IsNearlyEqualTo(RigidTransformd(Vector3d(0.5, 0, 0)), 2e-4));
}

TEST(WeldConstraint, IsRefusedIfWhatItTiesCannotMove) {
  MultibodyPlant<double> plant(kStep);
  const auto& fixed = AddBar(&plant, "fixed", 0.5);
  plant.WeldFrames(plant.world_frame(), fixed.body_frame());
  const auto id = plant.AddWeldConstraint(
      plant.world_body(), RigidTransformd(Vector3d(0, 0.1, 0)), fixed, {});
  AddBar(&plant, "other", 0.5);
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(Step(plant, context.get(), 1), std::runtime_error,
                        "is off by 0.1, and its bodies cannot move; remove");
  plant.SetConstraintActiveStatus(context.get(), id, false);
  EXPECT_NO_THROW(Step(plant, context.get(), 1));
}

TEST(CouplerConstraint, HoldsTwoJointsToTheirRatio) {
  MultibodyPlant<double> plant(kStep);
  const auto& slider = AddBar(&plant, "slider", 1);
  const auto& wheel = AddBar(&plant, "wheel", 0.5);
  const auto& rail = plant.AddJoint<PrismaticJoint>(
      "rail", plant.world_body(), {}, slider, {}, Vector3d::UnitZ());
  const auto& axle = plant.AddJoint<RevoluteJoint>(
      "axle", plant.world_body(), {}, wheel, {}, Vector3d::UnitZ());
  const double pitch = 0.2, offset = 0.05;
  plant.AddCouplerConstraint(rail, axle, pitch, offset);
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  rail.set_translation(context.get(), offset);
  Step(plant, context.get(), 100);
  const double q0 = rail.get_translation(*context);
  EXPECT_NEAR(q0, pitch * axle.get_angle(*context) + offset, 1e-6);
  // The wheel's inertia m l^2 / 3 adds I / pitch^2 to the slider's mass.
  const double mass = 1 + 0.5 * 0.25 / 3 / (pitch * pitch);
  EXPECT_NEAR(rail.get_translation_rate(*context), -9.81 / mass * 0.1, 1e-4);
}

// Two masses on a rod, spinning freely.
struct Dumbbell {
  explicit Dumbbell(double stiffness, double damping = 0) : plant(kStep) {
    const Vector3d zero = Vector3d::Zero();
    one = &plant.AddRigidBody("one", MakeInertia(1, zero, 1e-3));
    other = &plant.AddRigidBody("other", MakeInertia(1, zero, 1e-3));
    plant.AddDistanceConstraint(*one, zero, *other, zero, 1.0, stiffness,
                                damping);
    plant.mutable_gravity_field().set_gravity_vector(zero);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetFreeBodyPose(context.get(), *other,
                          RigidTransformd(Vector3d(1, 0, 0)));
  }
  double Distance() {
    return plant
        .CalcRelativeTransform(*context, one->body_frame(), other->body_frame())
        .translation()
        .norm();
  }
  MultibodyPlant<double> plant;
  const RigidBody<double>* one{};
  const RigidBody<double>* other{};
  std::unique_ptr<Context<double>> context;
};

TEST(DistanceConstraint, ARodKeepsItsLengthAndMomentum) {
  Dumbbell bell(std::numeric_limits<double>::infinity());
  bell.plant.SetFreeBodySpatialVelocity(
      bell.context.get(), *bell.other,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(0, 2, 1)));
  const auto before = bell.plant.CalcSpatialMomentumInWorldAboutPoint(
      *bell.context, Vector3d::Zero());
  Step(bell.plant, bell.context.get(), 1000);
  EXPECT_NEAR(bell.Distance(), 1, 1e-5);
  const auto after = bell.plant.CalcSpatialMomentumInWorldAboutPoint(
      *bell.context, Vector3d::Zero());
  EXPECT_TRUE(Near(after.translational(), before.translational(), 1e-10));
  // Positions follow velocities: a force along p at the step's start makes no
  // moment there, but dt v moves it aside by nothing that adds up.
  EXPECT_TRUE(Near(after.rotational(), before.rotational(), 1e-8));
}

TEST(DistanceConstraint, ASpringSwingsAtItsFrequency) {
  const double stiffness = 50;  // Reduced mass 1/2 kg: 10 rad/s.
  Dumbbell bell(stiffness);
  bell.plant.SetFreeBodyPose(bell.context.get(), *bell.other,
                             RigidTransformd(Vector3d(1.1, 0, 0)));
  const int half = static_cast<int>(std::numbers::pi / 10 / kStep);
  Step(bell.plant, bell.context.get(), half);
  // Implicit Euler damps by exp(-omega^2 dt t / 2) = 0.984.
  EXPECT_NEAR(bell.Distance(), 1 - 0.1 * std::exp(-0.05 * 0.314), 1e-3);
}

// M v̇ + C v = tau_g + tau of the reaction forces: on the rocker, the forces at
// its two ends and its weight give its acceleration.
TEST(Constraints, ReactionForcesCloseNewtonEuler) {
  FourBar linkage(kStep);
  linkage.SetAngles(1.0);
  Step(linkage.plant, linkage.context.get(), 10);
  const auto& plant = linkage.plant;
  const auto before = linkage.context->Clone();
  Step(plant, linkage.context.get(), 1);
  const auto& F =
      plant.get_reaction_forces_output_port()
          .Eval<std::vector<SpatialForce<double>>>(*linkage.context);
  const auto& A =
      plant.get_body_spatial_accelerations_output_port()
          .Eval<std::vector<SpatialAcceleration<double>>>(*linkage.context);
  // The whole linkage: forces at O and C and weights carry all masses.
  Vector3d force = Vector3d::Zero(), needed = Vector3d::Zero();
  for (const auto* hinge : {linkage.hinge_O, linkage.hinge_C}) {
    const auto& frame = hinge->frame_on_child();
    const auto R = frame.CalcRotationMatrixInWorld(*before);
    force += R * F[hinge->ordinal()].translational();
  }
  for (const char* name : {"crank", "coupler", "rocker"}) {
    const auto& body = plant.GetBodyByName(name);
    const double m = body.default_mass();
    const auto X = plant.EvalBodyPoseInWorld(*before, body);
    const auto V = plant.EvalBodySpatialVelocityInWorld(*before, body);
    const Vector3d r = X.rotation() * Vector3d(m / 2, 0, 0);  // m is l.
    const Vector3d a = A[body.index()].translational() +
                       A[body.index()].rotational().cross(r) +
                       V.rotational().cross(V.rotational().cross(r));
    needed += m * a;
    force += m * Vector3d(0, -9.81, 0);
  }
  EXPECT_TRUE(Near(force, needed, 1e-9 * 16));
}

TEST(Constraints, StepsAllocateNothing) {
  FourBar linkage(kStep);
  linkage.SetAngles(1.0);
  const auto& plant = linkage.plant;
  systems::Simulator<double> simulator(plant, std::move(linkage.context));
  simulator.Initialize();
  simulator.AdvanceTo(10 * kStep);
  wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(20 * kStep);
  EXPECT_EQ(guard.count(), 0);
}

TEST(Constraints, DerivativesOfTheStepAreThoseOfDifferences) {
  FourBar linkage(kStep);
  linkage.SetAngles(1.0);
  Step(linkage.plant, linkage.context.get(), 100);
  const auto& plant = linkage.plant;
  const VectorXd x0 = plant.GetPositionsAndVelocities(*linkage.context);
  const auto next = [&](const VectorXd& x) {
    auto context = plant.CreateDefaultContext();
    plant.SetPositionsAndVelocities(context.get(), x);
    Step(plant, context.get(), 1);
    return VectorXd(plant.GetPositionsAndVelocities(*context));
  };
  const auto ad = systems::System<double>::ToAutoDiffXd(plant);
  auto context = ad->CreateDefaultContext();
  ad->SetPositionsAndVelocities(context.get(), math::InitializeAutoDiff(x0));
  ad->ExecuteForcedEvents(context.get());
  const auto gradient =
      math::ExtractGradient(ad->GetPositionsAndVelocities(*context));
  Eigen::MatrixXd differences(x0.size(), x0.size());
  const double h = 1e-6;
  for (int j = 0; j < x0.size(); ++j) {
    const VectorXd dx = h * VectorXd::Unit(x0.size(), j);
    differences.col(j) = (next(x0 + dx) - next(x0 - dx)) / (2 * h);
  }
  // Entries are up to 1 / dt = 1000.
  EXPECT_TRUE(Near(gradient, differences, 1e-3));
}

TEST(Constraints, AreFoundByTheirIds) {
  MultibodyPlant<double> plant(kStep);
  const auto& one = AddBar(&plant, "one", 0.5);
  const auto& other = AddBar(&plant, "other", 0.5);
  const Vector3d zero = Vector3d::Zero();
  const auto ball = plant.AddBallConstraint(one, zero, other);
  const auto rod = plant.AddDistanceConstraint(one, zero, other, zero, 1);
  const auto weld = plant.AddWeldConstraint(one, {}, other, {});
  EXPECT_EQ(plant.num_constraints(), 3);
  EXPECT_EQ(plant.num_ball_constraints(), 1);
  EXPECT_EQ(plant.num_distance_constraints(), 1);
  EXPECT_EQ(plant.num_weld_constraints(), 1);
  EXPECT_EQ(plant.num_coupler_constraints(), 0);
  EXPECT_EQ(plant.GetConstraintIds(), (std::vector{ball, rod, weld}));
  EXPECT_EQ(plant.get_distance_constraint_specs(rod).distance, 1);
  EXPECT_FALSE(plant.get_ball_constraint_specs(ball).p_BQ.has_value());
  plant.RemoveConstraint(weld);
  EXPECT_EQ(plant.num_constraints(), 2);
  EXPECT_THROWS_MESSAGE(plant.RemoveConstraint(weld), std::logic_error,
                        "no constraint with id");
  EXPECT_THROWS_MESSAGE(plant.get_weld_constraint_specs(ball), std::logic_error,
                        "not of a weld constraint");
  plant.SetDefaultFreeBodyPose(other, RigidTransformd(Vector3d(1, 2, 3)));
  plant.Finalize();
  EXPECT_TRUE(Near(*plant.get_ball_constraint_specs(ball).p_BQ,
                   Vector3d(-1, -2, -3), 1e-15));
  EXPECT_THROWS_MESSAGE(plant.AddWeldConstraint(one, {}, other, {}),
                        std::logic_error, "after Finalize");
}

TEST(Constraints, RefuseWhatMakesNoSense) {
  CartPole model(kStep);
  auto& plant = model.plant;
  const Vector3d zero = Vector3d::Zero();
  EXPECT_THROWS_MESSAGE(plant.AddBallConstraint(*model.cart, zero, *model.cart),
                        std::logic_error, "'cart' is given twice");
  EXPECT_THROWS_MESSAGE(
      plant.AddDistanceConstraint(*model.cart, zero, *model.pole, zero, 0),
      std::logic_error, "distance 0 m");
  EXPECT_THROWS_MESSAGE(
      plant.AddDistanceConstraint(*model.cart, zero, *model.pole, zero, 1, -1),
      std::logic_error, "stiffness -1 N/m");
  EXPECT_THROWS_MESSAGE(
      plant.AddCouplerConstraint(*model.slider, *model.slider, 1),
      std::logic_error, "two different joints");
  EXPECT_THROWS_MESSAGE(
      plant.AddBallConstraint(*model.cart, Vector3d(NAN, 0, 0), *model.pole),
      std::logic_error, "body 'cart': p_AP[0] is nan; it must be finite");
  plant.AddCouplerConstraint(*model.slider, *model.hinge, 1);
  plant.RemoveJointActuator(plant.GetJointActuatorByName("push"));
  EXPECT_THROWS_MESSAGE(plant.RemoveJoint(*model.slider), std::logic_error,
                        "model with constraints");
  CartPole other(kStep);
  EXPECT_THROWS_MESSAGE(
      plant.AddWeldConstraint(*model.cart, {}, *other.pole, {}),
      std::logic_error, "pole");
}

TEST(DistanceConstraint, EndsThatMeetAreAnError) {
  Dumbbell bell(std::numeric_limits<double>::infinity());
  bell.plant.SetFreeBodyPose(bell.context.get(), *bell.other, {});
  EXPECT_THROWS_MESSAGE(Step(bell.plant, bell.context.get(), 1),
                        std::runtime_error, "use a ball constraint");
}

}  // namespace
}  // namespace wyvern::multibody
