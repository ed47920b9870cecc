#pragma once

#include <memory>

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/converted_trajectory.h"
#include "wyvern/systems/trajectories/trajectory.h"

namespace wyvern::systems {

/** A source whose output is a trajectory of column vectors. At the Context's
time t (s) the output port `y0` has the value and its derivatives one below the
other, [y(t), y'(t), ..., up to the order asked for]. Evaluation allocates
nothing if the trajectory supports that (see Trajectory::EvalDerivativeInto()).
The breaks of the trajectory end the integrator's steps, so a step, a pulse or a
kink of the output is integrated without error, however short it is. */
template <typename T>
class TrajectorySource final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TrajectorySource);

  /** Copies the trajectory.
  @param zero_derivatives_beyond_limits the derivatives are zero before
  start_time() and after end_time(), instead of what the trajectory says.
  @throws std::logic_error if the trajectory's value is not a column, the order
  is negative, or it is positive and the trajectory has no derivatives. */
  explicit TrajectorySource(const trajectories::Trajectory<T>& trajectory,
                            int output_derivative_order = 0,
                            bool zero_derivatives_beyond_limits = true);

  /** Scalar-converting copy constructor. Where time has derivatives, so has the
  output, from the next derivative of the trajectory. */
  template <typename U>
  explicit TrajectorySource(const TrajectorySource<U>& other)
      : TrajectorySource(*internal::ConvertTrajectory(*other.trajectory_),
                         other.output_derivative_order_,
                         other.zero_derivatives_beyond_limits_) {}

  ~TrajectorySource() override;

  /** Replaces the trajectory by another of the same size. Contexts that exist
  already keep what they cached for their present time.
  @throws std::logic_error if the size differs or derivatives are missing. */
  void UpdateTrajectory(const trajectories::Trajectory<T>& trajectory);

 private:
  template <typename U>
  friend class TrajectorySource;

  void CalcOutput(const Context<T>& context, BasicVector<T>* output) const;
  void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                           T* time) const final;

  std::unique_ptr<trajectories::Trajectory<T>> trajectory_;
  const int output_derivative_order_;
  const bool zero_derivatives_beyond_limits_;
};

}  // namespace wyvern::systems
