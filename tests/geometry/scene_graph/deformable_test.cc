#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/scene_graph/deformable_scene.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/framework/context_serialization.h"

// Laws of deformable geometry in a SceneGraph, and the input that it refuses.

namespace wyvern::geometry {
namespace deformable_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using test::DeformableScene;

const RigidTransformd kPose(Vector3d(1, 2, 3));

InMemoryMesh MakeVtk(const std::string& cells) {
  return {MemoryFile("# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET "
                     "UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0\n1 0 0\n0 1 "
                     "0\n0 0 1\n1 1 1\n" +
                         cells,
                     ".vtk", "two"),
          {}};
}

const char* const kTwoTetrahedra =
    "CELLS 2 10\n4 0 1 2 3\n4 1 4 2 3\nCELL_TYPES 2\n10 10\n";

TEST(DeformableGeometry, IsKnownToTheInspector) {
  DeformableScene scene;
  const auto& inspector = scene.graph.model_inspector();
  const auto ground = scene.Anchor(HalfSpace(), "ground");
  const auto cube = scene.AddDeformable(Box(1, 1, 1), "cube", 0.5, kPose);
  const auto mesh =
      scene.AddDeformable(Mesh(MakeVtk(kTwoTetrahedra), 2), "mesh", 7);
  const auto body = scene.graph.RegisterGeometry(
      scene.source, scene.frame, scene.MakeInstance(Sphere(1), "ball"));
  EXPECT_EQ(inspector.num_geometries(), 4);
  EXPECT_EQ(inspector.NumAnchoredGeometries(), 1);
  EXPECT_EQ(inspector.NumDynamicGeometries(), 3);
  EXPECT_EQ(inspector.NumDynamicNonDeformableGeometries(), 1);
  EXPECT_EQ(inspector.NumDeformableGeometries(), 2);
  EXPECT_EQ(inspector.NumDeformableGeometriesWithRole(Role::kProximity), 2);
  EXPECT_EQ(inspector.NumDeformableGeometriesWithRole(Role::kPerception), 0);
  EXPECT_EQ(inspector.GetAllDeformableGeometryIds(),
            (std::vector<GeometryId>{cube, mesh}));
  EXPECT_TRUE(inspector.IsDeformableGeometry(cube));
  EXPECT_FALSE(inspector.IsDeformableGeometry(body));
  EXPECT_EQ(inspector.GetReferenceMesh(ground), nullptr);
  // Two bricks along each edge, in the frame of the geometry.
  ASSERT_NE(inspector.GetReferenceMesh(cube), nullptr);
  EXPECT_EQ(inspector.GetReferenceMesh(cube)->num_vertices(), 27);
  EXPECT_NEAR(inspector.GetReferenceMesh(cube)->CalcVolume(), 1, 1e-14);
  EXPECT_EQ(inspector.GetReferenceMesh(cube)->vertex(0).cwiseAbs(),
            Vector3d(0.5, 0.5, 0.5));
  // Its own, whatever the hint; scaled.
  EXPECT_EQ(inspector.GetReferenceMesh(mesh)->num_elements(), 2);
  EXPECT_EQ(inspector.GetReferenceMesh(mesh)->vertex(4), Vector3d(2, 2, 2));
  EXPECT_EQ(inspector.GetPoseInFrame(cube).translation(), kPose.translation());
  EXPECT_EQ(inspector.GetFrameId(cube), inspector.world_frame_id());
  EXPECT_EQ(inspector.GetName(cube), "cube");
  EXPECT_THROW(inspector.IsDeformableGeometry(GeometryId::get_new_id()),
               std::logic_error);
}

TEST(DeformableGeometry, IsWhereItsPortSays) {
  DeformableScene scene;
  const auto mesh =
      scene.AddDeformable(Mesh(MakeVtk(kTwoTetrahedra)), "mesh", 1, kPose);
  const auto ball = scene.AddDeformable(Sphere(1), "ball", 0.5);
  const auto ground = scene.Anchor(HalfSpace(), "ground");
  VectorXd q = scene.CalcConfiguration(mesh);
  EXPECT_EQ(q.head<3>(), kPose.translation());
  q.tail<3>() << 7, 8, 9;
  scene.MakeContext({{mesh, q}});
  const auto& query = scene.query();
  EXPECT_EQ(query.GetConfigurationsInWorld(mesh), q);
  // All vertices are on the surface; of the ball, all but its centre.
  const auto driven =
      query.GetDrivenMeshConfigurationsInWorld(mesh, Role::kProximity);
  ASSERT_EQ(driven.size(), 1u);
  EXPECT_EQ(driven[0], q);
  const auto surface = query.ComputeDeformableSurfaceInWorld(mesh);
  EXPECT_EQ(surface.num_triangles(), 6);
  EXPECT_EQ(surface.vertex(4), Vector3d(7, 8, 9));
  const auto round = query.ComputeDeformableSurfaceInWorld(ball);
  EXPECT_EQ(
      round.num_vertices(),
      scene.graph.model_inspector().GetReferenceMesh(ball)->num_vertices() - 1);
  EXPECT_EQ(query.GetDrivenMeshConfigurationsInWorld(ball, Role::kProximity)[0]
                .size(),
            3 * round.num_vertices());
  for (int t = 0; t < round.num_triangles(); ++t) {
    EXPECT_GT(round.face_normal(t).dot(round.element_centroid(t)), 0.5);
  }
  // A copy keeps the state.
  const QueryObject<double> copy = query;
  scene.MakeContext();
  EXPECT_EQ(copy.GetConfigurationsInWorld(mesh), q);
  EXPECT_NE(scene.query().GetConfigurationsInWorld(mesh), q);
  std::vector<internal::DeformableContactSurface> touching;
  copy.ComputeDeformableContact(&touching);

  EXPECT_THROWS_MESSAGE(copy.GetPoseInWorld(mesh), std::logic_error,
                        "geometry 'mesh'");
  EXPECT_THROWS_MESSAGE(copy.GetConfigurationsInWorld(ground), std::logic_error,
                        "is rigid");
  EXPECT_THROWS_MESSAGE(copy.ComputeDeformableSurfaceInWorld(ground),
                        std::logic_error, "is rigid");
  EXPECT_THROWS_MESSAGE(
      copy.GetDrivenMeshConfigurationsInWorld(mesh, Role::kPerception),
      std::logic_error, "does not have the role 'perception'");
  EXPECT_THROWS_MESSAGE(copy.ComputeDeformableContact(nullptr),
                        std::logic_error, "surfaces is null");
}

TEST(DeformableGeometry, IsIgnoredByQueriesOfRigidOnes) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box(1, 1, 1), "cube", 0.5);
  const auto ball = scene.graph.RegisterGeometry(
      scene.source, scene.frame, scene.MakeInstance(Sphere(0.6), "ball"));
  scene.MakeContext();
  const auto& query = scene.query();
  EXPECT_TRUE(query.ComputePointPairPenetration().empty());
  EXPECT_TRUE(query.ComputeContactManifolds().empty());
  EXPECT_TRUE(query.FindCollisionCandidates().empty());
  EXPECT_FALSE(query.HasCollisions());
  EXPECT_TRUE(query.ComputeSignedDistancePairwiseClosestPoints().empty());
  EXPECT_EQ(query.ComputeSignedDistanceToPoint({0, 0, 3}).size(), 1u);
  EXPECT_TRUE(
      query.ComputeContactSurfaces(HydroelasticContactRepresentation::kPolygon)
          .empty());
  EXPECT_THROWS_MESSAGE(
      query.ComputeSignedDistancePairClosestPoints(cube, ball),
      std::logic_error, "'cube'");
  EXPECT_EQ(scene.Touch().size(), 1u);
}

