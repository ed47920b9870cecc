#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "wyvern/systems/framework/implicit_step.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::systems::internal {

/** Steps of second order with an error estimate, for Systems that advance
themselves by implicit steps, and for all other states of a Diagram. See
ConvexIntegrator for the method. */
template <typename T>
class ConvexSteps {
 public:
  /** Functions of the integrator that takes the steps. */
  struct Surroundings {
    /** Moves the Context to a time and returns its continuous state there. */
    std::function<VectorBase<T>&(const T& t)> move;
    /** Returns whether the derivatives at the Context are finite, and notes
    which are not. Called only if one is not. */
    std::function<bool()> are_derivatives_finite;
  };

  /** Finds the leaves of `system` with continuous state. `system` and `context`
  must outlive this. */
  ConvexSteps(const System<T>& system, const Context<T>& context);
  ~ConvexSteps();

  /** Returns the number of continuous states. */
  int num_states() const { return static_cast<int>(whole_.size()); }
  /** Returns whether some leaf takes implicit steps. */
  bool has_steps() const { return has_steps_; }

  /** Makes a trial of a step of size h from the state `start` at time `t` to
  `t_end` = t + h, where it leaves the Context.
  @param[out] error The error of the state at the end; of the state's size.
  @returns false if the step cannot be made, but a shorter one may be.
  @throws std::runtime_error of a leaf whose step of 1e-9 s has no solution. */
  bool Step(const VectorX<T>& start, const T& t, const T& t_end,
            const Surroundings& surroundings, VectorX<T>* error);

  /** Returns the number of implicit steps since construction or Reset(): three
  for each trial. */
  int64_t num_implicit_steps() const { return num_implicit_steps_; }
  /** Returns the number of evaluations of derivatives of the other leaves. */
  int64_t num_evaluations() const { return num_evaluations_; }
  /** Sets both numbers to 0. */
  void ResetStatistics() { num_implicit_steps_ = num_evaluations_ = 0; }

 private:
  // A leaf with continuous state [q; v; z], and where that starts in the state
  // of the whole, which has leaf after leaf.
  struct Part {
    const System<T>* system{};
    const ImplicitStep<T>* step{};  // Null: explicit.
    const Context<T>* context{};
    int start{}, size{};
    int num_q{}, num_v{};
    VectorX<T> x;
    VectorX<T> guess;
    // The largest error of v that `step` reported.
    double unfollowed{0};
  };

  // Appends the leaves of a System.
  void AddParts(const System<T>& system, const Context<T>& context);
  // Advances the Context's state x by a step of size h; the Context stays. The
  // guess may be null. Returns false if the step cannot be made.
  bool CalcStep(const VectorX<T>& x, double h, const VectorX<T>* guess,
                const Surroundings& surroundings, VectorX<T>* x_next);

  std::vector<Part> parts_;
  bool has_steps_{false};
  VectorX<T> whole_, middle_, end_, guess_;
  int64_t num_implicit_steps_{0};
  int64_t num_evaluations_{0};
};

}  // namespace wyvern::systems::internal
