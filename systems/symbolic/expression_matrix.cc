#include "wyvern/systems/symbolic/expression_matrix.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/cell_private.h"
#include "wyvern/systems/symbolic/matrix_relations.h"

namespace wyvern::symbolic {
namespace internal {

std::vector<Ref> EntriesOf(const Eigen::Ref<const MatrixX<Expression>>& m) {
  std::vector<Ref> refs;
  refs.reserve(m.size());
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) refs.push_back(m(i, j).ref());
  }
  return refs;
}

MatrixX<Expression> MakeMatrix(const std::vector<Ref>& entries,
                               Eigen::Index rows, Eigen::Index cols) {
  MatrixX<Expression> m(rows, cols);
  for (int i = 0; i < m.size(); ++i) m.data()[i] = Expression(entries[i]);
  return m;
}

}  // namespace internal

using internal::EntriesOf;
using internal::Ref;

Eigen::MatrixXd Evaluate(const Eigen::Ref<const MatrixX<Expression>>& m,
                         const Environment& environment,
                         RandomGenerator* generator) {
  const std::vector<Ref> entries = EntriesOf(m);
  Eigen::MatrixXd values(m.rows(), m.cols());
  bool is_random = false;
  for (const Ref& entry : entries) {
    is_random = is_random || internal::IsRandom(entry);
  }
  if (is_random) {
    internal::EvaluateRefs(
        entries,
        PopulateRandomVariables(environment, internal::VariablesIn(entries),
                                generator),
        values.data());
  } else {
    internal::EvaluateRefs(entries, environment, values.data());
  }
  return values;
}

MatrixX<Expression> Substitute(const Eigen::Ref<const MatrixX<Expression>>& m,
                               const Substitution& substitution) {
  return internal::MakeMatrix(
      internal::SubstituteRefs(EntriesOf(m), substitution), m.rows(), m.cols());
}
MatrixX<Expression> Substitute(const Eigen::Ref<const MatrixX<Expression>>& m,
                               const Variable& variable, const Expression& e) {
  return Substitute(m, Substitution{{variable, e}});
}

MatrixX<Expression> Jacobian(
    const Eigen::Ref<const VectorX<Expression>>& f,
    const Eigen::Ref<const VectorX<Variable>>& variables) {
  const std::vector<Ref> entries = EntriesOf(f);
  MatrixX<Expression> result(f.size(), variables.size());
  for (int j = 0; j < variables.size(); ++j) {
    const std::vector<Ref> column =
        internal::DifferentiateRefs(entries, variables[j]);
    for (int i = 0; i < f.size(); ++i) result(i, j) = Expression(column[i]);
  }
  return result;
}
MatrixX<Expression> Jacobian(const Eigen::Ref<const VectorX<Expression>>& f,
                             const std::vector<Variable>& variables) {
  return Jacobian(
      f, Eigen::Map<const VectorX<Variable>>(
             variables.data(), static_cast<Eigen::Index>(variables.size())));
}

Variables GetDistinctVariables(const Eigen::Ref<const MatrixX<Expression>>& m) {
  return internal::VariablesIn(EntriesOf(m));
}

VectorX<Variable> GetVariableVector(
    const Eigen::Ref<const VectorX<Expression>>& expressions) {
  const Variables variables = GetDistinctVariables(expressions);
  VectorX<Variable> result(static_cast<Eigen::Index>(variables.size()));
  int i = 0;
  for (const Variable& v : variables) result[i++] = v;
  return result;
}

bool CheckStructuralEquality(const Eigen::Ref<const MatrixX<Expression>>& a,
                             const Eigen::Ref<const MatrixX<Expression>>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (int j = 0; j < a.cols(); ++j) {
    for (int i = 0; i < a.rows(); ++i) {
      if (!a(i, j).EqualTo(b(i, j))) return false;
    }
  }
  return true;
}

void internal::RequireSameSize(Eigen::Index rows_a, Eigen::Index cols_a,
                               Eigen::Index rows_b, Eigen::Index cols_b) {
  if (rows_a == rows_b && cols_a == cols_b) return;
  throw std::logic_error(fmt::format(
      "symbolic: a relation has a left side of {} x {} and a right side of {} "
      "x {}; give two sides of one size.",
      rows_a, cols_a, rows_b, cols_b));
}

}  // namespace wyvern::symbolic
