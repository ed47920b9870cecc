#pragma once

#include <functional>
#include <limits>

#include <Eigen/Core>

#include "wyvern/simulator/integrators/iteration_matrix.h"

namespace wyvern::systems::internal {

/** One step of a linearly implicit method for stiff systems, of second order
with an error estimate of third: with W = I - h d J, J = df/dx, d = 1 / (2 +
sqrt 2), e = 6 + sqrt 2 and f_t the derivative of f by time,

    W k1 = f(t, x) + h d f_t,
    W (k2 - k1) = f(t + h/2, x + h/2 k1) - k1,      x' = x + h k2,
    W k3 = f(t + h, x') - e (k2 - f1) - 2 (k1 - f0) + h d f_t,
    error = h/6 (k1 - 2 k2 + k3)

(L.F. Shampine, M.W. Reichelt, The MATLAB ODE suite, 1997, "ode23s"). It is
L-stable: what is much faster than the step dies out within it. */
class LinearlyImplicitMethod {
 public:
  /** f(t, x). @returns false if not finite. */
  using Derivatives = std::function<bool(double t, const Eigen::VectorXd& x,
                                         Eigen::VectorXd* xdot)>;

  /** Where a step begins; the vectors must outlive the step's trials. */
  struct Start {
    double time{};
    const Eigen::VectorXd& x;
    const Eigen::VectorXd& xdot;
    // Beyond this time f does not continue f at the start.
    double latest{std::numeric_limits<double>::infinity()};
    // The least size of an element in differences; null: 1.
    std::function<double(int i)> least_size{};
  };

  /** Makes J and f_t at the start of a step by forward differences: n + 1
  evaluations of f for n states.
  @returns false if one is not finite. */
  bool Linearize(const Start& start, const Derivatives& f);
  const Eigen::MatrixXd& jacobian() const { return J_; }

  /** Makes a trial from where Linearize() was, to start.time + h = `end`: two
  evaluations, the last one at the result.
  @returns false if something is not finite. */
  bool Step(const Start& start, double end, const Derivatives& f,
            Eigen::VectorXd* x, Eigen::VectorXd* error);

 private:
  Eigen::MatrixXd J_;
  Eigen::VectorXd ft_;
  IterationMatrix<double> W_;
  int64_t number_{0};
  Eigen::VectorXd nearby_;
  Eigen::VectorXd f_;
  Eigen::VectorXd k1_;
  Eigen::VectorXd k2_;
  Eigen::VectorXd k3_;
};

}  // namespace wyvern::systems::internal
