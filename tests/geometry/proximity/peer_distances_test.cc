#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "wyvern/geometry/proximity/shape_distance.h"

namespace wyvern::geometry::internal {
namespace {

using math::RigidTransformd;

struct Row {
  std::string engine, a, b;
  RigidTransformd X_WA, X_WB;
  double distance{};
};

RigidTransformd ReadPose(std::istream* in) {
  double w, x, y, z;
  Eigen::Vector3d p;
  *in >> w >> x >> y >> z >> p[0] >> p[1] >> p[2];
  return RigidTransformd(Eigen::Quaterniond(w, x, y, z), p);
}

// Figures of tests/oracles/shape_distances.py.
std::vector<Row> ReadRows() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/shape_distances.txt");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    Row row;
    in >> row.engine >> row.a >> row.b;
    row.X_WA = ReadPose(&in);
    row.X_WB = ReadPose(&in);
    in >> row.distance;
    rows.push_back(row);
  }
  return rows;
}

CollisionShape ShapeNamed(const std::string& name) {
  static const char* const names[] = {"sphere",    "capsule", "cylinder",
                                      "ellipsoid", "box",     "pyramid"};
  const auto found = std::find(std::begin(names), std::end(names), name);
  return BoundedShapes()[found - std::begin(names)];
}

TEST(PeerDistances, AgreeWithDrakeWhereShapesAreApart) {
  int count = 0;
  for (const Row& row : ReadRows()) {
    if (row.engine != "drake") continue;
    const double distance = CalcShapeDistance(ShapeNamed(row.a), row.X_WA,
                                              ShapeNamed(row.b), row.X_WB)
                                .distance;
    // Its iterations stop early: two capsules, a closed form here, differ by
    // 4e-6, and two ellipsoids by 4e-5.
    EXPECT_NEAR(distance, row.distance, 5e-5) << row.a << " and " << row.b;
    ++count;
  }
  EXPECT_GT(count, 100);
}

TEST(PeerDistances, AgreeWithMujocoWhereShapesAreApart) {
  int count = 0;
  for (const Row& row : ReadRows()) {
    if (row.engine != "mujoco" || row.distance < 0) continue;
    const double distance = CalcShapeDistance(ShapeNamed(row.a), row.X_WA,
                                              ShapeNamed(row.b), row.X_WB)
                                .distance;
    EXPECT_NEAR(distance, row.distance, 2e-6) << row.a << " and " << row.b;
    ++count;
  }
  EXPECT_GT(count, 100);
}

// For a capsule in a box MuJoCo does not look for the least depth. For two
// boxes it prefers faces to edges, and some others end early: of those, a
// search over all directions sided with the depth here.
TEST(PeerDistances, AgreeWithMujocoWhereShapesOverlap) {
  int count = 0, equal = 0;
  for (const Row& row : ReadRows()) {
    if (row.engine != "mujoco" || row.distance >= 0) continue;
    if (row.a == "capsule" && row.b == "box") continue;
    const double distance = CalcShapeDistance(ShapeNamed(row.a), row.X_WA,
                                              ShapeNamed(row.b), row.X_WB)
                                .distance;
    EXPECT_NEAR(distance, row.distance, 1e-3) << row.a << " and " << row.b;
    equal += std::abs(distance - row.distance) < 2e-6;
    ++count;
  }
  EXPECT_GT(count, 80);
  EXPECT_GE(equal, count - 6);
}

}  // namespace
}  // namespace wyvern::geometry::internal
