// The laws that every mobilizer obeys, stamped on each type.
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::multibody::dynamics {
namespace {

// Rounding of a few products of numbers of order 1.
constexpr double kOfLaws = 1e-13;

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double Rate(const AutoDiffXd& x) {
  return x.derivatives().size() == 0 ? 0.0 : x.derivatives()[0];
}
template <typename Derived>
MatrixXd Rates(const Eigen::MatrixBase<Derived>& m) {
  MatrixXd rates(m.rows(), m.cols());
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) rates(i, j) = Rate(m(i, j));
  }
  return rates;
}
template <typename Derived>
MatrixXd Values(const Eigen::MatrixBase<Derived>& m) {
  MatrixXd values(m.rows(), m.cols());
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) values(i, j) = m(i, j).value();
  }
  return values;
}
// Vector of the skew-symmetric matrix Rdot Rᵀ.
Vector3d Unskew(const MatrixXd& S) { return {S(2, 1), S(0, 2), S(1, 0)}; }

template <typename M>
class MobilizerLaws : public ::testing::Test {
 public:
  static constexpr int nq = M::kNq;
  static constexpr int nv = M::kNv;

  MobilizerLaws() {
    q_ = Random(nq);
    q_.head(nq) *= 0.8;  // Angles off gimbal lock.
    v_ = Random(nv);
    qdot_.resize(nq);
    M::MapVelocityToQDot(q_.data(), v_.data(), qdot_.data());
    const Pose<double> start = RandomPose();
    path_ = {{0, 0.2, 0.5, 1.1}, {0.5, 0, -2}, start.R, start.p, false};
    constants_ = {0.3, &path_};
    moving_constants_ = {0.3, &path_};
  }
  VectorXd Random(int n) {
    return VectorXd::NullaryExpr(n, [this]() { return uniform_(random_); });
  }
  // q moving along the trajectory that v gives.
  VectorX<AutoDiffXd> MovingQ() const {
    VectorX<AutoDiffXd> q(nq);
    for (int i = 0; i < nq; ++i) {
      q[i] = AutoDiffXd(q_[i], VectorXd::Constant(1, qdot_[i]));
    }
    return q;
  }
  Pose<double> RandomPose() {
    return {Eigen::Quaterniond(Eigen::Vector4d(Random(4)))
                .normalized()
                .toRotationMatrix(),
            Random(3)};
  }
  Vector6<double> V_FM() const {
    return M::CalcH_FM(q_.data(), constants_) * v_.head(nv);
  }

  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
  VectorXd q_, v_, qdot_;
  internal::LineAndArcPath<double> path_;
  MobilizerConstants<double> constants_;
  MobilizerConstants<AutoDiffXd> moving_constants_;
};

// The mobilizer of another scalar type.
template <typename M>
struct AutoDiffOf;
template <typename First, typename... M>
struct ListOf {
  using All = ::testing::Types<M...>;
};

#define WYVERN_NAME(Name) , Name##Mobilizer<double>
using All = ListOf<void WYVERN_FOR_EACH_MOBILIZER(WYVERN_NAME)>::All;
#undef WYVERN_NAME

#define WYVERN_AUTODIFF_OF(Name)               \
  template <>                                  \
  struct AutoDiffOf<Name##Mobilizer<double>> { \
    using type = Name##Mobilizer<AutoDiffXd>;  \
  };
WYVERN_FOR_EACH_MOBILIZER(WYVERN_AUTODIFF_OF)
#undef WYVERN_AUTODIFF_OF

TYPED_TEST_SUITE(MobilizerLaws, All);

TYPED_TEST(MobilizerLaws, RotationIsProper) {
  const auto R = TypeParam::CalcX_FM(this->q_.data(), this->constants_).R;
  EXPECT_TRUE(
      wyvern::test::Near(R * R.transpose(), MatrixXd::Identity(3, 3), kOfLaws));
  EXPECT_NEAR(R.determinant(), 1, kOfLaws);
}

TYPED_TEST(MobilizerLaws, VelocityIsTheRateOfThePose) {
  using M = typename AutoDiffOf<TypeParam>::type;
  const auto q = this->MovingQ();
  const Pose<AutoDiffXd> X = M::CalcX_FM(q.data(), this->moving_constants_);
  Vector6<double> expected;
  expected << Unskew(Rates(X.R) * Values(X.R).transpose()), Rates(X.p);
  EXPECT_TRUE(wyvern::test::Near(this->V_FM(), expected, kOfLaws));
}

