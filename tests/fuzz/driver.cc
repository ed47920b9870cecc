// Runs a fuzzer without libFuzzer: makes inputs, and saves the input that ended
// the program.
//
//   urdf_fuzz --runs 1000 --seed 7 corpus/urdf   mutated files of a folder
//   urdf_fuzz --replay crash-urdf_fuzz           one input as it is
//
// An input ends the program by a signal (a crash, a violated law, an uncaught
// exception), by more than --limit seconds of CPU time, or by waiting three
// times as long. The handler then writes the input to crash-PROGRAM in the
// working folder.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/tally.h"

namespace wyvern::fuzz {
namespace {

namespace fs = std::filesystem;

// The handler reads these: it may call nothing that allocates.
std::string input;
std::string crash_file;
int64_t run = -1;

void KeepInput(int signal) {
  const int file = open(crash_file.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0666);
  if (file >= 0) {
    const ssize_t written = write(file, input.data(), input.size());
    static_cast<void>(written);
    close(file);
  }
  char text[200];
  std::snprintf(
      text, sizeof(text),
      "Input %lld of %zu bytes ended in signal %d (%s); it is kept "
      "in %s.\n",
      static_cast<long long>(run), input.size(), signal,
      signal == SIGPROF || signal == SIGALRM ? "too slow" : "crash or law",
      crash_file.c_str());
  const ssize_t written = write(2, text, std::strlen(text));
  static_cast<void>(written);
  _exit(1);
}

// On a stack of its own, as the program's may be used up.
void HandleSignals() {
  static std::vector<char> stack(1 << 16);
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = KeepInput;
  action.sa_flags = SA_ONSTACK;
  for (const int s :
       {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGPROF, SIGALRM}) {
    sigaction(s, &action, nullptr);
  }
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("Cannot read " + path.string() + ".");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> ReadCorpus(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const fs::path& file : files) corpus.push_back(ReadFile(file));
  return corpus;
}

// Limits CPU time, so that a busy machine changes nothing. The wall clock stops
// an input that only waits.
void SetTimer(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(3 * seconds);
}

void RunOne(std::string bytes, int limit) {
  input = std::move(bytes);
  ++run;
  SetTimer(limit);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()),
                         input.size());
  SetTimer(0);
}

int Main(int argc, char** argv) {
  CLI::App app{"Feeds a fuzzer with inputs made from a corpus"};
  int64_t runs = 10000;
  double seconds = std::numeric_limits<double>::infinity();
  uint64_t seed = 1;
  int limit = 60;
  std::vector<std::string> paths;
  std::string replay;
  app.add_option("--runs", runs, "Inputs to make");
  app.add_option("--seconds", seconds, "Stop after these, if that is sooner");
  app.add_option("--seed", seed, "Another seed, other inputs");
  app.add_option("--limit", limit,
                 "Seconds of the processor that one input may take");
  app.add_flag("--reasons", tally().keeps_reasons,
               "Print why inputs were refused");
  app.add_option("--replay", replay, "Run this one file instead");
  app.add_option("corpus", paths, "Files and folders to start from");
  CLI11_PARSE(app, argc, argv);

  const std::string program = fs::path(argv[0]).filename();
  crash_file = (fs::current_path() / ("crash-" + program)).string();
  HandleSignals();
  if (!replay.empty()) {
    RunOne(ReadFile(replay), limit);
    return 0;
  }
  // A program that asks for more memory than any model needs gets
  // std::bad_alloc.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit memory{4ull << 30, 4ull << 30};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const std::vector<std::string> corpus = ReadCorpus(paths);
  for (const std::string& entry : corpus) RunOne(entry, limit);
  Mutator mutator(corpus, seed);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  while (run + 1 < runs && elapsed() < seconds) RunOne(mutator.Make(), limit);
  std::printf("%s: %lld inputs in %.1f s, %lld accepted, %lld refused\n",
              program.c_str(), static_cast<long long>(run + 1), elapsed(),
              static_cast<long long>(tally().accepted),
              static_cast<long long>(tally().refused));
  for (const auto& [reason, count] : tally().reasons) {
    std::printf("%8lld  %s\n", static_cast<long long>(count), reason.c_str());
  }
  return 0;
}

}  // namespace
}  // namespace wyvern::fuzz

int main(int argc, char** argv) {
  try {
    return wyvern::fuzz::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
