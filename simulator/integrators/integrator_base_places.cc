#include "wyvern/simulator/integrators/integrator_base.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/to_double.h"

/* An integrator's record of its way: places that the Simulator can return to or
save, and dense output. */

namespace wyvern::systems {

// --- Places, for the Simulator ---------------------------------------------

template <typename T>
void IntegratorBase<T>::SavePlace(Place* place) const {
  place->time = context_->get_time();
  place->xc.resize(context_->num_continuous_states());
  context_->get_continuous_state_vector().CopyToPreSizedVector(&place->xc);
  place->ideal_next_step_size = ideal_next_step_size_;
  place->grid_start = grid_start_;
  place->grid_count = grid_count_;
  place->grid_time = grid_time_;
  place->num_dense_segments =
      dense_output_ != nullptr ? dense_output_->get_number_of_segments() : 0;
  place->sizes = norm_.scales().largest();
  place->stiffness.resize(stiffness_.num_carried());
  stiffness_.Save(place->stiffness);
  DoSavePlace(&place->carried);
}

template <typename T>
void IntegratorBase<T>::ReturnTo(const Place& place) {
  context_->SetTimeAndGetMutableContinuousStateVector(place.time)
      .SetFromVector(place.xc);
  ideal_next_step_size_ = place.ideal_next_step_size;
  grid_start_ = place.grid_start;
  grid_count_ = place.grid_count;
  grid_time_ = place.grid_time;
  // The grid ends here if the step size was set since.
  if (grid_time_.has_value() &&
      *grid_time_ !=
          grid_start_ + T(static_cast<double>(grid_count_)) * max_step_size_) {
    grid_time_.reset();
  }
  if (dense_output_ != nullptr) {
    while (dense_output_->get_number_of_segments() > place.num_dense_segments) {
      dense_output_->RemoveFinalSegment();
    }
    is_last_step_recorded_ = false;
  }
  norm_.scales().set_largest(place.sizes);
  stiffness_.Restore(place.stiffness);
  DoReturnToPlace(place.carried);
}

template <typename T>
std::string IntegratorBase<T>::DescribeSettings() const {
  const auto list = [](const Eigen::VectorXd& w) {
    return fmt::format("[{}]", fmt::join(w.data(), w.data() + w.size(), ", "));
  };
  std::string result = fmt::format(
      "{} with maximum step {}, minimum step {}, {}", NiceTypeName::Get(*this),
      ToDouble(max_step_size_), ToDouble(requested_min_step_size_),
      get_fixed_step_mode() ? "fixed steps" : "error control");
  if (supports_error_estimation()) {
    result += fmt::format(
        ", accuracy {}, weights {} and {}, {} below the minimum step",
        accuracy_in_use_, list(norm_.generalized_weights()),
        list(norm_.misc_weights()),
        throw_on_minimum_step_size_violation_ ? "failing" : "going on");
    if (norm_.scales().has_tolerances()) {
      result += fmt::format(", relative tolerances {} and absolute ones {}",
                            list(get_relative_tolerances()),
                            list(get_absolute_tolerances()));
    }
  }
  const std::string more = DoDescribeSettings();
  return more.empty() ? result : result + ", " + more;
}

template <typename T>
void IntegratorBase<T>::TakeBackStep(const T& t0, const VectorX<T>& x0) {
  context_->SetTimeAndGetMutableContinuousStateVector(t0).SetFromVector(x0);
  grid_time_.reset();
  if (dense_output_ != nullptr && is_last_step_recorded_) {
    dense_output_->RemoveFinalSegment();
    is_last_step_recorded_ = false;
  }
}

// --- Dense output ----------------------------------------------------------

template <typename T>
void IntegratorBase<T>::StartDenseIntegration() {
  RequireInitialized("StartDenseIntegration");
  if (dense_output_ != nullptr) {
    throw std::logic_error(
        "IntegratorBase::StartDenseIntegration(): recording already; call "
        "StopDenseIntegration() first.");
  }
  if (context_->num_continuous_states() == 0) {
    throw std::logic_error(fmt::format(
        "IntegratorBase::StartDenseIntegration(): '{}' has no continuous state "
        "to record.",
        system_.GetSystemPathname()));
  }
  dense_output_ = std::make_unique<trajectories::PiecewisePolynomial<T>>();
  is_last_step_recorded_ = false;
}

template <typename T>
std::unique_ptr<trajectories::PiecewisePolynomial<T>>
IntegratorBase<T>::StopDenseIntegration() {
  if (dense_output_ == nullptr) {
    throw std::logic_error(
        "IntegratorBase::StopDenseIntegration(): not recording; call "
        "StartDenseIntegration() first.");
  }
  return std::exchange(dense_output_, nullptr);
}

template <typename T>
void IntegratorBase<T>::RecordDenseSegment(const T& t0, const MatrixX<T>& x0,
                                           const MatrixX<T>& xdot0,
                                           const T& t1) {
  using Trajectory = trajectories::PiecewisePolynomial<T>;
  is_last_step_recorded_ = t1 - t0 > Trajectory::kEpsilonTime;
  if (!is_last_step_recorded_) return;
  const MatrixX<T> x1 = context_->get_continuous_state_vector().CopyToVector();
  // Before a break that ends the step, the derivative is still the old one.
  const bool at_break = is_at_break();
  const T end = t1;  // May be a reference to the Context's own.
  if (at_break) context_->SetTime(latest_);
  const MatrixX<T> xdot1 = EvalTimeDerivatives(*context_).CopyToVector();
  if (at_break) context_->SetTime(end);
  dense_output_->ConcatenateInTime(
      Trajectory::CubicHermite({t0, end}, std::vector<MatrixX<T>>{x0, x1},
                               std::vector<MatrixX<T>>{xdot0, xdot1}));
}

template <typename T>
void IntegratorBase<T>::RecordDenseStep() {
  RecordDenseSegment(start_time_, start_state_, start_derivative_,
                     context_->get_time());
}

template <typename T>
void IntegratorBase<T>::AmendDenseOutput() {
  if (dense_output_ == nullptr || !is_last_step_recorded_) return;
  // A segment's coefficients start with the value and derivative at its start.
  const int last = dense_output_->get_number_of_segments() - 1;
  const T t0 = dense_output_->start_time(last);
  const MatrixX<T> coefficients = dense_output_->segment_coefficients(last);
  dense_output_->RemoveFinalSegment();
  RecordDenseSegment(t0, coefficients.col(0), coefficients.col(1),
                     context_->get_time());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::IntegratorBase);
