#include "wyvern/multibody/fem/elasticity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SVD>

/* Four energies, one form of the answer. Linear and linear-corotated are linear
in F about a rotation, which is U, with V = 1. Corotated and neo-Hookean depend
on the principal stretches alone: their first and second derivatives by the
stretches give stress and tangent, and no matrix of nine rows is made. */

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// psi = mu |e|² + lambda/2 tr(e)², e = sym(R'F) - 1.
Stress CalcLinear(const Elasticity& c, const Matrix3d& F, const Matrix3d& R) {
  const Matrix3d S = R.transpose() * F;
  const Matrix3d e = 0.5 * (S + S.transpose()) - Matrix3d::Identity();
  Stress result;
  result.energy =
      c.mu * e.squaredNorm() + 0.5 * c.lambda * e.trace() * e.trace();
  result.P = R * (2 * c.mu * e + c.lambda * e.trace() * Matrix3d::Identity());
  result.U = R;
  result.V.setIdentity();
  result.A.setConstant(c.lambda);
  result.A.diagonal().array() += 2 * c.mu;
  result.p.setConstant(c.mu);
  result.m.setConstant(c.mu);
  return result;
}

// Energy of the stretches sigma and its derivatives, with c_k the product of
// the other two stretches, and J the product of all three.
struct Principal {
  double energy{};
  Vector3d first;       // d psi / d sigma_i
  double diagonal{};    // of the second derivative
  double volumetric{};  // of c_i c_j
  double coupling{};    // of sigma_k, i and j the other two
  Vector3d sum;         // (psi_i + psi_j) / (sigma_i + sigma_j)
  Vector3d difference;  // (psi_i - psi_j) / (sigma_i - sigma_j)
  Vector3d outer;       // of outer_i outer_j
};

// psi = mu sum (sigma - 1)² + lambda/2 (J - 1)²: Stomakhin et al.,
// "Energetically consistent invertible elasticity", SCA 2012.
Principal CalcCorotated(const Elasticity& c, const Vector3d& sigma,
                        const Vector3d& cofactor, double J) {
  const Vector3d e = sigma.array() - 1;
  const double pressure = c.lambda * (J - 1);
  Principal result;
  result.energy = c.mu * e.squaredNorm() + 0.5 * pressure * (J - 1);
  result.first = 2 * c.mu * e + pressure * cofactor;
  result.diagonal = 2 * c.mu;
  result.volumetric = c.lambda;
  result.coupling = pressure;
  for (int k = 0; k < 3; ++k) {
    // Where it vanishes the rotation is not defined; the tangent is then
    // negative without bound, and what is projected is the same.
    const double both = std::max(sigma[(k + 1) % 3] + sigma[(k + 2) % 3], 1e-8);
    result.sum[k] = 2 * c.mu - 4 * c.mu / both + pressure * sigma[k];
    result.difference[k] = 2 * c.mu - pressure * sigma[k];
  }
  result.outer.setZero();
  return result;
}

// psi = mu/2 (I - 3) - mu/2 log((I + 1) / 4) + lambda/2 ((J - a)² - (1 - a)²)
// with I = sum sigma² and a = 1 + 3 mu / (4 lambda): Smith, de Goes, Kim,
// "Stable Neo-Hookean Flesh Simulation", ACM TOG 2018, equation 14.
Principal CalcNeoHookean(const Elasticity& c, const Vector3d& sigma,
                         const Vector3d& cofactor, double J) {
  const double I = sigma.squaredNorm();
  const double a = 1 + 0.75 * c.mu / c.lambda;
  const double shear = c.mu * (1 - 1 / (I + 1));
  const double pressure = c.lambda * (J - a);
  Principal result;
  result.energy = 0.5 * c.mu * (I - 3 - std::log((I + 1) / 4)) +
                  0.5 * c.lambda * ((J - a) * (J - a) - (1 - a) * (1 - a));
  result.first = shear * sigma + pressure * cofactor;
  result.diagonal = shear;
  result.volumetric = c.lambda;
  result.coupling = pressure;
  result.sum = (shear + pressure * sigma.array()).matrix();
  result.difference = (shear - pressure * sigma.array()).matrix();
  result.outer = std::sqrt(2 * c.mu) / (I + 1) * sigma;
  return result;
}

Stress CalcPrincipal(const Elasticity& c, const Matrix3d& F) {
  Stress result;
  Vector3d sigma;
  DecomposeSigned(F, &result.U, &sigma, &result.V);
  const Vector3d cofactor(sigma[1] * sigma[2], sigma[2] * sigma[0],
                          sigma[0] * sigma[1]);
  const double J = cofactor[0] * sigma[0];
  const Principal psi = c.model == MaterialModel::kCorotated
                            ? CalcCorotated(c, sigma, cofactor, J)
                            : CalcNeoHookean(c, sigma, cofactor, J);
  result.energy = psi.energy;
  result.P = result.U * psi.first.asDiagonal() * result.V.transpose();
  result.A = psi.volumetric * cofactor * cofactor.transpose() +
             psi.outer * psi.outer.transpose();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    result.A(k, k) += psi.diagonal;
    result.A(i, j) += psi.coupling * sigma[k];
    result.A(j, i) += psi.coupling * sigma[k];
    result.p[k] = 0.5 * (psi.difference[k] + psi.sum[k]);
    result.m[k] = 0.5 * (psi.difference[k] - psi.sum[k]);
  }
  return result;
}

