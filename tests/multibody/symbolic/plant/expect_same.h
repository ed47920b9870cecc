#pragma once

#include <random>

#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::test {

/** Expressions of one set of variables against others, at random points. */
inline void ExpectSame(const MatrixX<symbolic::Expression>& given,
                       const MatrixX<symbolic::Expression>& wanted) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> draw(0.2, 0.9);
  for (int i = 0; i < 10; ++i) {
    symbolic::Environment values;
    for (const symbolic::Variable& x :
         GetDistinctVariables(wanted - given + wanted)) {
      values.insert(x, draw(generator));
    }
    // A dozen products of numbers about 1.
    EXPECT_TRUE(Near(Evaluate(given, values), Evaluate(wanted, values), 1e-13));
  }
}

}  // namespace wyvern::test
