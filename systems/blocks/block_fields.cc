#include "wyvern/systems/blocks/block_fields.h"

#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/yaml/yaml_node.h"

namespace wyvern::systems::internal {

int CheckSize(const char* block, const char* field, int size, int least) {
  wyvern::internal::RequireInRange(block, field, size, least, kMaxBlockSize);
  return size;
}

void ThrowBadName(const char* block, const char* field, const std::string& name,
                  const std::vector<std::string>& names) {
  const std::string nearest = yaml::internal::FindNearest(name, names);
  throw std::logic_error(fmt::format(
      "{}(): {} is '{}'; {}.", block, field, name,
      nearest.empty() ? fmt::format("give one of [{}]", fmt::join(names, ", "))
                      : fmt::format("is '{}' meant?", nearest)));
}

}  // namespace wyvern::systems::internal
