#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems {

/** @file
Transfer functions and filters as blocks: each function makes a LinearSystem
with one input port, u0, and one output port, y0, at rest. With a
`time_period` > 0 [s] it is discrete and functions of z stand for functions of
s. Polynomials begin with the highest power. All functions throw
std::logic_error if a number is not finite or a number that must be positive is
not; frequencies are in rad/s, times in s. */

/** H = numerator / denominator, as polynomials.
@throws std::logic_error if the denominator's first coefficient is zero or the
numerator has the higher degree: H must be proper. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeTransferFunctionBlock(
    const Eigen::VectorXd& numerator, const Eigen::VectorXd& denominator,
    double time_period = 0);

/** H = gain (s - z_0)(s - z_1)... / ((s - p_0)(s - p_1)...), as a chain of
sections of first and second order, which keeps the poles of high orders
accurate.
@throws std::logic_error if there are more zeros than poles, or a complex number
lacks its conjugate. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeZeroPoleBlock(
    const std::vector<std::complex<double>>& zeros,
    const std::vector<std::complex<double>>& poles, double gain,
    double time_period = 0);

/** s / (1 + time_constant s): a derivative for frequencies below
1 / time_constant. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeFilteredDerivative(double time_constant);

/** w^2 / (s^2 + 2 d w s + w^2) with the corner frequency w > 0 and the damping
ratio d > 0; Butterworth's by default. (Of first order:
FirstOrderLowPassFilter.) */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeSecondOrderLowPass(
    double corner_frequency, double damping_ratio = 0.70710678118654752);

/** (s^2 + w^2) / (s^2 + 2 d w s + w^2): blocks the frequency w > 0; the ratio
d > 0 is half the width of the notch over w. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeNotch(double frequency, double ratio);

/** gain (1 + lead_time s) / (1 + lag_time s), lag_time > 0: leads in phase if
lead_time > lag_time. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeLeadLag(double gain, double lead_time,
                                             double lag_time);

/** y[n] = sum over k of coefficients[k] u[n - k].
@throws std::logic_error also if there is no coefficient. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeFirFilter(
    const Eigen::VectorXd& coefficients, double time_period);

/** The mean of the last `num_samples` >= 1 samples. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeMovingAverage(int num_samples,
                                                   double time_period);

/** a[0] y[n] = sum over k of b[k] u[n - k] - sum over k > 0 of a[k] y[n - k].
@throws std::logic_error also if a[0] is zero, or a list is empty. */
template <typename T = double>
std::unique_ptr<LinearSystem<T>> MakeIirFilter(const Eigen::VectorXd& b,
                                               const Eigen::VectorXd& a,
                                               double time_period);

}  // namespace wyvern::systems
