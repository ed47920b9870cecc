#include "wyvern/simulator/progress_watch.h"

#include <cmath>
#include <utility>

namespace wyvern::systems::internal {
namespace {

// This many steps of error control must advance by more than this part of the
// maximum step size, or by more than this part of the way to the boundary.
constexpr int kLongSteps = 200000;
constexpr double kPartOfStep = 0.2;
constexpr double kPartOfWay = 0.01;

// Number of derivative evaluations of a short stretch. The stretch is slow if
// it advances by less than this part of the problem's scale of time, by steps
// that are on average less than that part of the maximum step size, and the
// System has severe difficulties at its end. The scale is the geometric mean of
// the two times that the caller gives, the maximum step size and the way to the
// boundary. Each alone may say little: a caller may ask for small steps, and
// for boundaries as near as the frames of a viewer. By default the part is 3 ms
// for a way of 1 s. An evaluation of a robot with many meshes takes a
// millisecond, so the bound of work must be low. An impact is over within one
// stretch.
constexpr int64_t kShortEvaluations = 3000;
constexpr double kSlowPart = 0.01;
constexpr double kPartOfSmallStep = 0.5;
// Number of slow stretches in a row that end a simulation, unless so many more
// would reach the boundary; and the number that end it in any case.
constexpr int kSlowStretches = 2;
constexpr double kMoreStretches = 4;
constexpr int kMostSlowStretches = 8;

}  // namespace

void ProgressWatch::Count(double time, int64_t evaluations, Stretch* stretch) {
  // Statistics can be reset, and a step can be taken back.
  if (stretch->steps == 0 || evaluations < stretch->evaluations ||
      time < stretch->since) {
    *stretch = {0, evaluations, time};
  }
  ++stretch->steps;
}

std::optional<ProgressWatch::Crawl> ProgressWatch::NoteStep(
    double time, int64_t evaluations, double boundary_time,
    double max_step_size, const std::function<std::string()>& describe) {
  Count(time, evaluations, &long_);
  Count(time, evaluations, &short_);
  if (evaluations - short_.evaluations > kShortEvaluations) {
    const Stretch past = std::exchange(short_, {});
    const double way = time - past.since;
    const double asked = boundary_time - past.since;
    const double scale =
        std::isinf(max_step_size) ? asked : std::sqrt(max_step_size * asked);
    const double small = kPartOfSmallStep * max_step_size;
    std::string difficulties;
    if (way < kSlowPart * scale &&
        way < static_cast<double>(past.steps) * small) {
      difficulties = describe();
    }
    num_slow_ = difficulties.empty() ? 0 : num_slow_ + 1;
    const bool is_far = kMoreStretches * way < boundary_time - time;
    if (num_slow_ >= (is_far ? kSlowStretches : kMostSlowStretches)) {
      num_slow_ = 0;
      return Crawl{past.steps - 1, way, std::move(difficulties)};
    }
  }
  if (long_.steps <= kLongSteps) return std::nullopt;
  const Stretch past = std::exchange(long_, {});
  const double way = time - past.since;
  if (std::isinf(max_step_size) || way > kPartOfStep * max_step_size ||
      way > kPartOfWay * (boundary_time - time)) {
    return std::nullopt;
  }
  return Crawl{past.steps - 1, way, {}};
}

}  // namespace wyvern::systems::internal
