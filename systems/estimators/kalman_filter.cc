#include "wyvern/systems/estimators/kalman_filter.h"

#include <algorithm>
#include <utility>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/controllers/kalman_observer.h"
#include "wyvern/systems/estimators/covariance.h"

/* Predictions of a linear System: E[x[n+1]] = A x + B u with the covariance
A P A' + W, or the rates A x + B u and A P + P A' + W; E[y] = C x + D u with the
covariance C P C' + V, and P C' together with x (R. E. Kalman, "A new approach
to linear filtering and prediction problems", 1960). GaussianFilter does the
rest. The functions of the steady state wrap controllers::CalcKalmanGain(),
which solves the Riccati equation. */

namespace wyvern::systems::estimators {

namespace {

using Eigen::MatrixXd;
using MatrixRef = Eigen::Ref<const MatrixXd>;

constexpr char kKalmanFilter[] = "KalmanFilter";

void RequireMatrix(const char* name, const MatrixXd& M, Eigen::Index rows,
                   Eigen::Index cols) {
  wyvern::internal::RequireShape(kKalmanFilter, name, M, rows, cols);
  wyvern::internal::RequireFinite(kKalmanFilter, name, M);
}

KalmanFilterSettings CompleteAndCheck(KalmanFilterSettings s) {
  const Eigen::Index n = s.A.rows();
  if (s.C.size() == 0) s.C = MatrixXd::Identity(n, n);
  const Eigen::Index m = std::max(s.B.cols(), s.D.cols());
  const Eigen::Index p = s.C.rows();
  if (s.B.size() == 0) s.B.setZero(n, m);
  if (s.D.size() == 0) s.D.setZero(p, m);
  if (s.initial_state_estimate.size() == 0) s.initial_state_estimate.setZero(n);
  if (s.initial_state_covariance.size() == 0) {
    s.initial_state_covariance.setZero(n, n);
  }
  RequireMatrix("A", s.A, n, n);
  RequireMatrix("B", s.B, n, m);
  RequireMatrix("C", s.C, p, n);
  RequireMatrix("D", s.D, p, m);
  internal::RequireCovariance(kKalmanFilter, "W", s.W, n,
                              internal::Definiteness::kSemidefinite);
  internal::RequireCovariance(kKalmanFilter, "V", s.V, p,
                              internal::Definiteness::kDefinite);
  wyvern::internal::RequireNonNegative(kKalmanFilter, "time_period",
                                       s.time_period);
  wyvern::internal::RequireNonNegative(kKalmanFilter, "measurement_period",
                                       s.measurement_period);
  return s;
}

internal::FilterTiming TimingOf(const KalmanFilterSettings& s) {
  internal::FilterTiming timing{.dynamics_period = s.time_period};
  if (s.measurement_period > 0)
    timing.measurement_period = s.measurement_period;
  return timing;
}

}  // namespace

template <typename T>
KalmanFilter<T>::KalmanFilter(const KalmanFilterSettings& settings)
    : KalmanFilter(CompleteAndCheck(settings), true) {}

template <typename T>
KalmanFilter<T>::KalmanFilter(KalmanFilterSettings settings, bool)
    : internal::GaussianFilter<T>(
          SystemTypeTag<estimators::KalmanFilter>{}, kKalmanFilter,
          {.n = static_cast<int>(settings.A.rows()),
           .m = static_cast<int>(settings.B.cols()),
           .p = static_cast<int>(settings.C.rows())},
          TimingOf(settings), settings.initial_state_estimate,
          settings.initial_state_covariance),
      settings_(std::move(settings)),
      A_(settings_.A.template cast<T>()),
      B_(settings_.B.template cast<T>()),
      C_(settings_.C.template cast<T>()),
      D_(settings_.D.template cast<T>()),
      W_(settings_.W.template cast<T>()),
      V_(settings_.V.template cast<T>()) {}

template <typename T>
void KalmanFilter<T>::PredictState(internal::FilterWork<T>* work) const {
  work->f.noalias() = A_ * work->x;
  if (B_.cols() > 0) work->f.noalias() += B_ * work->u;
  work->MP.noalias() = A_ * work->P;
  work->F = W_;
  if (this->is_discrete()) {
    work->F.noalias() += work->MP * A_.transpose();
  } else {
    work->F += work->MP;
    work->F += work->MP.transpose();
  }
}

template <typename T>
void KalmanFilter<T>::PredictOutput(internal::FilterWork<T>* work) const {
  work->C = C_;
  work->y.noalias() = C_ * work->x;
  if (D_.cols() > 0) work->y.noalias() += D_ * work->u;
  work->Pxy.noalias() = work->P * C_.transpose();
  work->R = V_;
  if (!this->has_sampled_measurements()) return;
  work->S = V_;
  work->S.noalias() += C_ * work->Pxy;
}

template <typename T>
std::unique_ptr<internal::FilterScratch> KalmanFilter<T>::AllocateScratch()
    const {
  return nullptr;
}

MatrixXd SteadyStateKalmanFilter(const MatrixRef& A, const MatrixRef& C,
                                 const MatrixRef& W, const MatrixRef& V) {
  const LinearSystem<double> system(A, MatrixXd(), C);
  return controllers::CalcKalmanGain(system, W, V).L;
}

MatrixXd DiscreteTimeSteadyStateKalmanFilter(const MatrixRef& A,
                                             const MatrixRef& C,
                                             const MatrixRef& W,
                                             const MatrixRef& V) {
  const LinearSystem<double> system(A, MatrixXd(), C, MatrixXd(), 1.0);
  return controllers::CalcKalmanGain(system, W, V).L;
}

std::unique_ptr<LuenbergerObserver<double>> SteadyStateKalmanFilter(
    std::shared_ptr<const LinearSystem<double>> system, const MatrixRef& W,
    const MatrixRef& V) {
  wyvern::internal::RequireNotNull("SteadyStateKalmanFilter", "system", system);
  const MatrixXd L = controllers::CalcKalmanGain(*system, W, V).L;
  const auto context = system->CreateDefaultContext();
  return std::make_unique<LuenbergerObserver<double>>(std::move(system),
                                                      *context, L);
}

std::unique_ptr<LuenbergerObserver<double>> SteadyStateKalmanFilter(
    std::shared_ptr<const System<double>> system,
    const Context<double>& context, const MatrixRef& W, const MatrixRef& V) {
  wyvern::internal::RequireNotNull("SteadyStateKalmanFilter", "system", system);
  const MatrixXd L =
      controllers::CalcKalmanGain(*Linearize(*system, context), W, V).L;
  return std::make_unique<LuenbergerObserver<double>>(std::move(system),
                                                      context, L);
}

}  // namespace wyvern::systems::estimators

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::estimators::KalmanFilter);