TEST(DeformableGeometry, FiltersAndRolesSayWhatItTouches) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box(1, 1, 1), "cube", 0.5);
  const auto other = scene.AddDeformable(Box(1, 1, 1), "other", 0.5,
                                         RigidTransformd(Vector3d(0, 0, 0.8)));
  const auto ground = scene.Anchor(HalfSpace(), "ground");
  const auto plate = scene.Anchor(Box(3, 3, 0.1), "plate");
  const auto& inspector = scene.graph.model_inspector();
  using Pairs = std::set<std::pair<GeometryId, GeometryId>>;
  const auto pairs = [&scene] {
    scene.MakeContext();
    Pairs result;
    for (const auto& s : scene.Touch()) result.emplace(s.id_A, s.id_B);
    return result;
  };
  const Pairs all{{cube, other}, {cube, ground}, {cube, plate}};
  EXPECT_EQ(pairs(), all);
  // All that deforms is on the world's frame, as is what is anchored.
  EXPECT_FALSE(inspector.CollisionFiltered(cube, other));
  EXPECT_FALSE(inspector.CollisionFiltered(cube, plate));
  EXPECT_TRUE(inspector.CollisionFiltered(ground, plate));
  EXPECT_EQ(inspector.GetCollisionCandidates(), (Pairs{{cube, other},
                                                       {cube, ground},
                                                       {cube, plate},
                                                       {other, ground},
                                                       {other, plate}}));
  const GeometrySet world(scene.graph.world_frame_id());
  auto filters = scene.graph.collision_filter_manager();
  filters.Apply(
      CollisionFilterDeclaration(CollisionFilterScope::kOmitDeformable)
          .ExcludeWithin(world));
  EXPECT_EQ(pairs(), all);
  const auto id =
      filters.ApplyTransient(CollisionFilterDeclaration().ExcludeWithin(world));
  EXPECT_TRUE(pairs().empty());
  EXPECT_TRUE(inspector.CollisionFiltered(cube, plate));
  EXPECT_TRUE(inspector.GetCollisionCandidates().empty());
  filters.RemoveDeclaration(id);
  filters.Apply(CollisionFilterDeclaration().ExcludeBetween(
      GeometrySet(cube), GeometrySet(plate)));
  EXPECT_EQ(pairs(), (Pairs{{cube, other}, {cube, ground}}));
  // Roles, taken away and given back, without the filter.
  EXPECT_EQ(scene.graph.RemoveRole(scene.source, other, Role::kProximity), 1);
  EXPECT_EQ(pairs(), (Pairs{{cube, ground}}));
  EXPECT_EQ(scene.graph.RemoveRole(scene.source, cube, Role::kProximity), 1);
  EXPECT_TRUE(pairs().empty());
  scene.graph.AssignRole(scene.source, cube, ProximityProperties());
  EXPECT_EQ(pairs(), (Pairs{{cube, ground}, {cube, plate}}));
  scene.graph.RemoveGeometry(scene.source, other);
  EXPECT_EQ(inspector.NumDeformableGeometries(), 1);
  EXPECT_EQ(pairs(), (Pairs{{cube, ground}, {cube, plate}}));
}

