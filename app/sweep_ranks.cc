#include "wyvern/app/sweep_ranks.h"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#if WYVERN_MPI
#include <mpi.h>
#endif

/* Ranks wait for each other by numbers that they have in common, and not by
MPI's collective calls, which a rank that is gone would hold up for ever.
Each counts up a number as a sign of life. Rank 0 looks at who has arrived
and who still lives, and then puts down a decision, for which the others
wait, as long as rank 0 lives.

MPI's part is a window of numbers at rank 0. They are read and changed
without rank 0 taking part, where memory is shared; over a network, whenever
it calls MPI, which it does a thousand times a second. */

namespace wyvern::app {

namespace {

constexpr std::chrono::milliseconds kBeatPeriod(100);
constexpr std::chrono::milliseconds kLookPeriod(1);

// As Open MPI, and what goes by PMI (MPICH, Slurm's srun), tell it.
bool IsOneOfSeveral() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = std::getenv(name);
    if (size != nullptr && std::atoi(size) > 1) return true;
  }
  return false;
}

#if WYVERN_MPI
class MpiNumbers final : public CommonNumbers {
 public:
  MpiNumbers() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &num_ranks_);
    const MPI_Aint count =
        rank_ == 0 ? SweepRanks::CountNumbers(num_ranks_) : 0;
    MPI_Win_allocate(count * static_cast<MPI_Aint>(sizeof(std::uint64_t)),
                     sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory_, &window_);
    for (MPI_Aint i = 0; i < count; ++i) memory_[i] = 0;
    MPI_Win_lock_all(0, window_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MpiNumbers(const MpiNumbers&) = delete;

  int rank() const { return rank_; }
  int num_ranks() const { return num_ranks_; }

  std::uint64_t Change(int index, Operation operation,
                       std::uint64_t value) override {
    std::uint64_t before{};
    MPI_Fetch_and_op(&value, &before, MPI_UINT64_T, 0, index,
                     operation == Operation::kRead  ? MPI_NO_OP
                     : operation == Operation::kAdd ? MPI_SUM
                                                    : MPI_REPLACE,
                     window_);
    MPI_Win_flush(0, window_);
    return before;
  }
  // All of these wait for all.
  void Leave(bool is_anyone_lost) override {
    if (is_anyone_lost) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Finalize();
  }

 private:
  int rank_{};
  int num_ranks_{};
  std::uint64_t* memory_{};
  MPI_Win window_{};
};
#endif

}  // namespace

/** Whether a rank has given no sign of life for long, by looks at it. */
class SweepRanks::Watch {
 public:
  Watch(SweepRanks* ranks, int rank)
      : ranks_(*ranks), place_(PlaceOf(rank, kBeat)) {}
  bool IsLost() {
    const std::uint64_t beat = ranks_.Get(place_);
    const Clock::time_point now = Clock::now();
    if (beat != beat_) {
      beat_ = beat;
      seen_ = now;
    }
    return now - seen_ > ranks_.patience_;
  }

 private:
  SweepRanks& ranks_;
  const int place_;
  std::uint64_t beat_{0};
  Clock::time_point seen_{Clock::now()};
};

SweepRanks::SweepRanks(int rank, int num_ranks,
                       std::unique_ptr<CommonNumbers> numbers, double patience)
    : rank_(rank),
      num_ranks_(num_ranks),
      numbers_(std::move(numbers)),
      patience_(std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(patience))),
      is_lost_(num_ranks) {}

SweepRanks::~SweepRanks() { numbers_->Leave(num_lost_ > 0); }

int SweepRanks::CountNumbers(int num_ranks) {
  return PlaceOf(num_ranks, RankPlace{});
}

void SweepRanks::Beat() {
  const Clock::time_point now = Clock::now();
  if (now - last_beat_ < kBeatPeriod) return;
  last_beat_ = now;
  numbers_->Change(PlaceOf(rank_, kBeat), Operation::kAdd, 1);
}

std::uint64_t SweepRanks::Take(std::uint64_t size) {
  Beat();
  return numbers_->Change(kCounter, Operation::kAdd, size);
}

SweepRanks::Counts SweepRanks::Share(const Counts& own) {
  Beat();
  Set(PlaceOf(rank_, kDone), own.num_done);
  Set(PlaceOf(rank_, kFailed), own.num_failed);
  Counts sum;
  if (rank_ != 0) return sum;
  for (int i = 0; i < num_ranks_; ++i) {
    sum.num_done += Get(PlaceOf(i, kDone));
    sum.num_failed += Get(PlaceOf(i, kFailed));
  }
  return sum;
}

bool SweepRanks::Agree(bool is_good) {
  ++turn_;
  if (rank_ == 0) return Decide(is_good);
  Set(PlaceOf(rank_, kArrival), 2 * turn_ + (is_good ? 1 : 0));
  return AwaitDecision();
}

bool SweepRanks::Decide(bool is_good) {
  const int num_lost_before = num_lost_;
  for (int i = 1; i < num_ranks_; ++i) {
    Watch watch(this, i);
    while (!is_lost_[i]) {
      const std::uint64_t arrival = Get(PlaceOf(i, kArrival));
      if (arrival / 2 >= turn_) {
        is_good = is_good && arrival % 2 == 1;
        break;
      }
      if (watch.IsLost()) {
        is_lost_[i] = true;
        Set(PlaceOf(i, kIsLost), 1);
        ++num_lost_;
      }
      Beat();
      std::this_thread::sleep_for(kLookPeriod);
    }
  }
  // Nobody takes now: all wait for the decision.
  if (num_lost_ > num_lost_before) Set(kCounter, 0);
  Set(kNumLost, num_lost_);
  Set(kDecision, 2 * turn_ + (is_good ? 1 : 0));
  return is_good;
}

bool SweepRanks::AwaitDecision() {
  Watch watch(this, 0);
  while (true) {
    if (Get(PlaceOf(rank_, kIsLost)) != 0) {
      num_lost_ = 1;
      throw std::runtime_error(fmt::format(
          "RunSweep(): rank {} gave no sign of life for {} s, and was taken "
          "for lost; give more time if it was not (--lost-after).",
          rank_, std::chrono::duration<double>(patience_).count()));
    }
    const std::uint64_t decision = Get(kDecision);
    if (decision / 2 >= turn_) {
      num_lost_ = static_cast<int>(Get(kNumLost));
      return decision % 2 == 1;
    }
    if (watch.IsLost()) {
      num_lost_ = 1;
      throw std::runtime_error(fmt::format(
          "RunSweep(): rank 0 is lost, without which rank {} can do nothing; "
          "what was done is kept: resume (--resume).",
          rank_));
    }
    Beat();
    std::this_thread::sleep_for(kLookPeriod);
  }
}

std::unique_ptr<SweepRanks> JoinMpiRanks([[maybe_unused]] double patience) {
  if (!IsOneOfSeveral()) return nullptr;
#if WYVERN_MPI
  auto numbers = std::make_unique<MpiNumbers>();
  const int rank = numbers->rank(), num_ranks = numbers->num_ranks();
  return std::make_unique<SweepRanks>(rank, num_ranks, std::move(numbers),
                                      patience);
#else
  throw std::runtime_error(
      "RunSweep(): this is one of several processes that mpirun started, and "
      "the program was built without MPI; build it with -DWYVERN_MPI=ON, or "
      "give shards (--shard).");
#endif
}

}  // namespace wyvern::app
