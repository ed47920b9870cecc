#pragma once

#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {

/** @file
C code, which is C++ too, that computes expressions and needs math.h alone. What
occurs more than once is computed once, in a constant t0, t1, ...; a divisor of
several quotients is divided by once, which rounds once more and needs it above
1e-308. The same expressions give the same text.

Each throws std::logic_error if a name is no identifier of C or a parameter is
there twice; std::runtime_error if a variable is no parameter, or for an
uninterpreted function. A value that does not exist is NaN or infinite: nothing
is thrown by the code. */

/** A function of an array of numbers:
@code
double f(const double* p);
// The number of parameters: f_meta().p.size, as in
typedef struct {struct {int size;} p;} f_meta_t;
f_meta_t f_meta();
@endcode */
std::string CodeGen(const std::string& function_name,
                    const std::vector<Variable>& parameters,
                    const Expression& e);

/** Generates a function that writes a matrix column by column; f_meta().m.rows
and .cols are its shape:
@code
void f(const double* p, double* m);
@endcode */
std::string CodeGen(const std::string& function_name,
                    const std::vector<Variable>& parameters,
                    const Eigen::Ref<const MatrixX<Expression>>& M);

/** Generates a function that writes a matrix in compressed columns: its entries
and their indices. f_meta().m has rows, cols, non_zeros, outer_indices (their
number) and inner_indices:
@code
void f(const double* p, int* outer_indices, int* inner_indices,
       double* values);
@endcode */
std::string CodeGen(
    const std::string& function_name, const std::vector<Variable>& parameters,
    const Eigen::Ref<const Eigen::SparseMatrix<Expression, Eigen::ColMajor>>&
        M);

/** C texts of expressions, each in one piece without constants of its own, in
p[0], p[1], ...: to be put into a program's own code.
@code
const Variable x("x"), y("y");
CodeGenVisitor({x, y}).CodeGen(x * sin(y));  // "(p[0] * sin(p[1]))"
@endcode */
class CodeGenVisitor {
 public:
  /** Takes the variables: number i is p[i] in the text. */
  explicit CodeGenVisitor(const std::vector<Variable>& parameters)
      : parameters_(parameters) {}
  /** Returns the C text of an expression.
  @throws as the functions above; std::runtime_error of an expression whose
  text, in which repeated parts are repeated, takes above 16 MB to write. */
  std::string CodeGen(const Expression& e) const;

 private:
  std::vector<Variable> parameters_;
};

namespace internal {

/** A function of several arrays, into several: void name(const double* in_0,
..., double* out_0, ...). */
struct GeneratedFunction {
  struct Input {
    std::string name;
    std::vector<Variable> variables;
  };
  struct Output {
    std::string name;
    /** By columns. */
    std::vector<Expression> entries;
  };
  std::string name;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

/** Its declaration, without a semicolon. */
std::string DeclareFunction(const GeneratedFunction& function);
/** Its definition. @throws as CodeGen() */
std::string DefineFunction(const GeneratedFunction& function);

}  // namespace internal
}  // namespace wyvern::symbolic
