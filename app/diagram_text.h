#pragma once

#include <string>

#include "wyvern/systems/framework/diagram.h"

namespace wyvern::app {

/** A diagram as text: each system with its ports, their sizes ("any" for ports
that are no vectors), and what feeds its inputs. Inputs that nothing feeds are
left out; outputs are "system/port", as logs want them. */
std::string DescribeDiagram(const systems::Diagram<double>& diagram);

}  // namespace wyvern::app
