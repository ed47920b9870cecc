/** @file PNG images of height fields. */

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/mjcf_png.h"

namespace wyvern::multibody {
namespace mjcf_png_test {

using internal::MjcfPicture;
using internal::ReadPng;
using Values = std::vector<std::uint8_t>;

constexpr std::size_t kMost = 1000;

std::string Number(std::uint32_t value) {
  std::string result;
  for (int shift = 24; shift >= 0; shift -= 8) {
    result += static_cast<char>(value >> shift);
  }
  return result;
}

std::string Chunk(const std::string& name, const std::string& data) {
  const std::string body = name + data;
  const auto* bytes = reinterpret_cast<const Bytef*>(body.data());
  return Number(static_cast<std::uint32_t>(data.size())) + body +
         Number(static_cast<std::uint32_t>(
             crc32(0, bytes, static_cast<uInt>(body.size()))));
}

std::string Deflate(const std::string& rows) {
  std::string result(compressBound(rows.size()), 0);
  uLongf size = result.size();
  compress(reinterpret_cast<Bytef*>(result.data()), &size,
           reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  return result.substr(0, size);
}

std::string Bytes(const Values& values) {
  return std::string(values.begin(), values.end());
}

struct Picture {
  int columns{3};
  int rows{2};
  int depth{8};
  int color{0};
  int interlaced{0};
  // Rows with their filters.
  Values data{0, 1, 2, 3, 0, 4, 5, 6};
  std::string more{};

  std::string Header() const {
    return Number(columns) + Number(rows) +
           Bytes({static_cast<std::uint8_t>(depth),
                  static_cast<std::uint8_t>(color), 0, 0,
                  static_cast<std::uint8_t>(interlaced)});
  }
  std::string Text() const {
    return Bytes({137, 80, 78, 71, 13, 10, 26, 10}) + Chunk("IHDR", Header()) +
           more + Chunk("IDAT", Deflate(Bytes(data))) + Chunk("IEND", "");
  }
};

Values Read(const Picture& picture) {
  return ReadPng(picture.Text(), kMost).values;
}

TEST(MjcfPng, HasItsRowsFromTheTop) {
  const MjcfPicture picture = ReadPng(Picture().Text(), kMost);
  EXPECT_EQ(picture.num_rows, 2);
  EXPECT_EQ(picture.num_columns, 3);
  EXPECT_EQ(picture.values, Values({1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(internal::IsPng(Picture().Text()));
  EXPECT_FALSE(internal::IsPng("PNG"));
}

// Sub, Up, Average and Paeth, by hand.
TEST(MjcfPng, UndoesAllFilters) {
  EXPECT_EQ(Read({.data = {1, 10, 5, 250, 2, 1, 1, 1}}),
            Values({10, 15, 9, 11, 16, 10}));
  EXPECT_EQ(Read({.data = {0, 10, 20, 30, 3, 1, 1, 1}}),
            Values({10, 20, 30, 6, 14, 23}));
  EXPECT_EQ(Read({.data = {0, 10, 20, 30, 4, 1, 1, 1}}),
            Values({10, 20, 30, 11, 21, 31}));
  EXPECT_EQ(Read({.data = {4, 10, 5, 2, 4, 200, 0, 7}}),
            Values({10, 15, 17, 210, 210, 217}));
}

TEST(MjcfPng, HasTheFirstChannelInEightBits) {
  EXPECT_EQ(Read({.columns = 1, .depth = 16, .data = {0, 7, 255, 1, 2, 0}}),
            Values({7, 2}));
  EXPECT_EQ(Read({.columns = 1, .color = 2, .data = {0, 7, 8, 9, 0, 1, 2, 3}}),
            Values({7, 1}));
  EXPECT_EQ(Read({.columns = 1, .color = 4, .data = {0, 7, 8, 0, 1, 2}}),
            Values({7, 1}));
  EXPECT_EQ(
      Read({.columns = 1, .color = 6, .data = {0, 7, 8, 9, 9, 0, 1, 2, 3, 4}}),
      Values({7, 1}));
}

TEST(MjcfPng, HasFewBitsAndPalettes) {
  EXPECT_EQ(
      Read({.columns = 9, .rows = 1, .depth = 1, .data = {0, 0xA1, 0x80}}),
      Values({255, 0, 255, 0, 0, 0, 0, 255, 255}));
  EXPECT_EQ(Read({.columns = 3, .rows = 1, .depth = 2, .data = {0, 0x1B}}),
            Values({0, 85, 170}));
  EXPECT_EQ(Read({.columns = 2, .rows = 1, .depth = 4, .data = {0, 0x2F}}),
            Values({34, 255}));
  const Picture indexed{.columns = 2,
                        .rows = 1,
                        .depth = 4,
                        .color = 3,
                        .data = {0, 0x10},
                        .more = Chunk("PLTE", Bytes({9, 8, 7, 6, 5, 4}))};
  EXPECT_EQ(Read(indexed), Values({6, 9}));
}

TEST(MjcfPng, SaysWhatIsWrong) {
  const auto expect = [](const std::string& text, const char* message) {
    EXPECT_THROWS_MESSAGE(ReadPng(text, kMost), std::runtime_error, message);
  };
  expect(Picture{.columns = 0}.Text(), "0 columns");
  expect(Picture{.columns = 2000000000, .rows = 2000000000}.Text(), "columns");
  expect(Picture{.columns = 501}.Text(), "1000 values at most");
  expect(Picture{.depth = 3}.Text(), "not known");
  expect(Picture{.color = 5}.Text(), "not known");
  expect(Picture{.color = 200}.Text(), "not known");
  expect(Picture{.depth = 4, .color = 2}.Text(), "not known");
  expect(Picture{.interlaced = 1}.Text(), "interlaced");
  expect(Picture{.data = {0, 1, 2}}.Text(), "damaged rows");
  expect(Picture{.data = Values(999)}.Text(), "damaged rows");
  expect(Picture{.data = {9, 1, 2, 3, 0, 4, 5, 6}}.Text(), "filter 9");
  expect(Picture{.color = 3}.Text(), "palette");
  std::string flipped = Picture().Text();
  flipped[20] ^= 1;
  expect(flipped, "checksum");
}

// No prefix and no changed byte of a file leads out of its memory.
TEST(MjcfPng, RefusesEveryPrefix) {
  const std::string whole = Picture().Text();
  for (std::size_t size = 8; size < whole.size(); ++size) {
    EXPECT_THROW(ReadPng(whole.substr(0, size), kMost), std::runtime_error);
  }
  for (std::size_t i = 8; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    EXPECT_THROW(ReadPng(changed, kMost), std::runtime_error) << i;
  }
}

TEST(MjcfPng, IsAHeightFieldWithItsTopRowLast) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "mjcf_png_test.png";
  std::ofstream(file, std::ios::binary)
      << Picture{.rows = 2, .data = {0, 0, 10, 20, 0, 100, 150, 255}}.Text();
  const auto model = ReadMjcfText(MjcfText(
      fmt::format("<asset><hfield name='h' file='{}' size='1 1 2 .5'/></asset>"
                  "<worldbody><geom type='hfield' hfield='h'/></worldbody>",
                  file.string())));
  // Two cells of two prisms, which stand on the base of 0.5 m. Row 0 has the
  // heights 2 (100, 150, 255) / 255.
  ASSERT_EQ(model.world.collisions.size(), 4u);
  const auto volume = [](double a, double b, double c) {
    return 0.5 + 2 * (a + b + c) / 255 / 3;
  };
  EXPECT_NEAR(geometry::CalcVolume(model.world.collisions[0].shape()),
              volume(100, 150, 0), 1e-6);
  EXPECT_NEAR(geometry::CalcVolume(model.world.collisions[3].shape()),
              volume(255, 20, 10), 1e-6);
  std::filesystem::remove(file);
}

}  // namespace mjcf_png_test
}  // namespace wyvern::multibody
