#include "wyvern/app/sweep.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wyvern/app/sweep_folder.h"
#include "wyvern/app/sweep_hdf5.h"
#include "wyvern/app/sweep_records.h"
#include "wyvern/systems/common/file_paths.h"

/* A coordinator hands ranges of samples to processes, which ask for them one
range at a time over a socket each, and append results to a file each; no
lock is shared. What a process is at stands in memory that it shares with the
coordinator, so that of a process that dies the coordinator knows the sample
that is at fault, what of its range is left, and nothing is done twice.
Ranges shrink towards the end, for all processes to end at about the same
time.

With ranks there are several coordinators: each takes ranges of a counter
that they have in common, and hands out parts of those as before. Should a
rank be lost, those that are left go through the counter once more, and do
what has no row. Rank 0 has the lock, and makes the table when all have
ended.

Samples have positions: those of a shard are numbered without gaps. What is
done when a sweep begins is a bit each, which processes inherit. */

namespace wyvern::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostPositions = 1'000'000'000;
constexpr int kMostJobs = 1024;
constexpr int kMostDeaths = 10;
constexpr int kCannotWrite = 3;
constexpr std::uint64_t kChunkOfMissing = 32;

std::int64_t NowInNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/** Positions from `first` to before `last`. */
struct Range {
  std::uint64_t first{};
  std::uint64_t last{};
};

/** Shared progress of one worker process. */
struct SharedCell {
  // All of its range before this is in its file.
  std::atomic<std::uint64_t> position{0};
  std::atomic<bool> is_running{false};
  std::atomic<std::int64_t> began{0};
  std::atomic<std::uint64_t> done_before{0};
  std::atomic<std::uint64_t> num_done{0};
  std::atomic<std::uint64_t> num_failed{0};
  char error[512]{};
};

struct SharedPage {
  std::atomic<bool> should_stop{false};
  SharedCell cells[kMostJobs];
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/** One process, as the coordinator sees it. */
struct Worker {
  pid_t process{-1};
  int socket{-1};
  Range range;
  // Sample for which the worker was killed because it took too long.
  std::optional<std::uint64_t> overdue;
};

class Coordinator {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Coordinator);

  Coordinator(const SweepStudy& study, const SweepOptions& options,
              const SweepFolder& folder)
      : study_(study), options_(options), folder_(folder) {
    const std::uint64_t shard = options.shard;
    const std::uint64_t total = study.plan.num_samples();
    num_positions_ =
        total <= shard ? 0 : (total - shard - 1) / options.num_shards + 1;
    if (num_positions_ > kMostPositions) {
      throw std::runtime_error(
          fmt::format("RunSweep(): {} samples are more than one coordinator "
                      "takes, {}; give shards.",
                      num_positions_, kMostPositions));
    }
    is_done_.resize(num_positions_);
    folder.Read([&](std::uint64_t sample, std::string_view row) {
      if (sample % options.num_shards != shard || sample >= total) return;
      const std::uint64_t position = sample / options.num_shards;
      if (is_done_[position]) return;
      is_done_[position] = true;
      ++num_resumed_;
      num_failed_before_ += SplitCsvRow(row).at(1) != "ok";
    });
    void* const memory =
        mmap(nullptr, sizeof(SharedPage), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      ThrowSweepSystemError("there is no memory to share");
    page_ = new (memory) SharedPage;
  }

  ~Coordinator() {
    for (Worker& worker : workers_) {
      if (worker.process < 0) continue;
      kill(worker.process, SIGKILL);
      waitpid(worker.process, nullptr, 0);
      close(worker.socket);
    }
    munmap(page_, sizeof(SharedPage));
  }

  SweepSummary Run() {
    const std::uint64_t missing = num_positions_ - num_resumed_;
    // A user who starts ranks starts one per processor.
    const int processors =
        options_.ranks != nullptr
            ? 1
            : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    int jobs = options_.jobs > 0 ? options_.jobs : processors;
    jobs = static_cast<int>(std::min<std::uint64_t>(
        std::clamp(jobs, 1, kMostJobs), std::max<std::uint64_t>(missing, 1)));
    workers_.resize(jobs);
    if (missing > 0) {
      for (int i = 0; i < jobs; ++i) Start(i);
    }
    while (num_alive_ > 0) {
      Listen();
      if (options_.should_stop && options_.should_stop()) {
        page_->should_stop = true;
      }
      KillWhatIsOverdue();
      if (options_.report) options_.report(MakeProgressOfAll());
    }
    const SweepProgress progress = MakeProgress();
    return {.num_samples = num_positions_,
            .num_done = progress.num_done,
            .num_failed = progress.num_failed,
            .num_resumed = num_resumed_,
            .is_complete = progress.num_done == num_positions_,
            .num_lost_ranks = 0,
            .table = {},
            .hdf5_table = {}};
  }

 private:
  std::uint64_t SampleAt(std::uint64_t position) const {
    return options_.shard + position * options_.num_shards;
  }

  std::string RankPrefix() const {
    return options_.ranks == nullptr
               ? ""
               : fmt::format("rank_{}_", options_.ranks->rank());
  }

  fs::path RowsOf(int slot) const {
    return folder_.path() / fmt::format("{}{}.rows", RankPrefix(), slot);
  }

  SweepProgress MakeProgress() const {
    SweepProgress result{.num_samples = num_positions_,
                         .num_done = num_resumed_ + num_crashed_,
                         .num_failed = num_failed_before_ + num_crashed_};
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      result.num_done += page_->cells[i].num_done;
      result.num_failed += page_->cells[i].num_failed;
    }
    return result;
  }

