#pragma once

namespace wyvern {

/** One function object of several lambdas, for std::visit(). */
template <typename... Functions>
struct overloaded : Functions... {
  using Functions::operator()...;
};
template <typename... Functions>
overloaded(Functions...) -> overloaded<Functions...>;

}  // namespace wyvern
