#include "wyvern/multibody/step/block_cholesky.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "wyvern/multibody/kernels/dense_tiles.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/kernels/short_vectors.h"
#include "wyvern/multibody/kernels/six_by_six.h"

/* Sparse Cholesky factorization by blocks, H = L L'. Analyze() finds the
islands of the graph, the order of elimination of each, by minimum degree
(Order(); George and Liu, "The Evolution of the Minimum Degree Ordering
Algorithm", SIAM Review 1989), and the place of each panel in one array
(LayOut()): a block's column, its own square on top and below it a rectangle for
each later block that it is joined to, by an edge or by fill. A graph that has
not changed is not analyzed again. Factor() goes from panel to panel: the
square's factor L, the rectangles times L^-T, and the products of rectangles off
later panels, at places known beforehand. Solve() passes over the panels forward
and back. A square that is branched has a factor H = U U' instead: its columns
are eliminated from the leaves of the tree to its root, so that branches stay
apart (BranchPattern; Featherstone, "Efficient Factorization of the Joint-Space
Inertia Matrix for Branched Kinematic Trees", IJRR 2005). An island of one block
is a dense factorization of its square. */

namespace wyvern::multibody::internal {

namespace {

using Panel = Eigen::Map<MatrixX<double>, 0, Eigen::OuterStride<>>;
using ConstPanel = Eigen::Map<const MatrixX<double>, 0, Eigen::OuterStride<>>;

// Panels with at least this many columns are factored tile by tile.
constexpr int kLarge = 32;

// A panel of `size` columns: its square part, of which the upper triangle is
// given, becomes its Cholesky factor L, with 1 / L on the diagonal, and the
// part below is multiplied by L^-T. Columns left to right.
bool FactorPanel(int size, int height, double* panel) {
  if (size == 6) return FactorSixPanel(height, panel);
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < j; ++i) panel[i * height + j] = panel[j * height + i];
  }
  if (size >= kLarge) {
    return internal::FactorPanel(height, size, panel, height);
  }
  using Column = Eigen::Map<VectorX<double>>;
  for (int j = 0; j < size; ++j) {
    Column target(panel + j * height + j, height - j);
    for (int i = 0; i < j; ++i) {
      const double* source = panel + i * height + j;
      target -=
          source[0] * Eigen::Map<const VectorX<double>>(source, height - j);
    }
    if (!(target[0] > 0)) return false;
    const double inverse = 1 / std::sqrt(target[0]);
    target *= inverse;
    target[0] = inverse;
  }
  return true;
}

// y -= A x and x -= A'y with A of some rows in a panel.
void SubtractProduct(int rows, int columns, const double* a, int stride,
                     const double* x, double* y) {
  using Stride = Eigen::OuterStride<>;
  if (rows == 6 && columns == 6) {
    Eigen::Map<Vector6<double>>(y) -=
        Eigen::Map<const Matrix6<double>, 0, Stride>(a, Stride(stride))
            .lazyProduct(Eigen::Map<const Vector6<double>>(x));
    return;
  }
  Eigen::Map<VectorX<double>>(y, rows).noalias() -=
      ConstPanel(a, rows, columns, Stride(stride))
          .lazyProduct(Eigen::Map<const VectorX<double>>(x, columns));
}

void SubtractTransposeProduct(int rows, int columns, const double* a,
                              int stride, const double* y, double* x) {
  using Stride = Eigen::OuterStride<>;
  if (rows == 6 && columns == 6) {
    Eigen::Map<Vector6<double>>(x) -=
        Eigen::Map<const Matrix6<double>, 0, Stride>(a, Stride(stride))
            .transpose()
            .lazyProduct(Eigen::Map<const Vector6<double>>(y));
    return;
  }
  Eigen::Map<VectorX<double>>(x, columns).noalias() -=
      ConstPanel(a, rows, columns, Stride(stride))
          .transpose()
          .lazyProduct(Eigen::Map<const VectorX<double>>(y, rows));
}

// y := L^-1 y and y := L^-T y with the square part of a panel, whose diagonal
// has 1 / L.
void SolveSquare(int size, const double* panel, int height, double* y) {
  for (int j = 0; j < size; ++j) {
    const double* L = panel + j * height;
    y[j] *= L[j];
    for (int i = j + 1; i < size; ++i) y[i] -= L[i] * y[j];
  }
}

