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

/** Question to a System about its difficulties. Each of them makes the first
steps of a simulation hard. A severe one also ends a simulation that advances
slowly, because its results mean nothing. */
enum class Difficulty { kAny, kSevere };

/** A block: input ports, output ports, state, and the functions that relate
them. Users derive from LeafSystem and compose with Diagram.

A System is immutable once in use; everything that varies is in a Context.
Methods throw std::logic_error if a Context belongs to another System. Calc
computes; Eval returns the cached value and computes it if it is out of date.

Many threads may call const methods at once, each with a Context and a Simulator
of its own. A Context is never shared: reading fills its cache. Authors of
Systems keep that promise if const methods write only to what they are given.
Build a System, and set anything on it, before other threads start.

@tparam T the scalar type: double, AutoDiffXd or symbolic::Expression. */
template <typename T>
class System : public SystemBase {
 public:
  /** The scalar type. */
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
  /** Sets default state and parameters; time, accuracy and inputs stay. */
  void SetDefaultContext(Context<T>* context) const;
  /** Writes the default state into `state`. */
  virtual void SetDefaultState(const Context<T>& context,
                               State<T>* state) const = 0;
  /** Writes the default parameters into `parameters`. */
  virtual void SetDefaultParameters(const Context<T>& context,
                                    Parameters<T>* parameters) const = 0;
  /** Draws parameters, then state, from the System's distributions, if any. */
  void SetRandomContext(Context<T>* context, RandomGenerator* generator) const;
  /** Draws the state; this implementation sets the default state. */
  virtual void SetRandomState(const Context<T>& context, State<T>* state,
                              RandomGenerator* generator) const;
  /** Draws parameters; this implementation sets the default parameters. */
  virtual void SetRandomParameters(const Context<T>& context,
                                   Parameters<T>* parameters,
                                   RandomGenerator* generator) const;
  /** Fixes every unconnected input port at its model value. */
  void AllocateFixedInputs(Context<T>* context) const;
  /** A copy of a port's model vector; std::logic_error if it has none. */
  std::unique_ptr<BasicVector<T>> AllocateInputVector(
      const InputPort<T>& input_port) const;
  /** A copy of a port's model value; std::logic_error if not a port here. */
  std::unique_ptr<AbstractValue> AllocateInputAbstract(
      const InputPort<T>& input_port) const;
  /** Storage for the values of all output ports, for CalcOutput(). */
  std::unique_ptr<SystemOutput<T>> AllocateOutput() const;
  /** Zeros, implicit_time_derivatives_residual_size() of them. */
  VectorX<T> AllocateImplicitTimeDerivativesResidual() const;
  /** Storage for time derivatives, with the sizes of q, v and z. */
  virtual std::unique_ptr<ContinuousState<T>> AllocateTimeDerivatives()
      const = 0;
  /** Storage for discrete values, with the groups of the discrete state. */
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
  /** The port of that index; `warn_deprecated` has no effect. */
  const InputPort<T>& get_input_port(int port_index,
                                     bool warn_deprecated = true) const;
  /** The only input port, deprecated ones not counted if there are others.
  @throws std::logic_error if there are more or none. */
  const InputPort<T>& get_input_port() const;
  /** The port selected; null for kNoInput, or if there is no first port. */
  const InputPort<T>* get_input_port_selection(
      std::variant<InputPortSelection, InputPortIndex> port_index) const;
  /** The port of that name. */
  const InputPort<T>& GetInputPort(const std::string& port_name) const;
  /** True if an input port has that name. */
  bool HasInputPort(const std::string& port_name) const;
  /** The port of that index; `warn_deprecated` has no effect. */
  const OutputPort<T>& get_output_port(int port_index,
                                       bool warn_deprecated = true) const;
  /** Output ports, selected in the same ways. */
  const OutputPort<T>& get_output_port() const;
  /** The port selected; null for kNoOutput, or if there is no first port. */
  const OutputPort<T>* get_output_port_selection(
      std::variant<OutputPortSelection, OutputPortIndex> port_index) const;
  /** The port of that name. */
  const OutputPort<T>& GetOutputPort(const std::string& port_name) const;
  /** True if an output port has that name. */
  bool HasOutputPort(const std::string& port_name) const;
  /** True if GetDirectFeedthroughs() has any pair. */
  bool HasAnyDirectFeedthrough() const;
  /** True if any input port feeds through to `output_port`. */
  bool HasDirectFeedthrough(int output_port) const;
  /** True if `input_port` feeds through to `output_port`. */
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
  /** Computes all output ports into `outputs`, which AllocateOutput() made. */
  void CalcOutput(const Context<T>& context, SystemOutput<T>* outputs) const;
  /** @} */

