#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = a sin(w t + p), with its first two derivatives, element by element.

If time based, t is the time of the Context (s), w is in rad/s and there is no
input; otherwise t is input port u0 (vector of `size`) element by element, and
all outputs are direct feedthrough. Output ports, vectors of `size`:
- y0 = a sin(w t + p)
- y1 = a w cos(w t + p)
- y2 = -a w^2 sin(w t + p) */
template <typename T>
class Sine final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Sine);

  /** Makes one sine for each of `size` elements.
  @throws std::logic_error if a number is not finite or size is negative. */
  Sine(double amplitude, double frequency, double phase, int size,
       bool is_time_based = true);

  /** One amplitude, frequency (rad/s) and phase (rad) per element.
  @throws std::logic_error if the sizes differ or an entry is not finite. */
  Sine(const Eigen::VectorXd& amplitudes, const Eigen::VectorXd& frequencies,
       const Eigen::VectorXd& phases, bool is_time_based = true);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Sine(const Sine<U>& other)
      : Sine(other.amplitude_vector(), other.frequency_vector(),
             other.phase_vector(), other.is_time_based()) {}

  /** The one value that every element has.
  @throws std::logic_error if elements differ; use the vector then. */
  double amplitude() const;
  /** The frequency, likewise [rad/s]. */
  double frequency() const;
  /** The phase, likewise [rad]. */
  double phase() const;

  /** True if t is the time of the Context. */
  bool is_time_based() const { return is_time_based_; }

  /** The amplitude of each element. */
  const Eigen::VectorXd& amplitude_vector() const { return amplitude_; }
  /** The frequency of each element [rad/s]. */
  const Eigen::VectorXd& frequency_vector() const { return frequency_; }
  /** The phase of each element [rad]. */
  const Eigen::VectorXd& phase_vector() const { return phase_; }

 private:
  void CalcValue(const Context<T>& context, BasicVector<T>* y) const;
  void CalcFirstDerivative(const Context<T>& context, BasicVector<T>* y) const;
  void CalcSecondDerivative(const Context<T>& context, BasicVector<T>* y) const;

  // Sets y[i] = f(a, w, w t + p) for each element i.
  template <typename Function>
  void Fill(const Context<T>& context, Function f, BasicVector<T>* y) const;

  const Eigen::VectorXd amplitude_;
  const Eigen::VectorXd frequency_;
  const Eigen::VectorXd phase_;
  const bool is_time_based_;
};

}  // namespace wyvern::systems
