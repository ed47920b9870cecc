#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = k .* u : multiplies each element of the input by a constant, or, after
MakeTunable(), by a parameter.

Input port u0 and output port y0 (vectors of the size of k), direct
feedthrough. */
template <typename T>
class Gain final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Gain);

  /** Multiplies each of `size` elements by `k`.
  @throws std::logic_error if k is not finite or size is negative. */
  Gain(double k, int size);

  /** One gain per element.
  @throws std::logic_error if an entry of `k` is not finite. */
  explicit Gain(const Eigen::VectorXd& k);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Gain(const Gain<U>& other) : Gain(other.get_gain_vector()) {
    if (other.is_tunable()) MakeTunable();
  }

  /** Makes the gain a numeric parameter with index 0, which each Context has
  for itself. Its initial value is get_gain_vector().
  @throws std::logic_error the second time, or if a Context exists. */
  void MakeTunable();
  /** True after MakeTunable(). */
  bool is_tunable() const { return is_tunable_; }

  /** The gain, if it is the same for every element.
  @throws std::logic_error if it is not, or if the size is 0. */
  double get_gain() const;

  /** The gain of each element that was given to the constructor. */
  const Eigen::VectorXd& get_gain_vector() const { return k_; }

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const Eigen::VectorXd k_;
  bool is_tunable_{false};
};

}  // namespace wyvern::systems
