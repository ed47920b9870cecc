#pragma once

#include <cstdint>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems {

/** Samples of a vector over time, one column each.

Memory grows by doubling as samples are added, so AddData() allocates
O(log(samples)) times; Reserve() the number of samples beforehand to allocate
once. */
template <typename T>
class VectorLog {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(VectorLog);

  /** Capacity before the first growth, samples. */
  static constexpr int64_t kDefaultCapacity = 1000;

  /** Makes an empty log for vectors of `input_size` elements.
  @throws std::logic_error if `input_size` is negative. */
  explicit VectorLog(int input_size);

  /** Number of samples. */
  int num_samples() const { return static_cast<int>(num_samples_); }
  /** Number of elements of a sample. */
  int64_t get_input_size() const { return data_.rows(); }

  /** The time of each sample, s. The view is of this object's memory: it ends
  with the next AddData(), Reserve(), move or destruction. */
  Eigen::VectorBlock<const VectorX<T>> sample_times() const {
    return sample_times_.head(num_samples_);
  }

  /** The samples, get_input_size() x num_samples(); a view as above. */
  Eigen::Block<const MatrixX<T>, Eigen::Dynamic, Eigen::Dynamic, true> data()
      const {
    return data_.leftCols(num_samples_);
  }

  /** Makes room for `capacity` samples in total; never shrinks. */
  void Reserve(int64_t capacity);

  /** Removes the samples, keeps the memory. */
  void Clear() { num_samples_ = 0; }

  /** Appends a sample. @throws std::logic_error on a wrong size. */
  void AddData(const T& time, const VectorX<T>& sample);

 private:
  int64_t num_samples_{0};
  VectorX<T> sample_times_;
  MatrixX<T> data_;
};

}  // namespace wyvern::systems
