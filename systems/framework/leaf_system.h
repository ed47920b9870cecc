#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/systems/framework/leaf_context.h"
#include "wyvern/systems/framework/leaf_events.h"
#include "wyvern/systems/framework/leaf_output_port.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems {

/** A System without subsystems: the class to derive from to write a block.

The constructor declares what the block has: ports, state, parameters, events,
cache entries. Declared functions are const member functions of the block that
take its Context. Model vectors and values give sizes, types and defaults; a
subclass of BasicVector is kept as such.

Ports, entries and events can list what their function reads (`prerequisites`,
the tickets of SystemBase); the default is everything. An output port whose
prerequisites do not lead to an input port has no direct feedthrough from it, so
that loops through it can be solved. Of a System whose outputs list nothing, and
which converts to symbolic::Expression in a program that links wyvern::symbolic,
expressions tell it. Declaring a name twice, an unknown ticket,
a negative size or a malformed period (negative, zero or not finite) throws
std::logic_error. */
template <typename T>
class LeafSystem : public System<T> {
 public:
  ~LeafSystem() override;

  /** A Context of the right shape with values not set. */
  std::unique_ptr<LeafContext<T>> AllocateContext() const;
  std::unique_ptr<ContinuousState<T>> AllocateTimeDerivatives() const override;
  std::unique_ptr<DiscreteValues<T>> AllocateDiscreteVariables() const override;
  std::unique_ptr<EventCollection<PublishEvent<T>>>
  AllocateForcedPublishEventCollection() const override;
  std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>>
  AllocateForcedDiscreteUpdateEventCollection() const override;
  std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
  AllocateForcedUnrestrictedUpdateEventCollection() const override;

  /** Copies the model values. */
  void SetDefaultState(const Context<T>& context,
                       State<T>* state) const override;
  void SetDefaultParameters(const Context<T>& context,
                            Parameters<T>* parameters) const override;
  /** (input, output) pairs, inferred from the prerequisites of the outputs;
  from expressions, where there are some, of outputs that list none. */
  std::multimap<int, int> GetDirectFeedthroughs() const override;
  void AddTriggeredWitnessFunctionToCompositeEventCollection(
      Event<T>* event, CompositeEventCollection<T>* events) const override;

 protected:
  /** For Systems that convert to no other scalar. */
  LeafSystem();
  /** `converter` is usually SystemTypeTag<MySystem>{}. */
  explicit LeafSystem(SystemScalarConverter converter);

  /** Makes the Context; override to use a subclass. */
  virtual std::unique_ptr<LeafContext<T>> DoMakeLeafContext() const;
  /** Called with each new Context; an override throws to refuse it. */
  virtual void DoValidateAllocatedLeafContext(
      const LeafContext<T>& context) const;

  /** @name Input ports
  @{ */
  InputPort<T>& DeclareVectorInputPort(
      std::variant<std::string, UseDefaultName> name,
      const BasicVector<T>& model_vector,
      std::optional<RandomDistribution> random_type = std::nullopt);
  InputPort<T>& DeclareVectorInputPort(
      std::variant<std::string, UseDefaultName> name, int size,
      std::optional<RandomDistribution> random_type = std::nullopt);
  InputPort<T>& DeclareAbstractInputPort(
      std::variant<std::string, UseDefaultName> name,
      const AbstractValue& model_value);
  void DeprecateInputPort(const InputPort<T>& port, std::string message);
  /** @} */

