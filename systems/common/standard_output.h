#pragma once

/** @file
A program must not report success if its printed output is lost. */

#include <iosfwd>
#include <string>

namespace wyvern::internal {

/** Takes the descriptors of closed standard streams. Otherwise a file that the
program opens could get one of them, and the printed output with it. Printing to
such a stream fails. Call this function before opening anything else. */
void ReserveStandardStreams();

/** Calls ReserveStandardStreams(). The destructor, which runs at the end of the
program for a static object, checks whether the printed output was delivered. If
it was not, the program ends with a message on stderr and the exit code 1. */
class StandardOutputGuard {
 public:
  StandardOutputGuard();
  StandardOutputGuard(const StandardOutputGuard&) = delete;
  ~StandardOutputGuard();
};

/** Flushes the stream. Returns the reason why its output is lost, as "No space
left on device"; an empty text if it is not. */
std::string FindPrintingFault(std::ostream* stream);

}  // namespace wyvern::internal
