#pragma once

#include <cxxabi.h>

#include <nanobind/nanobind.h>

/** @file
The global interpreter lock (GIL) on threads that may outlive the interpreter.

When the interpreter ends, Python ends each other thread at the moment at which
it takes the GIL: up to Python 3.13 by pthread_exit(), which unwinds the stack.
The library's frames turn that into std::terminate(), and so do nanobind's. The
classes here stop such a thread instead: it sleeps until the process ends, and
runs no destructor. Bindings use them in place of nanobind::gil_scoped_acquire
and nanobind::gil_scoped_release. */

namespace wyvern::python {

/** Blocks the calling thread for good. */
[[noreturn]] void StopThread() noexcept;

/** Stops the thread if the interpreter ends or has ended, unless the thread is
the main one, which ends it. */
void StopIfTooLate() noexcept;

/** Calls f(), which takes the GIL or runs Python code, and returns its result.
If Python ends the thread meanwhile, the thread stops here. */
template <typename F>
decltype(auto) StopIfPythonEnds(const F& f) {
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    StopThread();
  }
}

/** Holds the GIL while it lives, on any thread. */
class GilAcquire final {
 public:
  /** Stops the thread if the interpreter ends or has ended. */
  GilAcquire();
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;
  ~GilAcquire();

 private:
  PyGILState_STATE state_;
};

/** Lets other Python threads run while it lives. */
class GilRelease final {
 public:
  /** Requires the GIL. */
  GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;
  /** Takes the GIL again. Stops the thread if the interpreter ends or has
  ended. */
  ~GilRelease();

 private:
  PyThreadState* state_;
};

/** Drops a reference that C++ kept, on any thread. It is forgotten if the
interpreter has ended. */
void DropReference(nanobind::object* object) noexcept;

}  // namespace wyvern::python
