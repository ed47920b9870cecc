#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/time_varying_linear_system.h"
#include "wyvern/systems/primitives/trajectory_evaluation.h"

namespace wyvern::systems {

/** A linear system whose coefficients are trajectories; see
TimeVaryingLinearSystem. */
template <typename T>
class TrajectoryLinearSystem final : public TimeVaryingLinearSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TrajectoryLinearSystem);

  /** Copies the trajectories, all of which must be given; the shapes of A, B
  and C set the sizes.
  @throws std::logic_error if the shapes do not fit or the period (s) is
  negative or not finite. */
  TrajectoryLinearSystem(const trajectories::Trajectory<double>& A,
                         const trajectories::Trajectory<double>& B,
                         const trajectories::Trajectory<double>& C,
                         const trajectories::Trajectory<double>& D,
                         double time_period = 0.0);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit TrajectoryLinearSystem(const TrajectoryLinearSystem<U>& other)
      : TrajectoryLinearSystem(*other.A_, *other.B_, *other.C_, *other.D_,
                               other.time_period()) {
    this->ConfigureDefaultAndRandomStateFrom(other);
  }

  ~TrajectoryLinearSystem() override;

  MatrixX<T> A(const T& t) const final { return internal::EvalAt(*A_, t); }
  MatrixX<T> B(const T& t) const final { return internal::EvalAt(*B_, t); }
  MatrixX<T> C(const T& t) const final { return internal::EvalAt(*C_, t); }
  MatrixX<T> D(const T& t) const final { return internal::EvalAt(*D_, t); }

 private:
  template <typename U>
  friend class TrajectoryLinearSystem;

  using Coefficient = std::unique_ptr<const trajectories::Trajectory<double>>;

  void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                           T* time) const final;

  const Coefficient A_;
  const Coefficient B_;
  const Coefficient C_;
  const Coefficient D_;
};

}  // namespace wyvern::systems
