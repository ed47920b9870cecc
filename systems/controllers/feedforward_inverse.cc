#include "wyvern/systems/controllers/feedforward_inverse.h"

#include <cmath>
#include <complex>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "wyvern/systems/common/check_argument.h"

/* In the normal form (A. Isidori, "Nonlinear control systems", 1995, section
4.1) the state is xi = [y, ..., y^(r-1)] = T1 x with the rows C A^i, and
eta = T x, where the rows of T are orthogonal to B and to all rows of T1 but the
last. Then T B = 0, [T1; T] is invertible, and

  d eta/dt = T A x,   u = (y^(r) - C A^r x) / (C A^(r-1) B),
  x = [T1; T]^-1 [xi; eta].

The eigenvalues of the map of eta are the zeros of the plant. If D != 0 then
r = 0, eta = x, and u = (y - C x) / D. Discrete: shifts for derivatives. */

namespace wyvern::systems::controllers {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

constexpr char kInverse[] = "MakeFeedforwardInverse";

// The block from [xi; y^(r)] to u.
struct InverseCoefficients {
  MatrixXd A, B, C, D, T;
};

InverseCoefficients InvertFeedthrough(const LinearSystem<double>& plant) {
  const double d = plant.D()(0, 0);
  const Index n = plant.A().rows();
  return {.A = plant.A() - plant.B() * plant.C() / d,
          .B = plant.B() / d,
          .C = -plant.C() / d,
          .D = plant.D().inverse(),
          .T = MatrixXd::Identity(n, n)};
}

// `T1` has r rows; the last one times B is `gain`.
InverseCoefficients InvertDynamics(const LinearSystem<double>& plant,
                                   const MatrixXd& T1, double gain) {
  const Index n = plant.A().rows();
  const Index r = T1.rows();
  MatrixXd orthogonal_to(n, r);
  orthogonal_to << plant.B(), T1.topRows(r - 1).transpose();
  const MatrixXd basis =
      Eigen::HouseholderQR<MatrixXd>(orthogonal_to).householderQ() *
      MatrixXd::Identity(n, n);
  InverseCoefficients result;
  result.T = basis.rightCols(n - r).transpose();
  MatrixXd all(n, n);
  all << T1, result.T;
  const MatrixXd inverse = Eigen::FullPivLU<MatrixXd>(all).inverse();
  const MatrixXd rates = result.T * plant.A() * inverse;
  const RowVectorXd last = T1.row(r - 1) * plant.A() * inverse / gain;
  result.A = rates.rightCols(n - r);
  result.B.setZero(n - r, r + 1);
  result.B.leftCols(r) = rates.leftCols(r);
  result.C = -last.tail(n - r);
  result.D.resize(1, r + 1);
  result.D << -last.head(r), 1 / gain;
  return result;
}

void RequireStable(const MatrixXd& A, double period) {
  const Eigen::VectorXcd eigenvalues = A.eigenvalues();
  for (const std::complex<double>& zero : eigenvalues) {
    if (period > 0 ? std::abs(zero) < 1 : zero.real() < 0) continue;
    throw std::runtime_error(fmt::format(
        "{}: the plant has the zero {} {:+} i, with which its inverse does not "
        "settle; use a feedback, or another output.",
        kInverse, zero.real(), zero.imag()));
  }
}

}  // namespace

FeedforwardInverse MakeFeedforwardInverse(const LinearSystem<double>& plant) {
  const Index n = plant.A().rows();
  wyvern::internal::RequireSize(kInverse, "the input of the plant",
                                plant.B().cols(), 1);
  wyvern::internal::RequireSize(kInverse, "the output of the plant",
                                plant.C().rows(), 1);
  // A product of this share of its factors counts as zero.
  constexpr double kZero = 1e-12;
  InverseCoefficients found;
  FeedforwardInverse result;
  if (plant.D()(0, 0) != 0) {
    found = InvertFeedthrough(plant);
  } else {
    MatrixXd T1(n, n);
    RowVectorXd row = plant.C();
    int r = 0;
    double gain = 0;
    while (r < n) {
      T1.row(r++) = row;
      gain = row.dot(plant.B().col(0));
      if (std::abs(gain) > kZero * row.norm() * plant.B().norm()) break;
      gain = 0;
      row = row * plant.A();
    }
    if (gain == 0) {
      throw std::runtime_error(
          fmt::format("{}: the input of the plant does not reach its output; "
                      "choose another input or output.",
                      kInverse));
    }
    result.relative_degree = r;
    found = InvertDynamics(plant, T1.topRows(r), gain);
  }
  if (found.A.rows() > 0) RequireStable(found.A, plant.time_period());
  result.system = std::make_unique<LinearSystem<double>>(
      found.A, found.B, found.C, found.D, plant.time_period());
  result.T = found.T;
  return result;
}

}  // namespace wyvern::systems::controllers
