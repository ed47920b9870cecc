#include "wyvern/simulator/integrators/explicit_runge_kutta.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::internal {

const ButcherTableau kExplicitEuler{.num_stages = 1, .a = {}, .b = {1.0}};

// Heun's second order method.
const ButcherTableau kRungeKutta2{
    .num_stages = 2, .a = {{{}, {1.0}}}, .b = {1.0 / 2, 1.0 / 2}};

// Kutta's third order method, with the midpoint rule inside it for comparison.
const ButcherTableau kRungeKutta3{.num_stages = 3,
                                  .a = {{{}, {1.0 / 2}, {-1.0, 2.0}}},
                                  .b = {1.0 / 6, 2.0 / 3, 1.0 / 6},
                                  .b_hat = {0.0, 1.0}};

// P. Bogacki, L.F. Shampine, A 3(2) pair of Runge-Kutta formulas, 1989.
const ButcherTableau kBogackiShampine3{
    .num_stages = 4,
    .a = {{{}, {1.0 / 2}, {0.0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}}},
    .b = {2.0 / 9, 1.0 / 3, 4.0 / 9},
    .b_hat = {7.0 / 24, 1.0 / 4, 1.0 / 3, 1.0 / 8}};

// J.R. Dormand, P.J. Prince, A family of embedded Runge-Kutta formulae, 1980:
// RK5(4)7M.
const ButcherTableau kRungeKutta5{
    .num_stages = 7,
    .a = {{{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176,
            -5103.0 / 18656},
           {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784,
            11.0 / 84}}},
    .b = {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784,
          11.0 / 84},
    .b_hat = {5179.0 / 57600, 0.0, 7571.0 / 16695, 393.0 / 640,
              -92097.0 / 339200, 187.0 / 2100, 1.0 / 40}};

bool ButcherTableau::is_fsal() const {
  return num_stages > 1 && a[num_stages - 1] == b;
}

namespace {

// c_s of stage s.
double StageTime(const ButcherTableau& tableau, int s) {
  double c = 0;
  for (int j = 0; j < s; ++j) c += tableau.a[s][j];
  return c;
}

}  // namespace

template <typename T>
ExplicitRungeKutta<T>::ExplicitRungeKutta(const System<T>& system,
                                          Context<T>* context,
                                          const ButcherTableau& tableau)
    : IntegratorBase<T>(system, context), tableau_(tableau) {}

template <typename T>
void ExplicitRungeKutta<T>::DoInitialize() {
  const int n = this->get_context().num_continuous_states();
  k_.assign(tableau_.num_stages, VectorX<T>::Zero(n));
  x_.setZero(n);
}

template <typename T>
void ExplicitRungeKutta<T>::Combine(const T& h,
                                    const ButcherTableau::Row& weights,
                                    VectorX<T>* x) const {
  *x = this->step_start_state();
  for (int j = 0; j < tableau_.num_stages; ++j) {
    if (weights[j] != 0) *x += T(h * weights[j]) * k_[j];
  }
}

template <typename T>
bool ExplicitRungeKutta<T>::DoStep(const T& h) {
  k_[0] = this->step_start_derivative();

  // The stages. One at the end of the step is at exactly that time.
  for (int s = 1; s < tableau_.num_stages; ++s) {
    const double c = StageTime(tableau_, s);
    const bool at_end = c > 1 - 1e-10;
    Combine(h, tableau_.a[s], &x_);
    this->MoveWithinStep(at_end ? this->step_end_time()
                                : this->step_start_time() + c * h)
        .SetFromVector(x_);
    if (!this->CopyTimeDerivatives(&k_[s])) return false;
  }

  // The result, unless the last stage was it.
  if (!tableau_.is_fsal()) {
    Combine(h, tableau_.b, &x_);
    this->MoveWithinStep(this->step_end_time()).SetFromVector(x_);
  }
  if (this->supports_error_estimation()) CalcErrorEstimate(h);
  return true;
}

template <typename T>
void ExplicitRungeKutta<T>::CalcErrorEstimate(const T& h) {
  x_.setZero();
  for (int j = 0; j < tableau_.num_stages; ++j) {
    const double weight = tableau_.b[j] - tableau_.b_hat[j];
    if (weight != 0) x_ += T(h * weight) * k_[j];
  }
  this->get_mutable_error_estimate()->SetFromVector(x_);
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ExplicitRungeKutta);
