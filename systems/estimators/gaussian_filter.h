#pragma once

#include <memory>
#include <optional>

#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/estimators/gaussian_state_observer.h"

namespace wyvern::systems::estimators::internal {

/** Numbers of states, inputs and outputs of the observed System. */
struct FilterSizes {
  int n{};
  int m{};
  int p{};
};

/** When a filter predicts and when it takes measurements. */
struct FilterTiming {
  /** Period of discrete dynamics [s]; 0: continuous. */
  double dynamics_period{0};
  double dynamics_offset{0};
  /** Period of measurements [s] of continuous dynamics; none: continuous. */
  std::optional<double> measurement_period{};
  double measurement_offset{0};
};

/** Memory that a filter needs beyond FilterWork. */
class FilterScratch {
 public:
  virtual ~FilterScratch() = default;
  virtual std::unique_ptr<FilterScratch> Clone() const = 0;
};

/** Arguments and results of the two predictions of a filter. */
template <typename T>
struct FilterWork {
  T time{0};
  VectorX<T> x;  // n, the estimate
  MatrixX<T> P;  // n x n, its covariance
  VectorX<T> u;  // m
  /** Discrete: mean and covariance of x[n+1]. Continuous: their rates without a
  measurement. */
  VectorX<T> f;
  MatrixX<T> F;
  /** Mean of the output; its covariance with x; the covariance R of the noise
  in it (continuous: its intensity); with discrete measurements also the
  covariance S of the output. */
  VectorX<T> y;
  MatrixX<T> Pxy;  // n x p
  MatrixX<T> R;    // p x p
  MatrixX<T> S;    // p x p
  /** The Jacobian of the output, p x n. Empty if the filter has none. */
  MatrixX<T> C;
  copyable_unique_ptr<FilterScratch> scratch;

  // Correction: L L' = S or R, Z = L^-1 Pxy', z = L^-1 (y - E[y]).
  MatrixX<T> L;
  MatrixX<T> Z;
  VectorX<T> z;
  MatrixX<T> K;      // n x p
  MatrixX<T> M, MP;  // n x n
  /** [x; lower triangle of P by columns], or its rate. */
  VectorX<T> state;
};

/** Base of the Kalman filters: ports, state, events, and the correction of mean
and covariance by a measurement. A derived class predicts.

The state is [x; the lower triangle of P by columns]. It is discrete if the
dynamics are, else continuous; measurements of a continuous System that are
taken periodically correct it by unrestricted updates. */
template <typename T>
class GaussianFilter : public GaussianStateObserver<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(GaussianFilter);

  const InputPort<T>& get_observed_system_input_input_port() const final {
    return this->get_input_port(0);
  }
  const InputPort<T>& get_observed_system_output_input_port() const final {
    return this->get_input_port(1);
  }
  const OutputPort<T>& get_estimated_state_output_port() const final {
    return this->get_output_port(0);
  }
  void SetStateEstimateAndCovariance(
      Context<T>* context, const Eigen::Ref<const VectorX<T>>& state_estimate,
      const Eigen::Ref<const MatrixX<T>>& state_covariance) const final;
  VectorX<T> GetStateEstimate(const Context<T>& context) const final;
  MatrixX<T> GetStateCovariance(const Context<T>& context) const final;

 protected:
  /** @param who names the filter in errors; it must outlive this.
  @param x0, P0 the default estimate and covariance.
  @throws std::logic_error if x0 or P0 has a wrong size, is not finite, or P0 is
  no covariance; if a period is not positive and finite, or measurements of
  discrete dynamics have a period of their own. */
  GaussianFilter(SystemScalarConverter converter, const char* who,
                 const FilterSizes& sizes, const FilterTiming& timing,
                 const Eigen::VectorXd& x0, const Eigen::MatrixXd& P0);

  bool is_discrete() const { return timing_.dynamics_period > 0; }
  /** Whether measurements arrive at moments, rather than all the time. */
  bool has_sampled_measurements() const {
    return is_discrete() || timing_.measurement_period.has_value();
  }

  /** Sets f and F from time, x, P and u. */
  virtual void PredictState(FilterWork<T>* work) const = 0;
  /** Sets y, Pxy, R, C, and S if measurements are sampled, likewise. */
  virtual void PredictOutput(FilterWork<T>* work) const = 0;
  virtual std::unique_ptr<FilterScratch> AllocateScratch() const = 0;

 private:
  std::unique_ptr<FilterWork<T>> AllocateWork() const;
  void ReadArguments(const Context<T>& context, FilterWork<T>* work) const;
  // Factors S or R, and sets Z and z.
  void Weigh(const Context<T>& context, const MatrixX<T>& covariance,
             FilterWork<T>* work) const;
  void Correct(const Context<T>& context, FilterWork<T>* work) const;
  void Pack(const VectorX<T>& x, const MatrixX<T>& P, VectorX<T>* state) const;
  Eigen::Map<const VectorX<T>> StateOf(const Context<T>& context) const;

  // Values of the cache entries.
  void CalcRates(const Context<T>& context, FilterWork<T>* work) const;
  void CalcNextState(const Context<T>& context, FilterWork<T>* work) const;
  void CalcCorrectedState(const Context<T>& context, FilterWork<T>* work) const;

  void CalcEstimate(const Context<T>& context, BasicVector<T>* x) const;
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* next) const;
  EventStatus Measure(const Context<T>& context, State<T>* next) const;

  const char* const who_;
  const FilterSizes sizes_;
  const FilterTiming timing_;
  const CacheEntry* rates_{};
  const CacheEntry* next_{};
};

}  // namespace wyvern::systems::estimators::internal
