#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/systems/framework/leaf_context.h"

// Contact surfaces as a SceneGraph's users ask for them.

namespace wyvern::geometry {
namespace hydroelastic_test {

using Eigen::Vector3d;
using math::RigidTransformd;
constexpr auto kPolygon = HydroelasticContactRepresentation::kPolygon;
constexpr auto kTriangle = HydroelasticContactRepresentation::kTriangle;

ProximityProperties Compliant(double hint = 0.2, double modulus = 1e5) {
  ProximityProperties result;
  AddCompliantHydroelasticProperties(hint, modulus, &result);
  return result;
}

ProximityProperties Rigid(double hint = 0.2) {
  ProximityProperties result;
  AddRigidHydroelasticProperties(hint, &result);
  return result;
}

ProximityProperties OfType(HydroelasticType type) {
  ProximityProperties result;
  result.AddProperty("hydroelastic", "compliance_type", type);
  return result;
}

std::unique_ptr<GeometryInstance> MakeInstance(
    const Shape& shape, const std::string& name,
    const ProximityProperties& properties, const Vector3d& p = {0, 0, 0}) {
  auto result =
      std::make_unique<GeometryInstance>(RigidTransformd(p), shape, name);
  result->set_proximity_properties(properties);
  return result;
}

// A ball of radius 1 m on a frame of its own, and what is fixed to the world.
class BallAndGround : public testing::Test {
 protected:
  BallAndGround() {
    source_ = graph_.RegisterSource("test");
    frame_ = graph_.RegisterFrame(source_, GeometryFrame("body"));
  }
  GeometryId AddBall(const ProximityProperties& properties) {
    return Add(Sphere(1), "ball", properties);
  }
  GeometryId Add(const Shape& shape, const std::string& name,
                 const ProximityProperties& properties) {
    return graph_.RegisterGeometry(source_, frame_,
                                   MakeInstance(shape, name, properties));
  }
  GeometryId Anchor(const Shape& shape, const std::string& name,
                    const ProximityProperties& properties,
                    const Vector3d& p = {0, 0, 0}) {
    return graph_.RegisterAnchoredGeometry(
        source_, MakeInstance(shape, name, properties, p));
  }
  // With the frame at height z.
  const QueryObject<double>& Query(double z) {
    context_ = graph_.CreateDefaultContext();
    return Query(z, context_.get());
  }
  const QueryObject<double>& Query(double z,
                                   systems::Context<double>* context) {
    graph_.get_source_pose_port(source_).FixValue(
        context,
        FramePoseVector<double>{{frame_, RigidTransformd(Vector3d(0, 0, z))}});
    return graph_.get_query_output_port().Eval<QueryObject<double>>(*context);
  }

