#include "wyvern/systems/trajectories/composite_trajectory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::trajectories {
namespace {

template <typename T>
using Segments = std::vector<copyable_unique_ptr<Trajectory<T>>>;

template <typename T>
void RequireSameShapes(const Segments<T>& segments) {
  if (segments.empty()) {
    throw std::logic_error(
        "CompositeTrajectory: no segments were given; pass one at least.");
  }
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (segments[k] == nullptr) {
      wyvern::internal::ThrowNull("CompositeTrajectory",
                                  fmt::format("segment {}", k), "pass objects");
    }
    if (segments[k]->rows() != segments[0]->rows() ||
        segments[k]->cols() != segments[0]->cols()) {
      throw std::logic_error(fmt::format(
          "CompositeTrajectory: segment {} is {} x {} and segment 0 is {} x "
          "{}; all must have one shape.",
          k, segments[k]->rows(), segments[k]->cols(), segments[0]->rows(),
          segments[0]->cols()));
    }
  }
}

template <typename T>
std::vector<T> BreaksOf(const Segments<T>& segments) {
  RequireSameShapes(segments);
  std::vector<T> breaks{segments.front()->start_time()};
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const double start = ToDouble(segments[k]->start_time());
    const double end_before = ToDouble(breaks.back());
    if (!(std::abs(start - end_before) <=
          PiecewiseTrajectory<T>::kEpsilonTime)) {
      throw std::logic_error(fmt::format(
          "CompositeTrajectory: segment {} starts at {} and the one before "
          "ends at {}; use AlignAndConcatenate() to move segments.",
          k, start, end_before));
    }
    breaks.push_back(segments[k]->end_time());
  }
  return breaks;
}

}  // namespace

template <typename T>
CompositeTrajectory<T>::CompositeTrajectory(Segments<T> segments)
    : CompositeTrajectory(segments, BreaksOf(segments)) {}

template <typename T>
CompositeTrajectory<T>::CompositeTrajectory(Segments<T> segments,
                                            std::vector<T> breaks)
    : PiecewiseTrajectory<T>(breaks), segments_(std::move(segments)) {}

template <typename T>
CompositeTrajectory<T>::~CompositeTrajectory() = default;

template <typename T>
CompositeTrajectory<T> CompositeTrajectory<T>::AlignAndConcatenate(
    const Segments<T>& segments) {
  RequireSameShapes(segments);
  std::vector<T> breaks{segments.front()->start_time()};
  for (const auto& segment : segments) {
    breaks.push_back(breaks.back() +
                     (segment->end_time() - segment->start_time()));
  }
  return CompositeTrajectory(segments, std::move(breaks));
}

template <typename T>
MatrixX<T> CompositeTrajectory<T>::Eval(const T& t,
                                        int derivative_order) const {
  const int k = this->get_segment_index(t);
  const T offset = segments_[k]->start_time() - this->breaks()[k];
  return segments_[k]->EvalDerivative(this->ClampTime(t) + offset,
                                      derivative_order);
}

// Returns breaks of the segment that contains t, moved by the segment's shift,
// and limited to the segment's own ends.
template <typename T>
T CompositeTrajectory<T>::DoFindBreak(const T& t, bool later) const {
  const int index = this->FindBreakIndex(t, later);
  if (index < 0 || index >= static_cast<int>(this->breaks().size())) {
    return this->NoBreak(later);
  }
  const T& end = this->breaks()[index];
  const int k = later ? index - 1 : index;
  if (k < 0 || k >= this->get_number_of_segments()) return end;
  const T offset = segments_[k]->start_time() - this->breaks()[k];
  const double rounding =
      8 * std::numeric_limits<double>::epsilon() * std::abs(ToDouble(end));
  T inner = t + offset;
  for (int trial = 0; trial < 4; ++trial) {
    inner = later ? segments_[k]->CalcNextBreak(inner)
                  : segments_[k]->CalcPreviousBreak(inner);
    const T found = inner - offset;
    if (later ? !(found < end - rounding) : !(found > end + rounding)) break;
    if (later ? found > t : found < t) return found;
  }
  return end;
}

template <typename T>
bool CompositeTrajectory<T>::do_has_derivative() const {
  return std::all_of(
      segments_.begin(), segments_.end(),
      [](const auto& segment) { return segment->has_derivative(); });
}

template <typename T>
std::unique_ptr<Trajectory<T>> CompositeTrajectory<T>::DoMakeDerivative(
    int derivative_order) const {
  Segments<T> derivatives;
  for (const auto& segment : segments_) {
    derivatives.emplace_back(segment->MakeDerivative(derivative_order));
  }
  return std::unique_ptr<Trajectory<T>>(
      new CompositeTrajectory<T>(std::move(derivatives), this->breaks()));
}

template <typename T>
std::unique_ptr<Trajectory<T>> CompositeTrajectory<T>::DoClone() const {
  return std::make_unique<CompositeTrajectory<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::CompositeTrajectory);
