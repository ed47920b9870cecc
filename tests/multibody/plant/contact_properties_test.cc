// Meaning of contact properties, errors in them, and properties without effect.

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/expect_throws.h"
#include "wyvern/geometry/math/autodiff.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using geometry::ProximityProperties;
using geometry::Sphere;
using test::kGravity;
using test::MakeInertia;
using test::MakeProperties;
using Approximation = DiscreteContactApproximation;
using Scene = test::ContactScene;

// With friction and one property more.
template <typename Type>
ProximityProperties WithProperty(const std::string& name, const Type& value) {
  ProximityProperties properties;
  geometry::AddContactMaterial({}, {}, CoulombFriction<double>(0.5, 0.5),
                               &properties);
  properties.AddProperty("material", name, value);
  return properties;
}

void Register(Scene* scene, const ProximityProperties& properties) {
  const auto& ball =
      scene->plant->AddRigidBody("b", MakeInertia(1, Vector3d::Zero(), 1e-3));
  scene->plant->RegisterCollisionGeometry(ball, {}, Sphere(0.1), "b",
                                          properties);
}

TEST(ContactProperties, MustHaveTheirTypes) {
  Scene scene(1e-3);
  EXPECT_THROWS_MESSAGE(
      Register(&scene, WithProperty("point_contact_stiffness", 100)),
      std::logic_error,
      "\"point_contact_stiffness\") of geometry 'b' is a int");
  ProximityProperties properties;
  properties.AddProperty("material", "coulomb_friction", 0.5);
  EXPECT_THROWS_MESSAGE(
      scene.plant->RegisterCollisionGeometry(scene.plant->world_body(), {},
                                             Sphere(0.1), "s", properties),
      std::logic_error, "give a CoulombFriction<double>");
}

TEST(ContactProperties, MustBeInRange) {
  Scene scene(1e-3);
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto expect_refusal = [&](const char* name, double value,
                                  const char* wanted) {
    EXPECT_THROWS_MESSAGE(scene.plant->RegisterCollisionGeometry(
                              scene.plant->world_body(), {}, Sphere(0.1), "s",
                              WithProperty(name, value)),
                          std::logic_error, wanted);
  };
  expect_refusal("point_contact_stiffness", 0,
                 "is 0; it must be positive and finite");
  expect_refusal("point_contact_stiffness", infinity,
                 "is inf; it must be positive and finite");
  expect_refusal("hunt_crossley_dissipation", -1,
                 "is -1; it must be 0 or more");
  expect_refusal("relaxation_time", nan, "is nan; it must be 0 or more");
}

// Properties can also be changed in the SceneGraph, after registration.
TEST(ContactProperties, AreCheckedAgainWhereTheyAreUsed) {
  Scene scene(1e-3);
  const auto& ball = scene.AddBall("ball", 1, 0.1);
  const auto id = scene.plant->GetCollisionGeometriesForBody(ball)[0];
  auto* scene_graph = scene.plant->GetMutableSceneGraphPreFinalize();
  scene_graph->AssignRole(*scene.plant->get_source_id(), id,
                          WithProperty("relaxation_time", -1.0),
                          geometry::RoleAssign::kReplace);
  scene.Finish();
  EXPECT_THROWS_MESSAGE(scene.plant->ExecuteForcedEvents(scene.context),
                        std::logic_error, "ball': relaxation_time is -1");
}

// Returns Finalize()'s output on stderr with a ball of these properties.
std::string Warnings(
    double time_step, Approximation approximation,
    const ProximityProperties& properties, int balls = 1,
    ContactModel model = ContactModel::kHydroelasticWithFallback) {
  Scene scene(time_step, approximation);
  scene.plant->set_contact_model(model);
  for (int i = 0; i < balls; ++i) {
    const auto& ball = scene.plant->AddRigidBody(
        "b" + std::to_string(i), MakeInertia(1, Vector3d::Zero(), 1e-3));
    scene.plant->RegisterCollisionGeometry(ball, {}, Sphere(0.1), ball.name(),
                                           properties);
  }
  testing::internal::CaptureStderr();
  scene.plant->Finalize();
  return testing::internal::GetCapturedStderr();
}

TEST(ContactProperties, ThoseThatHaveAnEffectAreNotReported) {
  EXPECT_EQ(Warnings(1e-3, Approximation::kSap, MakeProperties({})), "");
  EXPECT_EQ(Warnings(1e-3, Approximation::kTamsi, MakeProperties({})), "");
  EXPECT_EQ(Warnings(0, Approximation::kLagged,
                     WithProperty("hunt_crossley_dissipation", 1.0)),
            "");
}

