#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "wyvern/systems/framework/cache.h"
#include "wyvern/systems/framework/dependency_masks.h"
#include "wyvern/systems/framework/fixed_input_port_value.h"

namespace wyvern::systems::internal {

/** The cache flags of a root Context and of all it contains, in one array, each
Context before its contents, and who must be told of a change.

A change of time, say, is the OR of a mask into that array. An entry that was up
to date, is not any more and has connected readers passes the news on. An entry
that was stale already does not: nobody can have used it since. */
class ContextTree {
 public:
  using Bulk = DependencyMasks::Bulk;

  /** @name Set-up
  @{ */
  /** Adds the words of one more Context; all are added before any is used.
  @returns the index of the first. */
  int AddWords(const DependencyMasks& masks);
  /** Finishes the words; call it once after the last AddWords(). */
  void FinishWords();
  CacheFlags* flags(int word) { return &flags_[word]; }
  /** Forgets all readers. */
  void ClearReaders();
  /** The entry is number `entry` from the start of `word`. */
  void AddReader(int word, int entry, const InputReader& reader) {
    added_.push_back({word * 64 + entry, reader});
  }
  /** Finishes the readers; call it after the last AddReader(). */
  void FinishReaders();
  /** Every counted change makes entry number `entry` from the start of `word`
  stale; call it before any change. */
  void AddVolatileEntry(int word, int entry) {
    volatile_entries_.emplace_back(word + entry / 64,
                                   uint64_t{1} << entry % 64);
  }
  /** @} */

  /** A bulk change in the Contexts whose words are `begin` to `end`. */
  void NoteBulk(Bulk bulk, int begin, int end) {
    const uint64_t* masks = bulk_masks_.data() + bulk * flags_.size();
    for (int w = begin; w < end; ++w) {
      const uint64_t newly = masks[w] & ~flags_[w].stale;
      if (newly == 0) continue;
      flags_[w].stale |= newly;
      const uint64_t to_tell = newly & flags_[w].has_readers;
      if (to_tell != 0) TellReaders(w, to_tell);
    }
  }
  /** A change at one place. */
  void Note(const InputReader& place) {
    Invalidate(place, [this](int word, uint64_t entries) {
      TellReaders(word, entries);
    });
  }
  /** How many changes were counted. */
  int64_t num_changes() const { return num_changes_; }
  void CountChange() {
    ++num_changes_;
    if (!volatile_entries_.empty()) [[unlikely]]
      NoteVolatileEntries();
  }
  /** Makes all volatile entries stale. */
  void NoteVolatileEntries() {
    for (const auto& [word, bit] : volatile_entries_) {
      Note({word, 1, &bit});
    }
  }

 private:
  // Calls tell(word, bits) for entries newly stale that have readers.
  template <typename Tell>
  void Invalidate(const InputReader& place, Tell&& tell) {
    for (int i = 0; i < place.num_words; ++i) {
      const int w = place.first_word + i;
      const uint64_t newly = place.mask[i] & ~flags_[w].stale;
      if (newly == 0) continue;
      flags_[w].stale |= newly;
      const uint64_t to_tell = newly & flags_[w].has_readers;
      if (to_tell != 0) tell(w, to_tell);
    }
  }
  void TellReaders(int word, uint64_t entries);

  std::vector<CacheFlags> flags_;
  // By kind of change, by word.
  std::vector<uint64_t> bulk_masks_;
  std::vector<const DependencyMasks*> masks_by_word_;
  // The readers of entry e are readers_[first_reader_[e]] to
  // readers_[first_reader_[e + 1]].
  std::vector<int> first_reader_;
  std::vector<InputReader> readers_;
  std::vector<std::pair<int, InputReader>> added_;
  // Word and bit of the entries that any change makes stale.
  std::vector<std::pair<int, uint64_t>> volatile_entries_;
  // Work memory of TellReaders().
  std::vector<std::pair<int, uint64_t>> to_do_;
  int64_t num_changes_{0};
};

}  // namespace wyvern::systems::internal
