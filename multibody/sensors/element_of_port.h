#pragma once

#include <cstdint>
#include <vector>

// The plant of all sensors.
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/framework/input_port.h"

namespace wyvern::systems::sensors::internal {

/** Returns the element at an index of a port that carries a std::vector<Value>.
@throws std::out_of_range, naming the port, if its vector is shorter. */
template <typename Value, typename T>
const Value& EvalElement(const InputPort<T>& port, const Context<T>& context,
                         int index) {
  const auto& values = port.template Eval<std::vector<Value>>(context);
  wyvern::internal::RequireIndex(
      wyvern::internal::Caller::Element("input port", port.get_name()),
      "the sensor's index", index, static_cast<int64_t>(values.size()),
      "connect the plant that the sensor was made for");
  return values[index];
}

}  // namespace wyvern::systems::sensors::internal
