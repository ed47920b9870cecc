#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/cache_entry.h"
#include "wyvern/systems/framework/framework_common.h"
#include "wyvern/systems/framework/graphviz.h"
#include "wyvern/systems/framework/input_port_base.h"
#include "wyvern/systems/framework/known_tickets.h"
#include "wyvern/systems/framework/output_port_base.h"

namespace wyvern::systems {

namespace internal {
class ContextRegistry;
class NameIndex;
}  // namespace internal

/** The part of a System that does not depend on the scalar type: names, ports,
cache entries and the tickets that say what depends on what.

A ticket names something a computation can depend on: a source (time, a state
group, a parameter, an input port), a group of sources, or a cache entry. The
static tickets below are the same in every System. */
class SystemBase {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SystemBase);
  virtual ~SystemBase();

  /** The name, unique within a Diagram. The Diagram's builder names what the
  user has not. */
  const std::string& get_name() const { return name_; }
  /** Sets the name. Parts of a Diagram must differ in name once it is built. */
  void set_name(const std::string& name);
  /** The name, or "_" if there is none. */
  const std::string& GetSystemName() const;
  /** The names from the root Diagram down, as in "::diagram::plant". */
  std::string GetSystemPathname() const;
  /** The C++ type without namespaces, as in "Gain<double>". */
  std::string GetSystemType() const;
  /** A name for an unnamed System: type and address. */
  std::string GetMemoryObjectName() const;

  /** A new Context, connected and with default size but unset values; see
  System::CreateDefaultContext(). */
  std::unique_ptr<ContextBase> AllocateContext() const;

  /** Number of input ports. */
  int num_input_ports() const { return static_cast<int>(inputs_.size()); }
  /** Number of output ports. */
  int num_output_ports() const { return static_cast<int>(outputs_.size()); }
  /** Returns the input port of that index.
  @throws std::out_of_range on a bad index. */
  const InputPortBase& get_input_port_base(InputPortIndex port_index) const {
    if (port_index < 0 || port_index >= num_input_ports()) {
      ThrowInputPortIndex("get_input_port", port_index);
    }
    return *inputs_[port_index];
  }
  /** The output port of that index.
  @throws std::out_of_range on a bad index. */
  const OutputPortBase& get_output_port_base(OutputPortIndex port_index) const;
  /** Sum of the sizes of all vector-valued ports. */
  int num_total_inputs() const;
  /** Sum of the sizes of all vector-valued output ports. */
  int num_total_outputs() const;

  /** Number of cache entries, those that every System has included. */
  int num_cache_entries() const { return static_cast<int>(entries_.size()); }
  /** Returns the cache entry of that index.
  @throws std::out_of_range on a bad index. */
  const CacheEntry& get_cache_entry(CacheIndex index) const;
  /** Mutable variant of get_cache_entry(). */
  CacheEntry& get_mutable_cache_entry(CacheIndex index);

  /** Size of the continuous state: positions, velocities and others. */
  int num_continuous_states() const {
    return context_sizes_.num_q + context_sizes_.num_v + context_sizes_.num_z;
  }
  /** Number of groups of discrete state. */
  int num_discrete_state_groups() const { return context_sizes_.num_discrete; }
  /** Number of abstract states. */
  int num_abstract_states() const { return context_sizes_.num_abstract; }
  /** Number of groups of numeric parameters. */
  int num_numeric_parameter_groups() const {
    return context_sizes_.num_numeric_parameters;
  }
  /** Number of abstract parameters. */
  int num_abstract_parameters() const {
    return context_sizes_.num_abstract_parameters;
  }
  /** Size of the residual of CalcImplicitTimeDerivativesResidual(); the number
  of continuous states unless declared otherwise. */
  int implicit_time_derivatives_residual_size() const {
    return implicit_residual_size_.value_or(num_continuous_states());
  }

  /** (input, output) pairs in which the output may depend on the input without
  a state between. */
  virtual std::multimap<int, int> GetDirectFeedthroughs() const = 0;

  /** The value of input port `port_index`, or null if nothing feeds it. */
  const AbstractValue* EvalAbstractInput(const ContextBase& context,
                                         int port_index) const;
  /** The value of input port `port_index` as a V, or null if nothing feeds it.
  @throws std::out_of_range on a bad index.
  @throws std::logic_error if the value is not a V. */
  template <typename V>
  const V* EvalInputValue(const ContextBase& context, int port_index) const {
    const AbstractValue* value = EvalAbstractInput(context, port_index);
    return value == nullptr ? nullptr : &value->get_value<V>();
  }

