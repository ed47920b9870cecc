#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wyvern::multibody::internal {

/** Prints a warning as a line on stderr. */
void WarnOnStderr(const std::string& warning);

/** Collects what a parser has to say that does not stop it. The same remark on
the same file is made once, of its first place. */
class WarningLog {
 public:
  /** Called with each warning as it is added. */
  using Handler = std::function<void(const std::string& warning)>;

  /** Prints each warning as a line on stderr. */
  WarningLog();

  void set_handler(Handler handler) { handler_ = std::move(handler); }
  /** Strict: a warning is thrown as an error instead. */
  void set_strict() { strict_ = true; }
  /** Forgets which remarks were made, for the next file. */
  void BeginFile() { made_.clear(); }

  /** @param place "file:line".
  @throws std::runtime_error "place: message" if strict. */
  void Add(const std::string& place, const std::string& message);

  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Handler handler_;
  bool strict_{false};
  std::set<std::string> made_;
  std::vector<std::string> warnings_;
};

}  // namespace wyvern::multibody::internal
