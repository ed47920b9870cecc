#pragma once

/** @file
How a graph of cells becomes a text, however deep it is. */

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/symbolic/cell_private.h"

namespace wyvern::symbolic::internal {

/** List of the parts that are still to be written. A Writer has
Write(const Ref&, bool is_unscaled), which calls Add() for the parts of one
cell, in order. */
template <typename Writer>
class PartWriter {
 public:
  /** Ends with "..." past `longest` characters, as a text repeats what is
  shared. */
  std::string Run(const Ref& ref, std::size_t longest) {
    waiting_.push_back({{}, &ref, false});
    while (!waiting_.empty()) {
      const Part part = std::move(waiting_.back());
      waiting_.pop_back();
      text_ += part.text;
      if (text_.size() > longest) return text_.substr(0, longest) + "...";
      if (part.ref == nullptr) continue;
      const std::size_t first = waiting_.size();
      static_cast<Writer*>(this)->Write(*part.ref, part.is_unscaled);
      std::reverse(waiting_.begin() + first, waiting_.end());
    }
    return text_;
  }

 protected:
  void Add(std::string text) {
    waiting_.push_back({std::move(text), nullptr, false});
  }
  /** A text, then an operand, which must stay where it is: with its factor, or
  without. */
  void Add(std::string text, const Ref& ref, bool is_unscaled = false) {
    waiting_.push_back({std::move(text), &ref, is_unscaled});
  }
  void AddList(std::string before, const std::string& between,
               const std::vector<Ref>& items, const std::string& after) {
    for (const Ref& item : items) {
      Add(before, item);
      before = between;
    }
    Add(items.empty() ? before + after : after);
  }

 private:
  struct Part {
    std::string text;
    const Ref* ref;
    bool is_unscaled;
  };

  std::string text_;
  std::vector<Part> waiting_;
};

}  // namespace wyvern::symbolic::internal
