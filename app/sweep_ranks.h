#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::app {

/** Numbers that the processes of a sweep have in common, 0 at first. */
class CommonNumbers {
 public:
  /** Says what Change() does with `value`: nothing, adds it, or replaces by it.
   */
  enum class Operation { kRead, kAdd, kReplace };
  virtual ~CommonNumbers() = default;
  /** Changes number `index`, at once for all. @returns what it was before. */
  virtual std::uint64_t Change(int index, Operation operation,
                               std::uint64_t value) = 0;
  /** Called last. @param is_anyone_lost whether a process is gone, so that
  there is no waiting for all. */
  virtual void Leave(bool is_anyone_lost) = 0;
};

/** Coordination of one sweep by ranks 0 to n - 1 on machines with a common
folder. Each rank hands samples to processes of its own; rank 0 has the folder's
lock and makes the table. A rank gives signs of life whenever it takes, shares
or waits; a rank that gives none for long, while others wait for it, is lost,
and others do its samples. */
class SweepRanks final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SweepRanks);

  /** @param patience wall time without a sign of life after which a rank is
  lost, [s]. */
  SweepRanks(int rank, int num_ranks, std::unique_ptr<CommonNumbers> numbers,
             double patience);
  ~SweepRanks();

  /** How many numbers ranks have in common. */
  static int CountNumbers(int num_ranks);

  /** Returns this process's number. */
  int rank() const { return rank_; }
  /** Returns how many processes there were at the start. */
  int num_ranks() const { return num_ranks_; }
  /** Adds `size` to a counter that all ranks have in common, which begins at 0,
  and again at the end of an Agree() in which a rank was found lost.
  @returns what it was before. */
  std::uint64_t Take(std::uint64_t size);
  /** Tells what this rank has done. @returns for rank 0 the sums of all ranks'
  last. */
  struct Counts {
    /** Samples that are done, failed ones among them. */
    std::uint64_t num_done{};
    /** Samples that failed. */
    std::uint64_t num_failed{};
  };
  /** Tells what this rank has done. */
  Counts Share(const Counts& own);
  /** Waits for all ranks that are not lost.
  @returns whether `is_good` is true of each.
  @throws std::runtime_error if rank 0 is lost, or takes this rank for lost. */
  bool Agree(bool is_good);
  /** Ranks that were lost by the last Agree(): the same number for all. */
  int num_lost() const { return num_lost_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Operation = CommonNumbers::Operation;
  class Watch;

  // Places of numbers: three of all, and some of each rank.
  enum Place { kCounter, kDecision, kNumLost, kNumCommon };
  enum RankPlace { kDone, kFailed, kBeat, kArrival, kIsLost, kNumOfRank };
  static int PlaceOf(int rank, RankPlace place) {
    return kNumCommon + rank * kNumOfRank + place;
  }
  std::uint64_t Get(int place) {
    return numbers_->Change(place, Operation::kRead, 0);
  }
  void Set(int place, std::uint64_t value) {
    numbers_->Change(place, Operation::kReplace, value);
  }
  // A sign of life, ten times a second at most.
  void Beat();
  bool Decide(bool is_good);
  bool AwaitDecision();

  const int rank_;
  const int num_ranks_;
  const std::unique_ptr<CommonNumbers> numbers_;
  const Clock::duration patience_;
  Clock::time_point last_beat_{};
  // Calls of Agree(), which are the same in all ranks.
  std::uint64_t turn_{0};
  int num_lost_{0};
  // Ranks that rank 0 no longer waits for.
  std::vector<bool> is_lost_;
};

/** The ranks that `mpirun -n N` started, of which this process is one; null if
it did not, or started one. @param patience as of SweepRanks.
@throws std::runtime_error if the program was built without WYVERN_MPI and is
one of several. */
std::unique_ptr<SweepRanks> JoinMpiRanks(double patience);

}  // namespace wyvern::app
