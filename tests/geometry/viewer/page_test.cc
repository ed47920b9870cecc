// The page in a real browser: it shows what it is told, its controls do what
// they say, and a saved file plays without a network.
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/geometry/viewer/page_browser.h"
#include "wyvern/geometry/viewer/viewer.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::PageTest;

const char kFolder[] = WYVERN_SOURCE_DIR "/tests/geometry/viewer";

TEST_F(PageTest, ShowsWhatItIsTold) {
  Viewer viewer;
  viewer.SetObject("/ball", Sphere(0.3), Rgba(0.9, 0.2, 0.1));
  viewer.SetTransform("/ball", RigidTransformd(Vector3d(0, 0, 0.3)));
  viewer.SetObject("/box", Box(0.3, 0.3, 0.3), Rgba(0.1, 0.4, 0.9));
  viewer.SetTransform("/box", RigidTransformd(Vector3d(-0.5, 0.3, 0.15)));
  viewer.SetProperty("/Grid", "visible", false);
  viewer.SetCameraPose({1.2, -1.8, 1.1}, {0, 0, 0.2});
  const auto said =
      Do(viewer.web_url(),
         {"wait-for=/box", "position=/ball",
          fmt::format("compare={}/page_test_scene.png", kFolder)});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NEAR(said[0].at(2), 0.3, 1e-6);
  // Mean difference, of 255; edges differ by how a machine smooths them.
  EXPECT_LT(said[1].at(0), 0.5);
}

// Without a graphics card, a first frame with everything takes seconds.
TEST_F(PageTest, ALargeCanvasStartsCoarseWithoutAGraphicsCard) {
  Viewer viewer;
  viewer.SetObject("/ball", Sphere(0.3));
  const auto said =
      Do(viewer.web_url(), {"wait-for=/ball", "canvas", "size=1600x1200",
                            "reload", "wait-for=/ball", "canvas"});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0], (std::vector<double>{480, 320}));
  EXPECT_LE(said[1].at(0), 1200);
  EXPECT_GE(said[1].at(0), 800);
}

// Few frames leave out pixels. Once nothing moves, edges are smooth.
TEST_F(PageTest, APictureThatRestsIsDrawnWithSmoothEdges) {
  Viewer viewer;
  viewer.SetObject("/ball", Sphere(0.3));
  const auto said = Do(viewer.web_url(), {"wait-for=/ball", "still"});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0], (std::vector<double>{0.5, 2, 0.5}));
}

// The picture shows the same ball, as large as the narrower side of the window.
TEST_F(PageTest, AWindowOfAnotherShapeIsFramedAnew) {
  Viewer viewer;
  viewer.SetObject("/ball", Sphere(0.3));
  const auto said = Do(viewer.web_url(),
                       {"wait-for=/ball", "radius", "distance", "size=200x600",
                        "distance", "size=480x320", "distance", "turn=40,0",
                        "distance", "size=200x600", "distance"});
  ASSERT_EQ(said.size(), 6u);
  EXPECT_NEAR(said[0].at(0), 0.3, 1e-3);  // The box has corners at 0.52.
  const double distance = said[1].at(0);
  EXPECT_NEAR(distance, 1.25 * said[0].at(0) / std::sin(M_PI / 8), 1e-6);
  EXPECT_NEAR(said[2].at(0), 3 * distance, 1e-6);
  EXPECT_NEAR(said[3].at(0), distance, 1e-6);
  // The camera of a person stays.
  EXPECT_NEAR(said[4].at(0), distance, 1e-6);
  EXPECT_NEAR(said[5].at(0), distance, 1e-6);
}

