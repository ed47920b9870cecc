#include "wyvern/systems/common/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

namespace wyvern::internal {

void ReserveStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is the descriptor's. Reading from standard input
    // and writing to the others fails, as it does if they are closed.
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != descriptor) return;
  }
}

std::string FindPrintingFault(std::ostream* stream) {
  // A write that failed earlier left no errno.
  errno = 0;
  stream->flush();
  if (*stream) return {};
  return errno != 0 ? std::strerror(errno)
                    : "it is closed, or its disk is full";
}

StandardOutputGuard::StandardOutputGuard() { ReserveStandardStreams(); }

StandardOutputGuard::~StandardOutputGuard() {
  std::string fault = FindPrintingFault(&std::cout);
  errno = 0;
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (fault.empty() && !is_written) {
    fault = errno != 0 ? std::strerror(errno) : "its disk is full";
  }
  if (fault.empty()) return;
  std::fprintf(stderr, "standard output cannot be written: %s\n",
               fault.c_str());
  std::_Exit(1);
}

}  // namespace wyvern::internal