TEST(DeformableGeometry, BelongsToOneContext) {
  DeformableScene scene;
  scene.AddDeformable(Box(1, 1, 1), "first", 0.5);
  scene.MakeContext();
  const auto id = scene.graph.RegisterDeformableGeometry(
      scene.context.get(), scene.source, scene.graph.world_frame_id(),
      scene.MakeInstance(Box(1, 1, 1), "cube"), 0.5);
  EXPECT_EQ(scene.graph.model_inspector().NumDeformableGeometries(), 1);
  EXPECT_THROWS_MESSAGE(scene.query().GetConfigurationsInWorld(id),
                        std::runtime_error, "has none for its geometry 'cube'");
  scene.configurations->GetMutableData()
      ->get_mutable_value<GeometryConfigurationVector<double>>()
      .set_value(id, VectorXd::Zero(81));
  EXPECT_EQ(scene.query().GetConfigurationsInWorld(id).size(), 81);
  scene.graph.RemoveGeometry(scene.context.get(), scene.source, id);
  EXPECT_THROWS_MESSAGE(scene.Touch(), std::runtime_error, "no others");
}

TEST(DeformableGeometry, GoesWithTheSceneGraphAndItsContexts) {
  DeformableScene scene;
  scene.Anchor(HalfSpace(), "ground");
  const auto cube = scene.AddDeformable(Box(1, 1, 1), "cube", 0.25);
  VectorXd q = scene.CalcConfiguration(cube);
  q[5] += 0.1;
  scene.MakeContext({{cube, q}});
  const auto clone = scene.context->Clone();
  const auto& query =
      scene.graph.get_query_output_port().Eval<QueryObject<double>>(*clone);
  EXPECT_EQ(query.GetConfigurationsInWorld(cube), q);
  EXPECT_NE(&query.GetConfigurationsInWorld(cube),
            &scene.query().GetConfigurationsInWorld(cube));
  // Another scalar has configurations, but no contact.
  const auto ad = scene.graph.ToAutoDiffXd();
  const auto* graph = dynamic_cast<const SceneGraph<AutoDiffXd>*>(ad.get());
  auto context = graph->CreateDefaultContext();
  graph->get_source_pose_port(scene.source)
      .FixValue(context.get(), FramePoseVector<AutoDiffXd>{{scene.frame, {}}});
  graph->get_source_configuration_port(scene.source)
      .FixValue(context.get(), GeometryConfigurationVector<AutoDiffXd>{
                                   {cube, q.cast<AutoDiffXd>()}});
  const auto& query_ad =
      graph->get_query_output_port().Eval<QueryObject<AutoDiffXd>>(*context);
  EXPECT_EQ(query_ad.GetConfigurationsInWorld(cube)[5].value(), q[5]);
  std::vector<internal::DeformableContactSurface> surfaces;
  EXPECT_THROWS_MESSAGE(query_ad.ComputeDeformableContact(&surfaces),
                        std::logic_error, "of double");
}

