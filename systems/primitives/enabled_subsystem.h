#pragma once

#include <memory>

#include "wyvern/systems/primitives/conditional_diagram.h"

namespace wyvern::systems {

/** A System that runs only while its input port `enable` is above zero.

     enable -----> gate -----+
     u, ... --> System --> gate --> y, ...

Input ports: `enable` (size 1), then those of the System. Output ports: those of
the System, with their names and sizes; all must be vectors. Direct feedthrough:
that of the System; `enable` has none.

While it is not enabled, the System's continuous state stands still, its events
are not handled, and the outputs are held or reset (ActivationOptions). When it
is enabled again, its state goes on from where it was, or is reset. A held
output is that of the moment at which `enable` fell to zero, with the inputs of
that moment. The integrator's steps end at these moments: exactly at jumps of
sources, and at zeros of continuous signals to the Simulator's isolation of
witness functions. A sample that falls on a jump of `enable` sees the new value.
More in internal::ConditionalDiagram. */
template <typename T>
class EnabledSubsystem final : public internal::ConditionalDiagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(EnabledSubsystem);

  /** Takes over a System, which runs while the input `enable` is positive.
  @throws std::logic_error if the System is null, one of its outputs is
  abstract, it has an input port `enable`, or the options do not fit. */
  explicit EnabledSubsystem(std::shared_ptr<System<T>> system,
                            const ActivationOptions& options = {});

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit EnabledSubsystem(const EnabledSubsystem<U>& other)
      : internal::ConditionalDiagram<T>(SystemTypeTag<EnabledSubsystem>{},
                                        other) {}

  ~EnabledSubsystem() override;

  /** Returns whether the System is enabled. */
  bool is_enabled(const Context<T>& context) const {
    return this->get_active(context) == 0;
  }
  /** The input port `enable`. */
  const InputPort<T>& get_enable_input_port() const {
    return this->get_input_port(0);
  }
};

}  // namespace wyvern::systems
