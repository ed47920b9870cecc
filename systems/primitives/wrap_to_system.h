#pragma once

#include <map>
#include <utility>

#include "wyvern/systems/common/scalar_cast.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Brings chosen elements of the input into an interval [low, high) by adding
whole multiples of high - low: for angles. The other elements pass unchanged.

Input port u0, output port y0, direct feedthrough. */
template <typename T>
class WrapToSystem final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(WrapToSystem);

  /** Makes a block for vectors of `input_size` elements.
  @throws std::logic_error if `input_size` is below 1. */
  explicit WrapToSystem(int input_size);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit WrapToSystem(const WrapToSystem<U>& other)
      : WrapToSystem(other.get_size()) {
    for (const auto& [index, interval] : other.intervals_) {
      const auto& [low, high] = interval;
      intervals_[index] = {ScalarCast<T>(low), ScalarCast<T>(high)};
    }
  }

  /** Wraps element `index` into [low, high); replaces an earlier interval, at
  once in every Context.
  @throws std::out_of_range if the index is bad, std::logic_error unless low and
  high are finite and low < high. */
  void set_interval(int index, const T& low, const T& high);

  /** Number of elements of the input. */
  int get_size() const { return input_size_; }

 private:
  template <typename U>
  friend class WrapToSystem;

  void CalcWrappedOutput(const Context<T>& context, BasicVector<T>* y) const;

  const int input_size_;
  std::map<int, std::pair<T, T>> intervals_;
};

}  // namespace wyvern::systems
