// A person uses the page by mouse and keys, in a real browser.
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/geometry/viewer/page_browser.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_link.h"

namespace wyvern::geometry {
namespace page_touch_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using Numbers = std::vector<double>;

constexpr const char* kBall = "/bodies/ball";
constexpr const char* kBox = "/bodies/box";

// A ball and a box that the program knows, on a floor that it does not.
class PageTouchTest : public test::PageTest {
 protected:
  void SetUp() override {
    PageTest::SetUp();
    if (IsSkipped()) return;
    viewer = std::make_unique<Viewer>();
    link = std::make_unique<internal::ViewerLink>(
        viewer.get(), "drag", [this](const internal::PageMessage& message) {
          const std::lock_guard lock(mutex);
          drags.push_back(message);
        });
    viewer->SetObject("/floor/ground", HalfSpace());
    viewer->SetObject("/floor/wall", Box(0.2, 20, 0.2));
    viewer->SetTransform("/floor/wall", RigidTransformd(Vector3d(9, 0, 0.1)));
    viewer->SetObject(fmt::format("{}/look", kBall), Sphere(0.2),
                      Rgba(0.9, 0.2, 0.1));
    viewer->SetTransform(kBall, RigidTransformd(Vector3d(0, 0, 0.2)));
    viewer->SetProperty(kBall, "frame", 7.0);
    viewer->SetObject(fmt::format("{}/look", kBox), Box(0.3, 0.3, 0.3),
                      Rgba(0.1, 0.4, 0.9));
    viewer->SetTransform(kBox, RigidTransformd(Vector3d(0, 0.8, 0.15)));
    viewer->SetProperty(kBox, "frame", 8.0);
    link->state().Set("bodies", "",
                      R"x({"type":"bodies","list":[
                      [7,"<img src=x onerror=alert(1)>","m",1.5,false],
                      [8,"box","m",2.5,false]]})x");
    link->state().Set("dragger", "", R"({"type":"dragger","bodies":[7]})");
    viewer->SetCameraPose({2.4, 0.4, 1.0}, {0, 0.4, 0.2});
  }

  std::vector<Numbers> DoHere(std::vector<std::string> steps) {
    steps.insert(steps.begin(),
                 {"size=900x600", fmt::format("wait-for={}", kBall),
                  fmt::format("wait-for={}", kBox)});
    return Do(viewer->web_url(), steps);
  }

  std::vector<internal::PageMessage> GetDrags() {
    const std::lock_guard lock(mutex);
    return drags;
  }

  std::unique_ptr<Viewer> viewer;
  std::mutex mutex;
  std::vector<internal::PageMessage> drags;
  std::unique_ptr<internal::ViewerLink> link;
};

// Its name, which would be markup, is a text.
TEST_F(PageTouchTest, AClickSelectsAndSaysTheMass) {
  const auto said = DoHere(
      {"click=/bodies/ball", "is-selected=/bodies/ball",
       "wait-for-text=<img src=x onerror=alert(1)>", "wait-for-text=1.5000 kg",
       "count=img", "click=/bodies/box", "is-selected=/bodies/box",
       "wait-for-text=2.5000 kg", "key=Escape",
       "is-selected=", "click=/bodies/box", "click=700,560", "is-selected="});
  EXPECT_EQ(said, (std::vector<Numbers>{{1}, {0}, {1}, {1}, {1}}));
  EXPECT_TRUE(GetDrags().empty());
}

TEST_F(PageTouchTest, DraggingTheSelectedBodySaysWhereTo) {
  const auto said =
      DoHere({"click=/bodies/ball", "drag=/bodies/ball:0,-60", "is-dragging",
              "camera", "let-go", "is-dragging", "camera"});
  ASSERT_EQ(said.size(), 4u);
  EXPECT_EQ(said[0], (Numbers{1}));
  EXPECT_EQ(said[2], (Numbers{0}));
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(said[1][k], said[3][k], 1e-9);  // The camera stays.
  }
  const auto all = GetDrags();
  ASSERT_GE(all.size(), 2u);
  EXPECT_EQ(all[0].value, 7);
  ASSERT_EQ(all[0].values.size(), 6u);
  // The point is on the ball, whose centre is 0.2 m above the floor, and is
  // pulled up. The place where it is let go is told even if the browser draws
  // no frame between press and release.
  EXPECT_NEAR(Vector3d(all[0].values.data()).norm(), 0.2, 1e-2);
  const auto& last = all[all.size() - 2].values;
  ASSERT_EQ(last.size(), 6u);
  EXPECT_GT(last[5], 0.2 + last[2] + 0.15);
  EXPECT_FALSE(all.back().value);  // Let go.
  EXPECT_TRUE(all.back().values.empty());
}

