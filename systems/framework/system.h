#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/systems/common/random.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/event.h"
#include "wyvern/systems/framework/event_collection.h"
#include "wyvern/systems/framework/input_port.h"
#include "wyvern/systems/framework/output_port.h"
#include "wyvern/systems/framework/system_base.h"
#include "wyvern/systems/framework/system_constraint.h"
#include "wyvern/systems/framework/system_output.h"
#include "wyvern/systems/framework/system_scalar_converter.h"
#include "wyvern/systems/framework/system_visitor.h"
#include "wyvern/systems/framework/witness_function.h"

namespace wyvern::systems {

/** Question to a System about its difficulties. A start is hard for any of
them. Only a severe one is a reason to end a simulation that advances slowly,
because its results mean nothing. */
enum class Difficulty { kAny, kSevere };

/** A block: input ports, output ports, state, and the functions that relate
them. Users derive from LeafSystem and compose with Diagram.

A System is immutable once in use; everything that varies is in a Context. Every
method that takes a Context throws std::logic_error if another System made it.
Calc computes, Eval reads the cache, Do is overridden.

Threads: const methods may be called from many threads at once if each thread
has a Context of its own, and with it a Simulator of its own; a Context is never
shared, for reading it fills its cache. A System's author keeps that promise by
writing to nothing but what const methods are given. Building a System, and
setting anything on it, is for one thread, before the others start.

@tparam T the scalar type: double, AutoDiffXd or symbolic::Expression. */
template <typename T>
class System : public SystemBase {
 public:
  using Scalar = T;
  ~System() override;

  /** Calls the visitor with this System. */
  virtual void Accept(SystemVisitor<T>* v) const;

  /** @name Contexts
  @{ */
  /** A Context of the right shape with values not set. */
  std::unique_ptr<Context<T>> AllocateContext() const;
  /** A Context with default state and parameters, time zero. */
  std::unique_ptr<Context<T>> CreateDefaultContext() const;
  void SetDefaultContext(Context<T>* context) const;
  virtual void SetDefaultState(const Context<T>& context,
                               State<T>* state) const = 0;
  virtual void SetDefaultParameters(const Context<T>& context,
                                    Parameters<T>* parameters) const = 0;
  /** Random values where the System defines distributions; else the defaults.
   */
  void SetRandomContext(Context<T>* context, RandomGenerator* generator) const;
  virtual void SetRandomState(const Context<T>& context, State<T>* state,
                              RandomGenerator* generator) const;
  virtual void SetRandomParameters(const Context<T>& context,
                                   Parameters<T>* parameters,
                                   RandomGenerator* generator) const;
  /** Fixes every unconnected input port at its model value. */
  void AllocateFixedInputs(Context<T>* context) const;
  std::unique_ptr<BasicVector<T>> AllocateInputVector(
      const InputPort<T>& input_port) const;
  std::unique_ptr<AbstractValue> AllocateInputAbstract(
      const InputPort<T>& input_port) const;
  std::unique_ptr<SystemOutput<T>> AllocateOutput() const;
  VectorX<T> AllocateImplicitTimeDerivativesResidual() const;
  virtual std::unique_ptr<ContinuousState<T>> AllocateTimeDerivatives()
      const = 0;
  virtual std::unique_ptr<DiscreteValues<T>> AllocateDiscreteVariables()
      const = 0;
  /** Copies the values of fixed input ports from a System of double. */
  void FixInputPortsFrom(const System<double>& other_system,
                         const Context<double>& other_context,
                         Context<T>* target_context) const;
  /** @} */