TEST(DeformableGeometry, IsSavedAndResumed) {
  const auto make = [](bool bends) {
    auto scene = std::make_unique<DeformableScene>();
    scene->Anchor(HalfSpace(), "ground");
    const auto cube = scene->AddDeformable(Box(1, 1, 1), "cube", 0.25);
    scene->AddDeformable(Mesh(MakeVtk(kTwoTetrahedra)), "mesh", 1, kPose);
    scene->MakeContext(
        {{cube, scene->CalcConfiguration(cube, [bends](const Vector3d& p) {
            return Vector3d(p[0], p[1], p[2] + (bends ? p[0] * p[0] / 3 : 0));
          })}});
    return scene;
  };
  const auto saved = make(true), loaded = make(false);
  // One more than the other has.
  const auto ball = saved->graph.RegisterDeformableGeometry(
      saved->context.get(), saved->source, saved->graph.world_frame_id(),
      saved->MakeInstance(Sphere(1), "ball"), 0.5);
  saved->configurations->GetMutableData()
      ->get_mutable_value<GeometryConfigurationVector<double>>()
      .set_value(ball, VectorXd::Ones(3 * saved->query()
                                              .inspector()
                                              .GetReferenceMesh(ball)
                                              ->num_vertices()));
  std::stringstream stream;
  systems::SaveContext(*saved->context, &stream);
  systems::LoadContext(&stream, loaded->context.get());
  const auto there = saved->Touch(), here = loaded->Touch();
  ASSERT_EQ(here.size(), there.size());
  ASSERT_EQ(here[0].points.size(), there[0].points.size());
  for (size_t i = 0; i < here[0].points.size(); ++i) {
    EXPECT_EQ(here[0].points[i].p_WC, there[0].points[i].p_WC);
    EXPECT_EQ(here[0].points[i].phi, there[0].points[i].phi);
  }
  EXPECT_EQ(loaded->query().inspector().NumDeformableGeometries(), 3);
}

class QueryHolder final : public systems::LeafSystem<double> {
 public:
  QueryHolder() { DeclareAbstractState(Value<QueryObject<double>>()); }
};

TEST(DeformableGeometry, IsSavedWithACopyOfAQuery) {
  DeformableScene scene;
  scene.Anchor(HalfSpace(), "ground");
  const auto cube = scene.AddDeformable(Box(1, 1, 1), "cube", 0.25);
  scene.MakeContext();
  const QueryHolder holder;
  const auto saved = holder.CreateDefaultContext();
  const auto loaded = holder.CreateDefaultContext();
  saved->get_mutable_abstract_state<QueryObject<double>>(0) = scene.query();
  std::stringstream stream;
  systems::SaveContext(*saved, &stream);
  systems::LoadContext(&stream, loaded.get());
  const auto& query = loaded->get_abstract_state<QueryObject<double>>(0);
  const auto ids = query.inspector().GetAllDeformableGeometryIds();
  ASSERT_EQ(ids.size(), 1u);
  EXPECT_EQ(query.GetConfigurationsInWorld(ids[0]),
            scene.query().GetConfigurationsInWorld(cube));
  std::vector<internal::DeformableContactSurface> surfaces;
  query.ComputeDeformableContact(&surfaces);
  ASSERT_EQ(surfaces.size(), 1u);
  EXPECT_EQ(surfaces[0].points.size(), scene.Touch()[0].points.size());
}