// Decomposes an F whose rank is at most two to rounding.
void DecomposeFlat(const Matrix3d& F, Matrix3d* U, Vector3d* sigma,
                   Matrix3d* V) {
  const Eigen::JacobiSVD<Matrix3d> svd(
      F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (svd.info() != Eigen::Success) {  // F is not finite: nor is the answer.
    *U = *V = Matrix3d::Identity();
    sigma->setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  *U = svd.matrixU();
  *V = svd.matrixV();
  *sigma = svd.singularValues();
  if (U->determinant() < 0) {
    U->col(2) *= -1;
    (*sigma)[2] *= -1;
  }
  if (V->determinant() < 0) {
    V->col(2) *= -1;
    (*sigma)[2] *= -1;
  }
}

}  // namespace

void RequirePoissonsRatio(const wyvern::internal::Caller& who, double nu) {
  wyvern::internal::RequireInRange(
      who, "poissons_ratio", nu, std::nextafter(-1.0, 0.0),
      std::nextafter(0.5, 0.0), "it is more than -1 and less than 0.5");
}

Elasticity MakeElasticity(const wyvern::internal::Caller& who,
                          MaterialModel model, double E, double nu) {
  wyvern::internal::RequirePositive(who, "youngs_modulus", E);
  RequirePoissonsRatio(who, nu);
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const double mu = E / (2 * (1 + nu));
  Elasticity result{model, lambda, mu, lambda, mu};
  if (model == MaterialModel::kNeoHookean) {
    // So that small strains follow Hooke's law; section 3.4 of that paper.
    result.lambda += 5.0 / 6 * result.mu;
    result.mu *= 4.0 / 3;
  }
  return result;
}

// V has the eigenvectors of F'F, and F V the columns of U, stretched. The third
// column of U follows from the others, and so the sign of the third stretch;
// what rounding leaves beside the diagonal is epsilon sigma_1² / sigma_2.
void DecomposeSigned(const Matrix3d& F, Matrix3d* U, Vector3d* sigma,
                     Matrix3d* V) {
  constexpr double kFlat = 1e-3;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(F.transpose() * F);
  V->col(0) = eigen.eigenvectors().col(2);
  V->col(1) = eigen.eigenvectors().col(1);
  V->col(2) = V->col(0).cross(V->col(1));
  const Vector3d first = F * V->col(0);
  (*sigma)[0] = first.norm();
  U->col(0) = first / (*sigma)[0];
  Vector3d second = F * V->col(1);
  second -= U->col(0).dot(second) * U->col(0);
  (*sigma)[1] = second.norm();
  if (!((*sigma)[1] > kFlat * (*sigma)[0])) {
    DecomposeFlat(F, U, sigma, V);
    return;
  }
  U->col(1) = second / (*sigma)[1];
  U->col(2) = U->col(0).cross(U->col(1));
  (*sigma)[2] = U->col(2).dot(F * V->col(2));
}

Matrix3d CalcRotation(const Matrix3d& F) {
  Matrix3d U, V;
  Vector3d sigma;
  DecomposeSigned(F, &U, &sigma, &V);
  return U * V.transpose();
}

Stress CalcStress(const Elasticity& c, const Matrix3d& F, const Matrix3d& R0) {
  switch (c.model) {
    case MaterialModel::kLinear:
      return CalcLinear(c, F, Matrix3d::Identity());
    case MaterialModel::kLinearCorotated:
      return CalcLinear(c, F, R0);
    default:
      return CalcPrincipal(c, F);
  }
}

void ProjectToPositive(Stress* stress) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(stress->A);
  if (eigen.eigenvalues()[0] < 0) {
    stress->A = eigen.eigenvectors() *
                eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                eigen.eigenvectors().transpose();
  }
  const Vector3d even = (stress->p + stress->m).cwiseMax(0);
  const Vector3d odd = (stress->p - stress->m).cwiseMax(0);
  stress->p = 0.5 * (even + odd);
  stress->m = 0.5 * (even - odd);
}

Matrix3d CalcStiffnessBlock(const Stress& s, double volume,
                            const Vector3d& gV_j, const Vector3d& gV_i) {
  Matrix3d K;
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    K(k, k) = s.A(k, k) * gV_j[k] * gV_i[k] + s.p[a] * gV_j[b] * gV_i[b] +
              s.p[b] * gV_j[a] * gV_i[a];
    K(a, b) = s.A(a, b) * gV_j[a] * gV_i[b] + s.m[k] * gV_j[b] * gV_i[a];
    K(b, a) = s.A(a, b) * gV_j[b] * gV_i[a] + s.m[k] * gV_j[a] * gV_i[b];
  }
  return volume * s.U * K * s.U.transpose();
}

}  // namespace wyvern::multibody::fem::internal
