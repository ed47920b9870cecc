#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/primitives/conditional_diagram.h"

namespace wyvern::systems {

/** Systems with equal ports, of which the one runs whose cases have the
selector.

     selector ------------> gate -----+
     u, ... --+--> System 0 --+       |
              +--> System 1 --+--> gate --> y, ...

Input ports: `selector` (size 1), then those of the Systems, which all of them
share. Output ports: those of the Systems. Direct feedthrough: that of the
Systems; `selector` has none. The selector is rounded to the nearest integer,
and halves upwards. With one System more than there are lists of cases, the last
one runs for all other selectors; without, none runs then. What becomes of
Systems that do not run: see EnabledSubsystem. */
template <typename T>
class CaseSubsystem final : public internal::ConditionalDiagram<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CaseSubsystem);

  /** @param cases the selectors for each System.
  @throws std::logic_error if there is no list or an empty one, a selector is in
  two lists or twice in one, there are not as many Systems as lists or one more,
  one is null, an output is abstract, ports are not equal, or the options do not
  fit. */
  CaseSubsystem(const std::vector<std::vector<int>>& cases,
                std::vector<std::shared_ptr<System<T>>> systems,
                const ActivationOptions& options = {});

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit CaseSubsystem(const CaseSubsystem<U>& other)
      : internal::ConditionalDiagram<T>(SystemTypeTag<CaseSubsystem>{}, other) {
  }

  ~CaseSubsystem() override;

  /** The selectors for each System. */
  const std::vector<std::vector<int>>& cases() const {
    return this->rule().cases;
  }
};

}  // namespace wyvern::systems
