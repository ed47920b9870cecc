// Geometry of bodies: what is registered is found again, and what cannot be is
// refused, on both scalars.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

using geometry::GeometryId;
using geometry::SceneGraph;
using geometry::Sphere;
using RigidPose = math::RigidTransform<double>;

template <typename T>
class GeometryRegistration : public test::ScalarPlants<T> {
 public:
  const RigidBody<T>& cart() const { return this->open_.GetBodyByName("cart"); }
  SceneGraph<T> scene_graph_;
  const RigidPose X_{Vector3<double>(1, 2, 3)};
  const CoulombFriction<double> friction_{0.5, 0.4};
};
TYPED_TEST_SUITE(GeometryRegistration, test::Scalars);

TYPED_TEST(GeometryRegistration, GeometriesAreFoundAgain) {
  auto& plant = this->open_;
  EXPECT_FALSE(plant.geometry_source_is_registered());
  EXPECT_FALSE(plant.get_source_id().has_value());
  const auto source = plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  EXPECT_EQ(plant.get_source_id(), source);
  EXPECT_TRUE(plant.geometry_source_is_registered());
  EXPECT_EQ(plant.GetMutableSceneGraphPreFinalize(), &this->scene_graph_);
  const auto& cart = this->cart();
  const Sphere ball(0.1);
  const Vector4<double> red(1, 0, 0, 1);
  const std::vector<GeometryId> seen{
      plant.RegisterVisualGeometry(cart, this->X_, ball, "plain"),
      plant.RegisterVisualGeometry(cart, this->X_, ball, "red", red),
      plant.RegisterVisualGeometry(cart, this->X_, ball, "own",
                                   geometry::IllustrationProperties())};
  const std::vector<GeometryId> touched{plant.RegisterCollisionGeometry(
      cart, this->X_, ball, "hull", this->friction_)};
  EXPECT_EQ(plant.num_visual_geometries(), 3);
  EXPECT_EQ(plant.num_collision_geometries(), 1);
  plant.Finalize();
  EXPECT_EQ(plant.GetVisualGeometriesForBody(cart), seen);
  EXPECT_EQ(plant.GetCollisionGeometriesForBody(cart), touched);
  const auto frame = plant.GetBodyFrameIdOrThrow(cart.index());
  EXPECT_EQ(plant.GetBodyFrameIdIfExists(cart.index()), frame);
  EXPECT_EQ(plant.GetBodyFromFrameId(frame), &cart);
  EXPECT_EQ(plant.GetBodyFromFrameId(geometry::FrameId::get_new_id()), nullptr);
  const auto& inspector = this->scene_graph_.model_inspector();
  EXPECT_EQ(inspector.GetFrameId(seen[1]), frame);
  EXPECT_TRUE(inspector.GetPoseInFrame(touched[0]).IsExactlyEqualTo(this->X_));
  EXPECT_EQ(inspector.GetName(touched[0]), "cart_pole::hull");
}

TYPED_TEST(GeometryRegistration, EveryBodyHasAFrameFromTheBeginning) {
  auto& plant = this->open_;
  plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  const auto& late = plant.AddRigidBody("late", this->instance_,
                                        test::MakeInertia(1, {0, 0, 0}, 1));
  const auto& inspector = this->scene_graph_.model_inspector();
  for (const RigidBody<TypeParam>* body : {&this->cart(), &late}) {
    const auto frame = plant.GetBodyFrameIdOrThrow(body->index());
    EXPECT_EQ(plant.GetBodyFrameIdIfExists(body->index()), frame);
    EXPECT_EQ(plant.GetBodyFromFrameId(frame), body);
    EXPECT_EQ(inspector.GetName(frame), "cart_pole::" + body->name());
    EXPECT_EQ(inspector.GetFrameGroup(frame), int{this->instance_});
  }
  const auto frame = plant.GetBodyFrameIdOrThrow(late.index());
  const int num_frames = inspector.num_frames();
  EXPECT_EQ(num_frames, plant.num_bodies());
  plant.Finalize();
  EXPECT_EQ(inspector.num_frames(), num_frames);
  EXPECT_EQ(plant.GetBodyFrameIdOrThrow(late.index()), frame);
}

