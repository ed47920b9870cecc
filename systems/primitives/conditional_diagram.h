#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/primitives/activation_gate.h"

namespace wyvern::systems::internal {

/** One or several Systems with equal ports, of which at most one is active at a
time: the base of EnabledSubsystem, IfElseSubsystem, CaseSubsystem and
TriggeredSubsystem.

                     +--> System 0 ---+
     inputs ---------+--> System 1 ---+--> gate --> outputs
     condition ------|----------------+
                     +--> ...

The Diagram has the Systems, then an ActivationGate of the name "gate".
Contexts, copies, saves, logs and scalar conversion are those of any Diagram.

- **Continuous state** of a System that is not active has the derivative zero.
- **Events** of such a System are not handled. An update is handled if the
System is active at its moment, including a moment at which the condition jumps
because time passes. If its state is reset at that moment, an unrestricted
update of the same moment is left out.
- **Publish events** show the state before the updates of their moment, so one
at the moment of activation is not handled.
- **Witness functions** of such a System are not watched. The condition has
  witness functions of its own, so the integrator's steps end where it changes.
- **Power** of such a System is zero. Its energy stays.
- **Initialization** updates of all Systems are handled at the start.
- **Breaks** of all Systems end steps.

In a diagram without continuous state the condition is looked at when there are
events (see ModalBlock). Before a simulation is initialized no System is active,
and the outputs are the initial ones. */
template <typename T>
class ConditionalDiagram : public Diagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ConditionalDiagram);
  ~ConditionalDiagram() override;

  /** Number of Systems that can be active. */
  int num_systems() const { return gate_->rule().num_systems; }
  /** One of the Systems. @throws std::out_of_range if there is none of this
  index. */
  const System<T>& get_system(int index) const;
  /** The settings. */
  const ActivationOptions& options() const { return gate_->options(); }
  /** Index of the active System, or -1; a triggered System is not active
  between its triggers. */
  int get_active(const Context<T>& context) const;

 protected:
  /** Takes the Systems. Those without a name are called "system0", and so on.
  @param who the class that is being made, for messages.
  @param condition name of the condition's port, the first input port.
  @throws std::logic_error if there is no System, one is null, their ports are
  not equal, an output is not a vector, or a declared residual of derivatives
  has another size than the state; also as ActivationGate and DiagramBuilder. */
  ConditionalDiagram(SystemScalarConverter converter, const char* who,
                     const std::string& condition, const ActivationRule& rule,
                     std::vector<std::shared_ptr<System<T>>> systems,
                     const ActivationOptions& options);
  /** For the converting constructor of a derived class. */
  template <typename U>
  ConditionalDiagram(SystemScalarConverter converter,
                     const ConditionalDiagram<U>& other)
      : Diagram<T>(std::move(converter), other) {
    FindParts();
  }

  const ActivationRule& rule() const { return gate_->rule(); }

 private:
  void FindParts();
  bool is_triggered() const {
    return rule().kind == ActivationRule::Kind::kTrigger;
  }
  static const Context<T>& PartOf(const Context<T>& context, int i);
  const Context<T>& GateContext(const Context<T>& context) const {
    return PartOf(context, num_systems());
  }
  // Whether the events of a System are handled at this moment.
  bool IsRunning(const Context<T>& context, int system) const;
  // The System that an update of the gate activates, or -1.
  int FindActivated(const Context<T>& context, const State<T>& state) const;
  // Resets a System that the gate activates, if it is to be, and lets the
  // conditions within it take effect.
  void Activate(const Context<T>& context, int system,
                DiagramState<T>* state) const;
  void FollowConditions(const Context<T>& context, int system, bool restarts,
                        DiagramState<T>* state) const;
  // Lets the active System be the one that the condition selects; `restarts`
  // after a reset.
  void FollowCondition(const Context<T>& context, bool restarts,
                       DiagramState<T>* state) const;

  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;
  void DoCalcImplicitTimeDerivativesResidual(
      const Context<T>& context, const ContinuousState<T>& proposed_derivatives,
      EigenPtr<VectorX<T>> residual) const final;
  T DoCalcConservativePower(const Context<T>& context) const final;
  T DoCalcNonConservativePower(const Context<T>& context) const final;
  void DoCalcNextUpdateTime(const Context<T>& context,
                            CompositeEventCollection<T>* events,
                            T* time) const final;
  void CalcNextPhase(const Context<T>& context,
                     DiagramCompositeEventCollection<T>* parts, T* time) const;
  void DoGetWitnessFunctions(
      const Context<T>& context,
      std::vector<const WitnessFunction<T>*>* witnesses) const final;
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
  void DoApplyUnrestrictedUpdate(
      const EventCollection<UnrestrictedUpdateEvent<T>>& events,
      State<T>* state, Context<T>* context) const final;

  // A ConditionalDiagram in a part, and the subsystems that lead to it.
  struct Nested {
    const ConditionalDiagram<T>* diagram{};
    std::vector<int> path;
  };
  void FindNested(const System<T>& system, std::vector<int>* path,
                  std::vector<Nested>* found) const;

  std::vector<const System<T>*> parts_;
  const ActivationGate<T>* gate_{};
  // For each part, the outermost ones in it.
  std::vector<std::vector<Nested>> nested_;
};

}  // namespace wyvern::systems::internal
