#include "wyvern/multibody/parsing/mjcf_height_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/mjcf_png.h"
#include "wyvern/systems/common/memory_file.h"

/* MuJoCo scales heights to [0, 1], from the least to the greatest. Row 0 of the
data is at the lowest y, which is the last row in the text of `elevation`.
Each cell is two triangles, split by the diagonal from (0, 1) to (1, 0). The
prisms between these triangles and the bottom of the base collide with
bodies. */

namespace wyvern::multibody::internal {

namespace {

constexpr double kMostCells = 4e6;
constexpr double kMostPrisms = 20000;
// A display draws no more than about a million pixels.
constexpr double kMostSeenTriangles = 200000;

int ReadCount(const MjcfElement& element, const char* attribute) {
  const double count = element.Number(attribute, 0);
  if (!(count >= 1) || count != std::floor(count) || count > kMostCells) {
    element.Throw(fmt::format(
        "{} of a height field is {}; a whole number, 1 or more, is wanted.",
        attribute, count));
  }
  return static_cast<int>(count);
}

// The top row of an image is the last one of the field.
void ReadImage(const MjcfElement& element, const std::filesystem::path& file,
               const std::string& bytes, MjcfHeightField* field) {
  MjcfPicture image;
  try {
    image = ReadPng(bytes, static_cast<std::size_t>(kMostCells));
  } catch (const std::runtime_error& error) {
    element.Throw(fmt::format("'{}': {}.", file.string(), error.what()));
  }
  field->num_rows = image.num_rows;
  field->num_columns = image.num_columns;
  for (int row = image.num_rows - 1; row >= 0; --row) {
    const auto begin = image.values.begin() + row * image.num_columns;
    field->heights.insert(field->heights.end(), begin,
                          begin + image.num_columns);
  }
}

// The file is a PNG image, or it has two integers, the numbers of rows and
// columns, and then the heights as floats, row by row.
void ReadHeightFile(const MjcfElement& element,
                    const std::filesystem::path& file, MjcfHeightField* field) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  if (IsPng(bytes)) {
    ReadImage(element, file, bytes, field);
    return;
  }
  std::int32_t counts[2]{};
  if (bytes.size() >= sizeof counts) {
    std::memcpy(counts, bytes.data(), sizeof counts);
  }
  const double size = 1.0 * counts[0] * counts[1];
  if (counts[0] < 1 || counts[1] < 1 || size > kMostCells ||
      bytes.size() != sizeof counts + sizeof(float) * std::size_t(size)) {
    element.Throw(fmt::format(
        "'{}' is no height field: a PNG image, or two integers, the rows and "
        "the columns, and a float for each.",
        file.string()));
  }
  field->num_rows = counts[0];
  field->num_columns = counts[1];
  const char* next = bytes.data() + sizeof counts;
  for (std::size_t i = 0; i < std::size_t(size); ++i, next += sizeof(float)) {
    float height{};
    std::memcpy(&height, next, sizeof height);
    if (!std::isfinite(height)) {
      element.Throw(
          fmt::format("'{}' has a height that is not finite.", file.string()));
    }
    field->heights.push_back(height);
  }
}

void ReadElevation(const MjcfElement& element, MjcfHeightField* field) {
  field->num_rows = ReadCount(element, "nrow");
  field->num_columns = ReadCount(element, "ncol");
  const double size = 1.0 * field->num_rows * field->num_columns;
  if (size > kMostCells) {
    element.Throw("the height field has too many rows and columns.");
  }
  field->heights.assign(std::size_t(size), 0.0);
  if (!element.Has("elevation")) return;
  const std::vector<double> given =
      ReadMjcfNumbers(element.own(), "elevation", std::string_view::npos);
  if (given.size() != field->heights.size()) {
    element.Throw(fmt::format(
        "elevation has {} numbers, and {} rows of {} have {}.", given.size(),
        field->num_rows, field->num_columns, field->heights.size()));
  }
  const int n = field->num_columns;
  for (int row = 0; row < field->num_rows; ++row) {
    std::copy_n(given.begin() + (field->num_rows - 1 - row) * n, n,
                field->heights.begin() + row * n);
  }
}

}  // namespace

bool MjcfHeightField::IsFlat() const {
  return std::ranges::all_of(heights, [](double z) { return z == 0; });
}

// A field of one row or column is flat.
Vector3<double> MjcfHeightField::point(int row, int column) const {
  return {size[0] * (2.0 * column / std::max(num_columns - 1, 1) - 1),
          size[1] * (2.0 * row / std::max(num_rows - 1, 1) - 1),
          size[2] * heights[row * num_columns + column]};
}

MjcfHeightField ReadMjcfHeightField(const MjcfElement& element,
                                    const std::filesystem::path& file) {
  MjcfHeightField field;
  field.size = element.Numbers("size", Vector4<double>::Zero());
  if (!(field.size.minCoeff() > 0)) {
    element.Throw(fmt::format(
        "size of a height field is \"{}\"; four positive numbers are wanted.",
        element.Text("size")));
  }
  if (file.empty()) {
    ReadElevation(element, &field);
  } else {
    ReadHeightFile(element, file, &field);
  }
  const auto [least, most] = std::ranges::minmax(field.heights);
  for (double& z : field.heights) {
    z = most > least ? (z - least) / (most - least) : 0;
  }
  return field;
}

