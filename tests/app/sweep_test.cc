// A sweep's laws: the same table however it was made, and nothing lost or done
// twice, whatever happens to it.
#include "wyvern/app/sweep.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/expect_throws.h"
#include "wyvern/app/sweep_records.h"
#include "wyvern/app/sweep_report.h"
#if WYVERN_HAS_HDF5
#include "tests/systems/recording/hdf5_reader.h"
#endif

namespace wyvern::app {
namespace sweep_test {

namespace fs = std::filesystem;

class SweepTest : public ::testing::Test {
 protected:
  SweepTest() { fs::remove_all(folder_); }
  ~SweepTest() override { fs::remove_all(folder_); }

  // Each call leaves a byte in a file of its number, so that calls are counted.
  SweepStudy MakeCountedStudy(std::uint64_t num_samples) {
    SweepStudy study{
        .plan = SweepPlan({ParseSweepParameter("x=!Uniform {min: 0, max: 1}"),
                           ParseSweepParameter("k=[1, 2, 3]")},
                          num_samples, 1),
        .outputs = {"product"},
        .function = [this](const SweepSample& sample, const auto&) {
          const int file = open((folder_ / "calls").c_str(),
                                O_WRONLY | O_CREAT | O_APPEND, 0666);
          const std::string line = fmt::format("{}\n", sample.index);
          if (write(file, line.data(), line.size()) < 0) std::abort();
          close(file);
          return SampleResult{
              {std::stod(sample.values[0]) * std::stod(sample.values[1])},
              "fine, \"really\""};
        }};
    fs::create_directories(folder_);
    return study;
  }
  static std::string Read(const fs::path& file) {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }
  std::multiset<int> ReadCalls() const {
    std::ifstream stream(folder_ / "calls");
    std::multiset<int> calls;
    for (int i; stream >> i;) calls.insert(i);
    return calls;
  }
  // The rows in all files but the table, and of how many samples they are.
  static std::pair<int, int> CountRows(const fs::path& folder) {
    int rows = 0;
    std::set<std::uint64_t> samples;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".rows") continue;
      ReadSweepRecords(entry.path(),
                       [&](std::uint64_t sample, std::string_view) {
                         ++rows;
                         samples.insert(sample);
                       });
    }
    return {rows, static_cast<int>(samples.size())};
  }

  const fs::path folder_{fs::path(testing::TempDir()) /
                         fmt::format("wyvern_sweep_{}", getpid())};
};

TEST_F(SweepTest, TheTableIsTheSameForAnyNumberOfJobs) {
  std::string first;
  for (const int jobs : {1, 2, 7}) {
    const fs::path folder = folder_ / std::to_string(jobs);
    const SweepSummary summary = RunSweep(
        MakeCountedStudy(100), {.folder = folder, .jobs = jobs, .chunk = 3});
    EXPECT_TRUE(summary.is_complete);
    EXPECT_EQ(summary.num_done, 100u);
    const std::string table = Read(summary.table);
    if (first.empty()) first = table;
    EXPECT_EQ(table, first);
  }
  EXPECT_TRUE(
      first.starts_with("sample,status,product,random_seed,x,k,note\n"
                        "0,ok,"));
  EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 101);
}

TEST_F(SweepTest, ShardsGiveTheSameTableTogether) {
  const SweepStudy study = MakeCountedStudy(50);
  const SweepSummary whole = RunSweep(study, {.folder = folder_ / "whole"});
  for (const int shard : {2, 0, 1}) {
    const SweepSummary part = RunSweep(
        study, {.folder = folder_ / "parts", .shard = shard, .num_shards = 3});
    EXPECT_EQ(part.num_samples, shard == 2 ? 16u : 17u);
    EXPECT_TRUE(part.is_complete);
  }
  const SweepSummary parts =
      RunSweep(study, {.folder = folder_ / "parts", .resume = true});
  EXPECT_EQ(parts.num_resumed, 50u);
  EXPECT_EQ(Read(parts.table), Read(whole.table));
  EXPECT_EQ(ReadCalls().size(), 100u);
}

