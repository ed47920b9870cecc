#include "wyvern/multibody/contact/branch_pattern.h"

#include <algorithm>

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

}  // namespace wyvern::multibody::internal
