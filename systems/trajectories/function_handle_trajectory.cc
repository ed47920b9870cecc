#include "wyvern/systems/trajectories/function_handle_trajectory.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::trajectories {

template <typename T>
FunctionHandleTrajectory<T>::FunctionHandleTrajectory(
    std::function<MatrixX<T>(const T&)> func, int rows, int cols,
    double start_time, double end_time)
    : func_(std::move(func)),
      rows_(rows),
      cols_(cols),
      start_time_(start_time),
      end_time_(end_time) {
  if (func_ == nullptr || rows < 0 || cols < 0 || !(end_time >= start_time)) {
    throw std::logic_error(fmt::format(
        "FunctionHandleTrajectory: {} was given for {} x {} values from {} to "
        "{}; pass a function, sizes that are not negative, and an end not "
        "before the start.",
        func_ == nullptr ? "no function" : "a function", rows, cols, start_time,
        end_time));
  }
}

template <typename T>
FunctionHandleTrajectory<T>::~FunctionHandleTrajectory() = default;

template <typename T>
MatrixX<T> FunctionHandleTrajectory<T>::RequireFittingShape(
    const char* what, MatrixX<T> value) const {
  if (value.rows() != rows_ || value.cols() != cols_) {
    throw std::logic_error(fmt::format(
        "FunctionHandleTrajectory: the {} function returned a {} x {} matrix; "
        "it must be {} x {}, as the constructor was told.",
        what, value.rows(), value.cols(), rows_, cols_));
  }
  return value;
}

template <typename T>
MatrixX<T> FunctionHandleTrajectory<T>::value(const T& t) const {
  return RequireFittingShape("value", func_(t));
}

template <typename T>
MatrixX<T> FunctionHandleTrajectory<T>::DoEvalDerivative(
    const T& t, int derivative_order) const {
  return RequireFittingShape("derivative",
                             derivative_func_(t, derivative_order));
}

template <typename T>
std::unique_ptr<Trajectory<T>> FunctionHandleTrajectory<T>::DoMakeDerivative(
    int derivative_order) const {
  const auto func = derivative_func_;
  auto result = std::make_unique<FunctionHandleTrajectory<T>>(
      [func, derivative_order](const T& t) {
        return func(t, derivative_order);
      },
      rows_, cols_, start_time_, end_time_);
  result->set_derivative([func, derivative_order](const T& t, int order) {
    return func(t, derivative_order + order);
  });
  return result;
}

template <typename T>
std::unique_ptr<Trajectory<T>> FunctionHandleTrajectory<T>::DoClone() const {
  return std::make_unique<FunctionHandleTrajectory<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::FunctionHandleTrajectory);
