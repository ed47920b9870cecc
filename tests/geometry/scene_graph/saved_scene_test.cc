#include <sstream>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/scene_graph/geometry_model.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/systems/common/value_serialization.h"
#include "wyvern/systems/framework/context_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"

// A SceneGraph's Context, saved and loaded into another SceneGraph, whose ids
// are others.

namespace wyvern::geometry {
namespace saved_scene_test {

using Eigen::Vector3d;
using math::RigidTransformd;

std::unique_ptr<GeometryInstance> MakeInstance(const Shape& shape,
                                               const std::string& name) {
  auto result =
      std::make_unique<GeometryInstance>(RigidTransformd(), shape, name);
  ProximityProperties proximity;
  AddContactMaterial(1, 1e4, multibody::CoulombFriction<double>(0.7, 0.6),
                     &proximity);
  AddRigidHydroelasticProperties(0.1, &proximity);
  result->set_proximity_properties(proximity);
  IllustrationProperties seen;
  seen.AddProperty("phong", "diffuse", Rgba(0.1, 0.2, 0.3, 0.4));
  seen.AddProperty("renderer", "accepting", std::set<std::string>{"a", "b"});
  result->set_illustration_properties(seen);
  return result;
}

InMemoryMesh MakeTetrahedron() {
  return {MemoryFile("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                     "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
                     ".obj", "tetrahedron"),
          {}};
}

// A ball on a frame, and the ground.
struct Scene {
  Scene() {
    source = graph.RegisterSource();
    frame = graph.RegisterFrame(source, GeometryFrame("frame"));
    ball =
        graph.RegisterGeometry(source, frame, MakeInstance(Sphere(1), "ball"));
    box = graph.RegisterGeometry(source, frame,
                                 MakeInstance(Box(1, 2, 3), "box"));
    ground = graph.RegisterAnchoredGeometry(
        source, MakeInstance(HalfSpace(), "ground"));
    context = graph.CreateDefaultContext();
  }
  void SetPose(const Vector3d& p) {
    graph.get_source_pose_port(source).FixValue(
        context.get(), FramePoseVector<double>{{frame, RigidTransformd(p)}});
  }
  const QueryObject<double>& query() const {
    return graph.get_query_output_port().Eval<QueryObject<double>>(*context);
  }
  std::string Save() const {
    std::ostringstream stream;
    systems::SaveContext(*context, &stream);
    return stream.str();
  }
  void Load(const std::string& saved) {
    std::istringstream stream(saved);
    systems::LoadContext(&stream, context.get());
  }

