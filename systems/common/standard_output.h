#pragma once

/** @file
A program that prints must not report success if nobody can read what it
printed. */

#include <iosfwd>
#include <string>

namespace wyvern::internal {

/** Takes the numbers of the standard streams that are closed, so that no file
that the program opens gets one of them, and with it what the program prints.
Printing to such a stream fails. Call it before anything else is opened. */
void ReserveStandardStreams();

/** ReserveStandardStreams(), and when this dies, as a static object at the end
of a program, a check that what was printed can be read: if it cannot, the
program ends with a message on stderr and the exit code 1. */
class StandardOutputGuard {
 public:
  StandardOutputGuard();
  StandardOutputGuard(const StandardOutputGuard&) = delete;
  ~StandardOutputGuard();
};

/** Flushes the stream, and says why what was printed cannot be read, as "No
space left on device"; an empty text if it can. */
std::string FindPrintingFault(std::ostream* stream);

}  // namespace wyvern::internal
