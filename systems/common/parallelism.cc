#include "wyvern/systems/common/parallelism.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

namespace wyvern {
namespace {

int CountHardwareThreads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::optional<int> ReadEnvironment(const char* name, int most) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const char* const end = text + std::strlen(text);
  int value = 0;
  const auto result = std::from_chars(text, end, value);
  const bool is_number = result.ec == std::errc() && result.ptr == end;
  if (!is_number || value < 1 || value > most) return std::nullopt;
  return value;
}

int CountThreads() {
  const int most = CountHardwareThreads();
  for (const char* name : {"WYVERN_NUM_THREADS", "OMP_NUM_THREADS"}) {
    if (const std::optional<int> n = ReadEnvironment(name, most)) return *n;
  }
  return most;
}

}  // namespace

Parallelism::Parallelism(int num_threads) : num_threads_(num_threads) {
  if (num_threads < 1) {
    throw std::logic_error(fmt::format(
        "Parallelism: {} threads were asked for; there is at least one.",
        num_threads));
  }
}

Parallelism Parallelism::Max() {
  static const int num_threads = CountThreads();
  return Parallelism(num_threads);
}

}  // namespace wyvern
