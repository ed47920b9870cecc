#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/diagram_context.h"
#include "wyvern/systems/framework/diagram_continuous_state.h"
#include "wyvern/systems/framework/diagram_discrete_values.h"
#include "wyvern/systems/framework/diagram_output_port.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

template <typename T>
class DiagramBuilder;

namespace internal {

/** All that a DiagramBuilder has gathered: subsystems in order, what is
connected to what, and which ports are exported. */
template <typename T>
struct DiagramBlueprint {
  DiagramBlueprint() = default;
  DiagramBlueprint(DiagramBlueprint&&) = default;
  DiagramBlueprint& operator=(DiagramBlueprint&&) = default;
  /** Last to first, for a System may hold on to one that was added before. */
  ~DiagramBlueprint() {
    while (!systems.empty()) systems.pop_back();
  }

  using InputPortLocator = std::pair<const System<T>*, InputPortIndex>;
  using OutputPortLocator = std::pair<const System<T>*, OutputPortIndex>;
  struct Input {
    std::string name;
    /** The subsystem ports that the Diagram's port feeds; at least one. */
    std::vector<InputPortLocator> feeds;
  };
  struct Output {
    std::string name;
    OutputPortLocator source;
  };
  std::vector<std::shared_ptr<System<T>>> systems;
  std::map<InputPortLocator, OutputPortLocator> connections;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
};

}  // namespace internal

/** A System made of Systems whose ports are connected. Made by DiagramBuilder.

Its state, parameters, events and constraints are those of its subsystems, in
the order they were added; its Context holds theirs. They are destroyed last to
first. Looking for a subsystem that is not there throws std::logic_error.
Diagrams nest to any depth. */
template <typename T>
class Diagram : public System<T> {
 public:
  /** An input port of a part: the part and the port's index. */
  using InputPortLocator = std::pair<const System<T>*, InputPortIndex>;
  /** An output port of a part: the part and the port's index. */
  using OutputPortLocator = std::pair<const System<T>*, OutputPortIndex>;

  /** Converts every subsystem to this scalar type; names and connections
  stay. */
  template <typename U>
  explicit Diagram(const Diagram<U>& other);
  ~Diagram() override;

  /** @name Structure
  @{ */
  /** The direct subsystems in the order in which they were added. */
  std::vector<const System<T>*> GetSystems() const;
  /** From each connected input port to the output port that feeds it. */
  const std::map<InputPortLocator, OutputPortLocator>& connection_map() const {
    return blueprint_.connections;
  }
  /** The subsystem ports that the Diagram's input port feeds. */
  std::vector<InputPortLocator> GetInputPortLocators(
      InputPortIndex port_index) const;
  /** The subsystem port behind the Diagram's output port. */
  const OutputPortLocator& get_output_port_locator(
      OutputPortIndex port_index) const;
  /** True if a connection leads from `output` to `input`. */
  bool AreConnected(const OutputPort<T>& output,
                    const InputPort<T>& input) const;
  /** True if a direct subsystem has this name. */
  bool HasSubsystemNamed(std::string_view name) const;
  /** A direct subsystem. */
  const System<T>& GetSubsystemByName(std::string_view name) const;
  /** A direct subsystem as a MySystem<T>.
  @throws std::logic_error also if it is not one. */
  template <template <typename> class MySystem>
  const MySystem<T>& GetDowncastSubsystemByName(std::string_view name) const {
    return GetDowncastSubsystemByName<MySystem<T>>(name);
  }
  /** A direct subsystem as a MySystem.
  @throws std::logic_error also if it is not one. */
  template <class MySystem>
  const MySystem& GetDowncastSubsystemByName(std::string_view name) const {
    const System<T>& system = GetSubsystemByName(name);
    const auto* result = dynamic_cast<const MySystem*>(&system);
    if (result == nullptr) {
      ThrowWrongType(system, NiceTypeName::Get<MySystem>());
    }
    return *result;
  }
  /** The number of a direct subsystem; std::logic_error if it is not one. */
  SubsystemIndex GetSystemIndex(const System<T>* sys) const;
  /** Returns GetSystemIndex(); never aborts, in spite of its name. */
  SubsystemIndex GetSystemIndexOrAbort(const System<T>* sys) const {
    return GetSystemIndex(sys);
  }
  void Accept(SystemVisitor<T>* v) const override;
  std::multimap<int, int> GetDirectFeedthroughs() const override;
  /** @} */

