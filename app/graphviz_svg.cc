#include "wyvern/app/graphviz_svg.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wyvern/systems/common/output_file.h"

extern char** environ;

namespace wyvern::app {

namespace {

using wyvern::internal::UniqueFile;

// A file without a name that is deleted when it is closed. Files serve because
// two pipes would have to be filled and emptied at the same time.
UniqueFile MakeTemporaryFile() {
  UniqueFile file(std::tmpfile());
  if (file != nullptr) return file;
  throw std::runtime_error(fmt::format(
      "DrawSvg(): no temporary file can be made: {}.", std::strerror(errno)));
}

}  // namespace

std::string DrawSvg(const std::string& graph) {
  const UniqueFile input = MakeTemporaryFile();
  const UniqueFile output = MakeTemporaryFile();
  if (std::fwrite(graph.data(), 1, graph.size(), input.get()) != graph.size() ||
      std::fflush(input.get()) != 0) {
    throw std::runtime_error(
        fmt::format("DrawSvg(): a temporary file cannot be written: {}.",
                    std::strerror(errno)));
  }
  std::rewind(input.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()),
                                   STDOUT_FILENO);
  char program[] = "dot", svg[] = "-Tsvg";
  char* const arguments[] = {program, svg, nullptr};
  pid_t child{};
  const int error =
      posix_spawnp(&child, program, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw std::runtime_error(
        "DrawSvg(): Graphviz's program dot is not in the PATH; install it "
        "(Debian: graphviz), or take --format text or dot.");
  }
  if (error != 0) {
    throw std::runtime_error(fmt::format(
        "DrawSvg(): dot cannot be started: {}.", std::strerror(error)));
  }
  int status{};
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(fmt::format(
        "DrawSvg(): Graphviz's program dot ended with {} {}; see what it says, "
        "with `wyvern diagram --format dot | dot -Tsvg`.",
        WIFEXITED(status) ? "code" : "signal",
        WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)));
  }
  std::string drawing;
  std::rewind(output.get());
  char bytes[1 << 16];
  while (const std::size_t count =
             std::fread(bytes, 1, sizeof(bytes), output.get())) {
    drawing.append(bytes, count);
  }
  return drawing;
}

}  // namespace wyvern::app
