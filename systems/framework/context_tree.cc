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

// Follows a chain in a loop; recurses where it branches.
void ContextTree::TellReaders(int word, uint64_t entries) {
  while (entries != 0) {
    int next_word = 0;
    uint64_t next_entries = 0;
    for (; entries != 0; entries &= entries - 1) {
      const int entry = word * 64 + std::countr_zero(entries);
      for (int r = first_reader_[entry]; r < first_reader_[entry + 1]; ++r) {
        Invalidate(readers_[r], [&](int w, uint64_t to_tell) {
          if (next_entries != 0) TellReaders(next_word, next_entries);
          next_word = w;
          next_entries = to_tell;
        });
      }
    }
    word = next_word;
    entries = next_entries;
  }
}

}  // namespace wyvern::systems::internal
