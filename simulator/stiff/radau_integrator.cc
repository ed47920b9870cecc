#include "wyvern/simulator/stiff/radau_integrator.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "wyvern/systems/common/autodiff.h"

/* The Radau IIA methods with s stages: z_i = h sum_j a_ij f(t + c_j h, x +
z_j), x' = x + z_s (Hairer, Wanner, "Solving Ordinary Differential Equations
II", IV.5 and IV.8). All stages are solved at once by Newton's method, with the
matrix I - h a (x) J of n s rows. The coefficients a follow from the nodes c by
the order conditions, and the weights of the error estimate from those of a
quadrature with f at the start. With one stage the method is the implicit Euler
method. */

namespace wyvern::systems {
namespace {

// The methods integrate polynomials of degree s - 1 exactly between 0 and each
// c_i, which are the zeros of d^(s-1)/dx^(s-1) (x^(s-1) (x - 1)^s):
//
//   sum_j a_ij c_j^k = c_i^(k+1) / (k + 1),   k = 0 ... s - 1.
//
// The estimate compares with a quadrature that also takes f at the start, with
// weight g, and is exact up to degree s - 1. Its weights differ from a_s by d:
//
//   sum_i d_i = -g,   sum_i d_i c_i^k = 0,    k = 1 ... s - 1,
//
// and since the derivatives at the stages are a^-1 z / h, e = a^-T d.
template <int s>
struct Tableau {
  using Vector = Eigen::Matrix<double, s, 1>;
  using Matrix = Eigen::Matrix<double, s, s>;

  Vector c;
  Matrix a;
  double g{};
  Vector e;

