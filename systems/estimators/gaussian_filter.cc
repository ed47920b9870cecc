#include "wyvern/systems/estimators/gaussian_filter.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/estimators/covariance.h"
#include "wyvern/systems/primitives/constant_matrix_product.h"

/* With the innovation r = y - E[y] and L L' = S = Cov[y], a measurement changes
the estimate by K r and its covariance by -K S K', K = Pxy S^-1. With
Z = L^-1 Pxy' and z = L^-1 r these are Z'z and -Z'Z. A filter with an output
matrix C takes P+ = (I - K C) P (I - K C)' + K R K' instead, which stays
positive semidefinite in finite precision (P. D. Joseph; R. S. Bucy and
P. D. Joseph, "Filtering for stochastic processes with applications to
guidance", 1968). Measurements all the time, of intensity R, add

  dx/dt += Pxy R^-1 r,   dP/dt -= Pxy R^-1 Pxy'

which are Z'z and -Z'Z again, with L L' = R (Kalman and Bucy, 1961). All
arithmetic happens in a cache entry, whose value is the memory for it: a step
allocates nothing. */

namespace wyvern::systems::estimators::internal {

namespace {

using wyvern::internal::RequireFinite;
using wyvern::internal::RequireSize;

int PackedSize(int n) { return n + n * (n + 1) / 2; }

template <typename T>
void Unpack(const Eigen::Map<const VectorX<T>>& state, VectorX<T>* x,
            MatrixX<T>* P) {
  const Eigen::Index n = x->size();
  *x = state.head(n);
  Eigen::Index next = n;
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) {
      (*P)(i, j) = state[next++];
      (*P)(j, i) = (*P)(i, j);
    }
  }
}

}  // namespace

template <typename T>
GaussianFilter<T>::GaussianFilter(SystemScalarConverter converter,
                                  const char* who, const FilterSizes& sizes,
                                  const FilterTiming& timing,
                                  const Eigen::VectorXd& x0,
                                  const Eigen::MatrixXd& P0)
    : GaussianStateObserver<T>(std::move(converter)),
      who_(who),
      sizes_(sizes),
      timing_(timing) {
  RequireSize(who, "initial_state_estimate", x0.size(), sizes.n);
  RequireFinite(who, "initial_state_estimate", x0);
  RequireCovariance(who, "initial_state_covariance", P0, sizes.n,
                    Definiteness::kSemidefinite);
  wyvern::internal::RequireAtLeast(who, "the number of states", sizes.n, 1);
  wyvern::internal::RequireAtLeast(who, "the number of outputs", sizes.p, 1);
  if (is_discrete() && timing.measurement_period.has_value()) {
    throw std::logic_error(fmt::format(
        "{}(): discrete_measurement_time_period is {} s, but the observed "
        "System is discrete and measured every {} s; leave the period out.",
        who, *timing.measurement_period, timing.dynamics_period));
  }
  this->DeclareVectorInputPort("observed_system_input", sizes.m);
  this->DeclareVectorInputPort("observed_system_output", sizes.p);

  VectorX<T> state(PackedSize(sizes.n));
  Pack(x0.template cast<T>(), P0.template cast<T>(), &state);
  const auto allocate = &GaussianFilter<T>::AllocateWork;
  if (is_discrete()) {
    this->DeclareDiscreteState(state);
    next_ = &this->DeclareCacheEntry(
        "next estimate",
        ValueProducer(this, allocate, &GaussianFilter<T>::CalcNextState));
    this->DeclarePeriodicDiscreteUpdateEvent(timing.dynamics_period,
                                             timing.dynamics_offset,
                                             &GaussianFilter<T>::Update);
  } else {
    this->DeclareContinuousState(BasicVector<T>(state));
    rates_ = &this->DeclareCacheEntry(
        "rates of the estimate",
        ValueProducer(this, allocate, &GaussianFilter<T>::CalcRates));
  }
  if (timing.measurement_period.has_value()) {
    next_ = &this->DeclareCacheEntry(
        "corrected estimate",
        ValueProducer(this, allocate, &GaussianFilter<T>::CalcCorrectedState));
    this->DeclarePeriodicUnrestrictedUpdateEvent(*timing.measurement_period,
                                                 timing.measurement_offset,
                                                 &GaussianFilter<T>::Measure);
  }
  this->DeclareVectorOutputPort(
      "estimated_state", sizes.n, &GaussianFilter<T>::CalcEstimate,
      {is_discrete() ? this->xd_ticket() : this->xc_ticket()});
}

template <typename T>
std::unique_ptr<FilterWork<T>> GaussianFilter<T>::AllocateWork() const {
  const auto [n, m, p] = sizes_;
  auto work = std::make_unique<FilterWork<T>>();
  work->x.setZero(n);
  work->P.setZero(n, n);
  work->u.setZero(m);
  work->f.setZero(n);
  work->F.setZero(n, n);
  work->y.setZero(p);
  work->Pxy.setZero(n, p);
  work->R.setZero(p, p);
  work->S.setZero(p, p);
  work->scratch = copyable_unique_ptr<FilterScratch>(AllocateScratch());
  work->L.setZero(p, p);
  work->Z.setZero(p, n);
  work->z.setZero(p);
  work->K.setZero(n, p);
  work->M.setZero(n, n);
  work->MP.setZero(n, n);
  work->state.setZero(PackedSize(n));
  return work;
}

template <typename T>
Eigen::Map<const VectorX<T>> GaussianFilter<T>::StateOf(
    const Context<T>& context) const {
  return systems::internal::ViewOf<T>(
      is_discrete()
          ? static_cast<const VectorBase<T>&>(context.get_discrete_state(0))
          : context.get_continuous_state_vector());
}

