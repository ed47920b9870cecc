#pragma once

#include <vector>

#include "tests/multibody/fem/test_bodies.h"

namespace wyvern::multibody::fem::internal::test {

// A matrix of a mesh, as blocks and dense.
struct StiffnessAndMass {
  FemModel model{"cube", MakeIrregularCube(4),
                 MakeConfig(MaterialModel::kLinear)};
  const BlockPattern& pattern{model.pattern()};
  int n{3 * model.num_vertices()};
  std::vector<Block> A;
  Eigen::MatrixXd dense;

  // Stiffness and mass.
  StiffnessAndMass()
      : A(pattern.num_blocks()), dense(Eigen::MatrixXd::Zero(n, n)) {
    VectorX<double> gradient(n);
    const VectorX<double>& q = model.reference_positions();
    model.CalcElasticity(q, q, Wanted::kStiffness, &gradient, &A);
    for (int k = 0; k < pattern.num_blocks(); ++k) {
      for (const int i : {0, 4, 8}) A[k][i] += 1e3 * model.masses()[k];
      const int i = 3 * pattern.row_vertex(k);
      const int j = 3 * pattern.column_vertex(k);
      const Eigen::Map<const Eigen::Matrix3d> block(A[k].data());
      dense.block<3, 3>(j, i) = block.transpose();
      dense.block<3, 3>(i, j) = block;
    }
  }
};

}  // namespace wyvern::multibody::fem::internal::test
