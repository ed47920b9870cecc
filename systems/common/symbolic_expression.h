#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/symbolic_variable.h"

namespace wyvern::symbolic {

namespace internal {
struct Cell;
}  // namespace internal

/** A formula in variables, to say how a random quantity is distributed:
@code
const Expression u(Variable("u", Variable::Type::RANDOM_UNIFORM));
joint.set_random_angle_distribution(0.3 * u - 0.1);
@endcode
It can be built from numbers and variables by arithmetic and elementary
functions, be put into Eigen's vectors, and be evaluated. It knows no algebra
(constants alone are folded), no derivatives and no comparisons, and no System
is made on it. Copies share their parts; they never change. */
class Expression {
 public:
  /** The constant 0. */
  Expression();
  /** A constant. @throws std::runtime_error if it is NaN. */
  Expression(double value);              // NOLINT(runtime/explicit)
  Expression(const Variable& variable);  // NOLINT(runtime/explicit)

  /** Its value, with those of its variables from `environment`; the random ones
  that are not there are drawn, each once.
  @throws std::runtime_error if a variable has no value, or the result is not a
  number. @throws std::logic_error if there is something to draw and no
  generator. */
  double Evaluate(const Environment& environment = {},
                  RandomGenerator* generator = nullptr) const;
  double Evaluate(RandomGenerator* generator) const {
    return Evaluate({}, generator);
  }

  /** Draws the random variables in it that have no value yet. */
  void Draw(RandomGenerator* generator, Environment* environment) const;

  std::string to_string() const;

  Expression& operator+=(const Expression& b);
  Expression& operator-=(const Expression& b);
  Expression& operator*=(const Expression& b);
  Expression& operator/=(const Expression& b);

 private:
  friend struct internal::Cell;
  explicit Expression(std::shared_ptr<const internal::Cell> cell);

  std::shared_ptr<const internal::Cell> cell_;
};

}  // namespace wyvern::symbolic

namespace Eigen {

template <>
struct NumTraits<wyvern::symbolic::Expression>
    : GenericNumTraits<wyvern::symbolic::Expression> {
  using Real = wyvern::symbolic::Expression;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 20,
    MulCost = 20
  };
};

template <typename BinaryOp>
struct ScalarBinaryOpTraits<wyvern::symbolic::Expression, double, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};
template <typename BinaryOp>
struct ScalarBinaryOpTraits<double, wyvern::symbolic::Expression, BinaryOp> {
  using ReturnType = wyvern::symbolic::Expression;
};

}  // namespace Eigen

namespace wyvern::symbolic {

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
inline Expression operator+(const Expression& a) { return a; }

Expression sin(const Expression& a);
Expression cos(const Expression& a);
Expression tan(const Expression& a);
Expression asin(const Expression& a);
Expression acos(const Expression& a);
Expression atan(const Expression& a);
Expression sinh(const Expression& a);
Expression cosh(const Expression& a);
Expression tanh(const Expression& a);
Expression exp(const Expression& a);
Expression log(const Expression& a);
Expression sqrt(const Expression& a);
Expression abs(const Expression& a);
Expression floor(const Expression& a);
Expression ceil(const Expression& a);
Expression atan2(const Expression& a, const Expression& b);
Expression pow(const Expression& a, const Expression& b);
Expression min(const Expression& a, const Expression& b);
Expression max(const Expression& a, const Expression& b);

std::ostream& operator<<(std::ostream& out, const Expression& a);
std::ostream& operator<<(std::ostream& out, const Variable& a);

/** The values of a whole matrix: a random variable that occurs in several
entries has the same value in all. Throws as Expression::Evaluate(). */
Eigen::MatrixXd Evaluate(const Eigen::Ref<const MatrixX<Expression>>& m,
                         Environment environment = {},
                         RandomGenerator* generator = nullptr);

}  // namespace wyvern::symbolic
