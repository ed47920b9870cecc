#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/newton_euler.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using systems::Context;
using test::Acceleration;
using test::AddBar;
using test::FourBar;
using test::MakeInertia;
using test::TotalEnergy;
using wyvern::test::Near;
using Closure = FourBar::Closure;

TEST(ClosedLoops, BodiesAndJointsAreThoseThatWereAdded) {
  FourBar linkage(0, Closure::kJoint);
  const auto& plant = linkage.plant;
  EXPECT_EQ(plant.num_bodies(), 4);
  EXPECT_EQ(plant.num_joints(), 4);
  EXPECT_EQ(plant.num_positions(), 4);
  EXPECT_EQ(plant.num_velocities(), 4);
  EXPECT_EQ(plant.num_constraints(), 0);
  EXPECT_EQ(plant.num_constraint_multipliers(), 6);
  EXPECT_EQ(plant.GetLoopJoints(), std::vector{linkage.hinge_B->index()});
  EXPECT_EQ(plant.EvalBodyPoseInWorld(*linkage.context, *linkage.rocker)
                .translation(),
            Vector3d(FourBar::kGround, 0, 0));
  MultibodyPlant<double> empty(0);
  EXPECT_THROWS_MESSAGE(empty.GetLoopJoints(), std::logic_error, "Finalize");
}

TEST(ClosedLoops, AFourBarAcceleratesByItsClosedForm) {
  FourBar linkage(0, Closure::kJoint);
  for (double theta : {-2.0, 0.4, 1.0, 2.5}) {
    linkage.SetMotion(theta, 3);
    const VectorXd vdot = Acceleration(linkage.plant, *linkage.context);
    const FourBar::Motion m = linkage.CalcMotion();
    const double crank = linkage.CalcCrankAcceleration();
    EXPECT_NEAR(vdot[linkage.hinge_O->velocity_start()], crank, 1e-9);
    EXPECT_NEAR(vdot[linkage.hinge_C->velocity_start()],
                m.dpsi * crank + m.ddpsi * 9, 1e-9);
    EXPECT_NEAR(vdot[linkage.hinge_B->velocity_start()],
                (m.dpsi - m.dphi) * crank + (m.ddpsi - m.ddphi) * 9, 1e-9);
  }
}

TEST(ClosedLoops, AnAngleOfTheLoopJointIsThatBetweenItsBodies) {
  FourBar linkage(0, Closure::kJoint);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  EXPECT_LT(plant.CalcConstraintErrors(*linkage.context).norm(), 1e-14);
  EXPECT_LT(plant.CalcConstraintVelocities(*linkage.context).norm(), 1e-13);
  linkage.hinge_B->set_angle(linkage.context.get(), 0);
  EXPECT_GT(plant.CalcConstraintErrors(*linkage.context).norm(), 0.1);
  plant.ProjectOntoConstraints(linkage.context.get());
  const FourBar::Motion m = linkage.CalcMotion();
  EXPECT_NEAR(linkage.hinge_B->get_angle(*linkage.context), m.psi - m.phi,
              1e-10);
}

TEST(ClosedLoops, ReactionForcesCloseNewtonEulerOnEveryBody) {
  FourBar linkage(0, Closure::kJoint);
  linkage.SetMotion(1, 3);
  test::ExpectNewtonEuler(linkage.plant, *linkage.context, *linkage.context);
  const auto& F =
      linkage.plant.get_reaction_forces_output_port()
          .Eval<std::vector<SpatialForce<double>>>(*linkage.context);
  const Vector3d f_W =
      linkage.rocker->EvalPoseInWorld(*linkage.context).rotation() *
      F[linkage.hinge_B->ordinal()].translational();
  EXPECT_TRUE(Near(f_W.head<2>(), linkage.CalcForceAtB(), 1e-9));
}