  /** Checks that a Context is of this System.
  @throws std::logic_error if this System did not make `context`. */
  void ValidateContext(const ContextBase& context) const {
    if (context.get_system_id() != system_id_) ThrowForeignContext(context);
  }
  /** Overload for a pointer.
  @throws std::logic_error also if it is null. */
  void ValidateContext(const ContextBase* context) const;
  /** Checks that this System made an object, such as a State or a collection of
  events.
  @throws std::logic_error if `object` carries another System's id. */
  template <class Clazz>
  void ValidateCreatedForThisSystem(const Clazz& object) const {
    const internal::SystemId id = IdOf(object);
    if (!id.is_valid() || id != system_id_) ThrowNotMadeHere();
  }
  /** The id that this System's Contexts, and parts of them, carry. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** Returns the number of calls of NoteSettingsChange() by all Systems of the
  process that had a Context. Use it in code that keeps a result of a System's
  settings, such as a conversion to another scalar. */
  static int64_t num_settings_changes();

  /** @name Tickets
  @{ */
  /** Nothing: for a computation that is always the same. */
  static DependencyTicket nothing_ticket() {
    return Known(internal::kNothingTicket);
  }
  /** Time. */
  static DependencyTicket time_ticket() { return Known(internal::kTimeTicket); }
  /** The accuracy of the Context. */
  static DependencyTicket accuracy_ticket() {
    return Known(internal::kAccuracyTicket);
  }
  /** Generalized positions. */
  static DependencyTicket q_ticket() { return Known(internal::kQTicket); }
  /** Generalized velocities. */
  static DependencyTicket v_ticket() { return Known(internal::kVTicket); }
  /** Other continuous variables. */
  static DependencyTicket z_ticket() { return Known(internal::kZTicket); }
  /** All continuous state: q, v and z. */
  static DependencyTicket xc_ticket() { return Known(internal::kXcTicket); }
  /** All groups of discrete state. */
  static DependencyTicket xd_ticket() { return Known(internal::kXdTicket); }
  /** All abstract states. */
  static DependencyTicket xa_ticket() { return Known(internal::kXaTicket); }
  /** All state. */
  static DependencyTicket all_state_ticket() {
    return Known(internal::kXTicket);
  }
  /** All groups of numeric parameters. */
  static DependencyTicket pn_ticket() { return Known(internal::kPnTicket); }
  /** All abstract parameters. */
  static DependencyTicket pa_ticket() { return Known(internal::kPaTicket); }
  /** All parameters. */
  static DependencyTicket all_parameters_ticket() {
    return Known(internal::kAllParametersTicket);
  }
  /** All input ports. */
  static DependencyTicket all_input_ports_ticket() {
    return Known(internal::kAllInputPortsTicket);
  }
  /** Time, accuracy, state and parameters. */
  static DependencyTicket all_sources_except_input_ports_ticket() {
    return Known(internal::kAllSourcesExceptInputPortsTicket);
  }
  /** Everything that a computation can read; the default. */
  static DependencyTicket all_sources_ticket() {
    return Known(internal::kAllSourcesTicket);
  }
  /** Everything that could affect positions: q, z, discrete and abstract state,
  parameters, accuracy; not time, v, inputs. */
  static DependencyTicket configuration_ticket() {
    return Known(internal::kConfigurationTicket);
  }
  /** The configuration and v. */
  static DependencyTicket kinematics_ticket() {
    return Known(internal::kKinematicsTicket);
  }
  /** The time derivatives of the continuous state. */
  static DependencyTicket xcdot_ticket() {
    return Known(internal::kXcdotTicket);
  }
  /** The potential energy. */
  static DependencyTicket pe_ticket() { return Known(internal::kPeTicket); }
  /** The kinetic energy. */
  static DependencyTicket ke_ticket() { return Known(internal::kKeTicket); }
  /** The power of forces with a potential. */
  static DependencyTicket pc_ticket() { return Known(internal::kPcTicket); }
  /** The power of all other forces. */
  static DependencyTicket pnc_ticket() { return Known(internal::kPncTicket); }
  /** The result of EvalUniquePeriodicDiscreteUpdate(). */
  static DependencyTicket xd_unique_periodic_update_ticket() {
    return Known(internal::kXdUniquePeriodicUpdateTicket);
  }
  /** Tickets of one port, group, parameter or entry; std::out_of_range on a bad
  index. */
  DependencyTicket input_port_ticket(InputPortIndex index) const;
  /** The ticket of an output port. */
  DependencyTicket output_port_ticket(OutputPortIndex index) const;
  /** The ticket of a cache entry. */
  DependencyTicket cache_entry_ticket(CacheIndex index) const;
  /** The ticket of a group of discrete state. */
  DependencyTicket discrete_state_ticket(DiscreteStateIndex index) const;
  /** The ticket of an abstract state. */
  DependencyTicket abstract_state_ticket(AbstractStateIndex index) const;
  /** The ticket of a group of numeric parameters. */
  DependencyTicket numeric_parameter_ticket(NumericParameterIndex index) const;
  /** The ticket of an abstract parameter. */
  DependencyTicket abstract_parameter_ticket(
      AbstractParameterIndex index) const;
  /** @} */

