#include "wyvern/multibody/parsing/geometry_names.h"

#include <fmt/format.h>

namespace wyvern::multibody::internal {

std::string GeometryNames::Make(std::string_view given,
                                std::string_view shape_type) {
  const std::string name(given.empty() ? shape_type : given);
  std::string result = name;
  while (!taken_.insert(result).second) {
    result = fmt::format("{}_{}", name, ++last_number_[name]);
  }
  return result;
}

}  // namespace wyvern::multibody::internal