/** Numbers in memory that processes share, as MPI has them. */
class SharedNumbers final : public CommonNumbers {
 public:
  struct Page {
    std::atomic<std::uint64_t> numbers[64]{};
  };
  explicit SharedNumbers(Page* page) : page_(*page) {}
  std::uint64_t Change(int index, Operation operation,
                       std::uint64_t value) override {
    std::atomic<std::uint64_t>& number = page_.numbers[index];
    switch (operation) {
      case Operation::kAdd:
        return number.fetch_add(value);
      case Operation::kReplace:
        return number.exchange(value);
      default:
        return number.load();
    }
  }
  void Leave(bool) override {}

 private:
  Page& page_;
};

// Runs the study by ranks, each a process of its own; the exit codes: 0, or 1
// if one threw.
std::vector<int> RunByRanks(const SweepStudy& study, const fs::path& folder,
                            int num_ranks, bool resume = false,
                            double patience = 30) {
  void* const memory =
      mmap(nullptr, sizeof(SharedNumbers::Page), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* const page = new (memory) SharedNumbers::Page;
  std::vector<pid_t> processes;
  for (int rank = 0; rank < num_ranks; ++rank) {
    processes.push_back(fork());
    if (processes.back() != 0) continue;
    try {
      SweepRanks ranks(rank, num_ranks, std::make_unique<SharedNumbers>(page),
                       patience);
      SweepOptions how{.folder = folder, .resume = resume, .ranks = &ranks};
      _exit(RunSweep(study, how).table.empty() == (rank == 0) ? 2 : 0);
    } catch (const std::exception&) {
      _exit(1);
    }
  }
  std::vector<int> codes;
  for (const pid_t process : processes) {
    int status{};
    waitpid(process, &status, 0);
    codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status)
                                      : -WTERMSIG(status));
  }
  munmap(memory, sizeof(SharedNumbers::Page));
  return codes;
}