  /** @name Time derivatives and energy
  @{ */
  /** The time derivatives of x = [q, v, z], cached. */
  const ContinuousState<T>& EvalTimeDerivatives(
      const Context<T>& context) const {
    return time_derivatives_entry_->template Eval<ContinuousState<T>>(context);
  }
  /** Computes the time derivatives into `derivatives`, without the cache. */
  void CalcTimeDerivatives(const Context<T>& context,
                           ContinuousState<T>* derivatives) const;
  /** The cache entry of EvalTimeDerivatives(). */
  const CacheEntry& get_time_derivatives_cache_entry() const {
    return *time_derivatives_entry_;
  }
  /** The residual of the derivatives in implicit form; by default
  `proposed - EvalTimeDerivatives()`. */
  void CalcImplicitTimeDerivativesResidual(
      const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
      EigenPtr<VectorX<T>> residual) const;
  /** Computes q' = N(q) v into `qdot`; N = 1 unless overridden. */
  void MapVelocityToQDot(const Context<T>& context,
                         const VectorBase<T>& generalized_velocity,
                         VectorBase<T>* qdot) const;
  /** Overload for an Eigen vector. */
  void MapVelocityToQDot(
      const Context<T>& context,
      const Eigen::Ref<const VectorX<T>>& generalized_velocity,
      VectorBase<T>* qdot) const;
  /** Computes v = N+(q) q'; N+ = 1 unless overridden. */
  void MapQDotToVelocity(const Context<T>& context, const VectorBase<T>& qdot,
                         VectorBase<T>* generalized_velocity) const;
  /** Overload for an Eigen vector. */
  void MapQDotToVelocity(const Context<T>& context,
                         const Eigen::Ref<const VectorX<T>>& qdot,
                         VectorBase<T>* generalized_velocity) const;
  /** Potential energy [J], cached; 0 unless overridden. */
  const T& EvalPotentialEnergy(const Context<T>& context) const;
  /** Kinetic energy [J], cached; 0 unless overridden. */
  const T& EvalKineticEnergy(const Context<T>& context) const;
  /** Power of forces with a potential [W], cached; 0 unless overridden. */
  const T& EvalConservativePower(const Context<T>& context) const;
  /** Power of all other forces [W], cached; 0 unless overridden. */
  const T& EvalNonConservativePower(const Context<T>& context) const;
  /** Computes the potential energy [J], without the cache. */
  T CalcPotentialEnergy(const Context<T>& context) const;
  /** Computes the kinetic energy [J], without the cache. */
  T CalcKineticEnergy(const Context<T>& context) const;
  /** Computes the power of forces with a potential [W], without the cache. */
  T CalcConservativePower(const Context<T>& context) const;
  /** Computes the power of all other forces [W], without the cache. */
  T CalcNonConservativePower(const Context<T>& context) const;
  /** A copy of x = [q, v, z], num_continuous_states() elements. */
  VectorX<T> CopyContinuousStateVector(const Context<T>& context) const;
  /** @} */

