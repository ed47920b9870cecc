#pragma once

#include <array>
#include <string>

#include "wyvern/geometry/shapes/in_memory_mesh.h"

namespace wyvern::multibody::test {

/** The mesh of a box about the origin, by half its edges, [m]. */
inline geometry::InMemoryMesh MakeBoxMesh(double x, double y, double z) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const std::array<double, 3> corner{i & 4 ? x : -x, i & 2 ? y : -y,
                                       i & 1 ? z : -z};
    text += "v";
    for (const double p : corner) text += " " + std::to_string(p);
    text += "\n";
  }
  text += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
  return {MemoryFile(text, ".obj", "box"), {}};
}

}  // namespace wyvern::multibody::test
