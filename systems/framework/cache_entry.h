#pragma once

#include <memory>
#include <set>
#include <string>
#include <typeinfo>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/cache.h"
#include "wyvern/systems/framework/context_base.h"
#include "wyvern/systems/framework/framework_common.h"
#include "wyvern/systems/framework/value_producer.h"

namespace wyvern::systems {

class SystemBase;

/** A computation that a System declares, whose result each Context keeps until
something it depends on changes. Made by SystemBase::DeclareCacheEntry(). */
class CacheEntry {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CacheEntry);

  /** For SystemBase::DeclareCacheEntry().
  @throws std::logic_error if the producer is empty or no prerequisites are
  given. */
  CacheEntry(const SystemBase* owning_system, CacheIndex index,
             DependencyTicket ticket, std::string description,
             ValueProducer value_producer,
             std::set<DependencyTicket> prerequisites_of_calc);

  /** The description that was given when the entry was declared. */
  const std::string& description() const { return description_; }
  /** The index among the entries of its System. */
  CacheIndex cache_index() const { return cache_index_; }
  /** The ticket of the entry, by which others depend on it. */
  DependencyTicket ticket() const { return ticket_; }
  /** Returns the tickets whose change makes the value stale. They may be edited
  as long as no Context of the System exists; otherwise editing throws
  std::logic_error. */
  const std::set<DependencyTicket>& prerequisites() const {
    return prerequisites_;
  }
  /** Mutable variant of prerequisites().
  @throws std::logic_error if a Context of the System exists. */
  std::set<DependencyTicket>& mutable_prerequisites();
  /** True if the prerequisites are the catch-all `all_sources`. */
  bool has_default_prerequisites() const;

  /** Returns a new value object of the type that the entry computes, not
  computed yet.
  @throws std::logic_error if the allocator returns null. */
  std::unique_ptr<AbstractValue> Allocate() const;
  /** Computes into `value`, whatever the cache holds.
  @throws std::logic_error if `context` belongs to another System or `value` is
  null. */
  void Calc(const ContextBase& context, AbstractValue* value) const;

  /** The up-to-date value; computes it first if it is stale.
  @throws std::logic_error if `context` belongs to another System, the cache is
  frozen and the value stale, or the computation asks for its own result. What
  the computation throws passes through, and the entry stays stale. */
  const AbstractValue& EvalAbstract(const ContextBase& context) const {
    return EvalEntry(context).get_abstract_value();
  }
  /** The up-to-date value as a ValueType; see EvalAbstract(). The reference
  stays valid; the value changes when it is computed again.
  @throws std::logic_error if the value is of another type. */
  template <typename ValueType>
  const ValueType& Eval(const ContextBase& context) const {
    return Cast<ValueType>(EvalAbstract(context));
  }

  /** The value, which must be up to date already.
  @throws std::logic_error if it is not. */
  const AbstractValue& GetKnownUpToDateAbstract(
      const ContextBase& context) const {
    return get_cache_entry_value(context).GetAbstractValueOrThrow();
  }
  /** The value as a ValueType, which must be up to date already.
  @throws std::logic_error if it is not, or is of another type. */
  template <typename ValueType>
  const ValueType& GetKnownUpToDate(const ContextBase& context) const {
    return Cast<ValueType>(GetKnownUpToDateAbstract(context));
  }

  /** True if the value in `context` is stale. */
  bool is_out_of_date(const ContextBase& context) const {
    return get_cache_entry_value(context).is_out_of_date();
  }
  /** True if the entry is computed at every Eval() in `context`. */
  bool is_cache_entry_disabled(const ContextBase& context) const {
    return get_cache_entry_value(context).is_cache_entry_disabled();
  }
  /** Makes every Eval() in `context` compute. */
  void disable_caching(const ContextBase& context) const {
    get_mutable_cache_entry_value(context).disable_caching();
  }
  /** Undoes disable_caching() in `context`. */
  void enable_caching(const ContextBase& context) const {
    get_mutable_cache_entry_value(context).enable_caching();
  }
  /** Makes Contexts allocated from now on start with this entry disabled. */
  void disable_caching_by_default() { is_disabled_by_default_ = true; }
  /** True after disable_caching_by_default(). */
  bool is_disabled_by_default() const { return is_disabled_by_default_; }

  /** A function that throws unless a result of the entry is valid. */
  using ResultCheck = void (*)(const SystemBase& owning_system,
                               const CacheEntry& entry,
                               const ContextBase& context,
                               const AbstractValue& result);
  /** Sets the function that looks at each result. A result that it refuses
  leaves the entry stale. */
  void set_result_check(ResultCheck check) { result_check_ = check; }

  /** Makes every change in a root Context, wherever in it, also one of this
  entry, which must be that of an output port: for computations that read what
  tickets do not tell. Call it before there are Contexts. */
  void set_stale_after_any_change() { is_stale_after_any_change_ = true; }
  /** True after set_stale_after_any_change(). */
  bool is_stale_after_any_change() const { return is_stale_after_any_change_; }

  /** The value and its flags in `context`.
  @throws std::logic_error if `context` belongs to another System; so does the
  mutable variant. */
  const CacheEntryValue& get_cache_entry_value(
      const ContextBase& context) const {
    RequireOwnContext(context);
    return context.get_cache().get_cache_entry_value(cache_index_);
  }
  /** Mutable variant of get_cache_entry_value(). */
  CacheEntryValue& get_mutable_cache_entry_value(
      const ContextBase& context) const {
    RequireOwnContext(context);
    return context.get_mutable_cache().get_mutable_cache_entry_value(
        cache_index_);
  }

 private:
  friend class InputPortBase;
  void RequireOwnContext(const ContextBase& context) const {
    if (context.get_system_id() != system_id_) ThrowForeignContext(context);
  }
  const CacheEntryValue& EvalEntry(const ContextBase& context) const {
    RequireOwnContext(context);
    CacheEntryValue& value =
        context.get_mutable_cache().get_mutable_cache_entry_value(cache_index_);
    if (value.needs_recomputation()) Update(context, &value);
    return value;
  }
  void Update(const ContextBase& context, CacheEntryValue* value) const;
  class InputsFirst;
  template <typename ValueType>
  const ValueType& Cast(const AbstractValue& value) const {
    const auto* result = value.maybe_get_value<ValueType>();
    if (result == nullptr) [[unlikely]] {
      ThrowWrongType(value, typeid(ValueType));
    }
    return *result;
  }
  [[noreturn]] void ThrowWrongType(const AbstractValue& value,
                                   const std::type_info& wanted) const;
  [[noreturn]] void ThrowFrozen() const;
  [[noreturn]] void ThrowTooDeep() const;
  [[noreturn]] void ThrowAsksForItself() const;
  [[noreturn]] void ThrowForeignContext(const ContextBase& context) const;
  std::string FormatName() const;

  // Members that each evaluation reads come first, to share a cache line.
  const internal::SystemId system_id_;
  const CacheIndex cache_index_;
  const DependencyTicket ticket_;
  ResultCheck result_check_{};
  const ValueProducer value_producer_;
  const SystemBase* const owning_system_;
  bool is_disabled_by_default_{false};
  bool is_stale_after_any_change_{false};
  const std::string description_;
  std::set<DependencyTicket> prerequisites_;
};

}  // namespace wyvern::systems
