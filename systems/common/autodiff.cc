#include "wyvern/systems/common/autodiff.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern {

void AutoDiffXd::ThrowSizes(Eigen::Index a, Eigen::Index b) {
  throw std::logic_error(
      fmt::format("AutoDiffXd: a number with derivatives by {} variables was "
                  "combined with one by {}; use the same variables, or a "
                  "constant (no derivatives).",
                  a, b));
}

void AutoDiffXd::KeepZeros(const AutoDiffXd& old) {
  for (Eigen::Index i = 0; i < derivatives_.size(); ++i) {
    if (old.derivatives_[i] == 0) derivatives_[i] = 0;
  }
}

}  // namespace wyvern
