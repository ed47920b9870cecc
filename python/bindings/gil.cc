#include "python/bindings/gil.h"

#include <dlfcn.h>
#include <unistd.h>

namespace wyvern::python {

namespace nb = nanobind;

namespace {

// Returns whether the interpreter has begun to end. Python 3.13 made the
// function public; older versions have it under the second name, and the
// headers of the stable ABI declare neither.
bool IsPythonEnding() noexcept {
  using Function = int (*)();
  static const auto function = [] {
    void* found = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
    if (found == nullptr) found = dlsym(RTLD_DEFAULT, "_Py_IsFinalizing");
    return reinterpret_cast<Function>(found);
  }();
  return !nb::is_alive() || (function != nullptr && function() != 0);
}

// The main thread ends the interpreter. It has the GIL meanwhile, and runs the
// last callbacks.
bool IsMainThread() noexcept { return gettid() == getpid(); }

// Returns whether the calling thread must leave the interpreter alone, because
// parts of it may be gone. StopIfPythonEnds() is for threads that already wait
// for the GIL when the interpreter begins to end.
bool IsTooLate() noexcept { return IsPythonEnding() && !IsMainThread(); }

}  // namespace

void StopThread() noexcept {
  for (;;) pause();
}

void StopIfTooLate() noexcept {
  if (IsTooLate()) StopThread();
}

GilAcquire::GilAcquire() {
  StopIfTooLate();
  StopIfPythonEnds([this] { state_ = PyGILState_Ensure(); });
}

GilAcquire::~GilAcquire() { PyGILState_Release(state_); }

GilRelease::GilRelease() : state_(PyEval_SaveThread()) {}

GilRelease::~GilRelease() {
  StopIfTooLate();
  StopIfPythonEnds([this] { PyEval_RestoreThread(state_); });
}

void DropReference(nb::object* object) noexcept {
  if (!nb::is_alive() || IsTooLate()) {
    object->release();
    return;
  }
  const GilAcquire gil;
  object->reset();
}

}  // namespace wyvern::python
