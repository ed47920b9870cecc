#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using systems::Context;
using test::AddBar;
using test::FourBar;
using wyvern::test::Near;
using Closure = FourBar::Closure;

TEST(ConstraintProjection, AssemblesALinkageFromAGuess) {
  for (const double dt : {0.0, 1e-3}) {
    for (const Closure closure : {Closure::kBall, Closure::kWeld}) {
      FourBar linkage(dt, closure);
      linkage.SetAngles(1);
      const auto& plant = linkage.plant;
      VectorXd q = plant.GetPositions(*linkage.context);
      q += 0.3 * VectorXd::LinSpaced(q.size(), -1, 1);
      plant.SetPositions(linkage.context.get(), q);
      plant.SetVelocities(linkage.context.get(), VectorXd::Ones(q.size()));
      plant.ProjectOntoConstraints(linkage.context.get());
      const auto& context = *linkage.context;
      EXPECT_LT(plant.CalcConstraintErrors(context).norm(), 2e-11);
      EXPECT_LT(plant.CalcConstraintVelocities(context).norm(), 1e-9);
      EXPECT_NEAR(linkage.hinge_C->get_angle(context),
                  linkage.rocker_for(linkage.hinge_O->get_angle(context)),
                  1e-9);
    }
  }
}

TEST(ConstraintProjection, LeavesAnAssembledStateAlone) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  const VectorXd x = plant.GetPositionsAndVelocities(*linkage.context);
  plant.ProjectOntoConstraints(linkage.context.get());
  const VectorXd y = plant.GetPositionsAndVelocities(*linkage.context);
  EXPECT_EQ(y.head(3), x.head(3));
  EXPECT_TRUE(Near(y, x, 1e-13));
}

// The change of v is along M⁻¹ Jᵀ: orthogonal, by M, to all v that J v = 0
// allows, of which a linkage has one.
TEST(ConstraintProjection, ChangesVelocitiesTheLeastInTheMassMetric) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  const VectorXd allowed = plant.GetVelocities(*linkage.context);
  const VectorXd v = allowed + Vector3d(0.1, 0.7, -0.4);
  plant.SetVelocities(linkage.context.get(), v);
  plant.ProjectOntoConstraints(linkage.context.get());
  MatrixX<double> M(3, 3);
  plant.CalcMassMatrix(*linkage.context, &M);
  const VectorXd change = plant.GetVelocities(*linkage.context) - v;
  EXPECT_GT(change.norm(), 0.1);
  EXPECT_NEAR(allowed.dot(M * change), 0, 1e-12);
}

TEST(ConstraintProjection, DoesNotMoveLockedJoints) {
  FourBar linkage(0);
  linkage.SetAngles(1);
  linkage.hinge_A->set_angle(linkage.context.get(), 0.3);
  linkage.hinge_O->Lock(linkage.context.get());
  linkage.plant.ProjectOntoConstraints(linkage.context.get());
  EXPECT_EQ(linkage.hinge_O->get_angle(*linkage.context), 1);
  EXPECT_NEAR(linkage.hinge_C->get_angle(*linkage.context),
              linkage.rocker_for(1), 1e-10);
}

TEST(ConstraintProjection, SaysWhatCannotBeMet) {
  FourBar linkage(0);
  linkage.SetAngles(1);
  linkage.hinge_A->set_angle(linkage.context.get(), 0.3);
  for (const auto* hinge :
       {linkage.hinge_O, linkage.hinge_A, linkage.hinge_C}) {
    hinge->Lock(linkage.context.get());
  }
  const VectorXd q = linkage.plant.GetPositions(*linkage.context);
  EXPECT_THROWS_MESSAGE(
      linkage.plant.ProjectOntoConstraints(linkage.context.get()),
      std::runtime_error, "ball between 'coupler' and 'rocker' is off by");
  EXPECT_EQ(linkage.plant.GetPositions(*linkage.context), q);
}

