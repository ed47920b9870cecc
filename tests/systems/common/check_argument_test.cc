// Each verb passes what it should, and throws a sentence that says who was
// called, what was given, what is wanted and the fix.
#include "wyvern/systems/common/check_argument.h"

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::internal {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The whole message of the std::logic_error that `check` throws, or "".
template <typename Check>
std::string MessageOf(const Check& check) {
  try {
    check();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckArgument, MessageNamesTheFunctionAndTheElement) {
  EXPECT_EQ(Caller("Gain").ToText(), "Gain()");
  EXPECT_EQ(Caller("Gain::set_k()").ToText(), "Gain::set_k()");
  EXPECT_EQ(Caller("Gain", "set_k").ToText(), "Gain::set_k()");
  EXPECT_EQ(Caller(std::string("Gain")).ToText(), "Gain()");
  EXPECT_EQ(Caller("Joint", "Lock").Of("joint", "elbow").ToText(),
            "Joint::Lock(): joint 'elbow'");
  EXPECT_EQ(Caller::Element("Joint", "elbow").ToText(), "Joint 'elbow'");
}

TEST(CheckArgument, ANumberIsAsItsVerbSays) {
  const auto message = [](Number wanted, double x) {
    return MessageOf([&]() { RequireNumber(wanted, "F", "x", x, {}); });
  };
  for (const double good : {-kInf, -1.0, 0.0, 1.0, kInf}) {
    EXPECT_EQ(message(Number::kNotNan, good), "");
  }
  EXPECT_EQ(message(Number::kNotNan, kNaN),
            "F(): x is nan; it must not be NaN.");
  for (const double good : {-1e308, 0.0, 1e-320, 1e308}) {
    EXPECT_EQ(message(Number::kFinite, good), "");
  }
  EXPECT_EQ(message(Number::kFinite, kNaN),
            "F(): x is nan; it must be finite.");
  EXPECT_EQ(message(Number::kFinite, -kInf),
            "F(): x is -inf; it must be finite.");
  EXPECT_EQ(message(Number::kPositive, 1e-320), "");
  for (const double bad : {-1.0, 0.0, kInf, kNaN}) {
    EXPECT_NE(message(Number::kPositive, bad)
                  .find("; it must be positive and finite."),
              std::string::npos);
  }
  EXPECT_EQ(message(Number::kNonNegative, 0.0), "");
  EXPECT_EQ(message(Number::kNonNegative, -0.0), "");
  for (const double bad : {-1e-320, kInf, -kInf, kNaN}) {
    EXPECT_NE(message(Number::kNonNegative, bad)
                  .find("; it must be 0 or more and finite."),
              std::string::npos);
  }
}

TEST(CheckArgument, EachVerbAsksForItsOwnKindOfNumber) {
  EXPECT_NO_THROW(RequireNotNan("F", "x", kInf));
  EXPECT_THROW(RequireFinite("F", "x", kInf), std::logic_error);
  EXPECT_NO_THROW(RequireFinite("F", "x", -1));
  EXPECT_THROW(RequireNonNegative("F", "x", -1), std::logic_error);
  EXPECT_NO_THROW(RequireNonNegative("F", "x", 0));
  EXPECT_THROW(RequirePositive("F", "x", 0), std::logic_error);
  const double one = 1;
  EXPECT_EQ(&RequirePositive("F", "x", one), &one);
}

TEST(CheckArgument, AnEntryOfAVectorOrMatrixIsNamed) {
  Eigen::Vector3d v(1, kNaN, kInf);
  EXPECT_EQ(MessageOf([&]() { RequireFinite("F", "v", v); }),
            "F(): v[1] is nan; it must be finite.");
  EXPECT_EQ(MessageOf([&]() { RequireFinite("F", "v", v.tail<1>()); }),
            "F(): v[0] is inf; it must be finite.");
  EXPECT_NO_THROW(RequirePositive("F", "list", std::vector<double>{1, 2}));
  EXPECT_EQ(MessageOf([]() {
              RequirePositive("F", "list", std::vector<double>{1, 0});
            }),
            "F(): list[1] is 0; it must be positive and finite.");
  Eigen::MatrixXd m = Eigen::MatrixXd::Ones(2, 3);
  EXPECT_NO_THROW(RequirePositive("F", "m", m));
  EXPECT_NO_THROW(RequireFinite("F", "m", 1e300 * m));
  m(1, 2) = -4;
  EXPECT_EQ(
      MessageOf([&]() { RequireNonNegative("F", "m", m, "give weights"); }),
      "F(): m(1, 2) is -4; it must be 0 or more and finite; give weights.");
  EXPECT_NO_THROW(RequirePositive("F", "m", Eigen::MatrixXd(0, 3)));
}

TEST(CheckArgument, DerivativesMayBeWhatTheyAre) {
  AutoDiffXd x(2, Eigen::VectorXd::Constant(1, kNaN));
  EXPECT_NO_THROW(RequirePositive("F", "x", x));
  Eigen::Matrix<AutoDiffXd, 2, 1> v(x, x);
  EXPECT_NO_THROW(RequireFinite("F", "v", v));
  EXPECT_TRUE(AllFinite(v));
  v[1] = AutoDiffXd(kNaN, Eigen::VectorXd::Zero(1));
  EXPECT_FALSE(AllFinite(v));
  EXPECT_EQ(MessageOf([&]() { RequireFinite("F", "v", v); }),
            "F(): v[1] is nan; it must be finite.");
}

TEST(CheckArgument, ResultsAreRuntimeErrors) {
  const Caller who = Caller("Context", "SetTime").Of("System", "::arm");
  EXPECT_THROWS_MESSAGE(RequireFinite(who.OfResults(), "time", kNaN),
                        std::runtime_error,
                        "Context::SetTime(): System '::arm': time is nan");
  EXPECT_THROW(RequireFinite(who, "time", kNaN), std::logic_error);
}

TEST(CheckArgument, ARangeHasItsEnds) {
  EXPECT_NO_THROW(RequireInRange("F", "s", 0, 0, 1));
  EXPECT_NO_THROW(RequireInRange("F", "s", 1, 0, 1));
  EXPECT_EQ(MessageOf([]() { RequireInRange("F", "s", 1.5, 0, 1); }),
            "F(): s is 1.5; it must be from 0 to 1.");
  EXPECT_THROW(RequireInRange("F", "s", kNaN, -kInf, kInf), std::logic_error);
}

TEST(CheckArgument, AnIndexIsOfWhatIsThere) {
  EXPECT_NO_THROW(RequireIndex("F", "row", 2, 3));
  EXPECT_THROWS_MESSAGE(RequireIndex("F", "row", 3, 3), std::out_of_range,
                        "F(): row is 3; it must be from 0 to 2.");
  EXPECT_THROWS_MESSAGE(RequireIndex("F", "row", -1, 3), std::out_of_range,
                        "row is -1");
  EXPECT_THROWS_MESSAGE(RequireIndex("F", "row", 0, 0), std::out_of_range,
                        "there is none");
}

TEST(CheckArgument, SizesAndShapesAreCompared) {
  EXPECT_NO_THROW(RequireSize("F", "u", 3, 3));
  EXPECT_EQ(MessageOf([]() { RequireSize("F", "u", 2, 3); }),
            "F(): u has size 2; it must have size 3.");
  EXPECT_NO_THROW(RequireShape("F", "M", Eigen::Matrix2d(), 2, 2));
  EXPECT_EQ(
      MessageOf([]() { RequireShape("F", "M", 2, 3, 3, 2, "transpose"); }),
      "F(): M is 2 x 3; it must be 3 x 2; transpose.");
  EXPECT_THROW(RequireShape("F", "M", Eigen::Matrix2d(), 2, 3),
               std::logic_error);
  EXPECT_THROW(RequireShape("F", "M", Eigen::Matrix2d(), 3, 2),
               std::logic_error);
  EXPECT_NO_THROW(RequireAtLeast("F", "n", 1, 1));
  EXPECT_EQ(MessageOf([]() { RequireAtLeast("F", "n", 0, 1); }),
            "F(): n is 0; it must be at least 1.");
  EXPECT_EQ(MessageOf([]() { RequireAtLeast("F", "n", int64_t{1} << 40, 1); }),
            "F(): n is 1099511627776; it must be at most 100000000.");
}

TEST(CheckArgument, WhatIsMissingIsSaid) {
  const int number = 0;
  EXPECT_EQ(RequireNotNull("F", "plant", &number), &number);
  std::unique_ptr<int> owner = std::make_unique<int>(3);
  owner = RequireNotNull("F", "owner", std::move(owner));
  EXPECT_EQ(*owner, 3);
  EXPECT_EQ(MessageOf([]() { RequireFinite("", "mass", kNaN); }),
            "mass is nan; it must be finite.");
  EXPECT_EQ(
      MessageOf([]() { RequireNotNull("F", "plant", nullptr, "make one"); }),
      "F(): plant is null; it must be an object; make one.");
  EXPECT_NO_THROW(RequireNotEmpty("F", "name", false));
  EXPECT_EQ(MessageOf([]() { RequireNotEmpty("F", "name", true); }),
            "F(): name is empty; it must not be.");
}

TEST(CheckArgument, WhatPassesAllocatesNothing) {
  const Eigen::VectorXd v = Eigen::VectorXd::Ones(20);
  const Eigen::Matrix<AutoDiffXd, Eigen::Dynamic, 1> w = v.cast<AutoDiffXd>();
  const std::string long_name(100, 'j');
  const test::AllocationGuard guard;
  RequireFinite(Caller("Joint", "Lock").Of("joint", long_name), "v", v);
  RequireFinite("F", "w", w);
  RequirePositive("F", "v", v.segment(2, 10));
  RequireSize("F", "v", v.size(), 20);
  RequireIndex("F", "i", 3, 20);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern::internal
