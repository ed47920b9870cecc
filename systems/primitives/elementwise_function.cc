#include "wyvern/systems/primitives/elementwise_function.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/primitives/overflow_check.h"

/* A block is one of four kinds: a function of the enum, or one of the three
with coefficients a and b, a dead zone, a quantizer or friction. Functions
with flat pieces are computed from the value alone, so that their derivatives
are zero. Values outside the domain become NaN or infinity, and are refused
behind the loop over the elements. */

namespace wyvern::systems {

namespace {

template <typename T>
T SignOf(const T& u) {
  if (u == 0) return T(0);
  return u > 0 ? T(1) : (u < 0 ? T(-1) : u);  // A NaN stays one.
}

// A function with flat pieces, of the value alone.
template <typename T>
T Flat(double (*f)(double), const T& u) {
  return T(f(ToDouble(u)));
}

template <typename T>
T CalcUnary(UnaryFunction function, const T& u) {
  using std::abs, std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan,
      std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh;
  switch (function) {
    case UnaryFunction::kAbs:
      return abs(u);
    case UnaryFunction::kSign:
      return SignOf(u);
    case UnaryFunction::kSquare:
      return u * u;
    case UnaryFunction::kSqrt:
      return sqrt(u);
    case UnaryFunction::kSignedSqrt:
      return u < 0 ? T(-sqrt(-u)) : T(sqrt(u));
    case UnaryFunction::kReciprocal:
      return 1.0 / u;
    case UnaryFunction::kExp:
      return exp(u);
    case UnaryFunction::kLog:
      return log(u);
    case UnaryFunction::kSin:
      return sin(u);
    case UnaryFunction::kCos:
      return cos(u);
    case UnaryFunction::kTan:
      return tan(u);
    case UnaryFunction::kAsin:
      return asin(u);
    case UnaryFunction::kAcos:
      return acos(u);
    case UnaryFunction::kAtan:
      return atan(u);
    case UnaryFunction::kSinh:
      return sinh(u);
    case UnaryFunction::kCosh:
      return cosh(u);
    case UnaryFunction::kTanh:
      return tanh(u);
    case UnaryFunction::kFloor:
      return Flat(&std::floor, u);
    case UnaryFunction::kCeil:
      return Flat(&std::ceil, u);
    case UnaryFunction::kRound:
      return Flat(&std::round, u);
    case UnaryFunction::kTruncate:
      return Flat(&std::trunc, u);
    case UnaryFunction::kNot:
      return T(u == 0 ? 1 : 0);
  }
  return u;
}

}  // namespace

template <typename T>
ElementwiseFunction<T>::ElementwiseFunction(UnaryFunction function, int size)
    : ElementwiseFunction(Kind::kUnary, function, 0, 0, size) {}

template <typename T>
ElementwiseFunction<T>::ElementwiseFunction(Kind kind, UnaryFunction function,
                                            double a, double b, int size)
    : LeafSystem<T>(SystemTypeTag<ElementwiseFunction>{}),
      kind_(kind),
      function_(function),
      a_(a),
      b_(b) {
  wyvern::internal::RequireAtLeast("ElementwiseFunction", "size", size, 1);
  this->DeclareVectorInputPort("u", size);
  this->DeclareVectorOutputPort("y", size, &ElementwiseFunction<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
std::unique_ptr<ElementwiseFunction<T>> ElementwiseFunction<T>::DeadZone(
    double low, double high, int size) {
  wyvern::internal::RequireFinite("ElementwiseFunction::DeadZone", "low", low);
  wyvern::internal::RequireFinite("ElementwiseFunction::DeadZone", "high",
                                  high);
  if (low > high) {
    throw std::logic_error(
        fmt::format("ElementwiseFunction::DeadZone(): low = {} is above high = "
                    "{}; give low <= high.",
                    low, high));
  }
  return std::unique_ptr<ElementwiseFunction<T>>(new ElementwiseFunction<T>(
      Kind::kDeadZone, UnaryFunction::kAbs, low, high, size));
}

template <typename T>
std::unique_ptr<ElementwiseFunction<T>> ElementwiseFunction<T>::Quantizer(
    double step, int size) {
  wyvern::internal::RequirePositive("ElementwiseFunction::Quantizer", "step",
                                    step);
  return std::unique_ptr<ElementwiseFunction<T>>(new ElementwiseFunction<T>(
      Kind::kQuantizer, UnaryFunction::kAbs, step, 0, size));
}

template <typename T>
std::unique_ptr<ElementwiseFunction<T>>
ElementwiseFunction<T>::CoulombAndViscous(double coulomb, double viscous,
                                          int size) {
  const char* const who = "ElementwiseFunction::CoulombAndViscous";
  wyvern::internal::RequireNonNegative(who, "coulomb", coulomb);
  wyvern::internal::RequireNonNegative(who, "viscous", viscous);
  return std::unique_ptr<ElementwiseFunction<T>>(new ElementwiseFunction<T>(
      Kind::kCoulombAndViscous, UnaryFunction::kAbs, coulomb, viscous, size));
}

template <typename T>
T ElementwiseFunction<T>::Calc(const T& u) const {
  switch (kind_) {
    case Kind::kUnary:
      return CalcUnary(function_, u);
    case Kind::kDeadZone:
      if (u >= a_ && u <= b_) return T(0);
      return u > b_ ? T(u - b_) : T(u - a_);
    case Kind::kQuantizer:
      return T(a_ * std::round(ToDouble(u) / a_));
    case Kind::kCoulombAndViscous:
      return b_ * u + a_ * SignOf(u);
  }
  return u;
}

template <typename T>
void ElementwiseFunction<T>::CalcOutput(const Context<T>& context,
                                        BasicVector<T>* y) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  for (int i = 0; i < u.size(); ++i) (*y)[i] = Calc(u[i]);
  internal::RequireNoOverflow(*this, context, *y);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ElementwiseFunction);
