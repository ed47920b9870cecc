#pragma once

#include <memory>

namespace wyvern::multibody::internal {

template <typename T>
struct StepWork;

/** A StepWork that is made when it is first needed, and copied with its owner,
who need not know what is in it. */
template <typename T>
class StepWorkHolder {
 public:
  StepWorkHolder();
  StepWorkHolder(const StepWorkHolder& other);
  StepWorkHolder(StepWorkHolder&&) noexcept;
  StepWorkHolder& operator=(const StepWorkHolder& other);
  StepWorkHolder& operator=(StepWorkHolder&&) noexcept;
  ~StepWorkHolder();

  StepWork<T>& GetOrMake();
  /** Null if there was no need of it. */
  const StepWork<T>* get() const { return work_.get(); }

 private:
  std::unique_ptr<StepWork<T>> work_;
};

}  // namespace wyvern::multibody::internal