// Names follow Drake.
TYPED_TEST(GeometryRegistration, WorldAndDefaultInstanceGiveNoScope) {
  MultibodyPlant<TypeParam> plant(0.0);
  plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  const auto& body = plant.AddRigidBody("b");
  const Sphere ball(0.1);
  const auto ground =
      plant.RegisterVisualGeometry(plant.world_body(), {}, ball, "ground");
  const auto hull = plant.RegisterVisualGeometry(body, {}, ball, "hull");
  const auto& inspector = this->scene_graph_.model_inspector();
  EXPECT_EQ(inspector.GetName(ground), "ground");
  EXPECT_EQ(inspector.GetName(hull), "hull");
  EXPECT_EQ(inspector.GetName(plant.GetBodyFrameIdOrThrow(body.index())), "b");
}

TYPED_TEST(GeometryRegistration, RenamedModelInstancesRenameFramesAndGeometry) {
  auto& plant = this->open_;
  plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  const auto& cart = this->cart();
  const Sphere ball(0.1);
  const auto seen = plant.RegisterVisualGeometry(cart, this->X_, ball, "seen");
  const auto touched = plant.RegisterCollisionGeometry(cart, this->X_, ball,
                                                       "hull", this->friction_);
  const auto own = plant.RegisterVisualGeometry(cart, this->X_, ball, "own");
  this->scene_graph_.RenameGeometry(own, "mine");
  const auto& stone = plant.GetBodyByName("stone");
  const auto other = plant.RegisterVisualGeometry(stone, this->X_, ball, "s");
  const auto& inspector = this->scene_graph_.model_inspector();
  const std::string stone_frame =
      inspector.GetName(plant.GetBodyFrameIdOrThrow(stone.index()));
  const std::string stone_geometry = inspector.GetName(other);
  plant.RenameModelInstance(this->instance_, "trolley");
  EXPECT_EQ(inspector.GetName(plant.GetBodyFrameIdOrThrow(cart.index())),
            "trolley::cart");
  EXPECT_EQ(inspector.GetName(seen), "trolley::seen");
  EXPECT_EQ(inspector.GetName(touched), "trolley::hull");
  EXPECT_EQ(inspector.GetName(own), "mine");
  EXPECT_EQ(inspector.GetName(plant.GetBodyFrameIdOrThrow(stone.index())),
            stone_frame);
  EXPECT_EQ(inspector.GetName(other), stone_geometry);
  // The world has one frame, whose name stays.
  const auto ground = plant.RegisterVisualGeometry(plant.world_body(), this->X_,
                                                   ball, "ground");
  const std::string world =
      inspector.GetName(plant.GetBodyFrameIdOrThrow(world_index()));
  plant.RenameModelInstance(world_model_instance(), "earth");
  EXPECT_EQ(inspector.GetName(ground), "ground");
  EXPECT_EQ(inspector.GetName(plant.GetBodyFrameIdOrThrow(world_index())),
            world);
  EXPECT_THROWS_MESSAGE(plant.RenameModelInstance(ModelInstanceIndex(77), "x"),
                        std::out_of_range, "RenameModelInstance");
}

TYPED_TEST(GeometryRegistration, NeedsASceneGraph) {
  auto& plant = this->open_;
  const auto& cart = this->cart();
  EXPECT_THROW(plant.GetMutableSceneGraphPreFinalize(), std::logic_error);
  EXPECT_THROW(plant.CollectRegisteredGeometries({&cart}), std::logic_error);
  EXPECT_THROW(plant.GetBodyFrameIdOrThrow(cart.index()), std::logic_error);
  EXPECT_FALSE(plant.GetBodyFrameIdIfExists(cart.index()).has_value());
  EXPECT_THROW(
      plant.RegisterVisualGeometry(cart, this->X_, Sphere(0.1), "ball"),
      std::logic_error);
  EXPECT_THROW(plant.RegisterCollisionGeometry(cart, this->X_, Sphere(0.1),
                                               "ball", this->friction_),
               std::logic_error);
}