// One that is switched off, another that stays.
TEST(ConstraintProjection, LetsConstraintsBeThatAreNotActive) {
  FourBar linkage(0, Closure::kBall, false);
  const auto far = linkage.plant.AddDistanceConstraint(
      *linkage.crank, Vector3d::Zero(), *linkage.rocker, Vector3d::Zero(), 5);
  linkage.Finalize();
  auto* context = linkage.context.get();
  const auto& plant = linkage.plant;
  linkage.SetAngles(1);
  linkage.hinge_A->set_angle(context, 0.3);
  const VectorXd x = plant.GetPositionsAndVelocities(*context);
  plant.SetConstraintActiveStatus(context, far, false);
  plant.SetConstraintActiveStatus(context, linkage.id, false);
  plant.ProjectOntoConstraints(context);
  EXPECT_EQ(plant.GetPositionsAndVelocities(*context), x);
  EXPECT_EQ(plant.CalcConstraintErrors(*context), VectorXd::Zero(4));
  plant.SetConstraintActiveStatus(context, linkage.id, true);
  EXPECT_GT(plant.CalcConstraintErrors(*context).norm(), 0.1);
  plant.ProjectOntoConstraints(context);
  EXPECT_LT(plant.CalcConstraintErrors(*context).norm(), 2e-11);
  EXPECT_EQ(plant.CalcConstraintErrors(*context)[3], 0);
  EXPECT_NEAR(linkage.hinge_C->get_angle(*context),
              linkage.rocker_for(linkage.hinge_O->get_angle(*context)), 1e-9);
}

// Derivatives of the projection of x0, as they are and by differences.
void ExpectDerivativesOfProjection(const FourBar& linkage, const VectorXd& x0,
                                   double tolerance) {
  const auto& plant = linkage.plant;
  const auto project = [&](const VectorXd& x) {
    plant.SetPositionsAndVelocities(linkage.context.get(), x);
    plant.ProjectOntoConstraints(linkage.context.get());
    return VectorXd(plant.GetPositionsAndVelocities(*linkage.context));
  };
  const auto ad = systems::System<double>::ToAutoDiffXd(plant);
  auto context = ad->CreateDefaultContext();
  ad->SetPositionsAndVelocities(context.get(), math::InitializeAutoDiff(x0));
  ad->ProjectOntoConstraints(context.get());
  const MatrixX<double> gradient =
      math::ExtractGradient(ad->GetPositionsAndVelocities(*context));
  const double h = 1e-5;
  for (int j = 0; j < 6; ++j) {
    const VectorXd dx = h * VectorXd::Unit(6, j);
    EXPECT_TRUE(Near(gradient.col(j),
                     (project(x0 + dx) - project(x0 - dx)) / (2 * h),
                     tolerance))
        << j;
  }
}

TEST(ConstraintProjection, DerivativesAreThoseOfDifferences) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  VectorXd x = linkage.plant.GetPositionsAndVelocities(*linkage.context);
  x[1] += 0.05;
  // Newton's path, not only its end, depends on x: by its step's error.
  ExpectDerivativesOfProjection(linkage, x, 1e-4);
}

// Where no step of Newton's method is needed, one is for derivatives.
TEST(ConstraintProjection, DerivativesOfAnAssembledStateAreThoseOfDifferences) {
  FourBar linkage(0);
  linkage.SetMotion(1, 3);
  const VectorXd x = linkage.plant.GetPositionsAndVelocities(*linkage.context);
  ExpectDerivativesOfProjection(linkage, x, 1e-6);
}

struct Drift {
  double error;
  double velocity;
};

// The largest errors in a run of coarse steps.
Drift MeasureDrift(double stabilization_time, ConstraintProjection projection,
                   int steps) {
  FourBar linkage(0, Closure::kBall, false);
  linkage.plant.set_constraint_stabilization_time(stabilization_time);
  linkage.plant.set_constraint_projection(projection);
  linkage.Finalize();
  linkage.SetMotion(1, 3);
  const auto& plant = linkage.plant;
  systems::Simulator<double> simulator(plant, std::move(linkage.context));
  const double dt = 2e-3;
  simulator.reset_integrator<systems::RungeKutta2Integrator<double>>(dt);
  Drift drift{};
  for (int i = 1; i <= steps; i += 50) {
    simulator.AdvanceTo(i * dt);
    const auto& context = simulator.get_context();
    drift.error =
        std::max(drift.error, plant.CalcConstraintErrors(context).norm());
    drift.velocity = std::max(drift.velocity,
                              plant.CalcConstraintVelocities(context).norm());
  }
  return drift;
}

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(ConstraintDrift, GrowsWithoutEither) {
  EXPECT_GT(MeasureDrift(kNever, ConstraintProjection::kNone, 4000).error,
            1e-3);
}

TEST(ConstraintDrift, IsBoundedByStabilization) {
  const Drift drift = MeasureDrift(0.1, ConstraintProjection::kNone, 20000);
  EXPECT_LT(drift.error, 1e-4);
  EXPECT_LT(drift.velocity, 1e-3);
}

