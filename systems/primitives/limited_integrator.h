#pragma once

#include <limits>

#include "wyvern/systems/primitives/modal_block.h"

namespace wyvern::systems {

/** Options of a LimitedIntegrator. */
struct LimitedIntegratorOptions {
  /** The limits of the state; infinite: none. */
  double lower{-std::numeric_limits<double>::infinity()};
  /** The upper limit; infinite for none. */
  double upper{std::numeric_limits<double>::infinity()};
  /** The state at the start and after a reset, unless there is a port for it.
   */
  double initial_value{0};
  /** Whether there is an input port `reset` of size 1. */
  bool has_reset_port{false};
  /** Whether there is an input port `initial_value`. */
  bool has_initial_value_port{false};
};

/** dx/dt = u, but 0 where x is at a limit and u points outwards; y = x.

The state stays at a limit exactly, until u points inwards again. When `reset`
rises to 0.5, the state is set to the initial value, once. Arrivals at a limit,
departures and resets end the integrator's steps. With a port `initial_value`,
a new Context starts from its value when it is initialized, too; a copied or
saved one goes on.

Input ports `u`, `reset` and `initial_value`, the last two on request; output
port `y`; no direct feedthrough. The discrete state holds for each element 1 at
the upper limit, -1 at the lower and 0 between; then, with a reset port, whether
`reset` is up; and last, with a port `initial_value`, whether it has been
read. */
template <typename T>
class LimitedIntegrator final : public internal::ModalBlock<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LimitedIntegrator);

  /** Takes the limits and the initial value, which are the same for each of
  `size` elements.
  @throws std::logic_error unless lower < upper, neither is NaN, the initial
  value is from lower to upper, and `size` is at least 1. */
  explicit LimitedIntegrator(const LimitedIntegratorOptions& options,
                             int size = 1);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LimitedIntegrator(const LimitedIntegrator<U>& other)
      : LimitedIntegrator(other.options(), other.get_input_port(0).size()) {}

  /** The options that were given to the constructor. */
  const LimitedIntegratorOptions& options() const { return options_; }

 private:
  int size() const { return this->get_input_port(0).size(); }
  int Mode(const Context<T>& context, int i) const;
  bool IsResetUp(const Context<T>& context) const;
  // Where the discrete state notes that the initial value has been read.
  int started_index() const {
    return size() + (options_.has_reset_port ? 1 : 0);
  }
  // Sets the state to the initial value, within the limits.
  void SetInitial(const Context<T>& context, State<T>* state) const;
  EventStatus Start(const Context<T>& context, State<T>* state) const;
  // Guard 3 i + k: of element i arriving at the upper limit, arriving at the
  // lower one, leaving one. The guard after these: of the reset signal.
  bool IsGuardActive(const Context<T>& context, int guard) const final;
  T CalcGuard(const Context<T>& context, int guard) const final;
  bool IsGuardDue(const Context<T>& context, int guard) const final;
  bool ChangeMode(const Context<T>& context, int guard,
                  State<T>* state) const final;
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;

  const LimitedIntegratorOptions options_;
};

}  // namespace wyvern::systems