  Tableau() {
    const double root = std::sqrt(6.0);
    if constexpr (s == 1) {
      c << 1;
      g = 0.5;  // The trapezoidal rule.
    } else if constexpr (s == 2) {
      c << 1.0 / 3, 1;
      g = root / 6;  // The size of a's two eigenvalues.
    } else {
      c << (4 - root) / 10, (4 + root) / 10, 1;
      g = (6 + std::cbrt(81.0) - std::cbrt(9.0)) / 30;  // a's real one.
    }
    Matrix powers;
    Matrix integrals;
    for (int k = 0; k < s; ++k) {
      powers.col(k) = c.array().pow(k);
      integrals.col(k) = c.array().pow(k + 1) / (k + 1);
    }
    const Matrix inverse = powers.inverse();
    a = integrals * inverse;
    const Vector d = inverse.transpose() * (-g * Vector::Unit(0));
    e = a.inverse().transpose() * d;
  }
};

template <int s>
const Tableau<s>& GetTableau() {
  static const Tableau<s> tableau;
  return tableau;
}

}  // namespace

template <typename T, int num_stages>
RadauIntegrator<T, num_stages>::RadauIntegrator(const System<T>& system,
                                                Context<T>* context)
    : ImplicitIntegrator<T>(system, context) {}

template <typename T, int num_stages>
void RadauIntegrator<T, num_stages>::DoInitialize() {
  ImplicitIntegrator<T>::DoInitialize();
  const int n = this->get_context().num_continuous_states();
  for (auto* z : {&z_, &dz_, &residual_}) z->setZero(num_stages * n);
  for (auto* x : {&x_, &xdot_, &e_}) x->setZero(n);
}

template <typename T, int num_stages>
bool RadauIntegrator<T, num_stages>::DoImplicitIntegratorStep(const T& h) {
  if (!SolveStages(h) || !EstimateError(h)) return false;
  x_ = this->step_start_state() + z_.tail(x_.size());
  this->MoveWithinStep(this->step_end_time()).SetFromVector(x_);
  return true;
}

template <typename T, int num_stages>
bool RadauIntegrator<T, num_stages>::SolveStages(const T& h) {
  if (this->CanReuseJacobian() && Iterate(h)) return true;
  return this->CalcJacobian(this->step_start_time(),
                            this->step_start_state()) &&
         Iterate(h);
}

template <typename T, int num_stages>
void RadauIntegrator<T, num_stages>::Factor(const T& h) {
  const int64_t number = this->jacobian_number();
  if (stages_matrix_.is_for(number, h)) return;
  stages_matrix_.template FactorForStages<num_stages>(
      GetTableau<num_stages>().a, this->get_mutable_jacobian(), number, h);
  this->CountFactorization();
}

template <typename T, int num_stages>
bool RadauIntegrator<T, num_stages>::CalcResidual(const T& h) {
  const Tableau<num_stages>& tableau = GetTableau<num_stages>();
  const Eigen::Index n = x_.size();
  residual_ = -z_;
  for (int j = 0; j < num_stages; ++j) {
    const bool at_end = j == num_stages - 1;
    x_ = this->step_start_state() + z_.segment(j * n, n);
    const T t = at_end ? this->step_end_time()
                       : T(this->step_start_time() + tableau.c[j] * h);
    if (!this->CalcDerivatives(t, x_, &xdot_)) return false;
    for (int i = 0; i < num_stages; ++i) {
      residual_.segment(i * n, n) += T(h * tableau.a(i, j)) * xdot_;
    }
  }
  return true;
}

template <typename T, int num_stages>
double RadauIntegrator<T, num_stages>::CalcLargestSize(const VectorX<T>& dz) {
  const Eigen::Index n = x_.size();
  double largest = 0;
  for (int i = 0; i < num_stages; ++i) {
    e_ = dz.segment(i * n, n);
    const double size = this->CalcSize(e_);
    if (!(size <= largest)) largest = size;  // A NaN is not lost.
  }
  return largest;
}

template <typename T, int num_stages>
bool RadauIntegrator<T, num_stages>::Iterate(const T& h) {
  z_.setZero();
  double last_size = 0;
  for (int k = 0; k < this->max_newton_raphson_iterations(); ++k) {
    if (this->get_use_full_newton() && k > 0) {
      x_ = this->step_start_state() + z_.tail(x_.size());
      if (!this->CalcJacobian(this->step_end_time(), x_)) return false;
    }
    if (!CalcResidual(h)) return false;
    Factor(h);
    stages_matrix_.Solve(residual_, &dz_);
    z_ += dz_;
    this->CountIteration();
    const double size = CalcLargestSize(dz_);
    e_ = dz_.tail(e_.size());
    const Verdict verdict =
        this->JudgeIteration(k, dz_, z_, size, &last_size, &e_);
    if (verdict != Verdict::kGoOn) return verdict == Verdict::kConverged;
  }
  return false;
}

template <typename T, int num_stages>
void RadauIntegrator<T, num_stages>::CalcEstimate(const T& h,
                                                  const VectorX<T>& f) {
  const Tableau<num_stages>& tableau = GetTableau<num_stages>();
  const Eigen::Index n = x_.size();
  x_ = T(h * tableau.g) * f;
  for (int i = 0; i < num_stages; ++i) {
    x_ += tableau.e[i] * z_.segment(i * n, n);
  }
  error_matrix_.Solve(x_, &e_);
}

template <typename T, int num_stages>
bool RadauIntegrator<T, num_stages>::EstimateError(const T& h) {
  typename ImplicitIntegrator<T>::EstimatorScope scope(this);
  const T gamma = T(h * GetTableau<num_stages>().g);
  const int64_t number = this->jacobian_number();
  if (!error_matrix_.is_for(number, gamma)) {
    error_matrix_.FactorFor(this->get_mutable_jacobian(), number, gamma);
    this->CountFactorization();
  }
  CalcEstimate(h, this->step_start_derivative());

  // For fast modes the estimate does not vanish as the error does; this helps.
  if (this->CalcSize(e_) > this->get_accuracy_in_use()) {
    x_ = this->step_start_state() + e_;
    if (!this->CalcDerivatives(this->step_start_time(), x_, &xdot_)) {
      return false;
    }
    CalcEstimate(h, xdot_);
  }
  this->get_mutable_error_estimate()->SetFromVector(e_);
  return true;
}

}  // namespace wyvern::systems

template class ::wyvern::systems::RadauIntegrator<double, 1>;
template class ::wyvern::systems::RadauIntegrator<double, 2>;
template class ::wyvern::systems::RadauIntegrator<double, 3>;
#if WYVERN_AUTODIFF
template class ::wyvern::systems::RadauIntegrator<::wyvern::AutoDiffXd, 1>;
template class ::wyvern::systems::RadauIntegrator<::wyvern::AutoDiffXd, 2>;
template class ::wyvern::systems::RadauIntegrator<::wyvern::AutoDiffXd, 3>;
#endif
