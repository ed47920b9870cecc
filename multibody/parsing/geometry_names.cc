#include "wyvern/multibody/parsing/geometry_names.h"

#include <fmt/format.h>

namespace wyvern::multibody::internal {

std::string GeometryNames::Make(std::string_view given,
                                std::string_view shape_type) {
  const std::string name(given.empty() ? shape_type : given);
  std::string result = name;
  for (int i = 1; !taken_.insert(result).second; ++i) {
    result = fmt::format("{}_{}", name, i);
  }
  return result;
}

}  // namespace wyvern::multibody::internal
