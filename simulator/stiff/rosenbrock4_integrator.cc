#include "wyvern/simulator/stiff/rosenbrock4_integrator.h"

#include <cmath>

#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>

#include "wyvern/simulator/integrators/difference_step.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {
namespace {

// Odeint's coefficients as a table. Its stepper needs uBLAS, which some
// versions of Boost do not build as C++20, and does not know AutoDiffXd. Its d4
// has the wrong sign: with it the method is of first order for derivatives that
// depend on time. That of a Rosenbrock method is the sum of row 4 of gamma_ij.
struct Table {
  static constexpr int kStages = 6;
  using Row = std::array<double, kStages>;
  using Odeint =
      boost::numeric::odeint::default_rosenbrock_coefficients<double>;

  explicit Table(const Odeint& o)
      : gamma(o.gamma),
        c{0, o.c2, o.c3, o.c4, 1, 1},
        d{o.d1, o.d2, o.d3, -std::abs(o.d4), 0, 0},
        a{{{},
           {o.a21},
           {o.a31, o.a32},
           {o.a41, o.a42, o.a43},
           {o.a51, o.a52, o.a53, o.a54},
           {o.a51, o.a52, o.a53, o.a54, 1}}},
        C{{{},
           {o.c21},
           {o.c31, o.c32},
           {o.c41, o.c42, o.c43},
           {o.c51, o.c52, o.c53, o.c54},
           {o.c61, o.c62, o.c63, o.c64, o.c65}}} {}

  double gamma;
  Row c;
  Row d;
  std::array<Row, kStages> a;
  std::array<Row, kStages> C;
};

const Table& GetTable() {
  static const Table table{Table::Odeint()};
  return table;
}

}  // namespace

template <typename T>
Rosenbrock4Integrator<T>::Rosenbrock4Integrator(const System<T>& system,
                                                Context<T>* context)
    : ImplicitIntegrator<T>(system, context) {}

template <typename T>
void Rosenbrock4Integrator<T>::DoInitialize() {
  ImplicitIntegrator<T>::DoInitialize();
  const int n = this->get_context().num_continuous_states();
  for (auto* x : {&x_, &xdot_, &dfdt_}) x->setZero(n);
  for (auto& g : g_) g.setZero(n);
}

template <typename T>
bool Rosenbrock4Integrator<T>::CalcTimeDifference() {
  const T& t = this->step_start_time();
  const double delta = internal::CentralDifferenceStep(ToDouble(t));
  const T after = this->ClampToStep(t + delta);
  const T before = this->ClampToStep(t - delta);
  if (!(after > before)) {
    dfdt_.setZero();
    return true;
  }
  if (!this->CalcDerivatives(after, this->step_start_state(), &dfdt_) ||
      !this->CalcDerivatives(before, this->step_start_state(), &xdot_)) {
    return false;
  }
  dfdt_ = (dfdt_ - xdot_) / T(after - before);
  return true;
}

template <typename T>
bool Rosenbrock4Integrator<T>::CalcStage(int i, const T& h) {
  const Table& table = GetTable();
  x_ = this->step_start_state();
  for (int j = 0; j < i; ++j) {
    if (table.a[i][j] != 0) x_ += table.a[i][j] * g_[j];
  }
  if (i == 0) {
    xdot_ = this->step_start_derivative();
    return true;
  }
  const T t = table.c[i] == 1 ? this->step_end_time()
                              : T(this->step_start_time() + table.c[i] * h);
  return this->CalcDerivatives(t, x_, &xdot_);
}

template <typename T>
void Rosenbrock4Integrator<T>::SolveStage(int i, const T& h) {
  const Table& table = GetTable();
  if (table.d[i] != 0) xdot_ += T(h * table.d[i]) * dfdt_;
  for (int j = 0; j < i; ++j) xdot_ += T(table.C[i][j] / h) * g_[j];
  xdot_ *= T(h * table.gamma);
  matrix_.Solve(xdot_, &g_[i]);
}

template <typename T>
bool Rosenbrock4Integrator<T>::DoImplicitIntegratorStep(const T& h) {
  if (!this->CalcJacobian(this->step_start_time(), this->step_start_state()) ||
      !CalcTimeDifference()) {
    return false;
  }
  const T gamma = T(h * GetTable().gamma);
  matrix_.FactorFor(this->get_mutable_jacobian(), this->jacobian_number(),
                    gamma);
  this->CountFactorization();
  for (int i = 0; i < kStages; ++i) {
    if (!CalcStage(i, h)) return false;
    SolveStage(i, h);
  }
  x_ += g_[kStages - 1];
  this->get_mutable_error_estimate()->SetFromVector(g_[kStages - 1]);
  this->MoveWithinStep(this->step_end_time()).SetFromVector(x_);
  return true;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::Rosenbrock4Integrator);
