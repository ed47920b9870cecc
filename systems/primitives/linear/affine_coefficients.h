#pragma once

#include <string_view>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems::internal {

/** The matrices of an affine system; see AffineSystem. */
struct AffineCoefficients {
  Eigen::MatrixXd A;
  Eigen::MatrixXd B;
  Eigen::VectorXd f0;
  Eigen::MatrixXd C;
  Eigen::MatrixXd D;
  Eigen::VectorXd y0;
};

/** Replaces empty coefficients by zeros; the numbers of states, inputs and
outputs are the largest that any coefficient implies.
@throws std::logic_error if the shapes do not fit, or an entry is not finite. */
AffineCoefficients CompleteAndCheck(std::string_view who,
                                    AffineCoefficients given);

/** @throws std::logic_error naming the coefficient, if a shape is not that of n
states, m inputs and p outputs, or an entry is not finite. */
void RequireShapesAndValues(std::string_view who,
                            const AffineCoefficients& coefficients, int n,
                            int m, int p);

}  // namespace wyvern::systems::internal
