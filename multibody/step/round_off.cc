#include "wyvern/multibody/step/round_off.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;

constexpr double kUnit = 16 * std::numeric_limits<double>::epsilon();

// Returns sum_j |J_rj| |v_j| for each row r of a constraint: its velocity has
// rounding errors of this size times kUnit.
std::array<double, 6> CalcRowErrors(const Problem& problem, int c,
                                    const VectorX<double>& v) {
  const Problem::Constraint& k = problem.constraint(c);
  std::array<double, 6> error{};
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    for (const Problem::ColumnRange& range : problem.ranges(c, side)) {
      const auto J = problem.J(c, side, range);
      const int start = problem.v_start(k.tree[side]) + range.start;
      for (int j = 0; j < range.size; ++j) {
        const double speed = std::abs(v[start + j]);
        for (int r = 0; r < k.num_rows; ++r) {
          error[r] += std::abs(J(r, j)) * speed;
        }
      }
    }
  }
  return error;
}

}  // namespace

double CalcRoundOff(const Problem& problem, std::span<const int> constraints,
                    std::span<const int> trees,
                    const VectorX<double>& row_velocities,
                    const VectorX<double>& v, const VectorX<double>& inverse,
                    VectorX<double>* e) {
  e->setZero();
  for (const int t : trees) {
    const int start = problem.v_start(t), n = problem.nv(t);
    e->segment(start, n).noalias() =
        problem.A(t).cwiseAbs() * v.segment(start, n).cwiseAbs();
  }
  for (const int c : constraints) {
    const Problem::Constraint& k = problem.constraint(c);
    const int rows = k.num_rows;
    const std::array<double, 6> error = CalcRowErrors(problem, c, v);
    Matrix6<double> G;
    problem.CalcSlopes(c, row_velocities, &G);
    // Rounding may put the velocity on either side of a law's kink, so the
    // larger of the two slopes counts.
    for (int r = 0; r < rows && !k.is_contact; ++r) {
      const RowLaw<double>& law = problem.row_law(k.law + r);
      const double speed = row_velocities[k.row + r];
      for (const double near : {-kUnit * error[r], kUnit * error[r]}) {
        G(r, r) = std::max(G(r, r), law.CalcSlope(speed + near));
      }
    }
    for (int r = 0; r < rows; ++r) {
      double impulse = 0;
      for (int i = 0; i < rows; ++i) impulse += std::abs(G(r, i)) * error[i];
      for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
        for (const Problem::ColumnRange& range : problem.ranges(c, side)) {
          const auto J = problem.J(c, side, range);
          const int start = problem.v_start(k.tree[side]) + range.start;
          for (int j = 0; j < range.size; ++j) {
            (*e)[start + j] += std::abs(J(r, j)) * impulse;
          }
        }
      }
    }
  }
  double sum = 0;
  for (const int t : trees) {
    const int start = problem.v_start(t), n = problem.nv(t);
    sum += e->segment(start, n).cwiseAbs2().dot(inverse.segment(start, n));
  }
  return kUnit * std::sqrt(sum);
}

double CalcNormalRoundOff(const Problem& problem, int c, int i,
                          const VectorX<double>& v) {
  const Problem::Constraint& k = problem.constraint(c);
  Vector6<double> rows = Vector6<double>::Zero();
  for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
    for (const Problem::ColumnRange& range : problem.ranges(c, side)) {
      rows.head(k.num_rows).noalias() +=
          problem.J(c, side, range)
              .lazyProduct(v.segment(
                  problem.v_start(k.tree[side]) + range.start, range.size));
    }
  }
  const std::array<double, 6> errors = CalcRowErrors(problem, c, v);
  const Eigen::Map<const Vector6<double>> row_errors(errors.data());
  Vector3<double> velocity = rows.head<3>(), error = row_errors.head<3>();
  if (k.has_shared_rows()) {
    const Vector3<double> p = problem.contact_offset(k, i), size = p.cwiseAbs();
    velocity = VelocityAt<double>(rows.data(), p);
    const Vector3<double> turning = row_errors.tail<3>();
    error[0] += turning[1] * size[2] + turning[2] * size[1];
    error[1] += turning[2] * size[0] + turning[0] * size[2];
    error[2] += turning[0] * size[1] + turning[1] * size[0];
  }
  Matrix3<double> G;
  Vector3<double> impulse;
  problem.contact_law(k.law + i).Calc(velocity, &impulse, &G);
  return kUnit * G.row(2).cwiseAbs().dot(error);
}

}  // namespace wyvern::multibody::internal
