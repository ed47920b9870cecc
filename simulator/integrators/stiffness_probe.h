#pragma once

#include <functional>

#include <Eigen/Core>

namespace wyvern::systems::internal {

/** Finds out whether steps are small because the solution asks for it, or only
because larger ones would be unstable. Now and then it estimates the spectral
radius rho of J = df/dx, the fastest rate [1/s] in the system, by the power
method: two products y = J x, from where the last estimate ended. An explicit
Runge-Kutta method is unstable beyond h rho of 2 to 3, and a solution that it
follows with any accuracy has h rho well below 1, so a step is called stiff if
h rho > 1 (Hairer, Wanner, Solving ODEs II, IV.2, "Automatic stiffness
detection"). */
class StiffnessProbe {
 public:
  /** y = J x, for |x| = 1. @returns false if not finite. */
  using Product =
      std::function<bool(const Eigen::VectorXd& x, Eigen::VectorXd* y)>;

  /** Forgets everything. Allocates nothing later. */
  void Reset(int num_states);

  /** Counts a step. @returns true if it is time for an estimate. */
  bool IsDue();
  /** Estimates rho. */
  void Estimate(const Product& product);
  /** Overload that also notes whether a step of size `h` is stiff. */
  void Probe(double h, const Product& product);

  /** The last estimate [1/s]; 0 at first, and if J x was not finite. */
  double spectral_radius() const { return radius_; }
  /** Two more for each estimate that found its step stiff, one less, as far as
  0, for each other: grows where a third of them do, as beside a kink of the
  derivatives, on one side of which nothing is stiff. */
  int stiff_score() const { return stiff_score_; }
  /** Returns true if all but a tenth of `kLongRun` estimates found their step
  stiff. */
  bool is_stiff_for_long() const { return is_stiff_for_long_; }
  /** Where the fastest motion is largest. */
  int fastest_element() const;

  /** @name All that is carried from estimate to estimate, as numbers
  @{ */
  int num_carried() const { return 5 + static_cast<int>(x_.size()); }
  void Save(Eigen::Ref<Eigen::VectorXd> carried) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& carried);
  /** @} */

  /** Steps from one estimate to the next. */
  static constexpr int kInterval = 100;
  static constexpr int kLongRun = 50;

 private:
  void ForgetDirection();

  int steps_{0};
  int stiff_score_{0};
  int probes_{0};
  int stiff_probes_{0};
  bool is_stiff_for_long_{false};
  double radius_{0};
  Eigen::VectorXd x_;
  Eigen::VectorXd y_;
};

}  // namespace wyvern::systems::internal
