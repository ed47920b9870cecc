#pragma once

#include "wyvern/geometry/math/autodiff_gradient.h"

namespace wyvern::math {

/** df_i / dx_j of a function of AutoDiffXd at a vector of doubles: f is called
once, with every x_j as a variable. The result is a matrix of AutoDiffXd values
of f, with the derivatives in it; ExtractGradient() gives them as doubles. */
template <typename F, typename Derived>
auto jacobian(F&& f, const Eigen::MatrixBase<Derived>& x) {
  return f(InitializeAutoDiff(x)).eval();
}

}  // namespace wyvern::math