  /** @name Events
  @{ */
  /** Writes the next timed events to `events` and returns their time, or
  infinity. It is after the Context's time, or at it if get_true_time() has a
  value. Periodic events are at exactly offset + k * period. */
  T CalcNextUpdateTime(const Context<T>& context,
                       CompositeEventCollection<T>* events) const;
  /** Returns the next break: the first time after `after` [s] at which this
  System's outputs or derivatives may jump or bend because time passes. Returns
  infinity if there is none. An integrator's step ends at each break, so no step
  passes over an edge, and the values after the break apply from there on.
  @throws std::logic_error if the System answers with a time that is not later
  than `after`, or NaN. */
  T CalcNextBreakTime(const Context<T>& context, const T& after) const;
  /** Replaces `events` by the events of each step. */
  void GetPerStepEvents(const Context<T>& context,
                        CompositeEventCollection<T>* events) const;
  /** Replaces `events` by the events of initialization. */
  void GetInitializationEvents(const Context<T>& context,
                               CompositeEventCollection<T>* events) const;
  /** Replaces `events` by all periodic events, due or not. */
  void GetPeriodicEvents(const Context<T>& context,
                         CompositeEventCollection<T>* events) const;
  /** Handles initialization events: unrestricted, discrete, publish. */
  void ExecuteInitializationEvents(Context<T>* context) const;
  /** Handles forced events: unrestricted, discrete, then publish if asked. */
  void ExecuteForcedEvents(Context<T>* context, bool publish = true) const;
  /** Handles forced publish events; std::runtime_error if one fails. */
  void ForcedPublish(const Context<T>& context) const;
  /** Computes the forced discrete update; std::runtime_error likewise. */
  void CalcForcedDiscreteVariableUpdate(
      const Context<T>& context, DiscreteValues<T>* discrete_state) const;
  /** Computes the forced unrestricted update; std::runtime_error likewise. */
  void CalcForcedUnrestrictedUpdate(const Context<T>& context,
                                    State<T>* state) const;
  /** Handles all of `events`; returns the most severe status. */
  EventStatus Publish(const Context<T>& context,
                      const EventCollection<PublishEvent<T>>& events) const;
  /** Computes new discrete values; the Context does not change.
  @throws std::runtime_error for a value that is not finite, by group and
  index. */
  EventStatus CalcDiscreteVariableUpdate(
      const Context<T>& context,
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state) const;
  /** Copies `discrete_state` into the Context if there are `events`. */
  void ApplyDiscreteVariableUpdate(
      const EventCollection<DiscreteUpdateEvent<T>>& events,
      DiscreteValues<T>* discrete_state, Context<T>* context) const;
  /** Computes a new state; throws as CalcDiscreteVariableUpdate() does. */
  EventStatus CalcUnrestrictedUpdate(
      const Context<T>& context,
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state) const;
  /** Copies `state` into the Context if there are `events`. */
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
  /** True if all state is one group updated at k * `*time_period` [s]. */
  bool IsDifferenceEquationSystem(double* time_period = nullptr) const;
  /** True if there is no state but continuous, and all inputs are vectors. */
  bool IsDifferentialEquationSystem() const;
  /** Periodic events by timing; `context` may be null. */
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
  /** Appends the witness functions to watch from `context` on. */
  void GetWitnessFunctions(const Context<T>& context,
                           std::vector<const WitnessFunction<T>*>* w) const;
  /** Computes a witness function of this System or of one within it. */
  T CalcWitnessValue(const Context<T>& context,
                     const WitnessFunction<T>& witness_func) const;
  /** An empty collection for the events of this System. */
  std::unique_ptr<CompositeEventCollection<T>>
  AllocateCompositeEventCollection() const;
  /** A collection of the declared forced publish events. */
  virtual std::unique_ptr<EventCollection<PublishEvent<T>>>
  AllocateForcedPublishEventCollection() const = 0;
  /** A collection of the declared forced discrete updates. */
  virtual std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>>
  AllocateForcedDiscreteUpdateEventCollection() const = 0;
  /** A collection of the declared forced unrestricted updates. */
  virtual std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>>
  AllocateForcedUnrestrictedUpdateEventCollection() const = 0;
  /** The events of ForcedPublish(). */
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
  /** The part of `subsystem`; std::logic_error if it is not within this. */
  const Context<T>& GetSubsystemContext(const System<T>& subsystem,
                                        const Context<T>& context) const;
  /** Mutable variant of GetSubsystemContext(). */
  Context<T>& GetMutableSubsystemContext(const System<T>& subsystem,
                                         Context<T>* context) const;
  /** This System's part of the root Diagram's Context. */
  const Context<T>& GetMyContextFromRoot(const Context<T>& root_context) const;
  /** Mutable variant of GetMyContextFromRoot(). */
  Context<T>& GetMyMutableContextFromRoot(Context<T>* root_context) const;
  /** This and the five below return the part of `target_system` in the object
  that is given; null if it is not within this System. */
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
  /** Number of constraints, external ones included. */
  int num_constraints() const { return static_cast<int>(constraints_.size()); }
  /** A constraint. @throws std::out_of_range on a bad index. */
  const SystemConstraint<T>& get_constraint(
      SystemConstraintIndex constraint_index) const;
  /** True if all constraints hold to `tol`; std::logic_error if `tol` < 0. */
  bool CheckSystemConstraintsSatisfied(const Context<T>& context,
                                       double tol) const;
  /** Adds a constraint, which scalar conversion keeps; returns its index. */
  SystemConstraintIndex AddExternalConstraint(
      ExternalSystemConstraint constraint);
  /** @} */

  /** @name Scalar conversion
  The To functions throw std::logic_error if the System cannot be converted; the
  Maybe functions return null.
  @{ */
  /** A copy with derivatives. */
  std::unique_ptr<System<AutoDiffXd>> ToAutoDiffXd() const {
    return ToScalarType<AutoDiffXd>();
  }
  /** A copy with derivatives, or null. */
  std::unique_ptr<System<AutoDiffXd>> ToAutoDiffXdMaybe() const {
    return ToScalarTypeMaybe<AutoDiffXd>();
  }
  /** A copy with derivatives, as an S. */
  template <template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<AutoDiffXd>> ToAutoDiffXd(const S<T>& from) {
    return System<T>::template ToScalarType<AutoDiffXd, S>(from);
  }
  /** With variables for numbers. Programs that call these link
  wyvern::symbolic; README.md of systems/symbolic/systems says which Systems of
  the library convert. */
  std::unique_ptr<System<symbolic::Expression>> ToSymbolic() const;
  /** A copy with variables for numbers, or null. */
  std::unique_ptr<System<symbolic::Expression>> ToSymbolicMaybe() const;
  /** A copy with variables for numbers, as an S. */
  template <template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<symbolic::Expression>> ToSymbolic(const S<T>& from) {
    return System<T>::template ToScalarType<symbolic::Expression, S>(from);
  }
  /** A copy of scalar U. */
  template <typename U>
  std::unique_ptr<System<U>> ToScalarType() const {
    auto result = ToScalarTypeMaybe<U>();
    if (result == nullptr) ThrowNotConvertible(typeid(U));
    return result;
  }
  /** A copy of scalar U, or null. */
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
  /** A copy of scalar U, as an S; an error also if it is not one. */
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
  /** A deep copy, as an S. */
  template <template <typename> class S = ::wyvern::systems::System>
  static std::unique_ptr<S<T>> Clone(const S<T>& from) {
    return System<T>::template ToScalarType<T, S>(from);
  }
  /** The conversions that this System supports. */
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
