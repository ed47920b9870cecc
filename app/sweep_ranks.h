#pragma once

#include <cstdint>
#include <memory>

namespace wyvern::app {

/** What coordinators of one sweep, on machines with a common folder, know of
each other: ranks 0 to n - 1. Each hands samples to processes of its own; rank 0
has the folder's lock and makes the table. */
class SweepRanks {
 public:
  virtual ~SweepRanks() = default;
  virtual int rank() const = 0;
  virtual int num_ranks() const = 0;
  /** Adds `size` to a counter that all ranks have in common, which begins at 0.
  @returns what it was before. */
  virtual std::uint64_t Take(std::uint64_t size) = 0;
  /** Tells what this rank has done. @returns the sums of all ranks' last. */
  struct Counts {
    std::uint64_t num_done{};
    std::uint64_t num_failed{};
  };
  virtual Counts Share(const Counts& own) = 0;
  /** Waits for all ranks. @returns whether `is_good` is true of each. */
  virtual bool Agree(bool is_good) = 0;
};

/** The ranks that `mpirun -n N` started, of which this process is one; null if
it did not, or started one. @throws std::runtime_error if the program was built
without WYVERN_MPI and is one of several. */
std::unique_ptr<SweepRanks> JoinMpiRanks();

}  // namespace wyvern::app
