#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

/** Which entries of the square blocks of a symmetric matrix may differ from
zero, where a block's rows are the velocities of a tree: in column j those of
the rows on its path, j, its parent, the parent of that, up to the first. Such a
block has a factor U, H = U U' and U upper triangular, with the same pattern:
columns are eliminated from the last to the first, and what is eliminated
changes columns of its path alone. */
class BranchPattern {
 public:
  /** Rows or columns that are neighbours: start, start + 1 .... */
  struct Run {
    int start{};
    int size{};
  };

  /** Takes the blocks with so many rows each. `parents`, by row of all blocks,
  is the parent's row in its block, -1 of a first one; all rows are on one path,
  i - 1 the parent of i, if it is empty. Does nothing if that is known. */
  void Set(std::span<const int> sizes, std::span<const int> parents);

  /** Of column j of all blocks, the rows on its path in its block, j the last
  of them. */
  std::span<const Run> rows(int j) const {
    return std::span<const Run>(rows_).subspan(
        first_row_[j], first_row_[j + 1] - first_row_[j]);
  }
  /** The columns after j of its block on whose paths it is. */
  std::span<const Run> columns(int j) const {
    return std::span<const Run>(columns_).subspan(
        first_column_[j], first_column_[j + 1] - first_column_[j]);
  }

  /** Puts row i, i < j, of one block on the path of j, and with it all that
  then must be there. */
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
  std::vector<Run> rows_;
  std::vector<Run> columns_;
  std::vector<char> is_after_;
};

/** Of a panel of columns whose square on top is that of the rows from `first`
on of the pattern: its upper triangle H becomes the factor U, H = U U', with
1 / U on the diagonal, and the rows below, if `height` is more than `size`, are
multiplied by U^-T. Above the diagonal what the pattern has not must be 0, and
stays so. Columns right to left. @returns false if a pivot is not positive. */
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
    for (const BranchPattern::Run& columns : pattern.columns(first + j)) {
      for (int k = columns.start; k < columns.start + columns.size; ++k) {
        const T* source = panel + k * height;
        for (const BranchPattern::Run& run : rows) {
          subtract(run.size, source[j], source + run.start, target + run.start);
        }
        subtract(height - size, source[j], source + size, target + size);
      }
    }
    if (!(target[j] > 0)) return false;
    const T inverse = 1 / sqrt(target[j]);
    for (const BranchPattern::Run& run : rows) {
      for (int i = 0; i < run.size; ++i) target[run.start + i] *= inverse;
    }
    for (int i = size; i < height; ++i) target[i] *= inverse;
    target[j] = inverse;
  }
  return true;
}

/** Trees of so many velocities are worked on as if they had one branch, with
the zeros between branches. */
constexpr int kFewVelocities = 16;

/** How many numbers after the panel the following reads besides. */
constexpr int kBranchesSlack = 7;

/** The same in registers, of four numbers if `is_wide`; the same bits if not.
 */
bool FactorBranches(const BranchPattern& pattern, int first, int size,
                    int height, double* panel,
                    bool is_wide = wyvern::internal::kHasWideRegisters);

}  // namespace wyvern::multibody::internal
