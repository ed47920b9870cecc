#pragma once

/** @file
What readers of mesh files have in common. */

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace wyvern::geometry::internal {

/** Triangles as a file has them: vertices that nothing refers to, and several
at one place. Every index is that of a vertex. */
struct RawMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/** @throws std::runtime_error "The mesh 'file' why". */
[[noreturn]] void ThrowOfMesh(const std::string& file, std::string_view why);

static_assert(std::endian::native == std::endian::little,
              "Numbers in binary mesh files are little-endian.");

/** Returns the number whose bytes begin at `place`, which must be within. */
template <class Number>
Number ReadPlace(std::string_view bytes, std::size_t place) {
  Number result;
  std::memcpy(&result, bytes.data() + place, sizeof(result));
  return result;
}

/** The lines of a text and the words in them, which blanks part. A word that
begins with # and what follows is a remark. A line that ends in a backslash goes
on in the next. */
class MeshText {
 public:
  MeshText(std::string_view text, const std::string& file)
      : rest_(text), file_(file) {}

  /** False at the end of the text. */
  bool NextLine();
  /** Returns the next word of the present line; empty at its end. */
  std::string_view NextWord();
  /** The next word as a number, if there is one.
  @throws std::runtime_error if the word is not a number that a double holds. */
  std::optional<double> NextNumber();
  /** Three numbers, which must be there. */
  Eigen::Vector3d NextTriple();
  /** A word that ends where `word` does, as a whole number.
  @throws std::runtime_error if it is not one. */
  int ToInt(std::string_view word) const;
  /** @throws std::runtime_error naming the file and the line. */
  [[noreturn]] void Throw(std::string_view why) const;

 private:
  std::string_view rest_;
  const std::string& file_;
  std::string_view line_;
  int number_{0};  // Of the line, the first being 1.
  int next_{1};
  std::string joined_;
};

/** Reads a Wavefront .obj file: of all objects, polygons as fans of triangles.
Materials, normals, textures, lines and curves are passed over. A vertex of four
numbers (x, y, z, w) is at (x, y, z) / w. */
RawMesh ReadObj(std::string_view text, const std::string& file);

/** Reads a .stl file, as text or as bytes. */
RawMesh ReadStl(std::string_view bytes, const std::string& file);

/** Reads a .msh file, MuJoCo's own binary format: the numbers of vertices,
normals, texture coordinates and triangles as 32-bit integers, then these, as
floats and, last, 32-bit indices.
@throws std::runtime_error naming the file if its length is not what the numbers
say or an index is of no vertex. */
RawMesh ReadMsh(std::string_view bytes, const std::string& file);

}  // namespace wyvern::geometry::internal
