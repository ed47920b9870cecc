#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/cache.h"
#include "wyvern/systems/framework/context_tree.h"
#include "wyvern/systems/framework/dependency_masks.h"
#include "wyvern/systems/framework/fixed_input_port_value.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

class CacheEntry;
class SystemBase;

namespace internal {
class ContextRegistry;
template <typename T>
class ContextTwin;
}  // namespace internal

/** The part of a Context that does not depend on the scalar type: whose it is,
the cache, the input ports' values, and who must be told of a change.

Every leaf Context has one stale bit per cache entry. A change ORs the mask that
the System compiled for it (DependencyMasks) into the stale bits, which a root
Context and all it contains share (ContextTree); output ports that were up to
date and now are not pass the news to the input ports connected to them.
Connections are resolved through all enclosing Diagrams when the root Context is
made, so an input port points straight at the leaf cache entry, or fixed value,
that feeds it. */
class ContextBase {
 public:
  ContextBase(ContextBase&&) = delete;
  ContextBase& operator=(const ContextBase&) = delete;
  ContextBase& operator=(ContextBase&&) = delete;
  virtual ~ContextBase();

  /** A deep copy, cached values included.
  @throws std::logic_error if this is not a root Context. */
  std::unique_ptr<ContextBase> Clone() const;

  /** @name Caching, for this Context and all it contains
  @{ */
  /** Makes every evaluation compute, until EnableCaching(). */
  void DisableCaching() const;
  /** Undoes DisableCaching(), and disable_caching() of single entries. */
  void EnableCaching() const;
  /** Makes all cached values stale. */
  void SetAllCacheEntriesOutOfDate() const;
  /** Nothing is computed while frozen; reading a stale entry throws. */
  void FreezeCache() const;
  /** Undoes FreezeCache(). */
  void UnfreezeCache() const;
  /** True between FreezeCache() and UnfreezeCache(). */
  bool is_cache_frozen() const { return cache_.is_cache_frozen(); }
  /** @} */

  /** The name of the System that made this Context. */
  const std::string& GetSystemName() const { return system_name_; }
  /** The names from the root down, as in "::diagram::plant". */
  std::string GetSystemPathname() const;
  /** The id of the System that made this Context. */
  internal::SystemId get_system_id() const { return system_id_; }

  /** The cached values of this Context, without those of subsystems. */
  const Cache& get_cache() const { return cache_; }
  /** Cached values can change in a const Context. */
  Cache& get_mutable_cache() const { return cache_; }

  /** Number of input ports of the System. */
  int num_input_ports() const { return static_cast<int>(inputs_.size()); }
  /** Number of output ports of the System. */
  int num_output_ports() const { return num_output_ports_; }

  /** Gives input port `index` a value of its own, which wins over a connection.
  A second call replaces the value.
  @throws std::logic_error if the type or size is not the port's.
  @throws std::out_of_range on a bad index. */
  FixedInputPortValue& FixInputPort(int index, const AbstractValue& value);
  /** The port's own fixed value, or null. */
  const FixedInputPortValue* MaybeGetFixedInputPortValue(int index) const;
  /** Mutable variant of MaybeGetFixedInputPortValue(). */
  FixedInputPortValue* MaybeGetMutableFixedInputPortValue(int index);

  /** True if this Context is not part of a Diagram's Context. */
  bool is_root_context() const { return parent_ == nullptr; }

  /** A number that grows whenever a value that computations depend on is set,
  or made writable, in this Context or one within it; what it starts from says
  nothing. If it is the same as before, so is everything but the cache. */
  int64_t num_changes() const;

 protected:
  ContextBase() : cache_(this) {}
  /** Copies what does not point elsewhere; Clone() then connects the parts. */
  ContextBase(const ContextBase& source);

  virtual std::unique_ptr<ContextBase> DoCloneWithoutPointers() const = 0;
  virtual bool is_diagram() const { return false; }
  /** Gives the parts of a new or cloned Context the id of its System. */
  virtual void DoNoteSystemId() {}
  /** Calls `visit` with each direct subcontext. A leaf has none. */
  virtual void DoForEachSubcontext(
      const std::function<void(ContextBase*)>& visit) const;
  /** Resolves the subcontexts' input ports, given that this Context's own are
  resolved. A leaf has nothing to do. */
  virtual void DoResolveSubcontextInputs() {}