void SolveTransposedSquare(int size, const double* panel, int height,
                           double* y) {
  using Column = Eigen::Map<const VectorX<double>>;
  for (int j = size - 1; j >= 0; --j) {
    const double* L = panel + j * height;
    const int rest = size - j - 1;
    y[j] = L[j] * (y[j] - Column(L + j + 1, rest).dot(Column(y + j + 1, rest)));
  }
}

// For six columns: y := L^-1 y and y := L^-T y, with y in registers.
void SolveSixSquare(const double* panel, int height, double* y) {
  double x[6];
  std::copy_n(y, 6, x);
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    const double* L = panel + j * height;
    x[j] *= L[j];
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; ++i) x[i] -= L[i] * x[j];
  }
  std::copy_n(x, 6, y);
}

void SolveTransposedSixSquare(const double* panel, int height, double* y) {
  double x[6];
  std::copy_n(y, 6, x);
#pragma GCC unroll 6
  for (int j = 5; j >= 0; --j) {
    const double* L = panel + j * height;
#pragma GCC unroll 6
    for (int i = 5; i > j; --i) x[j] -= L[i] * x[i];
    x[j] *= L[j];
  }
  std::copy_n(x, 6, y);
}

// y := U^-1 y and y := U^-T y with the square part of a panel, whose diagonal
// has 1 / U.
void SolveSquare(const BranchPattern& pattern, int first, int size,
                 const double* panel, int height, double* y) {
  for (int j = size - 1; j >= 0; --j) {
    if (y[j] == 0) continue;  // Right sides are often sparse.
    const double* U = panel + j * height;
    const double y_j = y[j] * U[j];
    for (const IndexRange& range : pattern.rows(first + j)) {
      AddScaled(range.size, -y_j, U + range.start, y + range.start);
    }
    y[j] = y_j;
  }
}

void SolveTransposedSquare(const BranchPattern& pattern, int first, int size,
                           const double* panel, int height, double* y) {
  for (int j = 0; j < size; ++j) {
    const double* U = panel + j * height;
    double rest = y[j];
    for (const IndexRange& range : pattern.rows(first + j)) {
      const int end = std::min(range.start + range.size, j);
      rest -= Dot(end - range.start, U + range.start, y + range.start);
    }
    y[j] = rest * U[j];
  }
}

void SubtractProduct(int rows, int columns, int inner, const double* a,
                     const double* b, int stride, double* c, int c_stride) {
  if (rows == 6 && columns == 6 && inner == 6) {
    SubtractSixProduct(a, b, stride, c, c_stride);
    return;
  }
  if (inner >= kLarge) {
    internal::SubtractProduct(rows, columns, inner, a, stride, b, stride, c,
                              c_stride, false);
    return;
  }
  using Stride = Eigen::OuterStride<>;
  const ConstPanel A(a, rows, inner, Stride(stride));
  const ConstPanel B(b, columns, inner, Stride(stride));
  Panel(c, rows, columns, Stride(c_stride)).noalias() -=
      A.lazyProduct(B.transpose());
}

}  // namespace

void BlockCholesky::Analyze(std::span<const int> sizes,
                            std::span<const char> is_used,
                            std::span<const std::pair<int, int>> edges,
                            std::span<const int> parents) {
  const bool is_same = std::ranges::equal(sizes, sizes_) &&
                       std::ranges::equal(is_used, is_used_) &&
                       std::ranges::equal(edges, edges_);
  if (!is_same) AnalyzeGraph(sizes, is_used, edges);
  parents_.assign(parents.begin(), parents.end());
  if (!parents.empty()) {
    // Eliminating a block couples all velocities of the blocks that it is
    // joined to: these have one branch, in which the parent of i is i - 1.
    for (const Row& row : rows_) {
      const int block = columns_[row.column].block;
      for (int i = 0; i < sizes_[block]; ++i) {
        parents_[start_[block] + i] = i - 1;
      }
    }
  }
  pattern_.Set(sizes_, parents_);
  is_branched_.assign(sizes_.size(), 0);
  for (std::size_t b = 0; b < sizes_.size() && !parents_.empty(); ++b) {
    for (int i = 0; i < sizes_[b]; ++i) {
      if (parents_[start_[b] + i] != i - 1) is_branched_[b] = 1;
    }
  }
}

