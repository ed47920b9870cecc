#include "wyvern/multibody/contact/contact_lines.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/random_numbers.h"

namespace wyvern::multibody::internal {
namespace contact_lines_test {

using Eigen::Vector3d;
using Law = ContactLaw<double>;

Law RandomLaw(test::RandomNumbers* random) {
  Law law;
  law.kind = random->Integer(0, 1) ? Law::Kind::kLagged : Law::Kind::kSimilar;
  law.mu = random->Uniform(0, 1.5);
  law.dt = 0.01;
  law.k = std::pow(10, random->Uniform(2, 6));
  law.d = random->Uniform(0, 10);
  law.f0 = random->Uniform(-10, 20);
  law.n0 = random->Uniform(0, 0.1);
  law.eps = std::pow(10, random->Uniform(-5, -2));
  return law;
}

// Two at once, the last alone where their number is odd, and again in the same
// memory.
TEST(ContactLines, AreTheSumOfTheLawsAlongTheLine) {
  test::RandomNumbers random(1);
  ContactLines lines;
  int num_acting = 0;
  for (const int size : {0, 1, 2, 7, 3, 8, 5, 1, 0, 40}) {
    lines.Clear();
    const double alpha = random.Uniform(0, 1.5);
    double impulse = 3, curvature = 5, all = 8;
    double line_impulse = impulse, line_curvature = curvature;
    for (int i = 0; i < size; ++i) {
      const Law law = RandomLaw(&random);
      const Vector3d v = random.Matrix(3, 1), dv = random.Matrix(3, 1);
      lines.Add(law, v.data(), dv.data());
      double slope;
      const double along = law.CalcAlong(v + alpha * dv, dv, &slope);
      impulse += along;
      curvature += slope;
      all += std::abs(along) + std::abs(slope);
      num_acting += along != 0;
    }
    lines.AddAlong(alpha, &line_impulse, &line_curvature);
    EXPECT_NEAR(line_impulse, impulse, 1e-13 * all) << size;
    EXPECT_NEAR(line_curvature, curvature, 1e-13 * all) << size;
  }
  EXPECT_GT(num_acting, 20);
}

TEST(ContactLines, AVelocityThatIsNoNumberIsNotHidden) {
  test::RandomNumbers random(2);
  for (int i = 0; i < 3; ++i) {
    ContactLines lines;
    Vector3d v = random.Matrix(3, 1);
    v[i] = std::numeric_limits<double>::quiet_NaN();
    Law law = RandomLaw(&random);
    law.kind = Law::Kind::kSimilar;
    lines.Add(law, v.data(), Vector3d(1, 1, 1).eval().data());
    double impulse = 0, curvature = 0;
    lines.AddAlong(0.5, &impulse, &curvature);
    EXPECT_TRUE(std::isnan(impulse)) << i;
  }
}

}  // namespace contact_lines_test
}  // namespace wyvern::multibody::internal
