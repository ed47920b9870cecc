#pragma once

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"

namespace wyvern::math {

/** How BsplineBasis places knots of its own. */
enum class KnotVectorType {
  /** Equal steps throughout. */
  kUniform,
  /** Equal steps between end knots repeated `order` times: curves start at
  their first control point and end at their last. */
  kClampedUniform
};

/** The B-spline basis of an order (degree + 1) over non-decreasing knots
t_0, t_1, ..., t_(n + order - 1): n functions B_i, piecewise polynomial of that
degree, B_i positive on (t_i, t_(i + order)) and zero outside, that sum to one
on the domain [t_(order - 1), t_n]. */
template <typename T>
class BsplineBasis final {
 public:
  /** Without knots or functions. */
  BsplineBasis() = default;
  /** Takes the order, which is the degree plus 1, and the knots, in increasing
  order.
  @throws std::logic_error if order < 1, there are fewer than 2 * order
  knots, a knot is not finite or smaller than the one before, or the domain is
  empty. */
  BsplineBasis(int order, std::vector<T> knots);
  /** Knots of its own over a domain.
  @throws std::logic_error if order < 1, num_basis_functions < order, or the
  final value is not greater than the initial. */
  BsplineBasis(int order, int num_basis_functions,
               KnotVectorType type = KnotVectorType::kClampedUniform,
               const T& initial_parameter_value = 0,
               const T& final_parameter_value = 1);
  /** From a basis of plain numbers. */
  template <typename U>
  requires(std::is_same_v<U, double> &&
           !std::is_same_v<
               T, double>) explicit BsplineBasis(const BsplineBasis<U>& other)
      : order_(other.order()),
        knots_(other.knots().begin(), other.knots().end()) {}

  /** The order, degree() + 1. */
  int order() const { return order_; }
  /** The degree of the polynomials. */
  int degree() const { return order_ - 1; }
  /** Number of functions B_i. */
  int num_basis_functions() const {
    return static_cast<int>(knots_.size()) - order_;
  }
  /** The knots, not decreasing. */
  const std::vector<T>& knots() const { return knots_; }

  /** The ends of the domain.
  @throws std::logic_error without knots; so do all evaluations. */
  const T& initial_parameter_value() const;
  /** The upper end of the domain. */
  const T& final_parameter_value() const;

  /** The i with t_i <= parameter_value < t_(i+1); at the end of the domain, of
  the last interval that is not empty.
  @throws std::logic_error if the value is outside the domain; so do all
  evaluations. */
  int FindContainingInterval(const T& parameter_value) const;

  /** The functions that are not zero somewhere in an interval, in order. */
  std::vector<int> ComputeActiveBasisFunctionIndices(
      const std::array<T, 2>& parameter_interval) const;
  /** Returns the indices of the `order` basis functions that are active in the
  interval that contains a value. */
  std::vector<int> ComputeActiveBasisFunctionIndices(
      const T& parameter_value) const;

  /** B_i at a value. @throws std::out_of_range for an i that is none. */
  T EvaluateBasisFunctionI(int i, const T& parameter_value) const;

  /** sum of B_i control_points[i], by de Boor's recursion on the active
  points; a control point is anything that can be scaled and added.
  @throws std::logic_error unless there is a point per function. */
  template <typename T_control_point>
  T_control_point EvaluateCurve(
      const std::vector<T_control_point>& control_points,
      const T& parameter_value) const {
    RequireNumControlPoints(static_cast<int>(control_points.size()));
    const int last = FindContainingInterval(parameter_value);
    const int first = last - degree();
    std::vector<T_control_point> p(control_points.begin() + first,
                                   control_points.begin() + last + 1);
    for (int level = 1; level < order_; ++level) {
      for (int j = degree(); j >= level; --j) {
        const int i = first + j;
        const T w = (parameter_value - knots_[i]) /
                    (knots_[i + order_ - level] - knots_[i]);
        p[j] = (T(1) - w) * p[j - 1] + w * p[j];
      }
    }
    return p.back();
  }

  /** Visits `order` and `knots`, to write or read them.
  @throws std::logic_error if what was read is no basis, and leaves this as it
  was. Without an order and knots it is an empty basis. */
  template <typename Archive>
  requires std::is_same_v<T, double>
  void Serialize(Archive* a) {
    int order = order_;
    std::vector<double> knots = knots_;
    a->Visit(WYVERN_NVP(order));
    a->Visit(WYVERN_NVP(knots));
    if (order == order_ && knots == knots_) return;
    *this = order == 0 && knots.empty() ? BsplineBasis()
                                        : BsplineBasis(order, std::move(knots));
  }

  /** True if order and knots are equal. */
  bool operator==(const BsplineBasis& other) const {
    return order_ == other.order_ && knots_ == other.knots_;
  }

 private:
  void RequireNumControlPoints(int given) const;
  void RequireKnots() const;

  int order_{0};
  std::vector<T> knots_;
};

}  // namespace wyvern::math
