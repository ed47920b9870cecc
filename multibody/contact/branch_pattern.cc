#include "wyvern/multibody/contact/branch_pattern.h"

#include <algorithm>

#include "wyvern/multibody/contact/short_vectors.h"

/* Set() finds, column by column, the rows on a velocity's path to the root and
the columns of those that lie outboard of it, as runs of neighbours.
FactorBranches() eliminates from the leaves to the root, so that branches stay
apart: FactorLarge() by those runs, FactorSmall(), of trees of few velocities,
with whole columns, of which the zeros cost less than knowing where they are.
Both are written once for registers of two and of four numbers. */

namespace wyvern::multibody::internal {

namespace {

// Appends an index that is greater than those before, which begin at `first`.
void Append(int index, std::size_t first,
            std::vector<BranchPattern::Run>* runs) {
  const bool is_next =
      runs->size() > first && runs->back().start + runs->back().size == index;
  if (is_next) {
    ++runs->back().size;
  } else {
    runs->push_back({index, 1});
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
      // Those of its parent, and itself.
      const std::size_t first = rows_.size();
      first_row_.push_back(static_cast<int>(first));
      if (const int p = parent(j); p >= 0) {
        const int begin = first_row_[start + p],
                  end = first_row_[start + p + 1];
        for (int r = begin; r < end; ++r) rows_.push_back(Run(rows_[r]));
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

using Run = BranchPattern::Run;

// Loops over rows go by fours, read on after the last row, and write no more
// than that.

// y -= X s of n <= 4 kFours rows, s[k stride] of column k, the columns of some
// runs.
template <class V, int kFours>
[[gnu::always_inline]] inline void SubtractFours(int n,
                                                 std::span<const Run> columns,
                                                 const double* X, int stride,
                                                 const double* s, double* y) {
  FourNumbers<V> sums[kFours]{};
  for (const Run& run : columns) {
    const double* x = X + run.start * stride;
    const double* scale = s + run.start * stride;
    for (int k = 0; k < run.size; ++k, x += stride, scale += stride) {
      for (int f = 0; f < kFours; ++f) sums[f].AddScaled(*scale, x + 4 * f);
    }
  }
  for (int f = 0; f < kFours; ++f) {
    FourNumbers<V> to(y + 4 * f);
    to -= sums[f];
    to.Store(y + 4 * f, n - 4 * f);
  }
}

template <class V>
[[gnu::always_inline]] inline void SubtractRuns(int n,
                                                std::span<const Run> columns,
                                                const double* X, int stride,
                                                const double* s, double* y) {
  for (; n > 4; n -= 8, X += 8, y += 8) {
    SubtractFours<V, 2>(n, columns, X, stride, s, y);
  }
  if (n > 0) SubtractFours<V, 1>(n, columns, X, stride, s, y);
}

template <class V>
[[gnu::always_inline]] inline void ScaleRows(int n, double s, double* y) {
  for (; n > 0; n -= 4, y += 4) {
    FourNumbers<V> to(y);
    to *= s;
    to.Store(y, n);
  }
}

template <class V>
[[gnu::always_inline]] inline bool FactorLarge(const BranchPattern& pattern,
                                               int first, int size, int height,
                                               double* panel) {
  for (int j = size - 1; j >= 0; --j) {
    double* target = panel + j * height;
    const auto rows = pattern.rows(first + j);
    const auto columns = pattern.columns(first + j);
    if (!columns.empty()) {
      for (const Run& run : rows) {
        SubtractRuns<V>(run.size, columns, panel + run.start, height, panel + j,
                        target + run.start);
      }
      SubtractRuns<V>(height - size, columns, panel + size, height, panel + j,
                      target + size);
    }
    if (!(target[j] > 0)) return false;
    const double inverse = 1 / std::sqrt(target[j]);
    for (const Run& run : rows) {
      ScaleRows<V>(run.size, inverse, target + run.start);
    }
    ScaleRows<V>(height - size, inverse, target + size);
    target[j] = inverse;
  }
  return true;
}

// Column j of a small square, of 4 (kFours - 1) < j + 1 <= 4 kFours rows; of
// the last four some may be among those before.
template <class V, int kFours>
[[gnu::always_inline]] inline bool FactorColumn(int j, int size,
                                                double* panel) {
  double* const target = panel + j * size;
  const auto row = [j](int f) { return f == kFours - 1 ? j - 3 : 4 * f; };
  FourNumbers<V> sums[kFours];
  for (int f = 0; f < kFours; ++f) sums[f] = FourNumbers<V>(target + row(f));
  for (int k = j + 1; k < size; ++k) {
    const double* source = panel + k * size;
    if (source[j] == 0) continue;
    for (int f = 0; f < kFours; ++f) {
      sums[f].AddScaled(-source[j], source + row(f));
    }
  }
  const double pivot = sums[kFours - 1][3];
  if (!(pivot > 0)) return false;
  const double inverse = 1 / std::sqrt(pivot);
  for (int f = 0; f < kFours; ++f) {
    sums[f] *= inverse;
    sums[f].Store(target + row(f));
  }
  target[j] = inverse;
  return true;
}

template <class V>
[[gnu::always_inline]] inline bool FactorSmall(int size, double* panel) {
  for (int j = size - 1; j >= 3; --j) {
    const bool is_factored = j >= 12  ? FactorColumn<V, 4>(j, size, panel)
                             : j >= 8 ? FactorColumn<V, 3>(j, size, panel)
                             : j >= 4 ? FactorColumn<V, 2>(j, size, panel)
                                      : FactorColumn<V, 1>(j, size, panel);
    if (!is_factored) return false;
  }
  for (int j = std::min(size, 3) - 1; j >= 0; --j) {
    double* const target = panel + j * size;
    FourNumbers<V> sum(target);
    for (int k = j + 1; k < size; ++k) {
      const double* source = panel + k * size;
      if (source[j] != 0) sum.AddScaled(-source[j], source);
    }
    double values[4];
    sum.Store(values);
    if (!(values[j] > 0)) return false;
    const double inverse = 1 / std::sqrt(values[j]);
    for (int i = 0; i < j; ++i) target[i] = values[i] * inverse;
    target[j] = inverse;
  }
  return true;
}

template <class V>
[[gnu::always_inline]] inline bool Factor(const BranchPattern& pattern,
                                          int first, int size, int height,
                                          double* panel) {
  return size <= kFewVelocities && height == size
             ? FactorSmall<V>(size, panel)
             : FactorLarge<V>(pattern, first, size, height, panel);
}

WYVERN_WIDE_REGISTERS bool FactorWide(const BranchPattern& pattern, int first,
                                      int size, int height, double* panel) {
  return Factor<wyvern::internal::WideRegister>(pattern, first, size, height,
                                                panel);
}

}  // namespace

bool FactorBranches(const BranchPattern& pattern, int first, int size,
                    int height, double* panel, bool is_wide) {
  if (is_wide) return FactorWide(pattern, first, size, height, panel);
  return Factor<wyvern::internal::NarrowRegister>(pattern, first, size, height,
                                                  panel);
}

}  // namespace wyvern::multibody::internal
