#include "wyvern/systems/estimators/unscented_kalman_filter.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/estimators/filter_options.h"

/* Sigma points of [x; w] with the covariance of P and W side by side: the
center, and the center +- c l for the columns l of both Cholesky factors, c =
sqrt(N + lambda). A function h has at them the values h_0, h_k+ and h_k-. Then

  E[h]      = W0m h_0 + Wi sum (h_k+ + h_k-)
  Cov[h]    = W0c d_0 d_0' + Wi sum (d_k+ d_k+' + d_k- d_k-'),  d = h - E[h]
  Cov[x, h] = Wi c sum over the columns of P's factor of l (h_k+ - h_k-)'

(S. J. Julier, J. K. Uhlmann, "A new extension of the Kalman filter to nonlinear
systems", 1997.) In continuous time dP/dt = Cov[x, f] + Cov[x, f]' + Q (S.
Sarkka, "On unscented Kalman filtering for state estimation of continuous-time
nonlinear systems", 2007). Q is W, or that part of Cov[f] which comes of the
points of w, with d = f_k - f_0; the intensity of v likewise. Additive noise is
added to a covariance and has no points. For a linear System these are the
predictions of the Kalman filter. */

namespace wyvern::systems::estimators {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using MatrixRef = Eigen::Ref<const MatrixXd>;
using TransformParameters =
    UnscentedKalmanFilterOptions::UnscentedTransformParameters;

constexpr char kUnscented[] = "UnscentedKalmanFilter";

// PointWeights of the points of N numbers.
struct PointWeights {
  double mean0{};
  double covariance0{};
  double others{};
  double distance{};  // c
};

PointWeights CalcWeights(int N, const TransformParameters& parameters) {
  const double alpha = parameters.alpha;
  const auto* function =
      std::get_if<std::function<double(int)>>(&parameters.kappa);
  if (function != nullptr) {
    wyvern::internal::RequireNotEmpty(kUnscented, "kappa", !*function);
  }
  const double kappa =
      function != nullptr ? (*function)(N) : std::get<double>(parameters.kappa);
  wyvern::internal::RequirePositive(kUnscented, "alpha", alpha);
  wyvern::internal::RequireFinite(kUnscented, "beta", parameters.beta);
  wyvern::internal::RequireFinite(kUnscented, "kappa", kappa);
  if (!(N + kappa > 0)) {
    throw std::logic_error(
        fmt::format("{}(): kappa is {} for sigma points of {} numbers; it must "
                    "be more than {}.",
                    kUnscented, kappa, N, -N));
  }
  const double spread = alpha * alpha * (N + kappa);  // N + lambda
  const double mean0 = (spread - N) / spread;
  return {.mean0 = mean0,
          .covariance0 = mean0 + 1 - alpha * alpha + parameters.beta,
          .others = 0.5 / spread,
          .distance = std::sqrt(spread)};
}

// A noise: its covariance, and the points that it adds.
struct PointNoise {
  MatrixXd covariance{};
  bool has_port{};
  MatrixXd factor{};  // without a port: no columns
  PointWeights weights{};
};

PointNoise MakeNoise(const MatrixRef& covariance, int num_states, int port_size,
                     const TransformParameters& parameters) {
  PointNoise noise{.covariance = covariance, .has_port = port_size > 0};
  noise.factor.setZero(port_size, port_size);
  if (noise.has_port) {
    internal::FactorCovariance<double>(
        noise.covariance, internal::Definiteness::kSemidefinite, &noise.factor);
  }
  noise.weights = CalcWeights(num_states + port_size, parameters);
  return noise;
}

// The model, and values at the points.
struct UnscentedScratch final : public internal::FilterScratch {
  std::unique_ptr<internal::FilterScratch> Clone() const final {
    return std::make_unique<UnscentedScratch>(*this);
  }

  internal::ObservedSystem<double>::Workspace model;
  MatrixXd L;  // n x n
  VectorXd x;
  VectorXd w, v;
  // A column for the center, one for each + and one for each -.
  MatrixXd f_values, g_values;
  VectorXd f, plus_minus_f, plus_minus_g;
};

class UnscentedFilter final : public internal::GaussianFilter<double> {
 public:
  // `x0` and `P0` have their sizes.
  UnscentedFilter(std::unique_ptr<internal::ObservedSystem<double>> model,
                  const MatrixRef& W, const MatrixRef& V,
                  const UnscentedKalmanFilterOptions& options,
                  const VectorXd& x0, const MatrixXd& P0)
      : GaussianFilter(SystemScalarConverter(), kUnscented,
                       internal::SizesOf(*model),
                       internal::TimingOf(options, *model), x0, P0),
        model_(std::move(model)) {
    internal::RequireNoise(kUnscented, *model_, W, V);
    const TransformParameters& parameters =
        options.unscented_transform_parameters;
    const int n = model_->num_states();
    w_ = MakeNoise(W, n, model_->num_process_noises(), parameters);
    v_ = MakeNoise(V, n, model_->num_measurement_noises(), parameters);
    FollowSettingsOf(model_->system());
  }

