#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/primitives/conditional_diagram.h"

namespace wyvern::systems {

/** Systems with equal ports, of which the first one whose condition is above
zero runs: if, else if, ..., else.

     conditions ----------> gate -----+
     u, ... --+--> System 0 --+       |
              +--> System 1 --+--> gate --> y, ...

Input ports: `conditions` (size: number of conditions), then those of the
Systems, which all of them share. Output ports: those of the Systems. Direct
feedthrough: that of the Systems; `conditions` has none. With one System more
than there are conditions, the last one runs if no condition is above zero;
without, none runs then. What becomes of Systems that do not run: see
EnabledSubsystem. */
template <typename T>
class IfElseSubsystem final : public internal::ConditionalDiagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(IfElseSubsystem);

  /** @param num_conditions 1 or more: the number of Systems, or one less if the
  last one is "else".
  @throws std::logic_error if there are not as many Systems as that, one is
  null, an output is abstract, ports are not equal, or the options do not fit.
*/
  IfElseSubsystem(int num_conditions,
                  std::vector<std::shared_ptr<System<T>>> systems,
                  const ActivationOptions& options = {});

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit IfElseSubsystem(const IfElseSubsystem<U>& other)
      : internal::ConditionalDiagram<T>(SystemTypeTag<IfElseSubsystem>{},
                                        other) {}

  ~IfElseSubsystem() override;

  /** Number of conditions. */
  int num_conditions() const { return this->rule().num_conditions; }
};

}  // namespace wyvern::systems
