// Functions that shape a plant are refused by name once it is finalized.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"

namespace wyvern::multibody {
namespace after_finalize_test {

template <typename T>
class AfterFinalize : public test::ScalarPlants<T> {
 public:
  MultibodyPlant<T>& plant() { return *this->plant_; }
};
TYPED_TEST_SUITE(AfterFinalize, test::Scalars);

#define EXPECT_IS_TOO_LATE(method, ...)                                      \
  EXPECT_THROWS_MESSAGE(this->plant().method(__VA_ARGS__), std::logic_error, \
                        "MultibodyPlant::" #method)

TYPED_TEST(AfterFinalize, NoElementIsAdded) {
  using T = TypeParam;
  const auto& W = this->plant().world_body();
  const auto& cart = this->plant().GetBodyByName("cart");
  const auto& hinge = this->plant().GetJointByName("hinge");
  const Vector3<double> p(1, 0, 0);
  EXPECT_IS_TOO_LATE(AddModelInstance, "late");
  EXPECT_IS_TOO_LATE(RenameModelInstance, this->instance_, "late");
  EXPECT_IS_TOO_LATE(AddRigidBody, "late", this->instance_);
  EXPECT_IS_TOO_LATE(AddFrame,
                     std::make_unique<FixedOffsetFrame<T>>(
                         "late", cart, math::RigidTransform<double>()));
  EXPECT_THROWS_MESSAGE(this->plant().template AddJoint<RevoluteJoint>(
                            "late", W, {}, cart, {}, p),
                        std::logic_error, "MultibodyPlant::AddJoint()");
  EXPECT_IS_TOO_LATE(AddJointActuator, "late", hinge);
  EXPECT_THROWS_MESSAGE(
      this->plant().template AddForceElement<LinearSpringDamper>(W, p, cart, p,
                                                                 1, 1, 1),
      std::logic_error, "MultibodyPlant::AddForceElement()");
  EXPECT_THROW(this->plant().WeldFrames(W.body_frame(), cart.body_frame()),
               std::logic_error);
  EXPECT_IS_TOO_LATE(Finalize);
}

TYPED_TEST(AfterFinalize, NoElementIsRemoved) {
  auto& plant = this->plant();
  EXPECT_IS_TOO_LATE(RemoveJointActuator, plant.GetJointActuatorByName("push"));
  EXPECT_IS_TOO_LATE(RemoveJoint, plant.GetJointByName("hinge"));
  EXPECT_IS_TOO_LATE(RemoveConstraint, MultibodyConstraintId::get_new_id());
  EXPECT_EQ(plant.num_joints(), 4);
  EXPECT_EQ(plant.num_actuators(), 2);
}

TYPED_TEST(AfterFinalize, NoConstraintIsAdded) {
  auto& plant = this->plant();
  const auto& cart = plant.GetBodyByName("cart");
  const auto& stone = plant.GetBodyByName("stone");
  const Vector3<double> p(1, 0, 0);
  const math::RigidTransform<double> X;
  EXPECT_IS_TOO_LATE(AddCouplerConstraint, plant.GetJointByName("slider"),
                     plant.GetJointByName("hinge"), 1);
  EXPECT_IS_TOO_LATE(AddDistanceConstraint, cart, p, stone, p, 1);
  EXPECT_IS_TOO_LATE(AddBallConstraint, cart, p, stone, p);
  EXPECT_IS_TOO_LATE(AddWeldConstraint, cart, X, stone, X);
}

TYPED_TEST(AfterFinalize, SettingsStayAsTheyAre) {
  const auto representation =
      geometry::HydroelasticContactRepresentation::kTriangle;
  EXPECT_IS_TOO_LATE(SetBaseBodyJointType, BaseBodyJointType::kWeldJoint);
  EXPECT_IS_TOO_LATE(SetBaseBodyJointType, BaseBodyJointType::kWeldJoint,
                     this->instance_);
  EXPECT_IS_TOO_LATE(SetUseSampledOutputPorts, false);
  EXPECT_IS_TOO_LATE(set_contact_model, ContactModel::kPoint);
  EXPECT_IS_TOO_LATE(set_sap_near_rigid_threshold, 1);
  EXPECT_IS_TOO_LATE(set_contact_surface_representation, representation);
  EXPECT_IS_TOO_LATE(set_adjacent_bodies_collision_filters, false);
  EXPECT_THROW(this->plant().set_gravity_enabled(this->instance_, false),
               std::logic_error);
  EXPECT_TRUE(this->plant().is_gravity_enabled(this->instance_));
  EXPECT_TRUE(this->plant().get_adjacent_bodies_collision_filters());
}

TEST(AfterFinalizeDiscrete, ContactApproximationStaysAsItIs) {
  test::FlaggedCartPole model(0.01);
  model.plant.Finalize();
  EXPECT_THROWS_MESSAGE(model.plant.set_discrete_contact_approximation(
                            DiscreteContactApproximation::kSap),
                        std::logic_error, "set_discrete_contact_approximation");
}

TYPED_TEST(AfterFinalize, GeometryIsNotRegistered) {
  auto& plant = this->plant();
  geometry::SceneGraph<TypeParam> scene_graph;
  const auto& cart = plant.GetBodyByName("cart");
  const math::RigidTransform<double> X;
  const geometry::Sphere ball(0.1);
  EXPECT_IS_TOO_LATE(RegisterAsSourceForSceneGraph, &scene_graph);
  EXPECT_IS_TOO_LATE(GetMutableSceneGraphPreFinalize);
  EXPECT_IS_TOO_LATE(RegisterVisualGeometry, cart, X, ball, "ball");
  EXPECT_IS_TOO_LATE(RegisterVisualGeometry, cart, X, ball, "ball",
                     Vector4<double>(1, 0, 0, 1));
  EXPECT_IS_TOO_LATE(RegisterVisualGeometry, cart, X, ball, "ball",
                     geometry::IllustrationProperties());
  EXPECT_IS_TOO_LATE(
      RegisterVisualGeometry, cart,
      std::make_unique<geometry::GeometryInstance>(X, ball, "ball"));
  EXPECT_IS_TOO_LATE(RegisterCollisionGeometry, cart, X, ball, "ball",
                     CoulombFriction<double>());
  EXPECT_IS_TOO_LATE(RegisterCollisionGeometry, cart, X, ball, "ball",
                     geometry::ProximityProperties());
}

TYPED_TEST(AfterFinalize, DeformableBodiesAndManagersAreRefused) {
  EXPECT_IS_TOO_LATE(mutable_deformable_model);
  EXPECT_IS_TOO_LATE(SetDiscreteUpdateManager, nullptr);
  EXPECT_THROW(this->open_.SetDiscreteUpdateManager(nullptr), std::logic_error);
}

}  // namespace after_finalize_test

#undef EXPECT_IS_TOO_LATE

}  // namespace wyvern::multibody
