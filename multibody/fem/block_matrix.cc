#include "wyvern/multibody/fem/block_matrix.h"

#include <algorithm>
#include <cmath>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

/* The pattern is made once: the graph of the mesh, its order of elimination,
and the rows of each column of the factor, which are those of the matrix and of
the columns whose first row below the diagonal this column is (its children in
the elimination tree; Davis, "Direct Methods for Sparse Linear Systems", 2006,
chapter 4). Factoring then goes over the columns from left to right. Each
gathers what earlier columns with a block in its row take off it, and these are
in a list, because a factored column moves on to the list of its next row. */

namespace wyvern::multibody::fem::internal {
namespace {

// c -= a b'.
void SubtractProduct(const Block& a, const Block& b, Block* c) {
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      (*c)[3 * j + i] -=
          a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
    }
  }
}

// The lower triangle becomes its Cholesky factor, with the inverse of its
// diagonal on the diagonal. False if a pivot is no more than rounding.
bool FactorDiagonal(Block* block) {
  constexpr double kLeast = 1e-15;
  Block& d = *block;
  const double least = kLeast * (d[0] + d[4] + d[8]);
  if (!(d[0] > 0)) return false;
  d[0] = 1 / std::sqrt(d[0]);
  d[1] *= d[0];
  d[2] *= d[0];
  d[4] -= d[1] * d[1];
  if (!(d[4] > least)) return false;
  d[4] = 1 / std::sqrt(d[4]);
  d[5] = (d[5] - d[2] * d[1]) * d[4];
  d[8] -= d[2] * d[2] + d[5] * d[5];
  if (!(d[8] > least)) return false;
  d[8] = 1 / std::sqrt(d[8]);
  return std::isfinite(d[0] + d[4] + d[8]);
}

// a L'^-1.
void SolveTransposed(const Block& d, Block* block) {
  Block& a = *block;
  for (int i = 0; i < 3; ++i) {
    a[i] *= d[0];
    a[3 + i] = (a[3 + i] - a[i] * d[1]) * d[4];
    a[6 + i] = (a[6 + i] - a[i] * d[2] - a[3 + i] * d[5]) * d[8];
  }
}

}  // namespace

