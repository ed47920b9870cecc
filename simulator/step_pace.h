#pragma once

#include <string>
#include <vector>

#include "wyvern/systems/framework/system.h"

namespace wyvern::systems::internal {

/** A System that ends the Simulator's next step. */
struct SoonStop {
  /** Path and type, for messages. */
  std::string name;
  /** The shortest period of its periodic events [s]; infinite if there are
  none. */
  double period{};
};

/** Finds the leaf Systems of `system` whose next update or break comes within
`delay` [s] after the Context's time. A Diagram is listed itself if it asks for
an update that none of its parts asks for. */
template <typename T>
std::vector<SoonStop> FindSoonStops(const System<T>& system,
                                    const Context<T>& context, double delay);

/** Refuses a boundary that is out of reach: at the present pace there are more
than 1e10 steps to it, or to the time 10 s ahead if that is nearer. Without the
second, no simulation to an infinite boundary could begin.

A pace that is bound to stay is refused at once: that of periodic events, or of
the maximum step size. Timeouts and breaks may come in bursts, so their pace
must hold for 100 calls. */
template <typename T>
class StepPace {
 public:
  /** @param system must outlive this. */
  explicit StepPace(const System<T>* system) : system_(*system) {}

  /** Records that the last `steps` steps began at time `since` [s] and ended at
  the Context's time. It is cheap as long as they were not short.
  @param max_step_size that of the integrator [s]; infinite if there is none or
  no state to integrate.
  @throws std::runtime_error naming the System, its period, the number of steps
  to the boundary and the remedy if the boundary is out of reach. */
  void NoteSteps(const Context<T>& context, int steps, double since,
                 double boundary_time, double max_step_size);

 private:
  const System<T>& system_;
  // Number of calls in a row with a pace that is too slow.
  int num_slow_{0};
};

}  // namespace wyvern::systems::internal