TYPED_TEST(MobilizerLaws, HdotTimesVIsTheRateOfTheVelocity) {
  using M = typename AutoDiffOf<TypeParam>::type;
  const auto q = this->MovingQ();
  const VectorX<AutoDiffXd> v = this->v_.template cast<AutoDiffXd>();
  Vector6<AutoDiffXd> V = Vector6<AutoDiffXd>::Zero();
  const auto H = M::CalcH_FM(q.data(), this->moving_constants_);
  if constexpr (M::kNv > 0) V += H * v.template head<M::kNv>();
  EXPECT_TRUE(wyvern::test::Near(
      TypeParam::CalcHdotTimesV(this->q_.data(), this->v_.data(),
                                this->constants_),
      Rates(V), kOfLaws));
}

TYPED_TEST(MobilizerLaws, MappingToQDotAndBackIsIdentity) {
  VectorXd v(this->nv);
  TypeParam::MapQDotToVelocity(this->q_.data(), this->qdot_.data(), v.data());
  EXPECT_TRUE(wyvern::test::Near(v, this->v_, kOfLaws));
}

TYPED_TEST(MobilizerLaws, WorldPoseIsThatOfFTimesThatOfMInF) {
  const Pose<double> X_WF = this->RandomPose();
  const auto X_FM = TypeParam::CalcX_FM(this->q_.data(), this->constants_);
  Pose<double> X_WM;
  TypeParam::CalcX_WM(X_WF, this->q_.data(), this->constants_, &X_WM);
  EXPECT_TRUE(wyvern::test::Near(X_WM.R, (X_WF * X_FM).R, kOfLaws));
  EXPECT_TRUE(wyvern::test::Near(X_WM.p, (X_WF * X_FM).p, kOfLaws));
}

TYPED_TEST(MobilizerLaws, ScrewsAreHInWorldAxesAboutAnotherPoint) {
  const Pose<double> X_WF = this->RandomPose();
  const Vector3d p_WO = this->Random(3);
  Pose<double> X_WM;
  TypeParam::CalcX_WM(X_WF, this->q_.data(), this->constants_, &X_WM);
  Eigen::Matrix<double, 6, TypeParam::kNv> H;
  TypeParam::CalcScrews(X_WF, X_WM, X_WM.p - p_WO, this->q_.data(),
                        this->constants_, H.data());
  const Vector6<double> V_F = this->V_FM();
  const Vector3d w = X_WF.R * V_F.head<3>();
  Vector6<double> expected;
  expected << w, X_WF.R * V_F.tail<3>() + w.cross(p_WO - X_WM.p);
  EXPECT_TRUE(
      wyvern::test::Near(H * this->v_.head(this->nv), expected, kOfLaws));
}

TYPED_TEST(MobilizerLaws, BiasIsTheRateOfScrewsTimesVWhenFRests) {
  using M = typename AutoDiffOf<TypeParam>::type;
  const Pose<double> X = this->RandomPose();
  const Pose<AutoDiffXd> X_WF{X.R.cast<AutoDiffXd>(), X.p.cast<AutoDiffXd>()};
  const Vector3d p_WO = this->Random(3);
  const auto q = this->MovingQ();
  const auto& constants = this->moving_constants_;
  Pose<AutoDiffXd> X_WM;
  M::CalcX_WM(X_WF, q.data(), constants, &X_WM);
  const Vector3<AutoDiffXd> p_OMo = X_WM.p - p_WO.cast<AutoDiffXd>();
  Eigen::Matrix<AutoDiffXd, 6, M::kNv> H;
  M::CalcScrews(X_WF, X_WM, p_OMo, q.data(), constants, H.data());
  Vector6<double> expected = Vector6<double>::Zero();
  if constexpr (M::kNv > 0) expected = Rates(H) * this->v_;
  Vector6<double> bias = Vector6<double>::Zero();
  if constexpr (TypeParam::kHasBias) {
    const Eigen::Matrix<double, 6, M::kNv> H_value = Values(H);
    bias = TypeParam::CalcBias(H_value.data(), this->v_.data(), Values(p_OMo));
  }
  EXPECT_TRUE(wyvern::test::Near(bias, expected, kOfLaws));
}

