#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** A muscle that pulls along a tendon or turns a joint: the muscle of MJCF,
whose law is Hill's without an elastic tendon in series. Its pull is

    F = F0 (FL(L) FV(V) a + FP(L)),    da/dt = (u - a) / tau(u, a),

where a is the activation, from 0 to 1, and u the excitation. The length L is 1
where the muscle is strongest. L goes linearly from operating_range[0] to
operating_range[1] as the length of the actuator does from length_range[0] to
length_range[1]; the rate V = dL/dt / max_velocity is -1 where the muscle
shortens too fast to pull. */
struct MuscleProperties {
  /** Shortest and longest length of the actuator, gear times the length of its
  tendon or position of its joint, [m] or [rad]. */
  Vector2<double> length_range{0, 1};
  /** L at both ends of length_range. */
  Vector2<double> operating_range{0.75, 1.05};
  /** F0, [N] or [N·m]; if negative, it follows from force_scale. */
  double peak_force{-1};
  /** Acceleration of the actuator in its direction when F0 acts alone, at the
  default positions, [m/s²] or [rad/s²]. */
  double force_scale{200};
  /** FL is 0 at shorter lengths, in units of L; below 1. */
  double min_length{0.5};
  /** FL is 0 at longer lengths, in units of L; above 1. */
  double max_length{1.6};
  /** In units of L a second. */
  double max_velocity{1.5};
  /** FP rises from 0 at L = 1 to half of this halfway to max_length, and to 1.5
  times this at max_length. */
  double max_passive_force{1.3};
  /** FV of a muscle that lengthens fast, at least 1. */
  double max_lengthening_force{1.2};
  /** Time constant of rising activation at a = 1/3, [s]. */
  double activation_time{0.01};
  /** Time constant of falling activation at a = 1/3, [s]. */
  double deactivation_time{0.04};
  /** Width of the range of u - a in which tau changes between the two. */
  double smoothing{0};
  /** The actuator's force is -gear F. */
  double gear{1};
  /** u is kept within this range, and within 0 and 1. */
  Vector2<double> control_range{0, 1};
};

/** The factors of a muscle's pull at one length and rate. */
template <typename T>
struct MuscleFactors {
  /** FL FV. */
  T active{};
  /** FP. */
  T passive{};
};

namespace internal {

// Four parabolas that join smoothly: 0 at `least` and `most`, 1 at 1.
template <typename T>
T CalcMuscleForceOfLength(const T& L, double least, double most) {
  if (L <= least || L >= most) return T(0);
  const double end = L < 1 ? least : most;
  // 0 at the end, 1 at L = 1.
  const T x = (L - end) / (1 - end);
  return x < 0.5 ? T(2 * x * x) : T(1 - 2 * (1 - x) * (1 - x));
}

template <typename T>
T CalcMuscleForceOfVelocity(const T& V, double most) {
  if (V <= -1) return T(0);
  if (V <= 0) return (V + 1) * (V + 1);
  const double y = most - 1;
  return V < y ? T(most - (y - V) * (y - V) / y) : T(most);
}

// A parabola from L = 1 to halfway to `longest`, and its tangent beyond.
template <typename T>
T CalcMusclePassiveForce(const T& L, double longest, double at_longest) {
  if (L <= 1) return T(0);
  const T x = 2 * (L - 1) / (longest - 1);
  return at_longest * (x < 1 ? T(0.5 * x * x) : T(x - 0.5));
}

// Rises from 0 to 1 with two continuous derivatives.
template <typename T>
T CalcSmoothStep(const T& x) {
  if (x <= 0) return T(0);
  if (x >= 1) return T(1);
  return x * x * x * (10 + x * (6 * x - 15));
}

template <typename T>
T ClampToUnit(const T& x) {
  if (x < 0) return T(0);
  if (x > 1) return T(1);
  return x;
}

}  // namespace internal

