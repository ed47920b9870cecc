#pragma once

#include <vector>

#include "wyvern/multibody/kernels/delassus_blocks.h"
#include "wyvern/multibody/step/island.h"

namespace wyvern::multibody::internal {

/** Solves an island for the impulses of its rows, by Newton's method with exact
line search: the unknowns are as many as rows, not as velocities. It takes force
laws for the lines that they follow at the first v, so that VelocitySolver has
to check, and may have to improve, its solution. Storage is kept. */
class RowSolver {
 public:
  /** Whether the island has so few rows that solving it by them pays: it is
  held together by at most kMaxRowContacts contacts with rows of their own, with
  at most half as many rows as velocities, of which none is locked. */
  static bool HasFewRows(const Island& island);

  /** Requires HasFewRows(). Leaves the island's state at the end, whatever the
  result. */
  NewtonResult SolveIsland(Island* island);

 private:
  class Iteration;

  bool Start(Island* island);
  void GatherJacobian(const Island& island);
  void AddRightSide(const Island& island);
  void CalcDelassusOperator(const Island& island);
  double MultiplyDelassus(const VectorX<double>& x, StepState* state) const;
  void SetVelocities(Island* island);

  // The island at work.
  int num_contacts_{};
  int size_{};                        // Number of rows.
  int first_row_[kMaxRowContacts]{};  // First row of each contact in the
                                      // problem.
  // Longer than needed after larger islands.
  MatrixX<double> X_;           // (L^-1 [J' b])'
  MatrixX<double> W_;           // X'X with b's row and column.
  std::vector<Block3> slopes_;  // G of each contact.
  std::vector<Block3> blocks_;  // Memory of SolveDelassusBlocks().
  VectorX<double> xi_;          // Impulses.
  VectorX<double> d_xi_;        // The Newton step.
  VectorX<double> residual_;    // g(y) - xi.
};

}  // namespace wyvern::multibody::internal
