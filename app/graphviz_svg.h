#pragma once

#include <string>

namespace wyvern::app {

/** A drawing, as an SVG document, of a graph in Graphviz's language, made by
Graphviz's program dot.
@throws std::runtime_error if dot is not in the PATH, saying what to install, or
does not do it. */
std::string DrawSvg(const std::string& graph);

}  // namespace wyvern::app
