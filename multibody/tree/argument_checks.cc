#include "wyvern/multibody/tree/argument_checks.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

void RequireEntries(std::string_view function, std::string_view what,
                    Eigen::Index size, Eigen::Index wanted) {
  if (size == wanted) return;
  throw std::logic_error(fmt::format("{}(): {} has {} entries; wanted are {}.",
                                     function, what, size, wanted));
}

template <typename T>
void RequireResult(std::string_view function, std::string_view what,
                   const EigenPtr<VectorX<T>>& result, Eigen::Index wanted) {
  if (result == nullptr) {
    throw std::logic_error(
        fmt::format("{}(): {} is null; wanted is a vector of {} entries.",
                    function, what, wanted));
  }
  RequireEntries(function, what, result->size(), wanted);
}

template <typename T>
int FindNotFinite(const Eigen::Ref<const VectorX<T>>& values) {
  if (AllFinite(values)) return -1;
  for (int i = 0; i < values.size(); ++i) {
    if (!std::isfinite(ExtractDoubleOrThrow(values[i]))) return i;
  }
  return -1;
}

namespace {

// The first entry that is not finite: "entry 2 of v is nan".
std::string FindPlace(std::string_view what, const Eigen::MatrixXd& given) {
  for (int j = 0; j < given.cols(); ++j) {
    for (int i = 0; i < given.rows(); ++i) {
      const double x = given(i, j);
      if (std::isfinite(x)) continue;
      if (given.cols() == 1)
        return fmt::format("entry {} of {} is {}", i, what, x);
      return fmt::format("row {}, column {} of {} is {}", i, j, what, x);
    }
  }
  return std::string(what);
}

}  // namespace

void ThrowNotFinite(std::string_view function, std::string_view what,
                    const Eigen::MatrixXd& given) {
  throw std::logic_error(fmt::format("{}(): {}; it is to be finite.", function,
                                     FindPlace(what, given)));
}

void ThrowNotFiniteResult(std::string_view function, std::string_view what,
                          const Eigen::MatrixXd& result) {
  throw std::runtime_error(fmt::format(
      "{}(): {}; the state of the Context, or what was given, is too large for "
      "a double to hold what follows from it.",
      function, FindPlace(what, result)));
}

template <typename T>
void RequireFiniteForces(std::string_view function, std::string_view what,
                         const MultibodyForces<T>& forces) {
  if (!AllFinite(forces.generalized_forces())) {
    ThrowNotFinite(function, fmt::format("tau of {}", what),
                   ExtractDoubleOrThrow(forces.generalized_forces()));
  }
  const std::vector<SpatialForce<T>>& F = forces.body_forces();
  for (int b = 0; b < static_cast<int>(F.size()); ++b) {
    if (AllFinite(F[b].get_coeffs())) continue;
    ThrowNotFinite(function, fmt::format("the force on body {} of {}", b, what),
                   ExtractDoubleOrThrow(F[b].get_coeffs()));
  }
}

#define WYVERN_INSTANTIATE(T)                                                \
  template void RequireResult<T>(std::string_view, std::string_view,         \
                                 const EigenPtr<VectorX<T>>&, Eigen::Index); \
  template int FindNotFinite<T>(const Eigen::Ref<const VectorX<T>>&);        \
  template void RequireFiniteForces<T>(std::string_view, std::string_view,   \
                                       const MultibodyForces<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
