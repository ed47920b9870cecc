#pragma once

#include <cmath>
#include <concepts>

namespace wyvern::internal {

/** @file
Newton's method with a line search for the minimum of a function l(x) (Boyd and
Vandenberghe, "Convex Optimization", section 9.5; for steps with contact Castro,
Permenter, Han, "An Unconstrained Convex Formulation of Compliant Contact", IEEE
T-RO 2022, arXiv 2110.10107, section V). With r = grad l and its derivative H,
an iteration is

  H dx = -r(x),  alpha = argmin l(x + alpha dx),  x <- x + alpha dx.

If l is strictly convex, the iteration converges from any x: each dx descends,
and the search keeps l falling. All solvers of a time step use this loop:
contact by velocities and by rows, forces on single velocities, deformable
bodies. */

/** Derivatives of l(x + alpha dx) by alpha. */
struct LineDerivatives {
  /** dx'r */
  double slope{};
  /** dx'H dx */
  double curvature{};
};

/** The operations that an iteration consists of, at the present x. */
template <class System>
concept NewtonSystem = requires(System system, double alpha) {
  // Evaluates r(x), unless that is known, and tests it.
  { system.IsSolved() } -> std::same_as<bool>;
  // Solves H dx = -r. Returns false if the numbers are not finite.
  { system.CalcNewtonStep() } -> std::same_as<bool>;
  // Returns an alpha for which l(x + alpha dx) is small enough, or 0 if l does
  // not fall.
  { system.SearchLine() } -> std::same_as<double>;
  // x <- x + alpha dx.
  system.Move(alpha);
};

struct NewtonResult {
  bool is_solved{};
  /** Newton steps computed. */
  int num_iterations{};
};

template <NewtonSystem System>
NewtonResult MinimizeByNewton(int max_iterations, System* system) {
  for (int k = 0;; ++k) {
    if (system->IsSolved()) return {true, k};
    if (k == max_iterations) return {false, k};
    if (!system->CalcNewtonStep()) return {false, k};
    const double alpha = system->SearchLine();
    if (!(alpha > 0)) return {false, k + 1};
    system->Move(alpha);
  }
}

/** Returns the alpha in (0, 1.5] where the slope of a convex function along a
line vanishes, by Newton's method within a bracket and bisection outside it; 1.5
if the function falls that far. The search stops at 1 % of the slope at alpha =
0, since more exact searches cost more than the iterations that they save.
@param slope_0 The slope at alpha = 0, negative.
@param calc calc(alpha) returns the LineDerivatives there. */
template <class Function>
double FindLineMinimum(double slope_0, const Function& calc) {
  constexpr double kSlopeTolerance = 1e-2;
  constexpr double kLargestStep = 1.5;
  constexpr int kMaxLineSteps = 60;
  const double tolerance = kSlopeTolerance * std::abs(slope_0);
  double low = 0, high = kLargestStep, alpha = 1;
  for (int i = 0; i < kMaxLineSteps; ++i) {
    const LineDerivatives at = calc(alpha);
    if (std::abs(at.slope) <= tolerance) return alpha;
    (at.slope < 0 ? low : high) = alpha;
    if (low >= kLargestStep * (1 - 1e-9)) return low;
    const double newton = alpha - at.slope / at.curvature;
    const bool is_inside = newton > low && newton < high;
    alpha = is_inside                                  ? newton
            : (high == kLargestStep && newton >= high) ? high
                                                       : (low + high) / 2;
    if (high - low < 1e-14) return alpha;
  }
  return alpha;
}

}  // namespace wyvern::internal
