#include "wyvern/geometry/scene_graph/scene_graph.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/systems/framework/leaf_context.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::Near;

std::unique_ptr<GeometryInstance> MakeInstance(const Shape& shape,
                                               const std::string& name,
                                               const Vector3d& p = {0, 0, 0}) {
  auto result =
      std::make_unique<GeometryInstance>(RigidTransformd(p), shape, name);
  result->set_proximity_properties(ProximityProperties());
  return result;
}

// Two balls of radius 1 m on frames of their own, and the ground z < 0.
class TwoBalls : public testing::Test {
 protected:
  TwoBalls() {
    source_ = graph_.RegisterSource("balls");
    frame_a_ = graph_.RegisterFrame(source_, GeometryFrame("a"));
    frame_b_ = graph_.RegisterFrame(source_, GeometryFrame("b"));
    ball_a_ = graph_.RegisterGeometry(source_, frame_a_,
                                      MakeInstance(Sphere(1), "ball"));
    ball_b_ = graph_.RegisterGeometry(source_, frame_b_,
                                      MakeInstance(Sphere(1), "ball"));
    ground_ = graph_.RegisterAnchoredGeometry(
        source_, MakeInstance(HalfSpace(), "ground"));
  }

  std::unique_ptr<systems::Context<double>> MakeContext(const Vector3d& a,
                                                        const Vector3d& b) {
    auto context = graph_.CreateDefaultContext();
    Fix(a, b, context.get());
    return context;
  }
  void Fix(const Vector3d& a, const Vector3d& b,
           systems::Context<double>* context) {
    graph_.get_source_pose_port(source_).FixValue(
        context, FramePoseVector<double>{{frame_a_, RigidTransformd(a)},
                                         {frame_b_, RigidTransformd(b)}});
  }
  const QueryObject<double>& Query(const systems::Context<double>& context) {
    return graph_.get_query_output_port().Eval<QueryObject<double>>(context);
  }

  SceneGraph<double> graph_;
  SourceId source_;
  FrameId frame_a_, frame_b_;
  GeometryId ball_a_, ball_b_, ground_;
};

TEST_F(TwoBalls, PosesFollowTheInputPort) {
  auto context = MakeContext({0, 0, 2}, {5, 0, 2});
  EXPECT_TRUE(Near(Query(*context).GetPoseInWorld(ball_b_).translation(),
                   Vector3d(5, 0, 2)));
  Fix({0, 0, 2}, {6, 0, 2}, context.get());
  EXPECT_TRUE(Near(Query(*context).GetPoseInWorld(frame_b_).translation(),
                   Vector3d(6, 0, 2)));
}

TEST_F(TwoBalls, PenetrationIsReportedOncePerPair) {
  auto context = MakeContext({0, 0, 0.75}, {1.5, 0, 2});
  const auto pairs = Query(*context).ComputePointPairPenetration();
  ASSERT_EQ(pairs.size(), 2u);
  // sqrt(1.5² + 1.25²) = 1.9525624; the ball is 0.25 m in the ground.
  EXPECT_EQ(pairs[0].id_A, ball_a_);
  EXPECT_EQ(pairs[0].id_B, ball_b_);
  EXPECT_NEAR(pairs[0].depth, 2 - std::hypot(1.5, 1.25), 1e-15);
  EXPECT_EQ(pairs[1].id_B, ground_);
  EXPECT_NEAR(pairs[1].depth, 0.25, 1e-15);
  EXPECT_TRUE(Near(pairs[1].nhat_BA_W, Vector3d::UnitZ()));
  EXPECT_TRUE(Near(pairs[1].p_WCa, Vector3d(0, 0, -0.25), 1e-15));
  EXPECT_TRUE(Near(pairs[1].p_WCb, Vector3d(0, 0, 0), 1e-15));
}