  /** @name The part of a subsystem, at any depth
  @{ */
  /** The part of `derivatives` that belongs to `subsystem`.
  @throws std::logic_error also if `derivatives` was not made for this Diagram;
  so do the next three. */
  const ContinuousState<T>& GetSubsystemDerivatives(
      const System<T>& subsystem, const ContinuousState<T>& derivatives) const;
  /** The discrete values of `subsystem`, here a direct one. */
  const DiscreteValues<T>& GetSubsystemDiscreteValues(
      const System<T>& subsystem,
      const DiscreteValues<T>& discrete_values) const;
  /** The part of `events` that belongs to `subsystem`. */
  const CompositeEventCollection<T>& GetSubsystemCompositeEventCollection(
      const System<T>& subsystem,
      const CompositeEventCollection<T>& events) const;
  /** Mutable variant of GetSubsystemCompositeEventCollection(). */
  CompositeEventCollection<T>& GetMutableSubsystemCompositeEventCollection(
      const System<T>& subsystem, CompositeEventCollection<T>* events) const;
  /** The state of `subsystem` within `context`. All that depends on it becomes
  stale. */
  State<T>& GetMutableSubsystemState(const System<T>& subsystem,
                                     Context<T>* context) const;
  /** The state of `subsystem` within `state`, the state of this Diagram. */
  State<T>& GetMutableSubsystemState(const System<T>& subsystem,
                                     State<T>* state) const;
  /** The state of `subsystem` within `state`, read-only. */
  const State<T>& GetSubsystemState(const System<T>& subsystem,
                                    const State<T>& state) const;
  /** @} */

  std::unique_ptr<ContinuousState<T>> AllocateTimeDerivatives() const override;
  std::unique_ptr<DiscreteValues<T>> AllocateDiscreteVariables() const override;
  std::unique_ptr<EventCollection<PublishEvent<T>>>
  AllocateForcedPublishEventCollection() const override;
  std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>>
  AllocateForcedDiscreteUpdateEventCollection() const override;
  std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
  AllocateForcedUnrestrictedUpdateEventCollection() const override;
  void SetDefaultState(const Context<T>& context,
                       State<T>* state) const override;
  void SetDefaultParameters(const Context<T>& context,
                            Parameters<T>* params) const override;
  void SetRandomState(const Context<T>& context, State<T>* state,
                      RandomGenerator* generator) const override;
  void SetRandomParameters(const Context<T>& context, Parameters<T>* params,
                           RandomGenerator* generator) const override;
  void AddTriggeredWitnessFunctionToCompositeEventCollection(
      Event<T>* event, CompositeEventCollection<T>* events) const override;

 protected:
  /** For a class that calls DiagramBuilder::BuildInto(this); it converts to
  other scalars as a plain Diagram. */
  Diagram();
  /** For one that names itself in a SystemTypeTag. */
  explicit Diagram(SystemScalarConverter converter);
  /** For the converting constructor of such a class. */
  template <typename U>
  Diagram(SystemScalarConverter converter, const Diagram<U>& other);

