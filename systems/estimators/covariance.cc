#include "wyvern/systems/estimators/covariance.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/math/matrix_checks.h"

namespace wyvern::systems::estimators::internal {

template <typename T>
int FactorCovariance(const MatrixX<T>& P, Definiteness wanted, MatrixX<T>* L) {
  using std::sqrt;
  using wyvern::internal::NumberIn;
  const int n = static_cast<int>(P.rows());
  const double tolerance = 10 * n * std::numeric_limits<double>::epsilon();
  // A singular matrix comes with pivots that are slightly negative.
  constexpr double kNegative = 1e-8;
  L->setZero();
  for (int j = 0; j < n; ++j) {
    T pivot = P(j, j);
    for (int k = 0; k < j; ++k) pivot -= (*L)(j, k) * (*L)(j, k);
    const double diagonal = NumberIn(P(j, j));
    const double left = NumberIn(pivot);
    if (!(left > tolerance * diagonal)) {
      if (wanted == Definiteness::kDefinite) return j;
      if (!(left >= -kNegative * std::abs(diagonal))) return j;
      continue;
    }
    const T root = sqrt(pivot);
    (*L)(j, j) = root;
    for (int i = j + 1; i < n; ++i) {
      T sum = P(i, j);
      for (int k = 0; k < j; ++k) sum -= (*L)(i, k) * (*L)(j, k);
      (*L)(i, j) = sum / root;
    }
  }
  return -1;
}

void RequireCovariance(const char* who, const char* name,
                       const Eigen::Ref<const Eigen::MatrixXd>& M,
                       Eigen::Index size, Definiteness wanted) {
  math::internal::RequireSymmetric(who, name, M, size);
  const MatrixX<double> P = math::internal::SymmetricPart(M);
  MatrixX<double> L(size, size);
  const int row = FactorCovariance<double>(P, wanted, &L);
  // A zero pivot must come with a zero column.
  const double rest =
      size == 0 || row >= 0 ? 0 : (P - L * L.transpose()).cwiseAbs().maxCoeff();
  constexpr double kRest = 1e-6;
  if (row < 0 && rest <= kRest * (size == 0 ? 1 : P.cwiseAbs().maxCoeff())) {
    return;
  }
  throw std::logic_error(fmt::format(
      "{}(): {} is not positive {}; give a covariance with {} eigenvalues.",
      who, name,
      wanted == Definiteness::kDefinite ? "definite" : "semidefinite",
      wanted == Definiteness::kDefinite ? "positive" : "no negative"));
}

#define WYVERN_INSTANTIATE_FACTOR_COVARIANCE(T)                     \
  template int FactorCovariance<T>(const MatrixX<T>&, Definiteness, \
                                   MatrixX<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_FACTOR_COVARIANCE)
#undef WYVERN_INSTANTIATE_FACTOR_COVARIANCE

}  // namespace wyvern::systems::estimators::internal
