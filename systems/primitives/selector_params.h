#pragma once

#include <string>
#include <vector>

namespace wyvern::systems {

/** The ports of a Selector. An empty name asks for the default name. */
struct SelectorParams {
  /** An input port. */
  struct InputPortParams {
    /** Name of the port. */
    std::string name;
    /** Size of the vector. */
    int size{0};
  };

  /** One element of an output: the element `input_offset` of the input port
  `input_port_index`, both from 0. */
  struct OutputSelection {
    /** Index of the input port. */
    int input_port_index{0};
    /** Index of the element in the input port. */
    int input_offset{0};
  };

  /** An output port. */
  struct OutputPortParams {
    /** Name of the port. */
    std::string name;
    /** The elements of the vector, in order. */
    std::vector<OutputSelection> selections;
  };

  /** Input ports, by index. */
  std::vector<InputPortParams> inputs;
  /** Output ports, by index. */
  std::vector<OutputPortParams> outputs;
};

}  // namespace wyvern::systems
