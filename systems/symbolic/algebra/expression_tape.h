#pragma once

#include <cstdint>
#include <vector>

#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {

/** Expressions as a list of steps on registers, for values at many points: as
those of Expression::Evaluate(), with nothing looked up and nothing allocated.
@code
const Variable x("x"), y("y");
const ExpressionTape tape(Vector2<Variable>(x, y),
                          Vector1<Expression>(pow(x, 2) + y));
Eigen::VectorXd registers = tape.MakeRegisters();
registers.head(2) << 0.5, 2;   // x, y
tape.Run(&registers);
registers[tape.result(0)];     // 2.25
@endcode
A value that there is not, as of 1 / 0 or log(-1), is NaN, and so is what is
made of it, but for branches that are not taken: Expression::Evaluate() says
why. */
class ExpressionTape {
 public:
  ExpressionTape() = default;
  /** Compiles the expressions into a list of operations on `variables`.
  @throws std::logic_error if an expression has a variable that is not in
  `variables`, or an uninterpreted function. */
  ExpressionTape(const VectorX<Variable>& variables,
                 const VectorX<Expression>& expressions);

  /** Returns how many variables there are: registers 0, 1, ... */
  int num_variables() const { return num_variables_; }
  /** Returns how many expressions there are. */
  int num_results() const { return static_cast<int>(results_.size()); }
  /** Returns how many operations one Run() takes. */
  int num_steps() const { return static_cast<int>(steps_.size()); }
  /** Registers with room for the variables' values, which come first. */
  Eigen::VectorXd MakeRegisters() const;
  /** Computes the others. */
  void Run(Eigen::VectorXd* registers) const;
  /** The register with expression i. */
  int result(int i) const { return results_[i]; }

 private:
  class Writer;

  enum class Op : std::uint8_t {
    kAdd,
    kMultiply,
    kDivide,
    kPower,
    kFunction,
    kFunctionOfTwo,
    kCompare,
    kIsTrue,
    kIsNan,
    kNot,
    kAnd,
    kOr,
    kSelect
  };
  struct Step {
    Op op;
    std::uint8_t kind;  // Of a function or comparison.
    int a;
    int b;
    int c;
    int to;
  };

  int num_variables_{0};
  std::vector<Step> steps_;
  // Constants, at their registers; zero elsewhere.
  std::vector<double> initial_;
  std::vector<int> results_;
};

}  // namespace wyvern::symbolic
