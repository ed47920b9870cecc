#include "wyvern/systems/symbolic/matrix_relations.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::symbolic {
namespace {

class MatrixRelations : public testing::Test {
 protected:
  const Variable x_{"x"}, y_{"y"};
  const Eigen::Matrix<Expression, 2, 1> a_{Expression(x_), y_ + 1};
  const Eigen::Matrix<Variable, 2, 1> v_{x_, y_};
  const Eigen::Vector2d d_{1, 2};
};

TEST_F(MatrixRelations, OfTwoMatricesHoldForEachPairOfEntries) {
  EXPECT_TRUE((a_ == d_).EqualTo(x_ == 1.0 && y_ + 1 == 2.0));
  EXPECT_TRUE((a_ < d_).EqualTo(x_ < 1.0 && y_ + 1 < 2.0));
  EXPECT_TRUE((d_ <= a_).EqualTo(1.0 <= Expression(x_) && 2.0 <= y_ + 1));
  EXPECT_TRUE((a_ > v_).EqualTo(Expression(x_) > x_ && y_ + 1 > y_));
  EXPECT_TRUE((v_ >= d_).EqualTo(x_ >= 1.0 && y_ >= 2.0));
  EXPECT_TRUE((v_ == v_).EqualTo(Formula::True()));
}

TEST_F(MatrixRelations, MatricesDifferIfOnePairOfEntriesDoes) {
  EXPECT_TRUE((a_ != d_).EqualTo(x_ != 1.0 || y_ + 1 != 2.0));
  EXPECT_TRUE((v_ != v_).EqualTo(Formula::False()));
}

TEST_F(MatrixRelations, OfArraysAreByEntry) {
  const auto less = a_.array() < d_.array();
  EXPECT_TRUE(less(0).EqualTo(x_ < 1.0));
  EXPECT_TRUE(less(1).EqualTo(y_ + 1 < 2.0));
  const auto from = 2.0 <= v_.array();
  EXPECT_TRUE(from(1).EqualTo(y_ >= 2.0));
  const auto differs = a_.array() != x_;
  EXPECT_TRUE(differs(0).EqualTo(Formula::False()));
}

TEST_F(MatrixRelations, OfTwoSizesAreErrors) {
  const VectorX<Expression> longer = VectorX<Expression>::Zero(3);
  const VectorX<Expression> a = a_;
  EXPECT_THROWS_MESSAGE(a == longer, std::logic_error,
                        "left side of 2 x 1 and a right side of 3 x 1");
  EXPECT_THROWS_MESSAGE(a.array() < longer.array(), std::logic_error,
                        "give two sides of one size");
}

}  // namespace
}  // namespace wyvern::symbolic