  /** @name Ports
  By name or index: std::logic_error for an unknown name (which lists those
  that exist), std::out_of_range for a bad index.
  @{ */
  const InputPort<T>& get_input_port(int port_index,
                                     bool warn_deprecated = true) const;
  /** The only input port, deprecated ones not counted if there are others.
  @throws std::logic_error if there are more or none. */
  const InputPort<T>& get_input_port() const;
  const InputPort<T>* get_input_port_selection(
      std::variant<InputPortSelection, InputPortIndex> port_index) const;
  const InputPort<T>& GetInputPort(const std::string& port_name) const;
  bool HasInputPort(const std::string& port_name) const;
  const OutputPort<T>& get_output_port(int port_index,
                                       bool warn_deprecated = true) const;
  /** Output ports, selected in the same ways. */
  const OutputPort<T>& get_output_port() const;
  const OutputPort<T>* get_output_port_selection(
      std::variant<OutputPortSelection, OutputPortIndex> port_index) const;
  const OutputPort<T>& GetOutputPort(const std::string& port_name) const;
  bool HasOutputPort(const std::string& port_name) const;
  bool HasAnyDirectFeedthrough() const;
  bool HasDirectFeedthrough(int output_port) const;
  bool HasDirectFeedthrough(int input_port, int output_port) const;
  /** The value of a vector input port as a Vec, or null if nothing feeds it. */
  template <template <typename> class Vec = BasicVector>
  const Vec<T>* EvalVectorInput(const Context<T>& context,
                                int port_index) const {
    const AbstractValue* value = this->EvalAbstractInput(context, port_index);
    if (value == nullptr) return nullptr;
    const auto* vector = internal::CastPortValue<T, Vec<T>>(*value);
    if (vector == nullptr) [[unlikely]] {
      this->get_input_port_base(InputPortIndex(port_index))
          .ThrowWrongType(*value, typeid(Vec<T>));
    }
    return vector;
  }
  void CalcOutput(const Context<T>& context, SystemOutput<T>* outputs) const;
  /** @} */

  /** @name Time derivatives and energy
  @{ */
  const ContinuousState<T>& EvalTimeDerivatives(
      const Context<T>& context) const {
    return time_derivatives_entry_->template Eval<ContinuousState<T>>(context);
  }
  void CalcTimeDerivatives(const Context<T>& context,
                           ContinuousState<T>* derivatives) const;
  const CacheEntry& get_time_derivatives_cache_entry() const {
    return *time_derivatives_entry_;
  }
  /** The residual of the derivatives in implicit form; by default
  `proposed - EvalTimeDerivatives()`. */
  void CalcImplicitTimeDerivativesResidual(
      const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
      EigenPtr<VectorX<T>> residual) const;
  void MapVelocityToQDot(const Context<T>& context,
                         const VectorBase<T>& generalized_velocity,
                         VectorBase<T>* qdot) const;
  void MapVelocityToQDot(
      const Context<T>& context,
      const Eigen::Ref<const VectorX<T>>& generalized_velocity,
      VectorBase<T>* qdot) const;
  void MapQDotToVelocity(const Context<T>& context, const VectorBase<T>& qdot,
                         VectorBase<T>* generalized_velocity) const;
  void MapQDotToVelocity(const Context<T>& context,
                         const Eigen::Ref<const VectorX<T>>& qdot,
                         VectorBase<T>* generalized_velocity) const;
  const T& EvalPotentialEnergy(const Context<T>& context) const;
  const T& EvalKineticEnergy(const Context<T>& context) const;
  const T& EvalConservativePower(const Context<T>& context) const;
  const T& EvalNonConservativePower(const Context<T>& context) const;
  T CalcPotentialEnergy(const Context<T>& context) const;
  T CalcKineticEnergy(const Context<T>& context) const;
  T CalcConservativePower(const Context<T>& context) const;
  T CalcNonConservativePower(const Context<T>& context) const;
  VectorX<T> CopyContinuousStateVector(const Context<T>& context) const;
  /** @} */

