#include "wyvern/systems/primitives/linear/trajectory_linear_system.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {

using trajectories::Trajectory;

template <typename T>
TrajectoryLinearSystem<T>::TrajectoryLinearSystem(const Trajectory<double>& A,
                                                  const Trajectory<double>& B,
                                                  const Trajectory<double>& C,
                                                  const Trajectory<double>& D,
                                                  double time_period)
    : TimeVaryingLinearSystem<T>(
          SystemTypeTag<TrajectoryLinearSystem>{}, static_cast<int>(A.rows()),
          static_cast<int>(B.cols()), static_cast<int>(C.rows()), time_period),
      A_(A.Clone()),
      B_(B.Clone()),
      C_(C.Clone()),
      D_(D.Clone()) {
  auto check = [](const char* name, const Trajectory<double>& trajectory,
                  int rows, int cols) {
    wyvern::internal::RequireShape("TrajectoryLinearSystem", name, trajectory,
                                   rows, cols);
  };
  const int n = this->num_states();
  const int m = this->num_inputs();
  const int p = this->num_outputs();
  check("A", A, n, n);
  check("B", B, n, m);
  check("C", C, p, n);
  check("D", D, p, m);
  this->DeclareBreakTimes();
}

template <typename T>
TrajectoryLinearSystem<T>::~TrajectoryLinearSystem() = default;

template <typename T>
void TrajectoryLinearSystem<T>::DoCalcNextBreakTime(const Context<T>&,
                                                    const T& after,
                                                    T* time) const {
  for (const Coefficient* coefficient : {&A_, &B_, &C_, &D_}) {
    const T next((*coefficient)->CalcNextBreak(ToDouble(after)));
    if (next < *time) *time = next;
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::TrajectoryLinearSystem);