TEST_F(TwoBalls, DistancesComeInTheGeometriesFrames) {
  auto context = MakeContext({0, 0, 3}, {4, 0, 3});
  const auto pair =
      Query(*context).ComputeSignedDistancePairClosestPoints(ball_b_, ball_a_);
  EXPECT_EQ(pair.id_A, ball_b_);
  EXPECT_NEAR(pair.distance, 2, 1e-15);
  EXPECT_TRUE(Near(pair.p_ACa, Vector3d(-1, 0, 0), 1e-15));
  EXPECT_TRUE(Near(pair.nhat_BA_W, Vector3d(1, 0, 0), 1e-15));
  EXPECT_EQ(Query(*context).ComputeSignedDistancePairwiseClosestPoints().size(),
            3u);
  EXPECT_EQ(
      Query(*context).ComputeSignedDistancePairwiseClosestPoints(1.99).size(),
      0u);
  EXPECT_EQ(Query(*context).ComputeSignedDistanceToPoint({0, 0, 3}, 1).size(),
            1u);
}

TEST_F(TwoBalls, CopyOfAQueryObjectKeepsItsState) {
  auto context = MakeContext({0, 0, 3}, {4, 0, 3});
  const QueryObject<double> copy = Query(*context);
  Fix({0, 0, 3}, {1, 0, 3}, context.get());
  EXPECT_TRUE(Query(*context).HasCollisions());
  EXPECT_FALSE(copy.HasCollisions());
  EXPECT_EQ(copy.inspector().num_geometries(), 3);
}

TEST_F(TwoBalls, ClonedContextHasAStateOfItsOwn) {
  auto context = MakeContext({0, 0, 3}, {4, 0, 3});
  EXPECT_FALSE(Query(*context).HasCollisions());
  auto clone = context->Clone();
  Fix({0, 0, 3}, {1, 0, 3}, context.get());
  EXPECT_FALSE(Query(*clone).HasCollisions());
  Fix({0, 0, 3}, {1, 0, 3}, clone.get());
  EXPECT_TRUE(Query(*clone).HasCollisions());
}

TEST_F(TwoBalls, FilterOfAContextLeavesTheModelAlone) {
  auto context = MakeContext({0, 0, 3}, {1, 0, 3});
  graph_.collision_filter_manager(context.get())
      .Apply(CollisionFilterDeclaration().ExcludeBetween(
          GeometrySet(ball_a_), GeometrySet(frame_b_)));
  EXPECT_FALSE(Query(*context).HasCollisions());
  EXPECT_TRUE(Query(*context).inspector().CollisionFiltered(ball_a_, ball_b_));
  EXPECT_FALSE(graph_.model_inspector().CollisionFiltered(ball_a_, ball_b_));
}

TEST_F(TwoBalls, NoSourceIsRegisteredWhosePortsAContextWouldLack) {
  const auto context = MakeContext({0, 0, 3}, {1, 0, 3});
  const int num_sources = graph_.model_inspector().num_sources();
  EXPECT_THROWS_MESSAGE(graph_.RegisterSource("late"), std::logic_error,
                        "has a Context already, which would lack what");
  EXPECT_EQ(graph_.model_inspector().num_sources(), num_sources);
}

TEST_F(TwoBalls, AManagerThatIsKeptActsAtOnce) {
  auto context = MakeContext({0, 0, 3}, {1, 0, 3});
  auto manager = graph_.collision_filter_manager(context.get());
  EXPECT_TRUE(Query(*context).HasCollisions());
  const auto overlapping_pairs = [&] {
    const auto& port = graph_.get_query_output_port();
    return port.Eval<QueryObject<double>>(*context)
        .ComputePointPairPenetration()
        .size();
  };
  const int64_t serial = context->num_changes();
  EXPECT_EQ(overlapping_pairs(), 1u);
  const FilterId off =
      manager.ApplyTransient(CollisionFilterDeclaration().ExcludeWithin(
          GeometrySet{ball_a_, ball_b_}));
  EXPECT_GT(context->num_changes(), serial);
  EXPECT_TRUE(manager.IsActive(off));
  EXPECT_EQ(overlapping_pairs(), 0u);
  EXPECT_TRUE(manager.RemoveDeclaration(off));
  EXPECT_EQ(overlapping_pairs(), 1u);
}

