#include <cmath>
#include <limits>
#include <map>
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
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace continuous_constraints_test {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using math::RotationMatrixd;
using systems::Context;
using test::Acceleration;
using test::AddBar;
using test::FourBar;
using test::MakeInertia;
using test::TotalEnergy;
using wyvern::test::Near;
using Closure = FourBar::Closure;

VectorXd Multipliers(const MultibodyPlant<double>& plant,
                     const Context<double>& context) {
  return plant.get_constraint_multipliers_output_port().Eval(context);
}

TEST(ContinuousConstraints, AFourBarAcceleratesByItsClosedForm) {
  FourBar linkage(0);
  for (double theta : {-2.0, 0.4, 1.0, 2.5}) {
    linkage.SetMotion(theta, 3);
    const VectorXd vdot = Acceleration(linkage.plant, *linkage.context);
    const FourBar::Motion m = linkage.CalcMotion();
    const double crank = linkage.CalcCrankAcceleration();
    EXPECT_NEAR(vdot[linkage.hinge_O->velocity_start()], crank, 1e-10);
    EXPECT_NEAR(vdot[linkage.hinge_C->velocity_start()],
                m.dpsi * crank + m.ddpsi * 9, 1e-10);
  }
}

TEST(ContinuousConstraints, AFourBarsMultipliersAreTheForceOnItsRocker) {
  FourBar linkage(0);
  for (double theta : {-2.0, 0.4, 1.0, 2.5}) {
    linkage.SetMotion(theta, 3);
    const VectorXd lambda = Multipliers(linkage.plant, *linkage.context);
    ASSERT_EQ(lambda.size(), 3);
    EXPECT_TRUE(Near(lambda.head<2>(), linkage.CalcForceAtB(), 1e-10));
    EXPECT_NEAR(lambda[2], 0, 1e-12);
  }
}

// The weld's three rows out of the plane are redundant.
TEST(ContinuousConstraints, RedundantRowsAreAccepted) {
  FourBar linkage(0, Closure::kWeld), ball(0);
  linkage.SetMotion(1, 3);
  ball.SetMotion(1, 3);
  const VectorXd vdot = Acceleration(linkage.plant, *linkage.context);
  // But for the pin's gram.
  EXPECT_NEAR(vdot[linkage.hinge_O->velocity_start()],
              ball.CalcCrankAcceleration(), 2e-2);
  const VectorXd lambda = Multipliers(linkage.plant, *linkage.context);
  EXPECT_TRUE(Near(lambda.head<2>(), Vector2d::Zero(), 1e-9));
  EXPECT_TRUE(Near(-lambda.segment<2>(3), ball.CalcForceAtB(), 2e-2));
}

TEST(ContinuousConstraints, TwinsShareTheLoad) {
  FourBar linkage(0, Closure::kBall, false);
  const Vector3d p(FourBar::kCoupler, 0, 0), r(FourBar::kRocker, 0, 0);
  linkage.plant.AddBallConstraint(*linkage.coupler, p, *linkage.rocker, r);
  linkage.Finalize();
  linkage.SetMotion(1, 3);
  const VectorXd lambda = Multipliers(linkage.plant, *linkage.context);
  EXPECT_TRUE(Near(lambda.head<3>(), lambda.tail<3>(), 1e-9));
  EXPECT_TRUE(Near(2 * lambda.head<2>(), linkage.CalcForceAtB(), 1e-9));
}

TEST(ContinuousConstraints, ThatContradictEachOtherAreNamed) {
  MultibodyPlant<double> plant(0);
  const auto& one = AddBar(&plant, "one", 0.5);
  const auto& other = AddBar(&plant, "other", 0.5);
  const Vector3d zero = Vector3d::Zero();
  plant.AddDistanceConstraint(one, zero, other, zero, 1);
  const auto id = plant.AddDistanceConstraint(one, zero, other, zero, 1.01);
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  plant.SetFreeBodyPose(context.get(), other,
                        RigidTransformd(Vector3d(1, 0, 0)));
  EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context), std::runtime_error,
                        "contradict others: distance between 'one' and "
                        "'other'; remove or deactivate");
  EXPECT_THROWS_MESSAGE(plant.ProjectOntoConstraints(context.get()),
                        std::runtime_error,
                        "distance between 'one' and 'other' is off by");
  plant.SetConstraintActiveStatus(context.get(), id, false);
  EXPECT_NO_THROW(plant.EvalTimeDerivatives(*context));
}

