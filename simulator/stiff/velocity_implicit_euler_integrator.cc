#include "wyvern/simulator/stiff/velocity_implicit_euler_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

/* x = [q; y] with y = [v; z]. Implicit Euler, x' = x + h f(t + h, x'), with
q' = q + h N(q') v' put into the rest leaves

    r(y') = y' - y - h f_y(t + h, q'(y'), y') = 0

for y' alone. Newton's method solves (1 - h J) dy = -r with J = d f_y / dy' by
differences in y', each of which moves q' along. Limit: h to 0 is explicit
Euler; without q it is ImplicitEulerIntegrator. O(n_y³) to factor, O(n_y²) an
iteration. */

namespace wyvern::systems {

template <typename T>
VelocityImplicitEulerIntegrator<T>::VelocityImplicitEulerIntegrator(
    const System<T>& system, Context<T>* context)
    : ImplicitIntegrator<T>(system, context) {}

template <typename T>
void VelocityImplicitEulerIntegrator<T>::DoInitialize() {
  ImplicitIntegrator<T>::DoInitialize();
  const ContinuousState<T>& xc = this->get_context().get_continuous_state();
  nq_ = xc.num_q();
  nv_ = xc.num_v();
  const int ny = xc.size() - nq_;
  this->get_mutable_jacobian().setZero(ny, ny);
  qdot_ = std::make_unique<BasicVector<T>>(nq_);
  v_.setZero(nv_);
  for (auto* x : {&whole_, &half_, &middle_, &guess_, &xdot_, &xdot_nearby_,
                  &nearby_, &dx_}) {
    x->setZero(xc.size());
  }
  for (auto* y : {&residual_, &dy_}) y->setZero(ny);
}

template <typename T>
bool VelocityImplicitEulerIntegrator<T>::DoImplicitIntegratorStep(const T& h) {
  const VectorX<T>& start = this->step_start_state();
  const T& end = this->step_end_time();
  whole_ = start;
  if (!SolveStep(end, start, h, &whole_)) return false;

  // Repeat the step in two halves.
  {
    typename ImplicitIntegrator<T>::EstimatorScope scope(this);
    const T half = T(0.5) * h;
    middle_ = T(0.5) * (start + whole_);
    const T t = this->step_start_time() + half;
    if (!SolveStep(t, start, half, &middle_)) return false;
    half_ = whole_;
    if (!SolveStep(end, middle_, half, &half_)) return false;
  }
  dx_ = whole_ - half_;
  this->get_mutable_error_estimate()->SetFromVector(dx_);
  this->MoveWithinStep(end).SetFromVector(half_);
  return true;
}

template <typename T>
bool VelocityImplicitEulerIntegrator<T>::SolveStep(const T& t,
                                                   const VectorX<T>& start,
                                                   const T& h, VectorX<T>* x) {
  guess_ = *x;
  if (this->CanReuseJacobian()) {
    if (Iterate(t, start, h, x)) return true;
    *x = guess_;
  }
  return CalcVelocityJacobian(t, start, h, *x) && Iterate(t, start, h, x);
}

template <typename T>
void VelocityImplicitEulerIntegrator<T>::MovePositions(const T& t,
                                                       const VectorX<T>& start,
                                                       const T& h,
                                                       VectorX<T>* x) {
  if (nq_ == 0) return;
  Context<T>& context = *this->get_mutable_context();
  this->MoveWithinStep(t).SetFromVector(*x);
  v_ = x->segment(nq_, nv_);
  this->get_system().MapVelocityToQDot(context, v_, qdot_.get());
  x->head(nq_) = start.head(nq_) + h * qdot_->value();
}

template <typename T>
bool VelocityImplicitEulerIntegrator<T>::CalcVelocityJacobian(
    const T& t, const VectorX<T>& start, const T& h, const VectorX<T>& x) {
  this->StartJacobian();
  const int64_t before = this->get_num_derivative_evaluations();
  if (this->get_jacobian_computation_scheme() ==
      ImplicitIntegrator<T>::JacobianComputationScheme::kAutomatic) {
    this->MoveWithinStep(t).SetFromVector(x);
    residual_ = start.head(nq_);
    this->automatic_jacobian().CalcByVelocity(this->get_context(), residual_, h,
                                              &this->get_mutable_jacobian());
    residual_.resize(dy_.size());
  } else if (!CalcVelocityDifferences(t, start, h, x)) {
    return false;
  }
  this->FinishJacobian(before);
  return true;
}

template <typename T>
bool VelocityImplicitEulerIntegrator<T>::CalcDerivativesNearby(
    const T& t, const VectorX<T>& start, const T& h, const VectorX<T>& x, int i,
    const T& value, VectorX<T>* xdot) {
  nearby_ = x;
  nearby_[i] = value;
  MovePositions(t, start, h, &nearby_);
  return this->CalcDerivatives(t, nearby_, xdot);
}

template <typename T>
bool VelocityImplicitEulerIntegrator<T>::CalcVelocityDifferences(
    const T& t, const VectorX<T>& start, const T& h, const VectorX<T>& x) {
  const bool central =
      this->get_jacobian_computation_scheme() ==
      ImplicitIntegrator<T>::JacobianComputationScheme::kCentralDifference;
  const int n = static_cast<int>(x.size());
  const int ny = n - nq_;
  MatrixX<T>& jacobian = this->get_mutable_jacobian();
  for (int i = nq_; i < n; ++i) {
    const double step = this->CalcDifferenceStep(i, x[i]);
    const T above = x[i] + step;
    const T below = central ? T(x[i] - step) : x[i];
    if ((central || i == nq_) &&
        !CalcDerivativesNearby(t, start, h, x, i, below, &xdot_)) {
      return false;
    }
    if (!CalcDerivativesNearby(t, start, h, x, i, above, &xdot_nearby_)) {
      return false;
    }
    jacobian.col(i - nq_) =
        (xdot_nearby_.tail(ny) - xdot_.tail(ny)) / (above - below);
  }
  return true;
}

template <typename T>
bool VelocityImplicitEulerIntegrator<T>::Iterate(const T& t,
                                                 const VectorX<T>& start,
                                                 const T& h, VectorX<T>* x) {
  const int ny = static_cast<int>(dy_.size());
  double last_size = 0;
  for (int k = 0; k < this->max_newton_raphson_iterations(); ++k) {
    if (this->get_use_full_newton() && k > 0 &&
        !CalcVelocityJacobian(t, start, h, *x)) {
      return false;
    }
    dx_ = *x;
    MovePositions(t, start, h, x);
    if (!this->CalcDerivatives(t, *x, &xdot_)) return false;
    if (!matrix_.is_for(this->jacobian_number(), h)) {
      matrix_.FactorFor(this->get_mutable_jacobian(), this->jacobian_number(),
                        h);
      this->CountFactorization();
    }
    residual_ = start.tail(ny) + h * xdot_.tail(ny) - x->tail(ny);
    matrix_.Solve(residual_, &dy_);
    x->tail(ny) += dy_;
    this->CountIteration();
    dx_ = *x - dx_;
    const Verdict verdict = this->JudgeIteration(
        k, dx_, *x, this->CalcSize(dx_), &last_size, nullptr);
    if (verdict == Verdict::kDiverged) return false;
    if (verdict == Verdict::kConverged) {
      MovePositions(t, start, h, x);
      return true;
    }
  }
  return false;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::VelocityImplicitEulerIntegrator);
