#include "wyvern/systems/symbolic/expression.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/symbolic/cell_private.h"

/* Arithmetic of expressions. An Expression is a reference to a shared cell that
never changes, or a number in the reference itself. Sums and products with
numbers are done here, without a cell; other operations go to
expression_builders.cc, which simplify. a += a reads the operand after it has
begun to change, so the operand is held by a copy then. NaN is never made: an
operation on numbers whose result is NaN goes to the maker, which throws. */

namespace wyvern::symbolic {

using internal::Ref;

namespace {

Ref NumberedVariable(const Variable& variable) {
  if (variable.is_dummy()) {
    throw std::logic_error(
        "symbolic::Expression: the variable is a dummy, made without a name; "
        "give Variable(\"name\").");
  }
  if (variable.get_type() == Variable::Type::BOOLEAN) {
    throw std::runtime_error(fmt::format(
        "symbolic::Expression: the variable '{}' is BOOLEAN and has no number; "
        "put it into a Formula, or make it BINARY.",
        variable.get_name()));
  }
  return variable.ref();
}

}  // namespace

Expression::Expression(double value)
    : ref_(internal::MakeNumber(value, "a constant")) {}
Expression::Expression(const Variable& variable)
    : ref_(NumberedVariable(variable)) {}

Expression Expression::Pi() { return M_PI; }
Expression Expression::E() { return M_E; }
Expression Expression::NaN() { return Expression(internal::MakeNaN()); }

ExpressionKind Expression::get_kind() const { return internal::KindOf(ref_); }
std::size_t Expression::get_hash() const { return internal::HashOf(ref_); }
Variables Expression::GetVariables() const {
  return internal::VariablesIn({ref_});
}
bool Expression::EqualTo(const Expression& other) const {
  return internal::AreEqual(ref_, other.ref_);
}
bool Expression::Less(const Expression& other) const {
  return internal::Compare(ref_, other.ref_) < 0;
}
bool Expression::is_polynomial() const { return internal::IsPolynomial(ref_); }
bool Expression::is_expanded() const { return internal::IsExpanded(ref_); }

Expression Expression::Expand() const {
  return Expression(internal::ExpandRef(ref_));
}
std::string Expression::to_string() const {
  return internal::ToText(ref_, std::size_t{1} << 26);
}

namespace {

// Sums and products with a number are most of those that kernels make, whose
// matrices have zeros and ones: they are done here, without a copy.

bool AddNumber(const Ref& b, double scale, Ref* a) {
  if (b.is_number()) {
    if (b.factor() == 0) return true;
    const double sum = a->factor() + scale * b.factor();
    if (!a->is_number() || std::isnan(sum)) return false;
    *a = Ref(sum);
    return true;
  }
  if (!a->is_number() || a->factor() != 0 || scale != 1) return false;
  *a = b;
  return true;
}

bool MultiplyByNumber(const Ref& b, Ref* a) {
  if (!a->is_number() && !b.is_number()) return false;
  const double product = a->factor() * b.factor();
  if (product == 0 || (a->is_number() && b.is_number())) {
    if (std::isnan(product)) return false;
    *a = Ref(product);
    return true;
  }
  if (b.is_number()) return b.factor() == 1;
  if (a->factor() != 1) return false;
  *a = b;
  return true;
}

// The operand, held for as long as `a` is changed if it is `a` itself.
class Operand {
 public:
  Operand(const Ref& b, const Ref& a) : copy_(&b == &a ? b : Ref()), b_(b) {}
  const Ref& get(const Ref& a) const { return &b_ == &a ? copy_ : b_; }

 private:
  Ref copy_;
  const Ref& b_;
};

}  // namespace

Expression& Expression::operator+=(const Expression& b) {
  if (AddNumber(b.ref_, 1, &ref_)) return *this;
  const Operand other(b.ref_, ref_);
  ref_ = internal::MakeSum(std::move(ref_), other.get(ref_));
  return *this;
}
Expression& Expression::operator-=(const Expression& b) {
  if (AddNumber(b.ref_, -1, &ref_)) return *this;
  const Operand other(b.ref_, ref_);
  ref_ = internal::MakeSum(std::move(ref_), other.get(ref_), -1);
  return *this;
}
Expression& Expression::operator*=(const Expression& b) {
  if (MultiplyByNumber(b.ref_, &ref_)) return *this;
  const Operand other(b.ref_, ref_);
  ref_ = internal::MakeProduct(std::move(ref_), other.get(ref_));
  return *this;
}
Expression& Expression::operator/=(const Expression& b) {
  const Ref other = b.ref_;
  ref_ = internal::MakeQuotient(std::move(ref_), other);
  return *this;
}

Expression operator+(Expression a, const Expression& b) {
  a += b;
  return a;
}
Expression operator-(Expression a, const Expression& b) {
  a -= b;
  return a;
}
Expression operator*(Expression a, const Expression& b) {
  a *= b;
  return a;
}
Expression operator/(Expression a, const Expression& b) {
  a /= b;
  return a;
}
Expression operator-(const Expression& a) {
  return Expression(internal::Scale(a.ref(), -1));
}

std::ostream& operator<<(std::ostream& out, const Expression& a) {
  return out << a.to_string();
}

}  // namespace wyvern::symbolic
