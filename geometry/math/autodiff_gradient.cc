#include "wyvern/geometry/math/autodiff_gradient.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::math {

namespace internal {

void RequireVariables(int size, int start, int n) {
  if (start >= 0 && start + size <= n) return;
  throw std::logic_error(
      fmt::format("InitializeAutoDiff(): {} elements from variable {} on are "
                  "not among {} variables; pass deriv_num_start >= 0 and "
                  "num_derivatives >= {}.",
                  size, start, n, start + size));
}

void RequireGradientOf(int size, int gradient_rows) {
  if (size == gradient_rows) return;
  throw std::logic_error(
      fmt::format("InitializeAutoDiff(): the gradient has {} rows; it needs "
                  "one for each of the {} elements.",
                  gradient_rows, size));
}

Eigen::MatrixXd ExtractGradientOf(const AutoDiffXd* elements, int size,
                                  std::optional<int> num_derivatives) {
  int n = num_derivatives.value_or(0);
  for (int i = 0; i < size; ++i) {
    const int n_i = static_cast<int>(elements[i].derivatives().size());
    if (n_i == 0) continue;
    if (n == 0 && !num_derivatives.has_value()) n = n_i;
    if (n_i != n) {
      throw std::logic_error(
          fmt::format("ExtractGradient(): element {} has derivatives by {} "
                      "variables; {} were wanted, or none.",
                      i, n_i, n));
    }
  }
  Eigen::MatrixXd gradient = Eigen::MatrixXd::Zero(size, n);
  for (int i = 0; i < size; ++i) {
    if (elements[i].derivatives().size() > 0) {
      gradient.row(i) = elements[i].derivatives();
    }
  }
  return gradient;
}

void ThrowGradientNotZero(const Eigen::MatrixXd& gradient, double precision) {
  Eigen::Index k = 0;
  while (k + 1 < gradient.size() && std::abs(gradient.data()[k]) <= precision) {
    ++k;
  }
  throw std::runtime_error(fmt::format(
      "DiscardZeroGradient(): the derivative of element {} by variable {} is "
      "{}; 0 is wanted, to {}. DiscardGradient() drops any.",
      k % gradient.rows(), k / gradient.rows(), gradient.data()[k], precision));
}

}  // namespace internal

bool AreAutoDiffVecXdEqual(const Eigen::Ref<const VectorX<AutoDiffXd>>& a,
                           const Eigen::Ref<const VectorX<AutoDiffXd>>& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i) {
    const AutoDiffXd x = a(i), y = b(i);
    if (x != y || x.derivatives().size() != y.derivatives().size() ||
        x.derivatives() != y.derivatives()) {
      return false;
    }
  }
  return true;
}

}  // namespace wyvern::math
