/** @file Tables of excluded pairs, compared with a bit for every pair. */

#include "wyvern/geometry/proximity/pair_table.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_numbers.h"
#include "wyvern/geometry/proximity/collision_filter.h"

namespace wyvern::geometry::internal {
namespace pair_table_test {

using test::RandomNumbers;

std::vector<int> Range(int begin, int end) {
  std::vector<int> items(end - begin);
  std::iota(items.begin(), items.end(), begin);
  return items;
}

PairTable MakeTable(int num_items) {
  PairTable table;
  for (int i = 0; i < num_items; ++i) table.Add(i);
  return table;
}

// A PairTable and a bit for every pair, changed in the same way.
class Both {
 public:
  explicit Both(int size) : size_(size), bits_(size * size, false) {}

  std::vector<int> Draw(RandomNumbers* random) const {
    const int most = random->Integer(0, size_);
    std::vector<int> items;
    for (int k = 0; k < most; ++k) {
      const int i = random->Integer(0, size_ - 1);
      if (is_there_[i]) items.push_back(i);
    }
    return items;
  }
  void Set(const std::vector<int>& A, const std::vector<int>& B, bool exclude) {
    table_.Set(A, B, exclude);
    for (const int a : A) {
      for (const int b : B)
        bits_[a * size_ + b] = bits_[b * size_ + a] = exclude;
    }
  }
  void AddOrRemove(int i) {
    if (is_there_[i]) {
      table_.Remove(i);
    } else {
      table_.Add(i);
    }
    is_there_[i] = !is_there_[i];
    for (int k = 0; k < size_; ++k)
      bits_[i * size_ + k] = bits_[k * size_ + i] = false;
  }
  void SaveAndLoad() {
    const PairTable::Content content = table_.GetContent();
    table_.SetContent(content);
    EXPECT_EQ(table_.GetContent().classes, content.classes);
    EXPECT_EQ(table_.GetContent().excluded, content.excluded);
  }
  int CountDifferences() const {
    int count = 0;
    for (int a = 0; a < size_; ++a) {
      for (int b = 0; b < size_; ++b) {
        if (a == b || !is_there_[a] || !is_there_[b]) continue;
        count += table_.IsExcluded(a, b) != bits_[a * size_ + b];
      }
    }
    return count;
  }

 private:
  int size_;
  PairTable table_;
  std::vector<bool> bits_;
  std::vector<bool> is_there_ = std::vector<bool>(size_, false);
};

TEST(PairTable, AgreesWithABitForEveryPair) {
  RandomNumbers random(1);
  for (const int size : {3, 8, 40}) {
    Both both(size);
    for (int i = 0; i < size; i += 2) both.AddOrRemove(i);
    for (int k = 0; k < 400; ++k) {
      const std::vector<int> A = both.Draw(&random);
      const bool within = random.Integer(0, 2) == 0;
      const std::vector<int> B = within ? A : both.Draw(&random);
      both.Set(A, B, random.Integer(0, 2) != 0);
      if (random.Integer(0, 3) == 0) {
        both.AddOrRemove(random.Integer(0, size - 1));
      }
      if (random.Integer(0, 9) == 0) both.SaveAndLoad();
      ASSERT_EQ(both.CountDifferences(), 0) << size << " items, step " << k;
    }
  }
}

TEST(PairTable, ASetThatIsExcludedWithinItselfIsOnePair) {
  constexpr int kSize = 20000;
  PairTable table = MakeTable(kSize);
  // Neighbours in a chain, then all.
  for (int i = 0; i + 1 < kSize; ++i) {
    table.Set(Range(i, i + 1), Range(i + 1, i + 2), true);
  }
  EXPECT_EQ(table.GetContent().excluded.size(), kSize - 1u);
  EXPECT_FALSE(table.IsExcluded(0, 2));
  table.Set(Range(0, kSize), Range(0, kSize), true);
  EXPECT_EQ(table.GetContent().classes,
            (std::vector<std::vector<int>>{Range(0, kSize)}));
  EXPECT_EQ(table.GetContent().excluded,
            (std::vector<std::pair<int, int>>{{0, 0}}));
  EXPECT_TRUE(table.IsExcluded(0, 2));
  table.Set(Range(0, kSize), Range(0, kSize), false);
  EXPECT_TRUE(table.GetContent().classes.empty());
}

// All have been told apart before: by a statement for each.
TEST(PairTable, TwoLargeSetsThatAreExcludedAreOnePair) {
  constexpr int kHalf = 10000;
  PairTable table = MakeTable(2 * kHalf);
  for (int i = 0; i + 1 < kHalf; ++i) {
    table.Set(Range(i, i + 1), Range(kHalf + i, kHalf + i + 1), true);
  }
  table.Set(Range(0, kHalf), Range(kHalf, 2 * kHalf), true);
  EXPECT_EQ(table.GetContent().classes.size(), 2u);
  EXPECT_EQ(table.GetContent().excluded,
            (std::vector<std::pair<int, int>>{{0, 1}}));
  EXPECT_TRUE(table.IsExcluded(1, kHalf + 7));
  EXPECT_FALSE(table.IsExcluded(1, 7));
}

// As of a terrain with all that stands on it.
TEST(PairTable, APairOfAManyItemsWithEachOfManyOthersIsOnePairEach) {
  constexpr int kMany = 20000;
  PairTable table = MakeTable(kMany + 200);
  const std::vector<int> terrain = Range(0, kMany);
  for (int i = 0; i < 200; ++i) {
    table.Set(terrain, Range(kMany + i, kMany + i + 1), true);
  }
  EXPECT_EQ(table.GetContent().excluded.size(), 200u);
  EXPECT_TRUE(table.IsExcluded(kMany + 199, 77));
}

TEST(CollisionFilter, AGeometryThatComesBackIsInNoOlderDeclaration) {
  CollisionFilter filter;
  const GeometryId a = GeometryId::get_new_id(), b = GeometryId::get_new_id();
  const GeometryId c = GeometryId::get_new_id();
  for (const GeometryId id : {a, b, c}) filter.AddGeometry(id);
  filter.Apply({{true, {a, b}, {c}}});
  const FilterId first = filter.ApplyTransient({{true, {a}, {b, c}}});
  filter.ApplyTransient({{true, {a, b, c}, {a, b, c}}});
  const auto is_excluded = [&](GeometryId one, GeometryId other) {
    return filter.IsExcludedAt(filter.RowOf(one), filter.RowOf(other));
  };
  filter.RemoveGeometry(a);
  EXPECT_EQ(filter.history()[0].changes[0].set_A.size(), 0u);
  EXPECT_EQ(filter.history()[1].changes[0].set_A.size(), 2u);
  filter.AddGeometry(a);
  EXPECT_FALSE(is_excluded(a, b));
  EXPECT_TRUE(filter.RemoveDeclaration(first));
  EXPECT_FALSE(is_excluded(a, b));
  EXPECT_FALSE(is_excluded(a, c));
  EXPECT_TRUE(is_excluded(b, c));
  const auto table = filter.persistent();
  EXPECT_EQ(table.classes, (std::vector<std::vector<GeometryId>>{{b}, {c}}));
}

}  // namespace pair_table_test
}  // namespace wyvern::geometry::internal
