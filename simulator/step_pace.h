#pragma once

#include <cstdint>
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

/** Refuses simulations that would not end: at a pace of less than 1e-9 s a step
at most 1e9 steps in a row are possible. They are those taken so far, in all
calls of AdvanceTo(), and those that lead to the boundary, or to the time 10 s
ahead if that is nearer. Without the last, no simulation to an infinite boundary
could begin. So a boundary that is far away is refused at once, and a series of
near ones in the end.

A pace that is bound to stay is refused at once: that of periodic events, or of
the maximum step size. Timeouts and breaks may come in bursts, so their pace
must hold for 100 calls. */
template <typename T>
class StepPace {
 public:
  /** @param system must outlive this. */
  explicit StepPace(const System<T>* system) : system_(*system) {}

  /** Forgets all steps. */
  void Restart();
  /** Records that the last `steps` steps began at time `since` [s] and ended at
  the Context's time. Judges the pace whenever 1000 steps were recorded, which
  is cheap as long as they were not short.
  @param max_step_size that of the integrator [s]; infinite if there is none or
  no state to integrate.
  @throws std::runtime_error naming the System, its period, the number of steps
  and the remedy if they are too many. */
  void NoteSteps(const Context<T>& context, int64_t steps, double since,
                 double boundary_time, double max_step_size);

 private:
  const System<T>& system_;
  // Steps since the pace was judged, and the time when they began.
  int64_t num_pending_{0};
  double since_{0};
  // Steps in a row at a pace of less than 1e-9 s.
  double num_short_{0};
  // Number of judgements in a row with a pace that is too slow.
  int num_slow_{0};
};

}  // namespace wyvern::systems::internal