// A drag of what is not selected turns the camera, unless Ctrl is held; a body
// that cannot move is never pulled.
TEST_F(PageTouchTest, ADragElsewhereTurnsTheCamera) {
  const auto said = DoHere(
      {"camera", "drag=/bodies/ball:60,0", "is-dragging", "let-go", "camera",
       "click=/bodies/box", "drag=/bodies/box:-60,0", "is-dragging", "let-go",
       "drag=^/bodies/ball:0,-40", "is-dragging", "let-go"});
  ASSERT_EQ(said.size(), 5u);
  EXPECT_EQ(said[1], (Numbers{0}));
  EXPECT_NE(said[0], said[2]);
  EXPECT_EQ(said[3], (Numbers{0}));
  EXPECT_EQ(said[4], (Numbers{1}));
}

TEST_F(PageTouchTest, KeysHideShowAndCentre) {
  const auto said = DoHere(
      {"click=/bodies/box", "key=c", "camera", "key=h", "is-shown=/bodies/box",
       "is-selected=", "key=Shift+H", "is-shown=/bodies/box"});
  ASSERT_EQ(said.size(), 4u);
  const Numbers& camera = said[0];
  EXPECT_LT((Vector3d(&camera[3]) - Vector3d(0, 0.8, 0.15)).norm(), 1e-3);
  // The distance stays.
  EXPECT_NEAR((Vector3d(&camera[0]) - Vector3d(&camera[3])).norm(),
              Vector3d(2.4, 0, 0.8).norm(), 1e-6);
  EXPECT_EQ(said[1], (Numbers{0}));
  EXPECT_EQ(said[2], (Numbers{1}));
  EXPECT_EQ(said[3], (Numbers{1}));
}

TEST_F(PageTouchTest, ADoubleClickCentresWhereItIs) {
  const auto said = DoHere({"double-click=/bodies/ball", "camera"});
  ASSERT_EQ(said.size(), 1u);
  // The point of the ball that is seen.
  EXPECT_NEAR((Vector3d(&said[0][3]) - Vector3d(0, 0, 0.2)).norm(), 0.2, 0.02);
}

TEST_F(PageTouchTest, TheCameraStaysAboveTheGround) {
  const auto said = DoHere({"turn=0,-250", "camera", "turn=0,-250", "camera"});
  ASSERT_EQ(said.size(), 2u);
  for (const Numbers& camera : said) EXPECT_GT(camera[2], 0.01);
  EXPECT_LT(said[1][2], 0.3);  // It did turn.
}

// The wall, 9 m away, does not move.
TEST_F(PageTouchTest, FitTakesWhatMoves) {
  const auto said = DoHere({"key=f", "camera"});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_LT(std::abs(said[0][3]), 0.1);
  EXPECT_LT((Vector3d(&said[0][0]) - Vector3d(&said[0][3])).norm(), 4);
}

TEST_F(PageTouchTest, AnOverlayListsTheKeys) {
  viewer->AddButton("stop <b>now</b>", "KeyQ");
  const auto said = DoHere({"count=#help", "key=?", "count=#help",
                            "count=#help b", "count=#own-keys tr", "key=?",
                            "count=#help", "press=Keys and mouse",
                            "count=#help", "key=Escape", "count=#help"});
  EXPECT_EQ(said, (std::vector<Numbers>{{0}, {1}, {0}, {1}, {0}, {1}, {0}}));
}

TEST_F(PageTouchTest, ASliderScalesAllArrows) {
  viewer->SetArrows("/force", Vector3d(0, 0, 0.5), Vector3d(0, 0.3, 0.4));
  const auto said = DoHere({"wait-for=/force", "arrow=/force", "key=k",
                            "slide=Length of arrows:0.5", "arrow=/force"});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NEAR(said[0][0], 0.5, 1e-6);
  EXPECT_NEAR(said[1][0], 0.5 * std::sqrt(10), 1e-5);
}

// Each step of the axis is 1e-6, which three digits do not show.
TEST_F(PageTouchTest, NoTwoLabelsOfAnAxisAreTheSame) {
  viewer->SetSignal("level", {"y"}, "m");
  for (int i = 0; i <= 10; ++i) {
    viewer->AddSample("level", i, Eigen::Matrix<double, 1, 1>(1 + 1e-6 * i));
  }
  const auto said =
      DoHere({"press=Scopes", "scope=level", "axis-labels=level"});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_GE(said[1][0], 3);
  EXPECT_EQ(said[1][0], said[1][1]);
}

TEST_F(PageTouchTest, ArgumentsOfArrowsAreChecked) {
  const Eigen::Matrix3Xd two = Eigen::Matrix3Xd::Zero(3, 2);
  EXPECT_THROW(viewer->SetArrows("/a", two, Vector3d::Zero()),
               std::logic_error);
  EXPECT_THROW(
      viewer->SetArrows("/a", Vector3d::Zero(), Vector3d::Constant(NAN)),
      std::logic_error);
  EXPECT_THROW(viewer->SetArrows("/a", two, two, -1), std::logic_error);
  EXPECT_FALSE(viewer->HasPath("/a"));
}

}  // namespace page_touch_test
}  // namespace wyvern::geometry