  SceneGraph<double> graph_;
  SourceId source_;
  FrameId frame_;
  std::unique_ptr<systems::Context<double>> context_;
};

TEST_F(BallAndGround, SurfacesComeByPairsOfIdsInBothRepresentations) {
  const GeometryId ball = AddBall(Compliant());
  const GeometryId ground = Anchor(HalfSpace(), "ground", Rigid());
  const GeometryId plate =
      Anchor(Box(4, 4, 1), "plate", Compliant(), {0, 0, -0.5});
  const auto& query = Query(0.9);
  const auto surfaces = query.ComputeContactSurfaces(kPolygon);
  ASSERT_EQ(surfaces.size(), 2u);
  EXPECT_EQ(surfaces[0].id_M(), ball);
  EXPECT_EQ(surfaces[0].id_N(), ground);
  EXPECT_EQ(surfaces[1].id_N(), plate);
  EXPECT_FALSE(surfaces[0].is_triangle());
  EXPECT_FALSE(surfaces[0].HasGradE_N());
  EXPECT_TRUE(surfaces[1].HasGradE_N());
  EXPECT_GT(surfaces[0].face_normal(0)[2], 0.999);
  // A disc of radius sqrt(1 - 0.9²) m.
  EXPECT_NEAR(surfaces[0].total_area(), M_PI * 0.19, 0.05);
  const auto triangles = query.ComputeContactSurfaces(kTriangle);
  ASSERT_EQ(triangles.size(), 2u);
  EXPECT_TRUE(triangles[0].is_triangle());
  EXPECT_NEAR(triangles[0].total_area(), surfaces[0].total_area(), 1e-12);
  // A second query gives the same bits; no surface exists above.
  EXPECT_TRUE(query.ComputeContactSurfaces(kPolygon)[1].Equal(surfaces[1]));
  EXPECT_TRUE(Query(1.01).ComputeContactSurfaces(kPolygon).empty());
}

TEST_F(BallAndGround, FilteredPairsHaveNone) {
  const GeometryId ball = AddBall(Rigid());
  const GeometryId ground = Anchor(HalfSpace(), "ground", Rigid());
  graph_.collision_filter_manager().Apply(
      CollisionFilterDeclaration().ExcludeBetween(GeometrySet(ball),
                                                  GeometrySet(ground)));
  EXPECT_TRUE(Query(0.9).ComputeContactSurfaces(kPolygon).empty());
}

TEST_F(BallAndGround, PairsThatCanHaveNoneAreErrorsThatNameBoth) {
  AddBall(Rigid());
  const GeometryId ground = Anchor(HalfSpace(), "ground", Rigid());
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error, "both are rigid");
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error, "geometry 'ball' (Sphere(radius=1)");
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error, "geometry 'ground' (HalfSpace()");
  // Where they are apart, nothing is wrong.
  EXPECT_TRUE(Query(1.1).ComputeContactSurfaces(kPolygon).empty());
  graph_.AssignRole(source_, ground, ProximityProperties(),
                    RoleAssign::kReplace);
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error,
                        "the second has no hydroelastic compliance type");
}

TEST_F(BallAndGround, TwoHalfSpacesHaveNeitherSurfaceNorPoint) {
  ProximityProperties slab;
  AddCompliantHydroelasticPropertiesForHalfSpace(0.1, 1e5, &slab);
  Anchor(HalfSpace(), "ground", slab);
  Add(HalfSpace(), "piston", slab);
  std::vector<ContactSurface<double>> surfaces;
  std::vector<PenetrationAsPointPair<double>> points;
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error, "both are half spaces");
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfacesWithFallback(
                            kPolygon, &surfaces, &points),
                        std::logic_error, "geometry 'piston'");
}

TEST_F(BallAndGround, WithFallbackOtherPairsHaveAPoint) {
  const GeometryId ball = AddBall(Compliant());
  const GeometryId ground =
      Anchor(HalfSpace(), "ground", ProximityProperties());
  Anchor(Box(4, 4, 1), "plate", Rigid(), {0, 0, -0.5});
  std::vector<ContactSurface<double>> surfaces;
  std::vector<PenetrationAsPointPair<double>> points(1);
  const auto& query = Query(0.9);
  query.ComputeContactSurfacesWithFallback(kPolygon, &surfaces, &points);
  EXPECT_EQ(surfaces.size(), 1u);
  ASSERT_EQ(points.size(), 2u);  // They are added.
  EXPECT_EQ(points[1].id_A, ball);
  EXPECT_EQ(points[1].id_B, ground);
  EXPECT_NEAR(points[1].depth, 0.1, 1e-15);
  query.ComputeContactSurfacesWithFallback(kTriangle, &surfaces, &points);
  EXPECT_EQ(surfaces.size(), 2u);
  EXPECT_EQ(points.size(), 3u);
  EXPECT_THROWS_MESSAGE(
      query.ComputeContactSurfacesWithFallback(kPolygon, nullptr, &points),
      std::logic_error, "is null");
}

