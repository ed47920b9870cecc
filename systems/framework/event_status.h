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

  /** Status of a handler that had nothing to do. */
  static EventStatus DidNothing() { return EventStatus(kDidNothing); }
  /** Status of a handler that did its work. */
  static EventStatus Succeeded() { return EventStatus(kSucceeded); }
  /** Status that ends the simulation without an error. `system` reports it and
  may be null; `message` gives the reason. */
  static EventStatus ReachedTermination(const SystemBase* system,
                                        std::string message) {
    return EventStatus(kReachedTermination, system, std::move(message));
  }
  /** Status that ends the simulation with an error. `system` reports it and may
  be null; `message` gives the reason. */
  static EventStatus Failed(const SystemBase* system, std::string message) {
    return EventStatus(kFailed, system, std::move(message));
  }

  /** True if the severity is kFailed. */
  bool failed() const { return severity_ == kFailed; }
  /** True if the severity is kReachedTermination. */
  bool reached_termination() const { return severity_ == kReachedTermination; }
  /** True if the severity is kSucceeded. */
  bool succeeded() const { return severity_ == kSucceeded; }
  /** True if the severity is kDidNothing. */
  bool did_nothing() const { return severity_ == kDidNothing; }
  /** The outcome. */
  Severity severity() const { return severity_; }
  /** The System that reported, or null. */
  const SystemBase* system() const { return system_; }
  /** The reason, empty unless the handler ended the simulation. */
  const std::string& message() const;

  /** Throws if the status is kFailed.
  @throws std::runtime_error if failed(), with the message, naming the
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
