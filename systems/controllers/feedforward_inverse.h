#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/linear_system.h"

namespace wyvern::systems::controllers {

/** The inverse of a linear system with one input and one output. */
struct FeedforwardInverse {
  /** A block that computes the input from the wanted output: its input is
  [y; y'; ...; the derivative of order r], of a discrete system [y[k]; y[k+1];
  ...; y[k+r]], its output u. Its state, n - r elements, is T times the state of
  the plant. */
  std::unique_ptr<LinearSystem<double>> system;
  /** r: how often y is differentiated until u shows. */
  int relative_degree{};
  /** (n - r) x n. */
  Eigen::MatrixXd T{};
};

/** Makes the feed-forward inverse of `plant`: from the state of the plant at
the start, the plant follows a wanted output exactly. It needs the derivatives
of the wanted output up to order r, as a TrajectorySource has them; a discrete
system needs the next r values.
@throws std::logic_error if the plant has more than one input or output.
@throws std::runtime_error if the input does not reach the output, or the
inverse is unstable, since a zero of the plant is. */
FeedforwardInverse MakeFeedforwardInverse(const LinearSystem<double>& plant);

}  // namespace wyvern::systems::controllers
