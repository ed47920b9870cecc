#include "wyvern/systems/trajectories/path_parameterized_trajectory.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/math/binomial_coefficient.h"
#include "wyvern/systems/trajectories/derivative_trajectory.h"

namespace wyvern::trajectories {

template <typename T>
PathParameterizedTrajectory<T>::PathParameterizedTrajectory(
    const Trajectory<T>& path, const Trajectory<T>& time_scaling)
    : path_(path.Clone()), time_scaling_(time_scaling.Clone()) {
  if (time_scaling.rows() != 1 || time_scaling.cols() != 1) {
    throw std::logic_error(fmt::format(
        "PathParameterizedTrajectory(): the time scaling is {} x {}; give a "
        "scalar one.",
        time_scaling.rows(), time_scaling.cols()));
  }
}

template <typename T>
PathParameterizedTrajectory<T>::~PathParameterizedTrajectory() = default;

template <typename T>
T PathParameterizedTrajectory<T>::ClampTime(const T& t) const {
  if (t < start_time()) return start_time();
  if (t > end_time()) return end_time();
  return t;
}

template <typename T>
MatrixX<T> PathParameterizedTrajectory<T>::value(const T& t) const {
  return path_->value(time_scaling_->value(ClampTime(t))(0, 0));
}

template <typename T>
T PathParameterizedTrajectory<T>::Scale(const T& t) const {
  Eigen::Matrix<T, 1, 1> s;
  Eigen::Ref<MatrixX<T>> scale(s);
  time_scaling_->EvalDerivativeInto(t, 0, &scale);
  return s[0];
}

// A break of the path is reached where the scaling s(t) crosses it. Bisection
// finds the crossing between t and the next break of s, where s counts as
// monotone. The result lies on the far side of the crossing, so that a search
// from there does not find the same break again.
template <typename T>
T PathParameterizedTrajectory<T>::DoFindBreak(const T& t, bool later) const {
  const T end = later ? time_scaling_->CalcNextBreak(t)
                      : time_scaling_->CalcPreviousBreak(t);
  if (t < start_time() || t > end_time()) return end;
  T far = ClampTime(end);
  T near = t;
  const T s = Scale(near);
  const T s_far = Scale(far);
  const bool rises = s < s_far;
  const T wanted =
      rises ? path_->CalcNextBreak(s) : path_->CalcPreviousBreak(s);
  if (s == s_far || (rises ? !(wanted < s_far) : !(wanted > s_far))) return end;
  for (int bisection = 0; bisection < 2000; ++bisection) {
    const T middle = near + T(0.5) * (far - near);
    if (middle == near || middle == far) break;
    const T s_middle = Scale(middle);
    const bool is_crossed = rises ? s_middle >= wanted : s_middle <= wanted;
    (is_crossed ? far : near) = middle;
  }
  return far;
}

template <typename T>
bool PathParameterizedTrajectory<T>::do_has_derivative() const {
  return path_->has_derivative() && time_scaling_->has_derivative();
}

// Faa di Bruno: the n-th derivative is the sum over k of the k-th derivative
// of r by s times the partial Bell polynomial B_nk(s', s'', ...), where
// B_00 = 1 and B_nk = sum over i of (n-1 over i-1) s^(i) B_(n-i)(k-1).
template <typename T>
MatrixX<T> PathParameterizedTrajectory<T>::DoEvalDerivative(
    const T& t, int derivative_order) const {
  const T time = ClampTime(t);
  const int n = derivative_order;
  VectorX<T> s(n + 1);
  for (int i = 0; i <= n; ++i) {
    s[i] = time_scaling_->EvalDerivative(time, i)(0, 0);
  }
  MatrixX<T> B = MatrixX<T>::Zero(n + 1, n + 1);
  B(0, 0) = T(1.0);
  for (int m = 1; m <= n; ++m) {
    for (int k = 1; k <= m; ++k) {
      for (int i = 1; i <= m - k + 1; ++i) {
        B(m, k) +=
            math::BinomialCoefficient(m - 1, i - 1) * s[i] * B(m - i, k - 1);
      }
    }
  }
  MatrixX<T> result = B(n, 1) * path_->EvalDerivative(s[0], 1);
  for (int k = 2; k <= n; ++k) {
    result += B(n, k) * path_->EvalDerivative(s[0], k);
  }
  return result;
}

template <typename T>
std::unique_ptr<Trajectory<T>> PathParameterizedTrajectory<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<DerivativeTrajectory<T>>(*this, derivative_order);
}

template <typename T>
std::unique_ptr<Trajectory<T>> PathParameterizedTrajectory<T>::DoClone() const {
  return std::make_unique<PathParameterizedTrajectory<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PathParameterizedTrajectory);
