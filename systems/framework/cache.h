#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

class Cache;
class ContextBase;

namespace internal {
/** Flags of 64 cache entries of one Context, a bit for each. */
struct CacheFlags {
  uint64_t stale{0};
  uint64_t disabled{0};
  uint64_t being_computed{0};
  /** Connected input ports read this entry. */
  uint64_t has_readers{0};
};
}  // namespace internal

/** The value of one cache entry in one Context, and whether it is up to date.
Made by the framework; users meet it through CacheEntry. */
class CacheEntryValue {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CacheEntryValue);

  /** For Cache: holds `value`, of the type that the entry computes. */
  CacheEntryValue(CacheIndex index, DependencyTicket ticket,
                  std::string description, std::unique_ptr<AbstractValue> value,
                  Cache* cache);

  /** The description that was given when the entry was declared. */
  const std::string& description() const { return description_; }
  /** The index among the entries of its System. */
  CacheIndex cache_index() const { return index_; }
  /** The ticket of the entry, by which others depend on it. */
  DependencyTicket ticket() const { return ticket_; }

  /** True if a value object has been allocated, stale or not. */
  bool has_value() const { return value_ != nullptr; }
  /** True if the value is stale: never computed, or a source changed since. */
  bool is_out_of_date() const { return (flags_->stale & bit_) != 0; }
  /** True if the next Eval() computes: stale, or caching is disabled. */
  bool needs_recomputation() const {
    return ((flags_->stale | flags_->disabled) & bit_) != 0;
  }
  /** Counts the changes of the value since the Context was made. */
  int64_t serial_number() const { return serial_number_; }

  /** The value. @throws std::logic_error if it is out of date. */
  const AbstractValue& GetAbstractValueOrThrow() const;
  /** The value as a V.
  @throws std::logic_error if it is out of date or not a V. */
  template <typename V>
  const V& GetValueOrThrow() const {
    return GetAbstractValueOrThrow().get_value<V>();
  }
  /** The value as it is, stale or not. */
  const AbstractValue& PeekAbstractValueOrThrow() const { return *value_; }
  /** The value as a V, stale or not.
  @throws std::logic_error if it is not a V. */
  template <typename V>
  const V& PeekValueOrThrow() const {
    return value_->get_value<V>();
  }
  /** The value as it is: for callers that have just seen it up to date. */
  const AbstractValue& get_abstract_value() const { return *value_; }
  /** The value as a V, as it is.
  @throws std::logic_error if it is not a V. */
  template <typename V>
  const V& get_value() const {
    return value_->get_value<V>();
  }

  /** Writable access to a stale value, to recompute it in place.
  @throws std::logic_error if it is up to date, or the cache is frozen. */
  AbstractValue& GetMutableAbstractValueOrThrow();
  /** Writable access to a stale value as a V, to recompute it in place. */
  template <typename V>
  V& GetMutableValueOrThrow() {
    return GetMutableAbstractValueOrThrow().get_mutable_value<V>();
  }
  /** Writes a stale value and marks it up to date; throws as above. */
  template <typename V>
  void SetValueOrThrow(const V& new_value) {
    GetMutableValueOrThrow<V>() = new_value;
    mark_up_to_date();
  }
  /** Does SetValueOrThrow(). */
  template <typename V>
  void set_value(const V& new_value) {
    SetValueOrThrow<V>(new_value);
  }
  /** Exchanges the stored object, leaving it stale. */
  void swap_value(std::unique_ptr<AbstractValue>* other_value);

  /** Makes what depends on this entry through output ports stale too. */
  void mark_out_of_date();
  /** Declares the value up to date. */
  void mark_up_to_date() { flags_->stale &= ~bit_; }
  /** A disabled entry is computed at every Eval(). */
  void disable_caching() { flags_->disabled |= bit_; }
  /** Undoes disable_caching(); a value that is up to date is used again. */
  void enable_caching() { flags_->disabled &= ~bit_; }
  /** True after disable_caching(), until enable_caching(). */
  bool is_cache_entry_disabled() const {
    return (flags_->disabled & bit_) != 0;
  }

  /** Returns "cache entry 'description' of ::diagram::system", for messages. */
  std::string GetPathDescription() const;

 private:
  friend class Cache;
  friend class CacheEntry;
  // Members that each evaluation reads come first, to share a cache line. The
  // first two are the entry's bit in the Cache's flags.
  internal::CacheFlags* flags_{};
  const uint64_t bit_;
  std::unique_ptr<AbstractValue> value_;
  int64_t serial_number_{1};
  Cache* const cache_;
  const CacheIndex index_;
  const DependencyTicket ticket_;
  const std::string description_;
};

/** All cache entry values of one Context, with a few flags each, 64 entries to
a word. The flags lie in an array that a root Context shares with all it
contains (see ContextTree). Diagrams' contexts hold few; leaves' hold most. */
class Cache {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Cache);
  /** Makes a cache without entries for `owner`, which must outlive it. */
  explicit Cache(ContextBase* owner) : owner_(owner) {}

  /** Number of entries. */
  int cache_size() const { return static_cast<int>(values_.size()); }
  /** True if an entry has this index. */
  bool has_cache_entry_value(CacheIndex index) const {
    return index < cache_size();
  }
  /** The value of an entry; `index` is not checked. */
  const CacheEntryValue& get_cache_entry_value(CacheIndex index) const {
    return *values_[index];
  }
  /** Mutable variant of get_cache_entry_value(). */
  CacheEntryValue& get_mutable_cache_entry_value(CacheIndex index) {
    return *values_[index];
  }

  /** Appends an entry, stale. */
  CacheEntryValue& CreateNewCacheEntryValue(
      CacheIndex index, DependencyTicket ticket, std::string description,
      std::unique_ptr<AbstractValue> value);

  /** Makes every Eval() compute, until EnableCaching(). */
  void DisableCaching();
  /** Undoes disable_caching() and DisableCaching() for all entries. */
  void EnableCaching();
  /** While frozen, nothing is recomputed: reading a stale entry throws. */
  void freeze_cache() { is_frozen_ = true; }
  /** Undoes freeze_cache(). */
  void unfreeze_cache() { is_frozen_ = false; }
  /** True between freeze_cache() and unfreeze_cache(). */
  bool is_cache_frozen() const { return is_frozen_; }
  /** Makes every evaluation compute, whatever EnableCaching() says. */
  void set_always_stale() { is_always_stale_ = true; }

  /** Copies staleness, switches and serial numbers; entries correspond. */
  void CopyFlagsFrom(const Cache& other);

  /** Number of flag words: one for 64 entries. */
  int num_words() const { return num_words_; }
  /** Moves the flags to `place`, which has num_words() elements and outlives
  this. */
  void MoveFlagsTo(internal::CacheFlags* place);

 private:
  friend class CacheEntryValue;
  friend class CacheEntry;
  void PointValuesAtFlags();

  // Members that each evaluation reads come first, to share a cache line.
  bool is_frozen_{false};
  bool is_always_stale_{false};
  std::vector<std::unique_ptr<CacheEntryValue>> values_;
  internal::CacheFlags* flags_{};
  int num_words_{0};
  // Where the flags are until MoveFlagsTo().
  std::vector<internal::CacheFlags> own_flags_;
  ContextBase* const owner_;
};

}  // namespace wyvern::systems
