#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "drake/common/is_cloneable.h"
#include "drake/common/reset_after_move.h"
#include "drake/common/reset_on_copy.h"
#include "drake/common/string_map.h"
#include "drake/common/string_set.h"
#include "drake/common/temp_directory.h"
#include "tests/support/expect_throws.h"

namespace {

TEST(StringMap, IsSearchedByAnyKindOfText) {
  drake::string_map<int> ordered{{"a", 1}};
  drake::string_unordered_map<int> hashed{{"a", 1}};
  const std::string_view key = "a";
  EXPECT_EQ(ordered.find(key)->second, 1);
  EXPECT_EQ(hashed.find(key)->second, 1);
  EXPECT_FALSE(hashed.contains("b"));
  EXPECT_EQ(drake::string_unordered_multiset({"a", "a"}).count(key), 2u);
  EXPECT_TRUE(drake::string_set({"a"}).contains(key));
}

TEST(ResetOnCopy, ACopyIsZeroAndTheOriginalKeepsItsValue) {
  drake::reset_on_copy<int> x(3);
  const drake::reset_on_copy<int> copy(x);
  EXPECT_EQ(copy, 0);
  EXPECT_EQ(x, 3);
  drake::reset_on_copy<int> assigned(4);
  assigned = x;
  EXPECT_EQ(assigned, 0);
  const drake::reset_on_copy<int> moved(std::move(x));
  EXPECT_EQ(moved, 3);
  EXPECT_EQ(x, 0);  // NOLINT(bugprone-use-after-move): that is the law.
}

TEST(ResetAfterMove, ACopyIsEqualAndAMoveLeavesZero) {
  std::string text = "text";
  drake::reset_after_move<std::string*> x(&text);
  const drake::reset_after_move<std::string*> copy(x);
  EXPECT_EQ(copy->size(), 4u);
  const drake::reset_after_move<std::string*> moved(std::move(x));
  EXPECT_EQ(&*moved, &text);
  EXPECT_EQ(x, nullptr);  // NOLINT(bugprone-use-after-move)
}

struct WithClone {
  std::unique_ptr<WithClone> Clone() const;
};
struct WithoutClone {};

TEST(IsCloneable, AsksForAConstFunctionClone) {
  EXPECT_TRUE(drake::is_cloneable<WithClone>::value);
  EXPECT_FALSE(drake::is_cloneable<WithoutClone>::value);
}

TEST(TempDirectory, IsNewAndEmptyEachTime) {
  const std::string a = drake::temp_directory(), b = drake::temp_directory();
  EXPECT_NE(a, b);
  EXPECT_TRUE(std::filesystem::is_empty(a));
  std::filesystem::remove(a);
  std::filesystem::remove(b);
  setenv("TEST_TMPDIR", "/no/such/folder", 1);
  EXPECT_THROWS_MESSAGE(drake::temp_directory(), std::runtime_error,
                        "no directory can be made in '/no/such/folder'");
  unsetenv("TEST_TMPDIR");
}

}  // namespace
