#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace wyvern::systems::internal {

/** Distinguishes a simulation that crawls, so that nobody would wait for its
end, from one that makes progress. It watches steps that error control alone
shortened, over long stretches. A few short stretches are enough if the System
describes severe difficulties after each of them.

Work is counted, not time, so that a run ends the same way wherever it runs. */
class ProgressWatch {
 public:
  /** A stretch of such steps, at the end of which the simulation crawls. */
  struct Crawl {
    int64_t steps{};
    double way{};  // [s]
    std::string difficulties;
  };

  /** Forgets all earlier steps. */
  void Restart() { *this = {}; }
  /** Records that a step of error control has ended at `time`.
  @param evaluations number of derivative evaluations, from any starting point
  @param max_step_size infinite if there is none
  @param describe returns the System's severe difficulties; empty for none
  @returns the stretch if the simulation crawls. */
  std::optional<Crawl> NoteStep(double time, int64_t evaluations,
                                double boundary_time, double max_step_size,
                                const std::function<std::string()>& describe);
  /** Records that a step has ended at an event or the boundary. */
  void NoteEvent() { long_.steps = 0; }

 private:
  struct Stretch {
    int64_t steps{0};
    int64_t evaluations{0};  // When it began.
    double since{0};
  };
  static void Count(double time, int64_t evaluations, Stretch* stretch);

  Stretch long_;
  Stretch short_;
  // Number of short stretches in a row that were slow for a severe difficulty.
  // Calls of AdvanceTo() do not interrupt them.
  int num_slow_{0};
};

}  // namespace wyvern::systems::internal
