#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::controllers {

/** The gain L of an observer, and the covariance P of the error of its
estimate. */
struct KalmanGainResult {
  /** Gain, n x p. */
  Eigen::MatrixXd L;
  /** Covariance of the error, n x n. */
  Eigen::MatrixXd P;
};

/** Computes the gain of the steady-state Kalman filter of a linear system with
process noise of covariance W and measurement noise of covariance V, both white
and independent of each other:

    continuous   dx/dt  = A x + B u + w,  y = C x + D u + v
                 L = P C' V^-1,           A P + P A' - P C' V^-1 C P + W = 0
    discrete     x[n+1] = A x + B u + w,  y = C x + D u + v
                 L = A P C' (C P C' + V)^-1, P that of the prediction of x[n+1]
                 from the measurements up to y[n].

W is n x n and positive semidefinite, V p x p and positive definite. These are
the regulator's Riccati equations of the dual system (A', C'): R. E. Kalman, R.
S. Bucy, "New results in linear filtering and prediction theory", 1961.
@throws std::logic_error if shapes do not fit, an entry is not finite, or W is
not symmetric or V not symmetric positive definite.
@throws std::runtime_error if there is no stable filter: (A, C) must be
detectable. */
KalmanGainResult CalcKalmanGain(const LinearSystem<double>& system,
                                const Eigen::Ref<const Eigen::MatrixXd>& W,
                                const Eigen::Ref<const Eigen::MatrixXd>& V);

/** Makes the observer of a linear system with the gain L (n x p): a block whose
input is u above y, and whose output and state is the estimate z of x,

    dz/dt or z[n+1] = A z + B u + L (y - C z - D u).

The error x - z then moves as A - L C does.
@throws std::logic_error if the shape of L does not fit or an entry is not
finite. */
std::unique_ptr<LinearSystem<double>> MakeObserver(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& L);

}  // namespace wyvern::systems::controllers
