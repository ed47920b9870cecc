#include "wyvern/multibody/parsing/parse_number.h"

#include <clocale>
#include <limits>

#include <gtest/gtest.h>

namespace wyvern::multibody::internal {
namespace {

TEST(ParseNumber, ReadsWhatADoubleHolds) {
  EXPECT_EQ(ParseNumber("1.5"), 1.5);
  EXPECT_EQ(ParseNumber("-1e-3"), -1e-3);
  EXPECT_EQ(ParseNumber("+2"), 2);
  EXPECT_EQ(ParseNumber(".5"), 0.5);
  EXPECT_EQ(ParseNumber("5."), 5);
  EXPECT_EQ(ParseNumber(" \t7\r\n"), 7);
  EXPECT_EQ(ParseNumber("1.7976931348623157e308"),
            std::numeric_limits<double>::max());
  EXPECT_EQ(ParseNumber("-inf"), -std::numeric_limits<double>::infinity());
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", " ", "abc", "1 2", "1,5", "0x10", "1e999", "nan", "-nan", "NaN",
        "--1", "+-1", "++1", "1f", "1e", "1.5.2", "e5", "\xff"}) {
    EXPECT_FALSE(ParseNumber(text).has_value()) << text;
  }
}

TEST(ParseNumber, DoesNotDependOnTheLocale) {
  // With a decimal comma, where such a locale is installed.
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(ParseNumber("1.5"), 1.5);
  std::setlocale(LC_ALL, "C");
}

TEST(ParseNumbers, PartsAListByWhiteSpace) {
  EXPECT_EQ(ParseNumbers(" 1\t2 \n -3 "), (std::vector<double>{1, 2, -3}));
  EXPECT_EQ(ParseNumbers(""), std::vector<double>{});
  EXPECT_FALSE(ParseNumbers("1 b 3").has_value());
  EXPECT_FALSE(ParseNumbers("1,2,3").has_value());
}

}  // namespace
}  // namespace wyvern::multibody::internal