TEST(ContactProperties, TheOtherModelsDissipationIsReportedOnce) {
  const std::string lagged = Warnings(1e-3, Approximation::kLagged,
                                      WithProperty("relaxation_time", 0.1), 3);
  EXPECT_EQ(lagged,
            "warning: MultibodyPlant 'plant': 3 collision geometries, "
            "'b0' first, have a property that is not "
            "used: (\"material\", \"relaxation_time\"): the plant's contact "
            "model goes by \"hunt_crossley_dissipation\".\n");
  const std::string sap =
      Warnings(1e-3, Approximation::kSap,
               WithProperty("hunt_crossley_dissipation", 1.0));
  EXPECT_NE(sap.find("goes by \"relaxation_time\""), std::string::npos) << sap;
}

TEST(ContactProperties, UnknownOnesAreReported) {
  const std::string typo = Warnings(1e-3, Approximation::kLagged,
                                    WithProperty("point_stifness", 1e5));
  EXPECT_NE(typo.find("\"point_stifness\"): contact knows no property"),
            std::string::npos)
      << typo;
  ProximityProperties soft = MakeProperties({});
  geometry::AddCompliantHydroelasticProperties(0.1, 1e7, &soft);
  EXPECT_EQ(Warnings(1e-3, Approximation::kLagged, soft), "");
  const std::string points =
      Warnings(1e-3, Approximation::kLagged, soft, 1, ContactModel::kPoint);
  EXPECT_NE(points.find("\"hydroelastic\": contact is by points"),
            std::string::npos)
      << points;
}

ProximityProperties WithFriction(double mu_static, double mu_dynamic) {
  ProximityProperties properties;
  geometry::AddContactMaterial(
      10, 1e5, CoulombFriction<double>(mu_static, mu_dynamic), &properties);
  return properties;
}

TEST(ContactProperties, StaticFrictionIsReportedByDiscretePlants) {
  EXPECT_NE(Warnings(1e-3, Approximation::kLagged, WithFriction(0.6, 0.4))
                .find("steps go by the dynamic friction"),
            std::string::npos);
  EXPECT_EQ(Warnings(0, Approximation::kLagged, WithFriction(0.6, 0.4)), "");
}

// The speed of a box, mu_s = 0.6 and mu_d = 0.4 as the ground, that started
// with v0 half a second ago down a slope.
double SlideWithStiction(double time_step, double tangent, double v0) {
  systems::DiagramBuilder<double> builder;
  auto& plant = AddMultibodyPlantSceneGraph(&builder, time_step).plant;
  const auto& box =
      plant.AddRigidBody("box", MakeInertia(1, Vector3d::Zero(), 0.04 / 6));
  testing::internal::CaptureStderr();
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "ground", WithFriction(0.6, 0.4));
  plant.RegisterCollisionGeometry(box, {}, geometry::Box(0.2, 0.2, 0.2), "box",
                                  WithFriction(0.6, 0.4));
  const double angle = std::atan(tangent);
  plant.mutable_gravity_field().set_gravity_vector(
      kGravity * Vector3d(std::sin(angle), 0, -std::cos(angle)));
  plant.set_stiction_tolerance(1e-3);
  plant.Finalize();
  testing::internal::GetCapturedStderr();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const double depth = kGravity * std::cos(angle) / 2e5;
  plant.SetFreeBodyPose(&context, box,
                        math::RigidTransformd(Vector3d(0, 0, 0.1 - depth)));
  plant.SetFreeBodySpatialVelocity(
      &context, box,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(v0, 0, 0)));
  simulator.AdvanceTo(0.5);
  return plant.EvalBodySpatialVelocityInWorld(context, box).translational().x();
}

double Slide(double tangent, double mu) {
  const double angle = std::atan(tangent);
  return 0.5 * kGravity * (std::sin(angle) - mu * std::cos(angle));
}

TEST(StaticFriction, IsNotUsedBySteps) {
  EXPECT_NEAR(SlideWithStiction(1e-3, 0.5, 0), Slide(0.5, 0.4), 1e-2);
}

// Between the two coefficients a box at rest stays, and one that slides goes on
// with the dynamic one: Stribeck's curve.
TEST(StaticFriction, HoldsWhatRestsInContinuousTime) {
  EXPECT_LT(std::abs(SlideWithStiction(0, 0.5, 0)), 5e-3);
  EXPECT_NEAR(SlideWithStiction(0, 0.5, 0.2), 0.2 + Slide(0.5, 0.4), 5e-3);
  EXPECT_LT(std::abs(SlideWithStiction(0, 0.58, 0)), 5e-3);
  EXPECT_NEAR(SlideWithStiction(0, 0.65, 0), Slide(0.65, 0.4), 0.1);
}

}  // namespace
}  // namespace wyvern::multibody
