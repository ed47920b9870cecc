/** @file Scenes of many geometries. What looks at all of them for each takes a
minute here, and is felt; the laws are that results are those of few. */

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/proximity_properties.h"

namespace wyvern::geometry {
namespace many_geometries_test {

using Eigen::Vector3d;
using math::RigidTransformd;

constexpr int kMany = 20000;

// A row of boxes with sides of 1 m along x, with their tops at z = 0, in the
// world or on a frame, and a ball of radius 1 m on a frame of its own.
class Row {
 public:
  explicit Row(bool is_anchored) {
    source_ = graph.RegisterSource("row");
    ball_frame_ = graph.RegisterFrame(source_, GeometryFrame("ball"));
    row_frame = is_anchored
                    ? graph.world_frame_id()
                    : graph.RegisterFrame(source_, GeometryFrame("row"));
    for (int i = 0; i < kMany; ++i) {
      boxes.push_back(Register(row_frame, Box(1, 1, 1),
                               fmt::format("box {}", i), {i + 0.5, 0, -0.5}));
    }
    ball = Register(ball_frame_, Sphere(1), "ball", {0, 0, 0});
  }

  GeometryId Register(FrameId frame, const Shape& shape,
                      const std::string& name, const Vector3d& p) {
    auto instance =
        std::make_unique<GeometryInstance>(RigidTransformd(p), shape, name);
    instance->set_proximity_properties(ProximityProperties());
    instance->set_illustration_properties(IllustrationProperties());
    return graph.RegisterGeometry(source_, frame, std::move(instance));
  }
  // The ball at the middle of a box, 0.25 m in it.
  std::vector<PenetrationAsPointPair<double>> FindContacts(int box) {
    if (context == nullptr) context = graph.CreateDefaultContext();
    FramePoseVector<double> poses{
        {ball_frame_, RigidTransformd(Vector3d(box + 0.5, 0, 0.75))}};
    if (row_frame != graph.world_frame_id()) poses.set_value(row_frame, {});
    graph.get_source_pose_port(source_).FixValue(context.get(), poses);
    return graph.get_query_output_port()
        .Eval<QueryObject<double>>(*context)
        .ComputePointPairPenetration();
  }
  // By its boxes and depths, in order: those of all that the ball overlaps.
  void ExpectContact(int box) {
    const auto contacts = FindContacts(box);
    const auto deepest = std::max_element(
        contacts.begin(), contacts.end(),
        [](const auto& a, const auto& b) { return a.depth < b.depth; });
    ASSERT_NE(deepest, contacts.end());
    EXPECT_EQ(deepest->id_A, boxes[box]);
    EXPECT_EQ(deepest->id_B, ball);
    EXPECT_NEAR(deepest->depth, 0.25, 1e-12);
  }

  SourceId source() const { return source_; }

  SceneGraph<double> graph;
  FrameId row_frame;
  std::vector<GeometryId> boxes;
  GeometryId ball;
  std::unique_ptr<systems::Context<double>> context;

 private:
  SourceId source_;
  FrameId ball_frame_;
};

TEST(ManyGeometries, TouchAsFewDo) {
  for (const bool is_anchored : {true, false}) {
    Row row(is_anchored);
    for (const int box : {1, kMany / 2, kMany - 2}) row.ExpectContact(box);
  }
}

TEST(ManyGeometries, AreFilteredBySetsAndByOne) {
  Row row(false);
  auto manager = row.graph.collision_filter_manager();
  manager.Apply(
      CollisionFilterDeclaration().ExcludeWithin(GeometrySet(row.row_frame)));
  GeometrySet all(row.boxes);
  manager.Apply(
      CollisionFilterDeclaration().ExcludeBetween(all, GeometrySet(row.ball)));
  EXPECT_TRUE(row.FindContacts(7).empty());
  auto of_context = row.graph.collision_filter_manager(row.context.get());
  const FilterId id =
      of_context.ApplyTransient(CollisionFilterDeclaration().AllowBetween(
          GeometrySet(row.boxes[7]), GeometrySet(row.ball)));
  ASSERT_EQ(row.FindContacts(7).size(), 1u);
  EXPECT_EQ(row.FindContacts(7)[0].id_A, row.boxes[7]);
  EXPECT_TRUE(of_context.RemoveDeclaration(id));
  EXPECT_TRUE(row.FindContacts(7).empty());
}

// Names are compared with those of the same frame and role.
TEST(ManyGeometries, HaveNamesOfTheirOwn) {
  Row row(true);
  EXPECT_THROWS_MESSAGE(
      row.Register(row.row_frame, Sphere(1), "box 123", {0, 0, 0}),
      std::logic_error, "has a geometry named 'box 123' with the role");
  const auto& inspector = row.graph.model_inspector();
  for (int i = 0; i < kMany; ++i) {
    row.graph.RenameGeometry(row.boxes[i], fmt::format("stone {}", i));
  }
  for (int i = 0; i < kMany; ++i) {
    ASSERT_EQ(inspector.GetGeometryIdByName(row.row_frame, Role::kProximity,
                                            fmt::format("stone {}", i)),
              row.boxes[i]);
  }
  EXPECT_THROWS_MESSAGE(row.graph.RenameGeometry(row.boxes[0], "stone 1"),
                        std::logic_error, "'stone 1'");
  row.graph.RenameGeometry(row.boxes[0], "box 1");
}

TEST(ManyGeometries, ChangeShapesAndRolesOneByOne) {
  Row row(true);
  for (const GeometryId id : row.boxes) {
    row.graph.ChangeShape(row.source(), id, Box(1, 1, 2));
  }
  EXPECT_EQ(row.FindContacts(9).size(), 3u);
  row.context.reset();
  EXPECT_EQ(row.graph.RemoveRole(row.source(), row.row_frame, Role::kProximity),
            kMany);
  EXPECT_TRUE(row.FindContacts(9).empty());
  row.context.reset();
  for (const GeometryId id : row.boxes) {
    row.graph.AssignRole(row.source(), id, ProximityProperties());
    row.graph.AssignRole(row.source(), id, ProximityProperties(),
                         RoleAssign::kReplace);
  }
  EXPECT_EQ(row.FindContacts(9).size(), 3u);
  EXPECT_EQ(row.FindContacts(9)[1].id_A, row.boxes[9]);
  EXPECT_NEAR(row.FindContacts(9)[1].depth, 0.75, 1e-12);
}

TEST(ManyGeometries, MayHaveAFrameEach) {
  SceneGraph<double> graph;
  const SourceId source = graph.RegisterSource("source");
  std::vector<FrameId> frames;
  for (int i = 0; i < kMany; ++i) {
    frames.push_back(
        graph.RegisterFrame(source, GeometryFrame(fmt::format("frame {}", i))));
  }
  EXPECT_THROWS_MESSAGE(graph.RegisterFrame(source, GeometryFrame("frame 9")),
                        std::logic_error, "has the name of another frame");
  for (int i = 0; i < kMany; ++i) {
    graph.RenameFrame(frames[i], fmt::format("body {}", i));
  }
  EXPECT_THROWS_MESSAGE(graph.RenameFrame(frames[3], "body 4"),
                        std::logic_error, "has a frame named 'body 4'");
  graph.RegisterFrame(source, GeometryFrame("frame 9"));
}

}  // namespace many_geometries_test
}  // namespace wyvern::geometry