  SceneGraph<double> graph;
  SourceId source;
  FrameId frame;
  GeometryId ball, box, ground;
  std::unique_ptr<systems::Context<double>> context;
};

TEST(SavedScene, PosesAndContactsComeBackUnderTheIdsOfTheLoader) {
  Scene saved, loaded;
  saved.SetPose({1.0 / 3, 0, 0.75});
  loaded.Load(saved.Save());
  EXPECT_EQ(loaded.query().GetPoseInWorld(loaded.frame).translation(),
            Vector3d(1.0 / 3, 0, 0.75));
  const auto here = loaded.query().ComputePointPairPenetration();
  const auto there = saved.query().ComputePointPairPenetration();
  ASSERT_EQ(here.size(), 2u);
  EXPECT_EQ(here[0].id_A, loaded.ball);
  EXPECT_EQ(here[0].id_B, loaded.ground);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(here[i].depth, there[i].depth);
    EXPECT_EQ(here[i].p_WCa, there[i].p_WCa);
  }
}

TEST(SavedScene, RemovedChangedAndAddedGeometriesComeBack) {
  Scene saved;
  auto* context = saved.context.get();
  const SceneGraph<double>& graph = saved.graph;
  graph.RemoveGeometry(context, saved.source, saved.ball);
  graph.ChangeShape(context, saved.source, saved.box, Cylinder(1, 2),
                    RigidTransformd(Vector3d(0, 0, 0.5)));
  graph.RemoveRole(context, saved.source, saved.ground, Role::kIllustration);
  for (const Shape* shape : std::initializer_list<const Shape*>{
           new Capsule(1, 2), new Ellipsoid(1, 2, 3), new MeshcatCone(1, 2, 3),
           new Convex(MakeTetrahedron(), 2.0), new Mesh(MakeTetrahedron())}) {
    auto instance = MakeInstance(*shape, std::string(shape->type_name()));
    if (shape->type_name() == "MeshcatCone") {
      instance = std::make_unique<GeometryInstance>(RigidTransformd(), *shape,
                                                    "MeshcatCone");
    }
    graph.RegisterGeometry(context, saved.source, saved.frame,
                           std::move(instance));
    delete shape;
  }
  saved.SetPose({0, 0, 0.75});

  Scene loaded;
  loaded.Load(saved.Save());
  const auto& inspector = loaded.query().inspector();
  EXPECT_EQ(inspector.num_geometries(), 7);
  EXPECT_EQ(inspector.GetShape(loaded.box).to_string(),
            Cylinder(1, 2).to_string());
  EXPECT_EQ(inspector.GetPoseInFrame(loaded.box).translation()[2], 0.5);
  EXPECT_EQ(inspector.GetIllustrationProperties(loaded.ground), nullptr);
  const auto& theirs = saved.query().inspector();
  for (const GeometryId id : inspector.GetGeometries(loaded.frame)) {
    const std::string name = inspector.GetName(id);
    bool found = false;
    for (const GeometryId other : theirs.GetGeometries(saved.frame)) {
      if (theirs.GetName(other) != name) continue;
      found = true;
      EXPECT_EQ(inspector.GetShape(id).to_string(),
                theirs.GetShape(other).to_string());
    }
    EXPECT_TRUE(found) << name;
  }
  const auto here = loaded.query().ComputePointPairPenetration();
  const auto there = saved.query().ComputePointPairPenetration();
  ASSERT_EQ(here.size(), there.size());
  ASSERT_EQ(here.size(), 2u);  // Of one frame, none touch each other.
  for (size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(here[i].depth, there[i].depth);
  }
  EXPECT_EQ(loaded.Save().size(), saved.Save().size());
}

TEST(SavedScene, PropertiesComeBack) {
  Scene saved, loaded;
  ProximityProperties properties;
  properties.AddProperty("material", "coulomb_friction",
                         multibody::CoulombFriction<double>(0.25, 0.125));
  saved.graph.AssignRole(saved.context.get(), saved.source, saved.ball,
                         properties, RoleAssign::kReplace);
  saved.SetPose({0, 0, 0});
  loaded.Load(saved.Save());
  const auto& inspector = loaded.query().inspector();
  const auto* ball = inspector.GetProximityProperties(loaded.ball);
  EXPECT_EQ(ball->GetProperty<multibody::CoulombFriction<double>>(
                "material", "coulomb_friction"),
            multibody::CoulombFriction<double>(0.25, 0.125));
  EXPECT_FALSE(ball->HasGroup("hydroelastic"));
  EXPECT_EQ(inspector.GetIllustrationProperties(loaded.ball)
                ->GetProperty<Rgba>("phong", "diffuse"),
            Rgba(0.1, 0.2, 0.3, 0.4));
}

TEST(SavedScene, FiltersComeBack) {
  Scene saved;
  auto manager = saved.graph.collision_filter_manager(saved.context.get());
  manager.Apply(CollisionFilterDeclaration().ExcludeWithin(
      GeometrySet({saved.ball, saved.ground})));
  const FilterId id =
      manager.ApplyTransient(CollisionFilterDeclaration().AllowWithin(
          GeometrySet({saved.ball, saved.ground})));
  saved.SetPose({0, 0, 0});
  const std::string with_transient = saved.Save();

  Scene loaded;
  loaded.Load(with_transient);
  const auto is_filtered = [](const Scene& scene) {
    return scene.query().inspector().CollisionFiltered(scene.ball,
                                                       scene.ground);
  };
  EXPECT_FALSE(is_filtered(loaded));
  EXPECT_TRUE(loaded.graph.collision_filter_manager(loaded.context.get())
                  .has_transient_history());
  // Loaded where it was saved, it has the id that it had.
  saved.Load(with_transient);
  EXPECT_FALSE(is_filtered(saved));
  EXPECT_TRUE(saved.graph.collision_filter_manager(saved.context.get())
                  .RemoveDeclaration(id));
  EXPECT_TRUE(is_filtered(saved));
  loaded.Load(saved.Save());
  EXPECT_TRUE(is_filtered(loaded));
}

/** Holds a copy of a query, beside the scene that it is of. */
struct Held {
  Held() {
    systems::DiagramBuilder<double> builder;
    // The holder comes first, before it is known whose ids it holds.
    holder = builder.AddSystem<Holder>();
    graph = builder.AddSystem<SceneGraph<double>>();
    source = graph->RegisterSource("source");
    frame = graph->RegisterFrame(source, GeometryFrame("frame"));
    inner = graph->RegisterFrame(source, frame, GeometryFrame("inner"));
    ball =
        graph->RegisterGeometry(source, inner, MakeInstance(Sphere(1), "ball"));
    ground = graph->RegisterAnchoredGeometry(
        source, MakeInstance(HalfSpace(), "ground"));
    diagram = builder.Build();
    context = diagram->CreateDefaultContext();
    SetHeight(0.5);
  }
  class Holder final : public systems::LeafSystem<double> {
   public:
    Holder() { DeclareAbstractState(Value<QueryObject<double>>()); }
  };
  void SetHeight(double z) {
    graph->get_source_pose_port(source).FixValue(
        &graph->GetMyMutableContextFromRoot(context.get()),
        FramePoseVector<double>{{frame, RigidTransformd(Vector3d(0, 0, z))},
                                {inner, RigidTransformd(Vector3d(1, 0, 0))}});
  }
  QueryObject<double>& held() {
    return holder->GetMyMutableContextFromRoot(context.get())
        .get_mutable_abstract_state<QueryObject<double>>(0);
  }
  Holder* holder;
  SceneGraph<double>* graph;
  SourceId source;
  FrameId frame, inner;
  GeometryId ball, ground;
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<systems::Context<double>> context;
};

TEST(SavedScene, CopiedQueriesComeBackUnderTheIdsOfTheLoader) {
  Held saved, loaded;
  saved.held() = saved.graph->get_query_output_port().Eval<QueryObject<double>>(
      saved.graph->GetMyContextFromRoot(*saved.context));
  saved.SetHeight(5);
  std::stringstream stream;
  systems::SaveContext(*saved.context, &stream);
  systems::LoadContext(&stream, loaded.context.get());
  const QueryObject<double>& query = loaded.held();
  EXPECT_EQ(query.GetPoseInWorld(loaded.ball).translation(),
            Vector3d(1, 0, 0.5));
  const auto pairs = query.ComputePointPairPenetration();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].id_A, loaded.ball);
  EXPECT_EQ(pairs[0].id_B, loaded.ground);
  EXPECT_EQ(pairs[0].depth, 0.5);
  EXPECT_EQ(query.inspector().GetName(loaded.inner), "inner");
  EXPECT_TRUE(query.inspector().BelongsToSource(loaded.inner, loaded.source));
}

