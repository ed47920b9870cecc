#include "wyvern/simulator/stiff/implicit_integrator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/difference_step.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Newton's method for implicit integrators: x = c + gamma f(t, x) is solved by
(I - gamma J) dx = c + gamma f(t, x) - x, with the Jacobian J = df/dx (Hairer,
Wanner, "Solving Ordinary Differential Equations II", IV.8). J serves many
steps: if the iteration fails with an old J, it starts again with a new one; if
it fails with that, the step fails. I - gamma J is factored anew if J or gamma
changes. The rate theta = |dx_k| / |dx_k-1| bounds the remaining error by theta
/ (1 - theta) |dx_k|, which is compared with a share of the accuracy. J comes
from differences or from AutoDiffXd. For a linear System the first iteration is
exact. */

namespace wyvern::systems {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Tolerances of the iterations, as a share of the accuracy.
constexpr double kConvergence = 0.05;
constexpr double kConvergenceOfFixedSteps = 1e-6;
// Iterations that gain less than this are not worth going on with.
constexpr double kStagnation = 0.5;

// The last change was but rounding.
template <typename T>
bool StandsStill(const VectorX<T>& dx, const VectorX<T>& x) {
  double moved = 0;
  double size = 1;
  for (int i = 0; i < x.size(); ++i) {
    moved = std::max(moved, std::abs(ToDouble(dx[i])));
    size = std::max(size, std::abs(ToDouble(x[i])));
  }
  return moved <= 10 * kEpsilon * size;
}

}  // namespace

template <typename T>
ImplicitIntegrator<T>::ImplicitIntegrator(const System<T>& system,
                                          Context<T>* context)
    : IntegratorBase<T>(system, context) {}

template <typename T>
ImplicitIntegrator<T>::~ImplicitIntegrator() = default;

template <typename T>
void ImplicitIntegrator<T>::set_jacobian_computation_scheme(
    JacobianComputationScheme scheme) {
  if (scheme == JacobianComputationScheme::kAutomatic &&
      automatic_ == nullptr) {
    automatic_ =
        std::make_unique<internal::AutomaticJacobian<T>>(this->get_system());
  }
  scheme_ = scheme;
  ForgetJacobian();
}

// --- What IntegratorBase asks for ------------------------------------------

template <typename T>
void ImplicitIntegrator<T>::DoInitialize() {
  const int n = this->get_context().num_continuous_states();
  jacobian_.setZero(n, n);
  ForgetJacobian();
  for (auto* x :
       {&guess_, &xdot_, &xdot_nearby_, &nearby_, &dx_, &xdot_change_}) {
    x->setZero(n);
  }
  change_ = this->get_system().AllocateTimeDerivatives();
}

template <typename T>
void ImplicitIntegrator<T>::DoReset() {
  ForgetJacobian();
  DoImplicitIntegratorReset();
}

template <typename T>
void ImplicitIntegrator<T>::DoResetStatistics() {
  counts_ = {};
  estimator_counts_ = {};
  DoResetImplicitIntegratorStatistics();
}

template <typename T>
void ImplicitIntegrator<T>::ForgetJacobian() {
  has_jacobian_ = false;
  ++jacobian_number_;
  DoResetCachedJacobianRelatedMatrices();
}

// The Jacobian is all that is carried: A is made from it again, bit for bit.
template <typename T>
void ImplicitIntegrator<T>::DoSavePlace(VectorX<T>* carried) const {
  carried->resize(1 + jacobian_.size());
  (*carried)[0] = has_jacobian_ ? 1.0 : 0.0;
  carried->tail(jacobian_.size()) = jacobian_.reshaped();
}

template <typename T>
void ImplicitIntegrator<T>::DoReturnToPlace(const VectorX<T>& carried) {
  ForgetJacobian();
  has_jacobian_ = carried[0] != 0;
  jacobian_.reshaped() = carried.tail(jacobian_.size());
}

template <typename T>
std::string ImplicitIntegrator<T>::DoDescribeSettings() const {
  constexpr std::array<const char*, 3> schemes{
      "forward difference", "central difference", "automatic"};
  return fmt::format(
      "{} Jacobians, {} Newton, {}", schemes.at(static_cast<size_t>(scheme_)),
      use_full_newton_ ? "full" : "simplified", reuse_ ? "reuse" : "no reuse");
}

template <typename T>
typename ImplicitIntegrator<T>::Counts ImplicitIntegrator<T>::CountsNow()
    const {
  Counts result = counts_;
  result.derivatives = this->get_num_derivative_evaluations();
  return result;
}

template <typename T>
void ImplicitIntegrator<T>::NoteEstimatorWork(const Counts& before) {
  const Counts now = CountsNow();
  Counts& sum = estimator_counts_;
  sum.derivatives += now.derivatives - before.derivatives;
  sum.jacobians += now.jacobians - before.jacobians;
  sum.iterations += now.iterations - before.iterations;
  sum.factorizations += now.factorizations - before.factorizations;
  sum.derivatives_for_jacobian +=
      now.derivatives_for_jacobian - before.derivatives_for_jacobian;
}

// --- Jacobians -------------------------------------------------------------

template <typename T>
void ImplicitIntegrator<T>::StartJacobian() {
  ++counts_.jacobians;
  ForgetJacobian();
}

