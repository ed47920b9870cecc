#pragma once

#include <vector>

#include "wyvern/systems/framework/vector_base.h"

namespace wyvern::systems {

/** Several vectors end to end, seen as one. It owns none of them; they must
outlive it. Element access costs a binary search over the contiguous runs that
the vectors are made of, at any depth of nesting. */
template <typename T>
class Supervector final : public VectorBase<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Supervector);

  /** Shows the vectors one after another; they must outlive this.
  @throws std::logic_error if any is null. */
  explicit Supervector(const std::vector<VectorBase<T>*>& subvectors);

  int size() const final { return size_; }

 protected:
  const T& DoGetAtIndexUnchecked(int index) const final {
    return *Find(index).data();
  }
  T& DoGetAtIndexUnchecked(int index) final { return *Find(index).data(); }
  const T& DoGetAtIndexChecked(int index) const final;
  T& DoGetAtIndexChecked(int index) final;
  std::span<const T> DoContiguousFrom(int first) const final {
    return Find(first);
  }

 private:
  // The elements from `index` on to the end of its run.
  std::span<T> Find(int index) const;

  std::vector<std::span<T>> runs_;
  // ends_[i] is the index of the element after the last of runs_[i].
  std::vector<int> ends_;
  int size_{0};
};

}  // namespace wyvern::systems
