#include "wyvern/systems/framework/vector_base.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::systems {

template <typename T>
void VectorBase<T>::SetFrom(const VectorBase<T>& value) {
  RequireFittingSize("SetFrom", value.size());
  for (int i = 0; i < size();) {
    const std::span<T> to = MutableContiguousFrom(i);
    const std::span<const T> from = value.ContiguousFrom(i);
    const std::size_t count = std::min(to.size(), from.size());
    std::copy_n(from.data(), count, to.data());
    i += static_cast<int>(count);
  }
}

template <typename T>
void VectorBase<T>::SetFromVector(const Eigen::Ref<const VectorX<T>>& value) {
  RequireFittingSize("SetFromVector", value.size());
  for (int i = 0; i < size();) {
    const std::span<T> to = MutableContiguousFrom(i);
    std::copy_n(value.data() + i, to.size(), to.data());
    i += static_cast<int>(to.size());
  }
}

template <typename T>
void VectorBase<T>::SetZero() {
  for (int i = 0; i < size();) {
    const std::span<T> run = MutableContiguousFrom(i);
    std::fill(run.begin(), run.end(), T(0));
    i += static_cast<int>(run.size());
  }
}

template <typename T>
VectorX<T> VectorBase<T>::CopyToVector() const {
  VectorX<T> result(size());
  CopyToPreSizedVector(&result);
  return result;
}

template <typename T>
void VectorBase<T>::CopyToPreSizedVector(EigenPtr<VectorX<T>> vec) const {
  RequireFittingSize("CopyToPreSizedVector", vec == nullptr ? -1 : vec->size());
  for (int i = 0; i < size();) {
    const std::span<const T> from = ContiguousFrom(i);
    std::copy_n(from.data(), from.size(), vec->data() + i);
    i += static_cast<int>(from.size());
  }
}

template <typename T>
void VectorBase<T>::ScaleAndAddToVector(const T& scale,
                                        EigenPtr<VectorX<T>> vec) const {
  RequireFittingSize("ScaleAndAddToVector", vec == nullptr ? -1 : vec->size());
  for (int i = 0; i < size();) {
    const std::span<const T> run = ContiguousFrom(i);
    T* out = vec->data() + i;
    for (const T& x : run) *out++ += scale * x;
    i += static_cast<int>(run.size());
  }
}

template <typename T>
VectorBase<T>& VectorBase<T>::PlusEqScaled(
    const std::initializer_list<std::pair<T, const VectorBase<T>&>>&
        rhs_scale) {
  for (const auto& [scale, rhs] : rhs_scale) {
    RequireFittingSize("PlusEqScaled", rhs.size());
  }
  DoPlusEqScaled(rhs_scale);
  return *this;
}

template <typename T>
void VectorBase<T>::DoPlusEqScaled(
    const std::initializer_list<std::pair<T, const VectorBase<T>&>>&
        rhs_scale) {
  for (const auto& [scale, rhs] : rhs_scale) {
    for (int i = 0; i < size();) {
      const std::span<T> to = MutableContiguousFrom(i);
      const std::span<const T> from = rhs.ContiguousFrom(i);
      const std::size_t count = std::min(to.size(), from.size());
      for (std::size_t k = 0; k < count; ++k) to[k] += scale * from[k];
      i += static_cast<int>(count);
    }
  }
}

template <typename T>
void VectorBase<T>::ThrowOutOfRange(int index) const {
  throw std::out_of_range(fmt::format(
      "{}: element {} was asked for; the vector has {} elements.",
      NiceTypeName::RemoveNamespaces(NiceTypeName::Get(*this)), index, size()));
}

template <typename T>
void VectorBase<T>::ThrowMismatchedSize(const char* function,
                                        Eigen::Index given) const {
  throw std::logic_error(fmt::format(
      "{}::{}(): {}; this vector has {} elements, pass as many.",
      NiceTypeName::RemoveNamespaces(NiceTypeName::Get(*this)), function,
      given < 0 ? std::string("the vector given is null")
                : fmt::format("the vector given has {} elements", given),
      size()));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::VectorBase);
