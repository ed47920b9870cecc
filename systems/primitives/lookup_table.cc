#include "wyvern/systems/primitives/lookup_table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"
#include "wyvern/systems/primitives/overflow_check.h"

/* Interpolation along an axis is a weighted sum of values at grid points, so a
table of n axes is a sum of such sums. Between x_i and x_{i+1}, with
h = x_{i+1} - x_i and s = (x - x_i) / h,

  linear   f = (1 - s) f_i + s f_{i+1}
  cubic    f = H00(s) f_i + H10(s) h m_i + H01(s) f_{i+1} + H11(s) h m_{i+1}

with Hermite's polynomials and the slope m_i of the parabola through three
neighbouring points (C. de Boor, "A Practical Guide to Splines", 1978,
chapter IV, "cubic Bessel interpolation"; at an end, the parabola of the
three points there), which is itself a weighted sum of values. Outside the
grid, linear extrapolation takes f and m at the end. */

namespace wyvern::systems {

namespace {

void RequireRisingGrid(const std::vector<std::vector<double>>& grid,
                       int max_axes) {
  wyvern::internal::RequireInRange("LookupTable", "the number of axes",
                                   static_cast<double>(grid.size()), 1,
                                   max_axes);
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    const std::string name = fmt::format("grid[{}]", axis);
    const std::vector<double>& x = grid[axis];
    wyvern::internal::RequireAtLeast("LookupTable", "the size of " + name,
                                     std::ssize(x), 2);
    wyvern::internal::RequireFinite("LookupTable", name, x);
    for (size_t i = 0; i + 1 < x.size(); ++i) {
      if (x[i] < x[i + 1]) continue;
      throw std::logic_error(fmt::format(
          "LookupTable(): {0}[{1}] = {2} is not below {0}[{3}] = {4}; sort the "
          "grid points and let each occur once.",
          name, i, x[i], i + 1, x[i + 1]));
    }
  }
}

// The weights of the values at x[first] to x[first + 2] in the slope, at x[at],
// of the parabola through these points.
void CalcParabolaSlope(const std::vector<double>& x, int first, int at,
                       double slope[3]) {
  for (int j = 0; j < 3; ++j) {
    const double p = x[first + (j + 1) % 3];
    const double q = x[first + (j + 2) % 3];
    const double own = x[first + j];
    slope[j] = ((x[at] - p) + (x[at] - q)) / ((own - p) * (own - q));
  }
}

}  // namespace

