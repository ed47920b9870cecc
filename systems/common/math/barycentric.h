#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <vector>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::math {

/** Piecewise linear interpolation between values at the points of a
rectangular grid. Each cell of the grid is cut into n! simplices along its
diagonal, and the value is the mean of those at the n + 1 corners of the simplex
that the input is in, weighted with its barycentric coordinates (R. Munos, A.
Moore, "Barycentric interpolators for continuous space and time reinforcement
learning", NIPS 1998). Inputs outside the grid are moved to its boundary. Cost:
n log n for n inputs.

Mesh points are numbered with the first coordinate running fastest. */
template <typename T>
class BarycentricMesh {
 public:
  /** The coordinates of the grid lines, for each input. */
  using Coordinates = std::set<T>;
  /** The grid lines of all inputs. */
  using MeshGrid = std::vector<Coordinates>;

  /** Takes the coordinates of the grid lines, for each input.
  @throws std::logic_error without inputs, if one has no coordinates or one
  that is not finite, or if there are more than 1e8 mesh points. */
  explicit BarycentricMesh(MeshGrid input_grid);

  /** The grid that was given to the constructor. */
  const MeshGrid& get_input_grid() const { return input_grid_; }
  /** Number of inputs. */
  int get_input_size() const { return static_cast<int>(lines_.size()); }
  /** Number of mesh points. */
  int get_num_mesh_points() const { return num_mesh_points_; }
  /** How many points a value is the mean of: one more than the inputs that
  have more than one coordinate. */
  int get_num_interpolants() const { return num_interpolants_; }

  /** A mesh point. @throws std::out_of_range on an index of none, and
  std::logic_error if `point` is of another size than the input. */
  void get_mesh_point(int index, EigenPtr<Eigen::VectorXd> point) const;
  /** Overload that returns the point. */
  VectorX<T> get_mesh_point(int index) const;
  /** All of them, a column each. */
  MatrixX<T> get_all_mesh_points() const;

  /** The mesh points and weights of an input; both outputs of size
  get_num_interpolants(). Weights are not negative and sum to one.
  @throws std::logic_error if a size does not fit or the input is not a
  number. */
  void EvalBarycentricWeights(const Eigen::Ref<const VectorX<T>>& input,
                              EigenPtr<Eigen::VectorXi> mesh_indices,
                              EigenPtr<VectorX<T>> weights) const;

  /** The value at an input, from those at the mesh points, a column each.
  @throws std::logic_error if a size does not fit. */
  void Eval(const Eigen::Ref<const MatrixX<T>>& mesh_values,
            const Eigen::Ref<const VectorX<T>>& input,
            EigenPtr<VectorX<T>> output) const {
    EvalWithMixedScalars<T>(mesh_values, input, output);
  }
  /** Overload that returns the value. */
  VectorX<T> Eval(const Eigen::Ref<const MatrixX<T>>& mesh_values,
                  const Eigen::Ref<const VectorX<T>>& input) const {
    return EvalWithMixedScalars<T>(mesh_values, input);
  }

  /** Overload for values of another scalar type. */
  template <typename ValueT>
  void EvalWithMixedScalars(
      const Eigen::Ref<const MatrixX<ValueT>>& mesh_values,
      const Eigen::Ref<const VectorX<T>>& input,
      EigenPtr<VectorX<ValueT>> output) const {
    RequireEvalSizes(mesh_values.rows(), mesh_values.cols(),
                     output == nullptr ? -1 : output->size());
    Eigen::VectorXi indices(num_interpolants_);
    VectorX<T> weights(num_interpolants_);
    EvalBarycentricWeights(input, &indices, &weights);
    *output = weights[0] * mesh_values.col(indices[0]);
    for (int k = 1; k < num_interpolants_; ++k) {
      *output += weights[k] * mesh_values.col(indices[k]);
    }
  }
  /** Overload that returns the value. */
  template <typename ValueT = T>
  VectorX<ValueT> EvalWithMixedScalars(
      const Eigen::Ref<const MatrixX<ValueT>>& mesh_values,
      const Eigen::Ref<const VectorX<T>>& input) const {
    VectorX<ValueT> output(mesh_values.rows());
    EvalWithMixedScalars<ValueT>(mesh_values, input, &output);
    return output;
  }

  /** The values of a function at the mesh points, a column each, for Eval(). */
  MatrixX<T> MeshValuesFrom(
      const std::function<VectorX<T>(const Eigen::Ref<const VectorX<T>>&)>&
          vector_func) const;

 private:
  void RequireEvalSizes(Eigen::Index value_rows, Eigen::Index value_cols,
                        Eigen::Index output_size) const;

  MeshGrid input_grid_;
  // input_grid_ by index, and the steps in mesh index between lines.
  std::vector<std::vector<T>> lines_;
  std::vector<int> stride_;
  int num_interpolants_{1};
  int num_mesh_points_{1};
};

}  // namespace wyvern::math
