#include "wyvern/multibody/fem/elasticity.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "tests/multibody/fem/test_bodies.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::kMaterials;
using wyvern::test::Near;
using wyvern::test::RandomPose;
using Matrix9d = Eigen::Matrix<double, 9, 9>;

constexpr double kE = 2e3, kNu = 0.3;
constexpr double kMu = kE / (2 * (1 + kNu));
constexpr double kLambda = kE * kNu / ((1 + kNu) * (1 - 2 * kNu));

Matrix3d MakeRandom(RandomPose* random, double scale) {
  Matrix3d result;
  for (int i = 0; i < 3; ++i) result.col(i) = random->Vector3(scale);
  return result;
}

// Returns dP/dF, of matrices column by column: with dF = U X V' the stress
// changes by dP = U Y V' (elasticity.h).
Matrix9d CalcTangent(const Stress& s) {
  Matrix9d result;
  for (int entry = 0; entry < 9; ++entry) {
    Matrix3d dF = Matrix3d::Zero();
    dF(entry % 3, entry / 3) = 1;
    const Matrix3d X = s.U.transpose() * dF * s.V;
    Matrix3d Y;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      Y(k, k) = s.A.row(k) * X.diagonal();
      Y(i, j) = s.p[k] * X(i, j) + s.m[k] * X(j, i);
      Y(j, i) = s.p[k] * X(j, i) + s.m[k] * X(i, j);
    }
    Eigen::Map<Matrix3d>(result.col(entry).data()) = s.U * Y * s.V.transpose();
  }
  return result;
}

TEST(Elasticity, StressIsTheGradientOfEnergyAndTheTangentThatOfStress) {
  RandomPose random;
  for (const MaterialModel model : kMaterials) {
    const Elasticity c = MakeElasticity("test", model, kE, kNu);
    for (int k = 0; k < 20; ++k) {
      const Matrix3d R0 = random.Rotation().matrix();
      const Matrix3d F = R0 * (Matrix3d::Identity() + MakeRandom(&random, 0.4));
      const Stress stress = CalcStress(c, F, R0);
      const Matrix9d tangent = CalcTangent(stress);
      const double h = 1e-5;
      for (int i = 0; i < 9; ++i) {
        Matrix3d dF = Matrix3d::Zero();
        dF.data()[i] = h;
        const Stress up = CalcStress(c, F + dF, R0);
        const Stress down = CalcStress(c, F - dF, R0);
        EXPECT_NEAR(stress.P.data()[i], (up.energy - down.energy) / (2 * h),
                    1e-6 * kE);
        const Matrix3d slope = (up.P - down.P) / (2 * h);
        EXPECT_TRUE(Near(Eigen::Map<const Matrix3d>(tangent.col(i).data()),
                         slope, 1e-5 * kE));
      }
    }
  }
}

TEST(Elasticity, SmallStrainsFollowHookesLawInEveryModel) {
  RandomPose random;
  const Matrix3d e = MakeRandom(&random, 1e-6);
  const Matrix3d strain = 0.5 * (e + e.transpose());
  const Matrix3d hooke =
      2 * kMu * strain + kLambda * strain.trace() * Matrix3d::Identity();
  for (const MaterialModel model : kMaterials) {
    const Stress stress =
        CalcStress(MakeElasticity("test", model, kE, kNu),
                   Matrix3d::Identity() + e, Matrix3d::Identity());
    EXPECT_TRUE(Near(stress.P, hooke, 1e-5 * hooke.norm()));
    EXPECT_NEAR(stress.energy, 0.5 * hooke.cwiseProduct(strain).sum(),
                1e-3 * kE * 1e-12);
  }
}

TEST(Elasticity, RotationsMakeNoStress) {
  RandomPose random;
  for (const MaterialModel model : kMaterials) {
    if (model == MaterialModel::kLinear) continue;  // Of small rotations.
    const Matrix3d R = random.Rotation().matrix();
    const Stress stress =
        CalcStress(MakeElasticity("test", model, kE, kNu), R, R);
    EXPECT_TRUE(Near(stress.P, Matrix3d::Zero(), 1e-12 * kE));
    EXPECT_NEAR(stress.energy, 0, 1e-12 * kE);
  }
}

