#include "wyvern/systems/common/math/barycentric.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A mesh point's index is read as digits, one per input and the first fastest,
so that a step to the next line of input i is a step of stride_[i] columns of
the mesh values. An evaluation moves the input into the grid, finds its cell
by bisection in each direction, and sorts the relative coordinates in that
cell; their order is what says which of the cell's simplices holds the input.
The search leaves out the first and the last line, so that an input on the
upper boundary falls into the last cell and not past it. Inputs with a single
coordinate span no cell and take no part. */

namespace wyvern::math {

template <typename T>
BarycentricMesh<T>::BarycentricMesh(MeshGrid input_grid)
    : input_grid_(std::move(input_grid)) {
  if (input_grid_.empty()) {
    throw std::logic_error(
        "BarycentricMesh(): the grid has no inputs; give one at least.");
  }
  for (const Coordinates& coordinates : input_grid_) {
    if (coordinates.empty()) {
      throw std::logic_error(
          fmt::format("BarycentricMesh(): input {} of the grid has no "
                      "coordinates; give one "
                      "at least.",
                      lines_.size()));
    }
    wyvern::internal::RequireFinite("BarycentricMesh", "a grid's coordinates",
                                    coordinates);
    lines_.emplace_back(coordinates.begin(), coordinates.end());
    stride_.push_back(num_mesh_points_);
    const int64_t num_points =
        int64_t{num_mesh_points_} * static_cast<int64_t>(coordinates.size());
    wyvern::internal::RequireAtLeast(
        "BarycentricMesh", "the number of mesh points", num_points, 1,
        "the grid's sizes multiply; take fewer coordinates");
    num_mesh_points_ = static_cast<int>(num_points);
    if (coordinates.size() > 1) ++num_interpolants_;
  }
}

template <typename T>
void BarycentricMesh<T>::get_mesh_point(int index,
                                        EigenPtr<Eigen::VectorXd> point) const {
  if (point == nullptr || point->size() != get_input_size()) {
    throw std::logic_error(fmt::format(
        "BarycentricMesh::get_mesh_point(): the vector to fill has {} "
        "elements; give one of {}.",
        point == nullptr ? 0 : point->size(), get_input_size()));
  }
  *point = ToDouble(get_mesh_point(index));
}

template <typename T>
VectorX<T> BarycentricMesh<T>::get_mesh_point(int index) const {
  wyvern::internal::RequireIndex("BarycentricMesh::get_mesh_point", "index",
                                 index, num_mesh_points_);
  VectorX<T> point(get_input_size());
  for (int i = 0; i < get_input_size(); ++i) {
    const int size = static_cast<int>(lines_[i].size());
    point[i] = lines_[i][index % size];
    index /= size;
  }
  return point;
}

template <typename T>
MatrixX<T> BarycentricMesh<T>::get_all_mesh_points() const {
  MatrixX<T> points(get_input_size(), num_mesh_points_);
  for (int i = 0; i < num_mesh_points_; ++i) points.col(i) = get_mesh_point(i);
  return points;
}

// In a cell, with relative coordinates f_1 >= f_2 >= ... >= f_n in [0, 1], the
// simplex's corners are the lowest corner of the cell and those reached from it
// by stepping along 1, then 2, ... n; their weights are 1 - f_1, f_1 - f_2,
// ..., f_n.
template <typename T>
void BarycentricMesh<T>::EvalBarycentricWeights(
    const Eigen::Ref<const VectorX<T>>& input,
    EigenPtr<Eigen::VectorXi> mesh_indices,
    EigenPtr<VectorX<T>> weights) const {
  if (input.size() != get_input_size() || mesh_indices == nullptr ||
      weights == nullptr || mesh_indices->size() != num_interpolants_ ||
      weights->size() != num_interpolants_) {
    throw std::logic_error(fmt::format(
        "BarycentricMesh::EvalBarycentricWeights(): an input of size {}, or an "
        "output, does not fit; they must have {} and {} elements.",
        input.size(), get_input_size(), num_interpolants_));
  }
  wyvern::internal::RequireNotNan("BarycentricMesh::EvalBarycentricWeights",
                                  "input", input);
  std::vector<std::pair<T, int>> steps;  // Relative coordinate, stride.
  int corner = 0;
  for (int i = 0; i < get_input_size(); ++i) {
    const std::vector<T>& line = lines_[i];
    if (line.size() == 1) continue;
    const auto after =
        std::upper_bound(line.begin() + 1, line.end() - 1, input[i]);
    const T& low = *(after - 1);
    const T& high = *after;
    const T x = input[i] < low ? low : input[i] > high ? high : T(input[i]);
    corner += stride_[i] * static_cast<int>(after - line.begin() - 1);
    steps.emplace_back((x - low) / (high - low), stride_[i]);
  }
  std::stable_sort(
      steps.begin(), steps.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  T above(1.0);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    (*mesh_indices)[k] = corner;
    (*weights)[k] = above - steps[k].first;
    above = steps[k].first;
    corner += steps[k].second;
  }
  (*mesh_indices)[num_interpolants_ - 1] = corner;
  (*weights)[num_interpolants_ - 1] = above;
}

template <typename T>
void BarycentricMesh<T>::RequireEvalSizes(Eigen::Index value_rows,
                                          Eigen::Index value_cols,
                                          Eigen::Index output_size) const {
  if (value_cols != num_mesh_points_ || output_size != value_rows) {
    throw std::logic_error(fmt::format(
        "BarycentricMesh::Eval(): {} x {} mesh values and an output of {} "
        "elements; the values need a column for each of {} mesh points, and "
        "the output an element per row.",
        value_rows, value_cols, output_size, num_mesh_points_));
  }
}

template <typename T>
MatrixX<T> BarycentricMesh<T>::MeshValuesFrom(
    const std::function<VectorX<T>(const Eigen::Ref<const VectorX<T>>&)>&
        vector_func) const {
  MatrixX<T> values;
  for (int i = 0; i < num_mesh_points_; ++i) {
    const VectorX<T> value = vector_func(get_mesh_point(i));
    if (i == 0) values.resize(value.size(), num_mesh_points_);
    if (value.size() != values.rows()) {
      throw std::logic_error(fmt::format(
          "BarycentricMesh::MeshValuesFrom(): the function returned {} numbers "
          "at point {} and {} before; all must be of one size.",
          value.size(), i, values.rows()));
    }
    values.col(i) = value;
  }
  return values;
}

}  // namespace wyvern::math

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::math::BarycentricMesh);
