#include "wyvern/systems/primitives/converted_trajectory.h"

#include <type_traits>
#include <utility>

#include "wyvern/systems/common/scalar_cast.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/primitives/trajectory_evaluation.h"

#if WYVERN_AUTODIFF

namespace wyvern::systems::internal {

namespace {

using trajectories::Trajectory;

// A Trajectory<T> made of a Trajectory<U>.
template <typename T, typename U>
class ConvertedTrajectory final : public Trajectory<T> {
 public:
  explicit ConvertedTrajectory(std::unique_ptr<Trajectory<U>> original)
      : original_(std::move(original)) {}

  MatrixX<T> value(const T& t) const final { return Evaluate(t, 0); }
  Eigen::Index rows() const final { return original_->rows(); }
  Eigen::Index cols() const final { return original_->cols(); }
  T start_time() const final { return ScalarCast<T>(original_->start_time()); }
  T end_time() const final { return ScalarCast<T>(original_->end_time()); }

 private:
  MatrixX<T> Evaluate(const T& t, int order) const {
    if constexpr (std::is_same_v<T, double>) {
      return ToDouble(original_->EvalDerivative(U(t), order));
    } else {
      return EvalAt(*original_, t, order);
    }
  }
  std::unique_ptr<Trajectory<T>> DoClone() const final {
    return std::make_unique<ConvertedTrajectory>(original_->Clone());
  }
  bool do_has_derivative() const final { return original_->has_derivative(); }
  T DoFindBreak(const T& t, bool later) const final {
    const U time = ScalarCast<U>(t);
    return ScalarCast<T>(later ? original_->CalcNextBreak(time)
                               : original_->CalcPreviousBreak(time));
  }
  MatrixX<T> DoEvalDerivative(const T& t, int derivative_order) const final {
    return Evaluate(t, derivative_order);
  }
  std::unique_ptr<Trajectory<T>> DoMakeDerivative(
      int derivative_order) const final {
    return std::make_unique<ConvertedTrajectory>(
        original_->MakeDerivative(derivative_order));
  }

  const std::unique_ptr<const Trajectory<U>> original_;
};

}  // namespace

std::unique_ptr<Trajectory<AutoDiffXd>> ConvertTrajectory(
    const Trajectory<double>& trajectory) {
  return std::make_unique<ConvertedTrajectory<AutoDiffXd, double>>(
      trajectory.Clone());
}

std::unique_ptr<Trajectory<double>> ConvertTrajectory(
    const Trajectory<AutoDiffXd>& trajectory) {
  return std::make_unique<ConvertedTrajectory<double, AutoDiffXd>>(
      trajectory.Clone());
}

}  // namespace wyvern::systems::internal

#endif
