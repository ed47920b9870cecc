#include "wyvern/systems/framework/context_tree.h"

#include <algorithm>

namespace wyvern::systems::internal {

int ContextTree::AddWords(const DependencyMasks& masks) {
  const int first = static_cast<int>(masks_by_word_.size());
  masks_by_word_.insert(masks_by_word_.end(), masks.num_words(), &masks);
  return first;
}

void ContextTree::FinishWords() {
  const int num_words = static_cast<int>(masks_by_word_.size());
  flags_.resize(num_words);
  bulk_masks_.resize(Bulk::kNumBulk * num_words);
  for (int w = 0; w < num_words;) {
    const DependencyMasks& masks = *masks_by_word_[w];
    for (int b = 0; b < Bulk::kNumBulk; ++b) {
      std::copy_n(masks.bulk(static_cast<Bulk>(b)), masks.num_words(),
                  &bulk_masks_[b * num_words + w]);
    }
    w += masks.num_words();
  }
  masks_by_word_.clear();
}

void ContextTree::ClearReaders() {
  for (CacheFlags& f : flags_) f.has_readers = 0;
  added_.clear();
}

void ContextTree::FinishReaders() {
  std::stable_sort(
      added_.begin(), added_.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  // A change notifies each entry at most once, which bounds the list's length.
  to_do_.reserve(added_.size());
  first_reader_.assign(flags_.size() * 64 + 1, 0);
  readers_.clear();
  for (const auto& [entry, reader] : added_) {
    readers_.push_back(reader);
    ++first_reader_[entry + 1];
    flags_[entry / 64].has_readers |= uint64_t{1} << entry % 64;
  }
  for (size_t e = 1; e < first_reader_.size(); ++e) {
    first_reader_[e] += first_reader_[e - 1];
  }
  added_.clear();
}

// Keeps a list instead of recursing, because a chain may be as long as a
// Diagram.
void ContextTree::TellReaders(int word, uint64_t entries) {
  while (true) {
    for (; entries != 0; entries &= entries - 1) {
      const int entry = word * 64 + std::countr_zero(entries);
      for (int r = first_reader_[entry]; r < first_reader_[entry + 1]; ++r) {
        Invalidate(readers_[r], [this](int w, uint64_t to_tell) {
          to_do_.emplace_back(w, to_tell);
        });
      }
    }
    if (to_do_.empty()) return;
    word = to_do_.back().first;
    entries = to_do_.back().second;
    to_do_.pop_back();
  }
}

}  // namespace wyvern::systems::internal