  /** The System drawn for the dot program; `max_depth` limits how deep Diagrams
  are opened, `options` are per System type ("split" : "I/O" puts inputs and
  outputs in separate nodes). */
  std::string GetGraphvizString(
      std::optional<int> max_depth = {},
      const std::map<std::string, std::string>& options = {}) const;
  /** The System's part of such a drawing, for a drawing that contains it. */
  GraphvizFragment GetGraphvizFragment(
      std::optional<int> max_depth = {},
      const std::map<std::string, std::string>& options = {}) const;

  /** The Diagram that contains this System, or null. */
  const SystemBase* get_parent() const { return parent_; }
  /** Returns whether this System, or one of its parts, has breaks: see
  System::CalcNextBreakTime(). */
  bool has_break_times() const { return has_break_times_; }

 protected:
  SystemBase();

  /** @name Cache entries
  Declares a computation whose result each Context keeps. `calc` is a member
  function of the System, `void calc(const MyContext&, ValueType*) const`; the
  value starts as a copy of `model_value`, or default constructed. List as
  prerequisites the tickets of everything `calc` reads; the default is
  everything.
  @throws std::logic_error if the prerequisites are empty or unknown.
  @{ */
  CacheEntry& DeclareCacheEntry(
      std::string description, ValueProducer value_producer,
      std::set<DependencyTicket> prerequisites_of_calc = {
          all_sources_ticket()});
  template <class MySystem, class MyContext, typename ValueType>
  CacheEntry& DeclareCacheEntry(
      std::string description, const ValueType& model_value,
      void (MySystem::*calc)(const MyContext&, ValueType*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          all_sources_ticket()}) {
    return DeclareCacheEntry(
        std::move(description),
        ValueProducer(static_cast<const MySystem*>(this), model_value, calc),
        std::move(prerequisites_of_calc));
  }
  template <class MySystem, class MyContext, typename ValueType>
  CacheEntry& DeclareCacheEntry(
      std::string description,
      void (MySystem::*calc)(const MyContext&, ValueType*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          all_sources_ticket()}) {
    return DeclareCacheEntry(
        std::move(description),
        ValueProducer(static_cast<const MySystem*>(this), calc),
        std::move(prerequisites_of_calc));
  }
  CacheEntry& DeclareCacheEntryWithKnownTicket(
      DependencyTicket known_ticket, std::string description,
      ValueProducer value_producer,
      std::set<DependencyTicket> prerequisites_of_calc = {
          all_sources_ticket()});
  /** @} */

  /** Announces a changed setting. A setter calls it after changing data that
  computations of this System read outside the Context, such as a matrix in the
  System. In every Context it makes all cached values of this System stale, and
  all values that follow from its outputs. No other thread may compute with such
  a Context meanwhile. Use a parameter for values that each Context should set
  for itself. */
  void NoteSettingsChange() const;
  /** Makes each NoteSettingsChange() of `other` also one of this System. The
  constructor of a System calls it if the System reads settings of another
  System, made before it. */
  void FollowSettingsOf(const SystemBase& other);
  /** Throws std::logic_error if a Context of this System exists, because it
  would lack the new declaration. */
  void RequireNoContexts() const;

  struct ContextSizes {
    int num_q{0};
    int num_v{0};
    int num_z{0};
    int num_discrete{0};
    int num_abstract{0};
    int num_numeric_parameters{0};
    int num_abstract_parameters{0};
  };
  const ContextSizes& get_context_sizes() const { return context_sizes_; }
  ContextSizes& get_mutable_context_sizes() { return context_sizes_; }
  static const ContextSizes& get_context_sizes(const SystemBase& system) {
    return system.context_sizes_;
  }
  void set_implicit_time_derivatives_residual_size(int n) {
    implicit_residual_size_ = n;
  }

