#pragma once

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::multibody::internal {

/** Where a plant's ports are, by the rows of a table in plant_ports.cc: one of
the whole plant has one port, one of model instances has one for each. */
template <class Index>
struct PortRow {
  std::string_view name;
  std::vector<Index> ports;
};

struct PortIndices {
  std::vector<PortRow<systems::InputPortIndex>> input_rows;
  std::vector<PortRow<systems::OutputPortIndex>> output_rows;

  /** The port of a row of the whole plant. A search: keep the result.
  @throws std::logic_error if the row has not been declared. */
  systems::InputPortIndex input(std::string_view row) const {
    return inputs(row)[0];
  }
  /** Returns the ports of the model instances, by instance. */
  const std::vector<systems::InputPortIndex>& inputs(
      std::string_view row) const {
    using Row = PortRow<systems::InputPortIndex>;
    const auto i = std::ranges::find(input_rows, row, &Row::name);
    if (i != input_rows.end() && !i->ports.empty()) return i->ports;
    throw std::logic_error(
        fmt::format("MultibodyPlant: input port '{}' is not declared.", row));
  }
};

}  // namespace wyvern::multibody::internal
