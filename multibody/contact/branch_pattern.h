#pragma once

#include <span>
#include <vector>

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

}  // namespace wyvern::multibody::internal
