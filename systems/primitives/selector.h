#pragma once

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/selector_params.h"

namespace wyvern::systems {

/** Puts together output vectors from chosen elements of the inputs: a
Demultiplexer and Multiplexer in any arrangement; elements can be left out,
repeated and reordered.

Input and output ports as SelectorParams says; an output port has direct
feedthrough from just the inputs that it selects from. */
template <typename T>
class Selector final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Selector);

  /** Takes the sizes of the inputs and the elements that each output selects.
  @throws std::logic_error if a size is negative; std::out_of_range if a
  selection names an input port or an element that there is not. */
  explicit Selector(SelectorParams params);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit Selector(const Selector<U>& other) : Selector(other.params_) {}

  /** The ports and selections. */
  const SelectorParams& params() const { return params_; }

 private:
  template <typename U>
  friend class Selector;

  void RequireSelections() const;
  void CalcOutput(const Context<T>& context, int output_port_index,
                  BasicVector<T>* output) const;

  const SelectorParams params_;
};

}  // namespace wyvern::systems
