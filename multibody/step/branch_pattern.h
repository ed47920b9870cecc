#pragma once

#include <cmath>
#include <span>
#include <vector>

namespace wyvern::multibody::internal {

/** Neighbouring rows or columns: start, start + 1, ..., start + size - 1. */
struct IndexRange {
  int start{};
  int size{};
};

/** The nonzero pattern of the square blocks of a symmetric matrix. The rows of
a block are the velocities of a tree; column j may differ from zero in the rows
on its path: j, its parent, the parent of that, up to the first. Such a block
has a factor U, H = U U' and U upper triangular, with the same pattern: columns
are eliminated from the last to the first, and eliminating a column changes the
columns of its path alone. */
class BranchPattern {
 public:
  /** Sets the pattern of blocks of these sizes; keeps it if it is the same.
  @param parents By row of all blocks: the parent's row in its block, -1 if
  there is none. If it is empty, all rows of a block are on one path, i - 1 the
  parent of i. */
  void Set(std::span<const int> sizes, std::span<const int> parents);

  /** Returns the rows on the path of column j of all blocks, by their place in
  the block; j is the last of them. */
  std::span<const IndexRange> rows(int j) const {
    return std::span<const IndexRange>(rows_).subspan(
        first_row_[j], first_row_[j + 1] - first_row_[j]);
  }
  /** Returns the columns after j whose paths contain j. */
  std::span<const IndexRange> columns(int j) const {
    return std::span<const IndexRange>(columns_).subspan(
        first_column_[j], first_column_[j + 1] - first_column_[j]);
  }

  /** Puts row i, i < j, of one block on the path of j, together with the path
  of i. */
  static void Link(int i, int j, std::span<int> parents) {
    while (parents[j] != i) {
      if (parents[j] > i) {
        j = parents[j];
        continue;
      }
      // i comes between j and what was its parent, and has that on its path.
      const int next = parents[j];
      parents[j] = i;
      if (next < 0) return;
      j = i;
      i = next;
    }
  }

 private:
  std::vector<int> sizes_;
  std::vector<int> parents_;
  std::vector<int> first_row_;
  std::vector<int> first_column_;
  std::vector<IndexRange> rows_;
  std::vector<IndexRange> columns_;
  std::vector<char> is_after_;
};

/** Factors a panel of `size` columns and `height` rows. The upper triangle H of
the square on top, which has the pattern's rows from `first` on, becomes the
factor U, H = U U', with 1 / U on the diagonal; the rows below are multiplied by
U^-T. Entries above the diagonal that the pattern leaves out must be 0 and stay
so. Columns are eliminated right to left. @returns false if a pivot is not
positive. */
template <typename T>
bool FactorBranches(const BranchPattern& pattern, int first, int size,
                    int height, T* panel) {
  using std::sqrt;
  const auto subtract = [](int n, const T& scale, const T* from, T* to) {
    for (int i = 0; i < n; ++i) to[i] -= scale * from[i];
  };
  for (int j = size - 1; j >= 0; --j) {
    T* target = panel + j * height;
    const auto rows = pattern.rows(first + j);
    for (const IndexRange& columns : pattern.columns(first + j)) {
      for (int k = columns.start; k < columns.start + columns.size; ++k) {
        const T* source = panel + k * height;
        for (const IndexRange& range : rows) {
          subtract(range.size, source[j], source + range.start,
                   target + range.start);
        }
        subtract(height - size, source[j], source + size, target + size);
      }
    }
    if (!(target[j] > 0)) return false;
    const T inverse = 1 / sqrt(target[j]);
    for (const IndexRange& range : rows) {
      for (int i = 0; i < range.size; ++i) target[range.start + i] *= inverse;
    }
    for (int i = size; i < height; ++i) target[i] *= inverse;
    target[j] = inverse;
  }
  return true;
}

/** Trees of at most this many velocities are factored as dense squares: the
zeros between branches cost less than looking up where they are. */
constexpr int kFewVelocities = 16;

/** Number of readable values that the register version needs after a panel. */
constexpr int kBranchesSlack = 7;

/** The version of the above for registers. */
bool FactorBranches(const BranchPattern& pattern, int first, int size,
                    int height, double* panel);

}  // namespace wyvern::multibody::internal
