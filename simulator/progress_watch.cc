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

// Number of derivative evaluations after which a System is asked about its
// difficulties, if `kMostStretches` further stretches of this length would not
// reach the boundary.
constexpr int64_t kShortEvaluations = 300000;
constexpr double kMostStretches = 4;

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
    if (kMostStretches * way < boundary_time - time &&
        way < kPartOfStep * max_step_size) {
      std::string difficulties = describe();
      if (!difficulties.empty()) {
        return Crawl{past.steps - 1, way, std::move(difficulties)};
      }
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
