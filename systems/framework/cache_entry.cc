#include "wyvern/systems/framework/cache_entry.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/known_tickets.h"
#include "wyvern/systems/framework/system_base.h"

namespace wyvern::systems {

CacheEntry::CacheEntry(const SystemBase* owning_system, CacheIndex index,
                       DependencyTicket ticket, std::string description,
                       ValueProducer value_producer,
                       std::set<DependencyTicket> prerequisites_of_calc)
    : owning_system_(owning_system),
      system_id_(owning_system->get_system_id()),
      cache_index_(index),
      ticket_(ticket),
      description_(std::move(description)),
      value_producer_(std::move(value_producer)),
      prerequisites_(std::move(prerequisites_of_calc)) {
  if (!value_producer_.is_valid()) {
    throw std::logic_error(fmt::format(
        "{}: its ValueProducer is empty; give it an allocate and a calc "
        "function.",
        FormatName()));
  }
  if (prerequisites_.empty()) {
    throw std::logic_error(fmt::format(
        "{}: the list of prerequisites is empty; a computation that depends "
        "on nothing must say so with nothing_ticket().",
        FormatName()));
  }
}

std::set<DependencyTicket>& CacheEntry::mutable_prerequisites() {
  owning_system_->RequireNoContexts();
  owning_system_->NoteDependenciesChanged();
  return prerequisites_;
}

bool CacheEntry::has_default_prerequisites() const {
  return prerequisites_.contains(DependencyTicket(internal::kAllSourcesTicket));
}

std::unique_ptr<AbstractValue> CacheEntry::Allocate() const {
  std::unique_ptr<AbstractValue> result = value_producer_.allocate_();
  if (result == nullptr) {
    throw std::logic_error(fmt::format(
        "{}: its allocate function returned nullptr; it must return a value.",
        FormatName()));
  }
  return result;
}

void CacheEntry::Calc(const ContextBase& context, AbstractValue* value) const {
  RequireOwnContext(context);
  if (value == nullptr) {
    wyvern::internal::ThrowNull(fmt::format("{}: Calc", FormatName()),
                                "the output", "pass the result of Allocate()");
  }
  value_producer_.Calc(context, value);
}

void CacheEntry::Update(const ContextBase& context,
                        CacheEntryValue* value) const {
  const Cache& cache = context.get_cache();
  internal::CacheFlags& flags = *value->flags_;
  const uint64_t bit = value->bit_;
  if (cache.is_frozen_ && !cache.is_always_stale_ && (flags.stale & bit) != 0)
      [[unlikely]] {
    ThrowFrozen();
  }
  // A computation that asks for its own result would recurse for ever.
  if ((flags.being_computed & bit) != 0) [[unlikely]] {
    ThrowAsksForItself();
  }
  struct Busy {
    Busy(internal::CacheFlags* f, uint64_t b) : flags(f), bit(b) {
      flags->being_computed |= bit;
    }
    ~Busy() { flags->being_computed &= ~bit; }
    internal::CacheFlags* flags;
    uint64_t bit;
  } busy(&flags, bit);

  // Stale while half written, also when it is computed at every Eval().
  flags.stale |= bit;
  value_producer_.Calc(context, value->value_.get());
  ++value->serial_number_;
  if (!cache.is_always_stale_) flags.stale &= ~bit;
}

void CacheEntry::ThrowFrozen() const {
  throw std::logic_error(fmt::format(
      "{}: the value is out of date and the cache is frozen; evaluate it "
      "before FreezeCache(), or call UnfreezeCache().",
      FormatName()));
}

void CacheEntry::ThrowAsksForItself() const {
  throw std::logic_error(
      fmt::format("{}: the computation asks for its own result; break the "
                  "cycle of cache entries or ports it belongs to.",
                  FormatName()));
}

void CacheEntry::ThrowForeignContext(const ContextBase& context) const {
  throw std::logic_error(fmt::format(
      "{}: was given a Context of another System, {}; pass the Context that "
      "this System made (for a subsystem of a Diagram, get it with "
      "GetMyContextFromRoot()).",
      FormatName(), context.GetSystemPathname()));
}

void CacheEntry::ThrowWrongType(const AbstractValue& value,
                                const std::type_info& wanted) const {
  throw std::logic_error(fmt::format(
      "{}: its value is a '{}' and was read as a '{}'; use the type it was "
      "declared with.",
      FormatName(), NiceTypeName::Get(value.static_type_info()),
      NiceTypeName::Get(wanted)));
}

std::string CacheEntry::FormatName() const {
  return fmt::format("cache entry '{}' of System {} ({})", description_,
                     owning_system_->GetSystemPathname(),
                     owning_system_->GetSystemType());
}

}  // namespace wyvern::systems
