// Affine and linear systems that are given by their equations.

#include <memory>
#include <stdexcept>

#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/symbolic/algebra/decompose.h"

namespace wyvern::systems {

using symbolic::Expression;
using symbolic::Variable;

namespace {

using ExpressionVector = Eigen::Ref<const VectorX<Expression>>;
using VariableVector = Eigen::Ref<const VectorX<Variable>>;

// Splits f = A x + B u + f0 into A, B and f0.
void TakeApart(const ExpressionVector& f, const VariableVector& x,
               const VariableVector& u, Eigen::MatrixXd* A, Eigen::MatrixXd* B,
               Eigen::VectorXd* f0) {
  VectorX<Variable> xu(x.size() + u.size());
  xu << x, u;
  Eigen::MatrixXd AB(f.size(), xu.size());
  f0->resize(f.size());
  symbolic::DecomposeAffineExpressions(f, xu, &AB, f0);
  *A = AB.leftCols(x.size());
  *B = AB.rightCols(u.size());
}

internal::AffineCoefficients CoefficientsOf(const ExpressionVector& dynamics,
                                            const ExpressionVector& output,
                                            const VariableVector& x,
                                            const VariableVector& u) {
  internal::AffineCoefficients result;
  TakeApart(dynamics, x, u, &result.A, &result.B, &result.f0);
  TakeApart(output, x, u, &result.C, &result.D, &result.y0);
  return result;
}

}  // namespace

template <typename T>
std::unique_ptr<AffineSystem<T>> AffineSystem<T>::MakeAffineSystem(
    const ExpressionVector& dynamics, const ExpressionVector& output,
    const VariableVector& state_vars, const VariableVector& input_vars,
    double time_period) {
  const auto c = CoefficientsOf(dynamics, output, state_vars, input_vars);
  return std::make_unique<AffineSystem<T>>(c.A, c.B, c.f0, c.C, c.D, c.y0,
                                           time_period);
}

template <typename T>
std::unique_ptr<LinearSystem<T>> LinearSystem<T>::MakeLinearSystem(
    const ExpressionVector& dynamics, const ExpressionVector& output,
    const VariableVector& state_vars, const VariableVector& input_vars,
    double time_period) {
  const auto c = CoefficientsOf(dynamics, output, state_vars, input_vars);
  if (!c.f0.isZero(0) || !c.y0.isZero(0)) {
    throw std::runtime_error(
        "LinearSystem::MakeLinearSystem(): the dynamics or the output have "
        "constants; a linear system has none. AffineSystem::MakeAffineSystem() "
        "takes them.");
  }
  return std::make_unique<LinearSystem<T>>(c.A, c.B, c.C, c.D, time_period);
}

#define WYVERN_MAKE_FROM_EXPRESSIONS(T)                                        \
  template std::unique_ptr<AffineSystem<T>> AffineSystem<T>::MakeAffineSystem( \
      const ExpressionVector&, const ExpressionVector&, const VariableVector&, \
      const VariableVector&, double);                                          \
  template std::unique_ptr<LinearSystem<T>> LinearSystem<T>::MakeLinearSystem( \
      const ExpressionVector&, const ExpressionVector&, const VariableVector&, \
      const VariableVector&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_MAKE_FROM_EXPRESSIONS)
WYVERN_MAKE_FROM_EXPRESSIONS(Expression)
#undef WYVERN_MAKE_FROM_EXPRESSIONS

}  // namespace wyvern::systems
