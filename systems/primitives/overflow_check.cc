#include "wyvern/systems/primitives/overflow_check.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"

namespace wyvern::systems::internal {
namespace {

// The first element that is not finite, or -1. Two infinities make a nan.
template <typename T>
int FindNonFinite(const VectorX<T>& values) {
  for (int i = 0; i < values.size(); ++i) {
    if (!std::isfinite(wyvern::internal::NumberIn(values[i]))) return i;
  }
  return -1;
}

}  // namespace

template <typename T>
void RequireNoOverflow(const System<T>& system, const Context<T>& context,
                       const BasicVector<T>& output) {
  const int element = FindNonFinite(output.value());
  if (element < 0) return;
  for (int i = 0; i < system.num_input_ports(); ++i) {
    const BasicVector<T>* input = system.EvalVectorInput(context, i);
    if (input != nullptr && FindNonFinite(input->value()) >= 0) return;
  }
  throw std::runtime_error(fmt::format(
      "System {} ({}): element {} of its output overflows to {} at time {} s "
      "though its inputs are finite; use smaller gains or inputs.",
      context.GetSystemPathname(), system.GetSystemType(), element,
      ScalarText(output[element]), ScalarText(context.get_time())));
}

#define WYVERN_INSTANTIATE_THROW_IF_OVERFLOW(T)                        \
  template void RequireNoOverflow(const System<T>&, const Context<T>&, \
                                  const BasicVector<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_THROW_IF_OVERFLOW)
#undef WYVERN_INSTANTIATE_THROW_IF_OVERFLOW

}  // namespace wyvern::systems::internal
