#include "wyvern/systems/common/copyable_unique_ptr.h"

#include <vector>

#include <gtest/gtest.h>

namespace wyvern {
namespace {

struct Base {
  virtual ~Base() = default;
  virtual std::unique_ptr<Base> Clone() const = 0;
  int number{};
};

struct Derived : Base {
  std::unique_ptr<Base> Clone() const override {
    return std::make_unique<Derived>(*this);
  }
};

TEST(CopyableUniquePtr, CopyIsACloneOfTheSameType) {
  copyable_unique_ptr<Base> a(std::make_unique<Derived>());
  a->number = 3;
  const copyable_unique_ptr<Base> b = a;
  a->number = 4;
  EXPECT_NE(b.get(), a.get());
  EXPECT_EQ(b->number, 3);
  EXPECT_NE(dynamic_cast<const Derived*>(b.get()), nullptr);
}

TEST(CopyableUniquePtr, NullCopiesToNull) {
  copyable_unique_ptr<Base> a;
  copyable_unique_ptr<Base> b(Derived{});
  EXPECT_NE(b, nullptr);
  b = a;
  EXPECT_EQ(b, nullptr);
}

TEST(CopyableUniquePtr, MoveKeepsTheObject) {
  copyable_unique_ptr<Base> a(std::make_unique<Derived>());
  const Base* const object = a.get();
  std::vector<copyable_unique_ptr<Base>> list;
  list.push_back(std::move(a));
  EXPECT_EQ(list[0].get(), object);
  const auto copy = list;
  EXPECT_NE(copy[0].get(), object);
}

}  // namespace
}  // namespace wyvern
