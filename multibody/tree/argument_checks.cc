#include "wyvern/multibody/tree/argument_checks.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

void RequireEntries(std::string_view function, std::string_view what,
                    Eigen::Index size, Eigen::Index wanted) {
  if (size == wanted) return;
  throw std::logic_error(fmt::format("{}(): {} has {} entries; wanted are {}.",
                                     function, what, size, wanted));
}

template <typename T>
void RequireResult(std::string_view function, std::string_view what,
                   const EigenPtr<VectorX<T>>& result, Eigen::Index wanted) {
  if (result == nullptr) {
    throw std::logic_error(
        fmt::format("{}(): {} is null; wanted is a vector of {} entries.",
                    function, what, wanted));
  }
  RequireEntries(function, what, result->size(), wanted);
}

template <typename T>
int FindNotFinite(const Eigen::Ref<const VectorX<T>>& values) {
  if (AllFinite(values)) return -1;
  for (int i = 0; i < values.size(); ++i) {
    if (!std::isfinite(ExtractDoubleOrThrow(values[i]))) return i;
  }
  return -1;
}

template <typename T>
void RequireFiniteEntries(std::string_view function, std::string_view what,
                          const Eigen::Ref<const VectorX<T>>& values) {
  const int i = FindNotFinite<T>(values);
  if (i < 0) return;
  throw std::logic_error(
      fmt::format("{}(): entry {} of {} is {}; it is to be finite.", function,
                  i, what, ExtractDoubleOrThrow(values[i])));
}

#define WYVERN_INSTANTIATE(T)                                                \
  template void RequireResult<T>(std::string_view, std::string_view,         \
                                 const EigenPtr<VectorX<T>>&, Eigen::Index); \
  template int FindNotFinite<T>(const Eigen::Ref<const VectorX<T>>&);        \
  template void RequireFiniteEntries<T>(std::string_view, std::string_view,  \
                                        const Eigen::Ref<const VectorX<T>>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
