#include "wyvern/simulator/integrators/linearly_implicit_method.h"

#include <algorithm>
#include <numbers>

#include "wyvern/simulator/integrators/difference_step.h"

namespace wyvern::systems::internal {
namespace {

constexpr double kD = 1 / (2 + std::numbers::sqrt2);
constexpr double kE = 6 + std::numbers::sqrt2;

}  // namespace

bool LinearlyImplicitMethod::Linearize(const Start& start,
                                       const Derivatives& f) {
  const Eigen::Index n = start.x.size();
  ++number_;
  J_.resize(n, n);
  f_.resize(n);
  const double after =
      std::min(start.time + ForwardDifferenceStep(start.time), start.latest);
  if (!f(after, start.x, &f_)) return false;
  if (after > start.time) {
    ft_ = (f_ - start.xdot) / (after - start.time);
  } else {
    ft_.setZero(n);
  }
  nearby_ = start.x;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double least =
        start.least_size ? start.least_size(static_cast<int>(i)) : 1.0;
    nearby_[i] = start.x[i] + ForwardDifferenceStep(start.x[i], least);
    if (!f(start.time, nearby_, &f_)) return false;
    J_.col(i) = (f_ - start.xdot) / (nearby_[i] - start.x[i]);
    nearby_[i] = start.x[i];
  }
  return true;
}

bool LinearlyImplicitMethod::Step(const Start& start, double end,
                                  const Derivatives& f, Eigen::VectorXd* x,
                                  Eigen::VectorXd* error) {
  const double h = end - start.time;
  const double hd = h * kD;
  if (!W_.is_for(number_, hd)) W_.FactorFor(J_, number_, hd);

  nearby_ = start.xdot + hd * ft_;
  W_.Solve(nearby_, &k1_);

  *x = start.x + 0.5 * h * k1_;
  if (!f(start.time + 0.5 * h, *x, &f_)) return false;
  nearby_ = f_ - k1_;
  W_.Solve(nearby_, &k2_);
  k2_ += k1_;

  // The right-hand side of k3 keeps all that is needed of f1.
  nearby_ = kE * (f_ - k2_) + 2 * (start.xdot - k1_) + hd * ft_;
  *x = start.x + h * k2_;
  if (!f(end, *x, &f_)) return false;
  nearby_ += f_;
  W_.Solve(nearby_, &k3_);
  *error = h / 6 * (k1_ - 2 * k2_ + k3_);
  return true;
}

}  // namespace wyvern::systems::internal
