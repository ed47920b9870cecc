#include "wyvern/multibody/tree/scoped_name.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

TEST(ScopedName, SplitsAtTheLastDelimiter) {
  const ScopedName name = ScopedName::Parse("left::arm::elbow");
  EXPECT_EQ(name.get_namespace(), "left::arm");
  EXPECT_EQ(name.get_element(), "elbow");
  EXPECT_EQ(name.to_string(), "left::arm::elbow");
}

TEST(ScopedName, WithoutNamespaceIsTheElementAlone) {
  const ScopedName name("", "elbow");
  EXPECT_EQ(name.get_namespace(), "");
  EXPECT_EQ(name.get_full(), "elbow");
}

TEST(ScopedName, ParseDropsEmptyParts) {
  EXPECT_EQ(ScopedName::Parse("::a::::b::").get_full(), "a::b");
  EXPECT_EQ(ScopedName::Parse("::a::::b::").get_namespace(), "a");
  for (const char* text : {"::a", "a::", "a"}) {
    EXPECT_EQ(ScopedName::Parse(text).get_element(), "a");
    EXPECT_EQ(ScopedName::Parse(text).get_namespace(), "");
  }
  for (const char* text : {"", "::", "::::"}) {
    EXPECT_EQ(ScopedName::Parse(text).get_full(), "");
  }
}

TEST(ScopedName, JoinLeavesOutEmptyParts) {
  EXPECT_EQ(ScopedName::Join("a", "b").get_full(), "a::b");
  EXPECT_EQ(ScopedName::Join("", "b").get_full(), "b");
  EXPECT_EQ(ScopedName::Join("a", "").get_full(), "a");
}

TEST(ScopedName, MakeHasNothingWhereTheConstructorThrows) {
  EXPECT_EQ(ScopedName::Make("a::b", "c")->get_full(), "a::b::c");
  EXPECT_FALSE(ScopedName::Make("a", "b::c").has_value());
  EXPECT_FALSE(ScopedName::Make("a", "").has_value());
  EXPECT_FALSE(ScopedName::Make("::a", "b").has_value());
}

TEST(ScopedName, PartsAreSetOneByOne) {
  ScopedName name("left::arm", "elbow");
  name.set_namespace("right");
  EXPECT_EQ(name.get_full(), "right::elbow");
  name.set_element("wrist");
  EXPECT_EQ(name.get_full(), "right::wrist");
  name.set_namespace("");
  EXPECT_EQ(name.get_full(), "wrist");
  name.set_namespace(name.get_element());
  EXPECT_EQ(name.get_full(), "wrist::wrist");
  EXPECT_THROW(name.set_element("a::b"), std::logic_error);
  EXPECT_THROW(name.set_namespace("a::"), std::logic_error);
  EXPECT_EQ(name.get_full(), "wrist::wrist");
}

TEST(ScopedName, RefusesPartsThatWouldNotComeApartAgain) {
  EXPECT_THROWS_MESSAGE(ScopedName("a", "b::c"), std::logic_error, "'b::c'");
  EXPECT_THROWS_MESSAGE(ScopedName("a", ""), std::logic_error, "empty");
  EXPECT_THROWS_MESSAGE(ScopedName("a::", "b"), std::logic_error, "'a::'");
}

}  // namespace
}  // namespace wyvern::multibody
