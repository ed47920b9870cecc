// A pole on a cart, balanced by 8 N at most from noisy positions alone. With
// the name of a file, `39_estimated_state balance.svg`, it draws the motion.
//
//      +-> cart-pole --p, q--> sensor --> UKF --x--> MPC --> hold --u--+
//      |                                   ^                           |
//      +-----------------------------------+---------------------------+
#include <cstdlib>

#include <fmt/format.h>

#include "examples/support/cart_pole.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/controllers/linear_model_predictive_controller.h"
#include "wyvern/systems/estimators/unscented_kalman_filter.h"
#include "wyvern/systems/plotting/plot_log.h"
#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"
#include "wyvern/systems/sensors/measured_signal.h"

using namespace wyvern::systems;  // NOLINT(build/namespaces)
using Eigen::Vector4d, Eigen::VectorXd;
using Mpc = controllers::LinearModelPredictiveController<double>;
constexpr double kPeriod = 0.02, kForce = 8, kNoise = 0.01;  // s, N, m or rad

int main(int argc, char* argv[]) {
  const wyvern::examples::CartPole<double> model;
  auto upright = model.CreateDefaultContext();
  model.get_input_port().FixValue(upright.get(), 0.0);
  const auto linear =
      DiscreteTimeApproximation(*Linearize(model, *upright), kPeriod);
  controllers::LinearMpcSettings settings;
  settings.A = linear->A();
  settings.B = linear->B();
  settings.Q = Vector4d(10, 10, 1, 1).asDiagonal();
  settings.R = Eigen::MatrixXd::Identity(1, 1);
  settings.lower = VectorXd::Constant(1, -kForce);
  settings.upper = VectorXd::Constant(1, kForce);
  const Eigen::Matrix4d W = Vector4d(0, 0, 1e-3, 1e-3).asDiagonal();
  const Eigen::Matrix2d V = kNoise * kNoise * Eigen::Matrix2d::Identity();
  estimators::UnscentedKalmanFilterOptions options;
  options.initial_state_covariance = 0.1 * Eigen::Matrix4d::Identity();
  options.discrete_measurement_time_period = kPeriod;

  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<wyvern::examples::CartPole<double>>();
  const sensors::MeasurementErrors errors{
      .period = kPeriod, .noise = VectorXd::Constant(1, kNoise)};
  auto* sensor = builder.AddSystem<sensors::MeasuredSignal<double>>(2, errors);
  auto* filter = builder.AddSystem(
      estimators::UnscentedKalmanFilter(model, *upright, W, V, options));
  auto* mpc = builder.AddSystem<Mpc>(settings);
  auto* hold = builder.AddSystem<ZeroOrderHold<double>>(kPeriod, 1);
  builder.Connect(*plant, *sensor);
  builder.Connect(hold->get_output_port(), filter->get_input_port(0));
  builder.Connect(sensor->get_output_port(), filter->get_input_port(1));
  builder.Connect(*filter, *mpc);
  builder.Connect(*mpc, *hold);
  builder.Connect(*hold, *plant);
  auto* motion = LogVectorOutput(plant->get_output_port(), &builder, kPeriod);
  auto* force = LogVectorOutput(hold->get_output_port(), &builder, kPeriod);
  Simulator<double> simulator(builder.Build());
  plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context())
      .SetContinuousState(Vector4d(0, 0.2, 0, 0));
  simulator.AdvanceTo(8.0);
  const auto& p_q = motion->FindLog(simulator.get_context());
  const auto& u = force->FindLog(simulator.get_context()).data();
  const double rest = p_q.data().rightCols(50).cwiseAbs().maxCoeff();
  const auto num_limited = (u.array().abs() == kForce).count();
  fmt::print(
      "{} of {} samples at {} N. At most {:.3f} m or rad off in the end."
      "\n",
      num_limited, u.cols(), kForce, rest);
  if (argc > 1) {
    const auto plot = wyvern::plotting::PlotLog(p_q, {"cart [m]", "pole [rad]"},
                                                "Balanced by 8 N", "position");
    wyvern::plotting::WriteSvgPicture(plot, argv[1]);
  }
  return rest < 0.1 && num_limited > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