  /** @name Output ports
  A vector that has a NaN once it is computed throws std::runtime_error naming
  the port, the element and the time.
  @{ */
  template <class MySystem, typename BasicVectorSubtype>
  LeafOutputPort<T>& DeclareVectorOutputPort(
      std::variant<std::string, UseDefaultName> name,
      const BasicVectorSubtype& model_vector,
      void (MySystem::*calc)(const Context<T>&, BasicVectorSubtype*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()}) {
    return DeclareVectorPort(std::move(name),
                             static_cast<const BasicVector<T>&>(model_vector),
                             PortCalc(calc), std::move(prerequisites_of_calc));
  }
  template <class MySystem>
  LeafOutputPort<T>& DeclareVectorOutputPort(
      std::variant<std::string, UseDefaultName> name, int size,
      void (MySystem::*calc)(const Context<T>&, BasicVector<T>*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()}) {
    RequireFittingSize("DeclareVectorOutputPort", size);
    return DeclareVectorPort(std::move(name), BasicVector<T>(size),
                             PortCalc(calc), std::move(prerequisites_of_calc));
  }
  template <class MySystem, typename BasicVectorSubtype>
  LeafOutputPort<T>& DeclareVectorOutputPort(
      std::variant<std::string, UseDefaultName> name,
      void (MySystem::*calc)(const Context<T>&, BasicVectorSubtype*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()}) {
    return DeclareVectorOutputPort(std::move(name), BasicVectorSubtype{}, calc,
                                   std::move(prerequisites_of_calc));
  }
  using CalcVectorCallback =
      std::function<void(const Context<T>&, BasicVector<T>*)>;
  LeafOutputPort<T>& DeclareVectorOutputPort(
      std::variant<std::string, UseDefaultName> name,
      const BasicVector<T>& model_vector, CalcVectorCallback calc,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()});
  LeafOutputPort<T>& DeclareVectorOutputPort(
      std::variant<std::string, UseDefaultName> name, int size,
      CalcVectorCallback calc,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()});
  template <class MySystem, typename OutputType>
  requires(!std::is_same_v<OutputType, AbstractValue>) LeafOutputPort<T>
  &DeclareAbstractOutputPort(
      std::variant<std::string, UseDefaultName> name,
      const OutputType& model_value,
      void (MySystem::*calc)(const Context<T>&, OutputType*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()}) {
    RequireHandler(calc != nullptr);
    return DeclareOutputPort(std::move(name), kAbstractValued, 0,
                             ValueProducer(Self<MySystem>(), model_value, calc),
                             std::move(prerequisites_of_calc));
  }
  template <class MySystem, typename OutputType>
  LeafOutputPort<T>& DeclareAbstractOutputPort(
      std::variant<std::string, UseDefaultName> name,
      void (MySystem::*calc)(const Context<T>&, OutputType*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()}) {
    RequireHandler(calc != nullptr);
    return DeclareOutputPort(std::move(name), kAbstractValued, 0,
                             ValueProducer(Self<MySystem>(), calc),
                             std::move(prerequisites_of_calc));
  }
  template <class MySystem>
  LeafOutputPort<T>& DeclareAbstractOutputPort(
      std::variant<std::string, UseDefaultName> name,
      std::unique_ptr<AbstractValue> (MySystem::*allocate)() const,
      void (MySystem::*calc)(const Context<T>&, AbstractValue*) const,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()}) {
    RequireHandler(allocate != nullptr && calc != nullptr);
    return DeclareOutputPort(std::move(name), kAbstractValued, 0,
                             ValueProducer(Self<MySystem>(), allocate, calc),
                             std::move(prerequisites_of_calc));
  }
  LeafOutputPort<T>& DeclareAbstractOutputPort(
      std::variant<std::string, UseDefaultName> name,
      std::function<std::unique_ptr<AbstractValue>()> allocate,
      std::function<void(const Context<T>&, AbstractValue*)> calc,
      std::set<DependencyTicket> prerequisites_of_calc = {
          SystemBase::all_sources_ticket()});
  /** A port that shows a part of the state as it is. */
  LeafOutputPort<T>& DeclareStateOutputPort(
      std::variant<std::string, UseDefaultName> name,
      ContinuousStateIndex state_index);
  LeafOutputPort<T>& DeclareStateOutputPort(
      std::variant<std::string, UseDefaultName> name,
      DiscreteStateIndex state_index);
  LeafOutputPort<T>& DeclareStateOutputPort(
      std::variant<std::string, UseDefaultName> name,
      AbstractStateIndex state_index);
  void DeprecateOutputPort(const OutputPort<T>& port, std::string message);
  /** @} */

  /** @name State and parameters
  Sizes are numbers of positions q, velocities v and other variables z. A model
  vector that has a NaN besides numbers throws std::logic_error; one that is
  BasicVector(size) as constructed gives the size, and SetDefaultState() or
  SetDefaultParameters() the numbers.
  @{ */
  ContinuousStateIndex DeclareContinuousState(int num_state_variables);
  ContinuousStateIndex DeclareContinuousState(int num_q, int num_v, int num_z);
  ContinuousStateIndex DeclareContinuousState(
      const BasicVector<T>& model_vector);
  ContinuousStateIndex DeclareContinuousState(
      const BasicVector<T>& model_vector, int num_q, int num_v, int num_z);
  DiscreteStateIndex DeclareDiscreteState(const BasicVector<T>& model_vector);
  DiscreteStateIndex DeclareDiscreteState(
      const Eigen::Ref<const VectorX<T>>& vector);
  DiscreteStateIndex DeclareDiscreteState(int num_state_variables);
  AbstractStateIndex DeclareAbstractState(const AbstractValue& model_value);
  /** Returns the index of the parameter. With a U, a subclass of BasicVector,
  the getters throw std::logic_error if the model vector was not a U. */
  int DeclareNumericParameter(const BasicVector<T>& model_vector);
  int DeclareAbstractParameter(const AbstractValue& model_value);
  template <template <typename> class U = BasicVector>
  const U<T>& GetNumericParameter(const Context<T>& context, int index) const {
    this->ValidateContext(context);
    const BasicVector<T>& held = context.get_numeric_parameter(index);
    const auto* result = dynamic_cast<const U<T>*>(&held);
    if (result == nullptr) ThrowParameterType(index, held, typeid(U<T>));
    return *result;
  }
  template <template <typename> class U = BasicVector>
  U<T>& GetMutableNumericParameter(Context<T>* context, int index) const {
    this->ValidateContext(context);
    GetNumericParameter<U>(*context, index);  // Checks the type.
    return static_cast<U<T>&>(context->get_mutable_numeric_parameter(index));
  }
  void DeclareImplicitTimeDerivativesResidualSize(int n);
  /** @} */

  /** @name Events
  `handler` is a member function; for publish events
  `(const Context<T>&) const`, for discrete updates
  `(const Context<T>&, DiscreteValues<T>*) const`, for unrestricted updates
  `(const Context<T>&, State<T>*) const`; it returns EventStatus or nothing. A
  periodic event happens at offset_sec + k * period_sec, k = 0, 1, ... exactly.
  @{ */
  template <class MySystem, typename R>
  void DeclarePeriodicPublishEvent(double period_sec, double offset_sec,
                                   R (MySystem::*handler)(const Context<T>&)
                                       const) {
    DeclarePeriodicEvent(period_sec, offset_sec, MakePublish(handler));
  }
  template <class MySystem, typename R>
  void DeclarePeriodicDiscreteUpdateEvent(
      double period_sec, double offset_sec,
      R (MySystem::*handler)(const Context<T>&, DiscreteValues<T>*) const) {
    DeclarePeriodicEvent(period_sec, offset_sec, MakeDiscrete(handler));
  }
  template <class MySystem, typename R>
  void DeclarePeriodicUnrestrictedUpdateEvent(
      double period_sec, double offset_sec,
      R (MySystem::*handler)(const Context<T>&, State<T>*) const) {
    DeclarePeriodicEvent(period_sec, offset_sec, MakeUnrestricted(handler));
  }
  /** `event` is a PublishEvent, DiscreteUpdateEvent or
  UnrestrictedUpdateEvent; here and below a copy is kept. */
  void DeclarePeriodicEvent(double period_sec, double offset_sec,
                            const Event<T>& event);
  template <class MySystem, typename R>
  void DeclarePerStepPublishEvent(R (MySystem::*handler)(const Context<T>&)
                                      const) {
    DeclarePerStepEvent(MakePublish(handler));
  }
  template <class MySystem, typename R>
  void DeclarePerStepDiscreteUpdateEvent(
      R (MySystem::*handler)(const Context<T>&, DiscreteValues<T>*) const) {
    DeclarePerStepEvent(MakeDiscrete(handler));
  }
  template <class MySystem, typename R>
  void DeclarePerStepUnrestrictedUpdateEvent(
      R (MySystem::*handler)(const Context<T>&, State<T>*) const) {
    DeclarePerStepEvent(MakeUnrestricted(handler));
  }
  void DeclarePerStepEvent(const Event<T>& event);
  template <class MySystem, typename R>
  void DeclareInitializationPublishEvent(
      R (MySystem::*handler)(const Context<T>&) const) {
    DeclareInitializationEvent(MakePublish(handler));
  }
  template <class MySystem, typename R>
  void DeclareInitializationDiscreteUpdateEvent(
      R (MySystem::*handler)(const Context<T>&, DiscreteValues<T>*) const) {
    DeclareInitializationEvent(MakeDiscrete(handler));
  }
  template <class MySystem, typename R>
  void DeclareInitializationUnrestrictedUpdateEvent(
      R (MySystem::*handler)(const Context<T>&, State<T>*) const) {
    DeclareInitializationEvent(MakeUnrestricted(handler));
  }
  void DeclareInitializationEvent(const Event<T>& event);
  template <class MySystem, typename R>
  void DeclareForcedPublishEvent(R (MySystem::*handler)(const Context<T>&)
                                     const) {
    DeclareForcedEvent(MakePublish(handler));
  }
  template <class MySystem, typename R>
  void DeclareForcedDiscreteUpdateEvent(
      R (MySystem::*handler)(const Context<T>&, DiscreteValues<T>*) const) {
    DeclareForcedEvent(MakeDiscrete(handler));
  }
  template <class MySystem, typename R>
  void DeclareForcedUnrestrictedUpdateEvent(
      R (MySystem::*handler)(const Context<T>&, State<T>*) const) {
    DeclareForcedEvent(MakeUnrestricted(handler));
  }
  void DeclareForcedEvent(const Event<T>& event);
  /** @} */

  /** @name Witness functions
  Keep the result and hand it out in DoGetWitnessFunctions(). With a handler or
  an event, that is what the sign change triggers.
  @{ */
  template <class MySystem>
  std::unique_ptr<WitnessFunction<T>> MakeWitnessFunction(
      const std::string& description,
      const WitnessFunctionDirection& direction_type,
      T (MySystem::*calc)(const Context<T>&) const) const {
    return MakeWitness(description, direction_type, WitnessCalc(calc), nullptr);
  }
  std::unique_ptr<WitnessFunction<T>> MakeWitnessFunction(
      const std::string& description,
      const WitnessFunctionDirection& direction_type,
      std::function<T(const Context<T>&)> calc) const {
    return MakeWitness(description, direction_type, std::move(calc), nullptr);
  }
  /** `handler` as for events, but with the event as its second argument, from
  which it can learn more. */
  template <class MySystem, typename EventType, typename... Output>
  std::unique_ptr<WitnessFunction<T>> MakeWitnessFunction(
      const std::string& description,
      const WitnessFunctionDirection& direction_type,
      T (MySystem::*calc)(const Context<T>&) const,
      void (MySystem::*handler)(const Context<T>&, const EventType&, Output*...)
          const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(handler != nullptr);
    return MakeWitness(
        description, direction_type, WitnessCalc(calc),
        std::make_unique<EventType>([self, handler](const Context<T>& context,
                                                    const EventType& event,
                                                    Output*... output) {
          (self->*handler)(context, event, output...);
        }));
  }
  template <class MySystem>
  std::unique_ptr<WitnessFunction<T>> MakeWitnessFunction(
      const std::string& description,
      const WitnessFunctionDirection& direction_type,
      T (MySystem::*calc)(const Context<T>&) const, const Event<T>& e) const {
    return MakeWitness(description, direction_type, WitnessCalc(calc),
                       e.Clone());
  }
  std::unique_ptr<WitnessFunction<T>> MakeWitnessFunction(
      const std::string& description,
      const WitnessFunctionDirection& direction_type,
      std::function<T(const Context<T>&)> calc, const Event<T>& e) const {
    return MakeWitness(description, direction_type, std::move(calc), e.Clone());
  }
  /** @} */

  /** @name Constraints
  @{ */
  template <class MySystem>
  SystemConstraintIndex DeclareEqualityConstraint(
      void (MySystem::*calc)(const Context<T>&, VectorX<T>*) const, int count,
      std::string description) {
    return DeclareEqualityConstraint(ConstraintCalc(calc), count,
                                     std::move(description));
  }
  SystemConstraintIndex DeclareEqualityConstraint(ContextConstraintCalc<T> calc,
                                                  int count,
                                                  std::string description);
  template <class MySystem>
  SystemConstraintIndex DeclareInequalityConstraint(
      void (MySystem::*calc)(const Context<T>&, VectorX<T>*) const,
      SystemConstraintBounds bounds, std::string description) {
    return DeclareInequalityConstraint(ConstraintCalc(calc), std::move(bounds),
                                       std::move(description));
  }
  SystemConstraintIndex DeclareInequalityConstraint(
      ContextConstraintCalc<T> calc, SystemConstraintBounds bounds,
      std::string description);
  /** @} */

  /** Timed events at moments that periods do not express: call the base, then
  lower *time and add events, or replace both. Without any to come, *time is
  infinity; one that is not set is an error. */
  void DoCalcNextUpdateTime(const Context<T>& context,
                            CompositeEventCollection<T>* events,
                            T* time) const override;
  T DoCalcWitnessValue(const Context<T>& context,
                       const WitnessFunction<T>& witness_func) const override;

 private:
  std::unique_ptr<ContextBase> DoAllocateContext() const final;
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
  EventStatus DispatchPublishHandler(
      const Context<T>& context,
      const EventCollection<PublishEvent<T>>& events) const final;
  EventStatus DispatchDiscreteVariableUpdateHandler(
      const Context<T>& context,
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state) const final;
  EventStatus DispatchUnrestrictedUpdateHandler(
      const Context<T>& context,
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state) const final;
  void DoApplyDiscreteVariableUpdate(
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state, Context<T>* context) const final;
  void DoApplyUnrestrictedUpdate(
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state, Context<T>* context) const final;

  // `this` as the class that a member function belongs to. In a constructor
  // this is less derived than it will be, but is going to be MySystem.
  template <class MySystem>
  const MySystem* Self() const {
    return static_cast<const MySystem*>(this);
  }
  template <class MySystem, typename R>
  PublishEvent<T> MakePublish(R (MySystem::*handler)(const Context<T>&)
                                  const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(handler != nullptr);
    return PublishEvent<T>(
        [self, handler](const Context<T>& context, const PublishEvent<T>&) {
          return (self->*handler)(context);
        });
  }
  template <class MySystem, typename R>
  DiscreteUpdateEvent<T> MakeDiscrete(R (MySystem::*handler)(const Context<T>&,
                                                             DiscreteValues<T>*)
                                          const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(handler != nullptr);
    return DiscreteUpdateEvent<T>([self, handler](const Context<T>& context,
                                                  const DiscreteUpdateEvent<T>&,
                                                  DiscreteValues<T>* xd) {
      return (self->*handler)(context, xd);
    });
  }
  template <class MySystem, typename R>
  UnrestrictedUpdateEvent<T> MakeUnrestricted(
      R (MySystem::*handler)(const Context<T>&, State<T>*) const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(handler != nullptr);
    return UnrestrictedUpdateEvent<T>(
        [self, handler](const Context<T>& context,
                        const UnrestrictedUpdateEvent<T>&, State<T>* state) {
          return (self->*handler)(context, state);
        });
  }
  template <class MySystem, typename BasicVectorSubtype>
  ValueProducer::CalcCallback PortCalc(void (MySystem::*calc)(
      const Context<T>&, BasicVectorSubtype*) const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(calc != nullptr);
    // The value is a clone of the model, which was a BasicVectorSubtype.
    return [self, calc](const ContextBase& context, AbstractValue* value) {
      (self->*calc)(static_cast<const Context<T>&>(context),
                    static_cast<BasicVectorSubtype*>(
                        &value->get_mutable_value<BasicVector<T>>()));
    };
  }
  template <class MySystem>
  std::function<T(const Context<T>&)> WitnessCalc(
      T (MySystem::*calc)(const Context<T>&) const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(calc != nullptr);
    return [self, calc](const Context<T>& context) {
      return (self->*calc)(context);
    };
  }
  template <class MySystem>
  ContextConstraintCalc<T> ConstraintCalc(
      void (MySystem::*calc)(const Context<T>&, VectorX<T>*) const) const {
    const MySystem* self = Self<MySystem>();
    RequireHandler(calc != nullptr);
    return [self, calc](const Context<T>& context, VectorX<T>* value) {
      (self->*calc)(context, value);
    };
  }
  [[noreturn]] void ThrowParameterType(int index, const BasicVector<T>& held,
                                       const std::type_info& wanted) const;
  void RequireHandler(bool is_given) const;
  // Copies that say in errors what they are and of which System.
  std::vector<std::unique_ptr<AbstractValue>> CloneModels(
      const char* what,
      const std::vector<std::unique_ptr<AbstractValue>>& models) const;
  void SetModelInput(const InputPort<T>& port,
                     std::unique_ptr<AbstractValue> model);
  // Refuses a model vector that was filled in part; one that was not filled at
  // all, BasicVector(size), gives only the size.
  void RequireModel(const char* function, const BasicVector<T>& model) const;
  void RequireFiniteUpdate(const Context<T>& context,
                           const DiscreteValues<T>& xd) const;
  void RequireFittingSize(const char* function, int size) const;
  // A CacheEntry::ResultCheck of vector output ports.
  static void RequireNumericOutput(const SystemBase& system,
                                   const CacheEntry& entry,
                                   const ContextBase& context,
                                   const AbstractValue& output);
  std::unique_ptr<WitnessFunction<T>> MakeWitness(
      const std::string& description, const WitnessFunctionDirection& direction,
      std::function<T(const Context<T>&)> calc,
      std::unique_ptr<Event<T>> event) const;
  LeafOutputPort<T>& DeclareVectorPort(
      std::variant<std::string, UseDefaultName> name,
      const BasicVector<T>& model_vector, ValueProducer::CalcCallback calc,
      std::set<DependencyTicket> prerequisites);
  LeafOutputPort<T>& DeclareOutputPort(
      std::variant<std::string, UseDefaultName> name, PortDataType type,
      int size, ValueProducer producer,
      std::set<DependencyTicket> prerequisites);
  std::unique_ptr<ContinuousState<T>> AllocateContinuousState() const;
  // If the model vector has element bounds, states them as a constraint on
  // what `get` gives.
  // The bounds that the model has, or null.
  std::unique_ptr<SystemConstraint<T>> MaybeMakeBounds(
      const std::string& what, const BasicVector<T>& model_vector,
      std::function<const VectorBase<T>&(const Context<T>&)> get) const;
  void MaybeDeclareBounds(
      const std::string& what, const BasicVector<T>& model_vector,
      std::function<const VectorBase<T>&(const Context<T>&)> get);

  // By port; null for one that was declared without a model value.
  std::vector<std::unique_ptr<AbstractValue>> model_inputs_;
  std::unique_ptr<BasicVector<T>> model_continuous_state_;
  std::optional<SystemConstraintIndex> continuous_state_bounds_;
  std::vector<std::unique_ptr<BasicVector<T>>> model_discrete_states_;
  std::vector<std::unique_ptr<AbstractValue>> model_abstract_states_;
  std::vector<std::unique_ptr<BasicVector<T>>> model_numeric_parameters_;
  std::vector<std::unique_ptr<AbstractValue>> model_abstract_parameters_;
  internal::LeafEvents<T> events_;
};

}  // namespace wyvern::systems