BlockPattern::BlockPattern(int num_vertices,
                           std::span<const std::array<int, 4>> elements) {
  const int n = num_vertices;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(16 * elements.size());
  for (const auto& element : elements) {
    for (const int i : element) {
      for (const int j : element) entries.emplace_back(i, j, 1);
    }
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  // order.indices()[k] is the vertex whose turn is k.
  const auto& turn = order.indices();
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[turn[k]] = k;

  std::vector<std::vector<int>> rows(n);
  std::vector<std::vector<int>> children(n);
  std::vector<int> seen_by(n, -1);
  std::vector<int> below;
  for (int k = 0; k < n; ++k) {
    start_.push_back(static_cast<int>(row_.size()));
    below.clear();
    using Iterator = Eigen::SparseMatrix<double>::InnerIterator;
    for (Iterator it(graph, turn[k]); it; ++it) {
      const int place = place_[it.row()];
      if (place >= k) below.push_back(place);
    }
    std::sort(below.begin(), below.end());
    for (const int place : below) {
      row_.push_back(turn[place]);
      column_.push_back(turn[k]);
    }
    std::vector<int>& mine = rows[k];
    const auto add = [&mine, &seen_by, k](int place) {
      if (place < k || seen_by[place] == k) return;
      seen_by[place] = k;
      mine.push_back(place);
    };
    for (const int place : below) add(place);
    for (const int child : children[k]) {
      for (const int place : rows[child]) add(place);
    }
    std::sort(mine.begin(), mine.end());
    if (mine.size() > 1) children[mine[1]].push_back(k);
    factor_start_.push_back(static_cast<int>(factor_row_.size()));
    factor_row_.insert(factor_row_.end(), mine.begin(), mine.end());
    for (const int place : below) {
      const auto at = std::lower_bound(mine.begin(), mine.end(), place);
      factor_block_.push_back(factor_start_.back() +
                              static_cast<int>(at - mine.begin()));
    }
  }
  start_.push_back(static_cast<int>(row_.size()));
  factor_start_.push_back(static_cast<int>(factor_row_.size()));
}

int BlockPattern::FindBlock(int row_vertex, int column_vertex) const {
  const int column = place_[column_vertex];
  const auto begin = row_.begin() + start_[column];
  const auto end = row_.begin() + start_[column + 1];
  const auto at = std::lower_bound(
      begin, end, place_[row_vertex],
      [this](int vertex, int place) { return place_[vertex] < place; });
  return static_cast<int>(at - row_.begin());
}

void AddProduct(const BlockPattern& pattern, std::span<const Block> A,
                const VectorX<double>& x, VectorX<double>* y) {
  for (int k = 0; k < pattern.num_blocks(); ++k) {
    const Block& a = A[k];
    const int row = pattern.row_vertex(k), column = pattern.column_vertex(k);
    const double* from = x.data() + 3 * column;
    double* to = y->data() + 3 * row;
    for (int i = 0; i < 3; ++i) {
      to[i] += a[i] * from[0] + a[3 + i] * from[1] + a[6 + i] * from[2];
    }
    if (row == column) continue;
    from = x.data() + 3 * row;
    to = y->data() + 3 * column;
    for (int i = 0; i < 3; ++i) {
      to[i] +=
          a[3 * i] * from[0] + a[3 * i + 1] * from[1] + a[3 * i + 2] * from[2];
    }
  }
}

BlockCholesky3::BlockCholesky3(const BlockPattern& pattern)
    : L_(pattern.num_factor_blocks()),
      first_(pattern.num_vertices()),
      next_(pattern.num_vertices()),
      at_(pattern.num_vertices()),
      where_(pattern.num_vertices()),
      y_(VectorX<double>::Zero(3 * pattern.num_vertices())) {}

bool BlockCholesky3::Factor(const BlockPattern& pattern,
                            std::span<const Block> A,
                            std::span<const char> is_fixed) {
  std::ranges::fill(L_, Block{});
  for (int k = 0; k < pattern.num_blocks(); ++k) {
    const int row = pattern.row_[k], column = pattern.column_[k];
    Block& to = L_[pattern.factor_block_[k]];
    if (!is_fixed[row] && !is_fixed[column]) {
      to = A[k];
    } else if (row == column) {
      to[0] = to[4] = to[8] = 1;
    }
  }
  std::ranges::fill(first_, -1);
  for (int column = 0; column < pattern.num_vertices(); ++column) {
    if (!FactorColumn(pattern, column)) return false;
  }
  return true;
}

bool BlockCholesky3::FactorColumn(const BlockPattern& pattern, int column) {
  const std::vector<int>& start = pattern.factor_start_;
  const std::vector<int>& row = pattern.factor_row_;
  const auto move_on = [this, &start, &row](int c, int block) {
    if (block == start[c + 1]) return;
    at_[c] = block;
    next_[c] = first_[row[block]];
    first_[row[block]] = c;
  };
  for (int k = start[column]; k < start[column + 1]; ++k) where_[row[k]] = k;
  for (int c = first_[column]; c >= 0;) {
    const int next = next_[c];
    const Block b = L_[at_[c]];
    for (int k = at_[c]; k < start[c + 1]; ++k) {
      SubtractProduct(L_[k], b, &L_[where_[row[k]]]);
    }
    move_on(c, at_[c] + 1);
    c = next;
  }
  Block& diagonal = L_[start[column]];
  if (!FactorDiagonal(&diagonal)) return false;
  for (int k = start[column] + 1; k < start[column + 1]; ++k) {
    SolveTransposed(diagonal, &L_[k]);
  }
  move_on(column, start[column] + 1);
  return true;
}

void BlockCholesky3::Solve(const BlockPattern& pattern,
                           const VectorX<double>& b,
                           std::span<const char> is_fixed, VectorX<double>* x) {
  const std::vector<int>& start = pattern.factor_start_;
  const std::vector<int>& row = pattern.factor_row_;
  const int n = pattern.num_vertices();
  for (int v = 0; v < n; ++v) {
    auto y = y_.segment<3>(3 * pattern.place(v));
    if (is_fixed[v]) {
      y.setZero();
    } else {
      y = b.segment<3>(3 * v);
    }
  }
  for (int c = 0; c < n; ++c) {  // L z = y
    const Block& d = L_[start[c]];
    double* z = y_.data() + 3 * c;
    z[0] *= d[0];
    z[1] = (z[1] - d[1] * z[0]) * d[4];
    z[2] = (z[2] - d[2] * z[0] - d[5] * z[1]) * d[8];
    if (z[0] == 0 && z[1] == 0 && z[2] == 0) continue;
    for (int k = start[c] + 1; k < start[c + 1]; ++k) {
      const Block& a = L_[k];
      double* to = y_.data() + 3 * row[k];
      for (int i = 0; i < 3; ++i) {
        to[i] -= a[i] * z[0] + a[3 + i] * z[1] + a[6 + i] * z[2];
      }
    }
  }
  for (int c = n - 1; c >= 0; --c) {  // L' y = z
    const Block& d = L_[start[c]];
    double* z = y_.data() + 3 * c;
    for (int k = start[c] + 1; k < start[c + 1]; ++k) {
      const Block& a = L_[k];
      const double* from = y_.data() + 3 * row[k];
      for (int i = 0; i < 3; ++i) {
        z[i] -= a[3 * i] * from[0] + a[3 * i + 1] * from[1] +
                a[3 * i + 2] * from[2];
      }
    }
    z[2] *= d[8];
    z[1] = (z[1] - d[5] * z[2]) * d[4];
    z[0] = (z[0] - d[1] * z[1] - d[2] * z[2]) * d[0];
  }
  for (int v = 0; v < n; ++v) {
    x->segment<3>(3 * v) = y_.segment<3>(3 * pattern.place(v));
  }
}

}  // namespace wyvern::multibody::fem::internal
