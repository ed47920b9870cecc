#include "wyvern/multibody/fem/fem_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/math/newton.h"

/* A step starts with v+ = v. Each iteration evaluates energy, forces and
stiffness at the positions that v+ leads to, and solves

  (M (1 / (gamma dt) + alpha) + w dt K + beta C) d = -r

for the direction d, the first time by a factor; r is the residual, the gradient
by v+ of the potential

  |v+ - v - (1 - gamma) dt a|²_M / (2 gamma dt) + alpha/2 |v+|²_M
    + beta/2 |v+|²_C + E(q+) / (w dt) - f . v+.

That is Newton's method as long as the matrix is positive, which its factor
shows; where it is not, K is made so, element by element. Then d leads downhill,
and the line search halves it until the potential falls. */

namespace wyvern::multibody::fem::internal {
namespace {

using wyvern::internal::Caller;
using wyvern::internal::WorkerThreads;

bool IsLinear(const FemModel& model) {
  const MaterialModel material = model.config().material_model();
  return material == MaterialModel::kLinear ||
         material == MaterialModel::kLinearCorotated;
}

}  // namespace

TimeScheme TimeScheme::Newmark(double gamma, double beta) {
  wyvern::internal::RequireInRange("TimeScheme::Newmark", "gamma", gamma, 0.5,
                                   1);
  wyvern::internal::RequireInRange("TimeScheme::Newmark", "beta", beta,
                                   gamma / 2, gamma);
  return {gamma, beta / gamma, 0.5 - beta / gamma};
}

FemState MakeDefaultState(const FemModel& model) {
  const VectorX<double>& q = model.reference_positions();
  const VectorX<double> zero = VectorX<double>::Zero(q.size());
  return {q, zero, zero};
}

double CalcKineticEnergy(const FemModel& model, const VectorX<double>& v) {
  VectorX<double> p = VectorX<double>::Zero(v.size());
  model.AddMassProduct(v, &p);
  return 0.5 * v.dot(p);
}

FemStepper::FemStepper(const FemModel* model, double dt,
                       const TimeScheme& scheme)
    : model_(model),
      dt_(dt),
      scheme_(scheme),
      start_(MakeDefaultState(*model)),
      cholesky_(&model->pattern()) {
  wyvern::internal::RequirePositive("FemStepper", "dt", dt);
  for (VectorX<double>* x :
       {&q_, &v_, &trial_, &direction_, &residual_, &gradient_, &work_,
        &product_, &cg_residual_, &cg_step_}) {
    x->setZero(start_.q.size());
  }
  for (std::vector<Block>* blocks : {&K_, &C_, &A_}) {
    blocks->assign(model->pattern().num_blocks(), Block{});
  }
}

void FemStepper::Start(const FemState& state) {
  const Caller who = Caller::Element("Deformable body", model_->name());
  for (const auto& [given, what] : {std::pair(&state.q, "positions"),
                                    {&state.v, "velocities"},
                                    {&state.a, "accelerations"}}) {
    wyvern::internal::RequireSize(who, what, given->size(), start_.q.size());
    wyvern::internal::RequireFinite(who, what, *given);
  }
  start_.q = state.q;
  start_.v = state.v;
  start_.a = state.a;
  for (int i = 0; i < model_->num_vertices(); ++i) {
    if (!model_->is_fixed()[i]) continue;
    start_.q.segment<3>(3 * i) = model_->fixed_positions().segment<3>(3 * i);
    start_.v.segment<3>(3 * i).setZero();
    start_.a.segment<3>(3 * i).setZero();
  }
  v_ = start_.v;
}

void FemStepper::CalcPositions(const VectorX<double>& v) {
  q_ = start_.q + dt_ * (scheme_.w * v + (1 - scheme_.w) * start_.v) +
       dt_ * dt_ * scheme_.c * start_.a;
}

double FemStepper::CalcPotential(const VectorX<double>& v,
                                 const VectorX<double>& f, Wanted wanted) {
  const double gamma = scheme_.gamma;
  CalcPositions(v);
  energy_ =
      model_->CalcElasticity(start_.q, q_, wanted, &gradient_, &K_, workers_);
  double potential = energy_ / (scheme_.w * dt_) - f.dot(v);
  work_ = v - start_.v - (1 - gamma) * dt_ * start_.a;
  product_.setZero();
  model_->AddMassProduct(work_, &product_);
  potential += work_.dot(product_) / (2 * gamma * dt_);
  const double alpha = model_->config().mass_damping_coefficient();
  if (alpha > 0) {
    product_.setZero();
    model_->AddMassProduct(v, &product_);
    potential += 0.5 * alpha * v.dot(product_);
  }
  const double beta = model_->config().stiffness_damping_coefficient();
  if (beta > 0) {
    product_.setZero();
    AddProduct(model_->pattern(), C_, v, &product_);
    potential += 0.5 * beta * v.dot(product_);
  }
  return potential;
}

// At v_, after its potential.
void FemStepper::CalcResidual(const VectorX<double>& f) {
  const double gamma = scheme_.gamma;
  const double beta = model_->config().stiffness_damping_coefficient();
  residual_ = gradient_ - f;
  work_ = (v_ - start_.v) / (gamma * dt_) - (1 - gamma) / gamma * start_.a +
          model_->config().mass_damping_coefficient() * v_;
  model_->AddMassProduct(work_, &residual_);
  if (beta > 0) {
    work_ = beta * v_;
    AddProduct(model_->pattern(), C_, work_, &residual_);
  }
}

void FemStepper::MakeMatrix() {
  const double of_mass =
      1 / (scheme_.gamma * dt_) + model_->config().mass_damping_coefficient();
  const double of_K = scheme_.w * dt_;
  const double beta = model_->config().stiffness_damping_coefficient();
  for (size_t k = 0; k < A_.size(); ++k) {
    for (int i = 0; i < 9; ++i) A_[k][i] = of_K * K_[k][i];
    for (int i = 0; i < 9 && beta > 0; ++i) A_[k][i] += beta * C_[k][i];
    const double mass = of_mass * model_->masses()[k];
    for (const int i : {0, 4, 8}) A_[k][i] += mass;
  }
}

void FemStepper::SolveDirection(const VectorX<double>& f, double before) {
  MakeMatrix();
  direction_error_ = 0;
  if (num_iterations_ == 0 || !SolveByLastFactor(before)) {
    if (must_project_ || !cholesky_.Factor(A_, workers_)) {
      must_project_ = true;
      CalcPotential(v_, f, Wanted::kPositiveStiffness);
      MakeMatrix();
      if (!cholesky_.Factor(A_, workers_)) {
        ThrowFailure("its matrix is singular to rounding");
      }
    }
    cholesky_.Solve(residual_, &direction_);
    direction_ *= -1;
  }
  if (!wyvern::internal::AllFinite(direction_)) {
    ThrowFailure("its velocities are not finite");
  }
}

// The matrices of a step's iterations are near each other: conjugate gradients
// with the factor of an earlier one find the direction much sooner than another
// factor would. They go as far as Newton's method does: it leaves of a
// direction d about d (d / d')², d' the one before, so that a tenth of that is
// exact enough, and so is a tenth of what velocities may err by. False if they
// do not get there, or the matrix is not positive.
bool FemStepper::SolveByLastFactor(double before) {
  constexpr int kMostProducts = 20;
  constexpr double kFinest = 1e-8, kCoarsest = 0.1;
  const BlockPattern& pattern = model_->pattern();
  direction_.setZero();
  cg_residual_ = -residual_;
  double last = 0, first = 0, tolerance = 0;
  for (int k = 0; k < kMostProducts; ++k) {
    cholesky_.Solve(cg_residual_, &work_);
    const double now = cg_residual_.dot(work_);
    if (!(now > 0)) return now == 0;
    if (k == 0) {
      first = now;
      const double size = work_.lpNorm<Eigen::Infinity>();
      tolerance = 0.1 * std::max(size / before * (size / before),
                                 CalcTolerance() / size);
      tolerance = std::clamp(tolerance, kFinest, kCoarsest);
      direction_error_ = tolerance * size;
    }
    if (now <= tolerance * tolerance * first) return true;
    if (k == 0) {
      cg_step_ = work_;
    } else {
      cg_step_ = work_ + now / last * cg_step_;
    }
    product_.setZero();
    AddProduct(pattern, A_, cg_step_, &product_);
    const double length = now / cg_step_.dot(product_);
    if (!(length > 0)) break;
    direction_ += length * cg_step_;
    cg_residual_ -= length * product_;
    last = now;
  }
  direction_error_ = 0;
  return false;
}

// How near velocities have to be, m/s.
double FemStepper::CalcTolerance() const {
  constexpr double kSmall = 1e-9, kSmallest = 1e-12;
  return kSmall * v_.lpNorm<Eigen::Infinity>() +
         kSmallest * model_->size() / dt_;
}

// One body's step as MinimizeByNewton() computes it. The potential of materials
// other than the linear ones is not convex, so that the line search compares
// energies.
class FemStepper::Iteration {
 public:
  Iteration(const VectorX<double>& f, FemStepper* stepper)
      : f_(f), s_(*stepper), is_linear_(IsLinear(*stepper->model_)) {}