 private:
  std::unique_ptr<internal::FilterScratch> AllocateScratch() const final {
    auto scratch = std::make_unique<UnscentedScratch>();
    const Eigen::Index n = model_->num_states();
    const Eigen::Index p = model_->num_outputs();
    scratch->model = *model_->Allocate();
    scratch->L.setZero(n, n);
    scratch->x.setZero(n);
    scratch->w.setZero(w_.factor.rows());
    scratch->v.setZero(v_.factor.rows());
    scratch->f_values.setZero(n, 1 + 2 * (n + w_.factor.cols()));
    scratch->g_values.setZero(p, 1 + 2 * (n + v_.factor.cols()));
    scratch->f.setZero(n);
    scratch->plus_minus_f.setZero(n);
    scratch->plus_minus_g.setZero(p);
    return scratch;
  }

  // Evaluates f or g at the center and at all sigma points.
  template <typename SetNoise, typename Evaluate>
  void EvaluateAtPoints(const internal::FilterWork<double>& work,
                        const PointNoise& noise, VectorXd* noise_values,
                        UnscentedScratch* scratch, const SetNoise& set_noise,
                        const Evaluate& evaluate) const {
    const int row = internal::FactorCovariance<double>(
        work.P, internal::Definiteness::kSemidefinite, &scratch->L);
    if (row >= 0) {
      throw std::runtime_error(fmt::format(
          "{}: '{}': the covariance of the estimate is not positive in state "
          "{} at time {} s; raise the covariances of the noises or alpha.",
          kUnscented, GetSystemPathname(), row, work.time));
    }
    model_->SetTime(work.time, &scratch->model);
    model_->SetInput(work.u, &scratch->model);
    noise_values->setZero();
    set_noise(*noise_values);
    model_->SetState(work.x, &scratch->model);
    evaluate(0);
    const int n = static_cast<int>(work.x.size());
    const double c = noise.weights.distance;
    const int num_points = n + static_cast<int>(noise.factor.cols());
    for (int sign : {1, -1}) {
      const int first = sign > 0 ? 1 : 1 + num_points;
      for (int k = 0; k < n; ++k) {
        scratch->x = work.x + sign * c * scratch->L.col(k);
        model_->SetState(scratch->x, &scratch->model);
        evaluate(first + k);
      }
      if (!noise.has_port) continue;
      model_->SetState(work.x, &scratch->model);
      for (int k = n; k < num_points; ++k) {
        *noise_values = sign * c * noise.factor.col(k - n);
        set_noise(*noise_values);
        evaluate(first + k);
      }
      noise_values->setZero();
      set_noise(*noise_values);
    }
  }

  // Sets the mean of `values`, and their covariance with x.
  static void CalcMoments(const PointNoise& noise, const MatrixXd& values,
                          const MatrixXd& L, VectorXd* plus_minus,
                          VectorXd* mean, MatrixXd* with_x) {
    const Eigen::Index num_points = (values.cols() - 1) / 2;
    *mean = noise.weights.mean0 * values.col(0);
    for (Eigen::Index k = 1; k < values.cols(); ++k) {
      *mean += noise.weights.others * values.col(k);
    }
    with_x->setZero();
    const double factor = noise.weights.others * noise.weights.distance;
    for (Eigen::Index k = 0; k < L.cols(); ++k) {
      *plus_minus =
          factor * (values.col(1 + k) - values.col(1 + k + num_points));
      for (Eigen::Index j = 0; j < with_x->cols(); ++j) {
        with_x->col(j) += (*plus_minus)[j] * L.col(k);
      }
    }
  }

  static void AddSquare(double weight, const VectorXd& d, MatrixXd* sum) {
    for (Eigen::Index j = 0; j < d.size(); ++j) {
      sum->col(j) += (weight * d[j]) * d;
    }
  }

