#pragma once

#include <cstdint>
#include <optional>

#include "wyvern/simulator/integrators/linearly_implicit_method.h"
#include "wyvern/simulator/integrators/stiffness_probe.h"

namespace wyvern::systems::internal {

/** Decides step by step whether an explicit or the linearly implicit method
takes the next one, and takes it in the second case. What is slower, measured
in simulated time for an evaluation of the derivatives, gives way; each time
that the implicit method loses, it is tried later the next time. All decisions
follow from counts and times in the Context, so runs repeat to the bit. */
class StiffSteps {
 public:
  void Reset();

  bool is_implicit() const { return standing_.implicit; }
  /** Returns the number of the implicit method's trials since Reset(). */
  int64_t num_trials() const { return num_trials_; }

  /** Where a step begins, at `time`, that will be tried with size `h`. */
  void Prepare(double time, double h, const StiffnessProbe& probe);
  /** Counts what an explicit trial evaluates. */
  void CountEvaluations(int n) { standing_.evaluations += n; }

  /** An implicit trial, see LinearlyImplicitMethod::Step(). The first of a step
  makes the Jacobian and updates the estimate of `probe` by it. */
  bool Step(const LinearlyImplicitMethod::Start& start, double end,
            const LinearlyImplicitMethod::Derivatives& f, StiffnessProbe* probe,
            Eigen::VectorXd* x, Eigen::VectorXd* error);

  /** @name All that is carried from step to step, as numbers
  @{ */
  static constexpr int kNumCarried = 8;
  void Save(Eigen::Ref<Eigen::VectorXd> carried) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& carried);
  /** @} */

 private:
  // Simulated time for an evaluation, since the window began.
  double CalcSpeed(double time) const;
  void StartWindow(double time);
  void LeaveImplicit(double time);

  struct Standing {
    bool implicit{false};
    // The score of the probe that is wanted for the next try.
    int patience{4};
    // Calm steps, of h rho < 1, in a row.
    int calm_steps{0};
    // The window over which speed is measured.
    double window_start{0};
    int steps{0};
    int64_t evaluations{0};
    // Speed of the explicit method when it was left.
    double explicit_speed{0};
    double radius{0};
  };
  Standing standing_;
  LinearlyImplicitMethod method_;
  // Where the method has its Jacobian, if anywhere.
  std::optional<double> linearized_at_;
  int64_t num_trials_{0};
};

}  // namespace wyvern::systems::internal