TEST_F(SweepTest, RanksShareTheSamplesAndGiveTheSameTable) {
  const SweepStudy study = MakeCountedStudy(500);
  const std::string one =
      Read(RunSweep(study, {.folder = folder_ / "one", .jobs = 1}).table);
  fs::remove(folder_ / "calls");
  const fs::path many = folder_ / "many";
  EXPECT_EQ(RunByRanks(study, many, 3), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(Read(many / "results.csv"), one);
  EXPECT_EQ(ReadCalls().size(), 500u) << "Each sample is done once";
  // Samples are done by all, and those that are lost are done again, alone.
  fs::remove(many / "rank_1_0.rows");
  fs::remove(many / "results.csv");
  const SweepSummary again = RunSweep(study, {.folder = many, .resume = true});
  EXPECT_LT(again.num_resumed, 500u);
  EXPECT_EQ(Read(again.table), one);
  // A wrong plan fails in every rank: none waits for the others.
  EXPECT_EQ(RunByRanks(study, many, 3), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(RunByRanks(study, many, 2, true), (std::vector<int>{0, 0}));
}

// Samples end the coordinator of the process that writes `rows`, once the file
// has more than `size` bytes.
void KillCoordinatorOf(const fs::path& rows, std::uintmax_t size,
                       SweepStudy* study) {
  study->function = [=, counted = study->function](const SweepSample& sample,
                                                   const auto& should_stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
      if (fs::read_symlink(entry, ignored) == rows &&
          fs::file_size(rows) >= size) {
        kill(getppid(), SIGKILL);
      }
    }
    return counted(sample, should_stop);
  };
}

TEST_F(SweepTest, ALostRanksSamplesAreDoneByTheOthers) {
  SweepStudy study = MakeCountedStudy(300);
  const std::string one =
      Read(RunSweep(study, {.folder = folder_ / "one", .jobs = 1}).table);
  fs::remove(folder_ / "calls");
  // It has rows by then.
  const fs::path many = folder_ / "many";
  KillCoordinatorOf(many / "rank_2_0.rows", 400, &study);
  EXPECT_EQ(RunByRanks(study, many, 4, false, 0.5),
            (std::vector<int>{0, 0, -SIGKILL, 0}));
  EXPECT_EQ(Read(many / "results.csv"), one);
  // Runs that have a row are not repeated.
  const auto [rows, samples] = CountRows(many);
  EXPECT_EQ(rows, 300);
  EXPECT_EQ(samples, 300);
}

TEST_F(SweepTest, WithoutRankZeroTheOthersEndAndSayWhy) {
  SweepStudy study = MakeCountedStudy(300);
  const fs::path many = folder_ / "many";
  KillCoordinatorOf(many / "rank_0_0.rows", 0, &study);
  EXPECT_EQ(RunByRanks(study, many, 3, false, 0.5),
            (std::vector<int>{-SIGKILL, 1, 1}));
  EXPECT_FALSE(fs::exists(many / "results.csv"));
  study = MakeCountedStudy(300);
  EXPECT_EQ(RunByRanks(study, many, 2, true), (std::vector<int>{0, 0}));
  EXPECT_TRUE(fs::exists(many / "results.csv"));
}

TEST(SweepRanks, OneThatWasTakenForLostIsToldSo) {
  SharedNumbers::Page page;
  SweepRanks first(0, 2, std::make_unique<SharedNumbers>(&page), 0.05);
  SweepRanks second(1, 2, std::make_unique<SharedNumbers>(&page), 30);
  EXPECT_EQ(second.Take(5), 0u);
  EXPECT_TRUE(first.Agree(true));
  EXPECT_EQ(first.num_lost(), 1);
  EXPECT_EQ(first.Take(1), 0u) << "The counter begins again";
  EXPECT_THROWS_MESSAGE(second.Agree(true), std::runtime_error,
                        "rank 1 gave no sign of life for 30 s");
  EXPECT_TRUE(first.Agree(true));
  EXPECT_FALSE(first.Agree(false));
}

TEST_F(SweepTest, WhatThrowsCrashesHangsOrExitsIsARecord) {
  SweepStudy study = MakeCountedStudy(40);
  const auto good = study.function;
  study.function = [good](const SweepSample& sample, const auto& stop) {
    if (sample.index == 3) throw std::runtime_error("no,\nsolution");
    if (sample.index == 5) throw 5;
    if (sample.index == 8) std::raise(SIGSEGV);
    if (sample.index == 13) std::this_thread::sleep_for(std::chrono::hours(1));
    if (sample.index == 21) _exit(0);
    if (sample.index == 22) _exit(3);
    if (sample.index == 34) return SampleResult{{1, 2}, ""};
    return good(sample, stop);
  };
  const SweepSummary summary =
      RunSweep(study, {.folder = folder_, .jobs = 2, .timeout = 0.5});
  EXPECT_TRUE(summary.is_complete);
  EXPECT_EQ(summary.num_done, 40u);
  EXPECT_EQ(summary.num_failed, 7u);
  EXPECT_EQ(FindFailed(summary.table, 99),
            (std::vector<std::uint64_t>{3, 5, 8, 13, 21, 22, 34}));
  const std::string table = Read(summary.table);
  for (const char* why :
       {"\"no, solution\"", "no std::exception", "ended by signal 11",
        "took more than 0.5 s", "ended with code 0", "ended with code 3",
        "its function gave 2"}) {
    EXPECT_NE(table.find(why), table.npos) << why;
  }
  EXPECT_EQ(ReadCalls().size(), 33u);
  EXPECT_EQ(CountRows(folder_), std::pair(40, 40));
}

TEST_F(SweepTest, AKilledSweepIsResumedWithNothingLostAndNothingTwice) {
  SweepStudy study = MakeCountedStudy(300);
  const std::string wanted =
      Read(RunSweep(study, {.folder = folder_ / "whole"}).table);
  fs::remove(folder_ / "calls");
  const auto good = study.function;
  study.function = [good](const SweepSample& sample, const auto& stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return good(sample, stop);
  };
  const fs::path folder = folder_ / "killed";
  const SweepOptions options{
      .folder = folder, .jobs = 2, .resume = true, .chunk = 10};
  for (int round = 0; round < 4; ++round) {
    const pid_t process = fork();
    if (process == 0) {
      RunSweep(study, options);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    // Its processes end with it: then the folder is free.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const auto [rows, samples] = CountRows(folder);
  EXPECT_GT(rows, 0);
  const SweepSummary summary = RunSweep(study, options);
  EXPECT_TRUE(summary.is_complete);
  EXPECT_EQ(Read(summary.table), wanted);
  EXPECT_EQ(rows, samples);
  EXPECT_EQ(CountRows(folder), std::pair(300, 300));
  // A sample that was under way when it was killed is begun again.
  EXPECT_LE(ReadCalls().size(), 300u + 4 * 2);
}

TEST_F(SweepTest, ATornRowIsDoneAgain) {
  const SweepStudy study = MakeCountedStudy(9);
  const std::string whole =
      Read(RunSweep(study, {.folder = folder_, .jobs = 1}).table);
  const fs::path rows = folder_ / "0.rows";
  fs::resize_file(rows, fs::file_size(rows) - 5);
  std::string text = Read(rows);
  text[text.find(",ok,") + 5] ^= 1;
  std::ofstream(rows) << text;
  const SweepSummary summary =
      RunSweep(study, {.folder = folder_, .jobs = 1, .resume = true});
  EXPECT_EQ(summary.num_resumed, 7u);
  EXPECT_EQ(Read(summary.table), whole);
}

TEST_F(SweepTest, AFolderIsForOneSweepAtATime) {
  SweepStudy study = MakeCountedStudy(3);
  const fs::path folder = folder_ / "s";
  study.function = [&](const SweepSample&, const auto&) -> SampleResult {
    RunSweep(study, {.folder = folder, .resume = true});
    return {{1}, ""};
  };
  const SweepSummary summary = RunSweep(study, {.folder = folder});
  EXPECT_EQ(summary.num_failed, 3u);
  EXPECT_NE(Read(summary.table).find("a sweep is running in"),
            std::string::npos);
  EXPECT_THROWS_MESSAGE(RunSweep(study, {.folder = folder}), std::runtime_error,
                        "has results");
  study.description = "other";
  EXPECT_THROWS_MESSAGE(RunSweep(study, {.folder = folder, .resume = true}),
                        std::runtime_error, "results of another sweep");
}

TEST_F(SweepTest, AFullDiskIsAnErrorAndWhatIsThereIsKept) {
  const SweepStudy study = MakeCountedStudy(200);
  // A limit on files' sizes stands for the end of the disk.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4000;
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROWS_MESSAGE(RunSweep(study, {.folder = folder_, .jobs = 1}),
                        std::runtime_error, "0.rows: it cannot be written");
  setrlimit(RLIMIT_FSIZE, &before);
  const SweepSummary summary =
      RunSweep(study, {.folder = folder_, .jobs = 1, .resume = true});
  EXPECT_GT(summary.num_resumed, 10u);
  EXPECT_TRUE(summary.is_complete);
}

TEST_F(SweepTest, IsToldToStopAndResumed) {
  SweepStudy study = MakeCountedStudy(1000);
  const auto good = study.function;
  study.function = [good](const SweepSample& sample, const auto& stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return good(sample, stop);
  };
  bool stop = false;
  const SweepSummary first =
      RunSweep(study, {.folder = folder_,
                       .should_stop = [&] { return stop; },
                       .report = [&](const SweepProgress&) { stop = true; }});
  EXPECT_FALSE(first.is_complete);
  EXPECT_TRUE(first.table.empty());
  EXPECT_EQ(CountRows(folder_).first, static_cast<int>(first.num_done));
  const SweepSummary second =
      RunSweep(study, {.folder = folder_, .resume = true});
  EXPECT_EQ(second.num_resumed, first.num_done);
  EXPECT_TRUE(second.is_complete);
  EXPECT_EQ(CountRows(folder_), std::pair(1000, 1000));
}

TEST_F(SweepTest, WhatIsNoSweepIsAnError) {
  const SweepStudy study = MakeCountedStudy(1);
  EXPECT_THROWS_MESSAGE(
      RunSweep(study, {.folder = folder_, .shard = 2, .num_shards = 2}),
      std::logic_error, "no shard 2 of 2");
  EXPECT_THROWS_MESSAGE(RunSweep(study, {.folder = folder_, .timeout = NAN}),
                        std::logic_error, "timeout is nan");
  EXPECT_THROWS_MESSAGE(RunSweep(study, {}), std::logic_error, "no folder");
  EXPECT_THROW(RunSweep(study, {.folder = "/proc/nothing"}),
               std::runtime_error);
}

#if WYVERN_HAS_HDF5
TEST_F(SweepTest, TheTableIsThereAsHdf5Too) {
  SweepStudy study{
      .plan = SweepPlan({ParseSweepParameter("x=[0.5, .inf, -3]"),
                         ParseSweepParameter("k=[[1], [2, 3]]")},
                        0, 4),
      .outputs = {"a", "b"},
      .function =
          [](const SweepSample& sample, const auto&) {
            if (sample.index == 3) throw std::runtime_error("it \"fell\", far");
            return SampleResult{{1.0 / (1 + sample.index), -INFINITY}, ""};
          },
      .description = "of tests"};
  const SweepSummary summary = RunSweep(study, {.folder = folder_, .jobs = 1});
  EXPECT_EQ(summary.hdf5_table, folder_ / "results.h5");
  const std::string bytes = Read(summary.hdf5_table);
  {
    const systems::test::Hdf5Reader reader(summary.hdf5_table);
    EXPECT_EQ(reader.Shape("table"), std::vector<hsize_t>{6});
    const auto numbers = [&reader](const char* name) {
      return reader.Field<double>("table", name, H5T_NATIVE_DOUBLE);
    };
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(numbers("sample")[i], i);
      EXPECT_EQ(numbers("x")[i],
                (std::vector<double>{0.5, INFINITY, -3})[i / 2]);
      if (i == 3) continue;
      EXPECT_EQ(numbers("a")[i], 1.0 / (1 + i));
      EXPECT_EQ(numbers("b")[i], -INFINITY);
    }
    EXPECT_TRUE(std::isnan(numbers("a")[3]));
    EXPECT_EQ(reader.TextField("table", "status")[3], "failed");
    EXPECT_EQ(reader.TextField("table", "note")[3], "it \"fell\", far");
    EXPECT_EQ(reader.TextField("table", "k")[1], "[2, 3]");
    const auto seeds =
        reader.Field<std::uint64_t>("table", "random_seed", H5T_NATIVE_UINT64);
    EXPECT_EQ(seeds[5], study.plan.MakeSample(5).seed);
    EXPECT_NE(reader.Text("study").find("of tests"), std::string::npos);
  }
  // To the byte, for other numbers of processes.
  fs::remove_all(folder_);
  RunSweep(study, {.folder = folder_, .jobs = 3});
  EXPECT_EQ(Read(summary.hdf5_table), bytes);
}
#endif

TEST_F(SweepTest, StatisticsAreThoseOfTheNumbers) {
  fs::create_directories(folder_);
  std::ofstream stream(folder_ / "t.csv");
  stream << "sample,status,x,random_seed,note\n";
  for (int i = 0; i <= 100; ++i) stream << i << ",ok," << 2 * i << ",0,a\n";
  stream << "101,failed,,0,\"b, c\"\n102,ok,nan,0,\n";
  stream.close();
  const SweepStatistics s = ComputeStatistics(folder_ / "t.csv", 1).at(0);
  EXPECT_EQ(s.name, "x");
  EXPECT_EQ(s.count, 101u);
  EXPECT_EQ(s.mean, 100);
  // The variance of 0 to n - 1 is n (n + 1) / 12.
  EXPECT_NEAR(s.stddev, 2 * std::sqrt(101 * 102 / 12.0), 1e-12);
  EXPECT_EQ(s.quantile_05, 10);
  EXPECT_EQ(s.median, 100);
  EXPECT_EQ(s.quantile_95, 190);
  EXPECT_EQ(s.min_sample, 0u);
  EXPECT_EQ(s.max_sample, 100u);
}

}  // namespace sweep_test
}  // namespace wyvern::app
