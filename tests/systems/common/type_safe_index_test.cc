#include "wyvern/systems/common/type_safe_index.h"

#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern {
namespace {

using AIndex = TypeSafeIndex<class ATag>;
using BIndex = TypeSafeIndex<class BTag>;

TEST(TypeSafeIndex, DefaultConstructedIsInvalid) {
  EXPECT_FALSE(AIndex().is_valid());
  EXPECT_TRUE(AIndex(0).is_valid());
}

TEST(TypeSafeIndex, IndexesContainers) {
  const std::vector<int> numbers{5, 6, 7};
  EXPECT_EQ(numbers[AIndex(1)], 6);
  int sum = 0;
  for (AIndex i(0); i < 3; ++i) sum += numbers[i];
  EXPECT_EQ(sum, 18);
}

TEST(TypeSafeIndex, TakesAnyInteger) {
  EXPECT_EQ(AIndex(3u), AIndex(3));
  EXPECT_EQ(AIndex(3ul), AIndex(3));
  EXPECT_EQ(AIndex(3l), AIndex(3));
  EXPECT_EQ(AIndex(3ll), AIndex(3));
  EXPECT_EQ(AIndex(std::size_t{3}), AIndex(3));
  EXPECT_EQ(AIndex(short{3}), AIndex(3));
  EXPECT_THROWS_MESSAGE(AIndex(4000000000u), std::out_of_range,
                        "the value 4000000000; an index must be in [0, 2^31)");
  EXPECT_THROWS_MESSAGE(AIndex(-5l), std::out_of_range, "the value -5");
}

TEST(TypeSafeIndex, RejectsNegativeNumbers) {
  EXPECT_THROWS_MESSAGE(AIndex(-1), std::out_of_range, "the value -1");
  AIndex zero(0);
  EXPECT_THROWS_MESSAGE(--zero, std::out_of_range, "the value -1");
  EXPECT_THROWS_MESSAGE(zero += -2, std::out_of_range, "the value -2");
}

TEST(TypeSafeIndex, KindsDoNotMix) {
  EXPECT_FALSE((std::is_convertible_v<AIndex, BIndex>));
  EXPECT_FALSE((std::is_convertible_v<int, AIndex>));
}

TEST(TypeSafeIndex, KeysHashedSetsAndFormats) {
  const std::unordered_set<AIndex> set{AIndex(1), AIndex(2), AIndex(1)};
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(fmt::format("{}", AIndex(4)), "4");
}

}  // namespace
}  // namespace wyvern
