#include "wyvern/multibody/plant/step/unfollowed_impacts.h"

#include <algorithm>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

namespace {

// The part of the speed of approach that a step may take away.
constexpr double kFollowed = 0.25;

}  // namespace

template <typename T>
double CalcUnfollowedSpeed(const VectorX<T>& v, const VectorX<T>& v_next,
                           StepScratch<T>* scratch) {
  const StepProblem<T>& problem = scratch->problem;
  if (problem.num_contacts() == 0) return 0;
  problem.CalcRowVelocities(v, &scratch->start_row_velocities);
  problem.CalcRowVelocities(v_next, &scratch->end_row_velocities);
  double largest = 0;
  for (int i = 0; i < problem.num_contacts(); ++i) {
    const int row = problem.contact_row(i) + 2;
    const double u0 = -ToDouble(scratch->start_row_velocities[row]);
    if (!(u0 > 0)) continue;
    const double u1 = -ToDouble(scratch->end_row_velocities[row]);
    const double excess = (u0 - u1) / u0 - kFollowed;
    if (!(excess > 0)) continue;
    const double d = ToDouble(problem.contact_law(i).d);
    largest = std::max(largest, std::min(excess, 1.0) * u0 / (1 + d * u0));
  }
  return largest;
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcUnfollowedSpeed<T>) CalcUnfollowedSpeed<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