void BlockCholesky::AnalyzeGraph(std::span<const int> sizes,
                                 std::span<const char> is_used,
                                 std::span<const std::pair<int, int>> edges) {
  sizes_.assign(sizes.begin(), sizes.end());
  is_used_.assign(is_used.begin(), is_used.end());
  edges_.assign(edges.begin(), edges.end());
  start_.assign(1, 0);
  for (const int size : sizes_) start_.push_back(start_.back() + size);
  FindIslands(is_used);
  order_.clear();
  place_.assign(sizes_.size(), -1);
  columns_.clear();
  rows_.clear();
  island_start_.assign(1, 0);
  const int num_islands = static_cast<int>(island_first_.size()) - 1;
  for (int i = 0; i < num_islands; ++i) {
    Order(i);
    island_start_.push_back(static_cast<int>(order_.size()));
  }
  LayOut();
}

// Union-find, then numbers of islands by their first block.
void BlockCholesky::FindIslands(std::span<const char> is_used) {
  const int n = static_cast<int>(sizes_.size());
  std::vector<int>& root = local_;
  root.resize(n);
  for (int i = 0; i < n; ++i) root[i] = i;
  const auto find = [&root](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& [i, j] : edges_) {
    const int a = find(i), b = find(j);
    root[std::max(a, b)] = std::min(a, b);
  }
  island_of_.assign(n, -1);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (!is_used[i] || sizes_[i] == 0) continue;
    const int r = find(i);
    if (r == i) island_of_[i] = count++;
    island_of_[i] = island_of_[r];
  }
  // Counting sorts of the blocks and of the edges by island.
  const auto sort = [count, this](int size, const auto& get_island,
                                  std::vector<int>* first,
                                  std::vector<int>* sorted) {
    first->assign(count + 1, 0);
    for (int i = 0; i < size; ++i) {
      if (get_island(i) >= 0) ++(*first)[get_island(i) + 1];
    }
    for (int i = 0; i < count; ++i) (*first)[i + 1] += (*first)[i];
    sorted->resize(first->back());
    next_.assign(first->begin(), first->end());
    for (int i = 0; i < size; ++i) {
      if (get_island(i) >= 0) (*sorted)[next_[get_island(i)]++] = i;
    }
  };
  sort(
      n, [this](int i) { return island_of_[i]; }, &island_first_,
      &island_blocks_);
  sort(
      static_cast<int>(edges_.size()),
      [this](int e) { return island_of_[edges_[e].first]; }, &edge_first_,
      &island_edges_);
}

// Minimum degree on the elimination graph: the neighbours of an eliminated
// block become neighbours of each other, and are the rows of its panel.
void BlockCholesky::Order(int island) {
  const std::span<const int> blocks =
      std::span<const int>(island_blocks_)
          .subspan(island_first_[island],
                   island_first_[island + 1] - island_first_[island]);
  const int n = static_cast<int>(blocks.size());
  const int words = (n + 63) / 64;
  local_.resize(sizes_.size());
  for (int i = 0; i < n; ++i) local_[blocks[i]] = i;
  adjacency_.assign(static_cast<size_t>(n) * words, 0);
  const auto set = [this, words](int i, int j) {
    adjacency_[i * words + j / 64] |= std::uint64_t{1} << (j % 64);
  };
  for (int e = edge_first_[island]; e < edge_first_[island + 1]; ++e) {
    const auto& [i, j] = edges_[island_edges_[e]];
    set(local_[i], local_[j]);
    set(local_[j], local_[i]);
  }
  is_done_.assign(n, 0);
  for (int step = 0; step < n; ++step) {
    int best = -1, best_degree = 0;
    for (int i = 0; i < n; ++i) {
      if (is_done_[i]) continue;
      int degree = 0;
      for (int w = 0; w < words; ++w) {
        degree += std::popcount(adjacency_[i * words + w]);
      }
      if (best < 0 || degree < best_degree) {
        best = i;
        best_degree = degree;
      }
    }
    is_done_[best] = 1;
    place_[blocks[best]] = static_cast<int>(order_.size());
    order_.push_back(blocks[best]);
    Column column;
    column.block = blocks[best];
    column.size = sizes_[column.block];
    column.rows = static_cast<int>(rows_.size());
    const std::uint64_t* mine = &adjacency_[best * words];
    for (int i = 0; i < n; ++i) {
      if (!(mine[i / 64] >> (i % 64) & 1)) continue;
      rows_.push_back({blocks[i], 0});  // LayOut() sets column and offset.
      for (int w = 0; w < words; ++w) adjacency_[i * words + w] |= mine[w];
      adjacency_[i * words + i / 64] &= ~(std::uint64_t{1} << (i % 64));
      adjacency_[i * words + best / 64] &= ~(std::uint64_t{1} << (best % 64));
    }
    column.num_rows = static_cast<int>(rows_.size()) - column.rows;
    columns_.push_back(column);
  }
}

