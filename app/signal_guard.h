#pragma once

namespace wyvern::app {

/** Takes SIGINT and SIGTERM while it lives: the first of them is only noted,
the next one has its default meaning, as after this. One at a time. */
class SignalGuard {
 public:
  /** Takes both signals, and forgets one that came before. */
  SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  ~SignalGuard();

 private:
  using Handler = void (*)(int);
  Handler interrupt_{};
  Handler terminate_{};
};

/** Whether a signal came since the last guard was made. */
bool IsInterrupted();

}  // namespace wyvern::app
