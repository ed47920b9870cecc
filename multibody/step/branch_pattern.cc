#include "wyvern/multibody/step/branch_pattern.h"

#include <algorithm>

#include "wyvern/multibody/kernels/packs.h"

/* Factors H = U U' of the blocks of branched trees. Row i and column j of such
a block meet in a nonzero entry only if i is on the path of j; elimination from
the leaves to the root keeps it so, since column j changes columns of its own
path alone (Featherstone, "Efficient Factorization of the Joint-Space Inertia
Matrix for Branched Kinematic Trees", IJRR 2005). Set() lists each column's path
and the columns outboard of it as ranges of neighbours. FactorLarge() goes by
these ranges, FactorSmall(), for trees of few velocities, by whole columns,
whose zeros cost less than looking up where they are. Without branches all
columns are on one path, and the factor is a dense one. */

namespace wyvern::multibody::internal {

namespace {

// Appends an index greater than all in the ranges from `first` on.
void Append(int index, std::size_t first, std::vector<IndexRange>* ranges) {
  const bool is_next = ranges->size() > first &&
                       ranges->back().start + ranges->back().size == index;
  if (is_next) {
    ++ranges->back().size;
  } else {
    ranges->push_back({index, 1});
  }
}

}  // namespace

void BranchPattern::Set(std::span<const int> sizes,
                        std::span<const int> parents) {
  const bool is_same = !first_row_.empty() &&
                       std::ranges::equal(sizes, sizes_) &&
                       std::ranges::equal(parents, parents_);
  if (is_same) return;
  sizes_.assign(sizes.begin(), sizes.end());
  parents_.assign(parents.begin(), parents.end());
  rows_.clear();
  columns_.clear();
  first_row_.clear();
  first_column_.clear();
  int start = 0;
  for (const int size : sizes_) {
    const auto parent = [&](int i) {
      return parents_.empty() ? i - 1 : parents_[start + i];
    };
    for (int j = 0; j < size; ++j) {
      // The path of j is the path of its parent, followed by j.
      const std::size_t first = rows_.size();
      first_row_.push_back(static_cast<int>(first));
      if (const int p = parent(j); p >= 0) {
        const int begin = first_row_[start + p],
                  end = first_row_[start + p + 1];
        for (int r = begin; r < end; ++r) rows_.push_back(IndexRange(rows_[r]));
      }
      Append(j, first, &rows_);
    }
    is_after_.resize(size);
    for (int i = 0; i < size; ++i) {
      const std::size_t first = columns_.size();
      first_column_.push_back(static_cast<int>(first));
      is_after_[i] = 1;
      for (int j = i + 1; j < size; ++j) {
        is_after_[j] = parent(j) >= i && is_after_[parent(j)];
        if (is_after_[j]) Append(j, first, &columns_);
      }
    }
    start += size;
  }
  first_row_.push_back(static_cast<int>(rows_.size()));
  first_column_.push_back(static_cast<int>(columns_.size()));
}

namespace {

// The loops below take four rows at a time. They may read up to three numbers
// beyond the last row, but write none there.

// y -= X s of n <= 4 kFours rows and the columns of some ranges; s[k stride] is
// the factor of column k.
template <int kFours>
[[gnu::always_inline]] inline void SubtractFours(
    int n, std::span<const IndexRange> columns, const double* X, int stride,
    const double* s, double* y) {
  Pack4 sums[kFours]{};
  for (const IndexRange& range : columns) {
    const double* x = X + range.start * stride;
    const double* scale = s + range.start * stride;
    for (int k = 0; k < range.size; ++k, x += stride, scale += stride) {
      for (int f = 0; f < kFours; ++f) AddScaled(*scale, x + 4 * f, &sums[f]);
    }
  }
  for (int f = 0; f < kFours; ++f) {
    Pack4 to;
    Load(y + 4 * f, &to);
    to -= sums[f];
    StoreFirst(to, n - 4 * f, y + 4 * f);
  }
}

[[gnu::always_inline]] inline void SubtractRanges(
    int n, std::span<const IndexRange> columns, const double* X, int stride,
    const double* s, double* y) {
  for (; n > 4; n -= 8, X += 8, y += 8) {
    SubtractFours<2>(n, columns, X, stride, s, y);
  }
  if (n > 0) SubtractFours<1>(n, columns, X, stride, s, y);
}

[[gnu::always_inline]] inline void ScaleRows(int n, double s, double* y) {
  for (; n > 0; n -= 4, y += 4) {
    Pack4 to;
    Load(y, &to);
    to *= s;
    StoreFirst(to, n, y);
  }
}

[[gnu::always_inline]] inline bool FactorLarge(const BranchPattern& pattern,
                                               int first, int size, int height,
                                               double* panel) {
  for (int j = size - 1; j >= 0; --j) {
    double* target = panel + j * height;
    const auto rows = pattern.rows(first + j);
    const auto columns = pattern.columns(first + j);
    if (!columns.empty()) {
      for (const IndexRange& range : rows) {
        SubtractRanges(range.size, columns, panel + range.start, height,
                       panel + j, target + range.start);
      }
      SubtractRanges(height - size, columns, panel + size, height, panel + j,
                     target + size);
    }
    if (!(target[j] > 0)) return false;
    const double inverse = 1 / std::sqrt(target[j]);
    for (const IndexRange& range : rows) {
      ScaleRows(range.size, inverse, target + range.start);
    }
    ScaleRows(height - size, inverse, target + size);
    target[j] = inverse;
  }
  return true;
}

// Eliminates column j of a square whose column has at most 4 kFours rows, so
// that the sums stay in registers. If j + 1 is no multiple of four, the last
// four rows include some of those before.
template <int kFours>
[[gnu::always_inline]] inline bool FactorColumn(int j, int size,
                                                double* panel) {
  double* const target = panel + j * size;
  const auto row = [j](int f) { return f == kFours - 1 ? j - 3 : 4 * f; };
  Pack4 sums[kFours];
  for (int f = 0; f < kFours; ++f) Load(target + row(f), &sums[f]);
  for (int k = j + 1; k < size; ++k) {
    const double* source = panel + k * size;
    if (source[j] == 0) continue;
    for (int f = 0; f < kFours; ++f) {
      AddScaled(-source[j], source + row(f), &sums[f]);
    }
  }
  const double pivot = sums[kFours - 1][3];
  if (!(pivot > 0)) return false;
  const double inverse = 1 / std::sqrt(pivot);
  for (int f = 0; f < kFours; ++f) {
    sums[f] *= inverse;
    Store(sums[f], target + row(f));
  }
  target[j] = inverse;
  return true;
}

[[gnu::always_inline]] inline bool FactorSmall(int size, double* panel) {
  for (int j = size - 1; j >= 3; --j) {
    const bool is_factored = j >= 12  ? FactorColumn<4>(j, size, panel)
                             : j >= 8 ? FactorColumn<3>(j, size, panel)
                             : j >= 4 ? FactorColumn<2>(j, size, panel)
                                      : FactorColumn<1>(j, size, panel);
    if (!is_factored) return false;
  }
  for (int j = std::min(size, 3) - 1; j >= 0; --j) {
    double* const target = panel + j * size;
    Pack4 sum;
    Load(target, &sum);
    for (int k = j + 1; k < size; ++k) {
      const double* source = panel + k * size;
      if (source[j] != 0) AddScaled(-source[j], source, &sum);
    }
    double values[4];
    Store(sum, values);
    if (!(values[j] > 0)) return false;
    const double inverse = 1 / std::sqrt(values[j]);
    for (int i = 0; i < j; ++i) target[i] = values[i] * inverse;
    target[j] = inverse;
  }
  return true;
}

[[gnu::always_inline]] inline bool FactorEither(const BranchPattern* pattern,
                                                int first, int size, int height,
                                                double* panel) {
  return size <= kFewVelocities && height == size
             ? FactorSmall(size, panel)
             : FactorLarge(*pattern, first, size, height, panel);
}

}  // namespace

bool FactorBranches(const BranchPattern& pattern, int first, int size,
                    int height, double* panel) {
  return RunBest(WYVERN_KERNEL(FactorEither), &pattern, first, size, height,
                 panel);
}

}  // namespace wyvern::multibody::internal