// The halves of a split body accelerate alike to the order of the step.
TEST(ClosedLoops, ReactionForcesCloseNewtonEulerInDiscreteSteps) {
  for (const double dt : {1e-3, 1e-4}) {
    FourBar linkage(dt, Closure::kJoint);
    linkage.SetMotion(1, 3);
    for (int i = 0; i < 20; ++i) {
      linkage.plant.ExecuteForcedEvents(linkage.context.get());
    }
    const auto before = linkage.context->Clone();
    linkage.plant.ExecuteForcedEvents(linkage.context.get());
    test::ExpectNewtonEuler(linkage.plant, *before, *linkage.context, {},
                            2 * dt);
  }
}

TEST(ClosedLoops, DiscreteStepsConvergeToTheContinuousMotion) {
  const auto swing = [](double dt) {
    FourBar linkage(dt, Closure::kJoint);
    linkage.SetMotion(1, 1);
    for (int i = 0; i < std::lround(0.1 / dt); ++i) {
      linkage.plant.ExecuteForcedEvents(linkage.context.get());
    }
    return VectorXd(linkage.plant.GetPositionsAndVelocities(*linkage.context));
  };
  FourBar linkage(0, Closure::kJoint);
  linkage.SetMotion(1, 1);
  systems::Simulator<double> simulator(linkage.plant,
                                       std::move(linkage.context));
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  simulator.AdvanceTo(0.1);
  const VectorXd exact =
      linkage.plant.GetPositionsAndVelocities(simulator.get_context());
  const double coarse = (swing(2e-3) - exact).norm();
  const double fine = (swing(1e-3) - exact).norm();
  EXPECT_NEAR(coarse / fine, 2, 0.3);
  EXPECT_LT(fine, 2e-2);
}

TEST(ClosedLoops, SplitBodiesHaveTheirMassOnce) {
  FourBar closed(0, Closure::kJoint), open(0);
  closed.SetMotion(1, 3);
  open.SetMotion(1, 3);
  const auto& a = *closed.context;
  const auto& b = *open.context;
  EXPECT_NEAR(closed.plant.CalcTotalMass(a), 1.6, 1e-15);
  EXPECT_NEAR(TotalEnergy(closed.plant, a), TotalEnergy(open.plant, b), 1e-13);
  EXPECT_TRUE(Near(closed.plant.CalcCenterOfMassPositionInWorld(a),
                   open.plant.CalcCenterOfMassPositionInWorld(b), 1e-14));
  EXPECT_TRUE(Near(
      closed.plant.CalcCenterOfMassTranslationalAccelerationInWorld(a),
      open.plant.CalcCenterOfMassTranslationalAccelerationInWorld(b), 1e-9));
  const Vector3d zero = Vector3d::Zero();
  EXPECT_TRUE(Near(
      closed.plant.CalcSpatialMomentumInWorldAboutPoint(a, zero).get_coeffs(),
      open.plant.CalcSpatialMomentumInWorldAboutPoint(b, zero).get_coeffs(),
      1e-13));
}

TEST(ClosedLoops, MassSetInAContextIsSharedToo) {
  FourBar closed(0, Closure::kJoint), open(0);
  for (FourBar* linkage : {&closed, &open}) {
    linkage->SetMotion(1, 3);
    linkage->rocker->SetMass(linkage->context.get(), 5);
  }
  EXPECT_NEAR(closed.plant.CalcTotalMass(*closed.context), 6, 1e-14);
  EXPECT_NEAR(Acceleration(closed.plant, *closed.context)[0],
              Acceleration(open.plant, *open.context)[0], 1e-9);
}

TEST(ClosedLoops, ForcesOnASplitBodyActOnAllOfIt) {
  FourBar closed(0, Closure::kJoint), open(0);
  for (FourBar* linkage : {&closed, &open}) {
    linkage->SetMotion(1, 3);
    ExternallyAppliedSpatialForce<double> force;
    force.body_index = linkage->rocker->index();
    force.p_BoBq_B = Vector3d(0.2, 0, 0);
    force.F_Bq_W = SpatialForce<double>(Vector3d(0, 0, 1), Vector3d(3, 2, 0));
    linkage->plant.get_applied_spatial_force_input_port().FixValue(
        linkage->context.get(), std::vector{force});
  }
  EXPECT_NEAR(Acceleration(closed.plant, *closed.context)[0],
              Acceleration(open.plant, *open.context)[0], 1e-9);
}

