// Constraints that no motion meets, by each method.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using test::MakeInertia;
using wyvern::test::Near;

// A free body that stabilization pulls towards two places along x, and one
// along y.
class TornBody : public testing::Test {
 protected:
  TornBody() {
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
    AddLoop(1, 0, "left");
    AddLoop(0, 0, "along_y");
    AddLoop(1, gap_, "right");
    set_.Bind(plant_);
  }
  void AddLoop(int is_x, double offset, const char* name) {
    set_.AddLoopConstraint(
        plant_.world_body(), *body_, RigidTransformd(Vector3d(offset, 0, 0)),
        {}, Vector6<double>::Unit(is_x ? 3 : 4), true, 0.5, name);
  }

  double gap_{0.1};  // m
  MultibodyPlant<double> plant_{0.0};
  const RigidBody<double>* body_{
      &plant_.AddRigidBody("body", MakeInertia(2, {0, 0, 0.1}, 0.3))};
  std::unique_ptr<systems::Context<double>> context_;
  ConstraintSet<double> set_;
  VectorXd vdot_{VectorXd::Zero(6)};
};

constexpr const char* kWhy =
    "(): the constraints contradict one another, so that no motion meets them "
    "all: row 0 of 'left', row 2 of 'right'. Remove one of these, or give them "
    "what agrees.";

TEST_F(TornBody, IsRefusedByEveryForwardDynamics) {
  const auto expect = [&](auto* f, const std::string& name) {
    EXPECT_THROWS_MESSAGE(
        f(plant_, *context_, VectorXd::Zero(6), &set_, &vdot_, nullptr),
        std::runtime_error, name + kWhy);
  };
  expect(&ForwardDynamicsConstraintsDirect<double>,
         "ForwardDynamicsConstraintsDirect");
  expect(&ForwardDynamicsConstraintsRangeSpaceSparse<double>,
         "ForwardDynamicsConstraintsRangeSpaceSparse");
  expect(&ForwardDynamicsConstraintsNullSpace<double>,
         "ForwardDynamicsConstraintsNullSpace");
  expect(&ForwardDynamicsContactsKokkevis<double>,
         "ForwardDynamicsContactsKokkevis");
}

TEST_F(TornBody, IsRefusedByEveryLinearSolver) {
  for (const LinearSolver solver :
       {LinearSolver::kSymmetric, LinearSolver::kPartialPivLU,
        LinearSolver::kHouseholderQR, LinearSolver::kColPivHouseholderQR}) {
    set_.SetSolver(solver);
    for (auto* f : {&ForwardDynamicsConstraintsDirect<double>,
                    &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                    &ForwardDynamicsConstraintsNullSpace<double>}) {
      EXPECT_THROWS_MESSAGE(
          f(plant_, *context_, VectorXd::Zero(6), &set_, &vdot_, nullptr),
          std::runtime_error, kWhy);
    }
  }
}

TEST_F(TornBody, IsRefusedByEveryImpact) {
  set_.SetVPlus(Vector3d(1, 0, 2));
  const auto expect = [&](auto* f, const std::string& name) {
    EXPECT_THROWS_MESSAGE(f(plant_, *context_, &set_, &vdot_),
                          std::runtime_error, name + kWhy);
  };
  expect(&ComputeConstraintImpulsesDirect<double>,
         "ComputeConstraintImpulsesDirect");
  expect(&ComputeConstraintImpulsesRangeSpaceSparse<double>,
         "ComputeConstraintImpulsesRangeSpaceSparse");
  expect(&ComputeConstraintImpulsesNullSpace<double>,
         "ComputeConstraintImpulsesNullSpace");
}

TEST_F(TornBody, IsRefusedByInverseDynamics) {
  set_.SetActuationMap(plant_, std::vector<bool>(6, true));
  VectorXd tau(6);
  EXPECT_THROWS_MESSAGE(
      InverseDynamicsConstraintsRelaxed<double>(
          plant_, *context_, VectorXd::Zero(6), &set_, &vdot_, &tau),
      std::runtime_error,
      std::string("InverseDynamicsConstraintsRelaxed") + kWhy);
  EXPECT_THROWS_MESSAGE(
      InverseDynamicsConstraints<double>(plant_, *context_, VectorXd::Zero(6),
                                         &set_, &vdot_, &tau),
      std::runtime_error, "'right'");
}

TEST_F(TornBody, IsAcceptedWhereItDoesNotContradictItself) {
  // Without stabilization both say that v̇_x is 0.
  for (int g = 0; g < set_.num_groups(); ++g) {
    set_.DisableBaumgarteStabilization(g);
  }
  const VectorXd tau = Eigen::Matrix<double, 6, 1>(0, 0, 0, 4, 0, 0);
  for (auto* f : {&ForwardDynamicsConstraintsDirect<double>,
                  &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                  &ForwardDynamicsConstraintsNullSpace<double>,
                  &ForwardDynamicsContactsKokkevis<double>}) {
    f(plant_, *context_, tau, &set_, &vdot_, nullptr);
    EXPECT_NEAR(vdot_[3], 0, 1e-14);
    EXPECT_TRUE(Near(set_.force(), Vector3d(-2, 0, -2), 1e-13));
    ASSERT_EQ(set_.dependent_rows().size(), 1);
    EXPECT_EQ(set_.dependent_rows()[0], 2);
  }
}

}  // namespace
}  // namespace wyvern::multibody