void BlockCholesky::LayOut() {
  int size = 0;
  for (Column& column : columns_) {
    const auto first = rows_.begin() + column.rows;
    for (int r = 0; r < column.num_rows; ++r) {
      first[r].column = place_[first[r].column];
    }
    std::sort(first, first + column.num_rows,
              [](const Row& a, const Row& b) { return a.column < b.column; });
    column.height = column.size;
    for (int r = 0; r < column.num_rows; ++r) {
      first[r].offset = column.height;
      column.height += columns_[first[r].column].size;
    }
    column.values = size;
    size += column.height * column.size;
  }
  values_.resize(size + kBranchesSlack);
  targets_.clear();
  for (Column& column : columns_) {
    column.updates = static_cast<int>(targets_.size());
    for (int a = 0; a < column.num_rows; ++a) {
      const Column& target = columns_[rows_[column.rows + a].column];
      for (int b = a; b < column.num_rows; ++b) {
        const int place = rows_[column.rows + b].column;
        targets_.push_back(target.values + FindRow(target, place));
      }
    }
  }
}

// The first row of a block row in a panel.
int BlockCholesky::FindRow(const Column& column, int place) const {
  if (order_[place] == column.block) return 0;
  const auto first = rows_.begin() + column.rows;
  return std::lower_bound(first, first + column.num_rows, place,
                          [](const Row& row, int p) { return row.column < p; })
      ->offset;
}

void BlockCholesky::StartBlock(int block, const double* H) {
  const Column& column = columns_[place_[block]];
  double* panel = values_.data() + column.values;
  if (column.height == column.size) {
    std::copy_n(H, column.size * column.size, panel);
    return;
  }
  for (int j = 0; j < column.size; ++j, panel += column.height) {
    std::copy_n(H + j * column.size, column.size, panel);
    std::fill_n(panel + column.size, column.height - column.size, 0.0);
  }
}

Panel BlockCholesky::Block(int i, int j, bool* is_transposed) {
  *is_transposed = place_[i] < place_[j];
  if (*is_transposed) std::swap(i, j);
  const Column& column = columns_[place_[j]];
  return Panel(values_.data() + column.values + FindRow(column, place_[i]),
               sizes_[i], sizes_[j], Eigen::OuterStride<>(column.height));
}

bool BlockCholesky::Factor(int island) {
  for (int k = island_start_[island]; k < island_start_[island + 1]; ++k) {
    const Column& column = columns_[k];
    double* panel = values_.data() + column.values;
    const bool is_factored =
        is_branched_[column.block]
            ? FactorBranches(pattern_, start_[column.block], column.size,
                             column.height, panel)
            : FactorPanel(column.size, column.height, panel);
    if (!is_factored) return false;
    Update(column);
  }
  return true;
}

// Subtracts what the elimination of a column adds to those of its rows.
void BlockCholesky::Update(const Column& column) {
  const double* panel = values_.data() + column.values;
  const int* target = targets_.data() + column.updates;
  for (int a = 0; a < column.num_rows; ++a) {
    const Row& j = rows_[column.rows + a];
    const Column& to = columns_[j.column];
    for (int b = a; b < column.num_rows; ++b) {
      const Row& i = rows_[column.rows + b];
      SubtractProduct(columns_[i.column].size, to.size, column.size,
                      panel + i.offset, panel + j.offset, column.height,
                      values_.data() + *target++, to.height);
    }
  }
}

void BlockCholesky::SolveForward(int island, double* x) const {
  const int begin = island_start_[island], end = island_start_[island + 1];
  for (int k = begin; k < end; ++k) {
    const Column& column = columns_[k];
    const double* panel = values_.data() + column.values;
    const int start = start_[column.block];
    double* y = x + start;
    if (is_branched_[column.block]) {
      SolveSquare(pattern_, start, column.size, panel, column.height, y);
    } else if (column.size == 6) {
      SolveSixSquare(panel, column.height, y);
    } else {
      SolveSquare(column.size, panel, column.height, y);
    }
    for (int r = column.rows; r < column.rows + column.num_rows; ++r) {
      const Column& below = columns_[rows_[r].column];
      SubtractProduct(below.size, column.size, panel + rows_[r].offset,
                      column.height, y, x + start_[below.block]);
    }
  }
}

