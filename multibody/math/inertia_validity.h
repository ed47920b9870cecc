#pragma once

/** @file
Which 3x3 symmetric matrices are the inertia of a possible body. */

#include <string>
#include <string_view>
#include <utility>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Rounding error allowed in a condition on moments, as a fraction of the
largest moment from which the numbers were computed. */
inline constexpr double kInertiaRelativeTolerance = 1e-12;

/** The principal moments of a finite symmetric `I` in ascending order, and the
right-handed rotation whose columns are the axes that go with them. A diagonal
matrix gives the coordinate axes. */
std::pair<Eigen::Vector3d, Eigen::Matrix3d> CalcPrincipalMomentsAndAxes(
    const Eigen::Matrix3d& I);

/** Why no body has the inertia `I`: an element is not finite, a principal
moment is negative, or one is larger than the sum of the others (triangle
inequality: Imax - Imin - Imed = -2 ∫ x² dm <= 0). Empty if a body could.
@param size the largest moment of the numbers `I` was made from: conditions may
  fail by kInertiaRelativeTolerance of it. */
std::string CriticizeInertia(const Eigen::Matrix3d& I, double size);

/** @throws std::logic_error, as "`who`: ...", if there is a criticism. */
void RequirePossibleInertia(std::string_view who, const Eigen::Matrix3d& I,
                            double size);

/** Returns the half lengths a of the body of unit mass that has the principal
central `moments` [m²] and second moments `factor` a² along its axes. A second
moment that rounding made negative counts as 0.
@throws std::logic_error as "`who`: ..." unless `factor` is in (0, 1]. */
Eigen::Vector3d CalcEquivalentHalfLengths(std::string_view who,
                                          const Eigen::Vector3d& moments,
                                          double factor);

/** @throws std::out_of_range naming a place where `who` has no element, of
`size` in a row. */
[[noreturn]] void ThrowNoElement(std::string_view who, int index, int size);

/** A matrix as "[a, b, c; d, e, f; g, h, i]". */
std::string ToOneLine(const Eigen::MatrixXd& m);

}  // namespace wyvern::multibody::internal
