#pragma once

#include <string>
#include <vector>

namespace wyvern::systems {

/** The ports of a Selector. An empty name asks for the default name. */
struct SelectorParams {
  struct InputPortParams {
    std::string name;
    /** Size of the vector. */
    int size{0};
  };

  /** One element of an output: the element `input_offset` of the input port
  `input_port_index`, both from 0. */
  struct OutputSelection {
    int input_port_index{0};
    int input_offset{0};
  };

  struct OutputPortParams {
    std::string name;
    /** The elements of the vector, in order. */
    std::vector<OutputSelection> selections;
  };

  std::vector<InputPortParams> inputs;
  std::vector<OutputPortParams> outputs;
};

}  // namespace wyvern::systems
