#pragma once

/** @file
How expressions and formulas are stored. A Ref is a number, or a number times a
cell; a cell is one operation on Refs and never changes once two hold it.

| cell | of | as |
|---|---|---|
| VariableCell | a variable | id, name |
| OperationCell | functions, quotients, powers, comparisons, not | a, b |
| SumCell | constant + sum of terms | terms by CompareUnscaled(), no two alike |
| ProductCell | product of bases to integer powers | the same of bases |
| ListCell | if-then-else, uninterpreted, and, or, forall, ... | items |

Each knows a hash of what it is (of a sum: whatever the order it was built in),
its size as a tree (shared parts counted as often as they occur; it stops at
kLargestSize), and whether it is a polynomial and expanded. */

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/symbolic/expression.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic::internal {

inline constexpr std::uint32_t kLargestSize = 1u << 30;

/** ExpressionKind, and FormulaKind from 64 on. */
using Kind = std::uint8_t;
constexpr Kind KindOf(ExpressionKind kind) { return static_cast<Kind>(kind); }
constexpr Kind KindOf(FormulaKind kind) {
  return static_cast<Kind>(64 + static_cast<int>(kind));
}

struct Cell : CountedCell {
  explicit Cell(Kind k) : kind(k) {}

  ExpressionKind expression_kind() const {
    return static_cast<ExpressionKind>(kind);
  }
  bool is_formula() const { return kind >= 64; }
  FormulaKind formula_kind() const {
    return static_cast<FormulaKind>(kind - 64);
  }
  bool Is(ExpressionKind k) const { return kind == KindOf(k); }
  bool Is(FormulaKind k) const { return kind == KindOf(k); }

  Kind kind;
  bool is_polynomial{false};
  bool is_expanded{false};
  bool is_random{false};  // Whether a random variable may be in it.
  std::uint32_t size{1};
  std::uint64_t hash{0};
};

struct VariableCell : Cell {
  VariableCell(Kind k, Variable::Id id_in, std::string name_in)
      : Cell(k), id(id_in), name(std::move(name_in)) {}
  Variable::Id id;
  std::string name;
};

struct OperationCell : Cell {
  OperationCell(Kind k, Ref a_in, Ref b_in)
      : Cell(k), a(std::move(a_in)), b(std::move(b_in)) {}
  Ref a;
  Ref b;  // Unary operations have the number 0 here.
};

/** Terms of a sum: each a cell and its coefficient. */
struct SumCell : Cell {
  SumCell() : Cell(KindOf(ExpressionKind::Add)) {}
  double constant{0};
  std::vector<Ref> terms;
  // Summary of the terms: the sum of their hashes, and how many are not
  // polynomials, or not expanded.
  std::uint64_t hashes{0};
  int others{0};
  int unexpanded{0};
};

/** Factors of a product. */
struct ProductCell : Cell {
  struct Factor {
    Ref base;
    double exponent;
  };
  ProductCell() : Cell(KindOf(ExpressionKind::Mul)) {}
  std::vector<Factor> factors;
};

struct ListCell : Cell {
  ListCell(Kind k, std::vector<Ref> items_in)
      : Cell(k), items(std::move(items_in)) {}
  // Operands of && and || in the order in which they were written.
  std::vector<Ref> items;
  // Items in the order of Compare(); empty if `items` have that order.
  std::vector<Ref> sorted;
  const std::vector<Ref>& sorted_items() const {
    return sorted.empty() ? items : sorted;
  }
  std::string name;      // Of an uninterpreted function.
  Variables quantified;  // Of forall, and what it leaves free.
  Variables free;
  int depth{0};  // Of forall: how many are nested.
  int rows{0};   // Of a positive semidefinite matrix.
};

inline const VariableCell& AsVariable(const Cell& cell) {
  return static_cast<const VariableCell&>(cell);
}
inline const OperationCell& AsOperation(const Cell& cell) {
  return static_cast<const OperationCell&>(cell);
}
inline const SumCell& AsSum(const Cell& cell) {
  return static_cast<const SumCell&>(cell);
}
inline const ProductCell& AsProduct(const Cell& cell) {
  return static_cast<const ProductCell&>(cell);
}
inline const ListCell& AsList(const Cell& cell) {
  return static_cast<const ListCell&>(cell);
}

/** How a cell is stored. */
enum class Storage { kVariable, kOperation, kSum, kProduct, kList };
Storage StorageOf(const Cell& cell);

/** splitmix64's last step: each bit depends on each. */
inline std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
inline std::uint64_t HashOf(double x) {
  return Mix(std::bit_cast<std::uint64_t>(x + 0.0) + 0x9e3779b97f4a7c15u);
}
inline bool IsInteger(double x) {
  return std::trunc(x) == x && std::abs(x) < 1e9;
}

/** The kind, of a number or a scaled cell too. */
ExpressionKind KindOf(const Ref& ref);
inline bool Is(const Ref& ref, ExpressionKind kind) {
  return KindOf(ref) == kind;
}
std::uint64_t HashOf(const Ref& ref);
inline std::uint32_t SizeOf(const Ref& ref) {
  return ref.is_number() ? 1 : ref.cell()->size;
}
inline bool IsRandom(const Ref& ref) {
  return !ref.is_number() && ref.cell()->is_random;
}
bool IsPolynomial(const Ref& ref);
bool IsExpanded(const Ref& ref);

/** Calls f(const Ref&) for each operand, in order. */
template <typename F>
void ForEachOperand(const Cell& cell, const F& f) {
  switch (StorageOf(cell)) {
    case Storage::kVariable:
      return;
    case Storage::kOperation:
      f(AsOperation(cell).a);
      f(AsOperation(cell).b);
      return;
    case Storage::kSum:
      for (const Ref& term : AsSum(cell).terms) f(term);
      return;
    case Storage::kProduct:
      for (const auto& factor : AsProduct(cell).factors) f(factor.base);
      return;
    case Storage::kList:
      for (const Ref& item : AsList(cell).items) f(item);
      return;
  }
}

/** Returns the number of bases of any cell, taken as a product. */
inline int CountFactors(const Ref& ref) {
  return ref.cell()->Is(ExpressionKind::Mul)
             ? static_cast<int>(AsProduct(*ref.cell()).factors.size())
             : 1;
}

/** Less, equal or greater: -1, 0, 1. Of cells, their factors apart. */
int Compare(const Ref& a, const Ref& b);
int CompareUnscaled(const Ref& a, const Ref& b);
/** Returns whether Compare() would return 0, but sooner. */
bool AreEqual(const Ref& a, const Ref& b);

// Makers. All simplify as README.md says.
Ref MakeVariable(Variable::Id id, std::string name);
/** @throws std::runtime_error if it is NaN: `what` says of what. */
Ref MakeNumber(double number, const char* what);
Ref Scale(const Ref& a, double factor);
/** a + scale b */
Ref MakeSum(Ref a, const Ref& b, double scale = 1);
/** The sum of all, in n log n steps. */
Ref MakeSumOf(const std::vector<Ref>& terms);
Ref MakeProduct(Ref a, const Ref& b);
/** The product divided by its i-th base. */
Ref MakeProductLessOne(const ProductCell& product, std::size_t i);
Ref MakeQuotient(Ref a, const Ref& b);
Ref MakePower(const Ref& base, const Ref& exponent);
Ref MakeMinOrMax(ExpressionKind kind, const Ref& a, const Ref& b);
Ref MakeAtan2(const Ref& y, const Ref& x);
/** Makes a function of one argument. */
Ref MakeFunction(ExpressionKind kind, const Ref& a);
Ref MakeIfThenElse(const Ref& condition, const Ref& a, const Ref& b);
Ref MakeUninterpreted(std::string name, std::vector<Ref> arguments);
Ref MakeNaN();
Ref MakeTruth(bool value);
Ref MakeBooleanVariable(const Ref& variable);
Ref MakeComparison(FormulaKind kind, const Ref& a, const Ref& b);
Ref MakeConnective(FormulaKind kind, const std::vector<Ref>& operands);
Ref MakeNot(const Ref& a);
Ref MakeForall(const Variables& quantified, const Ref& a);
Ref MakeIsnan(const Ref& a);
Ref MakePositiveSemidefinite(int rows, std::vector<Ref> entries);
/** Terms of a power of a sum, or of a product of sums, that Expand() makes. */
inline constexpr double kMostTerms = 1e6;
Ref ExpandRef(const Ref& a);

/** The value of a function of one number, of two. NaN is not refused. */
double Compute(ExpressionKind kind, double a);
double Compute(ExpressionKind kind, double a, double b);
bool Compute(FormulaKind kind, double a, double b);
/** std::pow(); of small natural exponents by products, within a few roundings
of that. */
double Power(double x, double exponent);
/** Name of a function as it is printed; of a comparison, its sign. */
const char* NameOf(ExpressionKind kind);
const char* NameOf(FormulaKind kind);

/** Its text, ended by "..." past `longest` characters. */
std::string ToText(const Ref& ref, std::size_t longest);
/** As a message shows it: at most 200 characters. */
std::string ToShortText(const Ref& ref);

[[noreturn]] void ThrowNoNumber(const std::string& what);
[[noreturn]] void ThrowDivisionByZero(const std::string& what);

/** The variable of a variable's cell. */
inline Variable VariableIn(const Cell& cell) { return Variable(Ref(&cell)); }

/** Adds those of `roots` to `variables`; bound ones of forall are not free. */
Variables VariablesIn(const std::vector<Ref>& roots);
double EvaluateRef(const Ref& root, const Environment& environment);
/** Evaluates many expressions; common parts are evaluated once. */
void EvaluateRefs(const std::vector<Ref>& roots, const Environment& environment,
                  double* values);
std::vector<Ref> SubstituteRefs(const std::vector<Ref>& roots,
                                const Substitution& substitution);
/** An argument of a sine, cosine or tangent, rewritten: the sum of its terms
that have angles and of those that have none. */
struct SplitArgument {
  Ref whole;
  Ref of_angles;
  Ref rest;
};
/** Returns the replacement for a sine, cosine or tangent. */
using RemakeFunction =
    std::function<Ref(const Cell& cell, const SplitArgument& argument)>;
/** Replaces functions whose arguments contain some of `angles` by the result of
`remake`, which must contain none. Functions in forall, whose variables are
bound, stay. */
std::vector<Ref> RemakeTrigonometricRefs(const std::vector<Ref>& roots,
                                         const Variables& angles,
                                         const RemakeFunction& remake);
/** Lists the entries of a matrix, column by column; MakeMatrix() reverses
it. */
std::vector<Ref> EntriesOf(const Eigen::Ref<const MatrixX<Expression>>& m);
MatrixX<Expression> MakeMatrix(const std::vector<Ref>& entries,
                               Eigen::Index rows, Eigen::Index cols);
std::vector<Ref> DifferentiateRefs(const std::vector<Ref>& roots,
                                   const Variable& x);

}  // namespace wyvern::symbolic::internal

inline const wyvern::symbolic::internal::Cell*
wyvern::symbolic::internal::Ref::cell() const {
  return static_cast<const Cell*>(cell_);
}