// The forces on bodies that the multipliers of a ball at B say.
std::map<BodyIndex, Vector6<double>> ForcesAtB(const FourBar& m,
                                               const Context<double>& at,
                                               const Context<double>& output) {
  const Vector3d p_WB =
      m.rocker->EvalPoseInWorld(at) * Vector3d(FourBar::kRocker, 0, 0);
  const Vector6<double> F =
      test::ForceAtPoint(p_WB, Multipliers(m.plant, output).head<3>());
  return {{m.rocker->index(), F}, {m.coupler->index(), -F}};
}

TEST(ContinuousConstraints, ReactionForcesCloseNewtonEulerOnEveryBody) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  test::ExpectNewtonEuler(
      linkage.plant, *linkage.context, *linkage.context,
      ForcesAtB(linkage, *linkage.context, *linkage.context));
}

TEST(DiscreteConstraints, ReactionForcesCloseNewtonEulerOnEveryBody) {
  FourBar linkage(1e-3);
  linkage.SetMotion(1, 3);
  const auto before = linkage.context->Clone();
  linkage.plant.ExecuteForcedEvents(linkage.context.get());
  test::ExpectNewtonEuler(linkage.plant, *before, *linkage.context,
                          ForcesAtB(linkage, *before, *linkage.context));
}

TEST(DiscreteConstraints, MultipliersAreForcesToo) {
  FourBar linkage(1e-4);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  Vector2d force;
  // The first steps find the stray from the constraint that is theirs.
  for (int i = 0; i < 20; ++i) {
    force = linkage.CalcForceAtB();
    plant.ExecuteForcedEvents(linkage.context.get());
  }
  const VectorXd lambda = Multipliers(plant, *linkage.context);
  EXPECT_TRUE(Near(lambda.head<2>(), force, 0.01));  // Of order dt.
}

TEST(DiscreteConstraints, MultipliersAreSampledAsTheOtherOutputsAre) {
  FourBar linkage(1e-3);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  EXPECT_EQ(Multipliers(plant, *linkage.context), VectorXd::Zero(3));
  plant.ExecuteForcedEvents(linkage.context.get());
  const VectorXd lambda = Multipliers(plant, *linkage.context);
  linkage.hinge_O->set_angle(linkage.context.get(), 2);
  EXPECT_EQ(Multipliers(plant, *linkage.context), lambda);
  FourBar live(1e-3, Closure::kBall, false);
  live.plant.SetUseSampledOutputPorts(false);
  live.Finalize();
  live.SetMotion(1, 3);
  EXPECT_TRUE(Near(Multipliers(live.plant, *live.context), lambda, 1e-12));
}

// v at t of a linkage let go, by steps of dt or in continuous time.
VectorXd Swing(double dt) {
  FourBar linkage(dt, Closure::kBall, false);
  const auto& motor =
      linkage.plant.AddJointActuator("motor", *linkage.hinge_O, 0.8);
  linkage.plant.get_mutable_joint_actuator(motor.index())
      .set_controller_gains({20, 0.5});
  linkage.Finalize();
  linkage.SetMotion(1, 1);
  auto& context = *linkage.context;
  linkage.plant.get_desired_state_input_port(default_model_instance())
      .FixValue(&context, Vector2d(2.5, 0));
  const double end = 0.1;
  if (dt > 0) {
    for (int i = 0; i < std::lround(end / dt); ++i) {
      linkage.plant.ExecuteForcedEvents(&context);
    }
    return linkage.plant.GetPositionsAndVelocities(context);
  }
  systems::Simulator<double> simulator(linkage.plant,
                                       std::move(linkage.context));
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  simulator.AdvanceTo(end);
  return linkage.plant.GetPositionsAndVelocities(simulator.get_context());
}

// With a motor at its limit, then within it: the step's order is 1.
TEST(ContinuousConstraints, AreTheLimitOfDiscreteSteps) {
  const VectorXd exact = Swing(0);
  const double coarse = (Swing(2e-3) - exact).norm();
  const double fine = (Swing(1e-3) - exact).norm();
  const double finer = (Swing(5e-4) - exact).norm();
  EXPECT_NEAR(coarse / fine, 2, 0.3);
  EXPECT_NEAR(fine / finer, 2, 0.2);
  EXPECT_LT(finer, 1e-2);
}

