// MPI's part in a sweep is a window of numbers at rank 0: the counter that
// ranks take samples by, and what each has done. They are read and changed
// without rank 0 taking part, where memory is shared; over a network, whenever
// it calls MPI, which it does a thousand times a second.
#include "wyvern/app/sweep_ranks.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

#if WYVERN_MPI
#include <mpi.h>
#endif

namespace wyvern::app {

namespace {

// As Open MPI, and what goes by PMI (MPICH, Slurm's srun), tell it.
bool IsOneOfSeveral() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = std::getenv(name);
    if (size != nullptr && std::atoi(size) > 1) return true;
  }
  return false;
}

#if WYVERN_MPI
class MpiRanks final : public SweepRanks {
 public:
  MpiRanks() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &num_ranks_);
    const MPI_Aint count = rank_ == 0 ? 1 + 2 * num_ranks_ : 0;
    MPI_Win_allocate(count * static_cast<MPI_Aint>(sizeof(std::uint64_t)),
                     sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory_, &window_);
    for (MPI_Aint i = 0; i < count; ++i) memory_[i] = 0;
    MPI_Win_lock_all(0, window_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~MpiRanks() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Finalize();
  }
  MpiRanks(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int num_ranks() const override { return num_ranks_; }
  std::uint64_t Take(std::uint64_t size) override {
    return Change(0, size, MPI_SUM);
  }
  Counts Share(const Counts& own) override {
    Change(1 + 2 * rank_, own.num_done, MPI_REPLACE);
    Change(2 + 2 * rank_, own.num_failed, MPI_REPLACE);
    Counts sum;
    if (rank_ != 0) return sum;
    for (int i = 0; i < num_ranks_; ++i) {
      sum.num_done += Change(1 + 2 * i, 0, MPI_NO_OP);
      sum.num_failed += Change(2 + 2 * i, 0, MPI_NO_OP);
    }
    return sum;
  }
  bool Agree(bool is_good) override {
    int all = is_good ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all == 1;
  }

 private:
  // @returns the number before.
  std::uint64_t Change(int index, std::uint64_t value, MPI_Op operation) {
    std::uint64_t before{};
    MPI_Fetch_and_op(&value, &before, MPI_UINT64_T, 0, index, operation,
                     window_);
    MPI_Win_flush(0, window_);
    return before;
  }

  int rank_{};
  int num_ranks_{};
  std::uint64_t* memory_{};
  MPI_Win window_{};
};
#endif

}  // namespace

std::unique_ptr<SweepRanks> JoinMpiRanks() {
  if (!IsOneOfSeveral()) return nullptr;
#if WYVERN_MPI
  return std::make_unique<MpiRanks>();
#else
  throw std::runtime_error(
      "RunSweep(): this is one of several processes that mpirun started, and "
      "the program was built without MPI; build it with -DWYVERN_MPI=ON, or "
      "give shards (--shard).");
#endif
}

}  // namespace wyvern::app