TEST(ConstraintDrift, IsThatOfOneStepWithProjection) {
  const Drift drift =
      MeasureDrift(0.1, ConstraintProjection::kEveryStep, 20000);
  EXPECT_LT(drift.error, 1e-5);
  EXPECT_LT(drift.velocity, 1e-4);
}

TEST(ConstraintStabilization, SettingsAreChecked) {
  MultibodyPlant<double> plant(0), discrete(1e-3);
  EXPECT_EQ(plant.get_constraint_stabilization_time(), 0.1);
  EXPECT_EQ(plant.get_constraint_projection(), ConstraintProjection::kNone);
  for (const double s : {0.0, -1.0, double(NAN)}) {
    EXPECT_THROWS_MESSAGE(plant.set_constraint_stabilization_time(s),
                          std::logic_error, "give a positive time");
  }
  EXPECT_THROWS_MESSAGE(
      discrete.set_constraint_projection(ConstraintProjection::kEveryStep),
      std::logic_error, "the plant is discrete");
  EXPECT_THROWS_MESSAGE(plant.num_constraint_multipliers(), std::logic_error,
                        "Finalize");
  EXPECT_THROWS_MESSAGE(plant.get_constraint_multipliers_output_port(),
                        std::logic_error, "Finalize");
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(plant.set_constraint_stabilization_time(1),
                        std::logic_error, "after Finalize");
  EXPECT_THROWS_MESSAGE(
      plant.set_constraint_projection(ConstraintProjection::kEveryStep),
      std::logic_error, "after Finalize");
}

TEST(ConstraintStabilization, IsPartOfTheConfiguration) {
  MultibodyPlantConfig config;
  config.time_step = 0;
  config.constraint_stabilization_time = 0.02;
  config.constraint_projection = "every_step";
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlant(config, &builder);
  EXPECT_EQ(plant.get_constraint_stabilization_time(), 0.02);
  EXPECT_EQ(plant.get_constraint_projection(),
            ConstraintProjection::kEveryStep);
  config.constraint_projection = "often";
  EXPECT_THROWS_MESSAGE(ApplyMultibodyPlantConfig(config, &plant),
                        std::logic_error,
                        "'often' is not one of 'none', 'every_step'");
}

TEST(Constraints, SayWhereTheirMultipliersAre) {
  FourBar linkage(0, Closure::kBall, false);
  auto& plant = linkage.plant;
  const auto rod = plant.AddDistanceConstraint(
      *linkage.crank, Vector3d::Zero(), *linkage.rocker, Vector3d::Zero(), 0.8);
  const auto weld =
      plant.AddWeldConstraint(*linkage.crank, {}, *linkage.rocker, {});
  linkage.Finalize();
  EXPECT_EQ(plant.num_constraint_multipliers(), 10);
  EXPECT_EQ(plant.GetConstraintMultiplierStart(linkage.id), 0);
  EXPECT_EQ(plant.GetConstraintMultiplierStart(rod), 3);
  EXPECT_EQ(plant.GetConstraintMultiplierStart(weld), 4);
  EXPECT_EQ(plant.get_constraint_multipliers_output_port().size(), 10);
  FourBar other(0);
  EXPECT_THROWS_MESSAGE(plant.GetConstraintMultiplierStart(other.id),
                        std::logic_error, "no constraint with id");
}

TEST(DistanceConstraint, IsNamedWhereItsPointsCoincide) {
  const double kRigid = std::numeric_limits<double>::infinity();
  for (const double dt : {0.0, 1e-3}) {
    for (const double stiffness : {kRigid, 100.0}) {
      MultibodyPlant<double> plant(dt);
      const auto& bob =
          plant.AddRigidBody("bob", test::MakeInertia(1, {0, 0, 0}, 0.1));
      plant.AddDistanceConstraint(plant.world_body(), Vector3d::Zero(), bob,
                                  Vector3d::Zero(), 1, stiffness);
      if (dt > 0) plant.SetUseSampledOutputPorts(false);
      plant.Finalize();
      const auto context = plant.CreateDefaultContext();
      context->SetTime(2.5);
      const char* wanted = "at time 2.5: distance between 'world' and 'bob': ";
      EXPECT_THROWS_MESSAGE(
          plant.get_generalized_acceleration_output_port().Eval(*context),
          std::runtime_error, wanted);
      EXPECT_THROWS_MESSAGE(plant.CalcConstraintErrors(*context),
                            std::runtime_error, wanted);
      if (stiffness < kRigid) continue;
      EXPECT_THROWS_MESSAGE(plant.ProjectOntoConstraints(context.get()),
                            std::runtime_error, wanted);
    }
  }
}

}  // namespace
}  // namespace wyvern::multibody