TEST(ContinuousConstraints, WorkWithMotorsWithinTheirLimits) {
  FourBar linkage(0, Closure::kBall, false);
  const auto& motor =
      linkage.plant.AddJointActuator("motor", *linkage.hinge_O, 0.8);
  linkage.plant.get_mutable_joint_actuator(motor.index())
      .set_controller_gains({200, 0.5});
  linkage.Finalize();
  linkage.SetMotion(1, 1);
  auto& context = *linkage.context;
  linkage.plant.get_desired_state_input_port(default_model_instance())
      .FixValue(&context, Vector2d(2.5, 0));
  EXPECT_NEAR(
      Acceleration(linkage.plant, context)[linkage.hinge_O->velocity_start()],
      linkage.CalcCrankAcceleration(0.8), 1e-10);
  EXPECT_TRUE(Near(Multipliers(linkage.plant, context).head<2>(),
                   linkage.CalcForceAtB(0.8), 1e-10));
}

TEST(ContinuousConstraints, ActOnlyInContextsWhereTheyAreActive) {
  FourBar linkage(0);
  linkage.SetMotion(1, 0);
  const auto& plant = linkage.plant;
  const auto open = linkage.context->Clone();
  plant.SetConstraintActiveStatus(open.get(), linkage.id, false);
  const VectorXd vdot = Acceleration(plant, *open);
  // A rod that falls about its end: -3 g cos / (2 l).
  EXPECT_NEAR(
      vdot[linkage.hinge_C->velocity_start()],
      -1.5 * 9.81 * std::cos(linkage.CalcMotion().psi) / FourBar::kRocker,
      1e-12);
  EXPECT_EQ(Multipliers(plant, *open), VectorXd::Zero(3));
  EXPECT_NEAR(Acceleration(plant, *linkage.context)[0],
              linkage.CalcCrankAcceleration(), 1e-10);
  plant.SetConstraintActiveStatus(open.get(), linkage.id, true);
  EXPECT_EQ(Acceleration(plant, *open), Acceleration(plant, *linkage.context));
}

TEST(ContinuousConstraints, DoNoWork) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  const PowerLedger<double> ledger = plant.CalcPowerLedger(*linkage.context);
  EXPECT_NEAR(ledger.constraints, 0, 1e-12);
  const VectorXd v = plant.GetVelocities(*linkage.context);
  MatrixX<double> M(3, 3);
  plant.CalcMassMatrix(*linkage.context, &M);
  VectorXd Cv(3);
  plant.CalcBiasTerm(*linkage.context, &Cv);
  EXPECT_NEAR(ledger.Sum(),
              v.dot(M * Acceleration(plant, *linkage.context) + Cv), 1e-12);
}

TEST(ContinuousConstraints, KeepEnergyOverARun) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  const double before = TotalEnergy(plant, *linkage.context);
  systems::Simulator<double> simulator(plant, std::move(linkage.context));
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  simulator.AdvanceTo(3);
  const auto& context = simulator.get_context();
  EXPECT_NEAR(TotalEnergy(plant, context), before, 1e-5);
  EXPECT_LT(plant.CalcConstraintErrors(context).norm(), 1e-7);
  EXPECT_LT(plant.CalcConstraintVelocities(context).norm(), 1e-6);
}

TEST(ContinuousConstraints, AllocateNothingAfterTheFirstStep) {
  FourBar linkage(0, Closure::kWeld, false);
  linkage.plant.set_constraint_projection(ConstraintProjection::kEveryStep);
  linkage.Finalize();
  linkage.SetMotion(1, 3);
  systems::Simulator<double> simulator(linkage.plant,
                                       std::move(linkage.context));
  simulator.Initialize();
  simulator.AdvanceTo(0.1);
  wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(0.2);
  EXPECT_EQ(guard.count(), 0);
}

// v̇ and multipliers by q and v.
template <typename T>
VectorX<T> Outputs(const MultibodyPlant<T>& plant, Context<T>* context,
                   const VectorX<T>& x) {
  plant.SetPositionsAndVelocities(context, x);
  const auto& vdot =
      plant.get_generalized_acceleration_output_port().Eval(*context);
  const auto& lambda =
      plant.get_constraint_multipliers_output_port().Eval(*context);
  VectorX<T> result(vdot.size() + lambda.size());
  result << vdot, lambda;
  return result;
}