TEST_F(TwoBalls, TransientFiltersCanBeTakenAwayInAnyOrder) {
  auto manager = graph_.collision_filter_manager();
  const auto& inspector = graph_.model_inspector();
  const GeometrySet both{ball_a_, ball_b_};
  const FilterId off =
      manager.ApplyTransient(CollisionFilterDeclaration().ExcludeWithin(both));
  const FilterId on =
      manager.ApplyTransient(CollisionFilterDeclaration().AllowWithin(both));
  EXPECT_FALSE(inspector.CollisionFiltered(ball_a_, ball_b_));
  EXPECT_TRUE(manager.RemoveDeclaration(on));
  EXPECT_TRUE(inspector.CollisionFiltered(ball_a_, ball_b_));
  EXPECT_THROWS_MESSAGE(manager.Apply(CollisionFilterDeclaration()),
                        std::logic_error, "transient declarations");
  EXPECT_TRUE(manager.IsActive(off));
  EXPECT_TRUE(manager.RemoveDeclaration(off));
  EXPECT_FALSE(manager.RemoveDeclaration(off));
  EXPECT_FALSE(manager.has_transient_history());
  EXPECT_FALSE(inspector.CollisionFiltered(ball_a_, ball_b_));
}

TEST_F(TwoBalls, GeometriesOfOneFrameAndAnchoredOnesNeverCollide) {
  const GeometryId second = graph_.RegisterGeometry(
      source_, frame_a_, MakeInstance(Sphere(1), "second"));
  const GeometryId rock = graph_.RegisterAnchoredGeometry(
      source_, MakeInstance(Sphere(1), "rock", {9, 0, 0}));
  const auto& inspector = graph_.model_inspector();
  EXPECT_TRUE(inspector.CollisionFiltered(ball_a_, second));
  EXPECT_TRUE(inspector.CollisionFiltered(rock, ground_));
  EXPECT_FALSE(inspector.CollisionFiltered(rock, ball_a_));
  EXPECT_EQ(inspector.GetCollisionCandidates().size(), 8u);
}

TEST_F(TwoBalls, RolesCanBeAssignedReplacedAndRemoved) {
  const auto& inspector = graph_.model_inspector();
  const GeometryVersion before = inspector.geometry_version();
  EXPECT_EQ(inspector.NumGeometriesWithRole(Role::kProximity), 3);
  EXPECT_EQ(graph_.RemoveRole(source_, frame_a_, Role::kProximity), 1);
  EXPECT_EQ(inspector.NumGeometriesWithRole(Role::kProximity), 2);
  EXPECT_FALSE(before.IsSameAs(inspector.geometry_version(), Role::kProximity));
  EXPECT_TRUE(
      before.IsSameAs(inspector.geometry_version(), Role::kIllustration));
  EXPECT_EQ(inspector.GetProximityProperties(ball_a_), nullptr);
  ProximityProperties properties;
  AddContactMaterial(0.1, 1e4, {}, &properties);
  graph_.AssignRole(source_, ball_a_, properties);
  EXPECT_EQ(inspector.GetProximityProperties(ball_a_)->GetProperty<double>(
                "material", "point_contact_stiffness"),
            1e4);
  EXPECT_THROWS_MESSAGE(graph_.AssignRole(source_, ball_a_, properties),
                        std::logic_error, "RoleAssign::kReplace");
  graph_.AssignRole(source_, ball_a_, ProximityProperties(),
                    RoleAssign::kReplace);
  EXPECT_EQ(inspector.GetProximityProperties(ball_a_)->num_groups(), 0);
}