template <typename T>
LookupTable<T>::LookupTable(std::vector<std::vector<double>> grid,
                            std::vector<double> values,
                            TableInterpolation interpolation,
                            TableExtrapolation extrapolation)
    : LeafSystem<T>(SystemTypeTag<LookupTable>{}),
      grid_(std::move(grid)),
      values_(std::move(values)),
      interpolation_(interpolation),
      extrapolation_(extrapolation) {
  RequireRisingGrid(grid_, kMaxAxes);
  double size = 1;
  for (const std::vector<double>& axis : grid_) {
    size *= static_cast<double>(axis.size());
  }
  wyvern::internal::RequireSize("LookupTable", "values", std::ssize(values_),
                                static_cast<int64_t>(std::min(size, 9e18)),
                                "give one for each grid point");
  wyvern::internal::RequireFinite("LookupTable", "values", values_);
  this->DeclareVectorInputPort("x", static_cast<int>(grid_.size()));
  this->DeclareVectorOutputPort("y", 1, &LookupTable<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
LookupTable<T>::~LookupTable() = default;

template <typename T>
std::unique_ptr<LookupTable<T>> LookupTable<T>::Make1D(
    const std::vector<double>& x, const std::vector<double>& y,
    TableInterpolation interpolation, TableExtrapolation extrapolation) {
  return std::make_unique<LookupTable<T>>(std::vector<std::vector<double>>{x},
                                          y, interpolation, extrapolation);
}

template <typename T>
void LookupTable<T>::CalcCubicWeights(int axis, int cell, const T& x,
                                      Weights* weights) const {
  const std::vector<double>& grid = grid_[axis];
  const int last = static_cast<int>(grid.size()) - 1;
  weights->first = std::max(cell - 1, 0);
  weights->count = std::min(cell + 2, last) - weights->first + 1;
  for (T& weight : weights->weight) weight = T(0);
  const double h = grid[cell + 1] - grid[cell];
  const T s = (x - grid[cell]) / h;
  const T s2 = s * s;
  const T s3 = s * s2;
  const T value_share[2] = {2 * s3 - 3 * s2 + 1, 3 * s2 - 2 * s3};
  const T slope_share[2] = {h * (s3 - 2 * s2 + s), h * (s3 - s2)};
  for (int end = 0; end < 2; ++end) {
    const int i = cell + end;
    weights->weight[i - weights->first] += value_share[end];
    const int first = std::clamp(i - 1, 0, last - 2);
    double slope[3];
    CalcParabolaSlope(grid, first, i, slope);
    for (int j = 0; j < 3; ++j) {
      weights->weight[first + j - weights->first] +=
          slope_share[end] * slope[j];
    }
  }
}

template <typename T>
void LookupTable<T>::CalcWeights(const Context<T>& context, int axis,
                                 const T& x, Weights* weights) const {
  const std::vector<double>& grid = grid_[axis];
  const double number = wyvern::internal::NumberIn(x);
  const double nearest = std::clamp(number, grid.front(), grid.back());
  const bool is_outside = number != nearest;
  if (is_outside && extrapolation_ == TableExtrapolation::kError) {
    throw std::runtime_error(fmt::format(
        "LookupTable: x[{}] of '{}' is {} at time {} s, but the grid goes from "
        "{} to {}; keep the input within it or choose an extrapolation.",
        axis, this->GetSystemPathname(), number, ScalarText(context.get_time()),
        grid.front(), grid.back()));
  }
  const auto above = std::upper_bound(grid.begin(), grid.end(), nearest);
  const int cell = std::clamp(static_cast<int>(above - grid.begin()) - 1, 0,
                              static_cast<int>(grid.size()) - 2);
  if (interpolation_ == TableInterpolation::kPrevious) {
    weights->first = nearest == grid.back() ? cell + 1 : cell;
    weights->count = 1;
    weights->weight[0] = T(std::isnan(number) ? number : 1);
    return;
  }
  const T at = is_outside ? T(nearest) : x;
  const bool is_cubic =
      interpolation_ == TableInterpolation::kCubic && grid.size() > 2;
  if (is_cubic) {
    CalcCubicWeights(axis, cell, at, weights);
  } else {
    weights->first = cell;
    weights->count = 2;
    weights->weight[1] = (at - grid[cell]) / (grid[cell + 1] - grid[cell]);
    weights->weight[0] = 1 - weights->weight[1];
  }
  if (!is_outside || extrapolation_ == TableExtrapolation::kHold) return;
  // Add the tangent at the end of the grid.
  const T beyond = x - nearest;
  const int last = static_cast<int>(grid.size()) - 1;
  double slope[3] = {-1 / (grid[cell + 1] - grid[cell]),
                     1 / (grid[cell + 1] - grid[cell]), 0};
  int first = cell;
  if (is_cubic) {
    first = std::clamp(cell - 1, 0, last - 2);
    CalcParabolaSlope(grid, first, number < nearest ? 0 : last, slope);
  }
  for (int j = 0; j < (is_cubic ? 3 : 2); ++j) {
    weights->weight[first + j - weights->first] += beyond * slope[j];
  }
}

template <typename T>
T LookupTable<T>::Sum(const Weights* weights, int axis, int64_t offset) const {
  if (axis == static_cast<int>(grid_.size())) return T(values_[offset]);
  T sum(0);
  const Weights& here = weights[axis];
  for (int j = 0; j < here.count; ++j) {
    const int64_t next = offset * std::ssize(grid_[axis]) + here.first + j;
    sum += here.weight[j] * Sum(weights, axis + 1, next);
  }
  return sum;
}

template <typename T>
void LookupTable<T>::CalcOutput(const Context<T>& context,
                                BasicVector<T>* y) const {
  const VectorX<T>& x = this->get_input_port(0).Eval(context);
  Weights weights[kMaxAxes];
  for (int axis = 0; axis < x.size(); ++axis) {
    CalcWeights(context, axis, x[axis], &weights[axis]);
  }
  (*y)[0] = Sum(weights, 0, 0);
  internal::RequireNoOverflow(*this, context, *y);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LookupTable);
