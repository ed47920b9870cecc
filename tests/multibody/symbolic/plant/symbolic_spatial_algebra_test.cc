// Spatial vectors and inertias of expressions, against those of numbers at
// random points.
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"
#include "wyvern/multibody/math/articulated_body_inertia.h"
#include "wyvern/multibody/math/spatial_algebra.h"
#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"

namespace wyvern::multibody {
namespace symbolic_spatial_algebra_test {
namespace {

using symbolic::Environment;
using symbolic::Expression;
using wyvern::test::Near;

// V, A and F, two offsets, three angles, a mass and its center.
constexpr int kNumInputs = 31;

// Results of all operations, one number a row.
template <typename T>
VectorX<T> Compute(const VectorX<T>& x) {
  const auto three = [&x](int i) {
    return Vector3<T>(x.template segment<3>(i));
  };
  const SpatialVelocity<T> V(three(0), three(3));
  const SpatialAcceleration<T> A(three(6), three(9));
  const SpatialForce<T> F(three(12), three(15));
  const Vector3<T> p = three(18), q = three(21);
  const math::RotationMatrix<T> R(math::RollPitchYaw<T>(three(24)));
  const T& mass = x[27];
  const SpatialInertia<T> M = SpatialInertia<T>::MakeFromCentralInertia(
      mass, three(28),
      RotationalInertia<T>(mass * T(0.3), mass * T(0.4), mass * T(0.5)));
  std::vector<T> all;
  const auto add = [&all](const auto& matrix) {
    const MatrixX<T> values = matrix;
    all.insert(all.end(), values.data(), values.data() + values.size());
  };
  add((R * V).Shift(p).get_coeffs());
  add(V.ComposeWithMovingFrameVelocity(p, R * V).get_coeffs());
  add(A.Shift(p, three(0)).get_coeffs());
  add(A.ComposeWithMovingFrameAcceleration(p, three(0), R * V, R * A)
          .get_coeffs());
  add((R * F).Shift(q).get_coeffs());
  add(Vector1<T>(F.dot(V)));
  const SpatialInertia<T> N = M.ReExpress(R).Shift(q);
  add(N.CopyToFullMatrix6());
  add((N * V).Shift(p).get_coeffs());
  add(Vector1<T>((N * V).dot(V)));
  add((N * A).get_coeffs());
  const ArticulatedBodyInertia<T> P(N);
  add(P.Shift(p).CopyToFullMatrix6());
  add((P * A).get_coeffs());
  SpatialInertia<T> sum = M;
  sum += N;
  add(sum.CopyToFullMatrix6());
  return Eigen::Map<VectorX<T>>(all.data(), all.size());
}

TEST(SymbolicSpatialAlgebra, IsThatOfNumbers) {
  const auto x = symbolic::MakeVectorContinuousVariable(kNumInputs, "x");
  const VectorX<Expression> all = Compute<Expression>(x.cast<Expression>());
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int point = 0; point < 5; ++point) {
    Eigen::VectorXd values(kNumInputs);
    Environment at;
    for (int i = 0; i < kNumInputs; ++i) {
      // The mass is positive.
      values[i] = i == 27 ? 2 + draw(generator) : draw(generator);
      at.insert(x[i], values[i]);
    }
    // Dozens of products of numbers of up to 10.
    EXPECT_TRUE(
        Near(symbolic::Evaluate(all, at), Compute<double>(values), 1e-12));
  }
}

}  // namespace
}  // namespace symbolic_spatial_algebra_test
}  // namespace wyvern::multibody
