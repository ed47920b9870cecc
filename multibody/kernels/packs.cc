#include "wyvern/multibody/kernels/packs.h"

#include <cstdlib>
#include <string_view>

#if !WYVERN_PLAIN_KERNELS

namespace wyvern::multibody::internal {
namespace {

bool FindWideRegisters() {
  const char* const registers = std::getenv("WYVERN_REGISTERS");
  if (registers != nullptr && std::string_view(registers) == "narrow") {
    return false;
  }
#if defined(__AVX2__)
  return true;
#elif defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

}  // namespace

const bool kHasWideRegisters = FindWideRegisters();

}  // namespace wyvern::multibody::internal

#endif  // !WYVERN_PLAIN_KERNELS
