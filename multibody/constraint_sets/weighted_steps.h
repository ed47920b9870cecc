#pragma once

#include <functional>
#include <string_view>

#include "wyvern/multibody/constraint_sets/row_factorization.h"
#include "wyvern/multibody/step/rows/redundant_solve.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody {

/** Checks weights of velocities.
@throws std::logic_error, in the name of `function`, unless there are nv
weights, all finite and none negative. */
void RequireWeights(std::string_view function,
                    const Eigen::Ref<const VectorX<double>>& weights, int nv);

/** Steps of a quadratic program: with weights W >= 0, made positive as H, from
xi and for linear constraints J of errors e, the delta that minimizes

  (xi + delta)ᵀ W (xi + delta) + deltaᵀ (H - W) delta   subject to J delta = -e:

  A lambda = J H⁻¹ g - e,  delta = H⁻¹ (Jᵀ lambda - g),  g = W xi, A = J H⁻¹ Jᵀ.

A weight of 0 is a millionth of the largest in H, and 1 if there is no other.
Weights are compared in the units of their changes, so that metres, millimetres
and radians give the same steps. So where W = H that is the nearest point of the
constraints; where not, steps one after the other lead there. Levenberg's step
has A + mu 1, and xi = 0. Allocates when constructed and never after. */
template <typename T>
class WeightedSteps {
 public:
  WeightedSteps() = default;
  /** Allocates for J of num_rows x num_velocities; all weights are 1. */
  WeightedSteps(int num_velocities, int num_rows);

  /** Finite weights, none negative, of which only the ratios matter.
  @param unit_of Returns the unit of change i; positive. */
  void SetWeights(const Eigen::Ref<const VectorX<double>>& weights,
                  const std::function<double(int i)>& unit_of);
  /** Diagonal of W, nv. */
  const VectorX<double>& W() const { return W_; }
  /** Diagonal of H⁻¹, nv. */
  const VectorX<double>& H_inverse() const { return H_inverse_; }
  /** Whether one step is all. */
  bool is_exact() const { return is_exact_; }

  /** Sets J and computes A. */
  void SetJacobian(const MatrixX<T>& J);
  /** The Jacobian of SetJacobian(). */
  const MatrixX<T>& J() const { return J_; }
  /** Factorizes A + mu k 1, where k is the largest entry of A's diagonal.
  @param mu Relative to the largest entry of A's diagonal.
  @param nearest_row Rows that are nearer to the span of others, [rad], count as
  dependent; at least 1e-12 without mu. */
  void Factorize(double mu, double nearest_row = 0);
  /** Whether rows of the last Factorize() without mu count as dependent. */
  bool is_redundant() const { return !is_clear_ && orthogonal_.is_redundant(); }
  /** After Factorize(). @param delta nv entries. */
  void CalcStep(const VectorX<T>& xi, const VectorX<T>& e, VectorX<T>* delta);

 private:
  VectorX<double> W_, H_inverse_;
  VectorX<T> root_;  // Of H⁻¹.
  VectorX<T> down_;  // H⁻¹ W xi.
  VectorX<T> rhs_, lambda_;
  MatrixX<T> J_, Y_;  // Y = J H^(-1/2).
  MatrixX<T> A_, K_;  // Lower triangles.
  internal::RedundantSolve<T> solve_;
  RowFactorization<T> orthogonal_;  // Of Y.
  VectorX<T> z_;
  bool is_clear_{true};  // Whether solve_ serves.
  double largest_{0};
  bool is_exact_{true};
};

}  // namespace wyvern::multibody