namespace {

// X_i -= a_i y for some rows X_i with 4 kFours columns.
template <int kFours>
[[gnu::always_inline]] inline void SubtractRows(int rows, const double* a,
                                                const Pack4 (&y)[kFours],
                                                int stride, double* X) {
  for (int i = 0; i < rows; ++i, X += stride) {
    for (int f = 0; f < kFours; ++f) {
      Pack4 x;
      Load(X + 4 * f, &x);
      x += -a[i] * y[f];
      Store(x, X + 4 * f);
    }
  }
}

// X := U^-1 X with the factor of a tree with few velocities. Testing u == 0
// costs less here than looking up the branches that the pattern lists.
template <int kFours>
[[gnu::always_inline]] inline void SolveSmall(int size, const double* U,
                                              int stride, double* X) {
  for (int i = size - 1; i >= 0; --i) {
    double* const row = X + i * stride;
    Pack4 sums[kFours];
    for (int f = 0; f < kFours; ++f) Load(row + 4 * f, &sums[f]);
    for (int j = i + 1; j < size; ++j) {
      const double u = U[j * size + i];
      if (u == 0) continue;
      const double* from = X + j * stride;
      for (int f = 0; f < kFours; ++f) AddScaled(-u, from + 4 * f, &sums[f]);
    }
    for (int f = 0; f < kFours; ++f) {
      sums[f] *= U[i * size + i];
      Store(sums[f], row + 4 * f);
    }
  }
}

}  // namespace

template <int kFours>
[[gnu::always_inline]] inline void BlockCholesky::SolveFours(int island,
                                                             int stride,
                                                             double* X) const {
  for (int k = island_start_[island]; k < island_start_[island + 1]; ++k) {
    const Column& column = columns_[k];
    const bool is_branched = is_branched_[column.block];
    const int start = start_[column.block];
    double* const block = X + start * stride;
    const double* const panel = values_.data() + column.values;
    if (is_branched && column.num_rows == 0 && column.size <= kFewVelocities) {
      SolveSmall<kFours>(column.size, panel, stride, block);
      continue;
    }
    for (int step = 0; step < column.size; ++step) {
      const int j = is_branched ? column.size - 1 - step : step;
      const double* L = panel + j * column.height;
      Pack4 y[kFours];
      for (int f = 0; f < kFours; ++f) {
        Load(block + j * stride + 4 * f, &y[f]);
        y[f] *= L[j];
        Store(y[f], block + j * stride + 4 * f);
      }
      if (is_branched) {
        for (const IndexRange& range : pattern_.rows(start + j)) {
          SubtractRows(std::min(range.size, j - range.start), L + range.start,
                       y, stride, block + range.start * stride);
        }
      } else {
        SubtractRows(column.size - j - 1, L + j + 1, y, stride,
                     block + (j + 1) * stride);
      }
      for (int r = column.rows; r < column.rows + column.num_rows; ++r) {
        const Column& below = columns_[rows_[r].column];
        SubtractRows(below.size, L + rows_[r].offset, y, stride,
                     X + start_[below.block] * stride);
      }
    }
  }
}

[[gnu::always_inline]] inline void BlockCholesky::SolveColumns(
    const BlockCholesky* cholesky, int island, int num_fours, int stride,
    double* X) {
  for (; num_fours >= 2; num_fours -= 2, X += 8) {
    cholesky->SolveFours<2>(island, stride, X);
  }
  if (num_fours == 1) cholesky->SolveFours<1>(island, stride, X);
}

void BlockCholesky::SolveForward(int island, int num_fours, int stride,
                                 double* X) const {
  RunBest(WYVERN_KERNEL(SolveColumns), this, island, num_fours, stride, X);
}

void BlockCholesky::SolveBackward(int island, double* x) const {
  const int begin = island_start_[island], end = island_start_[island + 1];
  for (int k = end - 1; k >= begin; --k) {
    const Column& column = columns_[k];
    const double* panel = values_.data() + column.values;
    const int start = start_[column.block];
    double* y = x + start;
    for (int r = column.rows; r < column.rows + column.num_rows; ++r) {
      const Column& below = columns_[rows_[r].column];
      SubtractTransposeProduct(below.size, column.size, panel + rows_[r].offset,
                               column.height, x + start_[below.block], y);
    }
    if (is_branched_[column.block]) {
      SolveTransposedSquare(pattern_, start, column.size, panel, column.height,
                            y);
    } else if (column.size == 6) {
      SolveTransposedSixSquare(panel, column.height, y);
    } else {
      SolveTransposedSquare(column.size, panel, column.height, y);
    }
  }
}

}  // namespace wyvern::multibody::internal
