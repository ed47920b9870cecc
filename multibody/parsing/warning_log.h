#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/common/warning.h"

namespace wyvern::multibody::internal {

/** Collects what a parser finds doubtful in a file, and what it did instead.
The findings of a file come out together when it has been read. The same finding
at several places is one warning, "file:line: what (also at line ...)". */
class WarningLog {
 public:
  /** Called with each warning. */
  using Handler = WarningHandler;

  /** Prints each warning as a line on stderr. */
  WarningLog();

  void set_handler(Handler handler) { handler_ = std::move(handler); }
  /** Strict: the findings of a file become one error. */
  void set_strict() { strict_ = true; }
  /** Forgets what was found, for the next file. */
  void BeginFile();

  /** @param place "file:line". @param what is doubtful, and what was done. */
  void Add(const std::string& place, const std::string& what);

  /** Hands out what was found since BeginFile().
  @throws std::runtime_error if strict and something was, with a line each. */
  void EndFile();
  /** Ends a file that is refused. @returns `error`, if strict together with the
  other findings. */
  std::string EndRefusedFile(const std::string& error);

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Finding {
    std::string place;
    std::string what;
    std::vector<std::string> other_places;
  };
  static std::string Describe(const Finding& finding);
  std::vector<std::string> TakeFindings();
  void HandOut(const std::vector<std::string>& warnings);

  Handler handler_;
  bool strict_{false};
  std::vector<Finding> findings_;
  // Index into findings_ by what.
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> warnings_;
};

}  // namespace wyvern::multibody::internal
