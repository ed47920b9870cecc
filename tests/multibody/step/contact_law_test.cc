#include "wyvern/multibody/step/laws/contact_law.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "tests/multibody/step/random_contact.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::multibody::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::Near;
using Law = ContactLaw<double>;

Law MakeSap() {
  Law law;
  law.kind = Law::Kind::kSap;
  law.mu = 0.7;
  law.v_hat = 0.02;
  law.R_n = 0.05;
  law.R_t = 0.001;
  return law;
}

Law MakeHuntCrossley(Law::Kind kind) {
  Law law;
  law.kind = kind;
  law.mu = 0.7;
  law.dt = 0.01;
  law.k = 1e4;
  law.d = 2.0;
  law.f0 = 5.0;
  law.n0 = 0.06;
  law.eps = 1e-2;
  return law;
}

std::vector<Law> AllLaws() {
  return {MakeSap(), MakeHuntCrossley(Law::Kind::kLagged),
          MakeHuntCrossley(Law::Kind::kSimilar)};
}

class ContactLaws : public ::testing::TestWithParam<int> {
 protected:
  Vector3d RandomVelocity() {
    std::uniform_real_distribution<double> unit(-1, 1);
    const double scale = std::pow(10.0, -3 + 3 * std::abs(unit(generator_)));
    return scale *
           Vector3d(unit(generator_), unit(generator_), unit(generator_));
  }
  const Law law_ = AllLaws()[GetParam()];
  std::mt19937 generator_{17};
};

TEST_P(ContactLaws, SlopeIsMinusTheImpulsesDerivative) {
  for (int i = 0; i < 300; ++i) {
    const Vector3d v = RandomVelocity();
    Vector3d g;
    Matrix3d G;
    law_.Calc(v, &g, &G);
    Matrix3d difference;
    const double h = 1e-7;
    for (int j = 0; j < 3; ++j) {
      const Vector3d dv = h * Vector3d::Unit(j);
      difference.col(j) =
          -(law_.CalcImpulse(v + dv) - law_.CalcImpulse(v - dv)) / (2 * h);
    }
    // Central differences: h^2 of the third derivative, and round-off / h.
    EXPECT_TRUE(Near(G, difference, 1e-5 * (1 + G.norm())));
    EXPECT_EQ(g, law_.CalcImpulse(v));
  }
}

TEST_P(ContactLaws, AlongAChangeAreTheImpulseAndSlopeTimesIt) {
  for (int i = 0; i < 300; ++i) {
    const Vector3d v = RandomVelocity(), dv = RandomVelocity();
    Vector3d g;
    Matrix3d G;
    law_.Calc(v, &g, &G);
    double decrease;
    EXPECT_NEAR(law_.CalcAlong(v, dv, &decrease), dv.dot(g),
                1e-13 * dv.norm() * g.norm());
    EXPECT_NEAR(decrease, dv.dot(G * dv), 1e-12 * dv.squaredNorm() * G.norm());
    EXPECT_EQ(law_.CalcAlong(v, dv, nullptr), law_.CalcAlong(v, dv, &decrease));
  }
}

TEST_P(ContactLaws, SlopeIsSymmetricAndPositiveSemidefinite) {
  for (int i = 0; i < 300; ++i) {
    Vector3d g;
    Matrix3d G;
    law_.Calc(RandomVelocity(), &g, &G);
    EXPECT_TRUE(Near(G, G.transpose(), 1e-12 * (1 + G.norm())));
    const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(G);
    EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-12 * (1 + G.norm()));
  }
}

// The direction v_t / s gives the slope itself. The direction 0 gives the slope
// of the line from no friction at v_t = 0 through the friction at v_t.
TEST_P(ContactLaws, SlopeByADirectionIsBetweenSecantAndTangent) {
  if (law_.kind == Law::Kind::kSap) return;  // Has no directions.
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 300; ++i) {
    const Vector3d v = RandomVelocity();
    Vector3d g;
    Matrix3d tangent;
    law_.Calc(v, &g, &tangent);
    const double s = std::hypot(v.head<2>().norm(), law_.eps);
    const Matrix3d at_speed =
        test::CalcSlopesByDirection(law_, v, v.head<2>() / s);
    EXPECT_TRUE(Near(at_speed, tangent, 1e-14 * (1 + tangent.norm())));
    const Matrix3d secant = test::CalcSlopesByDirection(law_, v, {0, 0});
    if (law_.kind == Law::Kind::kLagged) {
      EXPECT_TRUE(Near(secant.topLeftCorner<2, 2>() * v.head<2>(), -g.head<2>(),
                       1e-14 * (1 + g.norm())));
    }
    Eigen::Vector2d w(unit(generator_), unit(generator_));
    w /= std::max(1.0, w.norm());
    const Matrix3d G = test::CalcSlopesByDirection(law_, v, w);
    const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(G);
    EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-12 * (1 + G.norm()));
  }
}

