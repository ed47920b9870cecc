#include "wyvern/systems/framework/supervector.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Supervector<T>::Supervector(const std::vector<VectorBase<T>*>& subvectors) {
  for (std::size_t k = 0; k < subvectors.size(); ++k) {
    VectorBase<T>* vector = subvectors[k];
    if (vector == nullptr) {
      wyvern::internal::ThrowNull("Supervector", fmt::format("vector {}", k),
                                  "pass objects");
    }
    for (int i = 0; i < vector->size();) {
      const std::span<T> run = vector->MutableContiguousFrom(i);
      i += static_cast<int>(run.size());
      size_ += static_cast<int>(run.size());
      runs_.push_back(run);
      ends_.push_back(size_);
    }
  }
}

template <typename T>
std::span<T> Supervector<T>::Find(int index) const {
  // Most often the runs have one length, which tells where the element is.
  const std::size_t guess =
      static_cast<std::size_t>(index) * ends_.size() / size_;
  const bool is_right =
      index < ends_[guess] && (guess == 0 || index >= ends_[guess - 1]);
  const auto end = is_right
                       ? ends_.begin() + static_cast<std::ptrdiff_t>(guess)
                       : std::upper_bound(ends_.begin(), ends_.end(), index);
  const std::span<T> run = runs_[end - ends_.begin()];
  return run.last(static_cast<std::size_t>(*end - index));
}

template <typename T>
const T& Supervector<T>::DoGetAtIndexChecked(int index) const {
  if (index < 0 || index >= size_) this->ThrowOutOfRange(index);
  return DoGetAtIndexUnchecked(index);
}

template <typename T>
T& Supervector<T>::DoGetAtIndexChecked(int index) {
  if (index < 0 || index >= size_) this->ThrowOutOfRange(index);
  return DoGetAtIndexUnchecked(index);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Supervector);
