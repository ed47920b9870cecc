#include "wyvern/systems/framework/cache_entry.h"

#include <exception>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/known_tickets.h"
#include "wyvern/systems/framework/system_base.h"

/* Evaluation of a cache entry. If the value is stale, its computation is called
and may evaluate other entries, which nest on the stack. A long chain of blocks
would overflow it, so from a depth on, inputs are computed in advance from a
list, in the order of the wiring; an exception of such an input is kept and
thrown only if the input is really asked for. An entry that asks for its own
result is an error. A computation that throws leaves its entry stale. A short
chain is plain recursion. */

namespace wyvern::systems {

CacheEntry::CacheEntry(const SystemBase* owning_system, CacheIndex index,
                       DependencyTicket ticket, std::string description,
                       ValueProducer value_producer,
                       std::set<DependencyTicket> prerequisites_of_calc)
    : system_id_(owning_system->get_system_id()),
      cache_index_(index),
      ticket_(ticket),
      value_producer_(std::move(value_producer)),
      owning_system_(owning_system),
      description_(std::move(description)),
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
  if (result_check_ != nullptr) {
    result_check_(*owning_system_, *this, context, *value);
  }
}

namespace {

// Data that the computations of a thread share. They are in one place, as
// access to another thread_local variable may be a function call.
struct ThreadState {
  // Number of computations that wait for one another: in all, and since the
  // last computation of inputs in advance.
  int waiting_in_all{0};
  int waiting{0};
  // Whether failures() has any.
  bool has_failures{false};
};
thread_local constinit ThreadState thread_state;
// A chain of blocks can fill the memory, but a thread's stack is short, and the
// size of a computation's frames depends on the user.
constexpr int kMostWaiting = 200;
constexpr int kMostWaitingInAll = 2000;

// Exceptions of inputs that were computed in advance, until no computation
// waits any more. If the input is needed, its exception is thrown.
using Failures = std::unordered_map<const CacheEntryValue*, std::exception_ptr>;
Failures& failures() {
  thread_local Failures result;
  return result;
}

void RethrowIfFailed(const CacheEntryValue& value) {
  const auto found = failures().find(&value);
  if (found != failures().end()) std::rethrow_exception(found->second);
}

}  // namespace

/* Computes the inputs that a computation may read, and the inputs that these
may read, and so on, before the computation runs. Keeps a list instead of
recursing. A computation may read the values that it lists as prerequisites.
Values that are computed at every Eval() are skipped. A computation that throws
is left stale, and throws again if its value is needed. */
class CacheEntry::InputsFirst {
 public:
  InputsFirst()
      : first_(to_do().size()), waiting_before_(thread_state.waiting) {
    thread_state.waiting = 0;
  }
  ~InputsFirst() {
    thread_state.waiting = waiting_before_;
    while (to_do().size() > first_) Pop();
  }

  void Run(const ContextBase& context, const CacheEntryValue& value) {
    PushInputs(context, value);
    while (to_do().size() > first_) {
      const Item item = to_do().back();
      if (!item.is_waiting && item.value->is_out_of_date()) {
        to_do().back().is_waiting = true;
        item.value->flags_->being_computed |= item.value->bit_;
        PushInputs(*item.context, *item.value);
        continue;
      }
      Pop();
      if (!item.value->is_out_of_date()) continue;
      try {
        item.entry->Update(*item.context, item.value);
      } catch (...) {
        failures().emplace(item.value, std::current_exception());
        thread_state.has_failures = true;
      }
    }
  }

 private:
  struct Item {
    const ContextBase* context{};
    const CacheEntry* entry{};
    CacheEntryValue* value{};
    bool is_waiting{false};
  };
  // Kept between calls, so that a step allocates nothing.
  static std::vector<Item>& to_do() {
    thread_local std::vector<Item> result;
    return result;
  }

  static void Pop() {
    const Item& item = to_do().back();
    if (item.is_waiting)
      item.value->flags_->being_computed &= ~item.value->bit_;
    to_do().pop_back();
  }

  static void PushInputs(const ContextBase& context,
                         const CacheEntryValue& value) {
    for (const auto& slot : context.inputs_) {
      const auto& source = slot.source;
      if (source.value == nullptr || !source.value->is_out_of_date()) continue;
      if (source.value->is_cache_entry_disabled()) continue;
      const auto& flags = *source.value->flags_;
      if ((flags.being_computed & source.value->bit_) != 0) continue;
      const uint64_t* mask = context.ReaderOf(slot.ticket).mask;
      if ((mask[value.index_ / 64] & value.bit_) == 0) continue;
      to_do().push_back({source.context, source.entry, source.value});
    }
  }

  const std::size_t first_;
  const int waiting_before_;
};

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
  ThreadState& thread = thread_state;
  if (thread.has_failures) [[unlikely]] {
    RethrowIfFailed(*value);
  }
  struct Busy {
    Busy(ThreadState* t, internal::CacheFlags* f, uint64_t b)
        : thread(t), flags(f), bit(b) {
      flags->being_computed |= bit;
      ++thread->waiting;
      ++thread->waiting_in_all;
    }
    ~Busy() {
      flags->being_computed &= ~bit;
      --thread->waiting;
      if (--thread->waiting_in_all == 0 && thread->has_failures) [[unlikely]] {
        failures().clear();
        thread->has_failures = false;
      }
    }
    ThreadState* thread;
    internal::CacheFlags* flags;
    uint64_t bit;
  } busy(&thread, &flags, bit);

  if (thread.waiting > kMostWaiting) [[unlikely]] {
    if (thread.waiting_in_all > kMostWaitingInAll) ThrowTooDeep();
    if (!cache.is_always_stale_) InputsFirst().Run(context, *value);
  }

  // The value is stale while Calc() writes it, so that it stays stale if Calc()
  // throws.
  flags.stale |= bit;
  value_producer_.Calc(context, value->value_.get());
  if (result_check_ != nullptr) {
    result_check_(*owning_system_, *this, context, *value->value_);
  }
  ++value->serial_number_;
  if (!cache.is_always_stale_) flags.stale &= ~bit;
}

void CacheEntry::ThrowFrozen() const {
  throw std::logic_error(fmt::format(
      "{}: the value is out of date and the cache is frozen; evaluate it "
      "before FreezeCache(), or call UnfreezeCache().",
      FormatName()));
}

void CacheEntry::ThrowTooDeep() const {
  throw std::runtime_error(fmt::format(
      "{}: {} computations wait for one another. That is possible with caching "
      "alone; enable it, list as prerequisites all input ports that a "
      "computation reads, and let entries of one System that need each other "
      "be fewer.",
      FormatName(), kMostWaitingInAll));
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