TEST_F(BallAndGround, SurfacesAndPointsHaveDerivativesByTheirFramesPoses) {
  AddBall(Compliant());
  Anchor(HalfSpace(), "ground", ProximityProperties());
  Anchor(Box(4, 4, 1), "plate", Rigid(), {0, 0, -0.5});
  const auto graph = systems::System<double>::ToAutoDiffXd(graph_);
  auto context = graph->CreateDefaultContext();
  const Vector3<AutoDiffXd> p(0.0, 0.0, AutoDiffXd(0.9, Vector1d(1)));
  graph->get_source_pose_port(source_).FixValue(
      context.get(), FramePoseVector<AutoDiffXd>{
                         {frame_, math::RigidTransform<AutoDiffXd>(p)}});
  const auto& query =
      graph->get_query_output_port().Eval<QueryObject<AutoDiffXd>>(*context);
  for (const auto representation : {kPolygon, kTriangle}) {
    std::vector<ContactSurface<AutoDiffXd>> surfaces;
    std::vector<PenetrationAsPointPair<AutoDiffXd>> points;
    query.ComputeContactSurfacesWithFallback(representation, &surfaces,
                                             &points);
    ASSERT_EQ(surfaces.size(), 1u);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].depth.derivatives()[0], -1, 1e-15);
    const auto area = [&](double z) {
      std::vector<ContactSurface<double>> result;
      std::vector<PenetrationAsPointPair<double>> unused;
      Query(z).ComputeContactSurfacesWithFallback(representation, &result,
                                                  &unused);
      return result.at(0).total_area();
    };
    const double h = 1e-5;
    const AutoDiffXd& value = surfaces[0].total_area();
    EXPECT_NEAR(value.value(), area(0.9), 1e-13);
    // A cap grows by 2 pi times the height of the centre, about.
    EXPECT_LT(value.derivatives()[0], -4);
    EXPECT_NEAR(value.derivatives()[0],
                (area(0.9 + h) - area(0.9 - h)) / (2 * h), 1e-7);
  }
  // All pairs must have a surface where there is no fallback.
  EXPECT_THROWS_MESSAGE(query.ComputeContactSurfaces(kPolygon),
                        std::logic_error, "geometry 'ground'");
}

TEST_F(BallAndGround, MeshesAreSharedByEqualShapesAndByContexts) {
  const GeometryId a = AddBall(Compliant(0.2, 1e5));
  const GeometryId b = Anchor(Sphere(1), "b", Compliant(0.2, 7e7));
  const GeometryId c = Anchor(Sphere(1), "c", Compliant(0.3, 1e5));
  const GeometryId d = Anchor(Sphere(1), "d", Rigid(0.2));
  const auto& model = graph_.model_inspector();
  using Volume = const VolumeMesh<double>*;
  using Surface = const TriangleSurfaceMesh<double>*;
  const auto mesh = [](const auto& inspector, GeometryId id) {
    return std::get<Volume>(inspector.maybe_get_hydroelastic_mesh(id));
  };
  EXPECT_EQ(mesh(model, a), mesh(model, b));
  EXPECT_NE(mesh(model, a), mesh(model, c));
  EXPECT_GT(mesh(model, a)->num_elements(), mesh(model, c)->num_elements());
  EXPECT_EQ(mesh(Query(9).inspector(), a), mesh(model, a));
  const auto rigid = model.maybe_get_hydroelastic_mesh(d);
  EXPECT_EQ(std::get<Surface>(rigid)->num_triangles(),
            mesh(model, a)->num_elements());
}

TEST_F(BallAndGround, HalfSpacesAndWhatHasNoTypeHaveNoMesh) {
  const auto& model = graph_.model_inspector();
  for (const GeometryId id :
       {Anchor(HalfSpace(), "ground", Rigid()),
        Anchor(Box(1, 1, 1), "box", ProximityProperties()),
        Anchor(Sphere(0), "point", Compliant()),
        graph_.RegisterAnchoredGeometry(
            source_, std::make_unique<GeometryInstance>(
                         RigidTransformd(), Box(1, 1, 1), "seen"))}) {
    EXPECT_EQ(model.maybe_get_hydroelastic_mesh(id).index(), 0u)
        << model.GetName(id);
  }
}

