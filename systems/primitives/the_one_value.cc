#include "wyvern/systems/primitives/the_one_value.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::systems::internal {

double TheOneValue(std::string_view who, const Eigen::VectorXd& values,
                   std::string_view instead) {
  if (values.size() == 0 || (values.array() != values[0]).any()) {
    throw std::logic_error(fmt::format(
        "{}: [{}] is not one repeated number; use {}.", who,
        fmt::join(values.data(), values.data() + values.size(), ", "),
        instead));
  }
  return values[0];
}

}  // namespace wyvern::systems::internal
