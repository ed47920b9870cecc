#pragma once

#include <vector>

#include "wyvern/simulator/integrators/stepwise_dense_output.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems {

/** Dense output made of cubic Hermite polynomials, which match the states and
their derivatives at both ends of a step. It is third order accurate, and its
first derivative is continuous wherever the solution's is (Hairer, Norsett,
Wanner, Solving ODEs I, II.6, eq. 6.7). */
template <typename T>
class HermitianDenseOutput final : public StepwiseDenseOutput<T> {
 public:
  /** Times, states and derivatives along one integration step: at its start, at
  its end, and in between as wanted. States are columns. */
  class IntegrationStep {
   public:
    WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(IntegrationStep);

    IntegrationStep() = default;
    /** Starts a step at a time, with the state and its derivative as columns.
    @throws std::logic_error as Extend() does. */
    IntegrationStep(const T& initial_time, MatrixX<T> initial_state,
                    MatrixX<T> initial_state_derivative);

    /** Adds a later moment.
    @throws std::logic_error if the time is not later than the last, or if a
    size differs or is not that of a column. */
    void Extend(const T& time, MatrixX<T> state, MatrixX<T> state_derivative);

    /** The dimension of the state; 0 if there is none yet. */
    int size() const;
    /** Returns the first time.
    @throws std::logic_error without a moment. */
    const T& start_time() const;
    /** The last time.
    @throws std::logic_error without a moment. */
    const T& end_time() const;
    /** The times of all moments, increasing. */
    const std::vector<T>& get_times() const { return times_; }
    /** The state of each moment, a column. */
    const std::vector<MatrixX<T>>& get_states() const { return states_; }
    /** The state's derivative at each moment, a column. */
    const std::vector<MatrixX<T>>& get_state_derivatives() const {
      return state_derivatives_;
    }

   private:
    friend class HermitianDenseOutput<T>;
    void RequireAnySegment(const char* function) const;

    std::vector<T> times_;
    std::vector<MatrixX<T>> states_;
    std::vector<MatrixX<T>> state_derivatives_;
  };

  /** Empty. */
  HermitianDenseOutput() = default;
  /** The trajectory's values as they are, whatever its degree.
  @throws std::logic_error unless it is a column. */
  explicit HermitianDenseOutput(
      const trajectories::PiecewisePolynomial<T>& trajectory);
  ~HermitianDenseOutput() final = default;

  /** Adds a step that waits for Consolidate(). A gap of rounding size between
  the step and the last one is closed.
  @throws std::logic_error if the step has no duration or another size, or if it
  does not start at the time, state and derivative at which the last one
  ends. */
  void Update(IntegrationStep step);
  void Rollback() final;
  void Consolidate() final;

 private:
  // Throws unless the step's first state and derivative equal the output's
  // last.
  void RequireJoins(const IntegrationStep& step) const;
  VectorX<T> DoEvaluate(const T& t) const final { return trajectory_.value(t); }
  T DoEvaluateNth(const T& t, int n) const final {
    return trajectory_.scalarValue(t, n);
  }
  bool do_is_empty() const final { return trajectory_.empty(); }
  int do_size() const final { return static_cast<int>(trajectory_.rows()); }
  const T& do_start_time() const final {
    return trajectory_.get_segment_times().front();
  }
  const T& do_end_time() const final {
    return trajectory_.get_segment_times().back();
  }

  trajectories::PiecewisePolynomial<T> trajectory_;
  std::vector<IntegrationStep> waiting_;
};

}  // namespace wyvern::systems
