#include "wyvern/systems/framework/system_base.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/context_registry.h"
#include "wyvern/systems/framework/name_index.h"

/* The graph of what depends on what. The constructor makes the tickets that
every System has, with their edges; each declaration adds a ticket below the
group that it belongs to. Edges of a cache entry are read from the entry only
when the graph is made, for they may be edited until then. The first Context
has the graph compiled into masks, under a lock because Contexts may be made
in several threads; a later declaration drops the masks, but a Context that
exists does not learn of it. A Context is first made for each System of the
tree, and its inputs are resolved from the root once all are there. */

namespace wyvern::systems {

using internal::TicketNode;

SystemBase::SystemBase()
    : system_id_(internal::SystemId::get_new_id()),
      contexts_(std::make_shared<internal::ContextRegistry>()),
      tickets_(internal::kNextAvailableTicket) {
  const auto depends = [this](int ticket, std::vector<int> on) {
    for (int p : on) tickets_[ticket].prerequisites.push_back(Known(p));
  };
  using namespace internal;  // NOLINT(build/namespaces)
  depends(kXcTicket, {kQTicket, kVTicket, kZTicket});
  depends(kXTicket, {kXcTicket, kXdTicket, kXaTicket});
  depends(kAllParametersTicket, {kPnTicket, kPaTicket});
  depends(kAllSourcesExceptInputPortsTicket,
          {kTimeTicket, kAccuracyTicket, kXTicket, kAllParametersTicket});
  depends(kAllSourcesTicket,
          {kAllSourcesExceptInputPortsTicket, kAllInputPortsTicket});
  depends(kConfigurationTicket, {kAccuracyTicket, kQTicket, kZTicket, kXdTicket,
                                 kXaTicket, kAllParametersTicket});
  depends(kKinematicsTicket, {kConfigurationTicket, kVTicket});
}

SystemBase::~SystemBase() = default;

void SystemBase::set_name(const std::string& name) {
  if (name_index_ != nullptr) {
    name_index_->Remove(name_);
    name_index_->Add(name);
  }
  name_ = name;
}

const std::string& SystemBase::GetSystemName() const {
  static const std::string unnamed("_");
  return name_.empty() ? unnamed : name_;
}

void SystemBase::DeclareBreakTimes() {
  for (const SystemBase* system = this; system != nullptr;
       system = system->parent_) {
    system->has_break_times_ = true;
  }
}

std::string SystemBase::GetSystemPathname() const {
  return (parent_ == nullptr ? std::string() : parent_->GetSystemPathname()) +
         "::" + GetSystemName();
}

std::string SystemBase::GetSystemType() const {
  return NiceTypeName::RemoveNamespaces(NiceTypeName::Get(*this));
}

std::string SystemBase::GetMemoryObjectName() const {
  return fmt::format("{}@{:016x}", GetSystemType(),
                     reinterpret_cast<uintptr_t>(this));
}

// Ports.

void SystemBase::ThrowInputPortIndex(const char* function, int index) const {
  throw std::out_of_range(fmt::format(
      "System::{}(): System {} ({}) has no input port {}; it has {}.", function,
      GetSystemPathname(), GetSystemType(), index, num_input_ports()));
}

void SystemBase::ThrowOutputPortIndex(const char* function, int index) const {
  throw std::out_of_range(fmt::format(
      "System::{}(): System {} ({}) has no output port {}; it has {}.",
      function, GetSystemPathname(), GetSystemType(), index,
      num_output_ports()));
}

const OutputPortBase& SystemBase::get_output_port_base(
    OutputPortIndex port_index) const {
  if (port_index < 0 || port_index >= num_output_ports()) {
    ThrowOutputPortIndex("get_output_port", port_index);
  }
  return *outputs_[port_index];
}

int SystemBase::num_total_inputs() const {
  int total = 0;
  for (const auto& port : inputs_) total += port->size();
  return total;
}

int SystemBase::num_total_outputs() const {
  int total = 0;
  for (const auto& port : outputs_) total += port->size();
  return total;
}

void SystemBase::AddInputPort(std::unique_ptr<InputPortBase> port) {
  for (const auto& other : inputs_) {
    if (other->get_name() == port->get_name()) {
      throw std::logic_error(fmt::format(
          "System {} ({}) already has an input port named '{}'; give each "
          "input port a name of its own.",
          GetSystemPathname(), GetSystemType(), port->get_name()));
    }
  }
  tickets_[internal::kAllInputPortsTicket].prerequisites.push_back(
      port->ticket());
  inputs_.push_back(std::move(port));
  NoteDependenciesChanged();
}

void SystemBase::AddOutputPort(std::unique_ptr<OutputPortBase> port,
                               const CacheEntry* entry) {
  for (const auto& other : outputs_) {
    if (other->get_name() == port->get_name()) {
      throw std::logic_error(fmt::format(
          "System {} ({}) already has an output port named '{}'; give each "
          "output port a name of its own.",
          GetSystemPathname(), GetSystemType(), port->get_name()));
    }
  }
  outputs_.push_back(std::move(port));
  if (entry != nullptr) {
    // Output ports of a Diagram before this one have no entry.
    output_entries_.resize(outputs_.size());
    output_entries_.back() = entry;
  }
  NoteDependenciesChanged();
}

namespace {
std::string NextName(const std::variant<std::string, UseDefaultName>& given,
                     char prefix, int index) {
  return std::holds_alternative<std::string>(given)
             ? std::get<std::string>(given)
             : fmt::format("{}{}", prefix, index);
}
}  // namespace

std::string SystemBase::NextInputPortName(
    std::variant<std::string, UseDefaultName> given) const {
  return NextName(given, 'u', num_input_ports());
}

std::string SystemBase::NextOutputPortName(
    std::variant<std::string, UseDefaultName> given) const {
  return NextName(given, 'y', num_output_ports());
}

const AbstractValue* SystemBase::EvalAbstractInput(const ContextBase& context,
                                                   int port_index) const {
  if (port_index < 0 || port_index >= num_input_ports()) {
    ThrowInputPortIndex("EvalAbstractInput", port_index);
  }
  return inputs_[port_index]->DoEvalOptional(context);
}

std::unique_ptr<AbstractValue> SystemBase::AllocateInputAbstract(
    InputPortIndex index) const {
  return DoAllocateInput(get_input_port_base(index));
}

// Cache entries.

const CacheEntry& SystemBase::get_cache_entry(CacheIndex index) const {
  if (index < 0 || index >= num_cache_entries()) {
    throw std::out_of_range(fmt::format(
        "System::get_cache_entry(): System {} ({}) has no cache entry {}; it "
        "has {}.",
        GetSystemPathname(), GetSystemType(), static_cast<int>(index),
        num_cache_entries()));
  }
  return *entries_[index];
}

CacheEntry& SystemBase::get_mutable_cache_entry(CacheIndex index) {
  return const_cast<CacheEntry&>(get_cache_entry(index));
}

CacheEntry& SystemBase::DeclareCacheEntry(
    std::string description, ValueProducer value_producer,
    std::set<DependencyTicket> prerequisites_of_calc) {
  return DeclareCacheEntryWithKnownTicket(AddTicket(), std::move(description),
                                          std::move(value_producer),
                                          std::move(prerequisites_of_calc));
}

CacheEntry& SystemBase::DeclareCacheEntryWithKnownTicket(
    DependencyTicket known_ticket, std::string description,
    ValueProducer value_producer,
    std::set<DependencyTicket> prerequisites_of_calc) {
  for (DependencyTicket p : prerequisites_of_calc) {
    if (p < 0 || p >= static_cast<int>(tickets_.size())) {
      throw std::logic_error(fmt::format(
          "System::DeclareCacheEntry(): '{}' of System {} ({}) lists ticket {} "
          "as a prerequisite, which does not exist; declare what it stands for "
          "first.",
          description, GetSystemPathname(), GetSystemType(),
          static_cast<int>(p)));
    }
  }
  entries_.push_back(std::make_unique<CacheEntry>(
      this, CacheIndex(num_cache_entries()), known_ticket,
      std::move(description), std::move(value_producer),
      std::move(prerequisites_of_calc)));
  NoteDependenciesChanged();
  return *entries_.back();
}

// Tickets.

DependencyTicket SystemBase::AddTicket(
    std::vector<DependencyTicket> prerequisites) {
  RequireNoContexts();
  tickets_.push_back(TicketNode{.prerequisites = std::move(prerequisites)});
  NoteDependenciesChanged();
  return DependencyTicket(static_cast<int>(tickets_.size()) - 1);
}

void SystemBase::AddDiscreteStateGroup() {
  const DependencyTicket ticket = AddTicket();
  group_tickets_.discrete.push_back(ticket);
  tickets_[internal::kXdTicket].prerequisites.push_back(ticket);
  ++context_sizes_.num_discrete;
}
void SystemBase::AddAbstractState() {
  const DependencyTicket ticket = AddTicket();
  group_tickets_.abstract.push_back(ticket);
  tickets_[internal::kXaTicket].prerequisites.push_back(ticket);
  ++context_sizes_.num_abstract;
}
void SystemBase::AddNumericParameter() {
  const DependencyTicket ticket = AddTicket();
  group_tickets_.numeric_parameter.push_back(ticket);
  tickets_[internal::kPnTicket].prerequisites.push_back(ticket);
  ++context_sizes_.num_numeric_parameters;
}
void SystemBase::AddAbstractParameter() {
  const DependencyTicket ticket = AddTicket();
  group_tickets_.abstract_parameter.push_back(ticket);
  tickets_[internal::kPaTicket].prerequisites.push_back(ticket);
  ++context_sizes_.num_abstract_parameters;
}

DependencyTicket SystemBase::input_port_ticket(InputPortIndex index) const {
  return get_input_port_base(index).ticket();
}
DependencyTicket SystemBase::output_port_ticket(OutputPortIndex index) const {
  return get_output_port_base(index).ticket();
}
DependencyTicket SystemBase::cache_entry_ticket(CacheIndex index) const {
  return get_cache_entry(index).ticket();
}

DependencyTicket SystemBase::TicketAt(
    const char* what, const std::vector<DependencyTicket>& tickets,
    int index) const {
  if (index < 0 || index >= static_cast<int>(tickets.size())) {
    throw std::out_of_range(
        fmt::format("System::{}_ticket(): System {} ({}) has no {} {}; it has "
                    "{}.",
                    what, GetSystemPathname(), GetSystemType(), what, index,
                    tickets.size()));
  }
  return tickets[index];
}
DependencyTicket SystemBase::discrete_state_ticket(
    DiscreteStateIndex index) const {
  return TicketAt("discrete_state", group_tickets_.discrete, index);
}
DependencyTicket SystemBase::abstract_state_ticket(
    AbstractStateIndex index) const {
  return TicketAt("abstract_state", group_tickets_.abstract, index);
}
DependencyTicket SystemBase::numeric_parameter_ticket(
    NumericParameterIndex index) const {
  return TicketAt("numeric_parameter", group_tickets_.numeric_parameter, index);
}
DependencyTicket SystemBase::abstract_parameter_ticket(
    AbstractParameterIndex index) const {
  return TicketAt("abstract_parameter", group_tickets_.abstract_parameter,
                  index);
}

void SystemBase::NoteDependenciesChanged() const {
  const std::lock_guard lock(masks_mutex_);
  masks_.reset();
}

namespace {
std::atomic<int64_t> num_noted_settings_changes{0};
}  // namespace

int64_t SystemBase::num_settings_changes() {
  return num_noted_settings_changes;
}

void SystemBase::NoteSettingsChange() const {
  bool some = false;
  contexts_->ForEach([&some](ContextBase* context) {
    context->NoteBulkChange(internal::DependencyMasks::kEverything);
    some = true;
  });
  if (some) ++num_noted_settings_changes;
}

void SystemBase::RequireNoContexts() const {
  if (contexts_->is_empty()) return;
  throw std::logic_error(fmt::format(
      "System {} ({}) has a Context already, which would lack what is to be "
      "declared; declare ports, state, parameters and cache entries before "
      "making a Context.",
      GetSystemPathname(), GetSystemType()));
}

void SystemBase::FollowSettingsOf(const SystemBase& other) {
  other.contexts_->AddFollower(contexts_);
}

std::vector<TicketNode> SystemBase::MakeTicketGraph() const {
  std::vector<TicketNode> graph = tickets_;
  for (const auto& entry : entries_) {
    TicketNode& node = graph[entry->ticket()];
    node.prerequisites.assign(entry->prerequisites().begin(),
                              entry->prerequisites().end());
    node.cache_index = entry->cache_index();
  }
  return graph;
}

std::shared_ptr<const internal::DependencyMasks> SystemBase::GetMasks() const {
  const std::lock_guard lock(masks_mutex_);
  if (masks_ == nullptr) {
    masks_ = std::make_shared<const internal::DependencyMasks>(
        MakeTicketGraph(), group_tickets_, num_cache_entries());
  }
  return masks_;
}

std::vector<bool> SystemBase::DependencyClosure(DependencyTicket ticket) const {
  const std::vector<TicketNode> graph = MakeTicketGraph();
  std::vector<bool> seen(graph.size(), false);
  std::vector<DependencyTicket> todo{ticket};
  while (!todo.empty()) {
    const DependencyTicket t = todo.back();
    todo.pop_back();
    if (seen[t]) continue;
    seen[t] = true;
    const auto& p = graph[t].prerequisites;
    todo.insert(todo.end(), p.begin(), p.end());
  }
  return seen;
}

// Contexts.

std::unique_ptr<ContextBase> SystemBase::AllocateContext() const {
  std::unique_ptr<ContextBase> context = AllocateUnconnectedContext();
  context->ResolveInputs();
  return context;
}

std::unique_ptr<ContextBase> SystemBase::AllocateUnconnectedContext() const {
  std::unique_ptr<ContextBase> context = DoAllocateContext();
  // Name of the Context in errors; a type says more than an empty name.
  context->system_name_ = name_.empty() ? GetSystemType() : name_;
  context->system_id_ = system_id_;
  context->JoinRegistry(contexts_);
  context->masks_ = GetMasks();
  for (const auto& entry : entries_) {
    CacheEntryValue& value = context->cache_.CreateNewCacheEntryValue(
        entry->cache_index(), entry->ticket(), entry->description(),
        entry->Allocate());
    if (entry->is_disabled_by_default()) value.disable_caching();
  }
  if (is_composite()) context->cache_.set_always_stale();
  for (const auto& port : inputs_) {
    context->inputs_.push_back(
        {.source = {},
         .fixed = nullptr,
         .check =
             std::make_shared<const std::function<void(const AbstractValue&)>>(
                 MakeFixInputPortTypeChecker(port->get_index())),
         .ticket = port->ticket()});
  }
  context->num_output_ports_ = num_output_ports();
  context->output_entries_ = output_entries_;
  for (const CacheEntry* entry : output_entries_) {
    if (entry == nullptr || !entry->is_stale_after_any_change()) continue;
    context->volatile_entries_.push_back(entry->cache_index());
  }
  return context;
}

void SystemBase::ValidateContext(const ContextBase* context) const {
  if (context == nullptr) {
    throw std::logic_error(fmt::format(
        "System {} ({}) was given a null Context; pass the Context that this "
        "System made.",
        GetSystemPathname(), GetSystemType()));
  }
  ValidateContext(*context);
}

void SystemBase::ThrowForeignContext(const ContextBase& context) const {
  throw std::logic_error(fmt::format(
      "System {} ({}) was given the Context of another System, {}; pass the "
      "Context that this System made (for a subsystem of a Diagram, get it "
      "with GetMyContextFromRoot()).",
      GetSystemPathname(), GetSystemType(), context.GetSystemPathname()));
}

void SystemBase::ThrowNotMadeHere() const {
  throw std::logic_error(fmt::format(
      "System {} ({}) was given an object that another System made; allocate "
      "it with this System's own Allocate functions.",
      GetSystemPathname(), GetSystemType()));
}

}  // namespace wyvern::systems
