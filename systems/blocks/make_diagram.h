#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/blocks/diagram_data.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/diagram_builder.h"

/** @file
Diagrams from data, and back. Messages name file, line and column of what was
read; a block or port that there is not comes with the nearest name, or with all
names. */

namespace wyvern::systems {

/** Adds blocks and wires to a builder. Wires may also join Systems that are in
the builder already. Time and memory are linear in the number of blocks.
@throws std::runtime_error if a block or wire was read from YAML, otherwise
std::logic_error: if a name is taken or there is no such port, and as the
blocks' constructors and DiagramBuilder::Connect(). Several mistakes are one
std::runtime_error that lists them: those of all blocks, or else of all wires.
*/
void AddBlocks(const NamedList<Block>& blocks,
               const std::vector<Connection>& connections,
               const BlockSite& site, DiagramBuilder<double>* builder);

/** Makes the Diagram. @throws as AddBlocks() and DiagramBuilder::Build(). */
std::unique_ptr<Diagram<double>> MakeDiagram(const DiagramData& data,
                                             const BlockSite& site);
/** Makes the Diagram of a file, whose parameters have their defaults. */
std::unique_ptr<Diagram<double>> LoadDiagram(const std::string& filename);

/** Returns what MakeDiagram() makes a Diagram of the same outputs from, to the
bit: blocks in their order, wires, and the diagram's own ports. Values in
Contexts are not a part of it.
@throws std::logic_error if no registered type describes a block. */
DiagramData DescribeDiagram(const Diagram<double>& diagram);
/** Returns the YAML document of DescribeDiagram(), which LoadDiagram() reads.
 */
std::string SaveDiagram(const Diagram<double>& diagram);

}  // namespace wyvern::systems
