#include "wyvern/app/signal_guard.h"

#include <csignal>

namespace wyvern::app {

namespace {

volatile std::sig_atomic_t g_is_interrupted = 0;

extern "C" void TakeSignal(int signal) {
  g_is_interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

SignalGuard::SignalGuard() {
  g_is_interrupted = 0;
  interrupt_ = std::signal(SIGINT, TakeSignal);
  terminate_ = std::signal(SIGTERM, TakeSignal);
}

SignalGuard::~SignalGuard() {
  std::signal(SIGINT, interrupt_);
  std::signal(SIGTERM, terminate_);
}

bool IsInterrupted() { return g_is_interrupted != 0; }

}  // namespace wyvern::app