namespace {

// Returns the height at a place between the points, counted in rows and
// columns.
double Interpolate(const MjcfHeightField& field, double row, double column) {
  const int r = std::min(static_cast<int>(row), field.num_rows - 2);
  const int c = std::min(static_cast<int>(column), field.num_columns - 2);
  const auto z = [&](int i, int j) {
    return field.heights[(r + i) * field.num_columns + c + j];
  };
  const double u = row - r;
  const double v = column - c;
  return (1 - u) * ((1 - v) * z(0, 0) + v * z(0, 1)) +
         u * ((1 - v) * z(1, 0) + v * z(1, 1));
}

// Returns the heights of `field` at the points of a grid over the same area.
MjcfHeightField Resample(const MjcfHeightField& field, int rows, int columns) {
  MjcfHeightField result{
      .num_rows = rows, .num_columns = columns, .size = field.size};
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      result.heights.push_back(
          Interpolate(field, 1.0 * row * (field.num_rows - 1) / (rows - 1),
                      1.0 * column * (field.num_columns - 1) / (columns - 1)));
    }
  }
  return result;
}

// Returns a field over the same area with fewer rows and columns, or nothing if
// the field has no more than `most_triangles`.
std::optional<MjcfHeightField> MakeCoarse(const MjcfHeightField& field,
                                          double most_triangles) {
  const double rows = field.num_rows - 1;
  const double columns = field.num_columns - 1;
  if (field.IsFlat() || rows < 1 || columns < 1 ||
      2 * rows * columns <= most_triangles) {
    return std::nullopt;
  }
  const double kept = std::sqrt(most_triangles / (2 * rows * columns));
  const double few_rows =
      std::clamp(std::floor(kept * rows), 1.0, most_triangles / 2);
  const double few_columns =
      std::min(columns, std::floor(most_triangles / (2 * few_rows)));
  return Resample(field, static_cast<int>(few_rows) + 1,
                  static_cast<int>(few_columns) + 1);
}

}  // namespace

double CoarsenHeights(MjcfHeightField* field) {
  std::optional<MjcfHeightField> coarse = MakeCoarse(*field, kMostPrisms);
  if (!coarse.has_value()) return 0;
  const MjcfHeightField again =
      Resample(*coarse, field->num_rows, field->num_columns);
  double difference = 0;
  for (std::size_t i = 0; i < field->heights.size(); ++i) {
    difference =
        std::max(difference, std::abs(field->heights[i] - again.heights[i]));
  }
  *field = std::move(*coarse);
  return difference * field->size[2];
}

std::vector<MjcfHeightPart> MakeHeightParts(const MjcfHeightField& field,
                                            const std::string& label) {
  std::vector<MjcfHeightPart> parts;
  const Vector4<double>& size = field.size;
  const int rows = field.num_rows;
  const int columns = field.num_columns;
  if (field.IsFlat()) {
    parts.push_back(
        {math::RigidTransform<double>(Vector3<double>(0, 0, -size[3] / 2)),
         std::make_unique<geometry::Box>(2 * size[0], 2 * size[1], size[3])});
    return parts;
  }
  if (rows < 2 || columns < 2) {
    throw std::runtime_error(fmt::format(
        "a height field of {} rows and {} columns is not modelled; give it two "
        "of each.",
        rows, columns));
  }
  // Texts of the points and of those below them, for up to six prisms each.
  std::vector<std::string> above, below;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const Vector3<double> p = field.point(row, column);
      above.push_back(fmt::format("v {} {} {}\n", p.x(), p.y(), p.z()));
      below.push_back(fmt::format("v {} {} {}\n", p.x(), p.y(), -size[3]));
    }
  }
  const auto add = [&](const std::array<int, 3>& corners) {
    std::string text;
    for (const int i : corners) text += above[i];
    for (const int i : corners) text += below[i];
    auto prism = std::make_unique<geometry::Convex>(
        geometry::InMemoryMesh{MemoryFile(std::move(text), ".obj", label), {}});
    prism->GetConvexHull();  // Throws here if the field is too thin.
    parts.push_back({{}, std::move(prism)});
  };
  for (int row = 0; row + 1 < rows; ++row) {
    for (int column = 0; column + 1 < columns; ++column) {
      const int i = row * columns + column;
      add({i, i + 1, i + columns});
      add({i + 1, i + columns + 1, i + columns});
    }
  }
  return parts;
}

std::unique_ptr<geometry::Shape> MakeHeightSurface(const MjcfHeightField& field,
                                                   const std::string& label) {
  const std::optional<MjcfHeightField> coarse =
      MakeCoarse(field, kMostSeenTriangles);
  const MjcfHeightField& shown = coarse.has_value() ? *coarse : field;
  geometry::internal::TriangleMesh mesh;
  if (field.IsFlat()) {
    const double x = field.size[0];
    const double y = field.size[1];
    mesh.vertices = {{-x, -y, 0}, {x, -y, 0}, {-x, y, 0}, {x, y, 0}};
    mesh.triangles = {{0, 1, 2}, {1, 3, 2}};
    return MeshFiles::Make(mesh, label, MeshFiles::Use::kSee);
  }
  const int n = shown.num_columns;
  for (int row = 0; row < shown.num_rows; ++row) {
    for (int column = 0; column < n; ++column) {
      mesh.vertices.push_back(shown.point(row, column));
      if (row == 0 || column == 0) continue;
      const int last = row * n + column;
      mesh.triangles.push_back({last - n - 1, last - n, last - 1});
      mesh.triangles.push_back({last - n, last, last - 1});
    }
  }
  return MeshFiles::Make(mesh, label, MeshFiles::Use::kSee);
}

}  // namespace wyvern::multibody::internal
