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

/** The value of one cache entry in one Context, and whether it is up to date.
Made by the framework; users meet it through CacheEntry. */
class CacheEntryValue {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CacheEntryValue);

  CacheEntryValue(CacheIndex index, DependencyTicket ticket,
                  std::string description, std::unique_ptr<AbstractValue> value,
                  Cache* cache);

  const std::string& description() const { return description_; }
  CacheIndex cache_index() const { return index_; }
  DependencyTicket ticket() const { return ticket_; }

  bool has_value() const { return value_ != nullptr; }
  inline bool is_out_of_date() const;
  /** True if the next Eval() computes: stale, or caching is disabled. */
  inline bool needs_recomputation() const;
  /** Counts the changes of the value since the Context was made. */
  int64_t serial_number() const { return serial_number_; }

  /** The value. @throws std::logic_error if it is out of date. */
  const AbstractValue& GetAbstractValueOrThrow() const;
  template <typename V>
  const V& GetValueOrThrow() const {
    return GetAbstractValueOrThrow().get_value<V>();
  }
  /** The value as it is, stale or not. */
  const AbstractValue& PeekAbstractValueOrThrow() const { return *value_; }
  template <typename V>
  const V& PeekValueOrThrow() const {
    return value_->get_value<V>();
  }
  /** The value as it is: for callers that have just seen it up to date. */
  const AbstractValue& get_abstract_value() const { return *value_; }
  template <typename V>
  const V& get_value() const {
    return value_->get_value<V>();
  }

  /** Writable access to a stale value, to recompute it in place.
  @throws std::logic_error if it is up to date, or the cache is frozen. */
  AbstractValue& GetMutableAbstractValueOrThrow();
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
  template <typename V>
  void set_value(const V& new_value) {
    SetValueOrThrow<V>(new_value);
  }
  /** Exchanges the stored object, leaving it stale. */
  void swap_value(std::unique_ptr<AbstractValue>* other_value);

  void mark_out_of_date();
  void mark_up_to_date();
  /** A disabled entry is computed at every Eval(). */
  void disable_caching();
  void enable_caching();
  bool is_cache_entry_disabled() const;

  std::string GetPathDescription() const;

 private:
  friend class Cache;
  friend class CacheEntry;
  const CacheIndex index_;
  const DependencyTicket ticket_;
  const std::string description_;
  std::unique_ptr<AbstractValue> value_;
  int64_t serial_number_{1};
  Cache* const cache_;
};

/** All cache entry values of one Context, with one stale bit each, 64 to a
word. Diagrams' contexts hold few; leaves' hold most. */
class Cache {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Cache);
  explicit Cache(const ContextBase* owner) : owner_(owner) {}

  int cache_size() const { return static_cast<int>(values_.size()); }
  bool has_cache_entry_value(CacheIndex index) const {
    return index < cache_size();
  }
  const CacheEntryValue& get_cache_entry_value(CacheIndex index) const {
    return *values_[index];
  }
  CacheEntryValue& get_mutable_cache_entry_value(CacheIndex index) {
    return *values_[index];
  }

  /** Appends an entry, stale. */
  CacheEntryValue& CreateNewCacheEntryValue(
      CacheIndex index, DependencyTicket ticket, std::string description,
      std::unique_ptr<AbstractValue> value);

  void DisableCaching();
  void EnableCaching();
  void SetAllEntriesOutOfDate();
  /** While frozen, nothing is recomputed: reading a stale entry throws. */
  void freeze_cache() { is_frozen_ = true; }
  void unfreeze_cache() { is_frozen_ = false; }
  bool is_cache_frozen() const { return is_frozen_; }
  /** Makes every evaluation compute, whatever EnableCaching() says. */
  void set_always_stale() { is_always_stale_ = true; }

  /** Copies staleness, switches and serial numbers; entries correspond. */
  void CopyFlagsFrom(const Cache& other);

  bool is_stale(int index) const {
    return (flags_[index >> 6].stale >> (index & 63)) & 1;
  }
  bool needs_recomputation(int index) const {
    const Flags& f = flags_[index >> 6];
    return ((f.stale | f.disabled) >> (index & 63)) & 1;
  }

  /** Marks the entries of `mask` stale. Returns in `newly` word by word
  (through `visit(word_index, newly_stale_bits)`) those that had been up to
  date. */
  template <typename Visit>
  void Invalidate(const uint64_t* mask, Visit&& visit) {
    const int num_words = static_cast<int>(flags_.size());
    for (int w = 0; w < num_words; ++w) {
      const uint64_t newly = mask[w] & ~flags_[w].stale;
      if (newly != 0) {
        flags_[w].stale |= newly;
        visit(w, newly);
      }
    }
  }

 private:
  friend class CacheEntryValue;
  friend class CacheEntry;
  struct Flags {
    uint64_t stale{0};
    uint64_t disabled{0};
    uint64_t being_computed{0};
  };
  Flags& flags(int index) { return flags_[index >> 6]; }
  static uint64_t bit(int index) { return uint64_t{1} << (index & 63); }

  const ContextBase* const owner_;
  std::vector<std::unique_ptr<CacheEntryValue>> values_;
  std::vector<Flags> flags_;
  bool is_frozen_{false};
  bool is_always_stale_{false};
};

bool CacheEntryValue::is_out_of_date() const {
  return cache_->is_stale(index_);
}
bool CacheEntryValue::needs_recomputation() const {
  return cache_->needs_recomputation(index_);
}

}  // namespace wyvern::systems