  bool IsSolved() {
    if (is_done_) return true;
    potential_ = s_.CalcPotential(s_.v_, f_, Wanted::kStiffness);
    s_.CalcResidual(f_);
    return false;
  }

  bool CalcNewtonStep() {
    s_.SolveDirection(f_, before_);
    ++s_.num_iterations_;
    size_ = s_.direction_.lpNorm<Eigen::Infinity>();
    tolerance_ = s_.CalcTolerance();
    is_last_ = is_linear_ || size_ <= tolerance_;
    return true;
  }

  // Halves the step until the potential falls.
  double SearchLine() {
    if (is_last_) return 1;
    constexpr int kMostHalvings = 40;
    constexpr double kLeastFall = 1e-4;
    const double slope = s_.residual_.dot(s_.direction_);
    const double rounding = CalcRounding();
    double step = 1;
    for (int k = 0; k < kMostHalvings; ++k, step *= 0.5) {
      s_.trial_ = s_.v_ + step * s_.direction_;
      const double there = s_.CalcPotential(s_.trial_, f_, Wanted::kEnergy);
      if (there <= potential_ + kLeastFall * step * slope + rounding) {
        return step;
      }
    }
    s_.ThrowFailure("no step leads to less energy");
  }

  void Move(double step) {
    s_.v_ += step * s_.direction_;
    const bool is_whole = step == 1;
    // Newton's method doubles the digits: what it leaves is known beforehand.
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const double ratio = before_ > 0 ? size_ / before_ : kUnknown;
    const double left =
        std::max(10 * size_ * ratio * ratio, s_.direction_error_);
    is_done_ = is_last_ || (is_whole && left <= tolerance_);
    before_ = is_whole ? size_ : 0;
  }