TEST_F(TwoBalls, ShapesAndGeometriesChangeInAContextOrTheModel) {
  auto context = MakeContext({0, 0, 3}, {4, 0, 3});
  graph_.ChangeShape(context.get(), source_, ball_a_, Sphere(3));
  EXPECT_TRUE(Query(*context).HasCollisions());
  graph_.RemoveGeometry(context.get(), source_, ball_b_);
  EXPECT_EQ(Query(*context).inspector().num_geometries(), 2);
  EXPECT_EQ(graph_.model_inspector().num_geometries(), 3);
  graph_.ChangeShape(source_, ground_, HalfSpace(),
                     RigidTransformd(Vector3d(0, 0, 2.5)));
  auto other = MakeContext({0, 0, 3}, {4, 0, 3});
  EXPECT_EQ(Query(*other).ComputePointPairPenetration().size(), 2u);
}

TEST_F(TwoBalls, DefaultPropertiesFillGapsInNewContexts) {
  SceneGraphConfig config;
  config.default_proximity_properties.point_stiffness = 5e3;
  config.default_proximity_properties.static_friction = 0.8;
  config.default_proximity_properties.dynamic_friction = 0.6;
  graph_.set_config(config);
  auto context = MakeContext({0, 0, 3}, {4, 0, 3});
  const auto* p = Query(*context).inspector().GetProximityProperties(ball_a_);
  EXPECT_EQ(p->GetProperty<double>("material", "point_contact_stiffness"), 5e3);
  EXPECT_EQ(p->GetProperty<multibody::CoulombFriction<double>>(
                 "material", "coulomb_friction")
                .static_friction(),
            0.8);
  EXPECT_FALSE(
      graph_.model_inspector().GetProximityProperties(ball_a_)->HasGroup(
          "material"));
  config.default_proximity_properties.static_friction = 0.1;
  EXPECT_THROWS_MESSAGE(graph_.set_config(config), std::logic_error,
                        "static_friction is 0.1");
}

TEST_F(TwoBalls, FramesHangOnFrames) {
  const FrameId arm =
      graph_.RegisterFrame(source_, frame_a_, GeometryFrame("arm"));
  auto context = graph_.CreateDefaultContext();
  const RigidTransformd X(math::RotationMatrixd::MakeZRotation(0.5),
                          Vector3d(1, 0, 0));
  graph_.get_source_pose_port(source_).FixValue(
      context.get(),
      FramePoseVector<double>{{frame_a_, X}, {frame_b_, X}, {arm, X}});
  EXPECT_TRUE(
      (X * X).IsNearlyEqualTo(Query(*context).GetPoseInWorld(arm), 1e-15));
  EXPECT_TRUE(X.IsExactlyEqualTo(Query(*context).GetPoseInParent(arm)));
}

TEST_F(TwoBalls, ConvertsToAutoDiffAndDifferentiates) {
  auto graph = systems::System<double>::ToAutoDiffXd(graph_);
  auto context = graph->CreateDefaultContext();
  Vector3<AutoDiffXd> p(AutoDiffXd(0, Vector3d::UnitX()),
                        AutoDiffXd(0, Vector3d::UnitY()),
                        AutoDiffXd(3, Vector3d::UnitZ()));
  const Vector3<AutoDiffXd> q(3.0, 4.0, 3.0);
  using math::RigidTransform;
  graph->get_source_pose_port(source_).FixValue(
      context.get(),
      FramePoseVector<AutoDiffXd>{{frame_a_, RigidTransform<AutoDiffXd>(p)},
                                  {frame_b_, RigidTransform<AutoDiffXd>(q)}});
  const auto& query =
      graph->get_query_output_port().Eval<QueryObject<AutoDiffXd>>(*context);
  const auto pair =
      query.ComputeSignedDistancePairClosestPoints(ball_a_, ball_b_);
  EXPECT_NEAR(pair.distance.value(), 3, 1e-15);
  EXPECT_TRUE(
      Near(pair.distance.derivatives(), Vector3d(-0.6, -0.8, 0), 1e-15));
}

