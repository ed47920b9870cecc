#pragma once

#include "wyvern/systems/estimators/covariance.h"
#include "wyvern/systems/estimators/gaussian_filter.h"
#include "wyvern/systems/estimators/observed_system.h"

/** @file
What the options of both nonlinear filters have in common. */

namespace wyvern::systems::estimators::internal {

template <typename Options>
ObservedPorts PortsOf(const Options& options) {
  return {.input = options.actuation_input_port_index,
          .output = options.measurement_output_port_index,
          .process_noise = options.process_noise_input_port_index,
          .measurement_noise = options.measurement_noise_input_port_index};
}

template <typename Options, typename T>
FilterTiming TimingOf(const Options& options, const ObservedSystem<T>& model) {
  return {.dynamics_period = model.period(),
          .dynamics_offset = model.offset(),
          .measurement_period = options.discrete_measurement_time_period,
          .measurement_offset = options.discrete_measurement_time_offset};
}

template <typename T>
FilterSizes SizesOf(const ObservedSystem<T>& model) {
  return {.n = model.num_states(),
          .m = model.num_inputs(),
          .p = model.num_outputs()};
}

/** @throws std::logic_error unless W and V are covariances of the noises. */
template <typename T>
void RequireNoise(const char* who, const ObservedSystem<T>& model,
                  const Eigen::MatrixXd& W, const Eigen::MatrixXd& V) {
  RequireCovariance(who, "W", W,
                    model.num_process_noises() > 0 ? model.num_process_noises()
                                                   : model.num_states(),
                    Definiteness::kSemidefinite);
  RequireCovariance(who, "V", V,
                    model.num_measurement_noises() > 0
                        ? model.num_measurement_noises()
                        : model.num_outputs(),
                    Definiteness::kDefinite);
}

}  // namespace wyvern::systems::estimators::internal
