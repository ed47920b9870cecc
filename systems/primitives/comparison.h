#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Relation of a to b. */
enum class Relation {
  kLess,
  kLessOrEqual,
  kEqual,
  kNotEqual,
  kGreaterOrEqual,
  kGreater,
};

/** y = 1 where the relation of a to b holds, else 0, element by element. For a
NaN, only kNotEqual holds.

Input ports `a` and `b`, or `a` alone if b is a constant; output port `y`,
direct feedthrough. An integrator's step may pass over the moment at which y
jumps; if that moment matters, use a Relay. */
template <typename T>
class Comparison final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Comparison);

  /** Compares two inputs. @throws std::logic_error if `size < 1`. */
  explicit Comparison(Relation relation, int size = 1);
  /** Compares the input `a` with a constant for each element.
  @throws std::logic_error if `b` is empty or has a NaN. */
  Comparison(Relation relation, const Eigen::VectorXd& b);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Comparison(const Comparison<U>& other)
      : Comparison(other.relation_, other.get_input_port(0).size(), other.b_) {}

  /** The relation that is tested. */
  Relation relation() const { return relation_; }
  /** The constants; empty if b is an input. */
  const Eigen::VectorXd& b() const { return b_; }

 private:
  template <typename U>
  friend class Comparison;

  Comparison(Relation relation, int size, const Eigen::VectorXd& b);
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const Relation relation_;
  const Eigen::VectorXd b_;  // Empty: there is a port.
};

}  // namespace wyvern::systems
