#pragma once

/** @file
Rows of the published benchmarks, for programs in C++: problem, program, method,
setting, error, evaluations, milliseconds of processor time, note. */

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wyvern::test {

/** Processor time of this thread. That of the process advances by ticks of some
milliseconds once it has a limit of processor time, which rows have. */
class Stopwatch {
 public:
  double ms() const { return Now() - start_; }

 private:
  static double Now() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) +
           1e-6 * static_cast<double>(now.tv_nsec);
  }
  double start_{Now()};
};

struct Outcome {
  double error{};
  long evaluations{};
  double ms{};
};

/** The row of `run` without names; short runs are repeated and the least time
is taken. */
template <typename RunFunction>
std::string MeasureOne(const RunFunction& run) {
  Outcome row{std::nan(""), 0, std::nan("")};
  std::string note;
  try {
    row = run();
    double sum = row.ms;
    for (int i = 0; i < 4 && sum < 50; ++i) {
      const double ms = run().ms;
      sum += ms;
      row.ms = std::min(row.ms, ms);
    }
  } catch (const std::exception& error) {
    // GCC may have written to `row` before the exception.
    row = {std::nan(""), 0, std::nan("")};
    note = error.what();
    note = note.substr(0, note.find('\n'));
    std::replace(note.begin(), note.end(), ',', ';');
  }
  char text[64];
  std::snprintf(text, sizeof(text), "%.3e,%ld,%.4f,", row.error,
                row.evaluations, row.ms);
  return text + note;
}

/** A tighter setting than one that took this long, [ms], is not run. */
inline constexpr double kLongRun = 1500;

/** Prints the row of `run`, which returns an Outcome, and returns whether a
tighter setting is worth a try. Each row has a process of its own, with 20 s of
processor time, so that a crash is a row, too. */
template <typename RunFunction>
bool Measure(const std::string& problem, const char* program,
             const std::string& method, double setting,
             const RunFunction& run) {
  constexpr rlim_t kLimit = 20;
  std::printf("%s,%s,%s,%.0e,", problem.c_str(), program, method.c_str(),
              setting);
  std::fflush(stdout);
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{kLimit, kLimit + 1};
    setrlimit(RLIMIT_CPU, &limit);
    const std::string row = MeasureOne(run).substr(0, 4000);
    const auto written = write(ends[1], row.data(), row.size());
    _exit(written < 0 ? 1 : 0);
  }
  close(ends[1]);
  char text[4001]{};
  const ssize_t size = read(ends[0], text, 4000);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (size <= 0) {
    const bool is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    std::printf("nan,0,nan,%s\n", is_late ? "more than 20 s" : "crashes");
    return !is_late;
  }
  std::puts(text);
  double error = 0, ms = 0;
  long work = 0;
  return std::sscanf(text, "%lf,%ld,%lf", &error, &work, &ms) != 3 ||
         !(ms > kLongRun);
}

}  // namespace wyvern::test
