#include "wyvern/systems/blocks/estimation_blocks.h"

#include <utility>

#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/controllers/disturbance_observer.h"
#include "wyvern/systems/controllers/feedforward_inverse.h"
#include "wyvern/systems/controllers/gain_scheduled_feedback.h"
#include "wyvern/systems/controllers/kalman_observer.h"
#include "wyvern/systems/controllers/linear_model_predictive_controller.h"
#include "wyvern/systems/controllers/state_feedback.h"
#include "wyvern/systems/estimators/kalman_filter.h"
#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"

/* Matrices go to the constructors, which check them and fill in those that are
empty; From() reads them back from the block. A model predictive controller with
a period is written back with its discrete model. */

namespace wyvern::systems {

namespace blocks {

std::unique_ptr<System<double>> KalmanFilter::Make() const {
  return std::make_unique<estimators::KalmanFilter<double>>(
      estimators::KalmanFilterSettings{
          .A = A,
          .B = B,
          .C = C,
          .D = D,
          .W = W,
          .V = V,
          .initial_state_estimate = initial_state_estimate,
          .initial_state_covariance = initial_state_covariance,
          .time_period = time_period,
          .measurement_period = measurement_period});
}

std::optional<KalmanFilter> KalmanFilter::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const estimators::KalmanFilter<double>*>(&system);
  if (block == nullptr) return {};
  const estimators::KalmanFilterSettings& s = block->settings();
  return KalmanFilter{.A = s.A,
                      .B = s.B,
                      .C = s.C,
                      .D = s.D,
                      .W = s.W,
                      .V = s.V,
                      .initial_state_estimate = s.initial_state_estimate,
                      .initial_state_covariance = s.initial_state_covariance,
                      .time_period = s.time_period,
                      .measurement_period = s.measurement_period};
}

std::unique_ptr<System<double>> Observer::Make() const {
  return controllers::MakeObserver(
      systems::LinearSystem<double>(A, B, C, D, time_period), L);
}

std::unique_ptr<System<double>> DisturbanceObserver::Make() const {
  return controllers::MakeDisturbanceObserver(
      systems::LinearSystem<double>(A, B, C, D, time_period), L);
}

std::unique_ptr<System<double>> FeedforwardInverse::Make() const {
  return std::move(controllers::MakeFeedforwardInverse(
                       systems::LinearSystem<double>(A, B, C, D, time_period))
                       .system);
}

std::unique_ptr<System<double>> StateFeedback::Make() const {
  return std::make_unique<controllers::StateFeedback<double>>(
      K, has_feedforward_port);
}

std::optional<StateFeedback> StateFeedback::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const controllers::StateFeedback<double>*>(&system);
  if (block == nullptr) return {};
  return StateFeedback{.K = block->K(),
                       .has_feedforward_port = block->has_feedforward_port()};
}

std::unique_ptr<System<double>> GainScheduledFeedback::Make() const {
  std::vector<controllers::ScheduledGain> gains;
  for (const ScheduledGain& one : schedule) {
    gains.push_back({.at = one.at, .K = one.K, .x0 = one.x0, .u0 = one.u0});
  }
  return std::make_unique<controllers::GainScheduledFeedback<double>>(gains);
}

std::optional<GainScheduledFeedback> GainScheduledFeedback::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const controllers::GainScheduledFeedback<double>*>(&system);
  if (block == nullptr) return {};
  GainScheduledFeedback result;
  result.schedule.clear();
  for (const controllers::ScheduledGain& one : block->schedule()) {
    result.schedule.push_back(
        {.at = one.at, .K = one.K, .x0 = one.x0, .u0 = one.u0});
  }
  return result;
}

std::unique_ptr<System<double>> LinearModelPredictiveController::Make() const {
  controllers::LinearMpcSettings settings{.A = A,
                                          .B = B,
                                          .Q = Q,
                                          .R = R,
                                          .P = P,
                                          .horizon = horizon,
                                          .lower = lower,
                                          .upper = upper,
                                          .x0 = x0,
                                          .u0 = u0};
  if (time_period != 0) {
    const auto sampled = DiscreteTimeApproximation(
        systems::LinearSystem<double>(A, B), time_period);
    settings.A = sampled->A();
    settings.B = sampled->B();
  }
  return std::make_unique<controllers::LinearModelPredictiveController<double>>(
      settings);
}

std::optional<LinearModelPredictiveController>
LinearModelPredictiveController::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const controllers::LinearModelPredictiveController<double>*>(
          &system);
  if (block == nullptr) return {};
  const controllers::LinearMpcSettings& s = block->settings();
  return LinearModelPredictiveController{.A = s.A,
                                         .B = s.B,
                                         .Q = s.Q,
                                         .R = s.R,
                                         .P = s.P,
                                         .horizon = s.horizon,
                                         .lower = s.lower,
                                         .upper = s.upper,
                                         .x0 = s.x0,
                                         .u0 = s.u0,
                                         .time_period = 0};
}

}  // namespace blocks

void internal::AddEstimationBlocks(BlockRegistry* registry) {
  registry->Add<blocks::KalmanFilter>();
  registry->Add<blocks::Observer>();
  registry->Add<blocks::DisturbanceObserver>();
  registry->Add<blocks::FeedforwardInverse>();
  registry->Add<blocks::StateFeedback>();
  registry->Add<blocks::GainScheduledFeedback>();
  registry->Add<blocks::LinearModelPredictiveController>();
}

}  // namespace wyvern::systems