MatrixX<double> Differences(const MultibodyPlant<double>& plant,
                            const VectorXd& x0, Context<double>* context) {
  const double h = 1e-5;
  MatrixX<double> result;
  for (int j = 0; j < x0.size(); ++j) {
    const VectorXd dx = h * VectorXd::Unit(x0.size(), j);
    const VectorXd d = (Outputs<double>(plant, context, x0 + dx) -
                        Outputs<double>(plant, context, x0 - dx)) /
                       (2 * h);
    result.conservativeResize(d.size(), x0.size());
    result.col(j) = d;
  }
  return result;
}

TEST(ContinuousConstraints, DerivativesAreThoseOfDifferences) {
  for (const Closure closure : {Closure::kBall, Closure::kWeld}) {
    FourBar linkage(0, closure);
    linkage.SetMotion(1, 3);
    const auto& plant = linkage.plant;
    const VectorXd x0 = plant.GetPositionsAndVelocities(*linkage.context);
    const auto ad = systems::System<double>::ToAutoDiffXd(plant);
    auto context = ad->CreateDefaultContext();
    const VectorX<AutoDiffXd> y =
        Outputs<AutoDiffXd>(*ad, context.get(), math::InitializeAutoDiff(x0));
    const MatrixX<double> gradient = math::ExtractGradient(y);
    // Entries are up to 1 / s² = 100 times 1e3 for a weld's moments.
    EXPECT_TRUE(
        Near(gradient, Differences(plant, x0, linkage.context.get()), 2e-4));
    EXPECT_TRUE(Near(math::ExtractValue(y),
                     Outputs<double>(plant, linkage.context.get(), x0), 1e-9));
  }
}

