#pragma once

#include <memory>
#include <set>
#include <string>

#include "wyvern/systems/framework/cache_entry.h"
#include "wyvern/systems/framework/output_port.h"

namespace wyvern::systems {

/** An output port of a LeafSystem: a cache entry under a name. */
template <typename T>
class LeafOutputPort final : public OutputPort<T> {
 public:
  /** For LeafSystem. `cache_entry` outlives the port. */
  LeafOutputPort(const System<T>* system, SystemBase* system_base,
                 std::string name, OutputPortIndex index,
                 DependencyTicket ticket, PortDataType data_type, int size,
                 CacheEntry* cache_entry);

  /** The entry that computes and holds the value. */
  const CacheEntry& cache_entry() const { return *cache_entry_; }
  /** Makes Contexts allocated from now on compute this port at every Eval(). */
  void disable_caching_by_default() {
    cache_entry_->disable_caching_by_default();
  }
  /** Calls CacheEntry::set_result_check() of the entry. */
  void set_result_check(CacheEntry::ResultCheck check) {
    cache_entry_->set_result_check(check);
  }
  /** Calls CacheEntry::set_stale_after_any_change() of the entry. */
  void set_stale_after_any_change() {
    cache_entry_->set_stale_after_any_change();
  }

 private:
  std::unique_ptr<AbstractValue> DoAllocate() const final;
  void DoCalc(const Context<T>& context, AbstractValue* value) const final;
  const AbstractValue& DoEval(const Context<T>& context) const final {
    return cache_entry_->EvalAbstract(context);
  }

  CacheEntry* const cache_entry_;
};

}  // namespace wyvern::systems
