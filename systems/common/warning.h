#pragma once

#include <functional>
#include <string>

namespace wyvern {

/** Called with a remark that stops nothing. */
using WarningHandler = std::function<void(const std::string& warning)>;

/** Prints a warning as a line on stderr: "warning: ...". */
void WarnOnStderr(const std::string& warning);

}  // namespace wyvern