template <typename T>
void GaussianFilter<T>::Pack(const VectorX<T>& x, const MatrixX<T>& P,
                             VectorX<T>* state) const {
  const Eigen::Index n = x.size();
  state->head(n) = x;
  Eigen::Index next = n;
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) (*state)[next++] = P(i, j);
  }
}

template <typename T>
void GaussianFilter<T>::ReadArguments(const Context<T>& context,
                                      FilterWork<T>* work) const {
  work->time = context.get_time();
  Unpack<T>(StateOf(context), &work->x, &work->P);
  if (sizes_.m > 0) {
    work->u = get_observed_system_input_input_port().Eval(context);
  }
}

template <typename T>
void GaussianFilter<T>::Weigh(const Context<T>& context,
                              const MatrixX<T>& covariance,
                              FilterWork<T>* work) const {
  const int row =
      FactorCovariance<T>(covariance, Definiteness::kDefinite, &work->L);
  if (row >= 0) {
    throw std::runtime_error(fmt::format(
        "{}: '{}': the covariance of output {} given the outputs before it is "
        "not positive at time {} s; raise the covariance of the measurement "
        "noise.",
        who_, this->GetSystemPathname(), row, ScalarText(context.get_time())));
  }
  work->Z = work->Pxy.transpose();
  SolveLower<T>(work->L, &work->Z);
  work->z = get_observed_system_output_input_port().Eval(context) - work->y;
  SolveLower<T>(work->L, &work->z);
}

template <typename T>
void GaussianFilter<T>::Correct(const Context<T>& context,
                                FilterWork<T>* work) const {
  PredictOutput(work);
  Weigh(context, work->S, work);
  work->x.noalias() += work->Z.transpose() * work->z;
  if (work->C.size() == 0) {
    work->P.noalias() -= work->Z.transpose() * work->Z;
    return;
  }
  SolveLowerTransposed<T>(work->L, &work->Z);
  work->K = work->Z.transpose();
  work->M.setIdentity();
  work->M.noalias() -= work->K * work->C;
  work->MP.noalias() = work->M * work->P;
  work->P.noalias() = work->MP * work->M.transpose();
  work->Z.noalias() = work->R * work->K.transpose();
  work->P.noalias() += work->K * work->Z;
}

template <typename T>
void GaussianFilter<T>::CalcRates(const Context<T>& context,
                                  FilterWork<T>* work) const {
  ReadArguments(context, work);
  PredictState(work);
  if (!has_sampled_measurements()) {
    PredictOutput(work);
    Weigh(context, work->R, work);
    work->f.noalias() += work->Z.transpose() * work->z;
    work->F.noalias() -= work->Z.transpose() * work->Z;
  }
  Pack(work->f, work->F, &work->state);
}

template <typename T>
void GaussianFilter<T>::CalcNextState(const Context<T>& context,
                                      FilterWork<T>* work) const {
  ReadArguments(context, work);
  Correct(context, work);
  PredictState(work);
  Pack(work->f, work->F, &work->state);
}

template <typename T>
void GaussianFilter<T>::CalcCorrectedState(const Context<T>& context,
                                           FilterWork<T>* work) const {
  ReadArguments(context, work);
  Correct(context, work);
  Pack(work->x, work->P, &work->state);
}

template <typename T>
void GaussianFilter<T>::CalcEstimate(const Context<T>& context,
                                     BasicVector<T>* x) const {
  x->SetFromVector(StateOf(context).head(sizes_.n));
}

template <typename T>
void GaussianFilter<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (is_discrete()) return;
  derivatives->SetFromVector(
      rates_->template Eval<FilterWork<T>>(context).state);
}

template <typename T>
EventStatus GaussianFilter<T>::Update(const Context<T>& context,
                                      DiscreteValues<T>* next) const {
  next->get_mutable_vector(0).SetFromVector(
      next_->template Eval<FilterWork<T>>(context).state);
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus GaussianFilter<T>::Measure(const Context<T>& context,
                                       State<T>* next) const {
  next->get_mutable_continuous_state().SetFromVector(
      next_->template Eval<FilterWork<T>>(context).state);
  return EventStatus::Succeeded();
}

template <typename T>
void GaussianFilter<T>::SetStateEstimateAndCovariance(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& state_estimate,
    const Eigen::Ref<const MatrixX<T>>& state_covariance) const {
  this->ValidateContext(context);
  const char* const who =
      "GaussianStateObserver::SetStateEstimateAndCovariance";
  RequireSize(who, "state_estimate", state_estimate.size(), sizes_.n);
  RequireFinite(who, "state_estimate", state_estimate);
  RequireCovariance(who, "state_covariance",
                    ToDouble(MatrixX<T>(state_covariance)), sizes_.n,
                    Definiteness::kSemidefinite);
  VectorX<T> state(PackedSize(sizes_.n));
  Pack(state_estimate, state_covariance, &state);
  if (is_discrete()) {
    context->SetDiscreteState(0, state);
  } else {
    context->SetContinuousState(state);
  }
}

template <typename T>
VectorX<T> GaussianFilter<T>::GetStateEstimate(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return StateOf(context).head(sizes_.n);
}

template <typename T>
MatrixX<T> GaussianFilter<T>::GetStateCovariance(
    const Context<T>& context) const {
  this->ValidateContext(context);
  VectorX<T> x(sizes_.n);
  MatrixX<T> P(sizes_.n, sizes_.n);
  Unpack<T>(StateOf(context), &x, &P);
  return P;
}

}  // namespace wyvern::systems::estimators::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::estimators::internal::GaussianFilter);
