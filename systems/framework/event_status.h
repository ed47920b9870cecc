#pragma once

#include <memory>
#include <string>
#include <utility>

namespace wyvern::systems {

class SystemBase;

/** Result of an event handler: the outcome and, for the two serious outcomes,
the System that reports it and the reason. */
class EventStatus {
 public:
  /** In increasing order of severity. */
  enum Severity {
    /** There was nothing to do. */
    kDidNothing = 0,
    kSucceeded = 1,
    /** All went well, and the simulation shall end here. */
    kReachedTermination = 2,
    kFailed = 3,
  };

  static EventStatus DidNothing() { return EventStatus(kDidNothing); }
  static EventStatus Succeeded() { return EventStatus(kSucceeded); }
  static EventStatus ReachedTermination(const SystemBase* system,
                                        std::string message) {
    return EventStatus(kReachedTermination, system, std::move(message));
  }
  static EventStatus Failed(const SystemBase* system, std::string message) {
    return EventStatus(kFailed, system, std::move(message));
  }

  bool failed() const { return severity_ == kFailed; }
  bool reached_termination() const { return severity_ == kReachedTermination; }
  bool succeeded() const { return severity_ == kSucceeded; }
  bool did_nothing() const { return severity_ == kDidNothing; }
  Severity severity() const { return severity_; }
  /** The System that reported, or null. */
  const SystemBase* system() const { return system_; }
  const std::string& message() const;

  /** @throws std::runtime_error if failed(), with the message, naming the
  System and `function_name`. */
  void ThrowOnFailure(const char* function_name) const;

  /** Becomes `candidate` if that is strictly more severe. */
  EventStatus& KeepMoreSevere(EventStatus candidate) {
    if (candidate.severity_ > severity_) *this = std::move(candidate);
    return *this;
  }

 private:
  explicit EventStatus(Severity severity) : severity_(severity) {}
  EventStatus(Severity severity, const SystemBase* system, std::string message)
      : severity_(severity),
        system_(system),
        message_(std::make_shared<const std::string>(std::move(message))) {}

  Severity severity_{kDidNothing};
  const SystemBase* system_{};
  // Null if there is none, which is the cheap and common case.
  std::shared_ptr<const std::string> message_;
};

}  // namespace wyvern::systems
