#include "wyvern/simulator/integrators/implicit_integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>
#include <Eigen/LU>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::systems {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Of the accuracy, how near the iterations must come.
constexpr double kConvergence = 0.05;
constexpr double kConvergenceOfFixedSteps = 1e-6;

}  // namespace

// I - gamma J, factored.
template <typename T>
class ImplicitIntegrator<T>::IterationMatrix {
 public:
  // True if it is that of `gamma` and the last Jacobian.
  bool is_for(const T& gamma) const { return is_valid_ && gamma == gamma_; }
  void Invalidate() { is_valid_ = false; }

  void Factor(const MatrixX<T>& jacobian, const T& gamma) {
    matrix_ = -gamma * jacobian;
    matrix_.diagonal().array() += T(1.0);
    lu_.compute(matrix_);
    gamma_ = gamma;
    is_valid_ = true;
  }
  void Solve(const VectorX<T>& b, VectorX<T>* x) const { *x = lu_.solve(b); }

 private:
  MatrixX<T> matrix_;
  Eigen::PartialPivLU<MatrixX<T>> lu_;
  T gamma_{0.0};
  bool is_valid_{false};
};

// The Jacobian by differentiating the System itself.
template <typename T>
class ImplicitIntegrator<T>::AutomaticJacobian {
 public:
  explicit AutomaticJacobian(const System<T>& system) : system_(system) {
    if constexpr (std::is_same_v<T, double>) {
      converted_ = system.ToAutoDiffXdMaybe();
    }
    if (converted_ == nullptr) {
      throw std::logic_error(fmt::format(
          "ImplicitIntegrator::set_jacobian_computation_scheme(): '{}' cannot "
          "be converted to AutoDiffXd; choose a difference scheme.",
          system.GetSystemPathname()));
    }
    context_ = converted_->CreateDefaultContext();
  }

  // At the Context as it is.
  void Calc(const Context<T>& context, MatrixX<T>* jacobian) {
    if constexpr (std::is_same_v<T, double>) {
      context_->SetTimeStateAndParametersFrom(context);
      converted_->FixInputPortsFrom(system_, context, context_.get());
      const int n = context.num_continuous_states();
      VectorBase<AutoDiffXd>& x =
          context_->get_mutable_continuous_state_vector();
      for (int i = 0; i < n; ++i) {
        x[i] = AutoDiffXd(x[i].value(), Eigen::VectorXd::Unit(n, i));
      }
      const VectorBase<AutoDiffXd>& xdot =
          converted_->EvalTimeDerivatives(*context_).get_vector();
      for (int i = 0; i < n; ++i) {
        // A constant has no derivatives at all.
        if (xdot[i].derivatives().size() == n) {
          jacobian->row(i) = xdot[i].derivatives().transpose();
        } else {
          jacobian->row(i).setZero();
        }
      }
    }
  }

 private:
  const System<T>& system_;
  std::unique_ptr<System<AutoDiffXd>> converted_;
  std::unique_ptr<Context<AutoDiffXd>> context_;
};

template <typename T>
ImplicitIntegrator<T>::ImplicitIntegrator(const System<T>& system,
                                          Context<T>* context)
    : IntegratorBase<T>(system, context),
      matrix_(std::make_unique<IterationMatrix>()) {}

template <typename T>
ImplicitIntegrator<T>::~ImplicitIntegrator() = default;

template <typename T>
void ImplicitIntegrator<T>::set_jacobian_computation_scheme(
    JacobianComputationScheme scheme) {
  if (scheme == JacobianComputationScheme::kAutomatic &&
      automatic_ == nullptr) {
    automatic_ = std::make_unique<AutomaticJacobian>(this->get_system());
  }
  scheme_ = scheme;
  has_jacobian_ = false;
}

template <typename T>
void ImplicitIntegrator<T>::DoInitialize() {
  const int n = this->get_context().num_continuous_states();
  jacobian_.setZero(n, n);
  has_jacobian_ = false;
  matrix_->Invalidate();
  for (auto* x : {&guess_, &xdot_, &xdot_nearby_, &nearby_, &dx_}) {
    x->setZero(n);
  }
  change_ = this->get_system().AllocateTimeDerivatives();
}

template <typename T>
void ImplicitIntegrator<T>::DoReset() {
  has_jacobian_ = false;
  matrix_->Invalidate();
}

template <typename T>
void ImplicitIntegrator<T>::DoSavePlace() {
  saved_jacobian_ = jacobian_;
  had_jacobian_ = has_jacobian_;
}

template <typename T>
void ImplicitIntegrator<T>::DoReturnToPlace() {
  jacobian_ = saved_jacobian_;
  has_jacobian_ = had_jacobian_;
  matrix_->Invalidate();
}

