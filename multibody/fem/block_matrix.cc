#include "wyvern/multibody/fem/block_matrix.h"

#include <algorithm>
#include <utility>

namespace wyvern::multibody::fem::internal {

BlockPattern::BlockPattern(const VectorX<double>& positions,
                           std::span<const std::array<int, 4>> elements)
    : positions_(positions) {
  const int n = static_cast<int>(positions.size()) / 3;
  std::vector<std::pair<int, int>> entries;  // Column, row.
  entries.reserve(10 * elements.size() + n);
  for (int v = 0; v < n; ++v) entries.emplace_back(v, v);
  for (const auto& element : elements) {
    for (const int i : element) {
      for (const int j : element) {
        if (i < j) entries.emplace_back(i, j);
      }
    }
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  start_.assign(n + 1, 0);
  neighbour_start_.assign(n + 1, 0);
  for (const auto& [column, row] : entries) {
    column_.push_back(column);
    row_.push_back(row);
    ++start_[column + 1];
    ++neighbour_start_[column + 1];
    if (row != column) ++neighbour_start_[row + 1];
  }
  for (int v = 0; v < n; ++v) {
    start_[v + 1] += start_[v];
    neighbour_start_[v + 1] += neighbour_start_[v];
  }
  neighbours_.resize(neighbour_start_.back());
  std::vector<int> next(neighbour_start_.begin(), neighbour_start_.end() - 1);
  // The smaller neighbours of a vertex come from their own columns first, then
  // the larger ones from the vertex's column.
  for (int k = 0; k < num_blocks(); ++k) {
    const int row = row_[k], column = column_[k];
    neighbours_[next[column]++] = {row, k};
    if (row != column) neighbours_[next[row]++] = {column, k};
  }
}

int BlockPattern::FindBlock(int row_vertex, int column_vertex) const {
  const auto begin = row_.begin() + start_[column_vertex];
  const auto end = row_.begin() + start_[column_vertex + 1];
  return static_cast<int>(std::lower_bound(begin, end, row_vertex) -
                          row_.begin());
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

}  // namespace wyvern::multibody::fem::internal
