#include "wyvern/systems/controllers/box_quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/math/matrix_checks.h"

/* With the variables at limits held there, the minimizer over the free ones is
one Newton step, d_f = -H_ff^-1 (H x + g)_f. If it leaves the box, x goes to the
first limit in its way, which becomes active. If it does not, x is the minimizer
on its face of the box; then a variable whose gradient points into the box
becomes free, the one with the steepest gradient first. No such variable: the
conditions of Karush, Kuhn and Tucker hold, and x is the solution, the only one.
The cost falls from face to face, so that none comes twice. Cost of a step: a
Cholesky factorization of the free block. */

namespace wyvern::systems::controllers::internal {

BoxQuadraticProgram::BoxQuadraticProgram(const char* who,
                                         const Eigen::MatrixXd& H,
                                         const Eigen::VectorXd& lower,
                                         const Eigen::VectorXd& upper)
    : who_(who), H_(H), lower_(lower), upper_(upper) {
  wyvern::internal::RequireSize(who, "upper", upper.size(), lower.size());
  math::internal::RequireSymmetric(who, "H", H, lower.size());
  if (H.llt().info() != Eigen::Success) {
    throw std::logic_error(fmt::format(
        "{}(): the matrix of the cost is not positive definite; raise R.",
        who));
  }
  wyvern::internal::RequireNotNan(who, "lower", lower);
  wyvern::internal::RequireNotNan(who, "upper", upper);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < size(); ++i) {
    if (lower[i] <= upper[i] && lower[i] < kInfinity && upper[i] > -kInfinity) {
      continue;
    }
    throw std::logic_error(
        fmt::format("{}(): the limits of input {} are {} and {}; give limits "
                    "with lower <= upper.",
                    who, i, lower[i], upper[i]));
  }
}

auto BoxQuadraticProgram::Allocate() const -> Work {
  Work work;
  work.x.setZero(size());
  work.side.assign(size(), 0);
  work.free.reserve(size());
  work.L.setZero(size(), size());
  work.gradient.setZero(size());
  work.step.setZero(size());
  return work;
}

void BoxQuadraticProgram::FactorFreeBlock(Work* work) const {
  work->free.clear();
  for (int i = 0; i < size(); ++i) {
    if (work->side[i] == 0) work->free.push_back(i);
  }
  const int num_free = static_cast<int>(work->free.size());
  Eigen::MatrixXd& L = work->L;
  for (int j = 0; j < num_free; ++j) {
    for (int i = j; i < num_free; ++i)
      L(i, j) = H_(work->free[i], work->free[j]);
    for (int k = 0; k < j; ++k) {
      L.col(j).segment(j, num_free - j) -=
          L(j, k) * L.col(k).segment(j, num_free - j);
    }
    L.col(j).segment(j, num_free - j) /= std::sqrt(L(j, j));
  }
}

bool BoxQuadraticProgram::StepToLimit(Work* work) const {
  double share = 1;
  int blocking = -1;
  for (const int i : work->free) {
    const double d = work->step[i];
    const double limit = d < 0 ? lower_[i] : upper_[i];
    if (d == 0 || std::abs(d) * share <= std::abs(limit - work->x[i])) continue;
    share = std::abs(limit - work->x[i]) / std::abs(d);
    blocking = i;
  }
  for (const int i : work->free) {
    work->x[i] += share * work->step[i];
    work->x[i] = std::clamp(work->x[i], lower_[i], upper_[i]);
  }
  if (blocking < 0) return false;
  const bool is_low = work->step[blocking] < 0;
  work->x[blocking] = is_low ? lower_[blocking] : upper_[blocking];
  work->side[blocking] = is_low ? -1 : 1;
  return true;
}

bool BoxQuadraticProgram::FreeOne(double tolerance, Work* work) const {
  int steepest = -1;
  double slope = tolerance;
  for (int i = 0; i < size(); ++i) {
    if (work->side[i] == 0 || lower_[i] == upper_[i]) continue;
    const double inward = work->side[i] * work->gradient[i];
    if (inward <= slope) continue;
    slope = inward;
    steepest = i;
  }
  if (steepest < 0) return false;
  work->side[steepest] = 0;
  return true;
}

void BoxQuadraticProgram::Solve(const Eigen::VectorXd& g, Work* work) const {
  for (int i = 0; i < size(); ++i) {
    work->x[i] = std::clamp(work->x[i], lower_[i], upper_[i]);
    work->side[i] = 0;
    if (work->x[i] == lower_[i]) work->side[i] = -1;
    if (work->x[i] == upper_[i]) work->side[i] = 1;
  }
  const int most_steps = 20 + 10 * size();
  for (int k = 1; k <= most_steps; ++k) {
    work->num_steps = k;
    FactorFreeBlock(work);
    work->gradient = g;
    work->gradient.noalias() += H_ * work->x;
    work->step = -work->gradient;
    SolveFree(*work, &work->step);
    if (StepToLimit(work)) continue;
    work->gradient = g;
    work->gradient.noalias() += H_ * work->x;
    // Rounding errors of the gradient.
    const double scale =
        g.cwiseAbs().maxCoeff() +
        H_.diagonal().cwiseAbs().maxCoeff() * work->x.cwiseAbs().maxCoeff();
    const double tolerance =
        100 * size() * std::numeric_limits<double>::epsilon() * scale;
    if (!FreeOne(tolerance, work)) return;
  }
  throw std::runtime_error(fmt::format(
      "{}: the control was not found in {} steps; scale Q and R so that the "
      "cost is better conditioned.",
      who_, most_steps));
}

}  // namespace wyvern::systems::controllers::internal
