#include "wyvern/simulator/integrators/hermitian_dense_output.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_events.h"

/* Dense output by cubic Hermite polynomials: on a segment [t0, t1] the
polynomial has the states and derivatives of both ends, and an error of order
h^4 (Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I",
II.6). Steps wait in a list until Consolidate() turns them into a piecewise
polynomial, so that Rollback() costs nothing. A step must continue the last one,
in time, value and derivative, to rounding. A single segment is a single cubic
polynomial. */

namespace wyvern::systems {

// --- IntegrationStep -------------------------------------------------------

template <typename T>
HermitianDenseOutput<T>::IntegrationStep::IntegrationStep(
    const T& initial_time, MatrixX<T> initial_state,
    MatrixX<T> initial_state_derivative) {
  Extend(initial_time, std::move(initial_state),
         std::move(initial_state_derivative));
}

template <typename T>
void HermitianDenseOutput<T>::IntegrationStep::Extend(
    const T& time, MatrixX<T> state, MatrixX<T> state_derivative) {
  if (!times_.empty() && !(time > times_.back())) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput: the time {} cannot extend a step that ends at "
        "{}; times must increase.",
        ToDouble(time), ToDouble(times_.back())));
  }
  const bool fits = state.cols() == 1 && state_derivative.cols() == 1 &&
                    state_derivative.rows() == state.rows() &&
                    (times_.empty() || states_.front().rows() == state.rows());
  if (!fits) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput: a state of {} x {} and a derivative of {} x {} "
        "were given to a step of size {}; both must be columns of its size.",
        state.rows(), state.cols(), state_derivative.rows(),
        state_derivative.cols(), size()));
  }
  times_.push_back(time);
  states_.push_back(std::move(state));
  state_derivatives_.push_back(std::move(state_derivative));
}

template <typename T>
int HermitianDenseOutput<T>::IntegrationStep::size() const {
  return states_.empty() ? 0 : static_cast<int>(states_.front().rows());
}

template <typename T>
void HermitianDenseOutput<T>::IntegrationStep::RequireAnySegment(
    const char* function) const {
  if (times_.empty()) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput::IntegrationStep::{}(): the step is empty; give "
        "it times and states by Extend().",
        function));
  }
}

template <typename T>
const T& HermitianDenseOutput<T>::IntegrationStep::start_time() const {
  RequireAnySegment("start_time");
  return times_.front();
}

template <typename T>
const T& HermitianDenseOutput<T>::IntegrationStep::end_time() const {
  RequireAnySegment("end_time");
  return times_.back();
}

// --- HermitianDenseOutput --------------------------------------------------

template <typename T>
HermitianDenseOutput<T>::HermitianDenseOutput(
    const trajectories::PiecewisePolynomial<T>& trajectory)
    : trajectory_(trajectory) {
  if (!trajectory.empty() && trajectory.cols() != 1) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput: the trajectory is {} x {}; it must be a column.",
        trajectory.rows(), trajectory.cols()));
  }
}

template <typename T>
void HermitianDenseOutput<T>::Update(IntegrationStep step) {
  if (!(step.end_time() > step.start_time())) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput::Update(): the step at {} has no duration; "
        "Extend() it to its end.",
        ToDouble(step.start_time())));
  }
  if (waiting_.empty() && this->is_empty()) {
    waiting_.push_back(std::move(step));
    return;
  }
  const T end = waiting_.empty() ? do_end_time() : waiting_.back().end_time();
  const int n = waiting_.empty() ? do_size() : waiting_.back().size();
  const double gap = ToDouble(step.start_time() - end);
  const double rounding = internal::SameTimeTolerance(ToDouble(end));
  if (!(std::abs(gap) <= rounding && step.end_time() > end) ||
      step.size() != n) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput::Update(): a step of {} elements from {} cannot "
        "follow an output of {} elements that ends at {}; it must start there.",
        step.size(), ToDouble(step.start_time()), n, ToDouble(end)));
  }
  RequireJoins(step);
  step.times_.front() = end;
  waiting_.push_back(std::move(step));
}

template <typename T>
void HermitianDenseOutput<T>::RequireJoins(const IntegrationStep& step) const {
  const bool waits = !waiting_.empty();
  const MatrixX<T> state =
      waits ? waiting_.back().states_.back() : trajectory_.value(do_end_time());
  const MatrixX<T> derivative = waits
                                    ? waiting_.back().state_derivatives_.back()
                                    : trajectory_.EvalDerivative(do_end_time());
  const auto require = [&](const char* what, const MatrixX<T>& last,
                           const MatrixX<T>& first) {
    // The step may start a rounding error late, and polynomials round.
    constexpr double kRelativeRounding = 1e-10;
    for (int i = 0; i < last.rows(); ++i) {
      const double x = ToDouble(last(i));
      const double y = ToDouble(first(i));
      const double scale = std::max({1.0, std::abs(x), std::abs(y)});
      if (std::abs(x - y) <= kRelativeRounding * scale) continue;
      throw std::logic_error(fmt::format(
          "HermitianDenseOutput::Update(): the {} of element {} jumps from {} "
          "to {} at time {}; a step must continue the output. Use another "
          "output after a jump.",
          what, i, x, y, ToDouble(step.start_time())));
    }
  };
  require("value", state, step.states_.front());
  require("derivative", derivative, step.state_derivatives_.front());
}

template <typename T>
void HermitianDenseOutput<T>::Rollback() {
  if (waiting_.empty()) {
    throw std::logic_error(
        "HermitianDenseOutput::Rollback(): there is no step to take back; "
        "those before Consolidate() are final.");
  }
  waiting_.pop_back();
}

template <typename T>
void HermitianDenseOutput<T>::Consolidate() {
  if (waiting_.empty()) {
    throw std::logic_error(
        "HermitianDenseOutput::Consolidate(): there are no steps; call "
        "Update() first.");
  }
  for (const IntegrationStep& step : waiting_) {
    trajectory_.ConcatenateInTime(
        trajectories::PiecewisePolynomial<T>::CubicHermite(
            step.get_times(), step.get_states(), step.get_state_derivatives()));
  }
  waiting_.clear();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::HermitianDenseOutput);