  static std::unique_ptr<ContextBase> CloneWithoutPointers(
      const ContextBase& source) {
    return source.DoCloneWithoutPointers();
  }
  /** Sets who contains `child`. */
  static void set_parent(ContextBase* child, ContextBase* parent) {
    child->parent_ = parent;
  }
  ContextBase* parent() const { return parent_; }

  /** In this Context and its contents. Entries of a Context that has not been
  resolved yet are stale anyway. */
  void NoteBulkChange(internal::DependencyMasks::Bulk bulk) {
    if (tree_ == nullptr) return;
    CountChange();
    tree_->NoteBulk(bulk, first_word_, end_word_);
  }
  /** In this Context. */
  void NoteTicketChange(DependencyTicket ticket) {
    if (tree_ == nullptr) return;
    CountChange();
    tree_->Note(ReaderOf(ticket));
  }

  void NoteDiscreteGroupChange(int i) {
    NoteTicketChange(masks_->groups().discrete[i]);
  }
  void NoteAbstractStateChange(int i) {
    NoteTicketChange(masks_->groups().abstract[i]);
  }
  void NoteNumericParameterChange(int i) {
    NoteTicketChange(masks_->groups().numeric_parameter[i]);
  }
  void NoteAbstractParameterChange(int i) {
    NoteTicketChange(masks_->groups().abstract_parameter[i]);
  }

  // Where an input port's value comes from, resolved to a leaf or to a fixed
  // value; neither if it has none.
  struct InputSource {
    const FixedInputPortValue* fixed{};
    const ContextBase* context{};
    const CacheEntry* entry{};
    CacheEntryValue* value{};
    bool operator==(const InputSource&) const = default;
  };
  const InputSource& input_source(int index) const {
    return inputs_[index].source;
  }
  /** For DoResolveSubcontextInputs(): what the child's port reads unless it has
  a fixed value of its own. Records who must be told of changes. */
  static void ResolveInput(ContextBase* child, int index,
                           const InputSource& from_outside);
  /** Resolves every input port of this root Context and its contents. */
  void ResolveInputs();
  static void ResolveSubcontextInputs(ContextBase* c) {
    c->DoResolveSubcontextInputs();
  }
  /** The cache entry behind leaf output port `index`; null for a Diagram. */
  static const CacheEntry* output_entry(const ContextBase& c, int index) {
    return c.output_entries_.empty() ? nullptr : c.output_entries_[index];
  }

 private:
  friend class SystemBase;
  friend class CacheEntry;
  friend class InputPortBase;
  friend class FixedInputPortValue;
  friend class CacheEntryValue;
  template <typename T>
  friend class internal::ContextTwin;

  struct InputSlot {
    InputSource source;
    std::unique_ptr<FixedInputPortValue> fixed;
    std::shared_ptr<const std::function<void(const AbstractValue&)>> check;
    DependencyTicket ticket;
    // The source is not what it was when the port was last resolved.
    bool has_new_source{false};
  };

  void CountChange() {
    ++num_changes_;
    tree_->CountChange();
  }
  // Returns the values that a change of `ticket` makes stale in this Context.
  internal::InputReader ReaderOf(DependencyTicket ticket) const {
    return {first_word_, masks_->num_words(), masks_->ticket(ticket)};
  }
  void NoteFixedValueChange(FixedInputPortValue* fixed);
  void NoteEntryChange(CacheIndex index);
  void JoinTree(internal::ContextTree* tree);
  void MoveFlagsToTree();
  void JoinRegistry(std::shared_ptr<internal::ContextRegistry> registry);
  void ClearResolution();
  void FinishResolution();
  ContextBase* root();

  // Members that each evaluation reads come first, to share a cache line.
  internal::SystemId system_id_;
  std::vector<InputSlot> inputs_;
  mutable Cache cache_;
  ContextBase* parent_{};
  std::shared_ptr<const internal::DependencyMasks> masks_;
  std::string system_name_;
  std::shared_ptr<internal::ContextRegistry> registry_;
  int num_output_ports_{0};
  // In a leaf: the cache entry behind each output port.
  std::vector<const CacheEntry*> output_entries_;
  // The ones of these that any change makes stale, since the System may be gone
  // when the Context is resolved or cloned.
  std::vector<CacheIndex> volatile_entries_;
  bool has_been_resolved_{false};
  // Set in a root only.
  std::unique_ptr<internal::ContextTree> own_tree_;
  // The root's, and which words of it are this Context's and its contents'.
  internal::ContextTree* tree_{};
  int first_word_{0};
  int end_word_{0};
  int64_t num_changes_{0};
};

}  // namespace wyvern::systems
