#pragma once

#include <limits>
#include <random>
#include <vector>

#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::trajectories {

/** A trajectory of segments between increasing times, its breaks: segment i is
on [break i, break i+1). */
template <typename T>
class PiecewiseTrajectory : public Trajectory<T> {
 public:
  /** Breaks are at least this far apart, s. */
  static constexpr double kEpsilonTime = std::numeric_limits<double>::epsilon();

  ~PiecewiseTrajectory() override;

  /** Number of segments, one less than that of breaks. */
  int get_number_of_segments() const;

  /** Times of a segment, s.
  @throws std::out_of_range on an index of no segment. */
  T start_time(int segment_number) const;
  /** End of a segment, likewise. */
  T end_time(int segment_number) const;
  /** Duration of a segment, likewise. */
  T duration(int segment_number) const;

  /** The first and last break.
  @throws std::logic_error if there is no segment. */
  T start_time() const override;
  T end_time() const override;

  /** True if t is from the first to the last break, both included. */
  bool is_time_in_range(const T& t) const;

  /** The segment that t is in; the first (last) for a time before (after) all
  of them. At a break it is the segment that begins there.
  @throws std::logic_error if there is no segment or t is not a number. */
  int get_segment_index(const T& t) const;

  /** The breaks, in increasing order. */
  const std::vector<T>& get_segment_times() const { return breaks_; }

  /** Checks the number of a segment.
  @throws std::out_of_range unless 0 <= segment_number <
  get_number_of_segments(). */
  void segment_number_range_check(int segment_number) const;

  /** The breaks of `num_segments` segments from time 0, each of a random
  duration in [0.01, 1.01) s. */
  static std::vector<T> RandomSegmentTimes(
      int num_segments, std::default_random_engine& generator);

 protected:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(PiecewiseTrajectory);

  PiecewiseTrajectory() = default;

  /** Takes the breaks between segments, in seconds.
  @throws std::logic_error unless the breaks are finite and increase by more
  than kEpsilonTime. */
  explicit PiecewiseTrajectory(const std::vector<T>& breaks);

  const std::vector<T>& breaks() const { return breaks_; }
  /** t, or the nearer end if it is out of range. */
  T ClampTime(const T& t) const;
  std::vector<T>& get_mutable_breaks() { return breaks_; }
  /** Returns all breaks. */
  T DoFindBreak(const T& t, bool later) const override;
  /** Returns the index of the nearest break that is later, or earlier, than t.
  If there is none, returns the number of breaks, or -1. */
  int FindBreakIndex(const T& t, bool later) const;

 private:
  std::vector<T> breaks_;
};

}  // namespace wyvern::trajectories
