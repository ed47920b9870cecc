// Assembly of free bodies and of random trees, and its derivatives.
#include "wyvern/multibody/constraint_sets/assembly_coordinates.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::RandomConstrainedPlant;
using wyvern::test::Near;

class RandomAssembly : public testing::TestWithParam<unsigned> {
 protected:
  // Loops that are closed where the plant is.
  template <typename T>
  ConstraintSet<T> MakeSet(const MultibodyPlant<T>& plant) {
    RandomConstrainedPlant random(GetParam());
    ConstraintSet<T> set;
    const auto X_WB = [&](BodyIndex body) {
      return model_.plant.EvalBodyPoseInWorld(*home_,
                                              model_.plant.get_body(body));
    };
    const BodyIndex A(2), B(5), C(9);
    const auto X_AP = random.AnyPose();
    const auto X_BS = X_WB(B).inverse() * X_WB(A) * X_AP;
    for (int i : {3, 4, 5}) {
      set.AddLoopConstraint(A, B, X_AP, X_BS, Vector6<double>::Unit(i));
    }
    const auto X_WP = X_WB(C) * X_AP;
    for (int i : {0, 1, 3}) {
      set.AddLoopConstraint(world_index(), C, X_WP, X_AP,
                            Vector6<double>::Unit(i));
    }
    set.AddContactConstraint(BodyIndex(1), Vector3d(0.1, 0.2, 0.3),
                             Vector3d(0, 0, 1), "foot");
    set.Bind(plant);
    return set;
  }

  RandomConstrainedPlant model_{GetParam()};
  std::unique_ptr<systems::Context<double>> home_{model_.context->Clone()};
};

TEST_P(RandomAssembly, CoordinatesMoveAsTheirRatesSay) {
  const dynamics::Model& model = model_.plant.model();
  const int nv = model.num_v, nq = model.num_q;
  const VectorXd q0 = model_.plant.GetPositions(*home_);
  internal::AssemblyCoordinates<double> coordinates(model, q0);
  for (const double size : {0.0, 0.01, 0.7}) {
    const VectorXd xi = size * model_.Numbers(nv);
    MatrixX<double> rates = MatrixX<double>::Identity(nv, nv);
    coordinates.MultiplyByVelocities(xi, &rates);
    VectorXd q(nq), after(nq), before(nq), v(nv);
    coordinates.CalcPositions(xi, &q);
    const VectorXd direction = model_.Numbers(nv);
    const double h = 1e-5;
    coordinates.CalcPositions(xi + h * direction, &after);
    coordinates.CalcPositions(xi - h * direction, &before);
    dynamics::MapQDotToVelocity<double>(model, q, (after - before) / (2 * h),
                                        v);
    // Differences are good to h².
    EXPECT_TRUE(Near(rates * direction, v, 1e-8));
  }
}

TEST_P(RandomAssembly, ClosesLoopsThatWereMovedApart) {
  ConstraintSet<double> set = MakeSet(model_.plant);
  const int nv = model_.plant.num_velocities();
  VectorXd guess = model_.plant.GetPositions(*home_);
  guess += 0.5 * model_.Numbers(static_cast<int>(guess.size()));
  model_.plant.SetPositions(model_.context.get(), guess);
  VectorXd q(guess.size());
  AssemblyReport report;
  EXPECT_TRUE(CalcAssemblyQ<double>(model_.plant, *model_.context, &set, &q,
                                    VectorXd::Ones(nv), 1e-12, 100, &report))
      << report.DescribeUnmet();
  VectorXd left(set.size());
  model_.plant.SetPositions(home_.get(), q);
  CalcConstraintsPositionError<double>(model_.plant, *home_, &set, &left);
  EXPECT_LE(left.norm(), 1e-12);
  // The contact's point moved neither up nor down.
  const auto height = [&](const systems::Context<double>& context) {
    return (model_.plant.EvalBodyPoseInWorld(
                context, model_.plant.get_body(BodyIndex(1))) *
            Vector3d(0.1, 0.2, 0.3))
        .z();
  };
  EXPECT_NEAR(height(*home_), height(*model_.context), 1e-12);
}

