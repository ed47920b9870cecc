#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** How a LookupTable goes from grid point to grid point. */
enum class TableInterpolation {
  kPrevious,  ///< The value of the grid point below, with derivative zero.
  kLinear,
  /** Cubics whose slope at a grid point is that of the parabola through it and
  its neighbours: exact for polynomials of degree 2, with a continuous first
  derivative. */
  kCubic,
};

/** Behaviour of a LookupTable outside its grid. */
enum class TableExtrapolation {
  kHold,    ///< The value at the nearest point of the grid.
  kLinear,  ///< The tangent at the nearest point of the grid.
  kError,   ///< Throws std::runtime_error naming the axis and the number.
};

/** y = f(x), a function of n numbers that is given on a rectangular grid,
interpolated along one axis after the other.

Input port `x` of size n, one element per axis of the grid; output port `y` of
size 1, direct feedthrough. A value costs 2^n products, or 4^n for kCubic. */
template <typename T>
class LookupTable final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LookupTable);

  /** The most axes of a grid. */
  static constexpr int kMaxAxes = 6;

  /** @param grid the grid points along each axis, rising, two or more each.
  @param values a number for each grid point; the index along the last axis goes
  fastest, as in a C array.
  @throws std::logic_error if there is no axis or more than kMaxAxes, an axis
  does not rise, a number is not finite, or the number of values is wrong. */
  LookupTable(std::vector<std::vector<double>> grid, std::vector<double> values,
              TableInterpolation interpolation = TableInterpolation::kLinear,
              TableExtrapolation extrapolation = TableExtrapolation::kHold);

  /** A table of one axis. */
  static std::unique_ptr<LookupTable<T>> Make1D(
      const std::vector<double>& x, const std::vector<double>& y,
      TableInterpolation interpolation = TableInterpolation::kLinear,
      TableExtrapolation extrapolation = TableExtrapolation::kHold);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LookupTable(const LookupTable<U>& other)
      : LookupTable(other.grid_, other.values_, other.interpolation_,
                    other.extrapolation_) {}

  ~LookupTable() override;

  /** Grid points along each axis, rising. */
  const std::vector<std::vector<double>>& grid() const { return grid_; }
  /** A number for each grid point; the index along the last axis goes fastest.
   */
  const std::vector<double>& values() const { return values_; }
  /** How values between grid points are found. */
  TableInterpolation interpolation() const { return interpolation_; }
  /** How values outside of the grid are found. */
  TableExtrapolation extrapolation() const { return extrapolation_; }

 private:
  template <typename U>
  friend class LookupTable;

  // The grid points that a number x depends on, along one axis: `count` from
  // `first` on, and the weights of their values.
  struct Weights {
    int first{};
    int count{};
    T weight[4];
  };

  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  void CalcWeights(const Context<T>& context, int axis, const T& x,
                   Weights* weights) const;
  void CalcCubicWeights(int axis, int cell, const T& x, Weights* weights) const;
  T Sum(const Weights* weights, int axis, int64_t offset) const;

  const std::vector<std::vector<double>> grid_;
  const std::vector<double> values_;
  const TableInterpolation interpolation_;
  const TableExtrapolation extrapolation_;
};

}  // namespace wyvern::systems