  /** @name Events
  @{ */
  /** The time of the next timed events after the Context's time (at it, if the
  Context's true time is set), infinity if there are none; the events go to
  `events`. Periodic events are at exactly offset + k * period. */
  T CalcNextUpdateTime(const Context<T>& context,
                       CompositeEventCollection<T>* events) const;
  /** Returns the next break: the first time after `after` [s] at which this
  System's outputs or derivatives may jump or bend because time passes. Returns
  infinity if there is none. An integrator's step ends at each break, so no step
  passes over an edge, and the values after the break apply from there on.
  @throws std::logic_error if the System answers with a time that is not later
  than `after`, or NaN. */
  T CalcNextBreakTime(const Context<T>& context, const T& after) const;
  void GetPerStepEvents(const Context<T>& context,
                        CompositeEventCollection<T>* events) const;
  void GetInitializationEvents(const Context<T>& context,
                               CompositeEventCollection<T>* events) const;
  void GetPeriodicEvents(const Context<T>& context,
                         CompositeEventCollection<T>* events) const;
  /** Handles initialization events: unrestricted, discrete, publish. */
  void ExecuteInitializationEvents(Context<T>* context) const;
  /** Handles forced events: unrestricted, discrete, then publish if asked. */
  void ExecuteForcedEvents(Context<T>* context, bool publish = true) const;
  void ForcedPublish(const Context<T>& context) const;
  void CalcForcedDiscreteVariableUpdate(
      const Context<T>& context, DiscreteValues<T>* discrete_state) const;
  void CalcForcedUnrestrictedUpdate(const Context<T>& context,
                                    State<T>* state) const;
  EventStatus Publish(const Context<T>& context,
                      const EventCollection<PublishEvent<T>>& events) const;
  /** Computes new discrete values; the Context does not change. A new value
  that is not finite throws std::runtime_error naming System, group and index.
*/
  EventStatus CalcDiscreteVariableUpdate(
      const Context<T>& context,
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state) const;
  void ApplyDiscreteVariableUpdate(
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state, Context<T>* context) const;
  EventStatus CalcUnrestrictedUpdate(
      const Context<T>& context,
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state) const;
  void ApplyUnrestrictedUpdate(
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state, Context<T>* context) const;
  /** The period and offset that all periodic discrete updates share, if there
  is exactly one such timing. */
  std::optional<PeriodicEventData> GetUniquePeriodicDiscreteUpdateAttribute()
      const;
  /** The discrete state after the unique periodic update, cached.
  @throws std::logic_error if there is no unique timing. */
  const DiscreteValues<T>& EvalUniquePeriodicDiscreteUpdate(
      const Context<T>& context) const;
  bool IsDifferenceEquationSystem(double* time_period = nullptr) const;
  bool IsDifferentialEquationSystem() const;
  std::map<PeriodicEventData, std::vector<const Event<T>*>,
           PeriodicEventDataComparator>
  MapPeriodicEventsByTiming(const Context<T>* context = nullptr) const;
  /** Describes, in whole sentences, why the model is hard to advance from this
  Context, such as the bodies that overlap and their depths. Returns an empty
  text if no reason is known, or none as grave as asked for. The Simulator warns
  of any reason at the start, and adds it to messages about small steps. A
  severe one makes it end a simulation that crawls sooner. Throws nothing: if
  the description fails, it is empty. */
  std::string DescribeDifficulties(const Context<T>& context,
                                   Difficulty least = Difficulty::kAny) const;
  void GetWitnessFunctions(const Context<T>& context,
                           std::vector<const WitnessFunction<T>*>* w) const;
  T CalcWitnessValue(const Context<T>& context,
                     const WitnessFunction<T>& witness_func) const;
  std::unique_ptr<CompositeEventCollection<T>>
  AllocateCompositeEventCollection() const;
  virtual std::unique_ptr<EventCollection<PublishEvent<T>>>
  AllocateForcedPublishEventCollection() const = 0;
  virtual std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>>
  AllocateForcedDiscreteUpdateEventCollection() const = 0;
  virtual std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
  AllocateForcedUnrestrictedUpdateEventCollection() const = 0;
  const EventCollection<PublishEvent<T>>& get_forced_publish_events() const {
    return *forced_publish_;
  }
  /** For the Simulator: adds a triggered witness's event to its System's part
  of `events`, the collection of this System. */
  virtual void AddTriggeredWitnessFunctionToCompositeEventCollection(
      Event<T>* event, CompositeEventCollection<T>* events) const = 0;
  /** @} */

