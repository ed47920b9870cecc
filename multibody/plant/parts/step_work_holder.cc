#include "wyvern/multibody/plant/parts/step_work_holder.h"

#include "wyvern/multibody/plant/parts/step_work.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
StepWorkHolder<T>::StepWorkHolder() = default;

template <typename T>
StepWorkHolder<T>::StepWorkHolder(const StepWorkHolder& other) {
  *this = other;
}

template <typename T>
StepWorkHolder<T>::StepWorkHolder(StepWorkHolder&&) noexcept = default;

template <typename T>
StepWorkHolder<T>& StepWorkHolder<T>::operator=(const StepWorkHolder& other) {
  if (this == &other) return *this;
  work_ = other.work_ ? std::make_unique<StepWork<T>>(*other.work_) : nullptr;
  return *this;
}

template <typename T>
StepWorkHolder<T>& StepWorkHolder<T>::operator=(StepWorkHolder&&) noexcept =
    default;

template <typename T>
StepWorkHolder<T>::~StepWorkHolder() = default;

template <typename T>
StepWork<T>& StepWorkHolder<T>::GetOrMake() {
  if (work_ == nullptr) work_ = std::make_unique<StepWork<T>>();
  return *work_;
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::StepWorkHolder);
