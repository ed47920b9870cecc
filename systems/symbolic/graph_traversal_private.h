#pragma once

/** @file
How a function goes over a graph of cells: each once, operands first, however
deep the graph is and however often a part is shared. */

#include <cstdint>
#include <vector>

#include "wyvern/systems/symbolic/cell_private.h"

namespace wyvern::symbolic::internal {

/** A result for each of many cells: open addressing, by address. */
template <typename Result>
class CellMap {
 public:
  const Result* Find(const Cell* cell) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[Position(cell)];
    return slot.cell == nullptr ? nullptr : &slot.result;
  }
  void Insert(const Cell* cell, Result result) {
    if (2 * (count_ + 1) > slots_.size()) Grow();
    Slot& slot = slots_[Position(cell)];
    if (slot.cell == nullptr) ++count_;
    slot.cell = cell;
    slot.result = std::move(result);
  }

 private:
  struct Slot {
    const Cell* cell{nullptr};
    Result result{};
  };

  std::size_t Position(const Cell* cell) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = Mix(reinterpret_cast<std::uintptr_t>(cell)) & mask;
    while (slots_[i].cell != nullptr && slots_[i].cell != cell) {
      i = (i + 1) & mask;
    }
    return i;
  }
  void Grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.cell == nullptr) continue;
      slots_[Position(slot.cell)] = std::move(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_{0};
};

/** Gives the result of a function, an Operation, for graphs of cells. It has

  using Result = ...;
  // The largest part, as a tree, that is worked out anew each time.
  static constexpr std::uint32_t kSmall = ...;
  // Computes the result of a cell; get(const Ref&) returns an operand's result.
  template <typename Get> Result Compute(const Cell& cell, const Get& get);
  // Returns the results of a number and of a scaled cell.
  Result OfNumber(double number);
  Result Scaled(Result result, double factor);
  // Calls push(const Ref&) for each operand whose result Compute() will need;
  // known(const Ref&) gives a result if it is there, else null.
  template <typename Known, typename Push>
  void Needs(const Cell& cell, const Known& known, const Push& push);

Small graphs are gone over by recursion, without a map. */
template <typename Operation>
class Walk {
 public:
  using Result = typename Operation::Result;
  // A recursion is no deeper than the size.
  static constexpr std::uint32_t kRecursed = 200;

  explicit Walk(Operation* operation) : operation_(*operation) {}

  Result Run(const Ref& root) {
    if (root.is_number()) return operation_.OfNumber(root.factor());
    if (root.cell()->size <= kRecursed) return Recurse(root);
    Fill(*root.cell());
    return Stored(root);
  }

 private:
  Result Recurse(const Ref& ref) {
    if (ref.is_number()) return operation_.OfNumber(ref.factor());
    Result result = operation_.Compute(
        *ref.cell(), [this](const Ref& operand) { return Recurse(operand); });
    if (ref.factor() == 1) return result;
    return operation_.Scaled(std::move(result), ref.factor());
  }

  static bool IsSmall(const Cell& cell) {
    return cell.size <= Operation::kSmall;
  }

  // Returns the result of a cell that Fill() has visited, or of a small one.
  Result Stored(const Ref& ref) {
    if (ref.is_number()) return operation_.OfNumber(ref.factor());
    if (IsSmall(*ref.cell())) return Recurse(ref);
    const Result& result = *map_.Find(ref.cell());
    if (ref.factor() == 1) return result;
    return operation_.Scaled(result, ref.factor());
  }

  void Fill(const Cell& root) {
    std::vector<const Cell*> stack{&root};
    const auto known = [this](const Ref& ref) -> const Result* {
      if (!IsSmall(*ref.cell())) return map_.Find(ref.cell());
      scratch_ = Recurse(ref);
      return &scratch_;
    };
    while (!stack.empty()) {
      const Cell* const top = stack.back();
      const std::size_t size = stack.size();
      if (map_.Find(top) == nullptr) {
        operation_.Needs(*top, known, [this, &stack](const Ref& operand) {
          if (operand.is_number() || IsSmall(*operand.cell())) return;
          if (map_.Find(operand.cell()) != nullptr) return;
          stack.push_back(operand.cell());
        });
        if (stack.size() > size) continue;
        map_.Insert(top, operation_.Compute(*top, [this](const Ref& operand) {
          return Stored(operand);
        }));
      }
      stack.pop_back();
    }
  }

  Operation& operation_;
  CellMap<Result> map_;
  Result scratch_{};
};

/** Base of an Operation that needs all operands. */
struct NeedsAll {
  template <typename Known, typename Push>
  void Needs(const Cell& cell, const Known&, const Push& push) {
    ForEachOperand(cell, push);
  }
};

}  // namespace wyvern::symbolic::internal
