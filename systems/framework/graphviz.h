#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wyvern::systems {

/** A System's part of a dot drawing: what to connect to each port, and text. */
struct GraphvizFragment {
  /** For each port, what an edge that ends or starts there names. */
  std::vector<std::string> input_ports;
  /** For each output port, as for `input_ports`. */
  std::vector<std::string> output_ports;
  /** Statements of the dot language. */
  std::vector<std::string> fragments;
};

/** Parameters that a System receives when it draws itself. */
struct GraphvizFragmentParams {
  /** How many more levels of Diagrams to open. */
  int max_depth{};
  /** Options of the drawing, as for SystemBase::GetGraphvizString(). */
  std::map<std::string, std::string> options;
  /** A name for the node, unique in the drawing. */
  std::string node_id;
  /** Lines that head the box: type and name. */
  std::vector<std::string> header_lines;
};

namespace internal {
/** `text` as it must stand between the quotes of a label, to be shown as it is
on one line. */
std::string EscapeDotLabel(std::string_view text);
/** Escapes a label of a record node, in which more characters are special. */
std::string EscapeDotRecord(std::string_view text);
}  // namespace internal

}  // namespace wyvern::systems