TEST_F(BallAndGround, PropertiesAndShapesCanChangeLater) {
  const GeometryId ball = AddBall(Rigid());
  const GeometryId ground = Anchor(HalfSpace(), "ground", Rigid());
  const auto& model = graph_.model_inspector();
  EXPECT_EQ(model.maybe_get_hydroelastic_mesh(ball).index(), 1u);
  graph_.AssignRole(source_, ball, Compliant(), RoleAssign::kReplace);
  EXPECT_EQ(model.maybe_get_hydroelastic_mesh(ball).index(), 2u);
  EXPECT_EQ(Query(0.9).ComputeContactSurfaces(kPolygon).size(), 1u);
  graph_.ChangeShape(source_, ball, Box(1, 1, 1));
  EXPECT_TRUE(Query(0.9).ComputeContactSurfaces(kPolygon).empty());
  EXPECT_NEAR(Query(0.45).ComputeContactSurfaces(kPolygon)[0].total_area(), 1,
              1e-12);
  // In one Context alone.
  auto& context = *context_;
  graph_.AssignRole(&context, source_, ground, ProximityProperties(),
                    RoleAssign::kReplace);
  EXPECT_THROWS_MESSAGE(Query(0.45, &context).ComputeContactSurfaces(kPolygon),
                        std::logic_error, "no hydroelastic compliance type");
  EXPECT_EQ(Query(0.45).ComputeContactSurfaces(kPolygon).size(), 1u);
  graph_.RemoveRole(source_, ball, Role::kProximity);
  EXPECT_EQ(model.maybe_get_hydroelastic_mesh(ball).index(), 0u);
}

TEST_F(BallAndGround, DefaultsFillInWhatIsMissing) {
  const GeometryId ball = AddBall(ProximityProperties());
  const GeometryId ground =
      Anchor(HalfSpace(), "ground", OfType(HydroelasticType::kCompliant));
  SceneGraphConfig config;
  config.default_proximity_properties.compliance_type = "compliant";
  config.default_proximity_properties.resolution_hint = 0.4;
  graph_.set_config(config);
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error, "geometry 'ground' (HalfSpace()");
  EXPECT_THROWS_MESSAGE(Query(0.9).ComputeContactSurfaces(kPolygon),
                        std::logic_error,
                        "is compliant, but it lacks the property "
                        "('hydroelastic', 'slab_thickness') [m]");
  config.default_proximity_properties.slab_thickness = 0.1;
  graph_.set_config(config);
  const auto surfaces = Query(0.9).ComputeContactSurfaces(kPolygon);
  ASSERT_EQ(surfaces.size(), 1u);
  EXPECT_EQ(surfaces[0].id_M(), ball);
  EXPECT_EQ(surfaces[0].id_N(), ground);
  EXPECT_TRUE(surfaces[0].HasGradE_M());
  EXPECT_TRUE(surfaces[0].HasGradE_N());
  // The model has no defaults, so no mesh.
  EXPECT_EQ(graph_.model_inspector().maybe_get_hydroelastic_mesh(ball).index(),
            0u);
}

