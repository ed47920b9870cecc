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
Continuous state as data. Each struct has the name of its block, whose header
says more. */

namespace wyvern::systems::blocks {

struct Integrator {
  static constexpr char kSummary[] = "Integral of u0 from 0. Output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Integrator> From(const System<double>& system);

  int size{1};
};

struct LimitedIntegrator {
  static constexpr char kSummary[] =
      "Integral of u with limits, an initial value and a reset. Output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(lower, "Lower limit."));
    a->Visit(WYVERN_DNVP(upper, "Upper limit."));
    a->Visit(
        WYVERN_DNVP(initial_value, "State at the start and after a reset."));
    a->Visit(WYVERN_DNVP(has_reset_port, "Whether there is an input reset."));
    a->Visit(WYVERN_DNVP(has_initial_value_port,
                         "Whether there is an input initial_value."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<LimitedIntegrator> From(const System<double>& system);

  double lower{-std::numeric_limits<double>::infinity()};
  double upper{std::numeric_limits<double>::infinity()};
  double initial_value{0};
  bool has_reset_port{false};
  bool has_initial_value_port{false};
  int size{1};
};

struct RateLimiter {
  static constexpr char kSummary[] = "Follows u with limited rates. Output y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(rising, "Largest rise per second."));
    a->Visit(WYVERN_DNVP(falling, "Largest fall per second."));
    a->Visit(WYVERN_DNVP(lag, "Time constant within the limits, s."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<RateLimiter> From(const System<double>& system);

  double rising{1};
  double falling{1};
  double lag{1e-3};
  int size{1};
};

struct Backlash {
  static constexpr char kSummary[] = "Play between u and y.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(width, "Width of the play, in the unit of u."));
    a->Visit(WYVERN_DNVP(initial_output, "y at the start."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Backlash> From(const System<double>& system);

  double width{1};
  double initial_output{0};
  int size{1};
};

struct TransportDelay {
  static constexpr char kSummary[] = "y(t) = u(t - delay).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(delay, "Delay, s."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
    a->Visit(WYVERN_DNVP(initial_output, "y before the delay is over."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<TransportDelay> From(const System<double>& system);

  double delay{1};
  int size{1};
  double initial_output{0};
};

struct FirstOrderLowPassFilter {
  static constexpr char kSummary[] =
      "1 / (1 + time_constant s). Input u0, output y0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(time_constants, "Time constant of each element, s."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<FirstOrderLowPassFilter> From(
      const System<double>& system);

  VectorX<double> time_constants{VectorX<double>::Ones(1)};
};

struct AffineSystem {
  static constexpr char kSummary[] =
      "dx/dt = A x + B u0 + f0, y0 = C x + D u0 + y0; discrete with a "
      "time_period. A matrix without numbers is zero.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(A, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(B, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(f0, "Vector."));
    a->Visit(WYVERN_DNVP(C, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(D, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(y0, "Vector."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s; 0: continuous."));
    a->Visit(WYVERN_DNVP(initial_state, "x at the start (default 0)."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<AffineSystem> From(const System<double>& system);

  MatrixX<double> A;
  MatrixX<double> B;
  VectorX<double> f0;
  MatrixX<double> C;
  MatrixX<double> D;
  VectorX<double> y0;
  double time_period{0};
  VectorX<double> initial_state;
};

struct LinearSystem {
  static constexpr char kSummary[] =
      "dx/dt = A x + B u0, y0 = C x + D u0; discrete with a time_period. A "
      "matrix without numbers is zero.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(A, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(B, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(C, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(D, "Matrix, row by row."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s; 0: continuous."));
    a->Visit(WYVERN_DNVP(initial_state, "x at the start (default 0)."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<LinearSystem> From(const System<double>& system);

  MatrixX<double> A;
  MatrixX<double> B;
  MatrixX<double> C;
  MatrixX<double> D;
  double time_period{0};
  VectorX<double> initial_state;
};

}  // namespace wyvern::systems::blocks
