#include "wyvern/multibody/parsing/inertia_repair.h"

#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "wyvern/multibody/math/inertia_validity.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody::internal {

namespace {

// [m] A body of a lesser radius of gyration is a point.
constexpr double kPointRadius = 1e-12;

Matrix3<double> ToMatrix(const WrittenInertia& written) {
  const Vector3<double>& p = written.products;
  Matrix3<double> I = written.moments.asDiagonal();
  I(0, 1) = I(1, 0) = p[0];
  I(0, 2) = I(2, 0) = p[1];
  I(1, 2) = I(2, 1) = p[2];
  return I;
}

std::string ToText(const Matrix3<double>& I) {
  return fmt::format(
      "ixx={:.6g} iyy={:.6g} izz={:.6g} ixy={:.6g} ixz={:.6g} iyz={:.6g}",
      I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
}

// The file's comment has the derivation.
Matrix3<double> NearestInertia(const Matrix3<double>& I) {
  const Matrix3<double> S = 0.5 * I.trace() * Matrix3<double>::Identity() - I;
  const Eigen::SelfAdjointEigenSolver<Matrix3<double>> solver(S);
  const Vector3<double> s = solver.eigenvalues().cwiseMax(0.0);
  const Matrix3<double>& V = solver.eigenvectors();
  const Matrix3<double> nearest = s.sum() * Matrix3<double>::Identity() -
                                  V * s.asDiagonal() * V.transpose();
  return 0.5 * (nearest + nearest.transpose());
}

// Describes a mass that is 0 or negative.
std::string DescribeMassless(const WrittenInertia& written) {
  if (written.mass < 0) {
    return fmt::format("the mass is {}; it is made 0, and the inertia with it.",
                       written.mass);
  }
  if (written.moments.isZero(0) && written.products.isZero(0)) return {};
  return fmt::format(
      "the mass is 0 but the inertia is not; a body without mass has none, so "
      "it is left out: {} become 0.",
      ToText(ToMatrix(written)));
}

}  // namespace

SpatialInertia<double> RepairInertia(const WrittenInertia& written,
                                     std::string* remark) {
  remark->clear();
  const Vector3<double> p_BoBcm = written.X_BC.translation();
  Matrix3<double> I = ToMatrix(written);
  wyvern::internal::RequireFinite("", "the moments", written.moments);
  wyvern::internal::RequireFinite("", "the products", written.products);
  if (written.mass <= 0) {
    *remark = DescribeMassless(written);
    return SpatialInertia<double>::Zero();
  }
  const std::string criticism = CriticizeInertia(I, I.trace() / 2);
  if (!criticism.empty()) {
    const Matrix3<double> before = I;
    I = NearestInertia(before);
    const double size = I.trace() / 2 + written.mass * p_BoBcm.squaredNorm();
    const double rounding = kInertiaRelativeTolerance * size +
                            written.mass * kPointRadius * kPointRadius;
    if (!((I - before).cwiseAbs().maxCoeff() <= rounding)) {
      *remark = fmt::format(
          "no body has this inertia: {}. It is changed to the nearest that one "
          "has, from {} to {}.",
          criticism, ToText(before), ToText(I));
    }
  }
  return SpatialInertia<double>::MakeFromCentralInertia(
      written.mass, p_BoBcm,
      RotationalInertia<double>::MakeFromMomentsAndProductsOfInertia(
          I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2),
          /* skip_validity_check */ true)
          .ReExpress(written.X_BC.rotation()));
}

}  // namespace wyvern::multibody::internal