TYPED_TEST(MobilizerLaws, FramesCoincideAtTheZeroPosition) {
  VectorXd q = VectorXd::Constant(this->nq, 9);
  TypeParam::SetZeroPosition(q.data());
  this->path_ = {{0, 1}, {0.5}, Matrix3<double>::Identity(), {0, 0, 0}, false};
  const auto X = TypeParam::CalcX_FM(q.data(), this->constants_);
  EXPECT_TRUE(wyvern::test::Near(X.R, MatrixXd::Identity(3, 3)));
  EXPECT_TRUE(wyvern::test::Near(X.p, Vector3d::Zero()));
}

// The traits of a mobilizer agree with its motion.
TYPED_TEST(MobilizerLaws, TraitsSayWhichVelocitiesTurnAndWhichMove) {
  constexpr const MobilizerTraits& traits = TraitsOf(TypeParam::kType);
  EXPECT_EQ(traits.type, TypeParam::kType);
  const MatrixXd H = TypeParam::CalcH_FM(this->q_.data(), this->constants_);
  bool rotates = false, translates = false;
  for (int k = 0; k < this->nv; ++k) {
    const double turning = H.col(k).head<3>().norm();
    const double moving = H.col(k).tail<3>().norm();
    rotates |= turning > 0;
    translates |= moving > 0;
    // A velocity that does both may be either.
    if (moving == 0 || turning == 0) {
      EXPECT_EQ(traits.is_angular[k], moving == 0);
    }
  }
  EXPECT_EQ(traits.rotates, rotates);
  EXPECT_EQ(traits.translates, translates);
  if (!traits.has_axis) return;
  EXPECT_EQ(H.col(0).head<2>().norm(), 0);
  EXPECT_EQ(H.col(0).segment<2>(3).norm(), 0);
}

TYPED_TEST(MobilizerLaws, TraitsSayWhichVelocityIsTheRateOfWhichPosition) {
  const MobilizerTraits& traits = TraitsOf(TypeParam::kType);
  for (int i = 0; i < this->nq; ++i) {
    const int rate = traits.rate_of_position[i];
    for (int k = 0; k < this->nv; ++k) {
      EXPECT_EQ(this->qdot_[i] == this->v_[k], k == rate) << i << ' ' << k;
    }
  }
  EXPECT_EQ(traits.velocity_is_qdot(),
            this->nq == this->nv && this->qdot_ == this->v_);
}

TYPED_TEST(MobilizerLaws, TraitsSayIfVelocityBeginsWithThatOfTheRotation) {
  const MatrixXd H = TypeParam::CalcH_FM(this->q_.data(), this->constants_);
  EXPECT_EQ(TraitsOf(TypeParam::kType).rotates_freely,
            this->nv >= 3 && H == MatrixXd::Identity(6, this->nv));
}

TYPED_TEST(MobilizerLaws, TraitsSayWhichPositionsAreAQuaternion) {
  const MobilizerTraits& traits = TraitsOf(TypeParam::kType);
  const Pose<double> X = TypeParam::CalcX_FM(this->q_.data(), this->constants_);
  VectorXd q = this->q_;
  q.head(std::min(4, this->nq)) *= 2;
  const Pose<double> X2 = TypeParam::CalcX_FM(q.data(), this->constants_);
  EXPECT_EQ(traits.has_quaternion,
            this->nq >= 4 && wyvern::test::Near(X.R, X2.R, kOfLaws));
}

// A screw U that is fixed in what moves by V changes by this.
Vector6<double> CrossMotion(const Vector6<double>& V,
                            const Vector6<double>& U) {
  const Vector3d w = V.head<3>(), v = V.tail<3>();
  const Vector3d turning = U.head<3>(), moving = U.tail<3>();
  Vector6<double> result;
  result << w.cross(turning), w.cross(moving) + v.cross(turning);
  return result;
}

