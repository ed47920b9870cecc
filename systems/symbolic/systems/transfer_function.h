#pragma once

#include <memory>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/symbolic/algebra/rational_function.h"

namespace wyvern::systems {

/** A linear system seen from its ports: Y(s) = H(s) U(s) in continuous time,
Y(z) = H(z) U(z) in discrete time, H a matrix of rational functions of one
variable with a row an output and a column an input.
@code
auto s = TransferFunction::s();
const TransferFunction second_order(1.0 / (s * s + 2.0 * s + 1.0));
auto system = MakeLinearSystem(second_order);
@endcode */
class TransferFunction final {
 public:
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(TransferFunction);

  /** H(s) = 0, of one input and one output. */
  TransferFunction() : TransferFunction(symbolic::RationalFunction()) {}
  /** @param time_step [s]; 0 for continuous time.
  @throws std::logic_error if the time step is negative or not finite, H is
  empty, or an entry has another variable than s_var(), or z_var() in discrete
  time, or a coefficient that is not a finite number. */
  explicit TransferFunction(MatrixX<symbolic::RationalFunction> H,
                            double time_step = 0.0);
  /** Makes a transfer function of one input and one output. */
  explicit TransferFunction(symbolic::RationalFunction H,
                            double time_step = 0.0);

  /** Returns H, a row an output and a column an input. */
  const MatrixX<symbolic::RationalFunction>& H() const { return H_; }
  /** Returns the time step, s; 0 for continuous time. */
  double time_step() const { return time_step_; }

  /** The variable of continuous time, 1/s, the same at each call. */
  static symbolic::Variable s_var();
  /** The variable of discrete time. */
  static symbolic::Variable z_var();
  /** These as functions, to make others of. */
  static symbolic::RationalFunction s();
  /** Returns the function z. */
  static symbolic::RationalFunction z();

 private:
  MatrixX<symbolic::RationalFunction> H_;
  double time_step_{};
};

/** C (s I - A)^-1 B + D of a System, with the characteristic polynomial of A as
the denominator of each entry; by the method of Leverrier and Faddeev, which is
for a dozen states, and loses digits with more.
@throws std::logic_error if coefficients grow beyond what a double holds. */
TransferFunction MakeTransferFunction(const LinearSystem<double>& system);

/** A System with that transfer function: for each input, a chain of integrators
(or delays) as long as the degree of the least common multiple that is easily
found, which is the denominator if all outputs share it, and the product of
those that differ otherwise. So it is controllable, and may have more states
than need be. (Kailath, Linear Systems, 1980, section 6.4: the controller form.)
@throws std::logic_error if an entry's numerator has a higher degree than its
denominator: no System has that. */
std::unique_ptr<LinearSystem<double>> MakeLinearSystem(
    const TransferFunction& transfer_function);

}  // namespace wyvern::systems
