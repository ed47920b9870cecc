#include "wyvern/systems/common/math/bspline_basis.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A basis is an order and its knots, and everything else is found in them. An
evaluation looks up the interval of the knots first, because only `order`
functions are not zero there. Intervals are closed at their start, but the
end of the domain belongs to the last interval that is not empty: otherwise a
clamped curve would have no value at its end. A uniform basis has its knots
laid out from the domain, which begins at knot order - 1, not at knot 0. */

/* B_i,1 is 1 on [t_i, t_{i+1}) and 0 elsewhere, and (de Boor, "A Practical
Guide to Splines", 1978, chapter X)

    B_i,k(x) = (x - t_i) / (t_{i+k-1} - t_i) B_i,k-1(x)
             + (t_{i+k} - x) / (t_{i+k} - t_{i+1}) B_i+1,k-1(x),

0 / 0 counting as 0. The same recursion on control points, in O(k²), evaluates a
curve (bspline_basis.h); B_i is the curve of the points 0 ... 0 1 0 ... 0.
Limit: the functions add up to 1 from the first to the last inner knot. */

namespace wyvern::math {
namespace {

template <typename T>
std::vector<T> MakeKnots(int order, int num_basis_functions,
                         KnotVectorType type, const T& start, const T& end) {
  if (order < 1 || num_basis_functions < order || !(end > start)) {
    throw std::logic_error(fmt::format(
        "BsplineBasis(): order {} with {} functions on [{}, {}]; give an order "
        "of 1 or more, at least as many functions, and an end after the start.",
        order, num_basis_functions, ToDouble(start), ToDouble(end)));
  }
  // The domain is knots order - 1 to num_basis_functions.
  const int intervals = num_basis_functions - order + 1;
  std::vector<T> knots;
  for (int k = 0; k < num_basis_functions + order; ++k) {
    int step = k - (order - 1);
    if (type == KnotVectorType::kClampedUniform) {
      step = std::clamp(step, 0, intervals);
    }
    knots.push_back(step == intervals
                        ? end
                        : T(start + (end - start) * step / double(intervals)));
  }
  return knots;
}

}  // namespace

template <typename T>
BsplineBasis<T>::BsplineBasis(int order, std::vector<T> knots)
    : order_(order), knots_(std::move(knots)) {
  const int n = static_cast<int>(knots_.size());
  if (order < 1 || n < 2 * order) {
    throw std::logic_error(
        fmt::format("BsplineBasis(): order {} with {} knots; give an order of "
                    "1 or more and at least twice as many knots.",
                    order, n));
  }
  wyvern::internal::RequireFinite("BsplineBasis", "knots", knots_);
  for (int i = 0; i < n; ++i) {
    const double knot = ToDouble(knots_[i]);
    if (i > 0 && knot < ToDouble(knots_[i - 1])) {
      throw std::logic_error(fmt::format(
          "BsplineBasis(): knot {} is {}; give knots in non-decreasing order.",
          i, knot));
    }
  }
  if (!(initial_parameter_value() < final_parameter_value())) {
    throw std::logic_error(fmt::format(
        "BsplineBasis(): knots {} and {} are both {}, which leaves no domain "
        "for order {}; give knots that increase in between.",
        order - 1, num_basis_functions(), ToDouble(initial_parameter_value()),
        order));
  }
}

template <typename T>
BsplineBasis<T>::BsplineBasis(int order, int num_basis_functions,
                              KnotVectorType type,
                              const T& initial_parameter_value,
                              const T& final_parameter_value)
    : BsplineBasis(order,
                   MakeKnots(order, num_basis_functions, type,
                             initial_parameter_value, final_parameter_value)) {}

template <typename T>
void BsplineBasis<T>::RequireKnots() const {
  if (knots_.empty()) {
    throw std::logic_error(
        "BsplineBasis: a basis without knots cannot be evaluated; construct it "
        "with an order and knots.");
  }
}

template <typename T>
void BsplineBasis<T>::RequireNumControlPoints(int given) const {
  RequireKnots();
  if (given != num_basis_functions()) {
    throw std::logic_error(fmt::format(
        "BsplineBasis::EvaluateCurve(): {} control points were given to a "
        "basis of {} functions; give one for each.",
        given, num_basis_functions()));
  }
}

template <typename T>
const T& BsplineBasis<T>::initial_parameter_value() const {
  RequireKnots();
  return knots_[order_ - 1];
}

template <typename T>
const T& BsplineBasis<T>::final_parameter_value() const {
  RequireKnots();
  return knots_[num_basis_functions()];
}

template <typename T>
int BsplineBasis<T>::FindContainingInterval(const T& parameter_value) const {
  const T& start = initial_parameter_value();
  const T& end = final_parameter_value();
  if (!(parameter_value >= start && parameter_value <= end)) {
    throw std::logic_error(fmt::format(
        "BsplineBasis: parameter value {} is outside the domain [{}, {}]; "
        "evaluate inside it.",
        ToDouble(parameter_value), ToDouble(start), ToDouble(end)));
  }
  // The first knot after the value, or the first that is at the end.
  const auto after =
      parameter_value < end
          ? std::upper_bound(knots_.begin(), knots_.end(), parameter_value)
          : std::lower_bound(knots_.begin(), knots_.end(), end);
  return static_cast<int>(after - knots_.begin()) - 1;
}

template <typename T>
std::vector<int> BsplineBasis<T>::ComputeActiveBasisFunctionIndices(
    const std::array<T, 2>& parameter_interval) const {
  if (!(parameter_interval[0] <= parameter_interval[1])) {
    throw std::logic_error(fmt::format(
        "BsplineBasis::ComputeActiveBasisFunctionIndices(): the interval is "
        "[{}, {}]; give its lower end first.",
        ToDouble(parameter_interval[0]), ToDouble(parameter_interval[1])));
  }
  const int first = FindContainingInterval(parameter_interval[0]) - degree();
  const int last = FindContainingInterval(parameter_interval[1]);
  std::vector<int> indices(last - first + 1);
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

template <typename T>
std::vector<int> BsplineBasis<T>::ComputeActiveBasisFunctionIndices(
    const T& parameter_value) const {
  return ComputeActiveBasisFunctionIndices({parameter_value, parameter_value});
}

template <typename T>
T BsplineBasis<T>::EvaluateBasisFunctionI(int i,
                                          const T& parameter_value) const {
  wyvern::internal::RequireIndex("BsplineBasis::EvaluateBasisFunctionI", "i", i,
                                 num_basis_functions());
  std::vector<T> weights(num_basis_functions(), T(0));
  weights[i] = T(1);
  return EvaluateCurve(weights, parameter_value);
}

}  // namespace wyvern::math

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::math::BsplineBasis);
