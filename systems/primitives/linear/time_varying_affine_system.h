#pragma once

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

namespace internal {
/** Dependence of an affine system's output. */
struct OutputDependence {
  bool on_state{true};
  bool on_input{true};
  bool on_time{true};
};
}  // namespace internal

/** The base of systems that are affine in state and input, with coefficients
that may vary with time t [s].

    continuous (time_period = 0):     dx/dt  = A(t) x + B(t) u + f0(t)
    discrete, every time_period [s]:  x[n+1] = A(t) x + B(t) u + f0(t)
    output:                           y      = C(t) x + D(t) u + y0(t)

A is n x n, B is n x m, C is p x n, D is p x m. Input port u0 if m > 0, output
port y0 if p > 0, and a state if n > 0, which starts at the configured default,
zero unless set. Discrete updates are at k time_period, k = 0, 1, ... */
template <typename T>
class TimeVaryingAffineSystem : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TimeVaryingAffineSystem);
  ~TimeVaryingAffineSystem() override;

  /** The only input port. @throws std::out_of_range if num_inputs() is 0. */
  const InputPort<T>& get_input_port() const {
    return LeafSystem<T>::get_input_port(0);
  }
  using LeafSystem<T>::get_input_port;
  /** The only output port. @throws std::out_of_range if num_outputs() is 0. */
  const OutputPort<T>& get_output_port() const {
    return LeafSystem<T>::get_output_port(0);
  }
  using LeafSystem<T>::get_output_port;

  /** @name Coefficients at time t
  @{ */
  /** Returns A(t), n x n. */
  virtual MatrixX<T> A(const T& t) const = 0;
  /** Returns B(t), n x m. */
  virtual MatrixX<T> B(const T& t) const = 0;
  /** Returns f0(t), n elements. */
  virtual VectorX<T> f0(const T& t) const = 0;
  /** Returns C(t), p x n. */
  virtual MatrixX<T> C(const T& t) const = 0;
  /** Returns D(t), p x m. */
  virtual MatrixX<T> D(const T& t) const = 0;
  /** Returns y0(t), p elements. */
  virtual VectorX<T> y0(const T& t) const = 0;
  /** @} */

  /** Seconds between updates; 0 if continuous. */
  double time_period() const { return time_period_; }
  /** Number of states n. */
  int num_states() const { return num_states_; }
  /** Number of inputs m. */
  int num_inputs() const { return num_inputs_; }
  /** Number of outputs p. */
  int num_outputs() const { return num_outputs_; }

  /** Sets what a default Context starts from.
  @throws std::logic_error on a wrong size or an entry that is not finite. */
  void configure_default_state(const Eigen::Ref<const VectorX<T>>& x0);
  /** The state that a default Context starts from, n elements. */
  const VectorX<T>& get_default_state() const { return x0_; }

  /** Makes a random Context start from a Gaussian around the default state.
  @throws std::logic_error unless `covariance` is n x n, finite, symmetric and
  positive semidefinite. */
  void configure_random_state(
      const Eigen::Ref<const Eigen::MatrixXd>& covariance);
  /** The covariance configured; zero if none was. */
  const Eigen::MatrixXd get_random_state_covariance() const {
    return sqrt_covariance_ * sqrt_covariance_.transpose();
  }

 protected:
  /** Takes the sizes, and the period in seconds; 0: continuous.
  @throws std::logic_error on a negative size or a bad period. */
  TimeVaryingAffineSystem(
      SystemScalarConverter converter, int num_states, int num_inputs,
      int num_outputs, double time_period,
      const internal::OutputDependence& output_dependence = {});

  /** Copies the default state and the covariance; for converting
  constructors. */
  template <typename U>
  void ConfigureDefaultAndRandomStateFrom(
      const TimeVaryingAffineSystem<U>& other) {
    x0_ = math::internal::CastTo<T>(other.x0_);
    sqrt_covariance_ = other.sqrt_covariance_;
  }

  /** Computes y = C(t) x + D(t) u + y0(t). */
  virtual void CalcOutputY(const Context<T>& context,
                           BasicVector<T>* output_vector) const;

  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const override;

  /** Sets the updated discrete state. */
  virtual EventStatus CalcDiscreteUpdate(const Context<T>& context,
                                         DiscreteValues<T>* updates) const;

  void SetDefaultState(const Context<T>& context,
                       State<T>* state) const override;
  void SetRandomState(const Context<T>& context, State<T>* state,
                      RandomGenerator* generator) const override;

  /** The state in `context`, whichever kind it is. */
  Eigen::Map<const VectorX<T>> StateOf(const Context<T>& context) const;

 private:
  template <typename U>
  friend class TimeVaryingAffineSystem;

  // A(t) x + B(t) u + f0(t).
  VectorX<T> CalcRightHandSide(const Context<T>& context) const;
  MatrixX<T> RequireCoefficient(const char* name, MatrixX<T> value, int rows,
                                int cols) const;
  void SetState(const VectorX<T>& x, State<T>* state) const;

  const double time_period_;
  const int num_states_;
  const int num_inputs_;
  const int num_outputs_;
  VectorX<T> x0_;
  // L with covariance = L L^T; n x n.
  Eigen::MatrixXd sqrt_covariance_;
};

}  // namespace wyvern::systems
