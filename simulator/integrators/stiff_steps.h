#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "wyvern/simulator/integrators/convex_steps.h"
#include "wyvern/simulator/integrators/linearly_implicit_method.h"
#include "wyvern/simulator/integrators/stiffness_probe.h"

namespace wyvern::systems::internal {

/** Decides step by step whether an explicit or an implicit method takes the
next one, and takes it in the second case. The implicit methods are the linearly
implicit one and, for Systems that take implicit steps, the convex steps, which
come first. What is slower, measured in simulated time for an evaluation of the
derivatives, gives way; each time that the implicit methods lose, they are tried
later the next time. All decisions follow from counts and times in the Context,
so runs repeat to the bit. */
class StiffSteps {
 public:
  enum Method { kLinearlyImplicit, kConvex };

  /** Forgets all earlier steps.
  @param convex Null if no System takes implicit steps. */
  void Reset(std::unique_ptr<ConvexSteps<double>> convex);

  bool is_implicit() const { return standing_.implicit; }
  /** Returns whether the next step is convex. */
  bool is_convex() const {
    return standing_.implicit && standing_.method == kConvex;
  }
  /** Returns the number of trials of an implicit method since Reset(). */
  int64_t num_trials(Method method) const { return num_trials_[method]; }

  /** Where a step begins, at `time`, that will be tried with size `h`. */
  void Prepare(double time, double h, const StiffnessProbe& probe);
  /** Counts what an explicit trial evaluates. */
  void CountEvaluations(int n) { standing_.evaluations += n; }

  /** A convex trial, see ConvexSteps::Step(). If that throws, this returns
  false and the next trial is linearly implicit. */
  bool StepConvexly(const Eigen::VectorXd& start, double time, double end,
                    const ConvexSteps<double>::Surroundings& surroundings,
                    Eigen::VectorXd* error);
  /** A linearly implicit trial, see LinearlyImplicitMethod::Step(). The first
  of a step makes the Jacobian and updates the estimate of `probe` by it. */
  bool Step(const LinearlyImplicitMethod::Start& start, double end,
            const LinearlyImplicitMethod::Derivatives& f, StiffnessProbe* probe,
            Eigen::VectorXd* x, Eigen::VectorXd* error);

  /** @name All that is carried from step to step, as numbers
  @{ */
  static constexpr int kNumCarried = 14;
  void Save(Eigen::Ref<Eigen::VectorXd> carried) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& carried);
  /** @} */

 private:
  bool has_convex() const {
    return convex_ != nullptr && !standing_.convex_failed;
  }
  // Simulated time for an evaluation, since the window began.
  double CalcSpeed(double time) const;
  void StartWindow(double time);
  void EnterImplicit(double time, const StiffnessProbe& probe);
  void LeaveImplicit(double time);
  // Compares the methods at the end of a window.
  void Compare(double time);

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
    Method method{kLinearlyImplicit};
    // Speeds of the implicit methods since the explicit one was left; 0 if not
    // known.
    std::array<double, 2> speeds{};
    // Convex steps since then, and after how many the explicit method is tried.
    int convex_steps{0};
    int most_convex_steps{100};
    // Whether a convex step of any length had no solution. Then there are no
    // more of them.
    bool convex_failed{false};
  };
  Standing standing_;
  std::unique_ptr<ConvexSteps<double>> convex_;
  LinearlyImplicitMethod method_;
  // Where the method has its Jacobian, if anywhere.
  std::optional<double> linearized_at_;
  std::array<int64_t, 2> num_trials_{};
};

}  // namespace wyvern::systems::internal