TEST_P(ContactLaws, FrictionOpposesSlip) {
  for (int i = 0; i < 300; ++i) {
    const Vector3d v = RandomVelocity();
    const Vector3d g = law_.CalcImpulse(v);
    EXPECT_GE(g[2], 0);
    EXPECT_LE(g.head<2>().dot(v.head<2>()), 0);
  }
}

TEST_P(ContactLaws, DerivativesOfAutoDiffAreMinusTheSlope) {
  ContactLaw<AutoDiffXd> law;
  law.kind = static_cast<ContactLaw<AutoDiffXd>::Kind>(law_.kind);
  law.mu = law_.mu;
  law.v_hat = law_.v_hat;
  law.R_n = law_.R_n;
  law.R_t = law_.R_t;
  law.dt = law_.dt;
  law.k = law_.k;
  law.d = law_.d;
  law.f0 = law_.f0;
  law.n0 = law_.n0;
  law.eps = law_.eps;
  for (int i = 0; i < 50; ++i) {
    const Vector3d v = RandomVelocity();
    Vector3d g;
    Matrix3d G;
    law_.Calc(v, &g, &G);
    Vector3<AutoDiffXd> v_ad;
    for (int j = 0; j < 3; ++j) v_ad[j] = AutoDiffXd(v[j], 3, j);
    const Vector3<AutoDiffXd> g_ad = law.CalcImpulse(v_ad);
    for (int j = 0; j < 3; ++j) {
      Vector3d row = Vector3d::Zero();
      if (g_ad[j].derivatives().size() == 3) row = g_ad[j].derivatives();
      EXPECT_TRUE(Near(Vector3d(-G.row(j)), row, 1e-12 * (1 + G.norm())));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ContactLaws, ::testing::Values(0, 1, 2));

// The projection minimizes |g - y|_R over the cone: no nearby point of the
// cone is nearer.
TEST(SapContactLaw, ImpulseIsTheProjectionToTheFrictionCone) {
  const Law law = MakeSap();
  const Vector3d R(law.R_t, law.R_t, law.R_n);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const Vector3d v(0.1 * unit(generator), 0.1 * unit(generator),
                     0.1 * unit(generator));
    const Vector3d y(-v[0] / law.R_t, -v[1] / law.R_t,
                     (law.v_hat - v[2]) / law.R_n);
    const auto distance = [&](const Vector3d& g) {
      return (g - y).cwiseAbs2().dot(R);
    };
    const Vector3d g = law.CalcImpulse(v);
    EXPECT_LE(g.head<2>().norm(), law.mu * g[2] * (1 + 1e-12) + 1e-15);
    for (int j = 0; j < 50; ++j) {
      Vector3d other = g + 1e-2 * Vector3d(unit(generator), unit(generator),
                                           unit(generator));
      other[2] = std::max(other[2], 0.0);
      const double slip = other.head<2>().norm();
      if (slip > law.mu * other[2]) {
        other.head<2>() *= law.mu * other[2] / slip;
      }
      EXPECT_GE(distance(other), distance(g) * (1 - 1e-12));
    }
  }
}

TEST(SapContactLaw, SlidesOnTheConeAndSticksInsideIt) {
  const Law law = MakeSap();
  const Vector3d slide = law.CalcImpulse(Vector3d(1, 0, 0));
  EXPECT_NEAR(-slide[0], law.mu * slide[2], 1e-12 * slide[2]);
  const Vector3d stick = law.CalcImpulse(Vector3d(1e-5, 0, 0));
  EXPECT_LT(-stick[0], law.mu * stick[2]);
  EXPECT_EQ(law.CalcImpulse(Vector3d(0, 0, 1)), Vector3d::Zero());
}

TEST(HuntCrossleyLaws, NormalImpulseIsStiffnessTimesDissipation) {
  for (const auto kind : {Law::Kind::kLagged, Law::Kind::kSimilar}) {
    const Law law = MakeHuntCrossley(kind);
    const double v = -0.01;
    const double f = (law.f0 - law.dt * law.k * v) * (1 - law.d * v);
    EXPECT_NEAR(law.CalcImpulse(Vector3d(0, 0, v))[2], law.dt * f, 1e-15);
    // Pulled apart faster than 1/d or than it follows: no force.
    EXPECT_EQ(law.CalcImpulse(Vector3d(0, 0, 0.6))[2], 0);
  }
}

TEST(SimilarLaw, FastSlipHasCoulombsFriction) {
  const Law law = MakeHuntCrossley(Law::Kind::kSimilar);
  const Vector3d g = law.CalcImpulse(Vector3d(0, 3 * law.eps, -0.05));
  const double u = 3 / std::sqrt(10.0);
  EXPECT_NEAR(-g[1], law.mu * u * g[2], 1e-14);
}

}  // namespace
}  // namespace wyvern::multibody::internal