  /** @name Subsystems' parts
  @{ */
  const Context<T>& GetSubsystemContext(const System<T>& subsystem,
                                        const Context<T>& context) const;
  Context<T>& GetMutableSubsystemContext(const System<T>& subsystem,
                                         Context<T>* context) const;
  /** This System's part of the root Diagram's Context. */
  const Context<T>& GetMyContextFromRoot(const Context<T>& root_context) const;
  Context<T>& GetMyMutableContextFromRoot(Context<T>* root_context) const;
  virtual const Context<T>* DoGetTargetSystemContext(
      const System<T>& target_system, const Context<T>* context) const;
  virtual const State<T>* DoGetTargetSystemState(const System<T>& target_system,
                                                 const State<T>* state) const;
  virtual State<T>* DoGetMutableTargetSystemState(
      const System<T>& target_system, State<T>* state) const;
  virtual const ContinuousState<T>* DoGetTargetSystemContinuousState(
      const System<T>& target_system, const ContinuousState<T>* xc) const;
  virtual const CompositeEventCollection<T>*
  DoGetTargetSystemCompositeEventCollection(
      const System<T>& target_system,
      const CompositeEventCollection<T>* events) const;
  virtual CompositeEventCollection<T>*
  DoGetMutableTargetSystemCompositeEventCollection(
      const System<T>& target_system,
      CompositeEventCollection<T>* events) const;
  /** @} */

  /** @name Constraints
  @{ */
  int num_constraints() const { return static_cast<int>(constraints_.size()); }
  const SystemConstraint<T>& get_constraint(
      SystemConstraintIndex constraint_index) const;
  bool CheckSystemConstraintsSatisfied(const Context<T>& context,
                                       double tol) const;
  SystemConstraintIndex AddExternalConstraint(
      ExternalSystemConstraint constraint);
  /** @} */

  /** @name Scalar conversion
  The To functions throw std::logic_error if the System cannot be converted; the
  Maybe functions return null.
  @{ */
  std::unique_ptr<System<AutoDiffXd>> ToAutoDiffXd() const {
    return ToScalarType<AutoDiffXd>();
  }
  std::unique_ptr<System<AutoDiffXd>> ToAutoDiffXdMaybe() const {
    return ToScalarTypeMaybe<AutoDiffXd>();
  }
  template <template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<AutoDiffXd>> ToAutoDiffXd(const S<T>& from) {
    return System<T>::template ToScalarType<AutoDiffXd, S>(from);
  }
  /** With variables for numbers. Programs that call these link
  wyvern::symbolic; README.md of systems/symbolic/systems says which Systems of
  the library convert. */
  std::unique_ptr<System<symbolic::Expression>> ToSymbolic() const;
  std::unique_ptr<System<symbolic::Expression>> ToSymbolicMaybe() const;
  template <template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<symbolic::Expression>> ToSymbolic(const S<T>& from) {
    return System<T>::template ToScalarType<symbolic::Expression, S>(from);
  }
  template <typename U>
  std::unique_ptr<System<U>> ToScalarType() const {
    auto result = ToScalarTypeMaybe<U>();
    if (result == nullptr) ThrowNotConvertible(typeid(U));
    return result;
  }
  template <typename U>
  std::unique_ptr<System<U>> ToScalarTypeMaybe() const {
    if constexpr (std::is_same_v<U, T>) {
      return CloneByConversion();
    } else {
      auto result = converter_.template Convert<U, T>(*this);
      if (result != nullptr) AddExternalConstraintsTo(result.get());
      return result;
    }
  }
  template <typename U, template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<U>> ToScalarType(const S<T>& from) {
    std::unique_ptr<System<U>> converted =
        static_cast<const System<T>&>(from).template ToScalarType<U>();
    auto* result = dynamic_cast<S<U>*>(converted.get());
    if (result == nullptr)
      static_cast<const System<T>&>(from).ThrowNotConvertible(typeid(S<U>));
    converted.release();
    return std::unique_ptr<S<U>>(result);
  }
  /** A deep copy, made by converting to another scalar and back. */
  std::unique_ptr<System<T>> Clone() const { return ToScalarType<T>(); }
  template <template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<T>> Clone(const S<T>& from) {
    return System<T>::template ToScalarType<T, S>(from);
  }
  const SystemScalarConverter& get_system_scalar_converter() const {
    return converter_;
  }
  /** @} */

