#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace wyvern::app {

/** Options of `wyvern sweep`. */
struct SweepCommand {
  /** File of the scenario. */
  std::string scenario;
  /** "path=value", as for a run. */
  std::vector<std::string> settings;
  /** Each --plugin, for the commands that run a sample again; they are loaded
  already. */
  std::vector<std::string> plugins;
  /** Each --param. */
  std::vector<std::string> parameters;
  /** Each --output; empty: plant/state. */
  std::vector<std::string> outputs;
  /** --samples; 0: the grid once. */
  std::uint64_t num_samples{0};
  /** --seed */
  std::uint64_t seed{0};
  /** --jobs; 0: one for each processor. */
  int jobs{0};
  /** "i/n"; empty: all samples. */
  std::string shard;
  /** --resume */
  bool resume{false};
  /** --keep */
  bool keep{false};
  /** --timeout, s. */
  double timeout{600};
  /** --lost-after, s. */
  double lost_after{60};
  /** File for a page about the sweep; empty: none. */
  std::string report;
  /** Empty: by the scenario's name. */
  std::string folder;
};

/** Does a sweep, with a line about it on a terminal, and tells its statistics.
Ctrl-C ends it, to be resumed.
@throws std::exception if it cannot be done, or did not come to its end. */
void RunSweepCommand(const SweepCommand& command, std::ostream& out);

}  // namespace wyvern::app