TEST(DeformableGeometry, RefusesWhatCannotBe) {
  DeformableScene scene;
  const auto add = [&scene](const Shape& shape, double hint = 0.1) {
    return scene.AddDeformable(shape, "soft", hint);
  };
  const double inf = std::numeric_limits<double>::infinity();
  for (const double hint :
       {0.0, -1.0, inf, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROWS_MESSAGE(add(Sphere(1), hint), std::logic_error,
                          "geometry 'soft': the resolution hint [m] is");
  }
  EXPECT_THROWS_MESSAGE(add(Sphere(1), 1e-5), std::logic_error,
                        "geometry 'soft'");
  EXPECT_THROWS_MESSAGE(add(Sphere(0)), std::logic_error, "cannot deform");
  EXPECT_THROWS_MESSAGE(add(HalfSpace()), std::logic_error, "cannot deform");
  EXPECT_THROWS_MESSAGE(add(MeshcatCone(1)), std::logic_error, "cannot deform");
  EXPECT_THROWS_MESSAGE(add(Mesh("a.obj")), std::logic_error, "cannot deform");
  EXPECT_THROWS_MESSAGE(add(Mesh("no.vtk")), std::runtime_error,
                        "geometry 'soft'");
  // A quadrilateral, and a tetrahedron that is inside out.
  EXPECT_THROWS_MESSAGE(
      add(Mesh(MakeVtk("CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n9\n"))),
      std::runtime_error, "geometry 'soft'");
  EXPECT_THROWS_MESSAGE(
      add(Mesh(MakeVtk("CELLS 1 5\n4 0 2 1 3\nCELL_TYPES 1\n10\n"))),
      std::runtime_error, "element 0");
  const auto register_on = [&scene](SourceId source, FrameId frame) {
    scene.graph.RegisterDeformableGeometry(
        source, frame, scene.MakeInstance(Sphere(1), "soft"), 0.5);
  };
  EXPECT_THROWS_MESSAGE(register_on(scene.source, scene.frame),
                        std::logic_error, "use the world's frame");
  EXPECT_THROWS_MESSAGE(
      register_on(SourceId::get_new_id(), scene.graph.world_frame_id()),
      std::logic_error, "no source");
  EXPECT_THROWS_MESSAGE(
      scene.graph.RegisterDeformableGeometry(
          scene.source, scene.graph.world_frame_id(), nullptr, 1),
      std::logic_error, "is null");
  EXPECT_EQ(scene.graph.model_inspector().num_geometries(), 0);
  const auto id = add(Box(1, 1, 1), 1);
  EXPECT_THROWS_MESSAGE(add(Sphere(1), 1), std::logic_error, "'soft'");
  EXPECT_THROWS_MESSAGE(scene.graph.ChangeShape(scene.source, id, Sphere(1)),
                        std::logic_error, "deforms");
  EXPECT_THROWS_MESSAGE(
      scene.graph.get_source_configuration_port(SourceId::get_new_id()),
      std::logic_error, "no source");
}

TEST(DeformableGeometry, RefusesConfigurationsThatCannotBe) {
  DeformableScene scene;
  const auto cube = scene.AddDeformable(Box(1, 1, 1), "cube", 1);
  VectorXd q = scene.CalcConfiguration(cube);
  scene.MakeContext({{cube, q.head(21)}});
  EXPECT_THROWS_MESSAGE(scene.Touch(), std::runtime_error,
                        "21 numbers for geometry 'cube', whose mesh has 8");
  q[4] = std::numeric_limits<double>::quiet_NaN();
  scene.MakeContext({{cube, q}});
  EXPECT_THROWS_MESSAGE(scene.Touch(), std::runtime_error,
                        "the configuration of geometry 'cube'[4] is nan");
  scene.MakeContext({{GeometryId::get_new_id(), q}});
  EXPECT_THROWS_MESSAGE(scene.Touch(), std::runtime_error, "no others");
  scene.context = scene.graph.CreateDefaultContext();
  scene.PoseFrame({});
  EXPECT_THROWS_MESSAGE(scene.Touch(), std::runtime_error,
                        "configuration port 'soft_configuration'");
}

}  // namespace deformable_test
}  // namespace wyvern::geometry
