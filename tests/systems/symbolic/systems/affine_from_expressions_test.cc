// AffineSystem and LinearSystem made of their equations.
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::systems {
namespace {

using symbolic::Expression;
using symbolic::Variable;
using wyvern::test::Near;

class MakeFromExpressions : public ::testing::Test {
 protected:
  const Variable x{"x"}, w{"w"}, u{"u"};
  const Vector2<Variable> state{x, w};
  const Vector1<Variable> input{u};
};

TEST_F(MakeFromExpressions, AffineCoefficients) {
  const auto system = AffineSystem<double>::MakeAffineSystem(
      Vector2<Expression>(2 * w + 3, 4 * u - x - 1),
      Vector1<Expression>(x + 5 * u + 6), state, input, 0.1);
  EXPECT_TRUE(Near(system->A(), (Eigen::Matrix2d() << 0, 2, -1, 0).finished()));
  EXPECT_TRUE(Near(system->B(), Eigen::Vector2d(0, 4)));
  EXPECT_TRUE(Near(system->f0(), Eigen::Vector2d(3, -1)));
  EXPECT_TRUE(Near(system->C(), Eigen::RowVector2d(1, 0)));
  EXPECT_TRUE(Near(system->D(), Vector1<double>(5)));
  EXPECT_TRUE(Near(system->y0(), Vector1<double>(6)));
  EXPECT_EQ(system->time_period(), 0.1);
}

TEST_F(MakeFromExpressions, LinearCoefficients) {
  const Vector2<Expression> dynamics(w, u - 3 * x);
  const auto system = LinearSystem<double>::MakeLinearSystem(
      dynamics, Vector1<Expression>(w), state, input);
  EXPECT_TRUE(Near(system->A(), (Eigen::Matrix2d() << 0, 1, -3, 0).finished()));
  EXPECT_TRUE(Near(system->B(), Eigen::Vector2d(0, 1)));
  EXPECT_TRUE(Near(system->C(), Eigen::RowVector2d(0, 1)));
  EXPECT_TRUE(Near(system->D(), Vector1<double>(0)));
  EXPECT_EQ(system->time_period(), 0);
  EXPECT_THROWS_MESSAGE(LinearSystem<double>::MakeLinearSystem(
                            dynamics, Vector1<Expression>(w + 1), state, input),
                        std::runtime_error, "MakeAffineSystem");
}

TEST_F(MakeFromExpressions, WhatIsNotAffineIsRefused) {
  EXPECT_THROW(
      AffineSystem<double>::MakeAffineSystem(
          Vector2<Expression>(w, sin(x)), Vector1<Expression>(w), state, input),
      std::runtime_error);
  const Vector1<Expression> short_dynamics(w);
  EXPECT_THROW(AffineSystem<double>::MakeAffineSystem(
                   short_dynamics, Vector1<Expression>(w), state, input),
               std::logic_error);
}

}  // namespace
}  // namespace wyvern::systems
