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

TEST(ScopedName, WhatDoesNotParseIsAnElement) {
  for (const char* text : {"", "::a", "a::"}) {
    EXPECT_EQ(ScopedName::Parse(text).get_element(), text);
    EXPECT_EQ(ScopedName::Parse(text).get_namespace(), "");
  }
}

TEST(ScopedName, JoinLeavesOutEmptyParts) {
  EXPECT_EQ(ScopedName::Join("a", "b").get_full(), "a::b");
  EXPECT_EQ(ScopedName::Join("", "b").get_full(), "b");
  EXPECT_EQ(ScopedName::Join("a", "").get_full(), "a");
}

TEST(ScopedName, RefusesPartsThatWouldNotComeApartAgain) {
  EXPECT_THROWS_MESSAGE(ScopedName("a", "b::c"), std::logic_error, "'b::c'");
  EXPECT_THROWS_MESSAGE(ScopedName("a", ""), std::logic_error, "empty");
  EXPECT_THROWS_MESSAGE(ScopedName("a::", "b"), std::logic_error, "'a::'");
}

}  // namespace
}  // namespace wyvern::multibody
