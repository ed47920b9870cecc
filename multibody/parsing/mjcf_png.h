#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wyvern::multibody::internal {

/** A picture, as MuJoCo reads one for a height field. */
struct MjcfPicture {
  int num_rows{};
  int num_columns{};
  /** The first channel (grey or red) in 8 bits, row by row from the top. */
  std::vector<std::uint8_t> values{};
};

/** Returns whether the bytes of a file begin as those of a PNG file. */
bool IsPng(std::string_view bytes);

/** Reads a PNG file (ISO/IEC 15948) of any colour type and depth. Samples of 16
bits lose their low byte.
@param most_values the largest number of values that is read.
@throws std::runtime_error saying what is wrong with the file. */
MjcfPicture ReadPng(std::string_view bytes, std::size_t most_values);

}  // namespace wyvern::multibody::internal
