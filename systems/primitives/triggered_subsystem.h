#pragma once

#include <memory>

#include "wyvern/systems/primitives/conditional_diagram.h"

namespace wyvern::systems {

/** A System of sampled blocks that is updated at the edges of its input port
`trigger` instead of at its periods.

     trigger ----> gate -----+
     u, ... --> System --> gate --> y, ...

Input ports: `trigger` (size 1), then those of the System. Output ports: those
of the System, with their names and sizes; all must be vectors. No direct
feedthrough while nothing triggers; a Diagram takes that of the System.

The trigger is on if it is above zero. At an edge the System handles its
periodic events once, whatever their periods: publish events, unrestricted
updates, then discrete updates. Then its outputs are computed from the new state
and the inputs of that moment, and held until the next edge. A System without
state so samples its inputs. Per-step events, witness functions and forced
events of the System are not handled. The first value of the trigger is no edge.

Edges of sources are exact; zeros of continuous signals are found to the
Simulator's isolation of witness functions. In a diagram without continuous
state the trigger is looked at when there are events, so a pulse between two
events may be missed. More in internal::ConditionalDiagram. */
template <typename T>
class TriggeredSubsystem final : public internal::ConditionalDiagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TriggeredSubsystem);

  /** @param initial_outputs outputs before the first edge, a vector for each
  port; empty: zeros.
  @throws std::logic_error if the System is null, has continuous state or an
  abstract output or an input port `trigger`, or the initial outputs do not fit.
  */
  explicit TriggeredSubsystem(
      std::shared_ptr<System<T>> system,
      TriggerEdge edge = TriggerEdge::kRising,
      const std::vector<Eigen::VectorXd>& initial_outputs = {});

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit TriggeredSubsystem(const TriggeredSubsystem<U>& other)
      : internal::ConditionalDiagram<T>(SystemTypeTag<TriggeredSubsystem>{},
                                        other) {}

  ~TriggeredSubsystem() override;

  /** The edges that trigger. */
  TriggerEdge edge() const { return this->rule().edge; }
  /** The input port `trigger`. */
  const InputPort<T>& get_trigger_input_port() const {
    return this->get_input_port(0);
  }
};

}  // namespace wyvern::systems
