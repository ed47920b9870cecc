#include "wyvern/systems/symbolic/systems/transfer_function.h"

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

/* Polynomials of one variable are vectors of coefficients here, the constant
first. */

namespace wyvern::systems {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using symbolic::Polynomial;
using symbolic::RationalFunction;
using symbolic::Variable;

namespace {

constexpr const char* kWho = "TransferFunction";

// Without zeros at the end, but for the polynomial 0 itself.
VectorXd Trim(const VectorXd& p) {
  Eigen::Index size = p.size();
  while (size > 1 && p[size - 1] == 0) --size;
  return p.head(size);
}

VectorXd CoefficientsIn(const Polynomial& p, const Variable& x) {
  for (const symbolic::Variables* all :
       {&p.indeterminates(), &p.decision_variables()}) {
    for (const Variable& v : *all) {
      if (v.equal_to(x)) continue;
      throw std::logic_error(
          fmt::format("{}(): an entry has the variable {}; it may have {} "
                      "alone, as {}::{}() "
                      "gives it.",
                      kWho, v.get_name(), x.get_name(), kWho, x.get_name()));
    }
  }
  // It may be in coefficients, if its maker took it for a decision variable.
  Polynomial sorted = p;
  sorted.SetIndeterminates(symbolic::Variables({x}));
  VectorXd result = VectorXd::Zero(1 + sorted.Degree(x));
  for (const auto& [monomial, coefficient] :
       sorted.monomial_to_coefficient_map()) {
    const double value = coefficient.Evaluate();
    wyvern::internal::RequireFinite(kWho, "a coefficient", value);
    result[monomial.degree(x)] += value;
  }
  return Trim(result);
}

bool AreEqual(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && a == b;
}

VectorXd MultiplyCoefficients(const VectorXd& a, const VectorXd& b) {
  VectorXd result = VectorXd::Zero(a.size() + b.size() - 1);
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    result.segment(i, b.size()) += a[i] * b;
  }
  return Trim(result);
}

Polynomial ToPolynomial(const VectorXd& coefficients, const Variable& x) {
  Polynomial result;
  for (Eigen::Index i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0) continue;
    result.AddProduct(coefficients[i],
                      symbolic::Monomial(x, static_cast<int>(i)));
  }
  return result;
}

struct Fraction {
  VectorXd numerator;
  VectorXd denominator;  // Its highest coefficient is 1.
};

Fraction FractionOf(const RationalFunction& f, const Variable& x) {
  Fraction result{CoefficientsIn(f.numerator(), x),
                  CoefficientsIn(f.denominator(), x)};
  const double highest = result.denominator[result.denominator.size() - 1];
  result.numerator /= highest;
  result.denominator /= highest;
  return result;
}

}  // namespace

TransferFunction::TransferFunction(MatrixX<RationalFunction> H,
                                   double time_step)
    : H_(std::move(H)), time_step_(time_step) {
  wyvern::internal::RequireNonNegative(kWho, "time_step", time_step);
  wyvern::internal::RequireAtLeast(kWho, "the number of outputs", H_.rows(), 1);
  wyvern::internal::RequireAtLeast(kWho, "the number of inputs", H_.cols(), 1);
  const Variable x = time_step > 0 ? z_var() : s_var();
  for (const RationalFunction& f : H_.reshaped()) FractionOf(f, x);
}

TransferFunction::TransferFunction(RationalFunction H, double time_step)
    : TransferFunction(MatrixX<RationalFunction>::Constant(1, 1, std::move(H)),
                       time_step) {}

Variable TransferFunction::s_var() {
  static const Variable& s = *new Variable("s");
  return s;
}

Variable TransferFunction::z_var() {
  static const Variable& z = *new Variable("z");
  return z;
}

RationalFunction TransferFunction::s() {
  return RationalFunction(Polynomial(s_var()));
}

RationalFunction TransferFunction::z() {
  return RationalFunction(Polynomial(z_var()));
}

