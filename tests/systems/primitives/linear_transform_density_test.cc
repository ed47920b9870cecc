#include "wyvern/systems/primitives/linear_transform_density.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems {
namespace linear_transform_density_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;

const Matrix2d A{{1, 2}, {3, 4}};  // det A = -2.

double Density(RandomDistribution distribution, const Vector2d& w_in) {
  const LinearTransformDensity<double> transform(distribution, 2, 2);
  auto context = transform.CreateDefaultContext();
  transform.get_input_port_w_in().FixValue(context.get(), w_in);
  transform.FixConstantA(context.get(), A);
  const double density = transform.CalcDensity(*context);
  EXPECT_EQ(transform.get_output_port_w_out_density().Eval(*context)[0],
            density);
  return density;
}

TEST(LinearTransformDensity, TransformsItsInput) {
  const LinearTransformDensity<double> transform(RandomDistribution::kGaussian,
                                                 3, 2);
  auto context = transform.CreateDefaultContext();
  const MatrixXd wide{{1, 2, 3}, {4, 5, 6}};
  const Vector3d w(1, 10, 100);
  transform.get_input_port_w_in().FixValue(context.get(), w);
  transform.FixConstantA(context.get(), wide);
  EXPECT_EQ(transform.get_output_port_w_out().Eval(*context), wide * w);
  transform.FixConstantB(context.get(), Vector2d(7, 8));
  EXPECT_EQ(transform.get_output_port_w_out().Eval(*context),
            wide * w + Vector2d(7, 8));
}

TEST(LinearTransformDensity, DividesTheDensityByTheDeterminant) {
  const Vector2d w(0.3, 0.6);
  EXPECT_NEAR(Density(RandomDistribution::kGaussian, w),
              std::exp(-0.5 * w.squaredNorm()) / (2 * M_PI) / 2, 1e-15);
  EXPECT_NEAR(Density(RandomDistribution::kExponential, w),
              std::exp(-w.sum()) / 2, 1e-15);
  EXPECT_NEAR(Density(RandomDistribution::kUniform, w), 0.5, 1e-15);
}

TEST(LinearTransformDensity, IsZeroOutsideTheSupport) {
  EXPECT_EQ(Density(RandomDistribution::kUniform, Vector2d(0.5, 1)), 0);
  EXPECT_EQ(Density(RandomDistribution::kUniform, Vector2d(-0.5, 0.5)), 0);
  EXPECT_EQ(Density(RandomDistribution::kExponential, Vector2d(1, -0.1)), 0);
}

TEST(LinearTransformDensity, TheRandomPortIsTheInput) {
  const LinearTransformDensity<double> transform(RandomDistribution::kUniform,
                                                 2, 2);
  EXPECT_EQ(transform.get_input_port_w_in().get_random_type(),
            RandomDistribution::kUniform);
  EXPECT_FALSE(transform.get_input_port_A().is_random());
  EXPECT_EQ(transform.get_input_port_b().size(), 2);
}

TEST(LinearTransformDensity, HasNoDensityForASingularOrWideMatrix) {
  const LinearTransformDensity<double> square(RandomDistribution::kUniform, 2,
                                              2);
  auto context = square.CreateDefaultContext();
  square.get_input_port_w_in().FixValue(context.get(), Vector2d(0.5, 0.5));
  square.FixConstantA(context.get(), Matrix2d{{1, 2}, {2, 4}});
  EXPECT_THROWS_MESSAGE(square.CalcDensity(*context), std::runtime_error,
                        "is singular");
  const LinearTransformDensity<double> wide(RandomDistribution::kUniform, 3, 2);
  auto wide_context = wide.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(wide.CalcDensity(*wide_context), std::logic_error,
                        "is 2 x 3");
}

TEST(LinearTransformDensity, RefusesWrongShapes) {
  EXPECT_THROWS_MESSAGE(
      LinearTransformDensity<double>(RandomDistribution::kUniform, 0, 2),
      std::logic_error, "input_size is 0");
  EXPECT_THROWS_MESSAGE(
      LinearTransformDensity<double>(RandomDistribution::kUniform, 2, 0),
      std::logic_error, "output_size is 0");
  const LinearTransformDensity<double> transform(RandomDistribution::kUniform,
                                                 3, 2);
  auto context = transform.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(transform.FixConstantA(context.get(), A),
                        std::logic_error, "A is 2 x 2; it must be 2 x 3.");
  EXPECT_THROWS_MESSAGE(transform.FixConstantB(context.get(), Vector3d::Zero()),
                        std::logic_error, "b has size 3; it must have size 2.");
}

}  // namespace linear_transform_density_test
}  // namespace wyvern::systems
