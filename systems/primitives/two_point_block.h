#pragma once

#include <utility>

#include "wyvern/systems/primitives/modal_block.h"

namespace wyvern::systems::internal {

/** A block with two-point switches: each is on once its control signal rises to
`on_point`, off once it falls to `off_point`, and between these points as it
was. The moment of a crossing ends the integrator's step. The discrete state
holds 1 for on and 0 for off, at first 0. */
template <typename T>
class TwoPointBlock : public ModalBlock<T> {
 protected:
  TwoPointBlock(SystemScalarConverter converter, double on_point,
                double off_point)
      : ModalBlock<T>(std::move(converter)),
        on_point_(on_point),
        off_point_(off_point) {}

  /** Declares `count` switches, one for each element of the input port
  `control`.
  @param who the class of the block, for errors.
  @throws std::logic_error unless off_point < on_point. */
  void DeclareSwitches(const char* who, InputPortIndex control, int count);

  bool IsOn(const Context<T>& context, int i) const {
    return context.get_discrete_state(0)[i] > 0.5;
  }

 private:
  bool IsGuardActive(const Context<T>& context, int i) const final;
  T CalcGuard(const Context<T>& context, int i) const final;
  bool IsGuardDue(const Context<T>& context, int i) const final;
  bool ChangeMode(const Context<T>& context, int i,
                  State<T>* state) const final;

  const double on_point_;
  const double off_point_;
  InputPortIndex control_;
};

}  // namespace wyvern::systems::internal
