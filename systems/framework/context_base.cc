#include "wyvern/systems/framework/context_base.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/framework/cache_entry.h"
#include "wyvern/systems/framework/context_registry.h"
#include "wyvern/systems/framework/context_view.h"

/* ResolveInputs() connects a root Context and all it contains. The first time,
it gives each Context its words of the bit array they share; then, from the
outside in, each input port gets its own fixed value or else what is
connected, down to a leaf's cache entry, and that source learns who reads it.
Only leaves are readers, since a Diagram's port just hands on. The ports
whose source is new are told at the very end, when all readers are known. It
runs for a new root, for a clone, whose values and flags were copied before,
and when a port is fixed for the first time; another value for a fixed port
leaves the wiring alone. */

namespace wyvern::systems {
namespace {

// Copies a cached value without evaluating anything, so that flags and values
// of the copy are those of one moment.
std::unique_ptr<AbstractValue> CopyCachedValue(const AbstractValue& value,
                                               const ContextBase& copy) {
  const auto* view = dynamic_cast<const internal::ContextView*>(&value);
  return view == nullptr ? value.Clone() : view->CloneFor(copy);
}

}  // namespace

ContextBase::~ContextBase() {
  if (registry_ != nullptr) registry_->Remove(this);
}

void ContextBase::JoinRegistry(
    std::shared_ptr<internal::ContextRegistry> registry) {
  registry_ = std::move(registry);
  registry_->Add(this);
}

ContextBase::ContextBase(const ContextBase& source)
    : system_id_(source.system_id_),
      cache_(this),
      masks_(source.masks_),
      system_name_(source.system_name_),
      num_output_ports_(source.num_output_ports_),
      output_entries_(source.output_entries_),
      volatile_entries_(source.volatile_entries_) {
  for (int i = 0; i < source.cache_.cache_size(); ++i) {
    const CacheEntryValue& value =
        source.cache_.get_cache_entry_value(CacheIndex(i));
    cache_.CreateNewCacheEntryValue(
        value.cache_index(), value.ticket(), value.description(),
        CopyCachedValue(value.PeekAbstractValueOrThrow(), *this));
  }
  cache_.CopyFlagsFrom(source.cache_);
  if (source.registry_ != nullptr) JoinRegistry(source.registry_);
  inputs_ = std::vector<InputSlot>(source.inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    inputs_[i].ticket = source.inputs_[i].ticket;
    inputs_[i].check = source.inputs_[i].check;
    if (source.inputs_[i].fixed != nullptr) {
      inputs_[i].fixed = std::make_unique<FixedInputPortValue>(
          source.inputs_[i].fixed->get_value().Clone(), this);
      inputs_[i].fixed->serial_number_ =
          source.inputs_[i].fixed->serial_number_;
    }
  }
}

std::unique_ptr<ContextBase> ContextBase::Clone() const {
  if (!is_root_context()) {
    throw std::logic_error(fmt::format(
        "Context::Clone(): the Context of {} is part of a Diagram's Context; "
        "only a root Context can be cloned.",
        GetSystemPathname()));
  }
  std::unique_ptr<ContextBase> clone = DoCloneWithoutPointers();
  clone->ResolveInputs();
  return clone;
}

void ContextBase::DoForEachSubcontext(
    const std::function<void(ContextBase*)>&) const {}

std::string ContextBase::GetSystemPathname() const {
  return (parent_ == nullptr ? std::string() : parent_->GetSystemPathname()) +
         "::" + system_name_;
}

void ContextBase::DisableCaching() const {
  cache_.DisableCaching();
  DoForEachSubcontext([](ContextBase* c) { c->DisableCaching(); });
}
void ContextBase::EnableCaching() const {
  cache_.EnableCaching();
  DoForEachSubcontext([](ContextBase* c) { c->EnableCaching(); });
}
void ContextBase::SetAllCacheEntriesOutOfDate() const {
  if (tree_ == nullptr) return;
  tree_->NoteVolatileEntries();
  tree_->NoteBulk(internal::DependencyMasks::kEverything, first_word_,
                  end_word_);
}
void ContextBase::FreezeCache() const {
  cache_.freeze_cache();
  DoForEachSubcontext([](ContextBase* c) { c->FreezeCache(); });
}
void ContextBase::UnfreezeCache() const {
  cache_.unfreeze_cache();
  DoForEachSubcontext([](ContextBase* c) { c->UnfreezeCache(); });
}

ContextBase* ContextBase::root() {
  ContextBase* c = this;
  while (c->parent_ != nullptr) c = c->parent_;
  return c;
}

FixedInputPortValue& ContextBase::FixInputPort(int index,
                                               const AbstractValue& value) {
  if (index < 0 || index >= num_input_ports()) {
    throw std::out_of_range(fmt::format(
        "Context::FixInputPort(): {} has no input port {}; it has {}.",
        GetSystemPathname(), index, num_input_ports()));
  }
  InputSlot& slot = inputs_[index];
  if (slot.check != nullptr) (*slot.check)(value);
  if (slot.fixed != nullptr) {
    // The port is fixed already, so that only its value changes.
    slot.fixed->GetMutableData()->SetFrom(value);
    return *slot.fixed;
  }
  slot.fixed = std::make_unique<FixedInputPortValue>(value.Clone(), this);
  root()->ResolveInputs();
  return *slot.fixed;
}

const FixedInputPortValue* ContextBase::MaybeGetFixedInputPortValue(
    int index) const {
  if (index < 0 || index >= num_input_ports()) {
    throw std::out_of_range(fmt::format(
        "Context::MaybeGetFixedInputPortValue(): {} has no input port {}; it "
        "has {}.",
        GetSystemPathname(), index, num_input_ports()));
  }
  return inputs_[index].fixed.get();
}

FixedInputPortValue* ContextBase::MaybeGetMutableFixedInputPortValue(
    int index) {
  return const_cast<FixedInputPortValue*>(MaybeGetFixedInputPortValue(index));
}

AbstractValue* FixedInputPortValue::GetMutableData() {
  ++serial_number_;
  owning_context_->NoteFixedValueChange(this);
  return value_.get();
}

void ContextBase::NoteFixedValueChange(FixedInputPortValue* fixed) {
  CountChange();
  for (const internal::InputReader& reader : fixed->readers_) {
    tree_->Note(reader);
  }
}

void ContextBase::NoteEntryChange(CacheIndex index) {
  const uint64_t mask = uint64_t{1} << index % 64;
  tree_->Note({first_word_ + index / 64, 1, &mask});
}

// Gives this Context and its contents their words of the tree.
void ContextBase::JoinTree(internal::ContextTree* tree) {
  tree_ = tree;
  first_word_ = end_word_ = tree->AddWords(*masks_);
  end_word_ += masks_->num_words();
  for (const CacheIndex entry : volatile_entries_) {
    tree->AddVolatileEntry(first_word_, entry);
  }
  DoForEachSubcontext([this, tree](ContextBase* c) {
    c->JoinTree(tree);
    end_word_ = c->end_word_;
  });
}

void ContextBase::MoveFlagsToTree() {
  cache_.MoveFlagsTo(tree_->flags(first_word_));
  DoForEachSubcontext([](ContextBase* c) { c->MoveFlagsToTree(); });
}

void ContextBase::ClearResolution() {
  for (InputSlot& slot : inputs_) {
    if (slot.fixed != nullptr) slot.fixed->readers_.clear();
  }
  DoForEachSubcontext([](ContextBase* c) { c->ClearResolution(); });
}

// Tells input ports whose source changed, now that all are connected.
void ContextBase::FinishResolution() {
  for (InputSlot& slot : inputs_) {
    if (slot.has_new_source && has_been_resolved_ && !is_diagram()) {
      NoteTicketChange(slot.ticket);
    }
    slot.has_new_source = false;
  }
  has_been_resolved_ = true;
  DoNoteSystemId();
  DoForEachSubcontext([](ContextBase* c) { c->FinishResolution(); });
}

void ContextBase::ResolveInputs() {
  if (own_tree_ == nullptr) {
    own_tree_ = std::make_unique<internal::ContextTree>();
    JoinTree(own_tree_.get());
    own_tree_->FinishWords();
    MoveFlagsToTree();
  }
  own_tree_->ClearReaders();
  ClearResolution();
  for (int i = 0; i < num_input_ports(); ++i) {
    ResolveInput(this, i, InputSource{});
  }
  DoResolveSubcontextInputs();
  own_tree_->FinishReaders();
  FinishResolution();
}

void ContextBase::ResolveInput(ContextBase* child, int index,
                               const InputSource& from_outside) {
  InputSlot& slot = child->inputs_[index];
  InputSource source = from_outside;
  if (slot.fixed != nullptr) source = InputSource{.fixed = slot.fixed.get()};
  if (source.entry != nullptr) {
    auto* from = const_cast<ContextBase*>(source.context);
    source.value = &from->cache_.get_mutable_cache_entry_value(
        source.entry->cache_index());
  }
  // Only leaves compute; a Diagram's port hands on what it reads.
  if (!child->is_diagram()) {
    const internal::InputReader reader = child->ReaderOf(slot.ticket);
    if (source.fixed != nullptr) {
      const_cast<FixedInputPortValue*>(source.fixed)
          ->readers_.push_back(reader);
    } else if (source.entry != nullptr) {
      child->tree_->AddReader(source.context->first_word_,
                              source.entry->cache_index(), reader);
    }
  }
  slot.has_new_source = !(source == slot.source);
  slot.source = source;
}

int64_t ContextBase::num_changes() const {
  if (own_tree_ != nullptr) return own_tree_->num_changes();
  int64_t sum = num_changes_;
  DoForEachSubcontext([&sum](ContextBase* sub) { sum += sub->num_changes(); });
  return sum;
}

}  // namespace wyvern::systems