  // The covariance of `values`, all points, into `sum`.
  static void CalcCovariance(const PointNoise& noise, const MatrixXd& values,
                             const VectorXd& mean, VectorXd* d, MatrixXd* sum) {
    if (noise.has_port) {
      sum->setZero();
    } else {
      *sum = noise.covariance;
    }
    for (Eigen::Index k = 0; k < values.cols(); ++k) {
      *d = values.col(k) - mean;
      AddSquare(k == 0 ? noise.weights.covariance0 : noise.weights.others, *d,
                sum);
    }
  }

  // The part of the covariance of `values` that comes of the noise alone.
  static void CalcIntensity(const PointNoise& noise, const MatrixXd& values,
                            Eigen::Index num_states, VectorXd* d,
                            MatrixXd* sum) {
    if (!noise.has_port) {
      *sum = noise.covariance;
      return;
    }
    sum->setZero();
    const Eigen::Index num_points = (values.cols() - 1) / 2;
    for (Eigen::Index k = num_states; k < num_points; ++k) {
      for (const Eigen::Index column : {1 + k, 1 + k + num_points}) {
        *d = values.col(column) - values.col(0);
        AddSquare(noise.weights.others, *d, sum);
      }
    }
  }

  void PredictState(internal::FilterWork<double>* work) const final {
    auto& scratch = static_cast<UnscentedScratch&>(*work->scratch);
    EvaluateAtPoints(
        *work, w_, &scratch.w, &scratch,
        [&](const VectorXd& w) { model_->SetProcessNoise(w, &scratch.model); },
        [&](int k) {
          model_->CalcDynamics(&scratch.model, &scratch.f);
          scratch.f_values.col(k) = scratch.f;
        });
    CalcMoments(w_, scratch.f_values, scratch.L, &scratch.plus_minus_f,
                &work->f, &work->MP);
    if (is_discrete()) {
      CalcCovariance(w_, scratch.f_values, work->f, &scratch.plus_minus_f,
                     &work->F);
      return;
    }
    CalcIntensity(w_, scratch.f_values, model_->num_states(),
                  &scratch.plus_minus_f, &work->F);
    work->F += work->MP;
    work->F += work->MP.transpose();
  }

  void PredictOutput(internal::FilterWork<double>* work) const final {
    auto& scratch = static_cast<UnscentedScratch&>(*work->scratch);
    EvaluateAtPoints(
        *work, v_, &scratch.v, &scratch,
        [&](const VectorXd& v) {
          model_->SetMeasurementNoise(v, &scratch.model);
        },
        [&](int k) {
          scratch.g_values.col(k) = model_->EvalOutput(scratch.model);
        });
    CalcMoments(v_, scratch.g_values, scratch.L, &scratch.plus_minus_g,
                &work->y, &work->Pxy);
    if (has_sampled_measurements()) {
      CalcCovariance(v_, scratch.g_values, work->y, &scratch.plus_minus_g,
                     &work->S);
    } else {
      CalcIntensity(v_, scratch.g_values, model_->num_states(),
                    &scratch.plus_minus_g, &work->R);
    }
  }

  const std::unique_ptr<const internal::ObservedSystem<double>> model_;
  PointNoise w_;
  PointNoise v_;
};

}  // namespace

std::unique_ptr<GaussianStateObserver<double>> UnscentedKalmanFilter(
    std::shared_ptr<const System<double>> observed_system,
    const Context<double>& observed_system_context, const MatrixRef& W,
    const MatrixRef& V, const UnscentedKalmanFilterOptions& options) {
  auto model = std::make_unique<internal::ObservedSystem<double>>(
      kUnscented, std::move(observed_system), observed_system_context,
      internal::PortsOf(options));
  const int n = model->num_states();
  const VectorXd x0 =
      options.initial_state_estimate.value_or(VectorXd::Zero(n));
  const MatrixXd P0 = options.initial_state_covariance.value_or(
      std::numeric_limits<double>::epsilon() * MatrixXd::Identity(n, n));
  return std::make_unique<UnscentedFilter>(std::move(model), W, V, options, x0,
                                           P0);
}

std::unique_ptr<GaussianStateObserver<double>> UnscentedKalmanFilter(
    const System<double>& observed_system,
    const Context<double>& observed_system_context, const MatrixRef& W,
    const MatrixRef& V, const UnscentedKalmanFilterOptions& options) {
  return UnscentedKalmanFilter(
      std::shared_ptr<const System<double>>(std::shared_ptr<const void>(),
                                            &observed_system),
      observed_system_context, W, V, options);
}

}  // namespace wyvern::systems::estimators