TransferFunction MakeTransferFunction(const LinearSystem<double>& system) {
  const MatrixXd& A = system.A();
  const Eigen::Index n = A.rows();
  // det(s I - A) = sum of p_k s^k, adj(s I - A) = sum of N_k s^k:
  // N_(n-1) = I, p_k = -tr(A N_k) / (n - k), N_(k-1) = A N_k + p_k I.
  VectorXd p(n + 1);
  p[n] = 1;
  MatrixXd N = MatrixXd::Identity(n, n);
  std::vector<MatrixXd> numerators(n);  // C N_k B
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    numerators[k] = system.C() * N * system.B();
    const MatrixXd AN = A * N;
    p[k] = -AN.trace() / static_cast<double>(n - k);
    N = AN + p[k] * MatrixXd::Identity(n, n);
  }
  const Variable x = system.time_period() > 0 ? TransferFunction::z_var()
                                              : TransferFunction::s_var();
  const Polynomial denominator = ToPolynomial(p, x);
  MatrixX<RationalFunction> H(system.D().rows(), system.D().cols());
  for (Eigen::Index i = 0; i < H.rows(); ++i) {
    for (Eigen::Index j = 0; j < H.cols(); ++j) {
      VectorXd numerator = system.D()(i, j) * p;
      for (Eigen::Index k = 0; k < n; ++k) {
        numerator[k] += numerators[k](i, j);
      }
      H(i, j) = RationalFunction(ToPolynomial(Trim(numerator), x), denominator);
    }
  }
  return TransferFunction(std::move(H), system.time_period());
}

std::unique_ptr<LinearSystem<double>> MakeLinearSystem(
    const TransferFunction& transfer_function) {
  const auto& H = transfer_function.H();
  const Variable x = transfer_function.time_step() > 0
                         ? TransferFunction::z_var()
                         : TransferFunction::s_var();
  const Eigen::Index num_outputs = H.rows(), num_inputs = H.cols();
  MatrixXd D(num_outputs, num_inputs);
  // By input: the denominator of its column, and the rows of C.
  std::vector<VectorXd> denominators;
  std::vector<MatrixXd> outputs;
  Eigen::Index num_states = 0;
  for (Eigen::Index j = 0; j < num_inputs; ++j) {
    std::vector<Fraction> column;
    std::vector<VectorXd> different;
    for (Eigen::Index i = 0; i < num_outputs; ++i) {
      Fraction f = FractionOf(H(i, j), x);
      if (f.numerator.size() > f.denominator.size()) {
        throw std::logic_error(fmt::format(
            "MakeLinearSystem(): the numerator of H({}, {}) has the degree {} "
            "and its denominator {}; of no System is the first the higher one.",
            i, j, f.numerator.size() - 1, f.denominator.size() - 1));
      }
      bool is_new = true;
      for (const VectorXd& d : different) is_new &= !AreEqual(d, f.denominator);
      if (is_new) different.push_back(f.denominator);
      column.push_back(std::move(f));
    }
    VectorXd common = VectorXd::Ones(1);
    for (const VectorXd& d : different)
      common = MultiplyCoefficients(common, d);
    const Eigen::Index n = common.size() - 1;
    MatrixXd C(num_outputs, n);
    for (Eigen::Index i = 0; i < num_outputs; ++i) {
      VectorXd numerator = column[i].numerator;
      for (const VectorXd& d : different) {
        if (!AreEqual(d, column[i].denominator))
          numerator = MultiplyCoefficients(numerator, d);
      }
      VectorXd padded = VectorXd::Zero(n + 1);
      padded.head(numerator.size()) = numerator;
      D(i, j) = padded[n];
      C.row(i) = padded.head(n) - padded[n] * common.head(n);
    }
    denominators.push_back(std::move(common));
    outputs.push_back(std::move(C));
    num_states += n;
  }
  MatrixXd A = MatrixXd::Zero(num_states, num_states);
  MatrixXd B = MatrixXd::Zero(num_states, num_inputs);
  MatrixXd C = MatrixXd::Zero(num_outputs, num_states);
  Eigen::Index first = 0;
  for (Eigen::Index j = 0; j < num_inputs; ++j) {
    const Eigen::Index n = denominators[j].size() - 1;
    if (n == 0) continue;
    A.block(first, first + 1, n - 1, n - 1).setIdentity();
    A.row(first + n - 1).segment(first, n) = -denominators[j].head(n);
    B(first + n - 1, j) = 1;
    C.middleCols(first, n) = outputs[j];
    first += n;
  }
  return std::make_unique<LinearSystem<double>>(A, B, C, D,
                                                transfer_function.time_step());
}

}  // namespace wyvern::systems
