#pragma once

#include <cstdio>

#include <Eigen/Core>

/** Prints the entries of a matrix, row by row, in a line behind their name. */
inline void PrintFigures(const char* name,
                         const Eigen::Ref<const Eigen::MatrixXd>& figures) {
  std::printf("%s", name);
  for (Eigen::Index i = 0; i < figures.rows(); ++i) {
    for (Eigen::Index j = 0; j < figures.cols(); ++j) {
      std::printf(" %.17g", figures(i, j));
    }
  }
  std::printf("\n");
}
