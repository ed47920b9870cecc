// Centroidal momentum, the inverse of the mass matrix, and the inverse of
// operational-space inertia, against dense algebra on random forests.
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/centroidal_momentum.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/dynamics/mass_matrix_inverse.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/dynamics/operational_space_inertia.h"

namespace wyvern::multibody::dynamics {
namespace momentum_and_response_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Computed;
using test::RandomSystem;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

std::vector<int> AllBodies(const Model& model) {
  std::vector<int> bodies(model.num_bodies() - 1);
  std::iota(bodies.begin(), bodies.end(), 1);
  return bodies;
}

template <typename T>
Vector3<T> CenterOfMass(const Computed<T>& at) {
  return CalcCenterOfMass<T>(at.model, at.parameters, at.positions,
                             AllBodies(at.model));
}

double Rounding(const MatrixXd& x, double relative = 1e-11) {
  return relative * std::max(1.0, x.cwiseAbs().maxCoeff());
}

class MomentumAndResponse : public ::testing::TestWithParam<unsigned> {
 protected:
  MatrixXd MassMatrixInverse() {
    now_.ForwardDynamics(VectorXd::Zero(nv_));
    MassMatrixInverseScratch<double> scratch(model_);
    MatrixXd result = MatrixXd::Constant(nv_, nv_, 7);
    CalcMassMatrixInverse<double>(model_, now_.positions, now_.articulated,
                                  &scratch, result);
    return result;
  }
  Matrix6X<double> MomentumMatrix() {
    Matrix6X<double> A(6, nv_);
    CalcCentroidalMomentumMatrix<double>(
        model_, now_.positions, now_.composites, CenterOfMass(now_), A);
    return A;
  }

  RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  Computed<double>& now_{system_.computed};
  const int nv_{model_.num_v};
};

TEST_P(MomentumAndResponse, MassMatrixTimesItsInverseIsIdentity) {
  const MatrixXd inverse = MassMatrixInverse();
  const MatrixXd product = now_.MassMatrix() * inverse;
  EXPECT_TRUE(Near(product, MatrixXd::Identity(nv_, nv_), 1e-9));
  EXPECT_TRUE(Near(inverse, MatrixXd(inverse.transpose())));
}

TEST_P(MomentumAndResponse, CentroidalMomentumIsItsMatrixTimesV) {
  const Vector6<double> h = CalcSpatialMomentum<double>(
      model_, now_.parameters, now_.positions, now_.velocities,
      AllBodies(model_), CenterOfMass(now_));
  EXPECT_TRUE(Near(Vector6<double>(MomentumMatrix() * now_.v), h, Rounding(h)));
  const Vector6<double> direct =
      CalcCentroidalMomentum<double>(model_, now_.positions, now_.inertias,
                                     now_.velocities, CenterOfMass(now_));
  EXPECT_TRUE(Near(direct, h, Rounding(h)));
}

TEST_P(MomentumAndResponse, RateOfCentroidalMomentumIsAVdotPlusItsBias) {
  const VectorXd vdot = system_.random.Numbers(nv_);
  std::vector<Vector6<double>> scratch(model_.num_nodes());
  const Vector6<double> bias = CalcCentroidalMomentumBias<double>(
      model_, now_.positions, now_.inertias, now_.velocities,
      CenterOfMass(now_), &scratch);
  Computed<AutoDiffXd> moving(model_, test::ToAutoDiff(model_, now_.parameters),
                              test::Moving(now_.q, system_.QDot()),
                              test::Moving(now_.v, vdot));
  const Vector6<AutoDiffXd> h = CalcCentroidalMomentum<AutoDiffXd>(
      model_, moving.positions, moving.inertias, moving.velocities,
      CenterOfMass(moving));
  const MatrixXd expected = test::RatesOf(h);
  EXPECT_TRUE(Near(MatrixXd(MomentumMatrix() * vdot + bias), expected,
                   Rounding(expected)));
}

TEST_P(MomentumAndResponse, InverseOfOperationalSpaceInertiaIsJMInverseJt) {
  const MatrixXd M_inverse = MassMatrixInverse();
  const int m = 4;
  std::vector<BodyPoint<double>> points;
  MatrixXd J(6 * m, nv_);
  for (int i = 0; i < m; ++i) {
    const int body = system_.random.Below(model_.num_bodies());
    points.push_back({body, system_.random.Numbers(3)});
    Matrix6X<double> Ji(6, nv_);
    CalcSpatialVelocityJacobian<double>(model_, now_.positions, body,
                                        points[i].p_WQ, Ji);
    J.middleRows(6 * i, 6) = Ji;
  }
  OperationalSpaceInertiaScratch<double> scratch(model_, m);
  MatrixXd result = MatrixXd::Constant(6 * m, 6 * m, 7);
  CalcInverseOperationalSpaceInertia<double>(
      model_, now_.positions, now_.articulated, points, &scratch, result);
  const MatrixXd expected = J * M_inverse * J.transpose();
  EXPECT_TRUE(Near(result, expected, Rounding(expected, 1e-9)));
}

TEST_P(MomentumAndResponse, ScratchCanBeUsedAgain) {
  const MatrixXd fresh = MassMatrixInverse();
  MassMatrixInverseScratch<double> scratch(model_);
  const VectorXd q = now_.q;
  MatrixXd result(nv_, nv_);
  for (const VectorXd& at : {system_.RandomPositions(), q}) {
    now_.q = at;
    now_.Update();
    now_.ForwardDynamics(VectorXd::Zero(nv_));
    CalcMassMatrixInverse<double>(model_, now_.positions, now_.articulated,
                                  &scratch, result);
  }
  EXPECT_TRUE(Near(result, fresh));
}

INSTANTIATE_TEST_SUITE_P(Forests, MomentumAndResponse,
                         ::testing::Range(0u, 14u));

TEST(OperationalSpaceInertia, RefusesMorePointsThanScratchHasRoomFor) {
  RandomSystem system(1);
  const int n = system.model.num_bodies() - 1;
  const std::vector<BodyPoint<double>> points(2, {n, Vector3d::Zero()});
  OperationalSpaceInertiaScratch<double> scratch(system.model, 1);
  MatrixXd result(12, 12);
  EXPECT_THROWS_MESSAGE(
      CalcInverseOperationalSpaceInertia<double>(
          system.model, system.computed.positions, system.computed.articulated,
          points, &scratch, result),
      std::logic_error, "2 points were given");
}

TEST(MomentumAndResponseAllocation, None) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  RandomSystem system(4, 40);
  const Model& model = system.model;
  auto& now = system.computed;
  now.ForwardDynamics(VectorXd::Zero(model.num_v));
  MassMatrixInverseScratch<double> inverse(model);
  OperationalSpaceInertiaScratch<double> response(model, 2);
  const std::vector<BodyPoint<double>> points{{7, {1, 2, 3}}, {20, {3, 2, 1}}};
  MatrixXd M_inverse(model.num_v, model.num_v), Lambda_inverse(12, 12);
  Matrix6X<double> A(6, model.num_v);
  const Vector3d p_WC = CenterOfMass(now);
  const AllocationGuard guard;
  CalcMassMatrixInverse<double>(model, now.positions, now.articulated, &inverse,
                                M_inverse);
  CalcInverseOperationalSpaceInertia<double>(
      model, now.positions, now.articulated, points, &response, Lambda_inverse);
  CalcCentroidalMomentumMatrix<double>(model, now.positions, now.composites,
                                       p_WC, A);
  CalcCentroidalMomentumBias<double>(model, now.positions, now.inertias,
                                     now.velocities, p_WC, &now.A);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace momentum_and_response_test
}  // namespace wyvern::multibody::dynamics