TYPED_TEST(GeometryRegistration, SceneGraphIsGivenOnceAndBeforeFinalize) {
  auto& plant = this->open_;
  EXPECT_THROW(plant.RegisterAsSourceForSceneGraph(nullptr), std::logic_error);
  plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  EXPECT_THROW(plant.RegisterAsSourceForSceneGraph(&this->scene_graph_),
               std::logic_error);
  plant.Finalize();
  EXPECT_THROW(plant.GetMutableSceneGraphPreFinalize(), std::logic_error);
}

TYPED_TEST(GeometryRegistration, RefusesNullAndForeignBodiesAndNoFriction) {
  auto& plant = this->open_;
  plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  const auto& cart = this->cart();
  const auto& alien = this->plant_->GetBodyByName("cart");
  EXPECT_THROW(plant.RegisterVisualGeometry(
                   cart, std::unique_ptr<geometry::GeometryInstance>()),
               std::logic_error);
  EXPECT_THROW(
      plant.RegisterVisualGeometry(alien, this->X_, Sphere(0.1), "ball"),
      std::logic_error);
  EXPECT_THROW(plant.RegisterCollisionGeometry(alien, this->X_, Sphere(0.1),
                                               "ball", this->friction_),
               std::logic_error);
  geometry::ProximityProperties properties;
  EXPECT_THROWS_MESSAGE(plant.RegisterCollisionGeometry(
                            cart, this->X_, Sphere(0.1), "ball", properties),
                        std::logic_error, "coulomb_friction");
  properties.AddProperty("material", "coulomb_friction", 0.5);
  EXPECT_THROW(plant.RegisterCollisionGeometry(cart, this->X_, Sphere(0.1),
                                               "ball", properties),
               std::logic_error);
  EXPECT_EQ(plant.num_collision_geometries(), 0);
}

TYPED_TEST(GeometryRegistration, BodiesAreCollectedByTheirFrames) {
  auto& plant = this->open_;
  plant.RegisterAsSourceForSceneGraph(&this->scene_graph_);
  const auto& cart = this->cart();
  const auto& pole = plant.GetBodyByName("pole");
  const Sphere ball(0.1);
  const auto a = plant.RegisterCollisionGeometry(cart, this->X_, ball, "a",
                                                 this->friction_);
  const auto b = plant.RegisterCollisionGeometry(pole, this->X_, ball, "b",
                                                 this->friction_);
  plant.RegisterCollisionGeometry(plant.GetBodyByName("stone"), this->X_, ball,
                                  "c", this->friction_);
  const auto set = plant.CollectRegisteredGeometries({&cart, &pole});
  EXPECT_EQ(this->scene_graph_.model_inspector().GetGeometryIds(set),
            (std::unordered_set<GeometryId>{a, b}));
  const auto& inspector = this->scene_graph_.model_inspector();
  EXPECT_FALSE(inspector.CollisionFiltered(a, b));
  plant.ExcludeCollisionGeometriesWithCollisionFilterGroupPair({"both", set},
                                                               {"both", set});
  EXPECT_TRUE(inspector.CollisionFiltered(a, b));
}

TYPED_TEST(GeometryRegistration, InspectorNeedsAConnection) {
  EXPECT_THROWS_MESSAGE(this->plant_->EvalSceneGraphInspector(*this->context_),
                        std::logic_error, "'geometry_query' is not connected");
  EXPECT_THROW(this->open_.EvalSceneGraphInspector(*this->context_),
               std::logic_error);
}

}  // namespace
}  // namespace wyvern::multibody
