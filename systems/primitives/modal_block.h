#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::internal {

/** A block whose equations depend on a mode, which is a part of its state. Some
guards are active in each mode; the mode changes when one of them is due. A
guard is a number that reaches zero from below when that happens.

A guard that grows over a step of the integrator is a witness function: the step
is repeated to end just after the zero, and the mode changes there, also if the
guard was exactly zero at the start of the step. If an event
or a break made a guard positive at once, the mode changes at the same time,
before the next step. In a diagram without continuous state, steps go from event
to event and guards are looked at there alone.

A derived class calls DeclareGuards() in its constructor. A block that is never
content, since each mode calls for another, is stopped by the Simulator with the
block's name. */
template <typename T>
class ModalBlock : public LeafSystem<T> {
 public:
  ~ModalBlock() override;

 protected:
  explicit ModalBlock(SystemScalarConverter converter);

  /** Declares guards 0 to count - 1. @throws std::logic_error as
  RequireAtLeast(). */
  void DeclareGuards(int count);
  int num_guards() const { return static_cast<int>(witnesses_.size()); }

  /** Returns whether a guard is active in the present mode. */
  virtual bool IsGuardActive(const Context<T>& context, int guard) const = 0;
  /** Computes an active guard. */
  virtual T CalcGuard(const Context<T>& context, int guard) const = 0;
  /** Returns whether an active guard calls for another mode at this moment. The
  default is a positive value. */
  virtual bool IsGuardDue(const Context<T>& context, int guard) const;
  /** Returns the time [s] at which an active guard is due if it waits for a
  time instead of a zero: then an event happens at exactly that time, and
  CalcGuard() is not called. The default is null. */
  virtual std::optional<double> GetGuardTime(const Context<T>& context,
                                             int guard) const;
  /** Changes the mode for a guard that is due or whose zero was found; called
  in the order of the guards, while the Context keeps the state before. Returns
  whether the guards after this one are to be left out. */
  virtual bool ChangeMode(const Context<T>& context, int guard,
                          State<T>* state) const = 0;

  /** Handles all guards that are at zero or above. */
  EventStatus ChangeModes(const Context<T>& context, State<T>* state) const;

  void DoCalcNextUpdateTime(const Context<T>& context,
                            CompositeEventCollection<T>* events,
                            T* time) const final;
  void DoGetWitnessFunctions(
      const Context<T>& context,
      std::vector<const WitnessFunction<T>*>* witnesses) const final;

 private:
  // Whether an active guard is at zero or above, or its time has come.
  bool IsGuardReached(const Context<T>& context, int guard) const;

  const UnrestrictedUpdateEvent<T> change_;
  std::vector<std::unique_ptr<WitnessFunction<T>>> witnesses_;
  // Witness functions for guards that are zero at the start of a step, which
  // they count as negative: a witness function triggers only if its sign
  // changes.
  std::vector<std::unique_ptr<WitnessFunction<T>>> witnesses_from_zero_;
};

}  // namespace wyvern::systems::internal
