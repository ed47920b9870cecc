#include "wyvern/multibody/constraint_sets/weighted_steps.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/constraint_sets/multiply_rows.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {

namespace {
constexpr double kLeastWeight = 1e-6;
// A row whose distance from the span of others is less counts as dependent. The
// bound is low because multipliers are no forces here and may be large.
constexpr double kNearestRow = 1e-12;
}  // namespace

void RequireWeights(std::string_view function,
                    const Eigen::Ref<const VectorX<double>>& weights, int nv) {
  if (weights.size() != nv) {
    throw std::logic_error(
        fmt::format("{}(): there are {} weights; wanted is one for each of the "
                    "plant's {} velocities.",
                    function, weights.size(), nv));
  }
  for (int i = 0; i < nv; ++i) {
    if (std::isfinite(weights[i]) && weights[i] >= 0) continue;
    throw std::logic_error(
        fmt::format("{}(): weight {} is {}; weights are finite and not "
                    "negative.",
                    function, i, weights[i]));
  }
}

template <typename T>
WeightedSteps<T>::WeightedSteps(int nv, int nc)
    : W_(VectorX<double>::Ones(nv)),
      H_inverse_(VectorX<double>::Ones(nv)),
      root_(VectorX<T>::Ones(nv)),
      down_(VectorX<T>::Zero(nv)),
      rhs_(VectorX<T>::Zero(nc)),
      lambda_(VectorX<T>::Zero(nc)),
      J_(MatrixX<T>::Zero(nc, nv)),
      Y_(MatrixX<T>::Zero(nc, nv)),
      A_(MatrixX<T>::Zero(nc, nc)),
      K_(MatrixX<T>::Zero(nc, nc)),
      solve_(nc),
      orthogonal_(nv, nc),
      z_(VectorX<T>::Zero(nv)) {}

template <typename T>
void WeightedSteps<T>::SetWeights(
    const Eigen::Ref<const VectorX<double>>& weights,
    const std::function<double(int i)>& unit_of) {
  W_ = weights;
  double largest = 0;
  for (int i = 0; i < W_.size(); ++i) {
    const double unit = unit_of(i);
    largest = std::max(largest, W_[i] * unit * unit);
  }
  is_exact_ = largest > 0;
  if (is_exact_) W_ /= largest;
  for (int i = 0; i < W_.size(); ++i) {
    const double unit = unit_of(i);
    const double least = (largest > 0 ? kLeastWeight : 1) / (unit * unit);
    is_exact_ = is_exact_ && W_[i] >= least;
    H_inverse_[i] = 1 / std::max(W_[i], least);
    root_[i] = std::sqrt(H_inverse_[i]);
  }
}

template <typename T>
void WeightedSteps<T>::SetJacobian(const MatrixX<T>& J) {
  J_ = J;
  for (int k = 0; k < J_.cols(); ++k) Y_.col(k) = root_[k] * J_.col(k);
  internal::MultiplyRows<T>(Y_, down_, &A_, &rhs_);
  largest_ = 0;
  for (int i = 0; i < A_.rows(); ++i) {
    largest_ = std::max(largest_, ToDouble(A_(i, i)));
  }
}

template <typename T>
void WeightedSteps<T>::Factorize(double mu, double nearest_row) {
  K_ = A_;
  for (int i = 0; mu > 0 && i < K_.rows(); ++i) K_(i, i) += mu * largest_;
  is_clear_ = true;
  if (mu > 0) return solve_.Factorize(K_);
  solve_.Factorize(K_, std::max(kClearDistance2, nearest_row * nearest_row));
  is_clear_ = !solve_.is_redundant();
  if (!is_clear_) {
    orthogonal_.Factorize(Y_, std::max(kNearestRow, nearest_row));
  }
}

template <typename T>
void WeightedSteps<T>::CalcStep(const VectorX<T>& xi, const VectorX<T>& e,
                                VectorX<T>* delta) {
  if (!is_clear_) {
    // Substitute delta = H^(-1/2) w: w = Y' lambda - H^(-1/2) W xi, Y w = -e.
    for (int i = 0; i < xi.size(); ++i) z_[i] = -root_[i] * W_[i] * xi[i];
    rhs_ = -e;
    orthogonal_.Solve(z_, rhs_, z_, lambda_);
    *delta = root_.cwiseProduct(z_);
    return;
  }
  for (int i = 0; i < xi.size(); ++i) {
    down_[i] = H_inverse_[i] * W_[i] * xi[i];
  }
  rhs_.noalias() = J_ * down_;
  rhs_ -= e;
  solve_.Solve(rhs_, lambda_);
  delta->noalias() = J_.transpose() * lambda_;
  for (int i = 0; i < xi.size(); ++i) {
    (*delta)[i] = H_inverse_[i] * (*delta)[i] - down_[i];
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::WeightedSteps);

}  // namespace wyvern::multibody
