#include "wyvern/app/model_report.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wyvern::app {
namespace model_report_test {

TEST(ModelReport, OfALongChainIsWrittenWithoutOverflow) {
  ModelReport report;
  constexpr int kLong = 100000;
  for (int i = 0; i < kLong; ++i) {
    JointReport& joint = report.joints.emplace_back();
    joint.name = fmt::format("j{}", i);
    joint.type = "weld";
    joint.parent = i == 0 ? "world" : fmt::format("l{}", i - 1);
    joint.child = fmt::format("l{}", i);
  }
  const std::string text = ToText(report);
  EXPECT_NE(text.find(fmt::format("-> l{}\n", kLong - 1)), std::string::npos);
  EXPECT_LT(text.size(), 300 * kLong);
}

TEST(ModelReport, HasBranchesDepthFirstAndLoopsWhereTheyClose) {
  ModelReport report;
  const auto add = [&report](const char* parent, const char* child) {
    JointReport& joint = report.joints.emplace_back();
    joint.name = fmt::format("{}_{}", parent, child);
    joint.type = "weld";
    joint.parent = parent;
    joint.child = child;
  };
  add("world", "a");
  add("a", "b");
  add("a", "c");
  add("b", "d");
  add("c", "d");
  const std::string text = ToText(report);
  const auto place = [&text](const char* words) { return text.find(words); };
  EXPECT_LT(place("-> a\n"), place("-> b\n"));
  EXPECT_LT(place("-> b\n"), place("-> d\n"));
  EXPECT_LT(place("-> d\n"), place("-> c\n"));
  EXPECT_NE(place("-> d (closes a loop)\n"), std::string::npos);
}

}  // namespace model_report_test
}  // namespace wyvern::app
