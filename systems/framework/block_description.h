#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "wyvern/systems/framework/event.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

class PortBase;
class SystemBase;

/** A port as a reader of a diagram sees it. */
struct PortDescription {
  /** Name of the port, unique among ports of its direction. */
  std::string name;
  /** Vector-valued or abstract-valued. */
  PortDataType type{};
  /** Elements of a vector; 0 if abstract. */
  int size{};
  /** The unit of each element; empty if the port has no units. */
  std::vector<std::string> units{};
  /** The name of each element; empty if the elements have no names. */
  std::vector<std::string> element_names{};
};

/** Returns a name for each element of a vector port, or an empty list. */
using ElementNames = std::function<std::vector<std::string>(const PortBase&)>;

/** A wire inside a Diagram, from one end to the other. `system` is the place of
a part in BlockDescription::parts, or -1: a port of the Diagram itself, an input
at `from` and an output at `to`. */
struct WireDescription {
  /** One end of a wire. */
  struct End {
    /** Place in BlockDescription::parts, or -1 for the Diagram itself. */
    int system{};
    /** Index of the port. */
    int port{};
    bool operator==(const End&) const = default;
  };
  /** Start of the wire. */
  End from;
  /** End of the wire. */
  End to;
  bool operator==(const WireDescription&) const = default;
};

/** Description of a System for drawings and lists: the Graphviz text, the
program `wyvern` and a Viewer's page are made from it. */
struct BlockDescription {
  /** The System, which lives as long as its Diagram. */
  const SystemBase* system{};
  /** Name of the System. */
  std::string name;
  /** The C++ type, without namespaces. */
  std::string type;
  /** Input ports, by index. */
  std::vector<PortDescription> inputs;
  /** Output ports, by index. */
  std::vector<PortDescription> outputs;
  /** When state is updated, and when something is published, by period. Empty
  for a Diagram whose parts are described. */
  std::vector<PeriodicEventData> updates;
  /** Periods and offsets of publish events, as for `updates`. */
  std::vector<PeriodicEventData> publishes;
  /** True if the state is updated at each step. */
  bool updates_every_step{false};
  /** True if something is published at each step. */
  bool publishes_every_step{false};
  /** Parts of a Diagram in the order in which they were added; empty where the
  depth ends. */
  std::vector<BlockDescription> parts;
  /** First what its inputs feed, then what feeds its outputs, then the wires
  between parts, by the part that they end at. */
  std::vector<WireDescription> wires;
};

/** Describes a System of any scalar and, if it is a Diagram, what is in it,
`max_depth` levels deep.
@param element_names names the elements of ports; null: no names. A port without
names gets those of its vector type, if that has NamedElements, or of the port
at the other end of its wire.
@throws std::logic_error if a port has another number of names than elements. */
BlockDescription DescribeBlock(const SystemBase& system,
                               int max_depth = std::numeric_limits<int>::max(),
                               const ElementNames& element_names = nullptr);

namespace internal {
/** DescribeBlock() of depth 0, but for when it updates and publishes. */
BlockDescription DescribeOutside(const SystemBase& system);
/** Adds when it updates its state, and when it publishes. */
void AddRates(BlockDescription* block);
/** Adds wires and parts, as DescribeOutside() has them; whether it is a
Diagram. */
bool AddInside(BlockDescription* block);
/** The units of a port as one text, see PortBase::DescribeUnits(). */
std::string DescribeUnits(const std::vector<std::string>& units);
/** "every 0.01 s from 0.005 s". */
std::string DescribeTiming(const PeriodicEventData& timing);
/** A line for each rate of updates, then for each of publishing, as in
"publishes every 0.5 s". */
std::vector<std::string> RateLines(const BlockDescription& block);
}  // namespace internal

}  // namespace wyvern::systems