/** Computes the factors.
@param length of the actuator, [m] or [rad]. @param rate its rate of change. */
template <typename T>
MuscleFactors<T> CalcMuscleFactors(const MuscleProperties& muscle,
                                   const T& length, const T& rate) {
  const Vector2<double>& ends = muscle.operating_range;
  const double unit =
      (muscle.length_range[1] - muscle.length_range[0]) / (ends[1] - ends[0]);
  const T L = ends[0] + (length - muscle.length_range[0]) / unit;
  const T V = rate / (unit * muscle.max_velocity);
  return {.active = internal::CalcMuscleForceOfLength(L, muscle.min_length,
                                                      muscle.max_length) *
                    internal::CalcMuscleForceOfVelocity(
                        V, muscle.max_lengthening_force),
          .passive = internal::CalcMusclePassiveForce(
              L, muscle.max_length, muscle.max_passive_force)};
}

/** Returns u within its ranges. */
template <typename T>
T CalcExcitation(const MuscleProperties& muscle, const T& control) {
  const Vector2<double>& range = muscle.control_range;
  if (control < range[0]) return internal::ClampToUnit(T(range[0]));
  if (control > range[1]) return internal::ClampToUnit(T(range[1]));
  return internal::ClampToUnit(control);
}

/** Returns tau, [s]: a rise takes longer if more is active, a fall takes less.
@param excitation of CalcExcitation(). */
template <typename T>
T CalcActivationTime(const MuscleProperties& muscle, const T& excitation,
                     const T& activation) {
  const T slowness = 0.5 + 1.5 * internal::ClampToUnit(activation);
  const T rising = muscle.activation_time * slowness;
  const T falling = muscle.deactivation_time / slowness;
  const T excess = excitation - activation;
  if (muscle.smoothing < 1e-15) return excess > 0 ? rising : falling;
  return falling + (rising - falling) * internal::CalcSmoothStep(
                                            T(excess / muscle.smoothing + 0.5));
}

/** Returns what is wrong with the numbers, as "NAME is VALUE; give FIX."; empty
if nothing is. */
inline std::string FindMuscleFault(const MuscleProperties& muscle) {
  std::string fault;
  const auto require = [&fault](bool is_met, const char* name, double value,
                                const char* fix) {
    if (is_met || !fault.empty()) return;
    fault = fmt::format("{} is {}; give {}.", name, value, fix);
  };
  const auto require_range = [&fault](const char* name,
                                      const Vector2<double>& range) {
    // The squares of greater numbers would be lost.
    if (range[0] < range[1] && range.cwiseAbs().maxCoeff() <= 1e100) return;
    if (!fault.empty()) return;
    fault = fmt::format(
        "{} is {} {}; give the lower and then the upper number, of magnitudes "
        "up to 1e100.",
        name, range[0], range[1]);
  };
  const auto is_positive = [](double x) { return x >= 1e-100 && x <= 1e100; };
  const char* const positive = "a positive number up to 1e100";
  require_range("length_range", muscle.length_range);
  require_range("operating_range", muscle.operating_range);
  require_range("control_range", muscle.control_range);
  require(muscle.peak_force <= 1e100, "peak_force", muscle.peak_force,
          "a number up to 1e100");
  require(is_positive(muscle.force_scale), "force_scale", muscle.force_scale,
          positive);
  require(muscle.min_length >= 0 && muscle.min_length < 1, "min_length",
          muscle.min_length, "a number from 0 to below 1");
  require(muscle.max_length > 1 && muscle.max_length <= 1e100, "max_length",
          muscle.max_length, "a number above 1");
  require(is_positive(muscle.max_velocity), "max_velocity", muscle.max_velocity,
          positive);
  require(muscle.max_passive_force >= 0 && muscle.max_passive_force <= 1e100,
          "max_passive_force", muscle.max_passive_force,
          "a number that is not negative");
  require(muscle.max_lengthening_force >= 1 &&
              muscle.max_lengthening_force <= 1e100,
          "max_lengthening_force", muscle.max_lengthening_force,
          "a number that is at least 1");
  require(is_positive(muscle.activation_time), "activation_time",
          muscle.activation_time, positive);
  require(is_positive(muscle.deactivation_time), "deactivation_time",
          muscle.deactivation_time, positive);
  require(muscle.smoothing >= 0 && muscle.smoothing <= 1e100, "smoothing",
          muscle.smoothing, "a number that is not negative");
  require(is_positive(std::abs(muscle.gear)), "gear", muscle.gear,
          "a number that is not 0");
  return fault;
}

}  // namespace wyvern::multibody
