#include "wyvern/systems/trajectories/discrete_time_trajectory.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::trajectories {
namespace {

template <typename T>
std::vector<MatrixX<T>> Columns(const Eigen::Ref<const MatrixX<T>>& values) {
  std::vector<MatrixX<T>> result;
  for (Eigen::Index k = 0; k < values.cols(); ++k) {
    result.push_back(values.col(k));
  }
  return result;
}

}  // namespace

template <typename T>
DiscreteTimeTrajectory<T>::DiscreteTimeTrajectory() = default;

template <typename T>
DiscreteTimeTrajectory<T>::DiscreteTimeTrajectory(
    const Eigen::Ref<const VectorX<T>>& times,
    const Eigen::Ref<const MatrixX<T>>& values,
    double time_comparison_tolerance)
    : DiscreteTimeTrajectory(std::vector<T>(times.begin(), times.end()),
                             Columns<T>(values), time_comparison_tolerance) {}

template <typename T>
DiscreteTimeTrajectory<T>::DiscreteTimeTrajectory(
    const std::vector<T>& times, const std::vector<MatrixX<T>>& values,
    double time_comparison_tolerance)
    : times_(times), values_(values), tolerance_(time_comparison_tolerance) {
  if (times.size() != values.size() || !(tolerance_ >= 0)) {
    throw std::logic_error(fmt::format(
        "DiscreteTimeTrajectory: {} times, {} values and the tolerance {} were "
        "given; there must be as many times as values, and a tolerance that is "
        "not negative.",
        times.size(), values.size(), tolerance_));
  }
  constexpr char kWho[] = "DiscreteTimeTrajectory";
  wyvern::internal::RequireFinite(kWho, "times", times);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0 && !(times[k] - times[k - 1] > T(tolerance_))) {
      throw std::logic_error(fmt::format(
          "DiscreteTimeTrajectory: time {} is {}; times must increase by more "
          "than the tolerance, {}.",
          k, ToDouble(times[k]), tolerance_));
    }
    const std::string what = fmt::format("value {}", k);
    wyvern::internal::RequireShape(kWho, what, values[k], values[0].rows(),
                                   values[0].cols());
    wyvern::internal::RequireFinite(kWho, what, values[k]);
  }
}

template <typename T>
DiscreteTimeTrajectory<T>::~DiscreteTimeTrajectory() = default;

template <typename T>
MatrixX<T> DiscreteTimeTrajectory<T>::value(const T& t) const {
  for (std::size_t k = 0; k < times_.size(); ++k) {
    if (std::abs(ToDouble(T(t - times_[k]))) <= tolerance_) {
      return values_[k];
    }
  }
  throw std::runtime_error(fmt::format(
      "DiscreteTimeTrajectory::value(): there is no value at {}; ask at one of "
      "get_times(), within {}, or use ToZeroOrderHold().",
      ToDouble(t), tolerance_));
}

template <typename T>
void DiscreteTimeTrajectory<T>::RequireTimes() const {
  if (times_.empty()) {
    throw std::logic_error(
        "DiscreteTimeTrajectory: there are no times, hence no shape or ends.");
  }
}

template <typename T>
Eigen::Index DiscreteTimeTrajectory<T>::rows() const {
  RequireTimes();
  return values_[0].rows();
}

template <typename T>
Eigen::Index DiscreteTimeTrajectory<T>::cols() const {
  RequireTimes();
  return values_[0].cols();
}

template <typename T>
T DiscreteTimeTrajectory<T>::start_time() const {
  RequireTimes();
  return times_.front();
}

template <typename T>
T DiscreteTimeTrajectory<T>::end_time() const {
  RequireTimes();
  return times_.back();
}

template <typename T>
std::unique_ptr<Trajectory<T>> DiscreteTimeTrajectory<T>::DoClone() const {
  return std::make_unique<DiscreteTimeTrajectory<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::DiscreteTimeTrajectory);