template <typename T>
bool ImplicitIntegrator<T>::CalcDerivatives(const T& t, const VectorX<T>& x,
                                            VectorX<T>* xdot) {
  this->get_mutable_context()
      ->SetTimeAndGetMutableContinuousStateVector(t)
      .SetFromVector(x);
  return this->CopyTimeDerivatives(xdot);
}

template <typename T>
bool ImplicitIntegrator<T>::CalcJacobian(const T& t, const VectorX<T>& x) {
  ++counts_.jacobians;
  has_jacobian_ = false;
  matrix_->Invalidate();
  if (scheme_ == JacobianComputationScheme::kAutomatic) {
    this->get_mutable_context()
        ->SetTimeAndGetMutableContinuousStateVector(t)
        .SetFromVector(x);
    automatic_->Calc(this->get_context(), &jacobian_);
    ++counts_.derivatives_for_jacobian;
    this->add_derivative_evaluations(1);
  } else {
    const int64_t before = this->get_num_derivative_evaluations();
    if (!CalcDifferences(t, x)) return false;
    counts_.derivatives_for_jacobian +=
        this->get_num_derivative_evaluations() - before;
  }
  has_jacobian_ = true;
  return true;
}

template <typename T>
bool ImplicitIntegrator<T>::CalcDifferences(const T& t, const VectorX<T>& x) {
  const bool central = scheme_ == JacobianComputationScheme::kCentralDifference;
  // Balances the error of truncation against that of rounding.
  const double relative = central ? std::cbrt(kEpsilon) : std::sqrt(kEpsilon);
  if (!central && !CalcDerivatives(t, x, &xdot_)) return false;
  nearby_ = x;
  for (int i = 0; i < x.size(); ++i) {
    const double size = std::abs(ExtractDoubleOrThrow(x[i]));
    const double step = relative * std::max(1.0, size);
    const T above = x[i] + step;
    const T below = central ? T(x[i] - step) : x[i];
    if (central) {
      nearby_[i] = below;
      if (!CalcDerivatives(t, nearby_, &xdot_)) return false;
    }
    nearby_[i] = above;
    if (!CalcDerivatives(t, nearby_, &xdot_nearby_)) return false;
    jacobian_.col(i) = (xdot_nearby_ - xdot_) / (above - below);
    nearby_[i] = x[i];
  }
  return true;
}

template <typename T>
bool ImplicitIntegrator<T>::Solve(const T& t, const VectorX<T>& c,
                                  const T& gamma, VectorX<T>* x) {
  guess_ = *x;
  if (reuse_ && has_jacobian_ && !use_full_newton_) {
    if (Iterate(t, c, gamma, x)) return true;
    *x = guess_;
  }
  return CalcJacobian(t, *x) && Iterate(t, c, gamma, x);
}

// The last change was but rounding.
template <typename T>
bool ImplicitIntegrator<T>::StandsStill(const VectorX<T>& x) const {
  double moved = 0;
  double size = 1;
  for (int i = 0; i < x.size(); ++i) {
    moved = std::max(moved, std::abs(ExtractDoubleOrThrow(dx_[i])));
    size = std::max(size, std::abs(ExtractDoubleOrThrow(x[i])));
  }
  return moved <= 10 * kEpsilon * size;
}

template <typename T>
bool ImplicitIntegrator<T>::Iterate(const T& t, const VectorX<T>& c,
                                    const T& gamma, VectorX<T>* x) {
  const double tolerance =
      this->get_accuracy_in_use() *
      (this->get_fixed_step_mode() ? kConvergenceOfFixedSteps : kConvergence);
  double last = 0;
  for (int k = 0; k < max_newton_raphson_iterations(); ++k) {
    if (use_full_newton_ && k > 0 && !CalcJacobian(t, *x)) return false;
    if (!CalcDerivatives(t, *x, &xdot_)) return false;
    if (!matrix_->is_for(gamma)) {
      matrix_->Factor(jacobian_, gamma);
      ++counts_.factorizations;
    }
    nearby_ = c + gamma * xdot_ - *x;
    matrix_->Solve(nearby_, &dx_);
    *x += dx_;
    ++counts_.iterations;

    change_->SetFromVector(dx_);
    const double size =
        ExtractDoubleOrThrow(this->CalcStateChangeNorm(*change_));
    if (!std::isfinite(size)) return false;
    // Not all of a state need count in the norm, so ask for it to stand still.
    if (StandsStill(*x)) return true;
    if (k > 0) {
      const double theta = size / last;
      if (theta >= 1) return false;
      if (size * theta / (1 - theta) < tolerance) return true;
    }
    last = size;
  }
  return false;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ImplicitIntegrator);
