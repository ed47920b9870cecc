// A signal of a diagram on its way to a page.
#include "wyvern/geometry/viewer/viewer_scope.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/viewer/page_client.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/sine.h"

namespace wyvern::geometry {
namespace {

using systems::DiagramBuilder;
using systems::Sine;
using test::PageClient;

class ViewerScopeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Viewer::IsAvailable()) GTEST_SKIP() << "This build has no viewer.";
    viewer_ = std::make_shared<Viewer>();
    sine_ = builder_.AddSystem<Sine<double>>(1.5, 2.0, 0.0, 1);
    sine_->set_name("sine");
  }

  std::shared_ptr<Viewer> viewer_;
  DiagramBuilder<double> builder_;
  Sine<double>* sine_{};
};

TEST_F(ViewerScopeTest, SendsTheValuesOfAPort) {
  ViewerScope<double>::AddToBuilder(
      &builder_, sine_->get_output_port(0), viewer_,
      {.name = {}, .elements = {"y"}, .unit = "m", .publish_period = 0.125});
  const auto diagram = builder_.Build();
  systems::Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(1.0);
  PageClient page(*viewer_);
  nlohmann::json signal, samples;
  for (const auto& item : page.ReadUntil("samples")) {
    if (item["type"] == "signal") signal = item;
    if (item["type"] == "samples") samples = item;
  }
  EXPECT_EQ(signal["path"], "sine/y0");
  EXPECT_EQ(signal["names"], (std::vector<std::string>{"y"}));
  EXPECT_EQ(signal["unit"], "m");
  EXPECT_EQ(samples["path"], "sine/y0");
  ASSERT_EQ(samples["rows"].size(), 9u);
  for (const auto& row : samples["rows"]) {
    const double t = row[0];
    EXPECT_EQ(row[1], 1.5 * std::sin(2 * t));
  }
}

TEST_F(ViewerScopeTest, SendingAgainAllocatesNothing) {
  const auto& scope = ViewerScope<double>::AddToBuilder(
      &builder_, sine_->get_output_port(0), viewer_);
  const auto diagram = builder_.Build();
  const auto context = diagram->CreateDefaultContext();
  const auto& own = scope.GetMyContextFromRoot(*context);
  scope.ForcedPublish(own);
  const ::wyvern::test::AllocationGuard guard;
  scope.ForcedPublish(own);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(ViewerScopeTest, WhatCannotBePlottedIsRefused) {
  auto* text = builder_.AddSystem<systems::ConstantValueSource<double>>(
      Value<std::string>("word"));
  EXPECT_THROWS_MESSAGE(ViewerScope<double>::AddToBuilder(
                            &builder_, text->get_output_port(0), viewer_),
                        std::logic_error, "has no vectors to plot");
  ViewerScopeParams params;
  params.elements = {"one", "two"};
  EXPECT_THROWS_MESSAGE(
      ViewerScope<double>::AddToBuilder(&builder_, sine_->get_output_port(0),
                                        viewer_, params),
      std::logic_error, "the list of names of elements has size 2");
  EXPECT_THROWS_MESSAGE(
      viewer_->AddSample("x", 0, Eigen::Vector2d(0, std::nan(""))),
      std::logic_error, "signal 'x'");
}

}  // namespace
}  // namespace wyvern::geometry