TEST_P(RandomAssembly, DerivativesAreThoseOfTheNearestPositions) {
  const auto& plant = model_.plant;
  const int nv = plant.num_velocities(), nq = plant.num_positions();
  ConstraintSet<double> set = MakeSet(plant);
  const VectorXd q0 = plant.GetPositions(*home_);
  VectorXd dq(nq), qd(nq);
  plant.MapVelocityToQDot(*home_, model_.Numbers(nv), &dq);
  const VectorXd weights = VectorXd::Constant(nv, 2) + model_.Numbers(nv);
  const auto find = [&](double h) {
    plant.SetPositions(home_.get(), q0 + h * dq);
    EXPECT_TRUE(CalcAssemblyQ<double>(plant, *home_, &set, &qd, weights));
    return qd;
  };
  const double h = 1e-4;
  const VectorXd expected = (find(h) - find(-h)) / (2 * h);
  plant.SetPositions(home_.get(), q0);
  const auto plant_ad = systems::System<double>::ToAutoDiffXd(plant);
  auto set_ad = MakeSet<AutoDiffXd>(*plant_ad);
  auto context_ad = plant_ad->CreateDefaultContext();
  context_ad->SetTimeStateAndParametersFrom(*home_);
  VectorX<AutoDiffXd> q_ad(nq), found(nq);
  for (int i = 0; i < nq; ++i) {
    q_ad[i] = AutoDiffXd(q0[i], VectorXd::Constant(1, dq[i]));
  }
  plant_ad->SetPositions(context_ad.get(), q_ad);
  EXPECT_TRUE(CalcAssemblyQ<AutoDiffXd>(*plant_ad, *context_ad, &set_ad, &found,
                                        weights));
  for (int i = 0; i < nq; ++i) {
    // Differences are good to h² and to 1e-12 / h.
    EXPECT_NEAR(found[i].derivatives()[0], expected[i], 2e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomAssembly, testing::Range(0u, 6u));

class FreeBody : public testing::Test {
 protected:
  FreeBody()
      : body_(plant_.AddRigidBody(
            "body", SpatialInertia<double>::SolidCubeWithMass(1, 1))) {
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
  }
  MultibodyPlant<double> plant_{0};
  const RigidBody<double>& body_;
  std::unique_ptr<systems::Context<double>> context_;
};

TEST_F(FreeBody, AnAxisTurnsTheShortestWayToWhereItIsToPoint) {
  const Vector3d n = Vector3d(1, -2, 0.5).normalized();
  const Vector3d z0 = Vector3d::UnitZ();
  ConstraintSet<double> set;
  const auto X_WP = math::RigidTransform<double>(
      math::RotationMatrix<double>::MakeFromOneVector(n, 2), Vector3d::Zero());
  for (int i : {0, 1}) {
    set.AddLoopConstraint(plant_.world_body(), body_, X_WP, {},
                          Vector6<double>::Unit(i));
  }
  set.Bind(plant_);
  VectorXd guess(7), q(7);
  guess << 3, 0, 0, 0, 1, 2, 3;  // Not of unit length.
  plant_.SetPositions(context_.get(), guess);
  ASSERT_TRUE(
      CalcAssemblyQ<double>(plant_, *context_, &set, &q, VectorXd::Ones(6)));
  const Eigen::Quaterniond expected(
      Eigen::AngleAxisd(std::acos(z0.dot(n)), z0.cross(n).normalized()));
  EXPECT_NEAR(q.head(4).norm(), 1, 1e-15);
  EXPECT_NEAR(q[0], expected.w(), 1e-7);
  EXPECT_TRUE(Near(q.segment(1, 3), expected.vec(), 1e-7));
  EXPECT_TRUE(Near(q.tail(3), guess.tail(3), 1e-12));
}

TEST_F(FreeBody, WeightsSayWhetherItTurnsOrShifts) {
  ConstraintSet<double> set;
  for (int i : {3, 4, 5}) {
    set.AddLoopConstraint(plant_.world_body(), body_,
                          math::RigidTransform<double>(Vector3d(0, 1, 0)),
                          math::RigidTransform<double>(Vector3d(1, 0, 0)),
                          Vector6<double>::Unit(i), false, 0.1, "point");
  }
  set.Bind(plant_);
  VectorXd q(7), weights(6), turned(7), shifted(7);
  weights << 0, 0, 0, 1, 1, 1;
  ASSERT_TRUE(CalcAssemblyQ<double>(plant_, *context_, &set, &q, weights));
  turned << std::sqrt(0.5), 0, 0, std::sqrt(0.5), 0, 0, 0;
  EXPECT_TRUE(Near(q, turned, 1e-6));
  ASSERT_TRUE(CalcAssemblyQ<double>(plant_, *context_, &set, &q,
                                    VectorXd(1 - weights.array())));
  shifted << 1, 0, 0, 0, -1, 1, 0;
  EXPECT_TRUE(Near(q, shifted, 1e-6));
}

}  // namespace
}  // namespace wyvern::multibody
