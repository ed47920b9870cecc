#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/time_varying_affine_system.h"
#include "wyvern/systems/primitives/trajectory_evaluation.h"

namespace wyvern::systems {

/** An affine system whose coefficients are trajectories; see
TimeVaryingAffineSystem. */
template <typename T>
class TrajectoryAffineSystem final : public TimeVaryingAffineSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TrajectoryAffineSystem);

  /** Copies the trajectories, all of which must be given; the shapes of A, B
  and C set the sizes.
  @throws std::logic_error if the shapes do not fit or the period (s) is
  negative or not finite. */
  TrajectoryAffineSystem(const trajectories::Trajectory<double>& A,
                         const trajectories::Trajectory<double>& B,
                         const trajectories::Trajectory<double>& f0,
                         const trajectories::Trajectory<double>& C,
                         const trajectories::Trajectory<double>& D,
                         const trajectories::Trajectory<double>& y0,
                         double time_period = 0.0);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit TrajectoryAffineSystem(const TrajectoryAffineSystem<U>& other)
      : TrajectoryAffineSystem(*other.A_, *other.B_, *other.f0_, *other.C_,
                               *other.D_, *other.y0_, other.time_period()) {
    this->ConfigureDefaultAndRandomStateFrom(other);
  }

  ~TrajectoryAffineSystem() override;

  MatrixX<T> A(const T& t) const final { return internal::EvalAt(*A_, t); }
  MatrixX<T> B(const T& t) const final { return internal::EvalAt(*B_, t); }
  VectorX<T> f0(const T& t) const final { return internal::EvalAt(*f0_, t); }
  MatrixX<T> C(const T& t) const final { return internal::EvalAt(*C_, t); }
  MatrixX<T> D(const T& t) const final { return internal::EvalAt(*D_, t); }
  VectorX<T> y0(const T& t) const final { return internal::EvalAt(*y0_, t); }

 private:
  template <typename U>
  friend class TrajectoryAffineSystem;

  using Coefficient = std::unique_ptr<const trajectories::Trajectory<double>>;

  void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                           T* time) const final;

  const Coefficient A_;
  const Coefficient B_;
  const Coefficient f0_;
  const Coefficient C_;
  const Coefficient D_;
  const Coefficient y0_;
};

}  // namespace wyvern::systems