 protected:
  explicit System(SystemScalarConverter converter);

  SystemScalarConverter& get_mutable_system_scalar_converter() {
    return converter_;
  }

  InputPort<T>& DeclareInputPort(
      std::variant<std::string, UseDefaultName> name, PortDataType type,
      int size, std::optional<RandomDistribution> random_type = std::nullopt);
  SystemConstraintIndex AddConstraint(
      std::unique_ptr<SystemConstraint<T>> constraint);
  /** Puts another constraint in the place of one. */
  void ReplaceConstraint(SystemConstraintIndex constraint_index,
                         std::unique_ptr<SystemConstraint<T>> constraint);

  /** @name What derived classes compute; arguments have been checked
  @{ */
  virtual void DoCalcTimeDerivatives(const Context<T>& context,
                                     ContinuousState<T>* derivatives) const;
  virtual void DoCalcImplicitTimeDerivativesResidual(
      const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
      EigenPtr<VectorX<T>> residual) const;
  virtual T DoCalcPotentialEnergy(const Context<T>& context) const;
  virtual T DoCalcKineticEnergy(const Context<T>& context) const;
  virtual T DoCalcConservativePower(const Context<T>& context) const;
  virtual T DoCalcNonConservativePower(const Context<T>& context) const;
  virtual void DoMapVelocityToQDot(
      const Context<T>& context,
      const Eigen::Ref<const VectorX<T>>& generalized_velocity,
      VectorBase<T>* qdot) const;
  virtual void DoMapQDotToVelocity(const Context<T>& context,
                                   const Eigen::Ref<const VectorX<T>>& qdot,
                                   VectorBase<T>* generalized_velocity) const;
  virtual void DoCalcNextUpdateTime(const Context<T>& context,
                                    CompositeEventCollection<T>* events,
                                    T* time) const = 0;
  /** Called if DeclareBreakTimes() has been called. Sets `*time` to the first
  break after `after`, or leaves it at infinity. A break may be wrong by
  rounding (4 machine epsilons, relative). The function is called several times
  in a step: it must not allocate, nor look farther ahead than necessary. */
  virtual void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                                   T* time) const;
  virtual void DoGetPerStepEvents(
      const Context<T>& context, CompositeEventCollection<T>* events) const = 0;
  virtual void DoGetInitializationEvents(
      const Context<T>& context, CompositeEventCollection<T>* events) const = 0;
  virtual void DoGetPeriodicEvents(
      const Context<T>& context, CompositeEventCollection<T>* events) const = 0;
  virtual std::map<PeriodicEventData, std::vector<const Event<T>*>,
                   PeriodicEventDataComparator>
  DoMapPeriodicEventsByTiming(const Context<T>* context) const = 0;
  virtual void DoFindUniquePeriodicDiscreteUpdatesOrThrow(
      const char* api_name, const Context<T>& context,
      std::optional<PeriodicEventData>* timing,
      EventCollection<DiscreteUpdateEvent<T>>* events) const = 0;
  /** Implements DescribeDifficulties(). A Diagram collects the texts of its
  Systems. */
  virtual std::string DoDescribeDifficulties(const Context<T>& context,
                                             Difficulty least) const;
  virtual void DoGetWitnessFunctions(
      const Context<T>& context,
      std::vector<const WitnessFunction<T>*>* witnesses) const;
  virtual T DoCalcWitnessValue(
      const Context<T>& context,
      const WitnessFunction<T>& witness_func) const = 0;
  virtual EventStatus DispatchPublishHandler(
      const Context<T>& context,
      const EventCollection<PublishEvent<T>>& events) const = 0;
  virtual EventStatus DispatchDiscreteVariableUpdateHandler(
      const Context<T>& context,
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state) const = 0;
  virtual EventStatus DispatchUnrestrictedUpdateHandler(
      const Context<T>& context,
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state) const = 0;
  virtual void DoApplyDiscreteVariableUpdate(
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state, Context<T>* context) const = 0;
  virtual void DoApplyUnrestrictedUpdate(
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state, Context<T>* context) const = 0;
  virtual std::unique_ptr<CompositeEventCollection<T>>
  DoAllocateCompositeEventCollection() const = 0;
  /** @} */