  SweepProgress MakeProgressOfAll() const {
    SweepProgress result = MakeProgress();
    if (options_.ranks == nullptr) return result;
    const SweepRanks::Counts all =
        options_.ranks->Share({result.num_done - num_resumed_,
                               result.num_failed - num_failed_before_});
    result.num_done = num_resumed_ + all.num_done;
    result.num_failed = num_failed_before_ + all.num_failed;
    return result;
  }

  void Start(int slot) {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
      ThrowSweepSystemError("a process cannot be talked to");
    }
    const pid_t coordinator = getpid();
    const pid_t process = fork();
    if (process < 0) {
      close(sockets[0]);
      close(sockets[1]);
      ThrowSweepSystemError("a process cannot be started");
    }
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != coordinator) _exit(1);
      // The coordinator handles the terminal's Ctrl-C.
      std::signal(SIGINT, SIG_IGN);
      std::signal(SIGTERM, SIG_DFL);
      for (const Worker& other : workers_) {
        if (other.process >= 0) close(other.socket);
      }
      close(sockets[0]);
      _exit(Work(slot, sockets[1]));
    }
    close(sockets[1]);
    workers_[slot] = {
        .process = process, .socket = sockets[0], .range = {}, .overdue = {}};
    ++num_alive_;
  }

  // Runs a worker process; returns its exit code.
  int Work(int slot, int socket) {
    SharedCell& cell = page_->cells[slot];
    try {
      const std::string errors = RowsOf(slot).replace_extension("err").string();
      const int descriptor =
          open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
      if (descriptor >= 0) dup2(descriptor, STDERR_FILENO);
      SweepRecords records(RowsOf(slot));
      for (;;) {
        Range range;
        if (write(socket, "?", 1) != 1 ||
            recv(socket, &range, sizeof(range), MSG_WAITALL) != sizeof(range) ||
            range.first == range.last) {
          return 0;
        }
        for (std::uint64_t p = range.first; p < range.last; ++p) {
          if (page_->should_stop) break;
          if (!is_done_[p] && !DoSample(p, &cell, &records)) break;
          cell.position = p + 1;
          cell.is_running = false;
        }
      }
    } catch (const std::exception& error) {
      const std::string text = error.what();
      text.copy(cell.error, sizeof(cell.error) - 1);
      return kCannotWrite;
    }
  }

  // Whether the result is kept.
  bool DoSample(std::uint64_t position, SharedCell* cell,
                SweepRecords* records) {
    const SweepSample sample = study_.plan.MakeSample(SampleAt(position));
    cell->began = NowInNanoseconds();
    cell->done_before = cell->num_done.load();
    cell->is_running = true;
    SampleResult result;
    const char* status = "ok";
    try {
      result =
          study_.function(sample, [this] { return page_->should_stop.load(); });
      if (result.values.size() != study_.outputs.size()) {
        throw std::logic_error(
            fmt::format("the study has {} outputs, its function gave {}",
                        study_.outputs.size(), result.values.size()));
      }
    } catch (const std::exception& error) {
      result = {{}, error.what()};
      status = "failed";
    } catch (...) {
      result = {{}, "something was thrown that is no std::exception"};
      status = "failed";
    }
    if (page_->should_stop) return false;
    records->Append(MakeRow(sample, status, result));
    ++cell->num_done;
    if (*status == 'f') ++cell->num_failed;
    return true;
  }

  std::string MakeRow(const SweepSample& sample, const char* status,
                      const SampleResult& result) const {
    std::string row = fmt::format("{},{}", sample.index, status);
    for (std::size_t i = 0; i < study_.outputs.size(); ++i) {
      row +=
          i < result.values.size() ? fmt::format(",{}", result.values[i]) : ",";
    }
    row += fmt::format(",{}", sample.seed);
    for (const std::string& value : sample.values) {
      row += "," + ToCsvField(value);
    }
    return row + "," + ToCsvField(result.note);
  }

  // Answers and reaps for a tenth of a second at most.
  void Listen() {
    std::vector<pollfd> polled;
    std::vector<int> slots;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].process < 0) continue;
      polled.push_back({workers_[i].socket, POLLIN, 0});
      slots.push_back(static_cast<int>(i));
    }
    const std::int64_t until = NowInNanoseconds() + 100'000'000;
    // Other ranks may wait for this one to look.
    const int nap = options_.ranks == nullptr ? 100 : 1;
    do {
      if (options_.ranks != nullptr) options_.ranks->Take(0);
      if (poll(polled.data(), polled.size(), nap) < 0) {
        if (errno == EINTR) return;
        ThrowSweepSystemError("processes cannot be listened to");
      }
      bool has_ended = false;
      for (std::size_t k = 0; k < polled.size(); ++k) {
        if (polled[k].revents == 0) continue;
        char question{};
        if (read(polled[k].fd, &question, 1) == 1) {
          Answer(slots[k]);
        } else {
          Reap(slots[k]);
          has_ended = true;
        }
      }
      if (has_ended) return;
    } while (NowInNanoseconds() < until);
  }

  void Answer(int slot) {
    Worker& worker = workers_[slot];
    worker.range = page_->should_stop ? Range{} : NextRange();
    page_->cells[slot].position = worker.range.first;
    // If it has died, its socket says so next.
    (void)send(worker.socket, &worker.range, sizeof(Range), MSG_NOSIGNAL);
  }

  Range NextRange() {
    if (!left_over_.empty()) {
      const Range range = left_over_.front();
      left_over_.pop_front();
      return range;
    }
    const std::uint64_t num_ranks =
        options_.ranks == nullptr ? 1 : options_.ranks->num_ranks();
    if (options_.ranks == nullptr) SkipWhatIsDone();
    const std::uint64_t share =
        (num_positions_ - cursor_) / (4 * workers_.size() * num_ranks);
    const std::uint64_t size = std::clamp<std::uint64_t>(
        share, 1, std::max<std::uint64_t>(options_.chunk, 1));
    if (options_.ranks != nullptr) {
      cursor_ = std::min(options_.ranks->Take(size), num_positions_);
    }
    const Range range{cursor_, std::min(cursor_ + size, num_positions_)};
    cursor_ = range.last;
    return range;
  }

  void SkipWhatIsDone() {
    while (cursor_ < num_positions_ && is_done_[cursor_]) ++cursor_;
  }

  void Reap(int slot) {
    Worker worker = workers_[slot];
    SharedCell& cell = page_->cells[slot];
    int status{};
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    close(worker.socket);
    workers_[slot].process = -1;
    --num_alive_;
    const fs::path errors = RowsOf(slot).replace_extension("err");
    std::error_code ignored;
    if (fs::file_size(errors, ignored) == 0) fs::remove(errors, ignored);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
        worker.range.first == worker.range.last) {
      // Another's death may have left something since it was sent home.
      if (!left_over_.empty() && !page_->should_stop) Start(slot);
      return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotWrite &&
        cell.error[0] != 0) {
      throw std::runtime_error(fmt::format(
          "RunSweep(): {} Results so far are kept; make room, and resume "
          "(--resume).",
          cell.error));
    }
    TakeDeath(slot, worker, status);
    cell.is_running = false;
    if (!page_->should_stop &&
        (cursor_ < num_positions_ || !left_over_.empty())) {
      Start(slot);
    }
  }

  // Records the sample at which a process died, and gives the rest of its range
  // to another process.
  void TakeDeath(int slot, const Worker& worker, int status) {
    SharedCell& cell = page_->cells[slot];
    std::uint64_t position = cell.position;
    bool is_recorded = false;
    if (cell.is_running && internal::Exists(RowsOf(slot))) {
      ReadSweepRecords(
          RowsOf(slot),
          [&](std::uint64_t sample, std::string_view) {
            is_recorded = is_recorded || sample == SampleAt(position);
          },
          1 << 16);
    }
    if (is_recorded) {
      // Samples in the file count, even if the process had not counted them.
      cell.num_done = cell.done_before + 1;
      ++position;
    }
    const bool is_at_fault = cell.is_running && !is_recorded &&
                             position < worker.range.last &&
                             (!worker.overdue || *worker.overdue == position);
    if (is_at_fault) {
      const SweepSample sample = study_.plan.MakeSample(SampleAt(position));
      const std::string why =
          worker.overdue
              ? fmt::format("{}{} s", kNoteOfTimeout, options_.timeout)
          : WIFSIGNALED(status)
              ? fmt::format("{}was ended by signal {} ({})", kNoteOfDeath,
                            WTERMSIG(status), strsignal(WTERMSIG(status)))
              : fmt::format("{}ended with code {}", kNoteOfDeath,
                            WEXITSTATUS(status));
      if (own_records_ == nullptr) {
        own_records_ = std::make_unique<SweepRecords>(
            folder_.path() / (RankPrefix() + "coordinator.rows"));
      }
      own_records_->Append(MakeRow(sample, "failed", {{}, why}));
      ++num_crashed_;
      ++position;
    } else if (!worker.overdue && ++num_idle_deaths_ > kMostDeaths) {
      throw std::runtime_error(
          "RunSweep(): processes die outside of samples; there may be no "
          "memory left. Give fewer jobs, and resume (--resume).");
    }
    if (position < worker.range.last) {
      left_over_.push_back({position, worker.range.last});
    }
  }

  void KillWhatIsOverdue() {
    const std::int64_t now = NowInNanoseconds();
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      const SharedCell& cell = page_->cells[i];
      if (worker.process < 0 || worker.overdue || !cell.is_running) continue;
      const std::uint64_t position = cell.position;
      if (static_cast<double>(now - cell.began) * 1e-9 <= options_.timeout ||
          position != cell.position) {
        continue;
      }
      worker.overdue = position;
      kill(worker.process, SIGKILL);
    }
  }

  const SweepStudy& study_;
  const SweepOptions& options_;
  const SweepFolder& folder_;
  std::uint64_t num_positions_{};
  std::vector<bool> is_done_;
  std::uint64_t num_resumed_{0};
  std::uint64_t num_failed_before_{0};
  std::uint64_t num_crashed_{0};
  std::uint64_t cursor_{0};
  std::deque<Range> left_over_;
  std::vector<Worker> workers_;
  int num_alive_{0};
  int num_idle_deaths_{0};
  std::unique_ptr<SweepRecords> own_records_;
  SharedPage* page_{};
};

