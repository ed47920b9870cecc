#include "wyvern/systems/estimators/extended_kalman_filter.h"

#include <stdexcept>
#include <utility>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/estimators/filter_options.h"

/* The observed System is evaluated on AutoDiffXd, with the estimate and the
noise as variables: f, A = df/dx and G = df/dw come of one evaluation, g,
C = dg/dx and H = dg/dv of another. The predictions are those of the Kalman
filter of these matrices, with G W G' and H V H' in place of W and V of noises
that have a port (A. H. Jazwinski, "Stochastic processes and filtering theory",
1970, section 8.3). For a linear System they are the Kalman filter's. */

namespace wyvern::systems::estimators {

#if WYVERN_AUTODIFF

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using MatrixRef = Eigen::Ref<const MatrixXd>;

constexpr char kExtended[] = "ExtendedKalmanFilter";

// The model on AutoDiffXd, and derivatives.
struct ExtendedScratch final : public internal::FilterScratch {
  std::unique_ptr<internal::FilterScratch> Clone() const final {
    return std::make_unique<ExtendedScratch>(*this);
  }

  internal::ObservedSystem<AutoDiffXd>::Workspace model;
  VectorX<AutoDiffXd> x, u, w, v;
  VectorX<AutoDiffXd> f;
  MatrixXd A;      // n x n
  MatrixXd G, GW;  // n x the size of w
  MatrixXd H, HV;  // p x the size of v
};

// Sets numbers that are variables number `first` and on, out of `total`.
void SetVariables(const VectorXd& values, int first, int total,
                  VectorX<AutoDiffXd>* variables) {
  for (int i = 0; i < values.size(); ++i) {
    (*variables)[i] = AutoDiffXd(values[i], total, first + i);
  }
}

void SetConstants(const VectorXd& values, VectorX<AutoDiffXd>* constants) {
  for (int i = 0; i < values.size(); ++i) {
    (*constants)[i] = AutoDiffXd(values[i]);
  }
}

// Splits numbers into values and derivatives with respect to two groups of
// variables. A number that depends on none comes without derivatives.
void Split(const VectorX<AutoDiffXd>& numbers, VectorXd* values,
           MatrixXd* first, MatrixXd* second) {
  for (int i = 0; i < numbers.size(); ++i) {
    (*values)[i] = numbers[i].value();
    const auto& derivatives = numbers[i].derivatives();
    if (derivatives.size() == 0) {
      first->row(i).setZero();
      second->row(i).setZero();
      continue;
    }
    for (int j = 0; j < first->cols(); ++j) (*first)(i, j) = derivatives[j];
    for (int j = 0; j < second->cols(); ++j) {
      (*second)(i, j) = derivatives[static_cast<int>(first->cols()) + j];
    }
  }
}

class ExtendedFilter final : public internal::GaussianFilter<double> {
 public:
  // `x0` and `P0` have their sizes.
  ExtendedFilter(std::unique_ptr<internal::ObservedSystem<AutoDiffXd>> model,
                 MatrixXd W, MatrixXd V,
                 const ExtendedKalmanFilterOptions& options, const VectorXd& x0,
                 const MatrixXd& P0)
      : GaussianFilter(SystemScalarConverter(), kExtended,
                       internal::SizesOf(*model),
                       internal::TimingOf(options, *model), x0, P0),
        model_(std::move(model)),
        W_(std::move(W)),
        V_(std::move(V)) {
    internal::RequireNoise(kExtended, *model_, W_, V_);
  }

 private:
  std::unique_ptr<internal::FilterScratch> AllocateScratch() const final {
    auto scratch = std::make_unique<ExtendedScratch>();
    const int n = model_->num_states();
    const int num_w = model_->num_process_noises();
    const int num_v = model_->num_measurement_noises();
    scratch->model = *model_->Allocate();
    scratch->x.setZero(n);
    scratch->u.setZero(model_->num_inputs());
    scratch->w.setZero(num_w);
    scratch->v.setZero(num_v);
    scratch->f.setZero(n);
    scratch->A.setZero(n, n);
    scratch->G.setZero(n, num_w);
    scratch->GW.setZero(n, num_w);
    scratch->H.setZero(model_->num_outputs(), num_v);
    scratch->HV.setZero(model_->num_outputs(), num_v);
    SetVariables(VectorXd::Zero(num_w), n, n + num_w, &scratch->w);
    SetVariables(VectorXd::Zero(num_v), n, n + num_v, &scratch->v);
    return scratch;
  }

