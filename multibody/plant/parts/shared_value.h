#pragma once

#include <atomic>
#include <utility>
#include <vector>

namespace wyvern::multibody::internal {

/** A value that its copies share: to copy one costs a count, whatever is in it.
Nobody changes it while there are two. Threads may have copies of their own. */
template <class Value>
class SharedValue {
 public:
  explicit SharedValue(Value value) : block_(new Block(std::move(value))) {}
  SharedValue(const SharedValue& other) noexcept : block_(other.block_) {
    block_->num_holders.fetch_add(1, std::memory_order_relaxed);
  }
  SharedValue& operator=(const SharedValue& other) noexcept {
    SharedValue copy(other);
    std::swap(block_, copy.block_);
    return *this;
  }
  ~SharedValue() {
    if (block_->num_holders.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete block_;
    }
  }

  const Value& get() const { return block_->value; }
  /** To write to; null while others have it too. */
  Value* get_mutable_if_alone() {
    // The last owner that released the value has finished reading it.
    const bool is_alone =
        block_->num_holders.load(std::memory_order_acquire) == 1;
    return is_alone ? &block_->value : nullptr;
  }

 private:
  struct Block {
    explicit Block(Value v) : value(std::move(v)) {}
    Value value;
    std::atomic<int> num_holders{1};
  };
  Block* block_;
};

/** A value that is written anew again and again, while others may keep what it
was. Allocates nothing once there are as many as are kept at a time. */
template <class Value>
class RecycledValue {
 public:
  explicit RecycledValue(const Value& model) : present_(model) {}
  /** A copy shares nothing with this. */
  RecycledValue(const RecycledValue& other) : present_(other.get()) {}
  RecycledValue& operator=(const RecycledValue& other) {
    if (this != &other) present_ = SharedValue<Value>(other.get());
    return *this;
  }

  const Value& get() const { return present_.get(); }
  const SharedValue<Value>& share() const { return present_; }

  /** The present value from now on, that nobody else has. It is as some earlier
  one was: write all of it. */
  Value* Renew() {
    if (Value* value = present_.get_mutable_if_alone()) return value;
    for (SharedValue<Value>& spare : spares_) {
      if (Value* value = spare.get_mutable_if_alone()) {
        std::swap(spare, present_);
        return value;
      }
    }
    spares_.push_back(present_);
    present_ = SharedValue<Value>(spares_.back().get());
    return present_.get_mutable_if_alone();
  }
  /** Before the present value is shared for the first time: makes another of
  its size, so that no later Renew() need do so. */
  void MakeSpare() {
    if (spares_.empty()) spares_.emplace_back(get());
  }

 private:
  SharedValue<Value> present_;
  std::vector<SharedValue<Value>> spares_;
};

}  // namespace wyvern::multibody::internal