TEST_F(TwoBalls, MissingOrBadPosesAreNamed) {
  auto context = graph_.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(Query(*context).HasCollisions(), std::runtime_error,
                        "'balls_pose'");
  const auto& port = graph_.get_source_pose_port(source_);
  port.FixValue(context.get(),
                FramePoseVector<double>{{frame_a_, RigidTransformd()}});
  EXPECT_THROWS_MESSAGE(Query(*context).HasCollisions(), std::runtime_error,
                        "no pose for its frame 'b'");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Fix({0, nan, 0}, {0, 0, 0}, context.get());
  EXPECT_THROWS_MESSAGE(Query(*context).HasCollisions(), std::runtime_error,
                        "the pose of frame 'a'");
}

TEST_F(TwoBalls, MisuseIsExplained) {
  EXPECT_THROWS_MESSAGE(graph_.RegisterSource("balls"), std::logic_error,
                        "a source named 'balls' already");
  EXPECT_THROWS_MESSAGE(graph_.RegisterFrame(source_, GeometryFrame("a")),
                        std::logic_error, "name of another frame");
  EXPECT_THROWS_MESSAGE(graph_.RegisterGeometry(
                            source_, frame_a_, MakeInstance(Sphere(1), "ball")),
                        std::logic_error, "a geometry named 'ball'");
  const SourceId other = graph_.RegisterSource();
  EXPECT_THROWS_MESSAGE(graph_.RemoveGeometry(other, ball_a_), std::logic_error,
                        "belongs to source 'balls'");
  EXPECT_THROWS_MESSAGE(graph_.model_inspector().GetName(FrameId::get_new_id()),
                        std::logic_error, "there is no frame");
  EXPECT_THROWS_MESSAGE(QueryObject<double>().HasCollisions(), std::logic_error,
                        "was not made by a SceneGraph");
}

TEST_F(TwoBalls, MeshesCollideAsTheirHulls) {
  const Eigen::Matrix3Xd points = (Eigen::Matrix3Xd(3, 4) << 1, -1, 0, 0,  //
                                   0, 0, 1, 0,                             //
                                   0, 0, 0, -1)
                                      .finished();
  graph_.ChangeShape(source_, ball_b_, Convex(points, "hull"));
  auto context = MakeContext({0, 0, 9}, {0, 0, 0.75});
  const auto& query = Query(*context);
  const auto pairs = query.ComputePointPairPenetration();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs[0].depth, 0.25, 1e-15);
  EXPECT_EQ(query.inspector().GetConvexHull(ball_b_)->num_vertices(), 4);
  EXPECT_EQ(query.inspector().GetConvexHull(ball_a_), nullptr);
  EXPECT_THROWS_MESSAGE(graph_.ChangeShape(source_, ball_b_, Mesh("no.obj")),
                        std::runtime_error, "/no.obj' is not a file");
  EXPECT_THROWS_MESSAGE(graph_.ChangeShape(source_, ball_b_, MeshcatCone(1)),
                        std::logic_error, "MeshcatCone");
  EXPECT_EQ(graph_.model_inspector().GetShape(ball_b_).type_name(), "Convex");
}

TEST_F(TwoBalls, RefillingPosesAndQueryingAllocatesNothing) {
  auto context = MakeContext({0, 0, 0.75}, {1.5, 0, 2});
  const auto& query = Query(*context);
  std::vector<PenetrationAsPointPair<double>> points;
  auto& value = graph_.get_source_pose_port(source_).FixValue(
      context.get(), FramePoseVector<double>{
                         {frame_a_, RigidTransformd(Vector3d(0, 0, 0.75))},
                         {frame_b_, RigidTransformd(Vector3d(1.5, 0, 2))}});
  Query(*context).ComputeContactManifolds(&points);
  test::AllocationGuard guard;
  auto& poses =
      value.GetMutableData()->get_mutable_value<FramePoseVector<double>>();
  poses.clear();
  poses.set_value(frame_a_, RigidTransformd(Vector3d(0, 0, 0.5)));
  poses.set_value(frame_b_, RigidTransformd(Vector3d(1.4, 0, 1.6)));
  Query(*context).ComputeContactManifolds(&points);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(points.size(), 2u);
  EXPECT_EQ(&query, &Query(*context));
}

}  // namespace
}  // namespace wyvern::geometry