  const EventCollection<DiscreteUpdateEvent<T>>&
  get_forced_discrete_update_events() const {
    return *forced_discrete_;
  }
  const EventCollection<UnrestrictedUpdateEvent<T>>&
  get_forced_unrestricted_update_events() const {
    return *forced_unrestricted_;
  }
  EventCollection<PublishEvent<T>>& get_mutable_forced_publish_events() {
    return *forced_publish_;
  }
  EventCollection<DiscreteUpdateEvent<T>>&
  get_mutable_forced_discrete_update_events() {
    return *forced_discrete_;
  }
  EventCollection<UnrestrictedUpdateEvent<T>>&
  get_mutable_forced_unrestricted_update_events() {
    return *forced_unrestricted_;
  }
  /** Sets the events of a forced update or publish, as returned by the Allocate
  function of the same name, with events added.
  @throws std::logic_error if null. */
  void set_forced_publish_events(
      std::unique_ptr<EventCollection<PublishEvent<T>>> forced);
  void set_forced_discrete_update_events(
      std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>> forced);
  void set_forced_unrestricted_update_events(
      std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>> forced);

  std::function<void(const AbstractValue&)> MakeFixInputPortTypeChecker(
      InputPortIndex port_index) const final;
  std::unique_ptr<AbstractValue> DoAllocateInput(
      const InputPortBase& port) const final;
  /** The model value of an input port. */
  virtual std::unique_ptr<AbstractValue> DoAllocateInputValue(
      const InputPort<T>& port) const = 0;

 private:
  template <typename>
  friend class Diagram;

  std::unique_ptr<System<T>> CloneByConversion() const;
  void AddExternalConstraintsTo(System<double>* converted) const;
  void AddExternalConstraintsTo(System<AutoDiffXd>* converted) const;
  void AddExternalConstraintsTo(System<symbolic::Expression>* converted) const;
  [[noreturn]] void ThrowNotConvertible(const std::type_info& wanted) const;
  // Makes the entries for derivatives and energy.
  void DeclareKnownCacheEntries();
  void RequireOutput(const char* function, const void* output) const {
    if (output == nullptr) ThrowNullOutput(function);
  }
  [[noreturn]] void ThrowNullOutput(const char* function) const;
  void RequireSuccess(const EventStatus& status) const;
  // Unrestricted, discrete and publish events, in that order; the Context
  // changes.
  void HandleEvents(const EventCollection<UnrestrictedUpdateEvent<T>>& u,
                    const EventCollection<DiscreteUpdateEvent<T>>& d,
                    const EventCollection<PublishEvent<T>>* p,
                    Context<T>* context) const;

  void CalcUniquePeriodicDiscreteUpdate(const Context<T>& context,
                                        DiscreteValues<T>* updated) const;

  SystemScalarConverter converter_;
  const CacheEntry* time_derivatives_entry_{};
  const CacheEntry* potential_energy_entry_{};
  const CacheEntry* kinetic_energy_entry_{};
  const CacheEntry* conservative_power_entry_{};
  const CacheEntry* nonconservative_power_entry_{};
  const CacheEntry* unique_update_entry_{};
  std::vector<std::unique_ptr<SystemConstraint<T>>> constraints_;
  std::vector<ExternalSystemConstraint> external_constraints_;
  std::unique_ptr<EventCollection<PublishEvent<T>>> forced_publish_;
  std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>> forced_discrete_;
  std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
      forced_unrestricted_;
};

}  // namespace wyvern::systems
