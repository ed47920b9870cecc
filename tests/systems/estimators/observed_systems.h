#pragma once

#include <memory>
#include <string>

#include "wyvern/systems/estimators/gaussian_state_observer.h"
#include "wyvern/systems/estimators/kalman_filter.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::estimators::test {

/** A pendulum, q'' = -sin q - 0.1 q' + u + w, seen by y = sin q + v. With a
period it moves by steps of Euler's method. */
template <typename T>
class Pendulum final : public LeafSystem<T> {
 public:
  explicit Pendulum(double period)
      : LeafSystem<T>(SystemTypeTag<test::Pendulum>{}), period_(period) {
    this->DeclareVectorInputPort("u", 1);
    this->DeclareVectorInputPort("w", 1);
    this->DeclareVectorInputPort("v", 1);
    if (period > 0) {
      const auto state = this->DeclareDiscreteState(2);
      this->DeclarePeriodicDiscreteUpdateEvent(period, 0, &Pendulum::Update);
      this->DeclareStateOutputPort("x", state);
    } else {
      const auto state = this->DeclareContinuousState(1, 1, 0);
      this->DeclareStateOutputPort("x", state);
    }
    this->DeclareVectorOutputPort(
        "y", 1, &Pendulum::CalcOutput,
        {period > 0 ? this->xd_ticket() : this->xc_ticket(),
         this->input_port_ticket(InputPortIndex(2))});
  }
  template <typename U>
  explicit Pendulum(const Pendulum<U>& other) : Pendulum(other.period()) {}

  double period() const { return period_; }

 private:
  // The functions below allocate nothing, which tests of filters count on.
  Eigen::Matrix<T, 2, 1> StateOf(const Context<T>& context) const {
    if (period_ > 0) return context.get_discrete_state(0).value();
    const VectorBase<T>& x = context.get_continuous_state_vector();
    return {x[0], x[1]};
  }
  Eigen::Matrix<T, 2, 1> CalcRates(const Context<T>& context) const {
    using std::sin;
    const auto x = StateOf(context);
    return {x[1], -sin(x[0]) - 0.1 * x[1] +
                      this->get_input_port(0).Eval(context)[0] +
                      this->get_input_port(1).Eval(context)[0]};
  }
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    if (period_ > 0) return;
    const Eigen::Matrix<T, 2, 1> rates = CalcRates(context);
    for (int i = 0; i < 2; ++i) derivatives->get_mutable_vector()[i] = rates[i];
  }
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* next) const {
    const Eigen::Matrix<T, 2, 1> x =
        StateOf(context) + period_ * CalcRates(context);
    for (int i = 0; i < 2; ++i) next->get_mutable_vector(0)[i] = x[i];
    return EventStatus::Succeeded();
  }
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const {
    using std::sin;
    (*y)[0] =
        sin(StateOf(context)[0]) + this->get_input_port(2).Eval(context)[0];
  }

  const double period_;
};

/** A Context of a Pendulum with all inputs at zero. */
template <typename T>
std::unique_ptr<Context<T>> MakeContext(const Pendulum<T>& pendulum) {
  auto context = pendulum.CreateDefaultContext();
  for (int i = 0; i < 3; ++i) {
    pendulum.get_input_port(i).FixValue(context.get(),
                                        VectorX<T>(VectorX<T>::Zero(1)));
  }
  return context;
}

/** Options by which a filter measures y of a Pendulum. */
template <typename Options>
Options PendulumOptions(bool has_noise_ports) {
  Options options;
  options.measurement_output_port_index = OutputPortIndex(1);
  if (has_noise_ports) {
    options.process_noise_input_port_index = InputPortIndex(1);
    options.measurement_noise_input_port_index = InputPortIndex(2);
  }
  options.initial_state_estimate = Eigen::Vector2d(0.4, -0.2);
  options.initial_state_covariance = Eigen::Matrix2d{{0.3, 0.1}, {0.1, 0.2}};
  return options;
}

/** A linear System of three states, one input and two outputs with noise. */
inline KalmanFilterSettings ThreeStates(double time_period) {
  return {
      .A = Eigen::MatrixXd{{-0.1, 0.2, 0}, {-0.1, 0.05, 0.3}, {0, 0.1, -0.5}},
      .B = Eigen::MatrixXd{{0.5}, {0}, {1}},
      .C = Eigen::MatrixXd{{1, 0, 0.5}, {0, 1, -1}},
      .D = Eigen::MatrixXd{{0.3}, {0}},
      .W = Eigen::MatrixXd{{0.2, 0.05, 0}, {0.05, 0.1, 0}, {0, 0, 0}},
      .V = Eigen::MatrixXd{{0.5, 0.1}, {0.1, 0.4}},
      .initial_state_estimate = Eigen::Vector3d(0.3, -0.2, 0.5),
      .initial_state_covariance =
          Eigen::MatrixXd{{2, 0.1, 0}, {0.1, 1, 0.2}, {0, 0.2, 0.5}},
      .time_period = time_period};
}

/** Makes a Context of a filter with fixed input and measurement. */
inline std::unique_ptr<Context<double>> MakeFilterContext(
    const GaussianStateObserver<double>& filter, const Eigen::VectorXd& u,
    const Eigen::VectorXd& y) {
  auto context = filter.CreateDefaultContext();
  filter.get_observed_system_input_input_port().FixValue(context.get(), u);
  filter.get_observed_system_output_input_port().FixValue(context.get(), y);
  return context;
}

/** Lets the filter take what is due at one moment: its discrete update, or a
measurement. */
inline void Update(const GaussianStateObserver<double>& filter,
                   Context<double>* context) {
  const auto events = filter.AllocateCompositeEventCollection();
  filter.GetPeriodicEvents(*context, events.get());
  if (events->get_discrete_update_events().HasEvents()) {
    const auto next = filter.AllocateDiscreteVariables();
    filter.CalcDiscreteVariableUpdate(
        *context, events->get_discrete_update_events(), next.get());
    filter.ApplyDiscreteVariableUpdate(events->get_discrete_update_events(),
                                       next.get(), context);
  }
  if (events->get_unrestricted_update_events().HasEvents()) {
    const auto next = context->CloneState();
    filter.CalcUnrestrictedUpdate(
        *context, events->get_unrestricted_update_events(), next.get());
    filter.ApplyUnrestrictedUpdate(events->get_unrestricted_update_events(),
                                   next.get(), context);
  }
}

}  // namespace wyvern::systems::estimators::test
