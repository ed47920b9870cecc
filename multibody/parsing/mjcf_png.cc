#include "wyvern/multibody/parsing/mjcf_png.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

/* A PNG file is a list of chunks: a header (IHDR), for indexed colours a
palette (PLTE), and the rows as one deflated stream (IDAT). Each row begins
with the type of its filter, which predicts bytes from those of the pixel on
the left and of the row above. */

namespace wyvern::multibody::internal {

namespace {

constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};

[[noreturn]] void ThrowPng(std::string_view what) {
  throw std::runtime_error(fmt::format("the PNG image {}", what));
}

std::uint32_t BigEndian(std::string_view bytes) {
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    result = result << 8 | static_cast<std::uint8_t>(bytes[i]);
  }
  return result;
}

/** The header, and the chunks that the rows follow from. */
struct PngFile {
  std::uint32_t num_columns{};
  std::uint32_t num_rows{};
  int depth{};
  int color_type{};
  bool is_interlaced{};
  std::string palette{};
  std::string deflated{};

  int num_channels() const {
    constexpr std::array<int, 7> kChannels{1, 0, 3, 1, 2, 0, 4};
    return kChannels[color_type];
  }
  bool has_palette() const { return color_type == 3; }
};

bool IsKnownFormat(int color_type, int depth) {
  switch (color_type) {
    case 0:
      return depth == 1 || depth == 2 || depth == 4 || depth == 8 ||
             depth == 16;
    case 3:
      return depth == 1 || depth == 2 || depth == 4 || depth == 8;
    case 2:
    case 4:
    case 6:
      return depth == 8 || depth == 16;
    default:
      return false;
  }
}

void ReadHeader(std::string_view data, std::size_t most_values,
                PngFile* result) {
  if (data.size() != 13) ThrowPng("has a header of the wrong size");
  result->num_columns = BigEndian(data);
  result->num_rows = BigEndian(data.substr(4));
  result->depth = static_cast<std::uint8_t>(data[8]);
  result->color_type = static_cast<std::uint8_t>(data[9]);
  result->is_interlaced = data[12] != 0;
  if (result->num_columns == 0 || result->num_rows == 0 ||
      1.0 * result->num_columns * result->num_rows >
          static_cast<double>(most_values)) {
    ThrowPng(
        fmt::format("has {} columns and {} rows; {} values at most are "
                    "read",
                    result->num_columns, result->num_rows, most_values));
  }
  if (!IsKnownFormat(result->color_type, result->depth) || data[10] != 0 ||
      data[11] != 0) {
    ThrowPng(fmt::format("has color type {} of {} bits, which is not known",
                         result->color_type, result->depth));
  }
  if (result->is_interlaced) {
    ThrowPng("is interlaced; save it without interlacing");
  }
}

PngFile ReadChunks(std::string_view bytes, std::size_t most_values) {
  PngFile result;
  bytes.remove_prefix(kPngSignature.size());
  for (bool is_first = true;; is_first = false) {
    if (bytes.size() < 12) ThrowPng("ends early");
    const std::size_t size = BigEndian(bytes);
    if (size > bytes.size() - 12) ThrowPng("ends early");
    const std::string_view name = bytes.substr(4, 4);
    const std::string_view data = bytes.substr(8, size);
    const std::uint32_t wanted = BigEndian(bytes.substr(8 + size));
    const auto* begin = reinterpret_cast<const Bytef*>(bytes.data() + 4);
    if (crc32(0, begin, static_cast<uInt>(size + 4)) != wanted) {
      ThrowPng(fmt::format("has a wrong checksum in its chunk {}", name));
    }
    if (is_first != (name == "IHDR")) ThrowPng("does not begin with a header");
    if (is_first) {
      ReadHeader(data, most_values, &result);
    } else if (name == "PLTE") {
      result.palette = data;
    } else if (name == "IDAT") {
      result.deflated += data;
    } else if (name == "IEND") {
      return result;
    }
    bytes.remove_prefix(size + 12);
  }
}