TEST_F(BallAndGround, BadPropertiesAreRefusedAtOnceByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](const char* name, double value) {
    ProximityProperties result = Compliant();
    result.UpdateProperty("hydroelastic", name, value);
    return result;
  };
  for (const char* name :
       {"hydroelastic_modulus", "resolution_hint", "slab_thickness"}) {
    for (const double value : {0.0, -1.0, nan, 1e300}) {
      EXPECT_THROWS_MESSAGE(
          AddBall(with(name, value)), std::logic_error,
          "geometry 'ball' cannot have its hydroelastic properties");
      EXPECT_THROWS_MESSAGE(AddBall(with(name, value)), std::logic_error, name);
    }
  }
  EXPECT_THROWS_MESSAGE(AddBall(with("margin", -1)), std::logic_error,
                        "('hydroelastic', 'margin') is -1");
  EXPECT_THROWS_MESSAGE(AddBall(Compliant(1e-5)), std::logic_error, "elements");
  EXPECT_THROWS_MESSAGE(AddBall(Rigid(1e-5)), std::logic_error, "Sphere");
  // Nothing is left behind.
  EXPECT_EQ(graph_.model_inspector().num_geometries(), 0);
  const GeometryId ball = AddBall(Rigid());
  EXPECT_THROWS_MESSAGE(
      graph_.AssignRole(source_, ball, Compliant(1e-5), RoleAssign::kReplace),
      std::logic_error, "elements");
  EXPECT_THROWS_MESSAGE(graph_.ChangeShape(source_, ball, Sphere(1e6)),
                        std::logic_error, "elements");
  EXPECT_EQ(graph_.model_inspector().GetShape(ball).to_string(),
            Sphere(1).to_string());
}

TEST_F(BallAndGround, WithinAMarginSurfacesAreSpeculative) {
  ProximityProperties properties = Compliant();
  properties.AddProperty("hydroelastic", "margin", 0.05);
  AddBall(properties);
  Anchor(Box(4, 4, 1), "plate", Rigid(), {0, 0, -0.5});
  const auto surfaces = Query(1.02).ComputeContactSurfaces(kPolygon);
  ASSERT_EQ(surfaces.size(), 1u);
  for (const double p : surfaces[0].poly_e_MN().values()) EXPECT_LT(p, 0);
  EXPECT_TRUE(Query(1.06).ComputeContactSurfaces(kPolygon).empty());
}

TEST_F(BallAndGround, AVolumeMeshFromAFileHasAllRoles) {
  // A tetrahedron with a vertex inside, its base 1 x 1 m at z = 0.
  const char text[] = R"(# vtk DataFile Version 3.0
one
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0  1 0 0  0 1 0  0 0 1  0.2 0.2 0.2
CELLS 4 20
4 0 1 2 4
4 0 3 1 4
4 0 2 3 4
4 1 3 2 4
CELL_TYPES 4
10 10 10 10
)";
  const Mesh mesh(InMemoryMesh{MemoryFile(text, ".vtk", "one"), {}});
  const GeometryId id = Add(mesh, "tetrahedron", Compliant());
  Anchor(HalfSpace(), "ground", Rigid());
  const auto& query = Query(-0.1);
  const auto surfaces = query.ComputeContactSurfaces(kPolygon);
  ASSERT_EQ(surfaces.size(), 1u);
  // A triangle, but for the part in the element at the slanted face, whose
  // gradient is 125 degree from the normal.
  EXPECT_NEAR(surfaces[0].total_area(), 0.5 * 0.9 * 0.9 - 0.14, 1e-14);
  EXPECT_NEAR(query.ComputePointPairPenetration().at(0).depth, 0.1, 1e-15);
  EXPECT_EQ(query.inspector().GetConvexHull(id)->num_vertices(), 4);
}

TEST_F(BallAndGround, ListsAreUsedAgainWithoutAllocation) {
  AddBall(Compliant());
  Anchor(HalfSpace(), "ground", Rigid());
  Anchor(Box(1, 1, 1), "box", ProximityProperties(), {0, 0, -0.4});
  const auto& query = Query(0.9);
  ContactSurfaceList<double> surfaces;
  std::vector<PenetrationAsPointPair<double>> points;
  query.ComputeContactSurfacesAndManifolds(kPolygon, &surfaces, &points);
  const test::AllocationGuard guard;
  query.ComputeContactSurfacesAndManifolds(kPolygon, &surfaces, &points);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(surfaces.size(), 1);
  EXPECT_EQ(points.size(), 1u);
  EXPECT_THROWS_MESSAGE(
      query.ComputeContactSurfacesAndManifolds(kPolygon, &surfaces, nullptr),
      std::logic_error, "no hydroelastic compliance type");
}

}  // namespace hydroelastic_test
}  // namespace wyvern::geometry
