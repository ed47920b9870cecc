#pragma once

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Passes on one of its inputs, which a parameter chooses: numeric parameter 0
holds its index. The parameter is tunable, so a page's slider can move it.

Input ports u0, u1, ..., vectors of one size, of which only the chosen one needs
a value; output port `y`, direct feedthrough. */
template <typename T>
class ManualSwitch final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ManualSwitch);

  /** Makes a switch between `num_inputs` vectors of `size` elements, at first
  `selected`.
  @throws std::logic_error if `num_inputs` or `size` is below 1;
  std::out_of_range if `selected` is not the index of an input. */
  explicit ManualSwitch(int num_inputs, int size = 1, int selected = 0);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ManualSwitch(const ManualSwitch<U>& other)
      : ManualSwitch(other.num_input_ports(), other.get_input_port(0).size(),
                     other.selected_) {}

  /** The input that a new Context passes. */
  int selected() const { return selected_; }

  /** Chooses an input. @throws std::out_of_range if there is none of it. */
  void Select(Context<T>* context, int selected) const;

 private:
  template <typename U>
  friend class ManualSwitch;

  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const int selected_;
};

}  // namespace wyvern::systems
