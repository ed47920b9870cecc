#include "wyvern/geometry/proximity/separating_axis_cache.h"

#include <initializer_list>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"

namespace wyvern::geometry::internal {
namespace separating_axis_cache_test {

using Eigen::Vector3d;

// Entry i is of the pair (i, i + 1).
void Keep(std::initializer_list<int> all, SeparatingAxisCache* gaps) {
  for (const int i : all) gaps->Keep({i, i + 1}, Vector3d(i, 0, 0));
}

bool Knows(int i, SeparatingAxisCache* gaps) {
  const Vector3d* const u_W = gaps->Find({i, i + 1});
  return u_W != nullptr && *u_W == Vector3d(i, 0, 0);
}

TEST(SeparatingAxisCache, AreThoseThatTheLastQueryKept) {
  SeparatingAxisCache gaps;
  gaps.StartQuery(8);
  EXPECT_EQ(gaps.Find({1, 2}), nullptr);
  Keep({1, 2, 5, 7}, &gaps);
  EXPECT_EQ(gaps.Find({1, 2}), nullptr);  // Not before the next query.
  gaps.StartQuery(8);
  for (const int i : {1, 2, 5, 7}) EXPECT_TRUE(Knows(i, &gaps)) << i;
  gaps.StartQuery(8);  // The last has kept none: known are those before it.
  for (const int i : {0, 1, 2, 3, 5, 6, 7, 8}) {
    const bool is_known = i == 1 || i == 2 || i == 5 || i == 7;
    EXPECT_EQ(gaps.Find({i, i + 1}) != nullptr, is_known) << i;
    EXPECT_EQ(gaps.Find({i, i + 2}), nullptr) << i;
  }
  Keep({3}, &gaps);
  gaps.StartQuery(8);
  EXPECT_EQ(gaps.Find({2, 3}), nullptr);
  EXPECT_TRUE(Knows(3, &gaps));
  EXPECT_EQ(gaps.Find({5, 6}), nullptr);
}

TEST(SeparatingAxisCache, NoMorePairsThanBeforeAllocateNothing) {
  SeparatingAxisCache gaps;
  gaps.StartQuery(8);
  Keep({1, 2, 3}, &gaps);
  const test::AllocationGuard guard;
  for (int i = 0; i < 3; ++i) {
    gaps.StartQuery(8);
    Keep({1, 2, 3, 4, 5, 6, 7, 8}, &gaps);
  }
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace separating_axis_cache_test
}  // namespace wyvern::geometry::internal