std::string Inflate(const std::string& deflated, std::size_t size) {
  std::string result(size, '\0');
  uLongf got = size;
  const int code = uncompress(reinterpret_cast<Bytef*>(result.data()), &got,
                              reinterpret_cast<const Bytef*>(deflated.data()),
                              deflated.size());
  if (code != Z_OK || got != size) ThrowPng("has damaged rows");
  return result;
}

// The one of left, up and corner that is nearest to left + up - corner.
int PredictPaeth(int left, int up, int corner) {
  const int from_left = std::abs(up - corner);
  const int from_up = std::abs(left - corner);
  const int from_corner = std::abs(left + up - 2 * corner);
  if (from_left <= from_up && from_left <= from_corner) return left;
  return from_up <= from_corner ? up : corner;
}

// Undoes the filter of a row; `above` is the row before, or zeros.
void Unfilter(int filter, int pixel_bytes, const std::vector<int>& above,
              std::vector<int>* row) {
  for (std::size_t i = 0; i < row->size(); ++i) {
    const bool has_left = i >= static_cast<std::size_t>(pixel_bytes);
    const int left = has_left ? (*row)[i - pixel_bytes] : 0;
    const int corner = has_left ? above[i - pixel_bytes] : 0;
    const int up = above[i];
    int predicted{};
    switch (filter) {
      case 0:
        break;
      case 1:
        predicted = left;
        break;
      case 2:
        predicted = up;
        break;
      case 3:
        predicted = (left + up) / 2;
        break;
      case 4:
        predicted = PredictPaeth(left, up, corner);
        break;
      default:
        ThrowPng(fmt::format("has a row of the unknown filter {}", filter));
    }
    (*row)[i] = ((*row)[i] + predicted) & 255;
  }
}

// Returns the first channel of a pixel in 8 bits.
std::uint8_t FirstChannel(const PngFile& file, const std::vector<int>& row,
                          std::uint32_t column) {
  const std::size_t bit =
      static_cast<std::size_t>(column) * file.num_channels() * file.depth;
  int value = row[bit / 8];
  int most = 255;
  if (file.depth < 8) {
    most = (1 << file.depth) - 1;
    value = value >> (8 - file.depth - static_cast<int>(bit % 8)) & most;
  }
  if (!file.has_palette()) return static_cast<std::uint8_t>(255 * value / most);
  const std::size_t entry = 3 * static_cast<std::size_t>(value);
  if (entry >= file.palette.size()) ThrowPng("has a color without palette");
  return static_cast<std::uint8_t>(file.palette[entry]);
}

}  // namespace

bool IsPng(std::string_view bytes) { return bytes.starts_with(kPngSignature); }

MjcfPicture ReadPng(std::string_view bytes, std::size_t most_values) {
  const PngFile file = ReadChunks(bytes, most_values);
  const std::size_t pixel_bits =
      static_cast<std::size_t>(file.num_channels()) * file.depth;
  const std::size_t row_size = (file.num_columns * pixel_bits + 7) / 8;
  const std::string filtered =
      Inflate(file.deflated, file.num_rows * (row_size + 1));
  MjcfPicture result{.num_rows = static_cast<int>(file.num_rows),
                     .num_columns = static_cast<int>(file.num_columns)};
  result.values.reserve(static_cast<std::size_t>(file.num_rows) *
                        file.num_columns);
  std::vector<int> above(row_size, 0);
  std::vector<int> row(row_size, 0);
  const auto* next = reinterpret_cast<const std::uint8_t*>(filtered.data());
  for (std::uint32_t r = 0; r < file.num_rows; ++r) {
    const int filter = *next++;
    row.assign(next, next + row_size);
    next += row_size;
    Unfilter(filter, std::max<int>(1, static_cast<int>(pixel_bits / 8)), above,
             &row);
    for (std::uint32_t c = 0; c < file.num_columns; ++c) {
      result.values.push_back(FirstChannel(file, row, c));
    }
    std::swap(above, row);
  }
  return result;
}

}  // namespace wyvern::multibody::internal
