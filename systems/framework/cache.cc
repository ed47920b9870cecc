#include "wyvern/systems/framework/cache.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/framework/context_base.h"

namespace wyvern::systems {

CacheEntryValue::CacheEntryValue(CacheIndex index, DependencyTicket ticket,
                                 std::string description,
                                 std::unique_ptr<AbstractValue> value,
                                 Cache* cache)
    : bit_(uint64_t{1} << index % 64),
      value_(std::move(value)),
      cache_(cache),
      index_(index),
      ticket_(ticket),
      description_(std::move(description)) {}

const AbstractValue& CacheEntryValue::GetAbstractValueOrThrow() const {
  if (is_out_of_date()) {
    throw std::logic_error(fmt::format(
        "CacheEntryValue::GetValueOrThrow(): {} is out of date; evaluate its "
        "CacheEntry, or use PeekValueOrThrow() to look at the stale value.",
        GetPathDescription()));
  }
  return *value_;
}

AbstractValue& CacheEntryValue::GetMutableAbstractValueOrThrow() {
  if (!needs_recomputation()) {
    throw std::logic_error(fmt::format(
        "CacheEntryValue::GetMutableValueOrThrow(): {} is up to date; only a "
        "stale value may be written. Mark it out of date first.",
        GetPathDescription()));
  }
  if (cache_->is_cache_frozen()) {
    throw std::logic_error(fmt::format(
        "CacheEntryValue::GetMutableValueOrThrow(): the cache that holds {} is "
        "frozen; call UnfreezeCache() first.",
        GetPathDescription()));
  }
  ++serial_number_;
  return *value_;
}

void CacheEntryValue::swap_value(std::unique_ptr<AbstractValue>* other_value) {
  if (other_value == nullptr || *other_value == nullptr) {
    throw std::logic_error(
        fmt::format("CacheEntryValue::swap_value(): {} was given no value; "
                    "pass one of the same type.",
                    GetPathDescription()));
  }
  value_.swap(*other_value);
  ++serial_number_;
  mark_out_of_date();
}

void CacheEntryValue::mark_out_of_date() {
  cache_->owner_->NoteEntryChange(index_);
}

std::string CacheEntryValue::GetPathDescription() const {
  return fmt::format("cache entry '{}' of {}", description_,
                     cache_->owner_->GetSystemPathname());
}

CacheEntryValue& Cache::CreateNewCacheEntryValue(
    CacheIndex index, DependencyTicket ticket, std::string description,
    std::unique_ptr<AbstractValue> value) {
  if (index != cache_size()) {
    throw std::logic_error(
        fmt::format("Cache: entry '{}' has index {}, wanted {}; entries are "
                    "created in order.",
                    description, index, cache_size()));
  }
  values_.push_back(std::make_unique<CacheEntryValue>(
      index, ticket, std::move(description), std::move(value), this));
  num_words_ = static_cast<int>((values_.size() + 63) / 64);
  own_flags_.resize(num_words_);
  flags_ = own_flags_.data();
  PointValuesAtFlags();
  values_.back()->flags_->stale |= values_.back()->bit_;
  return *values_.back();
}

void Cache::PointValuesAtFlags() {
  for (const auto& value : values_) value->flags_ = &flags_[value->index_ / 64];
}

void Cache::MoveFlagsTo(internal::CacheFlags* place) {
  std::copy_n(flags_, num_words_, place);
  flags_ = place;
  own_flags_.clear();
  PointValuesAtFlags();
}

void Cache::DisableCaching() {
  for (int w = 0; w < num_words_; ++w) flags_[w].disabled = ~uint64_t{0};
}
void Cache::EnableCaching() {
  for (int w = 0; w < num_words_; ++w) flags_[w].disabled = 0;
}

void Cache::CopyFlagsFrom(const Cache& other) {
  for (int i = 0; i < cache_size(); ++i) {
    values_[i]->serial_number_ = other.values_[i]->serial_number_;
  }
  for (int w = 0; w < num_words_; ++w) {
    flags_[w] = {.stale = other.flags_[w].stale,
                 .disabled = other.flags_[w].disabled};
  }
  is_frozen_ = other.is_frozen_;
  is_always_stale_ = other.is_always_stale_;
}

}  // namespace wyvern::systems
