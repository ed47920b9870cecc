#include "wyvern/multibody/math/inertia_validity.h"

#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

namespace wyvern::multibody::internal {

namespace {

// The axes of a diagonal matrix: the coordinate axes by ascending moment.
std::pair<Eigen::Vector3d, Eigen::Matrix3d> SortDiagonal(
    const Eigen::Vector3d& d) {
  std::array<int, 3> order{0, 1, 2};
  // A stable sort of three, so that equal moments keep x, y, z in order.
  if (d[order[1]] < d[order[0]]) std::swap(order[0], order[1]);
  if (d[order[2]] < d[order[1]]) std::swap(order[1], order[2]);
  if (d[order[1]] < d[order[0]]) std::swap(order[0], order[1]);
  Eigen::Vector3d moments;
  Eigen::Matrix3d axes;
  for (int i = 0; i < 3; ++i) {
    moments(i) = d(order[i]);
    axes.col(i) = Eigen::Vector3d::Unit(order[i]);
  }
  return {moments, axes};
}

}  // namespace

std::pair<Eigen::Vector3d, Eigen::Matrix3d> CalcPrincipalMomentsAndAxes(
    const Eigen::Matrix3d& I) {
  std::pair<Eigen::Vector3d, Eigen::Matrix3d> result;
  if (I(1, 0) == 0 && I(2, 0) == 0 && I(2, 1) == 0) {
    result = SortDiagonal(I.diagonal());
  } else {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(I);
    result = {solver.eigenvalues(), solver.eigenvectors()};
  }
  Eigen::Matrix3d& axes = result.second;
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return result;
}

std::string CriticizeInertia(const Eigen::Matrix3d& I, double size) {
  if (!I.allFinite()) {
    return fmt::format("{} has an element that is not finite", ToOneLine(I));
  }
  const Eigen::Vector3d moments = CalcPrincipalMomentsAndAxes(I).first;
  const double tolerance = kInertiaRelativeTolerance * std::abs(size);
  if (moments(0) < -tolerance) {
    return fmt::format("{} has the negative principal moment {}", ToOneLine(I),
                       moments(0));
  }
  if (moments(2) - moments(0) - moments(1) > tolerance) {
    return fmt::format(
        "{} breaks the triangle inequality: of its principal moments {}, {} "
        "and {} the last is more than the sum of the others",
        ToOneLine(I), moments(0), moments(1), moments(2));
  }
  return {};
}

void RequirePossibleInertia(std::string_view who, const Eigen::Matrix3d& I,
                            double size) {
  const std::string criticism = CriticizeInertia(I, size);
  if (criticism.empty()) return;
  throw std::logic_error(
      fmt::format("{}: no body has this inertia: {}.", who, criticism));
}

// factor a² = trace/2 - Ixx.
Eigen::Vector3d CalcEquivalentHalfLengths(std::string_view who,
                                          const Eigen::Vector3d& moments,
                                          double factor) {
  if (!(factor > 0 && factor <= 1)) {
    throw std::logic_error(fmt::format(
        "{}: inertia_shape_factor is {}; it must be in (0, 1].", who, factor));
  }
  const Eigen::Vector3d squares =
      (moments.sum() / 2 - moments.array()) / factor;
  return squares.cwiseMax(0).cwiseSqrt();
}

void ThrowNoElement(std::string_view who, int index, int size) {
  throw std::out_of_range(
      fmt::format("{}: element {} was asked for; indices are from 0 to {}.",
                  who, index, size - 1));
}

std::string ToOneLine(const Eigen::MatrixXd& m) {
  std::string text = "[";
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.cols(); ++j) {
      const char* separator = j > 0 ? ", " : (i > 0 ? "; " : "");
      text += fmt::format("{}{}", separator, m(i, j));
    }
  }
  return text + "]";
}

}  // namespace wyvern::multibody::internal
