#include "wyvern/systems/trajectories/piecewise_trajectory.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::trajectories {

template <typename T>
PiecewiseTrajectory<T>::PiecewiseTrajectory(const std::vector<T>& breaks)
    : breaks_(breaks) {
  wyvern::internal::RequireFinite("PiecewiseTrajectory", "breaks", breaks);
  for (size_t i = 0; i < breaks.size(); ++i) {
    const double time = ToDouble(breaks[i]);
    if (i > 0 && !(time - ToDouble(breaks[i - 1]) > kEpsilonTime)) {
      throw std::logic_error(
          fmt::format("PiecewiseTrajectory(): break {} is {} s after break {} "
                      "at {} s; give times that increase.",
                      i, time, i - 1, ToDouble(breaks[i - 1])));
    }
  }
}

template <typename T>
PiecewiseTrajectory<T>::~PiecewiseTrajectory() = default;

template <typename T>
int PiecewiseTrajectory<T>::get_number_of_segments() const {
  return breaks_.empty() ? 0 : static_cast<int>(breaks_.size()) - 1;
}

template <typename T>
T PiecewiseTrajectory<T>::start_time(int segment_number) const {
  segment_number_range_check(segment_number);
  return breaks_[segment_number];
}

template <typename T>
T PiecewiseTrajectory<T>::end_time(int segment_number) const {
  segment_number_range_check(segment_number);
  return breaks_[segment_number + 1];
}

template <typename T>
T PiecewiseTrajectory<T>::duration(int segment_number) const {
  return end_time(segment_number) - start_time(segment_number);
}

template <typename T>
T PiecewiseTrajectory<T>::start_time() const {
  return start_time(0);
}

template <typename T>
T PiecewiseTrajectory<T>::end_time() const {
  return end_time(get_number_of_segments() - 1);
}

template <typename T>
bool PiecewiseTrajectory<T>::is_time_in_range(const T& t) const {
  return get_number_of_segments() > 0 && t >= start_time() && t <= end_time();
}

template <typename T>
int PiecewiseTrajectory<T>::get_segment_index(const T& t) const {
  using std::isnan;
  if (get_number_of_segments() == 0 || isnan(ToDouble(t))) {
    throw std::logic_error(fmt::format(
        "PiecewiseTrajectory::get_segment_index(): time {} of a trajectory "
        "with {} segments; give a number, and a trajectory with segments.",
        ToDouble(t), get_number_of_segments()));
  }
  const auto after = std::upper_bound(breaks_.begin(), breaks_.end(), t);
  const int index = static_cast<int>(after - breaks_.begin()) - 1;
  return std::clamp(index, 0, get_number_of_segments() - 1);
}

template <typename T>
T PiecewiseTrajectory<T>::ClampTime(const T& t) const {
  if (t < start_time()) return start_time();
  if (t > end_time()) return end_time();
  return t;
}

template <typename T>
int PiecewiseTrajectory<T>::FindBreakIndex(const T& t, bool later) const {
  const auto first = breaks_.begin();
  return static_cast<int>(
      later ? std::upper_bound(first, breaks_.end(), t) - first
            : std::lower_bound(first, breaks_.end(), t) - first - 1);
}

template <typename T>
T PiecewiseTrajectory<T>::DoFindBreak(const T& t, bool later) const {
  const int index = FindBreakIndex(t, later);
  const bool is_there = index >= 0 && index < static_cast<int>(breaks_.size());
  return is_there ? breaks_[index] : this->NoBreak(later);
}

template <typename T>
void PiecewiseTrajectory<T>::segment_number_range_check(
    int segment_number) const {
  if (segment_number < 0 || segment_number >= get_number_of_segments()) {
    throw std::out_of_range(
        fmt::format("PiecewiseTrajectory: segment {} was asked of a trajectory "
                    "that has {}, counted from 0.",
                    segment_number, get_number_of_segments()));
  }
}

template <typename T>
std::vector<T> PiecewiseTrajectory<T>::RandomSegmentTimes(
    int num_segments, std::default_random_engine& generator) {
  std::uniform_real_distribution<double> duration(0.01, 1.01);
  std::vector<T> breaks{T(0.0)};
  for (int i = 0; i < num_segments; ++i) {
    breaks.push_back(breaks.back() + duration(generator));
  }
  return breaks;
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewiseTrajectory);

}  // namespace wyvern::trajectories
