#pragma once

#include <vector>

#include "wyvern/multibody/fem/block_matrix.h"

namespace wyvern::multibody::fem::internal {

/** Puts some of a mesh's vertices in an order of elimination that keeps its
Cholesky factor small: those on one side of a plane, those on the other, and
then the vertices that separate them; each side likewise, down to a few (nested
dissection: George, "Nested Dissection of a Regular Finite Element Mesh", SIAM
J. Numer. Anal. 10, 1973). A factor of n vertices of a solid then has of the
order of n^4/3 blocks and costs n^2. */
void OrderByDissection(const BlockPattern& pattern, std::vector<int>* vertices);

}  // namespace wyvern::multibody::fem::internal
