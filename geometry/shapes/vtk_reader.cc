#include "wyvern/geometry/shapes/vtk_reader.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_text.h"

/* A legacy VTK file is a text of keywords and numbers:

  # vtk DataFile Version 3.0
  a title, one line
  ASCII
  DATASET UNSTRUCTURED_GRID
  POINTS n double           3 n coordinates follow
  CELLS m k                 k numbers follow: 4 a b c d, m times
  CELL_TYPES m              m numbers follow: 10, which is a tetrahedron

and of data at points and cells, which is passed over. Numbers may be dealt
to lines in any way. Counts are not believed: nothing is allocated for them,
and what the text has no room for is refused at once. */

namespace wyvern::geometry::internal {
namespace {

// Words of a text, across lines.
class VtkReader {
 public:
  VtkReader(std::string_view text, const std::string& file, double scale)
      : size_(text.size()), scale_(scale), text_(text, file) {
    if (!text.starts_with("# vtk DataFile Version")) {
      ThrowOfMesh(file,
                  "cannot be read: line 1: '# vtk DataFile Version' is wanted; "
                  "only legacy VTK files can be read.");
    }
    // The title is the second line.
    for (int line = 1; line <= 3; ++line) text_.NextLine();
    Expect("ASCII");
    Expect("DATASET");
    Expect("UNSTRUCTURED_GRID");
  }

  TetrahedronMesh Read() {
    for (std::string_view word = Word(); !word.empty(); word = Word()) {
      if (word == "POINTS") {
        ReadPoints();
      } else if (word == "CELLS") {
        ReadCells();
      } else if (word == "CELL_TYPES") {
        ReadTypes();
      } else if (word == "CELL_DATA" || word == "POINT_DATA") {
        break;
      } else if (word == "METADATA") {
        SkipToBlankLine();
      } else {
        text_.Throw(fmt::format(
            "'{}' is not known; POINTS, CELLS, CELL_TYPES, CELL_DATA or "
            "POINT_DATA is wanted.",
            word));
      }
    }
    if (mesh_.tetrahedra.empty() || num_types_ != mesh_.tetrahedra.size()) {
      text_.Throw(fmt::format(
          "the file ends with {} points, {} cells and {} cell types; POINTS, "
          "CELLS and as many CELL_TYPES are wanted.",
          mesh_.vertices.size(), mesh_.tetrahedra.size(), num_types_));
    }
    return std::move(mesh_);
  }

 private:
  // The next one, on this line or a later one; empty at the end.
  std::string_view Word() {
    std::string_view word = text_.NextWord();
    while (word.empty() && text_.NextLine()) word = text_.NextWord();
    return word;
  }

  std::string_view Wanted(std::string_view what) {
    const std::string_view word = Word();
    if (word.empty()) {
      text_.Throw(fmt::format("the file ends; {} is wanted.", what));
    }
    return word;
  }

  void Expect(std::string_view keyword) {
    const std::string_view word = Wanted(keyword);
    if (word != keyword) {
      text_.Throw(fmt::format("'{}' is wanted, not '{}'.", keyword, word));
    }
  }

  double Number(std::string_view what) {
    std::optional<double> value = text_.NextNumber();
    while (!value && text_.NextLine()) value = text_.NextNumber();
    if (!value) text_.Throw(fmt::format("the file ends; {} is wanted.", what));
    return *value;
  }

  int Index(std::string_view what) {
    const double value = Number(what);
    if (!(value >= 0 && value <= std::numeric_limits<int>::max()) ||
        value != std::floor(value)) {
      text_.Throw(fmt::format("{} is {}; a whole number is wanted, 0 or more.",
                              what, value));
    }
    return static_cast<int>(value);
  }

  // How many there are of what takes at least `bytes` of the text.
  int Count(std::string_view what, std::size_t bytes) {
    const int count = Index(what);
    if (static_cast<std::size_t>(count) > size_ / bytes) {
      text_.Throw(
          fmt::format("{} is {}, for which the file of {} bytes has no room.",
                      what, count, size_));
    }
    return count;
  }

  double Coordinate() {
    const double value = Number("a coordinate");
    if (!std::isfinite(value * scale_)) {
      text_.Throw(
          fmt::format("a coordinate is {}, which is not finite with "
                      "the scale {}.",
                      value, scale_));
    }
    return value * scale_;
  }

  void ReadPoints() {
    if (!mesh_.vertices.empty()) text_.Throw("POINTS is there twice.");
    const int n = Count("the number of points", 6);
    Wanted("the type of numbers");
    for (int i = 0; i < n; ++i) {
      const double x = Coordinate(), y = Coordinate();
      mesh_.vertices.emplace_back(x, y, Coordinate());
    }
  }

  void ReadCells() {
    if (!mesh_.tetrahedra.empty()) text_.Throw("CELLS is there twice.");
    const int n = Count("the number of cells", 10);
    const int size = Count("the number of numbers in cells", 2);
    if (size / 5 != n || size % 5 != 0) {
      text_.Throw(fmt::format(
          "{} cells of {} numbers are not tetrahedra, which have five each: "
          "4 and their vertices. Files of version 5 can be written as 4.2.",
          n, size));
    }
    for (int i = 0; i < n; ++i) {
      const int k = Index("the number of a cell's vertices");
      if (k != 4) {
        text_.Throw(fmt::format(
            "cell {} has {} vertices; only tetrahedra can be read.", i, k));
      }
      std::array<int, 4> v{};
      for (int& x : v) x = Index("the number of a vertex");
      mesh_.tetrahedra.push_back(v);
    }
  }

  void ReadTypes() {
    const int n = Count("the number of cell types", 2);
    for (int i = 0; i < n; ++i) {
      const int type = Index("a cell type");
      if (type != 10) {
        text_.Throw(fmt::format(
            "cell {} is of type {}; only 10, tetrahedra, can be read.", i,
            type));
      }
    }
    num_types_ += n;
  }

  void SkipToBlankLine() {
    while (text_.NextLine() && !text_.NextWord().empty()) {
    }
  }

  std::size_t size_;
  double scale_;
  MeshText text_;
  TetrahedronMesh mesh_;
  std::size_t num_types_{0};
};

}  // namespace

TetrahedronMesh ReadVtk(std::string_view text, const std::string& file,
                        double scale) {
  return VtkReader(text, file, scale).Read();
}

}  // namespace wyvern::geometry::internal