  const Context<T>* DoGetTargetSystemContext(
      const System<T>& target_system, const Context<T>* context) const override;
  const State<T>* DoGetTargetSystemState(const System<T>& target_system,
                                         const State<T>* state) const override;
  State<T>* DoGetMutableTargetSystemState(const System<T>& target_system,
                                          State<T>* state) const override;
  const ContinuousState<T>* DoGetTargetSystemContinuousState(
      const System<T>& target_system,
      const ContinuousState<T>* xc) const override;
  const CompositeEventCollection<T>* DoGetTargetSystemCompositeEventCollection(
      const System<T>& target_system,
      const CompositeEventCollection<T>* events) const override;
  CompositeEventCollection<T>* DoGetMutableTargetSystemCompositeEventCollection(
      const System<T>& target_system,
      CompositeEventCollection<T>* events) const override;

  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const override;
  void DoCalcImplicitTimeDerivativesResidual(
      const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
      EigenPtr<VectorX<T>> residual) const override;
  T DoCalcPotentialEnergy(const Context<T>& context) const override;
  T DoCalcKineticEnergy(const Context<T>& context) const override;
  T DoCalcConservativePower(const Context<T>& context) const override;
  T DoCalcNonConservativePower(const Context<T>& context) const override;
  void DoMapVelocityToQDot(
      const Context<T>& context,
      const Eigen::Ref<const VectorX<T>>& generalized_velocity,
      VectorBase<T>* qdot) const override;
  void DoMapQDotToVelocity(const Context<T>& context,
                           const Eigen::Ref<const VectorX<T>>& qdot,
                           VectorBase<T>* generalized_velocity) const override;
  void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                           T* time) const final;
  void DoCalcNextUpdateTime(const Context<T>& context,
                            CompositeEventCollection<T>* events,
                            T* time) const override;
  std::string DoDescribeDifficulties(const Context<T>& context,
                                     Difficulty least) const override;
  void DoGetWitnessFunctions(
      const Context<T>& context,
      std::vector<const WitnessFunction<T>*>* witnesses) const override;
  T DoCalcWitnessValue(const Context<T>& context,
                       const WitnessFunction<T>& witness_func) const override;
  GraphvizFragment DoGetGraphvizFragment(
      const GraphvizFragmentParams& params) const override;
  EventStatus DispatchPublishHandler(
      const Context<T>& context,
      const EventCollection<PublishEvent<T>>& events) const override;
  EventStatus DispatchDiscreteVariableUpdateHandler(
      const Context<T>& context,
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state) const override;
  EventStatus DispatchUnrestrictedUpdateHandler(
      const Context<T>& context,
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state) const override;
  void DoApplyUnrestrictedUpdate(
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state, Context<T>* context) const override;

 private:
  template <typename>
  friend class Diagram;
  friend class DiagramBuilder<T>;

  /** @throws std::logic_error unless this has no part and no port, and each
  part is built, in no Diagram, and not this. */
  void RequireInitializable(
      const internal::DiagramBlueprint<T>& blueprint) const;
  void Initialize(internal::DiagramBlueprint<T> blueprint);
  void AdoptSystems();
  void AdoptConstraints();
  void DeclarePorts();
  void CompileWiring();
  void AllocateForcedEvents();

  int num_subsystems() const {
    return static_cast<int>(blueprint_.systems.size());
  }
  const System<T>& subsystem(int i) const { return *blueprint_.systems[i]; }
  const System<T>* FindByName(std::string_view name) const;
  static const Context<T>& SubContext(const Context<T>& context, int i) {
    return static_cast<const DiagramContext<T>&>(context).subcontext(i);
  }
  static Context<T>& MutableSubContext(Context<T>* context, int i) {
    return static_cast<DiagramContext<T>*>(context)->mutable_subcontext(i);
  }
  // Calls visit(subsystem number, its part of the parameters).
  template <typename Visit>
  void ForEachParameters(Parameters<T>* parameters, Visit&& visit) const;
  template <typename Part>
  const Part& RequireSubsystem(const char* function, const System<T>& subsystem,
                               const Part* part) const {
    if (part == nullptr) ThrowNotWithin(function, subsystem);
    return *part;
  }
  [[noreturn]] void ThrowNotWithin(const char* function,
                                   const System<T>& subsystem) const;
  [[noreturn]] void ThrowWrongType(const System<T>& system,
                                   const std::string& wanted) const;

  std::unique_ptr<ContextBase> DoAllocateContext() const final;
  bool is_composite() const final { return true; }
  std::unique_ptr<AbstractValue> DoAllocateInputValue(
      const InputPort<T>& port) const final;
  std::unique_ptr<CompositeEventCollection<T>>
  DoAllocateCompositeEventCollection() const final;
  void DoGetPerStepEvents(const Context<T>& context,
                          CompositeEventCollection<T>* events) const final;
  void DoGetInitializationEvents(
      const Context<T>& context,
      CompositeEventCollection<T>* events) const final;
  void DoGetPeriodicEvents(const Context<T>& context,
                           CompositeEventCollection<T>* events) const final;
  std::map<PeriodicEventData, std::vector<const Event<T>*>,
           PeriodicEventDataComparator>
  DoMapPeriodicEventsByTiming(const Context<T>* context) const final;
  void DoFindUniquePeriodicDiscreteUpdatesOrThrow(
      const char* api_name, const Context<T>& context,
      std::optional<PeriodicEventData>* timing,
      EventCollection<DiscreteUpdateEvent<T>>* events) const final;
  void DoApplyDiscreteVariableUpdate(
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state, Context<T>* context) const final;

  internal::DiagramBlueprint<T> blueprint_;
  std::unordered_map<const System<T>*, int> index_of_;
  std::shared_ptr<const internal::DiagramWiring> wiring_;
};

}  // namespace wyvern::systems
