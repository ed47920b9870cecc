#pragma once

#include <array>
#include <vector>

#include "wyvern/simulator/integrators/integrator_base.h"

namespace wyvern::systems::internal {

/** An explicit Runge-Kutta method: a[s][j], j < s, makes the state of stage s,
b the result, and b - b_hat the error estimate. c[s] is the sum of row s. */
struct ButcherTableau {
  static constexpr int kMostStages = 7;
  using Row = std::array<double, kMostStages>;

  int num_stages{};
  std::array<Row, kMostStages> a{};
  Row b{};
  Row b_hat{};

  /** The last stage is the result, so that its derivative starts the next
  step ("first same as last"). */
  bool is_fsal() const;
};

/** The methods of the classes that derive from ExplicitRungeKutta. */
extern const ButcherTableau kExplicitEuler;
extern const ButcherTableau kRungeKutta2;
extern const ButcherTableau kRungeKutta3;
extern const ButcherTableau kBogackiShampine3;
extern const ButcherTableau kRungeKutta5;

/** One step of an explicit Runge-Kutta method:

    k_s = f(t + c_s h, x + h sum_{j<s} a_sj k_j),    x' = x + h sum_s b_s k_s,
    e = h sum_s (b_s - b_hat_s) k_s

(Hairer, Norsett, Wanner, Solving ODEs I, II.1, eq. 1.8). k_0 is the derivative
where the step starts and costs nothing if it is in the cache. */
template <typename T>
class ExplicitRungeKutta : public IntegratorBase<T> {
 protected:
  /** `tableau` must outlive this. */
  ExplicitRungeKutta(const System<T>& system, Context<T>* context,
                     const ButcherTableau& tableau);

  void DoInitialize() override;
  bool DoStep(const T& h) override;

  /** Room for a step of another method: the state, and the error in place of
  the first stage. */
  VectorX<T>& mutable_trial_state() { return x_; }
  VectorX<T>& mutable_trial_error() { return k_[0]; }

 private:
  void CalcErrorEstimate(const T& h);
  // *x = start + h sum_j weights_j k_j.
  void Combine(const T& h, const ButcherTableau::Row& weights,
               VectorX<T>* x) const;

  const ButcherTableau& tableau_;
  std::vector<VectorX<T>> k_;
  VectorX<T> x_;
};

}  // namespace wyvern::systems::internal
