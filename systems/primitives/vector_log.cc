#include "wyvern/systems/primitives/vector_log.h"

#include <algorithm>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
VectorLog<T>::VectorLog(int input_size) {
  wyvern::internal::RequireAtLeast("VectorLog", "input_size", input_size, 0);
  sample_times_.resize(kDefaultCapacity);
  data_.resize(input_size, kDefaultCapacity);
}

template <typename T>
void VectorLog<T>::Reserve(int64_t capacity) {
  if (capacity <= sample_times_.size()) return;
  sample_times_.conservativeResize(capacity);
  data_.conservativeResize(data_.rows(), capacity);
}

template <typename T>
void VectorLog<T>::AddData(const T& time, const VectorX<T>& sample) {
  wyvern::internal::RequireSize("VectorLog::AddData()", "sample", sample.size(),
                                data_.rows());
  if (num_samples_ == sample_times_.size()) {
    Reserve(std::max(kDefaultCapacity, 2 * num_samples_));
  }
  sample_times_[num_samples_] = time;
  data_.col(num_samples_) = sample;
  ++num_samples_;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::VectorLog);
