#include "wyvern/systems/primitives/linear/trajectory_affine_system.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {

using trajectories::Trajectory;

template <typename T>
TrajectoryAffineSystem<T>::TrajectoryAffineSystem(const Trajectory<double>& A,
                                                  const Trajectory<double>& B,
                                                  const Trajectory<double>& f0,
                                                  const Trajectory<double>& C,
                                                  const Trajectory<double>& D,
                                                  const Trajectory<double>& y0,
                                                  double time_period)
    : TimeVaryingAffineSystem<T>(
          SystemTypeTag<TrajectoryAffineSystem>{}, static_cast<int>(A.rows()),
          static_cast<int>(B.cols()), static_cast<int>(C.rows()), time_period),
      A_(A.Clone()),
      B_(B.Clone()),
      f0_(f0.Clone()),
      C_(C.Clone()),
      D_(D.Clone()),
      y0_(y0.Clone()) {
  auto check = [](const char* name, const Trajectory<double>& trajectory,
                  int rows, int cols) {
    wyvern::internal::RequireShape("TrajectoryAffineSystem", name, trajectory,
                                   rows, cols);
  };
  const int n = this->num_states();
  const int m = this->num_inputs();
  const int p = this->num_outputs();
  check("A", A, n, n);
  check("B", B, n, m);
  check("f0", f0, n, 1);
  check("C", C, p, n);
  check("D", D, p, m);
  check("y0", y0, p, 1);
  this->DeclareBreakTimes();
}

template <typename T>
TrajectoryAffineSystem<T>::~TrajectoryAffineSystem() = default;

template <typename T>
void TrajectoryAffineSystem<T>::DoCalcNextBreakTime(const Context<T>&,
                                                    const T& after,
                                                    T* time) const {
  for (const Coefficient* coefficient : {&A_, &B_, &f0_, &C_, &D_, &y0_}) {
    const T next((*coefficient)->CalcNextBreak(ToDouble(after)));
    if (next < *time) *time = next;
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::TrajectoryAffineSystem);