 private:
  // Energies of strains of 1, which cancel where strains are small, and the
  // terms of the sum, round.
  double CalcRounding() const {
    const FemModel& model = *s_.model_;
    const double volume = model.total_mass() / model.config().mass_density();
    const double modulus =
        model.elasticity().mu + std::abs(model.elasticity().lambda);
    return 1e-15 * modulus * volume / (s_.scheme_.w * s_.dt_) +
           1e-13 * std::abs(potential_);
  }

  const VectorX<double>& f_;
  FemStepper& s_;
  const bool is_linear_;
  double potential_{};  // At v_.
  double size_{};       // Of the direction.
  double tolerance_{};  // Of velocities.
  double before_{};     // The last direction, if all of it was taken.
  bool is_last_{false};
  bool is_done_{false};
};

void FemStepper::FindVelocities(const VectorX<double>& f) {
  constexpr int kMostIterations = 100;
  cholesky_.Analyze(model_->is_fixed(), participants_);
  if (model_->config().stiffness_damping_coefficient() > 0) {
    model_->CalcViscosity(start_.q, &C_, workers_);
  }
  must_project_ = false;
  num_iterations_ = 0;
  Iteration iteration(f, this);
  if (!wyvern::internal::MinimizeByNewton(kMostIterations, &iteration)
           .is_solved) {
    ThrowFailure("Newton's method did not converge in 100 iterations");
  }
}

void FemStepper::BeginStep(const VectorX<double>& f, const FemState& state,
                           std::span<const int> participants,
                           WorkerThreads* workers) {
  const Caller who = Caller::Element("Deformable body", model_->name());
  wyvern::internal::RequireSize(who, "forces", f.size(), start_.q.size());
  wyvern::internal::RequireFinite(who, "forces", f);
  Start(state);
  participants_.assign(participants.begin(), participants.end());
  workers_ = workers;
  FindVelocities(f);
}

void FemStepper::CalcInertia(Eigen::Ref<MatrixX<double>> A) const {
  const MatrixX<double>& schur = cholesky_.schur_complement();
  for (int j = 0; j < A.cols(); ++j) {
    A.col(j).tail(A.rows() - j) = dt_ * schur.col(j).tail(A.rows() - j);
    A.row(j).tail(A.cols() - j) = A.col(j).tail(A.rows() - j).transpose();
  }
}

void FemStepper::AddImpulses(
    std::span<const int> vertices,
    const Eigen::Ref<const VectorX<double>>& impulses) {
  work_.setZero();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    work_.segment<3>(3 * vertices[i]) = impulses.segment<3>(3 * i) / dt_;
  }
  cholesky_.Solve(work_, &direction_);
  v_ += direction_;
}

void FemStepper::EndStep(FemState* state) const {
  const double gamma = scheme_.gamma;
  const VectorX<double>& v0 = start_.v;
  state->q = start_.q + dt_ * (scheme_.w * v_ + (1 - scheme_.w) * v0) +
             dt_ * dt_ * scheme_.c * start_.a;
  if (!wyvern::internal::AllFinite(state->q) ||
      !wyvern::internal::AllFinite(v_)) {
    ThrowFailure("its positions are not finite");
  }
  state->v = v_;
  state->a = (v_ - v0) / (gamma * dt_) - (1 - gamma) / gamma * start_.a;
}

void FemStepper::Step(const VectorX<double>& f, FemState* state) {
  BeginStep(f, *state);
  EndStep(state);
}

void FemStepper::ThrowFailure(const char* what) const {
  throw std::runtime_error(fmt::format(
      "Deformable body '{}': a step of {} s was not found after {} "
      "iterations: {}. Take a smaller time step, or look for elements of very "
      "different size, forces beyond measure or a Poisson's ratio at its "
      "limit.",
      model_->name(), dt_, num_iterations_, what));
}

}  // namespace wyvern::multibody::fem::internal