// Two bodies in free space, one pulled by a spring between two points.
struct SpringPair {
  explicit SpringPair(bool use_element) : plant(0) {
    one = &plant.AddRigidBody("one", MakeInertia(2, {0.1, 0, 0}, 0.1));
    other = &plant.AddRigidBody("other", MakeInertia(1, {0, 0.1, 0}, 0.2));
    const Vector3d p(0.1, 0.2, 0.3), q(-0.2, 0.1, 0);
    if (use_element) {
      plant.AddForceElement<LinearSpringDamper>(*one, p, *other, q, 0.8, 70.0,
                                                3.0);
    } else {
      plant.AddDistanceConstraint(*one, p, *other, q, 0.8, 70.0, 3.0);
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetFreeBodyPose(context.get(), *other,
                          RigidTransformd(Vector3d(1, 0.3, 0.2)));
    plant.SetVelocities(context.get(), VectorXd::LinSpaced(12, -1, 2));
  }
  MultibodyPlant<double> plant;
  const RigidBody<double>* one{};
  const RigidBody<double>* other{};
  std::unique_ptr<Context<double>> context;
};

TEST(ContinuousConstraints, ACompliantDistanceIsASpringAndDamper) {
  SpringPair constraint(false), element(true);
  EXPECT_TRUE(Near(Acceleration(constraint.plant, *constraint.context),
                   Acceleration(element.plant, *element.context), 1e-12));
  EXPECT_NEAR(constraint.plant.CalcPowerLedger(*constraint.context).constraints,
              element.plant.CalcPowerLedger(*element.context).force_elements[1],
              1e-12);
  // Stretched, so that it pulls.
  EXPECT_LT(Multipliers(constraint.plant, *constraint.context)[0], 0);
}

// A slider along z that turns a wheel.
struct Rack {
  static constexpr double kPitch = 0.2, kOffset = 0.05;
  explicit Rack(double time_step = 0) : plant(time_step) {
    const auto& slider = AddBar(&plant, "slider", 1);
    const auto& wheel = AddBar(&plant, "wheel", 0.5);
    rail = &plant.AddJoint<PrismaticJoint>("rail", plant.world_body(), {},
                                           slider, {}, Vector3d::UnitZ());
    axle = &plant.AddJoint<RevoluteJoint>("axle", plant.world_body(), {}, wheel,
                                          {}, Vector3d::UnitZ());
    plant.AddCouplerConstraint(*rail, *axle, kPitch, kOffset);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    rail->set_translation(context.get(), kOffset);
  }
  MultibodyPlant<double> plant;
  const PrismaticJoint<double>* rail{};
  const RevoluteJoint<double>* axle{};
  std::unique_ptr<Context<double>> context;
};

TEST(ContinuousConstraints, ACouplerReflectsInertia) {
  Rack rack;
  const VectorXd vdot = Acceleration(rack.plant, *rack.context);
  const double moment = 0.5 * 0.25 / 3;
  const double mass = 1 + moment / (Rack::kPitch * Rack::kPitch);
  EXPECT_NEAR(vdot[0], -9.81 / mass, 1e-12);
  EXPECT_NEAR(vdot[0], Rack::kPitch * vdot[1], 1e-12);
  // Holds the slider up, turns the wheel.
  const double lambda = Multipliers(rack.plant, *rack.context)[0];
  EXPECT_NEAR(lambda, vdot[0] + 9.81, 1e-12);
  EXPECT_NEAR(-Rack::kPitch * lambda, moment * vdot[1], 1e-12);
}

TEST(ContinuousConstraints, LockedJointsHoldWhatTheyAreCoupledTo) {
  Rack rack;
  rack.axle->Lock(rack.context.get());
  EXPECT_TRUE(
      Near(Acceleration(rack.plant, *rack.context), Vector2d::Zero(), 1e-12));
  EXPECT_NEAR(Multipliers(rack.plant, *rack.context)[0], 9.81, 1e-12);
  rack.rail->Lock(rack.context.get());
  EXPECT_TRUE(
      Near(Acceleration(rack.plant, *rack.context), Vector2d::Zero(), 1e-12));
  // Locked where they cannot both be.
  rack.rail->set_translation(rack.context.get(), 0.3);
  EXPECT_THROWS_MESSAGE(Acceleration(rack.plant, *rack.context),
                        std::runtime_error,
                        "coupler of joints 'rail' and 'axle'");
}

TEST(ContinuousConstraints, ACouplerOfNoUsefulRatioIsNamed) {
  for (const double time_step : {0.0, 1e-3}) {
    MultibodyPlant<double> plant(time_step);
    plant.set_name("gearbox");
    const auto& a = AddBar(&plant, "a", 1);
    const auto& b = AddBar(&plant, "b", 1);
    const auto& rail = plant.AddJoint<RevoluteJoint>(
        "rail", plant.world_body(), {}, a, {}, Vector3d::UnitZ());
    const auto& axle = plant.AddJoint<RevoluteJoint>(
        "axle", plant.world_body(), {}, b, {}, Vector3d::UnitZ());
    plant.AddCouplerConstraint(rail, axle, 1e200);
    if (time_step > 0) plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    axle.set_angle(context.get(), 0.3);
    EXPECT_THROWS_MESSAGE(
        time_step == 0 ? static_cast<void>(plant.EvalTimeDerivatives(*context))
                       : static_cast<void>(
                             plant.EvalUniquePeriodicDiscreteUpdate(*context)),
        std::runtime_error, "coupler of joints 'rail' and 'axle'");
  }
}

TEST(ContinuousConstraints, ErrorsDecayWithTheStabilizationTime) {
  for (const double s : {0.05, 0.1}) {
    MultibodyPlant<double> plant(0);
    const auto& body = AddBar(&plant, "body", 1);
    plant.AddBallConstraint(plant.world_body(), Vector3d::Zero(), body,
                            Vector3d::Zero());
    plant.set_constraint_stabilization_time(s);
    EXPECT_EQ(plant.get_constraint_stabilization_time(), s);
    plant.Finalize();
    auto start = plant.CreateDefaultContext();
    plant.SetFreeBodyPose(start.get(), body,
                          RigidTransformd(Vector3d(0.01, 0, 0)));
    systems::Simulator<double> simulator(plant, std::move(start));
    simulator.get_mutable_integrator().set_target_accuracy(1e-8);
    simulator.AdvanceTo(0.1);
    // That J v is not all of ė is of second order in e.
    EXPECT_NEAR(plant.CalcConstraintErrors(simulator.get_context()).norm(),
                0.01 * (1 + 0.1 / s) * std::exp(-0.1 / s), 1e-4);
  }
}

}  // namespace continuous_constraints_test
}  // namespace wyvern::multibody
