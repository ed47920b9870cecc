#pragma once

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
    for (int i = 0; i < reader.num_words; ++i) {
      if (reader.mask[i] == 0) continue;
      added_.push_back(
          {word * 64 + entry, {reader.first_word + i, reader.mask[i]}});
    }
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
      const uint64_t to_tell = Invalidate(w, masks[w]);
      if (to_tell != 0) TellReaders(w, to_tell);
    }
  }
  /** A change at one place. */
  void Note(const InputReader& place) {
    for (int i = 0; i < place.num_words; ++i) {
      const int word = place.first_word + i;
      const uint64_t to_tell = Invalidate(word, place.mask[i]);
      if (to_tell != 0) TellReaders(word, to_tell);
    }
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
  // Entries of one word.
  struct Entries {
    int word{};
    uint64_t mask{};
  };

  // Makes entries stale. Returns those that were not and have readers.
  uint64_t Invalidate(int word, uint64_t mask) {
    CacheFlags& flags = flags_[word];
    const uint64_t newly = mask & ~flags.stale;
    if (newly == 0) return 0;
    flags.stale |= newly;
    return newly & flags.has_readers;
  }
  void TellReaders(int word, uint64_t entries);

  std::vector<CacheFlags> flags_;
  // By kind of change, by word.
  std::vector<uint64_t> bulk_masks_;
  std::vector<const DependencyMasks*> masks_by_word_;
  // By word: the number of entries with readers in the words before it. Entries
  // with readers are numbered so, and the readers of number k are
  // readers_[first_reader_[k]] to readers_[first_reader_[k + 1]].
  std::vector<int> entries_before_;
  std::vector<int> first_reader_;
  std::vector<Entries> readers_;
  std::vector<std::pair<int, Entries>> added_;
  // Word and bit of the entries that any change makes stale.
  std::vector<std::pair<int, uint64_t>> volatile_entries_;
  // Work memory of TellReaders(), with an element for each reader.
  std::vector<Entries> to_do_;
  int64_t num_changes_{0};
};

}  // namespace wyvern::systems::internal