TEST_F(PageTest, FollowsAMotion) {
  Viewer viewer;
  viewer.SetObject("/ball", Sphere(0.3));
  std::atomic<bool> is_over{false};
  std::thread motion([&] {
    for (int i = 0; !is_over; ++i) {
      viewer.SetTransform("/ball", RigidTransformd(Vector3d(0, 0, 1e-3 * i)));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const auto said = Do(viewer.web_url(), {"wait-for=/ball", "positions=/ball"});
  is_over = true;
  motion.join();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_GE(said[0].at(0), 4);
}

// Two balls of 9,800 triangles each, so far apart that each is a few pixels.
TEST_F(PageTest, DrawsFewTrianglesOfWhatLooksSmallWhereFramesAreFew) {
  const int rows = 50, columns = 100;
  Eigen::Matrix3Xd vertices(3, (rows + 1) * columns);
  Eigen::Matrix3Xi faces(3, 2 * rows * columns);
  for (int i = 0; i <= rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double a = M_PI * i / rows, b = 2 * M_PI * j / columns;
      const int here = i * columns + j, next = i * columns + (j + 1) % columns;
      vertices.col(here) =
          0.05 * Vector3d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b),
                          std::cos(a));
      if (i == rows) continue;
      faces.col(2 * here) << here, here + columns, next;
      faces.col(2 * here + 1) << next, here + columns, next + columns;
    }
  }
  Viewer viewer;
  for (const char* path : {"/left", "/right"}) {
    viewer.SetTriangleMesh(path, vertices, faces);
  }
  viewer.SetTransform("/left", RigidTransformd(Vector3d(-5, 0, 0)));
  viewer.SetTransform("/right", RigidTransformd(Vector3d(5, 0, 0)));
  const auto said =
      Do(viewer.web_url(), {"wait-for=/left", "wait-for=/right", "drawn-at=60",
                            "drawn-at=5", "drawn-at=60"});
  ASSERT_EQ(said.size(), 3u);
  EXPECT_GE(said[0].at(0), 2.0 * faces.cols());
  EXPECT_NEAR(said[0].at(1), 0.05, 1e-6);
  EXPECT_GT(said[1].at(0), 100);
  EXPECT_LT(said[1].at(0), 0.05 * said[0].at(0));
  EXPECT_GT(said[1].at(1), 0.04);
  EXPECT_LT(said[1].at(1), 0.05 + 1e-6);
  EXPECT_EQ(said[2], said[0]);  // And back, once it is fast.
}

TEST_F(PageTest, ControlsReachTheProgram) {
  Viewer viewer;
  viewer.AddSlider("gain", 0, 10, 0.5, 5);
  viewer.AddButton("stop", "Escape");
  Do(viewer.web_url(),
     {"wait-for-text=gain", "slide=gain:7.5", "press=stop", "key=Escape"});
  EXPECT_EQ(viewer.GetSliderValue("gain"), 7.5);
  EXPECT_EQ(viewer.GetButtonClicks("stop"), 2);
}

TEST_F(PageTest, AScopeShowsASine) {
  Viewer viewer;
  viewer.SetSignal("sine/y", {"y"}, "m");
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    viewer.AddSample("sine/y", t,
                     Eigen::Matrix<double, 1, 1>(1.25 * std::sin(t)));
  }
  const auto said = Do(viewer.web_url(), {"press=Scopes", "scope=sine/y"});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NEAR(said[0].at(0), 1.25, 1e-4);  // The largest value.
  EXPECT_EQ(said[0].at(1), 10);            // The last time.
  EXPECT_GE(said[0].at(2), 1.25);          // What the axis shows.
  EXPECT_LE(said[0].at(2), 2);
}

TEST_F(PageTest, ScopesJoinAndPart) {
  Viewer viewer;
  viewer.SetSignal("sine/y", {"y"}, "m");
  viewer.SetSignal("pressure", {"p"}, "Pa");
  viewer.SetSignal("angle/y", {"y"}, "m");
  for (int i = 0; i <= 100; ++i) {
    viewer.AddSample("sine/y", 0.1 * i, Eigen::Matrix<double, 1, 1>(2.0));
    viewer.AddSample("angle/y", 0.1 * i, Eigen::Matrix<double, 1, 1>(20.0));
  }
  // At other times.
  for (int i = 0; i < 5; ++i) {
    viewer.AddSample("pressure", 0.25 + i, Eigen::Matrix<double, 1, 1>(700.0));
  }
  const auto said = Do(viewer.web_url(),
                       {"press=Scopes", "scope=sine/y", "join=sine/y:pressure",
                        "join=sine/y, pressure:angle/y", "plots",
                        "scope=sine/y", "scope=pressure", "csv=sine/y",
                        "press=A plot for each signal: "
                        "sine/y, pressure, angle/y",
                        "plots", "scope=sine/y"});
  ASSERT_EQ(said.size(), 7u);
  EXPECT_LT(said[0].at(2), 5);
  EXPECT_EQ(said[1], (std::vector<double>{3}));
  // One axis for metres, one for pascals.
  EXPECT_GT(said[2].at(2), 20);
  EXPECT_LT(said[2].at(2), 30);
  EXPECT_GT(said[3].at(2), 650);
  // Rows: names, 101 times, and 5 others; four columns.
  EXPECT_EQ(said[4], (std::vector<double>{107, 4}));
  EXPECT_EQ(said[5], (std::vector<double>{1, 1, 1}));
  EXPECT_LT(said[6].at(2), 5);
}