  // For the framework's own derived classes.
  void AddInputPort(std::unique_ptr<InputPortBase> port);
  void AddOutputPort(std::unique_ptr<OutputPortBase> port,
                     const CacheEntry* entry);
  DependencyTicket AddTicket(std::vector<DependencyTicket> prerequisites = {});
  void AddDiscreteStateGroup();
  void AddAbstractState();
  void AddNumericParameter();
  void AddAbstractParameter();
  std::string NextInputPortName(
      std::variant<std::string, UseDefaultName> given) const;
  std::string NextOutputPortName(
      std::variant<std::string, UseDefaultName> given) const;
  InputPortBase& mutable_input_port(int index) { return *inputs_[index]; }
  OutputPortBase& mutable_output_port(int index) { return *outputs_[index]; }

  virtual std::unique_ptr<ContextBase> DoAllocateContext() const = 0;
  /** The Context that a Diagram makes for a subsystem: not connected yet. */
  static std::unique_ptr<ContextBase> AllocateSubcontext(
      const SystemBase& system) {
    return system.AllocateUnconnectedContext();
  }
  virtual std::unique_ptr<AbstractValue> DoAllocateInput(
      const InputPortBase& port) const = 0;
  /** True for Diagrams, whose own cache entries only gather what subsystems
  have cached, and so are made anew each time. */
  virtual bool is_composite() const { return false; }
  /** A function that throws if a value does not suit the input port. */
  virtual std::function<void(const AbstractValue&)> MakeFixInputPortTypeChecker(
      InputPortIndex port_index) const = 0;

  virtual GraphvizFragment DoGetGraphvizFragment(
      const GraphvizFragmentParams& params) const;
  static GraphvizFragment GetGraphvizFragmentOf(
      const SystemBase& system, const GraphvizFragmentParams& params) {
    return system.DoGetGraphvizFragment(params);
  }

  /** Declares that DoCalcNextBreakTime() computes breaks. */
  void DeclareBreakTimes();

  static void set_parent(SystemBase* child, const SystemBase* parent) {
    child->parent_ = parent;
  }
  /** By ticket: whether a change of it makes `ticket` stale. */
  std::vector<bool> DependencyClosure(DependencyTicket ticket) const;

  [[noreturn]] void ThrowInputPortIndex(const char* function, int index) const;
  [[noreturn]] void ThrowOutputPortIndex(const char* function, int index) const;

 private:
  friend class CacheEntry;
  friend class InputPortBase;

  static DependencyTicket Known(int ticket) { return DependencyTicket(ticket); }
  template <class Clazz>
  static internal::SystemId IdOf(const Clazz& object) {
    if constexpr (requires { object->get_system_id(); }) {
      return object->get_system_id();
    } else {
      return object.get_system_id();
    }
  }
  std::unique_ptr<AbstractValue> AllocateInputAbstract(
      InputPortIndex index) const;
  void NoteDependenciesChanged() const;
  std::unique_ptr<ContextBase> AllocateUnconnectedContext() const;
  std::vector<internal::TicketNode> MakeTicketGraph() const;
  std::shared_ptr<const internal::DependencyMasks> GetMasks() const;
  DependencyTicket TicketAt(const char* what,
                            const std::vector<DependencyTicket>& tickets,
                            int index) const;
  [[noreturn]] void ThrowForeignContext(const ContextBase& context) const;
  [[noreturn]] void ThrowNotMadeHere() const;

  template <typename T>
  friend class DiagramBuilder;

  std::string name_;
  // Index of the DiagramBuilder that gathers this System now, if there is one.
  internal::NameIndex* name_index_{};
  const internal::SystemId system_id_;
  const std::shared_ptr<internal::ContextRegistry> contexts_;
  const SystemBase* parent_{};
  // A part can declare breaks after its Diagram has been built.
  mutable bool has_break_times_{false};
  std::vector<std::unique_ptr<InputPortBase>> inputs_;
  std::vector<std::unique_ptr<OutputPortBase>> outputs_;
  std::vector<const CacheEntry*> output_entries_;
  std::vector<std::unique_ptr<CacheEntry>> entries_;
  std::vector<internal::TicketNode> tickets_;
  internal::DependencyMasks::GroupTickets group_tickets_;
  ContextSizes context_sizes_;
  std::optional<int> implicit_residual_size_;
  // Compiled on first use; Contexts made on several threads share it.
  mutable std::mutex masks_mutex_;
  mutable std::shared_ptr<const internal::DependencyMasks> masks_;
};

}  // namespace wyvern::systems