// Along v_k other screws go with M or stay with F.
TYPED_TEST(MobilizerLaws, TraitsSayWhichVelocitiesCarryTheScrewsOfOthers) {
  using M = typename AutoDiffOf<TypeParam>::type;
  const MobilizerTraits& traits = TraitsOf(TypeParam::kType);
  const Pose<AutoDiffXd> X_WF;
  for (int k = 0; k < this->nv; ++k) {
    const VectorXd v = VectorXd::Unit(this->nv, k);
    TypeParam::MapVelocityToQDot(this->q_.data(), v.data(), this->qdot_.data());
    const auto q = this->MovingQ();
    Pose<AutoDiffXd> X_WM;
    M::CalcX_WM(X_WF, q.data(), this->moving_constants_, &X_WM);
    Eigen::Matrix<AutoDiffXd, 6, M::kNv> H;
    M::CalcScrews(X_WF, X_WM, X_WM.p, q.data(), this->moving_constants_,
                  H.data());
    const MatrixXd screws = Values(H);
    for (int l = 0; l < this->nv; ++l) {
      Vector6<double> expected = Vector6<double>::Zero();
      if (traits.carries[k] && !traits.carries[l]) {
        expected = CrossMotion(screws.col(k), screws.col(l));
      }
      EXPECT_TRUE(wyvern::test::Near(Rates(H.col(l)), expected, kOfLaws))
          << k << ' ' << l;
    }
  }
}

TYPED_TEST(MobilizerLaws, NamesOfCoordinatesAreItsOwn) {
  const MobilizerTraits& traits = TraitsOf(TypeParam::kType);
  std::set<std::string> names(traits.position_names.begin(),
                              traits.position_names.begin() + this->nq);
  EXPECT_EQ(std::ssize(names), this->nq);
  names = {traits.velocity_names.begin(),
           traits.velocity_names.begin() + this->nv};
  EXPECT_EQ(std::ssize(names), this->nv);
  EXPECT_FALSE(names.contains(""));
}

TEST(RotationFromQuaternion, DoesNotDependOnItsLength) {
  const double q[] = {0.1, -0.2, 0.3, 0.4};
  const double q5[] = {0.5, -1.0, 1.5, 2.0};
  EXPECT_TRUE(wyvern::test::Near(RotationFromQuaternion(q),
                                 RotationFromQuaternion(q5), 1e-15));
  const Eigen::Quaterniond unit =
      Eigen::Quaterniond(0.1, -0.2, 0.3, 0.4).normalized();
  EXPECT_TRUE(wyvern::test::Near(RotationFromQuaternion(q),
                                 unit.toRotationMatrix(), 1e-15));
}

TEST(RotationFromRpy, IsTheProductOfThreeTurns) {
  const double q[] = {0.3, -0.4, 1.9};
  const Eigen::Matrix3d expected = (Eigen::AngleAxisd(q[2], Vector3d::UnitZ()) *
                                    Eigen::AngleAxisd(q[1], Vector3d::UnitY()) *
                                    Eigen::AngleAxisd(q[0], Vector3d::UnitX()))
                                       .toRotationMatrix();
  EXPECT_TRUE(wyvern::test::Near(RotationFromRpy(q), expected, 1e-15));
}

TEST(RpyRate, RefusesGimbalLock) {
  const double q[] = {0.3, -1.5707963, 1.9};
  const double w[] = {1, 2, 3};
  double qdot[3];
  EXPECT_THROWS_MESSAGE(RpyRate(q, w, qdot), std::runtime_error,
                        "gimbal lock at pitch = -1.5707963");
}

TEST(RpyRate, RefusesCosinesBelowAThousandthAndNoOthers) {
  const double w[] = {1, 2, 3};
  double qdot[3];
  double free = std::acos(1e-3), locked = free;
  while (std::cos(free) < 1e-3) free = std::nextafter(free, 0);
  while (std::cos(locked) >= 1e-3) locked = std::nextafter(locked, 2);
  EXPECT_LT(locked - free, 1e-15);
  for (double sign : {-1.0, 1.0}) {
    const double q_free[] = {0.3, sign * free, 1.9};
    const double q_locked[] = {0.3, sign * locked, 1.9};
    EXPECT_NO_THROW(RpyRate(q_free, w, qdot));
    EXPECT_THROW(RpyRate(q_locked, w, qdot), std::runtime_error);
  }
}

TEST(QuaternionRate, KeepsTheLength) {
  const double q[] = {0.1, -0.2, 0.3, 0.4};
  const double w[] = {1, 2, 3};
  double qdot[4];
  QuaternionRate(q, w, qdot);
  EXPECT_NEAR(q[0] * qdot[0] + q[1] * qdot[1] + q[2] * qdot[2] + q[3] * qdot[3],
              0, 1e-16);
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