template <typename T>
void ImplicitIntegrator<T>::FinishJacobian(int64_t derivatives_before) {
  if (scheme_ == JacobianComputationScheme::kAutomatic) {
    this->add_derivative_evaluations(1);
  }
  counts_.derivatives_for_jacobian +=
      this->get_num_derivative_evaluations() - derivatives_before;
  has_jacobian_ = true;
}

template <typename T>
bool ImplicitIntegrator<T>::CalcJacobian(const T& t, const VectorX<T>& x) {
  StartJacobian();
  const int64_t before = this->get_num_derivative_evaluations();
  if (scheme_ == JacobianComputationScheme::kAutomatic) {
    this->MoveWithinStep(t).SetFromVector(x);
    automatic_->Calc(this->get_context(), &jacobian_);
  } else if (!CalcDifferences(t, x)) {
    return false;
  }
  FinishJacobian(before);
  return true;
}

template <typename T>
double ImplicitIntegrator<T>::CalcDifferenceStep(int i, const T& x) const {
  const double value = ToDouble(x);
  const double least = this->CalcLeastSize(i);
  return scheme_ == JacobianComputationScheme::kCentralDifference
             ? internal::CentralDifferenceStep(value, least)
             : internal::ForwardDifferenceStep(value, least);
}

template <typename T>
bool ImplicitIntegrator<T>::CalcDifferences(const T& t, const VectorX<T>& x) {
  const bool central = scheme_ == JacobianComputationScheme::kCentralDifference;
  if (!central && !this->CalcDerivatives(t, x, &xdot_)) return false;
  nearby_ = x;
  for (int i = 0; i < x.size(); ++i) {
    const double step = CalcDifferenceStep(i, x[i]);
    const T above = x[i] + step;
    const T below = central ? T(x[i] - step) : x[i];
    if (central) {
      nearby_[i] = below;
      if (!this->CalcDerivatives(t, nearby_, &xdot_)) return false;
    }
    nearby_[i] = above;
    if (!this->CalcDerivatives(t, nearby_, &xdot_nearby_)) return false;
    jacobian_.col(i) = (xdot_nearby_ - xdot_) / (above - below);
    nearby_[i] = x[i];
  }
  return true;
}

// --- Newton's method -------------------------------------------------------

template <typename T>
bool ImplicitIntegrator<T>::Solve(const T& t, const VectorX<T>& c,
                                  const T& gamma, VectorX<T>* x) {
  guess_ = *x;
  if (CanReuseJacobian()) {
    if (Iterate(t, c, gamma, x)) return true;
    *x = guess_;
  }
  return CalcJacobian(t, *x) && Iterate(t, c, gamma, x);
}

template <typename T>
double ImplicitIntegrator<T>::CalcSize(const VectorX<T>& dx) {
  change_->SetFromVector(dx);
  return ToDouble(this->CalcStateChangeNorm(*change_));
}

template <typename T>
typename ImplicitIntegrator<T>::Verdict ImplicitIntegrator<T>::JudgeIteration(
    int k, const VectorX<T>& dx, const VectorX<T>& x, double size,
    double* last_size, const VectorX<T>* dx_end) {
  if (!std::isfinite(size)) return Verdict::kDiverged;
  // Not all of a state need count in the norm, so ask for it to stand still.
  if (StandsStill(dx, x)) return Verdict::kConverged;
  if (k > 0) {
    const bool fixed = this->get_fixed_step_mode();
    const double accuracy = this->get_accuracy_in_use();
    const double tolerance =
        accuracy * (fixed ? kConvergenceOfFixedSteps : kConvergence);
    const double theta = size / *last_size;
    // Iterations that were near enough may wander by rounding.
    if (theta >= 1) {
      return *last_size < tolerance ? Verdict::kConverged : Verdict::kDiverged;
    }
    const double distance = theta / (1 - theta);
    if (size * distance < tolerance) {
      const bool last = k == max_newton_raphson_iterations() - 1;
      if (fixed || last || theta > kStagnation || dx_end == nullptr) {
        return Verdict::kConverged;
      }
      xdot_change_.noalias() = jacobian_ * *dx_end;
      const double off = CalcSize(xdot_change_) * distance;
      const double scale =
          std::max(1.0, CalcSize(this->step_start_derivative()));
      if (off <= accuracy * scale) return Verdict::kConverged;
    }
  }
  *last_size = size;
  return Verdict::kGoOn;
}

template <typename T>
bool ImplicitIntegrator<T>::Iterate(const T& t, const VectorX<T>& c,
                                    const T& gamma, VectorX<T>* x) {
  double last_size = 0;
  for (int k = 0; k < max_newton_raphson_iterations(); ++k) {
    if (use_full_newton_ && k > 0 && !CalcJacobian(t, *x)) return false;
    if (!this->CalcDerivatives(t, *x, &xdot_)) return false;
    if (!matrix_.is_for(jacobian_number_, gamma)) {
      matrix_.FactorFor(jacobian_, jacobian_number_, gamma);
      CountFactorization();
    }
    nearby_ = c + gamma * xdot_ - *x;
    matrix_.Solve(nearby_, &dx_);
    *x += dx_;
    CountIteration();
    const Verdict verdict =
        JudgeIteration(k, dx_, *x, CalcSize(dx_), &last_size, &dx_);
    if (verdict != Verdict::kGoOn) return verdict == Verdict::kConverged;
  }
  return false;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ImplicitIntegrator);
