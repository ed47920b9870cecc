#include "wyvern/systems/framework/subvector.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Subvector<T>::Subvector(VectorBase<T>* vector, int first_element,
                        int num_elements)
    : vector_(vector),
      first_element_(first_element),
      num_elements_(num_elements) {
  wyvern::internal::RequireNotNull("Subvector", "vector", vector,
                                   "pass the one to take elements of");
  if (first_element < 0 || num_elements < 0 ||
      first_element > vector->size() - num_elements) {
    throw std::out_of_range(fmt::format(
        "Subvector: {} elements from element {} on were asked for; the vector "
        "has {} elements.",
        num_elements, first_element, vector->size()));
  }
}

template <typename T>
const T& Subvector<T>::DoGetAtIndexChecked(int index) const {
  if (index < 0 || index >= num_elements_) this->ThrowOutOfRange(index);
  return DoGetAtIndexUnchecked(index);
}

template <typename T>
T& Subvector<T>::DoGetAtIndexChecked(int index) {
  if (index < 0 || index >= num_elements_) this->ThrowOutOfRange(index);
  return DoGetAtIndexUnchecked(index);
}

template <typename T>
std::span<const T> Subvector<T>::DoContiguousFrom(int first) const {
  const std::span<const T> run =
      vector_->ContiguousFrom(first_element_ + first);
  const std::size_t left = static_cast<std::size_t>(num_elements_ - first);
  return run.first(std::min(run.size(), left));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Subvector);
