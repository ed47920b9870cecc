#include "wyvern/systems/framework/context_tree.h"

#include <algorithm>
#include <bit>

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
  readers_.clear();
  first_reader_.clear();
  int last = -1;
  for (const auto& [entry, reader] : added_) {
    if (entry != last) {
      first_reader_.push_back(static_cast<int>(readers_.size()));
      flags_[entry / 64].has_readers |= uint64_t{1} << entry % 64;
      last = entry;
    }
    readers_.push_back(reader);
  }
  first_reader_.push_back(static_cast<int>(readers_.size()));
  entries_before_.clear();
  int count = 0;
  for (const CacheFlags& flags : flags_) {
    entries_before_.push_back(count);
    count += std::popcount(flags.has_readers);
  }
  added_.clear();
  // A change notifies each entry, and so each reader, at most once.
  to_do_.resize(readers_.size() + 1);
}

// Keeps a list instead of recursing, because a chain may be as long as a
// Diagram.
void ContextTree::TellReaders(int word, uint64_t entries) {
  Entries* const bottom = to_do_.data();
  Entries* top = bottom;
  *top++ = {word, entries};
  while (top != bottom) {
    const Entries told = *--top;
    int number = entries_before_[told.word];
    for (uint64_t left = flags_[told.word].has_readers; left != 0; ++number) {
      const uint64_t entry = left & -left;
      left ^= entry;
      if ((told.mask & entry) == 0) continue;
      for (int r = first_reader_[number]; r < first_reader_[number + 1]; ++r) {
        const Entries& reader = readers_[r];
        const uint64_t to_tell = Invalidate(reader.word, reader.mask);
        if (to_tell != 0) *top++ = {reader.word, to_tell};
      }
    }
  }
}

}  // namespace wyvern::systems::internal
