#include "wyvern/systems/common/autodiff.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern {

AutoDiffXd AutoDiffXd::Combined(double value, double c, const AutoDiffXd& a,
                                double d, const AutoDiffXd& b) {
  if (b.derivatives_.size() == 0) return AutoDiffXd(value, c, a.derivatives_);
  if (a.derivatives_.size() == 0) return AutoDiffXd(value, d, b.derivatives_);
  a.RequireSameSize(b);
  return AutoDiffXd(value, c, a.derivatives_, d, b.derivatives_);
}

AutoDiffXd AutoDiffXd::Combined(double value, double c, AutoDiffXd&& a,
                                double d, const AutoDiffXd& b) {
  if (!a.derivatives_.is_on_heap()) {
    return Combined(value, c, std::as_const(a), d, b);
  }
  a.Combine(value, c, d, b);
  return std::move(a);
}

AutoDiffXd AutoDiffXd::ScaledCopy(const AutoDiffXd& x, double value,
                                  double slope) {
  AutoDiffXd result(value, slope, x.derivatives_);
  if (!std::isfinite(slope)) [[unlikely]] {
    result.KeepZeros(x);
  }
  return result;
}

AutoDiffXd AutoDiffXd::ScaledInPlace(AutoDiffXd* x, double value,
                                     double slope) {
  if (!x->derivatives_.is_on_heap()) return ScaledCopy(*x, value, slope);
  x->value_ = value;
  x->Scale(slope);
  return std::move(*x);
}

void AutoDiffXd::Combine(double value, double c, double d,
                         const AutoDiffXd& b) {
  if (b.derivatives_.size() == 0) {
    Scale(c);
  } else if (derivatives_.size() == 0) {
    derivatives_.SetScaled(d, b.derivatives_);
  } else {
    RequireSameSize(b);
    derivatives_.CombineWith(c, d, b.derivatives_);
  }
  value_ = value;
}

void AutoDiffXd::Scale(double slope) {
  if (std::isfinite(slope)) [[likely]] {
    derivatives_.ScaleBy(slope);
  } else {
    const AutoDiffXd old = *this;
    derivatives_.ScaleBy(slope);
    KeepZeros(old);
  }
}

void AutoDiffXd::KeepZeros(const AutoDiffXd& old) {
  for (Eigen::Index i = 0; i < derivatives_.size(); ++i) {
    if (old.derivatives_[i] == 0) derivatives_[i] = 0;
  }
}

void AutoDiffXd::RequireSameSize(const AutoDiffXd& b) const {
  const Eigen::Index mine = derivatives_.size(), others = b.derivatives_.size();
  if (mine == others) return;
  throw std::logic_error(
      fmt::format("AutoDiffXd: a number with derivatives by {} variables was "
                  "combined with one by {}; use the same variables, or a "
                  "constant (no derivatives).",
                  mine, others));
}

}  // namespace wyvern