TEST_F(PageTest, ATimelineShowsWhatHappened) {
  const auto file =
      std::filesystem::path(testing::TempDir()) / "page_test_events.html";
  {
    Viewer viewer;
    viewer.MarkRecording("before the recording", 0);
    viewer.SetObject("/ball", Sphere(0.3));
    viewer.StartRecording(20);
    for (int i = 0; i <= 40; ++i) {
      const double t = 10 + i / 20.0;
      viewer.SetTransform("/ball", RigidTransformd(Vector3d(t, 0, 0)), t);
    }
    viewer.MarkRecording("\"bang\" & <stop>", 11.5);
    viewer.MarkRecording("contact", 10.5);
    EXPECT_THROW(viewer.MarkRecording("never", NAN), std::logic_error);
    viewer.PublishRecording();
    viewer.SaveStaticHtml(file);
  }
  const auto said = Do("file://" + file.string(), {"wait-for=/ball", "events",
                                                   "event=11.500 s \"bang\" "
                                                   "& <stop>",
                                                   "position=/ball"});
  ASSERT_EQ(said.size(), 2u);
  // Two ticks, at these parts of the timeline.
  EXPECT_EQ(said[0], (std::vector<double>{25, 75}));
  EXPECT_NEAR(said[1].at(0), 11.5, 1e-4);
}

TEST_F(PageTest, ASavedFilePlaysWithoutANetwork) {
  const auto file =
      std::filesystem::path(testing::TempDir()) / "page_test_recording.html";
  {
    Viewer viewer;
    viewer.SetObject("/ball", Sphere(0.3));
    viewer.StartRecording(20);
    for (int i = 0; i <= 40; ++i) {
      const double t = i / 20.0;
      viewer.SetTransform("/ball", RigidTransformd(Vector3d(t, 0, t * t)), t);
    }
    viewer.PublishRecording();
    viewer.SaveStaticHtml(file);
  }
  const auto said = Do("file://" + file.string(),
                       {"wait-for=/ball", "seek=1.5", "position=/ball",
                        "seek=0.5", "position=/ball"});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NEAR(said[0].at(0), 1.5, 1e-4);
  EXPECT_NEAR(said[0].at(2), 2.25, 1e-4);
  EXPECT_NEAR(said[1].at(0), 0.5, 1e-4);
  EXPECT_NEAR(said[1].at(2), 0.25, 1e-4);
  std::filesystem::remove(file);
}

TEST_F(PageTest, ForcesOfARecordingComeAndGoWithItsTime) {
  const auto file =
      std::filesystem::path(testing::TempDir()) / "page_test_forces.html";
  {
    Viewer viewer;
    viewer.SetObject("/ball", Sphere(0.3));
    viewer.StartRecording(20);
    viewer.SetTransform("/ball", RigidTransformd(), 0.0);
    viewer.SetTransform("/ball", RigidTransformd(Vector3d(1, 0, 0)), 2.0);
    viewer.SetLineSegments("/force", Vector3d(0, 0, 0), Vector3d(0, 0, 1), 1.0,
                           Rgba(1, 0, 0), 0.5);
    viewer.Delete("/force", 1.5);
    viewer.PublishRecording();
    viewer.SaveStaticHtml(file);
  }
  const auto said = Do("file://" + file.string(),
                       {"wait-for=/ball", "seek=1", "has-object=/force",
                        "seek=1.75", "has-object=/force", "seek=0.75",
                        "has-object=/force", "seek=0.25", "has-object=/force"});
  EXPECT_EQ(said, (std::vector<std::vector<double>>{{1}, {0}, {1}, {0}}));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace wyvern::geometry
