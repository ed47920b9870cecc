// As in Drake, programs get the checks and the macros of classes with any
// header.
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>
#include "drake/math/wrap_to.h"

namespace wyvern::tests {
namespace {

class Single {
 public:
  DRAKE_NO_COPY_NO_MOVE_NO_ASSIGN(Single);
  Single() = default;
};

TEST(CommonMacros, ComeWithEveryHeader) {
  static_assert(!std::is_copy_constructible_v<Single>);
  const int number = 1;
  EXPECT_NO_THROW(DRAKE_DEMAND(number == 1));
  EXPECT_THROW(DRAKE_DEMAND(number == 2), std::logic_error);
  EXPECT_THROW(DRAKE_THROW_UNLESS(number == 2, number), std::logic_error);
}

}  // namespace
}  // namespace wyvern::tests