  // Time, estimate and input; the estimate is variables of `total`.
  void SetArguments(const internal::FilterWork<double>& work, int total,
                    ExtendedScratch* scratch) const {
    SetVariables(work.x, 0, total, &scratch->x);
    SetConstants(work.u, &scratch->u);
    model_->SetTime(AutoDiffXd(work.time), &scratch->model);
    model_->SetState(scratch->x, &scratch->model);
    model_->SetInput(scratch->u, &scratch->model);
  }

  void PredictState(internal::FilterWork<double>* work) const final {
    auto& scratch = static_cast<ExtendedScratch&>(*work->scratch);
    const int num_w = model_->num_process_noises();
    SetArguments(*work, model_->num_states() + num_w, &scratch);
    model_->SetProcessNoise(scratch.w, &scratch.model);
    model_->CalcDynamics(&scratch.model, &scratch.f);
    Split(scratch.f, &work->f, &scratch.A, &scratch.G);

    work->MP.noalias() = scratch.A * work->P;
    if (num_w == 0) {
      work->F = W_;
    } else {
      scratch.GW.noalias() = scratch.G * W_;
      work->F.noalias() = scratch.GW * scratch.G.transpose();
    }
    if (is_discrete()) {
      work->F.noalias() += work->MP * scratch.A.transpose();
    } else {
      work->F += work->MP;
      work->F += work->MP.transpose();
    }
  }

  void PredictOutput(internal::FilterWork<double>* work) const final {
    auto& scratch = static_cast<ExtendedScratch&>(*work->scratch);
    const int num_v = model_->num_measurement_noises();
    SetArguments(*work, model_->num_states() + num_v, &scratch);
    model_->SetMeasurementNoise(scratch.v, &scratch.model);
    work->C.resize(model_->num_outputs(), model_->num_states());
    Split(model_->EvalOutput(scratch.model), &work->y, &work->C, &scratch.H);

    work->Pxy.noalias() = work->P * work->C.transpose();
    if (num_v == 0) {
      work->R = V_;
    } else {
      scratch.HV.noalias() = scratch.H * V_;
      work->R.noalias() = scratch.HV * scratch.H.transpose();
    }
    if (!has_sampled_measurements()) return;
    work->S = work->R;
    work->S.noalias() += work->C * work->Pxy;
  }

  const std::unique_ptr<const internal::ObservedSystem<AutoDiffXd>> model_;
  const MatrixXd W_;
  const MatrixXd V_;
};

}  // namespace

std::unique_ptr<GaussianStateObserver<double>> ExtendedKalmanFilter(
    std::shared_ptr<const System<AutoDiffXd>> observed_system,
    const Context<AutoDiffXd>& observed_system_context, const MatrixRef& W,
    const MatrixRef& V, const ExtendedKalmanFilterOptions& options) {
  auto model = std::make_unique<internal::ObservedSystem<AutoDiffXd>>(
      kExtended, std::move(observed_system), observed_system_context,
      internal::PortsOf(options));
  const int n = model->num_states();
  const VectorXd x0 =
      options.initial_state_estimate.value_or(VectorXd::Zero(n));
  const MatrixXd P0 =
      options.initial_state_covariance.value_or(MatrixXd::Zero(n, n));
  return std::make_unique<ExtendedFilter>(std::move(model), W, V, options, x0,
                                          P0);
}

std::unique_ptr<GaussianStateObserver<double>> ExtendedKalmanFilter(
    const System<double>& observed_system,
    const Context<double>& observed_system_context, const MatrixRef& W,
    const MatrixRef& V, const ExtendedKalmanFilterOptions& options) {
  observed_system.ValidateContext(observed_system_context);
  const std::shared_ptr<const System<AutoDiffXd>> converted =
      observed_system.ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(observed_system_context);
  converted->FixInputPortsFrom(observed_system, observed_system_context,
                               context.get());
  return ExtendedKalmanFilter(converted, *context, W, V, options);
}

#else

std::unique_ptr<GaussianStateObserver<double>> ExtendedKalmanFilter(
    const System<double>& observed_system, const Context<double>&,
    const Eigen::Ref<const Eigen::MatrixXd>&,
    const Eigen::Ref<const Eigen::MatrixXd>&,
    const ExtendedKalmanFilterOptions&) {
  // Throws: the library has no AutoDiffXd.
  observed_system.ToAutoDiffXd();
  return nullptr;
}

#endif

}  // namespace wyvern::systems::estimators
