#include "wyvern/systems/primitives/linear/affine_coefficients.h"

#include <algorithm>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems::internal {

AffineCoefficients CompleteAndCheck(std::string_view who,
                                    AffineCoefficients given) {
  using Eigen::Index;
  auto& [A, B, f0, C, D, y0] = given;
  const Index n = std::max({A.rows(), A.cols(), B.rows(), f0.size(), C.cols()});
  const Index m = std::max(B.cols(), D.cols());
  const Index p = std::max({C.rows(), D.rows(), y0.size()});
  auto complete = [](Eigen::MatrixXd* coefficient, Index rows, Index cols) {
    if (coefficient->size() == 0) coefficient->setZero(rows, cols);
  };
  complete(&A, n, n);
  complete(&B, n, m);
  complete(&C, p, n);
  complete(&D, p, m);
  if (f0.size() == 0) f0.setZero(n);
  if (y0.size() == 0) y0.setZero(p);
  RequireShapesAndValues(who, given, static_cast<int>(n), static_cast<int>(m),
                         static_cast<int>(p));
  return given;
}

void RequireShapesAndValues(std::string_view who,
                            const AffineCoefficients& coefficients, int n,
                            int m, int p) {
  auto check = [who](std::string_view name, const Eigen::MatrixXd& coefficient,
                     int rows, int cols) {
    wyvern::internal::RequireShape(who, name, coefficient, rows, cols);
    wyvern::internal::RequireFinite(who, name, coefficient);
  };
  check("A", coefficients.A, n, n);
  check("B", coefficients.B, n, m);
  check("f0", coefficients.f0, n, 1);
  check("C", coefficients.C, p, n);
  check("D", coefficients.D, p, m);
  check("y0", coefficients.y0, p, 1);
}

}  // namespace wyvern::systems::internal