// Calls `step`, and waits for the other ranks to have done theirs; what is
// thrown here is thrown on, and where another rank has thrown, that is said.
template <typename Step>
auto WithAllRanks(SweepRanks* ranks, const Step& step) {
  if (ranks == nullptr) return step();
  try {
    auto result = step();
    if (ranks->Agree(true)) return result;
  } catch (...) {
    ranks->Agree(false);
    throw;
  }
  throw std::runtime_error(fmt::format(
      "RunSweep(): rank {} ends, for another rank says what is wrong.",
      ranks->rank()));
}

}  // namespace

SweepSummary RunSweep(const SweepStudy& study, const SweepOptions& options) {
  if (!study.function) {
    throw std::logic_error("RunSweep(): the study has no function; give one.");
  }
  if (options.num_shards < 1 || options.shard < 0 ||
      options.shard >= options.num_shards) {
    throw std::logic_error(fmt::format(
        "RunSweep(): there is no shard {} of {}; give 0 to {}.", options.shard,
        options.num_shards, std::max(options.num_shards, 1) - 1));
  }
  if (!(options.timeout > 0)) {
    throw std::logic_error(
        fmt::format("RunSweep(): the timeout is {} s; give a positive one.",
                    options.timeout));
  }
  if (options.folder.empty()) {
    throw std::logic_error("RunSweep(): there is no folder; give one.");
  }
  SweepRanks* const ranks = options.ranks;
  if (ranks != nullptr && options.num_shards > 1) {
    throw std::logic_error(
        "RunSweep(): there are ranks, and shards; give one of them.");
  }
  const auto folder = WithAllRanks(
      ranks, [&] { return std::make_unique<SweepFolder>(study, options); });
  SweepSummary summary;
  SweepOptions how = options;
  int num_lost = 0;
  do {
    if (ranks != nullptr) num_lost = ranks->num_lost();
    const auto coordinator = WithAllRanks(ranks, [&] {
      return std::make_unique<Coordinator>(study, how, *folder);
    });
    summary = WithAllRanks(ranks, [&] { return coordinator->Run(); });
    // Missing samples lie close together.
    how.chunk = std::min(how.chunk, kChunkOfMissing);
  } while (ranks != nullptr && ranks->num_lost() > num_lost);
  if (ranks != nullptr) {
    if (ranks->rank() > 0) return summary;
    const SweepRanks::Counts all = folder->Count();
    summary.num_done = all.num_done;
    summary.num_failed = all.num_failed;
    summary.num_lost_ranks = ranks->num_lost();
    summary.is_complete = summary.num_done == summary.num_samples;
  }
  if (summary.is_complete) {
    summary.table = folder->WriteTable(study);
    summary.hdf5_table =
        WriteSweepHdf5(summary.table, folder->ReadDescription());
  }
  return summary;
}

}  // namespace wyvern::app
