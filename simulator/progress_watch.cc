#include "wyvern/simulator/progress_watch.h"

#include <cmath>
#include <utility>

namespace wyvern::systems::internal {
namespace {

// So many steps of error control must get farther than this part of the maximum
// step size, or than this part of the way to the boundary.
constexpr int kLongSteps = 200000;
constexpr double kPartOfStep = 0.2;
constexpr double kPartOfWay = 0.01;

// Of derivatives, after which a System that has difficulties is asked about
// them, if as many again as in `kMostStretches` such stretches would not reach
// the boundary.
constexpr int64_t kShortEvaluations = 300000;
constexpr double kMostStretches = 4;

}  // namespace

void ProgressWatch::Count(double time, int64_t evaluations, Stretch* stretch) {
  // Statistics can be reset, and a step be taken back.
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
