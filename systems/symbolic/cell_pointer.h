#pragma once

/** @file
What a symbolic object holds: a number times a shared, immutable cell. */

#include <atomic>
#include <cstdint>
#include <utility>

namespace wyvern::symbolic::internal {

/** Base of all cells: the number of references to the cell. */
struct CountedCell {
  CountedCell() = default;
  CountedCell(const CountedCell&) {}
  mutable std::atomic<std::uint32_t> count{0};
};

struct Cell;

/** Deletes a cell that nobody holds, and what it alone held, without
recursion. */
void DeleteCell(const CountedCell* cell) noexcept;

/** A number, or a number times a cell: 2, x, 2 x, -1 sin(x). Copies share the
cell. A factor is never 0 or NaN; that of a formula is 1. */
class Ref {
 public:
  Ref() = default;
  explicit Ref(double number) : factor_(number) {}
  /** Holds a cell; `cell` is a Cell, whatever its static type. */
  explicit Ref(const CountedCell* cell, double factor = 1)
      : cell_(cell), factor_(factor) {
    Retain();
  }
  Ref(const Ref& other) : cell_(other.cell_), factor_(other.factor_) {
    Retain();
  }
  Ref(Ref&& other) noexcept : cell_(other.cell_), factor_(other.factor_) {
    other.cell_ = nullptr;
    other.factor_ = 0;
  }
  Ref& operator=(const Ref& other) {
    Ref copy(other);
    swap(copy);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    Ref taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Ref() {
    if (cell_ != nullptr &&
        cell_->count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      DeleteCell(cell_);
    }
  }

  void swap(Ref& other) noexcept {
    std::swap(cell_, other.cell_);
    std::swap(factor_, other.factor_);
  }

  bool is_number() const { return cell_ == nullptr; }
  /** The number, or what the cell is multiplied by. */
  double factor() const { return factor_; }
  /** Null of a number. */
  const Cell* cell() const;
  /** Returns a reference to this cell, multiplied by `factor`. */
  Ref Times(double factor) const { return Ref(cell_, factor); }
  /** True if nobody else holds the cell. */
  bool is_unique() const {
    return cell_ != nullptr && cell_->count.load() == 1;
  }
  /** Gives the cell up without counting: what DeleteCell() takes apart. */
  const CountedCell* Detach() { return std::exchange(cell_, nullptr); }

 private:
  void Retain() const {
    if (cell_ != nullptr) cell_->count.fetch_add(1, std::memory_order_relaxed);
  }

  const CountedCell* cell_{nullptr};
  double factor_{0};
};

}  // namespace wyvern::symbolic::internal