TEST(ClosedLoops, AutoDiffAndCopiesHaveTheSameValues) {
  FourBar linkage(0, Closure::kJoint);
  linkage.SetMotion(1, 3);
  const VectorXd vdot = Acceleration(linkage.plant, *linkage.context);
  const auto ad = systems::System<double>::ToAutoDiffXd(linkage.plant);
  EXPECT_EQ(ad->GetLoopJoints(), linkage.plant.GetLoopJoints());
  auto context = ad->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*linkage.context);
  EXPECT_TRUE(
      Near(math::ExtractValue(
               ad->get_generalized_acceleration_output_port().Eval(*context)),
           vdot, 1e-9));
}

// Crank OA of 0.3 m, rod AB of 0.8 m, slider B along x; the loop is cut at B.
struct SliderCrank {
  static constexpr double kCrank = 0.3, kRod = 0.8, kSlider = 0.5;
  SliderCrank() : plant(0) {
    const Vector3d z = Vector3d::UnitZ();
    const auto& crank = AddBar(&plant, "crank", kCrank);
    const auto& rod = AddBar(&plant, "rod", kRod);
    const auto& slider = plant.AddRigidBody(
        "slider", MakeInertia(kSlider, Vector3d::Zero(), 0.01));
    O = &plant.AddJoint<RevoluteJoint>("O", plant.world_body(), {}, crank, {},
                                       z);
    A = &plant.AddJoint<RevoluteJoint>(
        "A", crank, RigidTransformd(Vector3d(kCrank, 0, 0)), rod, {}, z);
    rail = &plant.AddJoint<PrismaticJoint>("rail", plant.world_body(), {},
                                           slider, {}, Vector3d::UnitX());
    B = &plant.AddJoint<RevoluteJoint>(
        "B", rod, RigidTransformd(Vector3d(kRod, 0, 0)), slider, {}, z);
    plant.mutable_gravity_field().set_gravity_vector(Vector3d(0, -9.81, 0));
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  MultibodyPlant<double> plant;
  const RevoluteJoint<double>* O{};
  const RevoluteJoint<double>* A{};
  const RevoluteJoint<double>* B{};
  const PrismaticJoint<double>* rail{};
  std::unique_ptr<Context<double>> context;
};

// r sin(theta) + l sin(phi) = 0, x = r cos(theta) + l cos(phi).
TEST(ClosedLoops, ASliderCrankAcceleratesByItsClosedForm) {
  using std::cos;
  using std::sin;
  SliderCrank m;
  const double r = m.kCrank, l = m.kRod, theta = 0.7, rate = 4;
  const double phi = -std::asin(r * sin(theta) / l);
  const double dphi = -r * cos(theta) / (l * cos(phi));
  const double ddphi =
      (r * sin(theta) + l * dphi * dphi * sin(phi)) / (l * cos(phi));
  const double dx = -r * sin(theta) - l * dphi * sin(phi);
  const double ddx =
      -r * cos(theta) - l * dphi * dphi * cos(phi) - l * ddphi * sin(phi);
  auto* context = m.context.get();
  m.O->set_angle(context, theta);
  m.A->set_angle(context, phi - theta);
  m.B->set_angle(context, -phi);
  m.rail->set_translation(context, r * cos(theta) + l * cos(phi));
  m.O->set_angular_rate(context, rate);
  m.A->set_angular_rate(context, (dphi - 1) * rate);
  m.B->set_angular_rate(context, -dphi * rate);
  m.rail->set_translation_rate(context, dx * rate);
  EXPECT_LT(m.plant.CalcConstraintVelocities(*context).norm(), 1e-14);
  const double angle = theta - phi;
  const double I = r * r * r / 3 + l * (r * r + r * l * dphi * cos(angle)) +
                   l * l * l / 3 * dphi * dphi + m.kSlider * dx * dx;
  const double dI_2 =
      l * r * l / 2 * (ddphi * cos(angle) - dphi * (1 - dphi) * sin(angle)) +
      l * l * l / 3 * dphi * ddphi + m.kSlider * dx * ddx;
  const double Q = -9.81 * (r * r / 2 * cos(theta) +
                            l * (r * cos(theta) + l / 2 * dphi * cos(phi)));
  const double crank = (Q - dI_2 * rate * rate) / I;
  const VectorXd vdot = Acceleration(m.plant, *context);
  EXPECT_NEAR(vdot[m.O->velocity_start()], crank, 1e-9);
  EXPECT_NEAR(vdot[m.rail->velocity_start()], dx * crank + ddx * rate * rate,
              1e-9);
  // The rod's force on the slider is the only force along x.
  const auto& F = m.plant.get_reaction_forces_output_port()
                      .Eval<std::vector<SpatialForce<double>>>(*context);
  EXPECT_NEAR(F[m.B->ordinal()].translational()[0],
              m.kSlider * (dx * crank + ddx * rate * rate), 1e-9);
  test::ExpectNewtonEuler(m.plant, *context, *context);
}

// A platform on three legs of two bars each: a planar robot with 3 degrees of
// freedom and two loops; gravity is in its plane.
struct ThreeLegs {
  explicit ThreeLegs(double dt = 0) : plant(dt) {
    const Vector3d z = Vector3d::UnitZ();
    const auto& platform =
        plant.AddRigidBody("platform", MakeInertia(1, Vector3d::Zero(), 0.02));
    for (int i = 0; i < 3; ++i) {
      const double angle = 2 * std::numbers::pi / 3 * i;
      const Vector3d u(std::cos(angle), std::sin(angle), 0);
      const std::string name = std::to_string(i);
      const auto& upper = AddBar(&plant, "upper" + name, 0.4);
      const auto& lower = AddBar(&plant, "lower" + name, 0.5);
      plant.AddJoint<RevoluteJoint>("base" + name, plant.world_body(),
                                    RigidTransformd(0.6 * u), upper, {}, z);
      plant.AddJoint<RevoluteJoint>("knee" + name, upper,
                                    RigidTransformd(Vector3d(0.4, 0, 0)), lower,
                                    {}, z);
      plant.AddJoint<RevoluteJoint>("wrist" + name, lower,
                                    RigidTransformd(Vector3d(0.5, 0, 0)),
                                    platform, RigidTransformd(0.15 * u), z);
    }
    plant.mutable_gravity_field().set_gravity_vector(Vector3d(0, -9.81, 0));
    plant.Finalize();
    context = plant.CreateDefaultContext();
    for (int i = 0; i < 3; ++i) {
      const std::string name = std::to_string(i);
      const double angle = 2 * std::numbers::pi / 3 * i;
      const auto set = [&](const std::string& joint, double value) {
        plant.GetJointByName<RevoluteJoint>(joint + name)
            .set_angle(context.get(), value);
      };
      set("base", angle + 2.2);
      set("knee", 1.5);
      set("wrist", -angle - 3.7);
    }
  }
  MultibodyPlant<double> plant;
  std::unique_ptr<Context<double>> context;
};

TEST(ClosedLoops, AParallelRobotIsAssembledAndSwingsWithItsEnergy) {
  ThreeLegs robot;
  const auto& plant = robot.plant;
  EXPECT_EQ(plant.GetLoopJoints().size(), 2u);
  EXPECT_NEAR(plant.CalcTotalMass(*robot.context), 1 + 3 * 0.9, 1e-14);
  plant.ProjectOntoConstraints(robot.context.get());
  test::ExpectNewtonEuler(plant, *robot.context, *robot.context);
  const double energy = TotalEnergy(plant, *robot.context);
  systems::Simulator<double> simulator(plant, std::move(robot.context));
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  simulator.AdvanceTo(0.3);
  const auto& context = simulator.get_context();
  EXPECT_GT(plant.CalcKineticEnergy(context), 0.1);
  EXPECT_NEAR(TotalEnergy(plant, context), energy, 1e-5);
  EXPECT_LT(plant.CalcConstraintErrors(context).norm(), 1e-6);
}

TEST(ClosedLoops, ADoorsTwoHingesShareItsWeight) {
  MultibodyPlant<double> plant(0);
  const auto& door =
      plant.AddRigidBody("door", MakeInertia(10, Vector3d(0.4, 0, 0), 0.5));
  const RevoluteJoint<double>* hinges[2];
  for (int i = 0; i < 2; ++i) {
    const RigidTransformd X(Vector3d(0, 0, i - 0.5));
    hinges[i] = &plant.AddJoint<RevoluteJoint>(i ? "upper" : "lower",
                                               plant.world_body(), X, door, X,
                                               Vector3d::UnitZ());
  }
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  for (const auto* hinge : hinges) hinge->set_angular_rate(context.get(), 2);
  EXPECT_TRUE(Near(Acceleration(plant, *context), Vector2d::Zero(), 1e-9));
  test::ExpectNewtonEuler(plant, *context, *context);
  const auto& F = plant.get_reaction_forces_output_port()
                      .Eval<std::vector<SpatialForce<double>>>(*context);
  for (const auto* hinge : hinges) {
    EXPECT_NEAR(F[hinge->ordinal()].translational()[2], 5 * 9.81, 1e-9);
    EXPECT_NEAR(F[hinge->ordinal()].translational()[0], -5 * 0.4 * 4, 1e-9);
  }
}

// The joint at the rocker's foot is from the rocker to the world.
TEST(ClosedLoops, JointsToTheWorldMayCloseThem) {
  for (const double dt : {0.0, 1e-3}) {
    MultibodyPlant<double> plant(dt);
    const Vector3d y = Vector3d::UnitY();
    const auto& bar = AddBar(&plant, "bar", 1);
    const auto& left = plant.AddJoint<RevoluteJoint>("left", plant.world_body(),
                                                     {}, bar, {}, y);
    const auto& right = plant.AddJoint<RevoluteJoint>(
        "right", bar, RigidTransformd(Vector3d(1, 0, 0)), plant.world_body(),
        RigidTransformd(Vector3d(1, 0, 0)), y);
    plant.Finalize();
    EXPECT_EQ(plant.GetLoopJoints(), std::vector{right.index()});
    auto context = plant.CreateDefaultContext();
    const auto before = context->Clone();
    if (dt > 0) plant.ExecuteForcedEvents(context.get());
    test::ExpectNewtonEuler(plant, *before, *context, {}, dt > 0 ? 1e-6 : 1e-9);
    const auto& F = plant.get_reaction_forces_output_port()
                        .Eval<std::vector<SpatialForce<double>>>(*context);
    // A bar on two supports; the world is the right joint's child. A step's
    // constraints yield by 1e-6.
    EXPECT_NEAR(F[left.ordinal()].translational()[2], 9.81 / 2, 1e-4);
    EXPECT_NEAR(F[right.ordinal()].translational()[2], -9.81 / 2, 1e-4);
  }
}

TEST(ClosedLoops, WeldsMayCloseThem) {
  FourBar linkage(0, Closure::kNone, false);
  linkage.plant.AddJoint<WeldJoint>(
      "weld", *linkage.coupler,
      RigidTransformd(Vector3d(FourBar::kCoupler, 0, 0)), *linkage.rocker,
      RigidTransformd(Vector3d(FourBar::kRocker, 0, 0)), RigidTransformd());
  linkage.Finalize();
  EXPECT_EQ(linkage.plant.num_velocities(), 3);
  // Stretched out and stiff: a triangle whose angles cannot change.
  linkage.hinge_O->set_angle(linkage.context.get(), 1);
  linkage.hinge_A->set_angle(linkage.context.get(), -1.5);
  linkage.hinge_C->set_angle(linkage.context.get(), 2);
  EXPECT_THROWS_MESSAGE(
      linkage.plant.ProjectOntoConstraints(linkage.context.get()),
      std::runtime_error, "the loop that joint 'weld' closes is off by");
}

TEST(ClosedLoops, WeldsMayCloseThemWhereNothingMoves) {
  for (double time_step : {0.0, 0.01}) {
    MultibodyPlant<double> plant(time_step);
    const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0, 0, 0}, 1));
    const auto& b = plant.AddRigidBody("b", MakeInertia(1, {0, 0, 0}, 1));
    plant.WeldFrames(plant.world_frame(), a.body_frame());
    plant.WeldFrames(plant.world_frame(), b.body_frame());
    plant.WeldFrames(a.body_frame(), b.body_frame());
    plant.Finalize();
    EXPECT_EQ(plant.num_velocities(), 0);
    systems::Simulator<double> simulator(plant, plant.CreateDefaultContext());
    simulator.AdvanceTo(0.02);
    EXPECT_EQ(plant.CalcPowerLedger(simulator.get_context()).Sum(), 0);
  }
}

