#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Sampled signals as data. Each struct has the name of its block, whose header
says more. */

namespace wyvern::systems::blocks {

struct ZeroOrderHold {
  static constexpr char kSummary[] = "Samples u and holds it. Output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(period, "Period, s."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
    a->Visit(WYVERN_DNVP(offset, "Time of the first sample, s."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<ZeroOrderHold> From(const System<double>& system);

  double period{0.01};
  int size{1};
  double offset{0};
};

struct FirstOrderHold {
  static constexpr char kSummary[] =
      "Samples u and goes on along the line of the last two samples. Output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(period, "Period, s."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<FirstOrderHold> From(const System<double>& system);

  double period{0.01};
  int size{1};
};

struct DiscreteTimeDelay {
  static constexpr char kSummary[] =
      "Samples u and delays the samples. Output delayed_u.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(update_sec, "Period, s."));
    a->Visit(WYVERN_DNVP(delay_time_steps, "Number of periods of the delay."));
    a->Visit(WYVERN_DNVP(vector_size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<DiscreteTimeDelay> From(const System<double>& system);

  double update_sec{0.01};
  int delay_time_steps{1};
  int vector_size{1};
};

struct DiscreteTimeIntegrator {
  static constexpr char kSummary[] =
      "Sum of the samples of u0 times the time step. Output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
    a->Visit(WYVERN_DNVP(time_step, "Period, s."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<DiscreteTimeIntegrator> From(
      const System<double>& system);

  int size{1};
  double time_step{0.01};
};

struct DiscreteDerivative {
  static constexpr char kSummary[] =
      "Difference of the last two samples of u0 over the time step. Output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(num_inputs, "Size of the vectors."));
    a->Visit(WYVERN_DNVP(time_step, "Period, s."));
    a->Visit(WYVERN_DNVP(suppress_initial_transient,
                         "Whether y0 is 0 until there are two samples."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<DiscreteDerivative> From(const System<double>& system);

  int num_inputs{1};
  double time_step{0.01};
  bool suppress_initial_transient{true};
};

struct Counter {
  static constexpr char kSummary[] =
      "Counts its samples, up or down, between two limits; in a "
      "TriggeredSubsystem it counts triggers. Inputs down, reset if asked for; "
      "output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(period, "Time between counts, s."));
    a->Visit(WYVERN_DNVP(step, "Change of the count; negative: down."));
    a->Visit(WYVERN_DNVP(initial, "Count at the start and after a reset."));
    a->Visit(WYVERN_DNVP(lower, "Least count."));
    a->Visit(WYVERN_DNVP(upper, "Largest count."));
    a->Visit(
        WYVERN_DNVP(at_limit, "wrap: to the other limit; stop: at the limit."));
    a->Visit(WYVERN_DNVP(has_down_port,
                         "Whether an input down above zero reverses the "
                         "count."));
    a->Visit(WYVERN_DNVP(has_reset_port,
                         "Whether an input reset above zero resets it."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Counter> From(const System<double>& system);

  double period{1};
  int step{1};
  int initial{0};
  int lower{0};
  int upper{std::numeric_limits<int>::max()};
  std::string at_limit{"wrap"};
  bool has_down_port{false};
  bool has_reset_port{false};
};

}  // namespace wyvern::systems::blocks
