#pragma once

#include <map>
#include <memory>
#include <string>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/algebraic_loop.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Settings of a LoopSolver. */
struct LoopSolverOptions {
  /** Start of each solution; all zeros if it is empty. */
  Eigen::VectorXd guess;
  /** A solution has |x - f(x)| <= tolerance max(1, |x|) in each element. The
  solver then improves it for as long as the residual halves. */
  double tolerance{1e-10};
  /** Most Newton steps of one solution. */
  int max_iterations{50};
};

/** Solves an algebraic loop, x = f(x), by Newton's method. It stands in one
connection of the loop: input port `u` takes f(x), and output port `y` is x.

```
  sum ---> gain ---> LoopSolver --.      LoopSolver<double>::AddToDiagram(
   ^                              |          sum->get_input_port(1), &builder);
   '------------------------------'
```

f is all that leads from `y` to `u`, at the time, state, parameters and inputs
of the Context. The Jacobian is that of forward differences with the steps
sqrt(2^-52) max(1, |x|). A Newton step is halved, at most 20 times, until the
residual's norm decreases. Every solution starts from the same guess, so it
depends on the Context alone and not on earlier solutions. AutoDiffXd has the
derivatives of the implicit function theorem: (I - df/dx) dx = df.

The solver evaluates f in a copy of the root Context, which it keeps. Memory is
twice that of the Context. Loops within loops have copies of copies: 2^k
Contexts for k solvers that need each other, at most for k = 6. Any change of
the Context makes the solution stale.

Port `trial` belongs to the solver; do not connect it. */
template <typename T>
class LoopSolver final : public LeafSystem<T>, public internal::SolvesLoop {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LoopSolver);

  /** Makes a solver for vectors of `size` elements.
  @throws std::logic_error if the size is not positive, the guess has another
  size or is not finite, the tolerance is not positive and finite, or there is
  no iteration. */
  explicit LoopSolver(int size, const LoopSolverOptions& options = {});
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LoopSolver(const LoopSolver<U>& other);
  ~LoopSolver() override;

  /** Adds a solver to the connection that ends at `input`; see
  DiagramBuilder::InsertBefore(). Its name is that of the System and the port.
  @throws std::logic_error if `builder` is null, or as the constructor. */
  static LoopSolver<T>* AddToDiagram(const InputPort<T>& input,
                                     DiagramBuilder<T>* builder,
                                     const LoopSolverOptions& options = {},
                                     const CallSite& at = CallSite::Here());

  /** The options of the constructor. */
  const LoopSolverOptions& options() const { return options_; }
  /** True if all options have their defaults. */
  bool has_default_options() const;
  std::multimap<int, int> GetDirectFeedthroughs() const final;

 private:
  template <typename U>
  friend class LoopSolver;
  struct Work;

  void Solve(const Context<T>& context, BasicVector<T>* y) const;
  bool IsSolved(const Work& work) const;
  void Iterate(Work* work) const;
  void CalcJacobian(Work* work) const;
  bool Step(Work* work) const;
  void Improve(Work* work) const;
  void SolveDerivatives(Work* work, BasicVector<T>* y) const;
  double CalcResidual(const Eigen::VectorXd& x, Work* work,
                      Eigen::VectorXd* residual) const;
  [[noreturn]] void ThrowUnsolved(const Work& work,
                                  const std::string& reason) const;

  const int size_;
  const LoopSolverOptions options_;
  // Names of the ports at both ends of the connection, for messages.
  std::string connection_;
  const CacheEntry* work_{};
};

}  // namespace wyvern::systems
