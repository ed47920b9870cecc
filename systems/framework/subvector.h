#pragma once

#include "wyvern/systems/framework/vector_base.h"

namespace wyvern::systems {

/** A run of elements of another vector, which it does not own and which must
outlive it. */
template <typename T>
class Subvector final : public VectorBase<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Subvector);

  /** Shows elements of `vector`, from `first_element` on; `vector` must outlive
  this.
  @throws std::logic_error if `vector` is null, @throws std::out_of_range if
  it does not have all the elements in [first, first + num). */
  Subvector(VectorBase<T>* vector, int first_element, int num_elements);

  int size() const final { return num_elements_; }

 protected:
  const T& DoGetAtIndexUnchecked(int index) const final {
    return (*vector_)[first_element_ + index];
  }
  T& DoGetAtIndexUnchecked(int index) final {
    return (*vector_)[first_element_ + index];
  }
  const T& DoGetAtIndexChecked(int index) const final;
  T& DoGetAtIndexChecked(int index) final;
  std::span<const T> DoContiguousFrom(int first) const final;

 private:
  VectorBase<T>* const vector_;
  const int first_element_;
  const int num_elements_;
};

}  // namespace wyvern::systems
