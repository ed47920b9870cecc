#include "wyvern/systems/common/identifier.h"

#include <set>
#include <sstream>
#include <thread>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wyvern {
namespace {

using AId = Identifier<class ATag>;
using BId = Identifier<class BTag>;

TEST(Identifier, DefaultConstructedIsInvalid) {
  EXPECT_FALSE(AId().is_valid());
  EXPECT_EQ(AId(), AId());
}

TEST(Identifier, NewOnesAreValidDifferentAndIncreasing) {
  const AId first = AId::get_new_id();
  const AId second = AId::get_new_id();
  EXPECT_TRUE(first.is_valid());
  EXPECT_NE(first, second);
  EXPECT_LT(first, second);
  EXPECT_LT(first.get_value(), second.get_value());
}

TEST(Identifier, KindsDoNotMix) {
  EXPECT_FALSE((std::is_convertible_v<AId, BId>));
  EXPECT_FALSE((std::is_assignable_v<AId&, BId>));
  EXPECT_FALSE((std::is_convertible_v<int, AId>));
}

TEST(Identifier, PrintsItsNumber) {
  const AId id = AId::get_new_id();
  std::ostringstream out;
  out << id;
  EXPECT_EQ(out.str(), std::to_string(id.get_value()));
  EXPECT_EQ(fmt::format("{}", id), out.str());
}

TEST(Identifier, KeysHashedSets) {
  const AId id = AId::get_new_id();
  std::unordered_set<AId> ids{id, AId::get_new_id(), id};
  EXPECT_EQ(ids.size(), 2u);
  EXPECT_TRUE(ids.contains(id));
}

TEST(Identifier, ThreadsNeverGetTheSame) {
  constexpr int kCount = 1000;
  std::vector<std::vector<AId>> given(4);
  std::vector<std::thread> threads;
  for (auto& ids : given) {
    threads.emplace_back([&ids]() {
      for (int i = 0; i < kCount; ++i) ids.push_back(AId::get_new_id());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<AId> all;
  for (const auto& ids : given) all.insert(ids.begin(), ids.end());
  EXPECT_EQ(all.size(), 4u * kCount);
}

}  // namespace
}  // namespace wyvern
