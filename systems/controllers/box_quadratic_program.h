#pragma once

#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems::controllers::internal {

/** Minimizes x'Hx/2 + g'x subject to lower <= x <= upper, for a fixed H that is
symmetric positive definite.

Primal active-set method (J. Nocedal, S. J. Wright, "Numerical Optimization",
2006, section 16.5): the exact minimizer, in finitely many steps. */
class BoxQuadraticProgram {
 public:
  /** Memory of a solution, and the solution. */
  struct Work {
    Eigen::VectorXd x;
    /** -1: at the lower limit, 1: at the upper one, 0: free. */
    std::vector<int> side;
    /** Indices of the free variables, and the factor of their block of H, whose
    lower triangle counts. */
    std::vector<int> free;
    Eigen::MatrixXd L;
    Eigen::VectorXd gradient;
    Eigen::VectorXd step;
    int num_steps{0};
  };

  /** Prepares to minimize x'Hx / 2 + g'x subject to lower <= x <= upper,
  element by element.
  @throws std::logic_error naming `who` unless H is square, finite,
  symmetric and positive definite, and the limits fit: infinite ones are none.
  */
  BoxQuadraticProgram(const char* who, const Eigen::MatrixXd& H,
                      const Eigen::VectorXd& lower,
                      const Eigen::VectorXd& upper);

  int size() const { return static_cast<int>(lower_.size()); }
  const Eigen::MatrixXd& H() const { return H_; }

  Work Allocate() const;
  /** Solves for `g`, starting from work->x. Allocates nothing.
  @throws std::runtime_error if rounding keeps the method from an end within 20
  + 10 size() steps. */
  void Solve(const Eigen::VectorXd& g, Work* work) const;
  /** Replaces the free elements of b by the solution of H_ff y = b_f. */
  template <typename T>
  void SolveFree(const Work& work, VectorX<T>* b) const {
    const int num_free = static_cast<int>(work.free.size());
    for (int i = 0; i < num_free; ++i) {
      T& sum = (*b)[work.free[i]];
      for (int k = 0; k < i; ++k) sum -= work.L(i, k) * (*b)[work.free[k]];
      sum /= work.L(i, i);
    }
    for (int i = num_free - 1; i >= 0; --i) {
      T& sum = (*b)[work.free[i]];
      for (int k = i + 1; k < num_free; ++k) {
        sum -= work.L(k, i) * (*b)[work.free[k]];
      }
      sum /= work.L(i, i);
    }
  }

 private:
  void FactorFreeBlock(Work* work) const;
  // Goes along `step` as far as the limits allow. Returns whether one was met.
  bool StepToLimit(Work* work) const;
  // Frees the variable that its limit holds back most. Returns whether any was.
  bool FreeOne(double tolerance, Work* work) const;

  const char* const who_;
  const Eigen::MatrixXd H_;
  const Eigen::VectorXd lower_;
  const Eigen::VectorXd upper_;
};

}  // namespace wyvern::systems::controllers::internal