// Inside out and flat too.
TEST(Elasticity, TheProjectionIsTheNearestTangentThatIsNotNegative) {
  RandomPose random;
  for (const MaterialModel model : kMaterials) {
    const Elasticity c = MakeElasticity("test", model, kE, kNu);
    for (int k = 0; k < 50; ++k) {
      const Matrix3d F = MakeRandom(&random, 1.5);
      Stress stress = CalcStress(c, F, CalcRotation(F));
      const Eigen::SelfAdjointEigenSolver<Matrix9d> before(CalcTangent(stress));
      ProjectToPositive(&stress);
      const Matrix9d nearest = before.eigenvectors() *
                               before.eigenvalues().cwiseMax(0).asDiagonal() *
                               before.eigenvectors().transpose();
      EXPECT_TRUE(Near(CalcTangent(stress), nearest,
                       1e-12 * before.eigenvalues().cwiseAbs().maxCoeff()));
    }
  }
}

TEST(Elasticity, TheRotationIsProperAndNearestAlsoInsideOut) {
  RandomPose random;
  for (int k = 0; k < 50; ++k) {
    const Matrix3d F = MakeRandom(&random, 1.5);
    const Matrix3d R = CalcRotation(F);
    EXPECT_NEAR(R.determinant(), 1, 1e-13);
    EXPECT_TRUE(Near(R * R.transpose(), Matrix3d::Identity(), 1e-13));
    // R'F is symmetric, and no rotation near R is nearer to F.
    const Matrix3d S = R.transpose() * F;
    EXPECT_TRUE(Near(S, S.transpose(), 1e-12));
    const Eigen::AngleAxisd turn(0.1, random.Vector3(1).normalized());
    EXPECT_GE((turn.toRotationMatrix() * R - F).norm(), (R - F).norm());
  }
}

// Also of an F that is flat, a line, a point or inside out.
TEST(Elasticity, SignedStretchesGiveTheGradientBack) {
  RandomPose random;
  for (int k = 0; k < 200; ++k) {
    Matrix3d F = MakeRandom(&random, 1.5);
    if (k % 4 == 1) F.col(2) = F.col(0) * 1e-5;
    if (k % 4 == 2) F.col(1) = F.col(2) = F.col(0);
    if (k == 3) F.setZero();
    if (k == 7) F.setIdentity();
    Matrix3d U, V;
    Vector3d sigma;
    DecomposeSigned(F, &U, &sigma, &V);
    EXPECT_TRUE(Near(U * sigma.asDiagonal() * V.transpose(), F, 1e-12));
    for (const Matrix3d& R : {U, V}) {
      EXPECT_TRUE(Near(R * R.transpose(), Matrix3d::Identity(), 1e-12));
      EXPECT_NEAR(R.determinant(), 1, 1e-12);
    }
    EXPECT_GE(sigma[0], sigma[1]);
    EXPECT_GE(sigma[1] + 1e-12, std::abs(sigma[2]));
    EXPECT_GE(sigma[2] * F.determinant(), -1e-12);
  }
}

TEST(Elasticity, RefusesNumbersThatAreNoMaterial) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  DeformableBodyConfig<double> config;
  EXPECT_EQ(config.youngs_modulus(), 1e8);
  EXPECT_EQ(config.poissons_ratio(), 0.49);
  EXPECT_EQ(config.mass_density(), 1500);
  EXPECT_EQ(config.mass_damping_coefficient(), 0);
  EXPECT_EQ(config.stiffness_damping_coefficient(), 0);
  EXPECT_EQ(config.material_model(), MaterialModel::kLinearCorotated);
  for (const double bad : {0.0, -1.0, nan, HUGE_VAL}) {
    EXPECT_THROWS_MESSAGE(config.set_youngs_modulus(bad), std::logic_error,
                          "set_youngs_modulus(): youngs_modulus is");
    EXPECT_THROWS_MESSAGE(config.set_mass_density(bad), std::logic_error,
                          "set_mass_density(): mass_density is");
  }
  for (const double bad : {-1.0, nan, HUGE_VAL}) {
    EXPECT_THROW(config.set_mass_damping_coefficient(bad), std::logic_error);
    EXPECT_THROW(config.set_stiffness_damping_coefficient(bad),
                 std::logic_error);
  }
  for (const double bad : {0.5, -1.0, nan, 2.0}) {
    EXPECT_THROWS_MESSAGE(config.set_poissons_ratio(bad), std::logic_error,
                          "it is more than -1 and less than 0.5");
  }
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
