#pragma once

#include <memory>
#include <utility>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Functions of one number. Where a function jumps, its derivative is that of
the piece to which the value belongs: 0 for kSign, kNot and those that round. */
enum class UnaryFunction {
  kAbs,
  kSign,  ///< -1, 0 or 1
  kSquare,
  kSqrt,
  kSignedSqrt,  ///< sign(u) sqrt(|u|)
  kReciprocal,
  kExp,
  kLog,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kFloor,
  kCeil,
  kRound,     ///< Halves go away from zero.
  kTruncate,  ///< Towards zero.
  kNot,       ///< 1 if u is 0, else 0
};

/** y = f(u), element by element.

Input port `u`, output port `y`, direct feedthrough. A value for which f is not
defined, such as a negative one of kSqrt, throws std::runtime_error with the
port, the element and the time. */
template <typename T>
class ElementwiseFunction final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ElementwiseFunction);

  /** Applies a function of one number to each of `size` elements.
  @throws std::logic_error if `size` is below 1. */
  explicit ElementwiseFunction(UnaryFunction function, int size = 1);

  /** y = 0 for u from `low` to `high`, else u less the nearer limit.
  @throws std::logic_error unless low <= high and both are finite. */
  static std::unique_ptr<ElementwiseFunction<T>> DeadZone(double low,
                                                          double high,
                                                          int size = 1);
  /** y = step round(u / step).
  @throws std::logic_error unless `step` is positive and finite. */
  static std::unique_ptr<ElementwiseFunction<T>> Quantizer(double step,
                                                           int size = 1);
  /** Friction: y = viscous u + coulomb sign(u), the unit of `coulomb` is that
  of y, the unit of `viscous` that of y / u.
  @throws std::logic_error unless both are 0 or more and finite. */
  static std::unique_ptr<ElementwiseFunction<T>> CoulombAndViscous(
      double coulomb, double viscous, int size = 1);

  /** Kinds of functions, by the constructor or function that makes them. */
  enum class Kind { kUnary, kDeadZone, kQuantizer, kCoulombAndViscous };

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ElementwiseFunction(const ElementwiseFunction<U>& other)
      : ElementwiseFunction(static_cast<Kind>(other.kind_), other.function_,
                            other.a_, other.b_,
                            other.get_input_port(0).size()) {}

  /** The kind of function. */
  Kind kind() const { return kind_; }
  /** The function of kUnary. */
  UnaryFunction function() const { return function_; }
  /** The dead zone's limits, the step and 0, or the friction's coefficients
  `coulomb` and `viscous`. */
  std::pair<double, double> coefficients() const { return {a_, b_}; }

 private:
  template <typename U>
  friend class ElementwiseFunction;

  ElementwiseFunction(Kind kind, UnaryFunction function, double a, double b,
                      int size);
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  T Calc(const T& u) const;

  const Kind kind_;
  const UnaryFunction function_;
  // The dead zone's limits; the step; the coefficients of friction.
  const double a_;
  const double b_;
};

}  // namespace wyvern::systems