// A hinge between bodies that are both fixed to the world has nowhere to go; of
// its rows some have nothing that moves.
TEST(ClosedLoops, JointsMayTieBodiesThatDoNotMove) {
  for (double time_step : {0.0, 0.01}) {
    MultibodyPlant<double> plant(time_step);
    const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0, 0, 0}, 1));
    const auto& b = plant.AddRigidBody("b", MakeInertia(1, {0.5, 0, 0}, 1));
    plant.WeldFrames(plant.world_frame(), a.body_frame());
    plant.WeldFrames(plant.world_frame(), b.body_frame());
    const auto& hinge =
        plant.AddJoint<RevoluteJoint>("hinge", a, {}, b, {}, Vector3d::UnitY());
    plant.Finalize();
    systems::Simulator<double> simulator(plant, plant.CreateDefaultContext());
    simulator.AdvanceTo(0.1);
    // By as much as a constraint lets through in a step, of its load.
    EXPECT_NEAR(hinge.get_angle(simulator.get_context()), 0, 1e-6);
  }
}

TEST(ClosedLoops, StepsAllocateNothing) {
  for (const double dt : {0.0, 1e-3}) {
    FourBar linkage(dt, Closure::kJoint);
    linkage.SetMotion(1, 3);
    systems::Simulator<double> simulator(linkage.plant,
                                         std::move(linkage.context));
    simulator.Initialize();
    simulator.AdvanceTo(0.05);
    wyvern::test::AllocationGuard guard;
    simulator.AdvanceTo(0.1);
    EXPECT_EQ(guard.count(), 0) << dt;
  }
}

TEST(ClosedLoops, MassesAreNeededToCutThem) {
  MultibodyPlant<double> plant(0);
  const auto& a = AddBar(&plant, "a", 1);
  const auto& ghost =
      plant.AddRigidBody("ghost", SpatialInertia<double>::Zero());
  plant.AddJoint<RevoluteJoint>("to_a", plant.world_body(), {}, a, {},
                                Vector3d::UnitY());
  plant.AddJoint<RevoluteJoint>("to_ghost", plant.world_body(), {}, ghost, {},
                                Vector3d::UnitY());
  plant.AddJoint<RevoluteJoint>("between", a, {}, ghost, {}, Vector3d::UnitY());
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context), std::runtime_error,
                        "body 'ghost' has no inertia that joint");
}

}  // namespace
}  // namespace wyvern::multibody
