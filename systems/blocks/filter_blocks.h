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
Transfer functions and filters as data. Each struct has the name of its block,
or of the function in filters.h that makes it: input u0, output y0, one signal.
Written back, such a block is a LinearSystem. */

namespace wyvern::systems::blocks {

struct TransferFunction {
  static constexpr char kSummary[] =
      "numerator / denominator, as polynomials of s.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(numerator, "Coefficients, the highest power first."));
    a->Visit(
        WYVERN_DNVP(denominator, "Coefficients, the highest power first."));
    a->Visit(WYVERN_DNVP(time_period,
                         "Period, s; 0: continuous, in s instead of z."));
  }
  std::unique_ptr<System<double>> Make() const;

  VectorX<double> numerator{VectorX<double>::Ones(1)};
  VectorX<double> denominator{VectorX<double>::Ones(1)};
  double time_period{0};
};

struct ZeroPole {
  static constexpr char kSummary[] = "gain (s - zero) ... / ((s - pole) ...).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(zeros, "[real, imaginary] of each zero."));
    a->Visit(WYVERN_DNVP(poles, "[real, imaginary] of each pole."));
    a->Visit(WYVERN_DNVP(gain, "Factor."));
    a->Visit(WYVERN_DNVP(time_period,
                         "Period, s; 0: continuous, in s instead of z."));
  }
  std::unique_ptr<System<double>> Make() const;

  MatrixX<double> zeros;
  MatrixX<double> poles;
  double gain{1};
  double time_period{0};
};

struct FilteredDerivative {
  static constexpr char kSummary[] = "s / (1 + time_constant s).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(time_constant, "Time constant of the filter, s."));
  }
  std::unique_ptr<System<double>> Make() const;

  double time_constant{0.01};
};

struct SecondOrderLowPass {
  static constexpr char kSummary[] = "w^2 / (s^2 + 2 d w s + w^2).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(corner_frequency, "w, rad/s."));
    a->Visit(WYVERN_DNVP(damping_ratio, "d."));
  }
  std::unique_ptr<System<double>> Make() const;

  double corner_frequency{1};
  double damping_ratio{0.70710678118654752};
};

struct Notch {
  static constexpr char kSummary[] = "(s^2 + w^2) / (s^2 + 2 d w s + w^2).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(frequency, "w, rad/s."));
    a->Visit(WYVERN_DNVP(ratio, "d: half the width of the notch over w."));
  }
  std::unique_ptr<System<double>> Make() const;

  double frequency{1};
  double ratio{0.1};
};

struct LeadLag {
  static constexpr char kSummary[] =
      "gain (1 + lead_time s) / (1 + lag_time s).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(gain, "Gain at frequency 0."));
    a->Visit(WYVERN_DNVP(lead_time, "Time constant of the numerator, s."));
    a->Visit(WYVERN_DNVP(lag_time, "Time constant of the denominator, s."));
  }
  std::unique_ptr<System<double>> Make() const;

  double gain{1};
  double lead_time{1};
  double lag_time{1};
};

struct FirFilter {
  static constexpr char kSummary[] = "y[n] = sum of coefficients[k] u[n - k].";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(coefficients,
                         "Coefficients, that of the newest sample first."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s."));
  }
  std::unique_ptr<System<double>> Make() const;

  VectorX<double> coefficients{VectorX<double>::Ones(1)};
  double time_period{0.01};
};

struct IirFilter {
  static constexpr char kSummary[] =
      "a[0] y[n] = sum of b[k] u[n - k] - sum of a[k] y[n - k] for k > 0.";
  template <typename Archive>
  void Serialize(Archive* archive) {
    archive->Visit(WYVERN_DNVP(b, "Coefficients of the input."));
    archive->Visit(WYVERN_DNVP(a, "Coefficients of the output."));
    archive->Visit(WYVERN_DNVP(time_period, "Period, s."));
  }
  std::unique_ptr<System<double>> Make() const;

  VectorX<double> b{VectorX<double>::Ones(1)};
  VectorX<double> a{VectorX<double>::Ones(1)};
  double time_period{0.01};
};

struct MovingAverage {
  static constexpr char kSummary[] = "Mean of the last samples of u0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(num_samples, "Number of samples."));
    a->Visit(WYVERN_DNVP(time_period, "Period, s."));
  }
  std::unique_ptr<System<double>> Make() const;

  int num_samples{10};
  double time_period{0.01};
};

}  // namespace wyvern::systems::blocks