TEST(SavedScene, ADifferentSceneIsRefused) {
  Scene saved;
  saved.SetPose({0, 0, 0});
  Scene other;
  other.graph.RenameFrame(other.frame, "renamed");
  other.context = other.graph.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(other.Load(saved.Save()), std::runtime_error,
                        "frames of other names");
}

// A forger may have sealed the stream again: no number leads out of a list.
TEST(SavedScene, NumbersThatWereChangedAreSaidToBe) {
  const SceneGraph<double> knows_how_to_write_properties;
  GeometryModel model;
  const SourceId source = model.RegisterNewSource("source");
  const FrameId frame = model.RegisterFrame(
      source, GeometryModel::world_frame_id(), GeometryFrame("frame"));
  model.RegisterGeometry(source, frame, MakeInstance(Sphere(1), "ball"));
  model.RegisterGeometry(source, GeometryModel::world_frame_id(),
                         MakeInstance(HalfSpace(), "ground"));
  std::ostringstream stream;
  model.Save(&stream);
  const std::string saved = stream.str();
  {
    GeometryModel same;
    SavedValueStream read(saved);
    same.Load(&read);
    EXPECT_EQ(same.geometries().size(), 2u);
  }
  int refused = 0;
  for (std::size_t i = 0; i < saved.size(); ++i) {
    std::string forged = saved;
    forged[i] = static_cast<char>(forged[i] ^ 0x08);
    SavedValueStream read(forged);
    try {
      GeometryModel().Load(&read);
    } catch (const std::exception& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find("vector::"), std::string::npos) << i << ": " << what;
      refused += what.find("it is damaged") != std::string::npos ? 1 : 0;
    }
  }
  // The low bytes at least of what a frame and two geometries belong to.
  EXPECT_GE(refused, 6);
}

TEST(SavedScene, ATypeOfContactThatDoesNotExistIsRefused) {
  const SceneGraph<double> knows_how_to_write_properties;
  std::stringstream stream;
  ValueSerialization::Write(
      Value<HydroelasticType>(HydroelasticType::kCompliant), &stream);
  const std::string saved = stream.str();
  Value<HydroelasticType> read;
  ValueSerialization::Read(&read, &stream);
  EXPECT_EQ(read.get_value(), HydroelasticType::kCompliant);
  int refused = 0;
  for (std::size_t i = 0; i < saved.size(); ++i) {
    std::string forged = saved;
    forged[i] = static_cast<char>(forged[i] ^ 0x08);
    std::istringstream changed(forged);
    try {
      ValueSerialization::Read(&read, &changed);
    } catch (const std::exception& error) {
      const std::string what = error.what();
      refused += what.find("as a HydroelasticType") != std::string::npos;
    }
    EXPECT_LE(static_cast<int>(read.get_value()),
              static_cast<int>(HydroelasticType::kCompliant));
    EXPECT_GE(static_cast<int>(read.get_value()), 0);
  }
  EXPECT_EQ(refused, 4);  // The bytes of the number.
}

}  // namespace saved_scene_test
}  // namespace wyvern::geometry
