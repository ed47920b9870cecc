// Contact with input that no one should give: an error that says so, or a
// bounded answer; never a NaN.

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Shape;
using test::kGravity;
using test::MakeInertia;
using test::Material;
using Approximation = DiscreteContactApproximation;
using Scene = test::ContactScene;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class ContactBadInput : public ::testing::TestWithParam<Approximation> {};

INSTANTIATE_TEST_SUITE_P(All, ContactBadInput, test::AllApproximations());

// Runs; what is left must be finite. True if there was no error.
bool AdvanceOrExplain(Scene* scene, double time) {
  try {
    scene->simulator->AdvanceTo(time);
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()), "");
    return false;
  }
  EXPECT_TRUE(scene->State().allFinite());
  return true;
}

std::vector<std::unique_ptr<Shape>> MakeShapes() {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<geometry::Sphere>(0.1));
  shapes.push_back(std::make_unique<geometry::Box>(0.2, 0.2, 0.2));
  shapes.push_back(std::make_unique<geometry::Cylinder>(0.1, 0.2));
  shapes.push_back(std::make_unique<geometry::Capsule>(0.1, 0.2));
  shapes.push_back(std::make_unique<geometry::Ellipsoid>(0.1, 0.12, 0.15));
  Eigen::Matrix3Xd points(3, 4);
  points << 0.1, -0.1, 0, 0, 0, 0, 0.1, -0.05, 0, 0, 0, 0.2;
  shapes.push_back(std::make_unique<geometry::Convex>(points, "tetrahedron"));
  return shapes;
}

// The energy of springs as deep as everything is bounds what can come of it; by
// Hunt and Crossley nothing is pushed out faster than 1 / d, 0.2 m/s.
TEST_P(ContactBadInput, DeepPenetrationIsPushedOutWithBoundedEnergy) {
  for (const auto& shape : MakeShapes()) {
    Scene scene(1e-3, GetParam());
    const auto& body =
        scene.Add("body", MakeInertia(1, Vector3d::Zero(), 4e-3), *shape);
    scene.Finish();
    const double depth = 0.3;
    scene.Place(body, Vector3d(0, 0, -depth));
    ASSERT_TRUE(AdvanceOrExplain(&scene, 0.2)) << shape->to_string();
    EXPECT_GT(scene.Position(body).z(), -depth + 0.03) << shape->to_string();
    // At most eight points, half a metre deep.
    const double springs = 8 * 0.5 * 5e4 * 0.5 * 0.5;
    EXPECT_LT(scene.plant->CalcKineticEnergy(*scene.context), springs);
  }
}

TEST(ContinuousContactBadInput, DeepPenetrationIsPushedOutWithBoundedEnergy) {
  for (const auto& shape : MakeShapes()) {
    Scene scene(0);
    scene.plant->set_stiction_tolerance(1e-2);
    const auto& body =
        scene.Add("body", MakeInertia(1, Vector3d::Zero(), 4e-3), *shape);
    scene.Finish();
    scene.Place(body, Vector3d(0, 0, -0.3));
    ASSERT_TRUE(AdvanceOrExplain(&scene, 0.05)) << shape->to_string();
    EXPECT_LT(scene.plant->CalcKineticEnergy(*scene.context),
              8 * 0.5 * 5e4 * 0.5 * 0.5);
  }
}

// Two bodies at one place have no normal between them; any will do.
TEST_P(ContactBadInput, CoincidentBodiesGetFiniteForces) {
  const auto shapes = MakeShapes();
  for (const auto& one : shapes) {
    for (const auto& other : shapes) {
      Scene scene(1e-3, GetParam());
      const auto M = MakeInertia(1, Vector3d::Zero(), 4e-3);
      const auto& A = scene.Add("A", M, *one);
      const auto& B = scene.Add("B", M, *other);
      scene.Finish();
      scene.Place(A, Vector3d(0, 0, 5));
      scene.Place(B, Vector3d(0, 0, 5));
      EXPECT_GE(scene.Results().num_point_pair_contacts(), 0);
      EXPECT_TRUE(AdvanceOrExplain(&scene, 0.02))
          << one->to_string() << " " << other->to_string();
      EXPECT_LT(scene.plant->CalcKineticEnergy(*scene.context), 1e4);
    }
  }
}

// A ton on a gram.
TEST_P(ContactBadInput, MassRatiosOfAMillionStayBounded) {
  for (const bool is_heavy_above : {true, false}) {
    Scene scene(1e-3, GetParam(), {.stiffness = 1e8});
    // Near-rigid softening goes by the lightest body.
    scene.plant->set_sap_near_rigid_threshold(0);
    const auto& below = scene.AddBox("below", is_heavy_above ? 1e-3 : 1e3, 0.2);
    const auto& above = scene.AddBox("above", is_heavy_above ? 1e3 : 1e-3, 0.2);
    scene.Finish();
    scene.Place(below, Vector3d(0, 0, 0.1));
    scene.Place(above, Vector3d(0, 0, 0.3));
    ASSERT_TRUE(AdvanceOrExplain(&scene, 0.5)) << is_heavy_above;
    EXPECT_NEAR(scene.Position(below).z(), 0.1, 1e-2);
    EXPECT_NEAR(scene.Position(above).z(), 0.3, 1e-2);
    EXPECT_LT(scene.plant->GetVelocities(*scene.context).norm(), 0.1);
  }
}

TEST_P(ContactBadInput, AStackOfRisingMassesStands) {
  Scene scene(1e-3, GetParam(), {.stiffness = 1e8});
  scene.plant->set_sap_near_rigid_threshold(0);
  std::vector<const RigidBody<double>*> boxes;
  for (int i = 0; i < 7; ++i) {  // 1 g to 1 t.
    boxes.push_back(
        &scene.AddBox("box" + std::to_string(i), std::pow(10.0, i - 3), 0.1));
  }
  scene.Finish();
  for (int i = 0; i < 7; ++i) {
    scene.Place(*boxes[i], Vector3d(0, 0, 0.05 + 0.1 * i));
  }
  ASSERT_TRUE(AdvanceOrExplain(&scene, 0.2));
  EXPECT_NEAR(scene.Position(*boxes[6]).z(), 0.65, 1e-2);
}

// A pendulum of 0.5 m that a constraint pulls to a point 10 m away.
TEST_P(ContactBadInput, AConstraintOutOfReachIsNamed) {
  Scene scene(1e-3, GetParam());
  const auto& ball = scene.AddBall("ball", 1, 0.1);
  scene.plant->AddJoint<RevoluteJoint>(
      "hinge", scene.plant->world_body(),
      math::RigidTransformd(Vector3d(0, 0, 1)), ball,
      math::RigidTransformd(Vector3d(0, 0, 0.5)), Vector3d::UnitY());
  scene.plant->AddBallConstraint(ball, Vector3d::Zero(),
                                 scene.plant->world_body(), Vector3d(10, 0, 1));
  scene.Finish();
  EXPECT_THROWS_MESSAGE(scene.simulator->AdvanceTo(2.0), std::runtime_error,
                        "others: ball between 'ball' and 'world'; remove");
}

TEST_P(ContactBadInput, AConstraintOfWhatCannotMoveIsRefused) {
  Scene scene(1e-3, GetParam());
  const auto& post = scene.AddBall("post", 1, 0.1);
  scene.plant->WeldFrames(scene.plant->world_frame(), post.body_frame());
  scene.plant->AddDistanceConstraint(
      post, Vector3d::Zero(), scene.plant->world_body(), Vector3d(5, 0, 0), 1);
  const auto& ball = scene.AddBall("ball", 1, 0.1);
  scene.Finish();
  scene.Place(ball, Vector3d(1, 0, 0.1));
  EXPECT_THROWS_MESSAGE(scene.simulator->AdvanceTo(0.1), std::runtime_error,
                        "is off by 4, and its bodies cannot move");
}

// Setters refuse numbers that are not finite; whoever writes them into the
// state gets an error from the step.
TEST_P(ContactBadInput, AStateThatIsNotFiniteIsAnError) {
  Scene scene(1e-3, GetParam());
  scene.AddBall("ball", 1, 0.1);
  scene.Finish();
  const VectorXd x = scene.State();
  for (int i = 0; i < x.size(); ++i) {
    for (const double bad : {kNan, HUGE_VAL}) {
      VectorXd worse = x;
      worse[i] = bad;
      scene.context->get_mutable_discrete_state_vector().SetFromVector(worse);
      EXPECT_THROW(scene.plant->ExecuteForcedEvents(scene.context),
                   std::exception)
          << i << " " << bad;
      scene.context->get_mutable_discrete_state_vector().SetFromVector(x);
    }
  }
}

TEST(ContinuousContactBadInput, AStateThatIsNotFiniteIsAnError) {
  Scene scene(0);
  scene.AddBall("ball", 1, 0.1);
  scene.Finish();
  const VectorXd x = scene.State();
  for (int i = 0; i < x.size(); ++i) {
    VectorXd worse = x;
    worse[i] = kNan;
    scene.context->get_mutable_continuous_state_vector().SetFromVector(worse);
    EXPECT_THROW(scene.plant->EvalTimeDerivatives(*scene.context),
                 std::exception)
        << i;
  }
}

TEST_P(ContactBadInput, HugeSpeedsGiveAnErrorOrAFiniteState) {
  for (const double speed : {1e6, 1e30, 1e150, 1e300}) {
    Scene scene(1e-3, GetParam());
    const auto& ball = scene.AddBall("ball", 1, 0.1);
    const auto& box = scene.AddBox("box", 1, 0.2);
    scene.Finish();
    scene.Place(ball, Vector3d(0, 0, 0.09));
    scene.Place(box, Vector3d(0.19, 0, 0.1));
    scene.Throw(ball, Vector3d(speed, 0, -speed));
    AdvanceOrExplain(&scene, 0.01);
  }
}

// Twenty of each scale: which ones go well by luck of round-off differs.
std::vector<double> MakeExtremeSizes() {
  std::vector<double> sizes;
  for (const double scale : {1e-9, 1e-4, 1e4, 1e7, 1e8, 1e9, 1e12}) {
    for (int i = 0; i < 20; ++i) sizes.push_back(scale * (1 + 0.037 * i));
  }
  return sizes;
}

TEST_P(ContactBadInput, ExtremeSizesStayFinite) {
  for (const double size : MakeExtremeSizes()) {
    Scene scene(1e-3, GetParam());
    const double moment = size * size;
    const auto M = MakeInertia(1, Vector3d::Zero(), moment);
    const auto& A = scene.Add("A", M, geometry::Box(size, size, size));
    const auto& B = scene.Add("B", M, geometry::Sphere(size / 2));
    scene.Finish();
    scene.Place(A, Vector3d(0, 0, size / 2));
    scene.Place(B, Vector3d(0, 0, 1.4 * size));
    EXPECT_TRUE(AdvanceOrExplain(&scene, 0.01)) << size;
  }
}

// A hull needs a volume.
TEST(MeshBadInput, HullsWithoutVolumeAreRefused) {
  Eigen::Matrix3Xd flat(3, 4);
  flat << 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0;
  EXPECT_THROWS_MESSAGE(geometry::Convex(flat, "flat").GetConvexHull(),
                        std::runtime_error, "flat");
  EXPECT_THROWS_MESSAGE(
      geometry::Convex(Eigen::Matrix3Xd::Zero(3, 5), "point").GetConvexHull(),
      std::runtime_error, "point");
  EXPECT_THROW(
      geometry::Convex(Eigen::Matrix3Xd(3, 0), "empty").GetConvexHull(),
      std::exception);
  EXPECT_THROW(geometry::Convex(Eigen::Matrix3Xd::Constant(3, 5, kNan), "nan")
                   .GetConvexHull(),
               std::exception);
}

geometry::InMemoryMesh MakeObj(const std::string& text) {
  return {MemoryFile(text, ".obj", "mesh.obj"), {}};
}

void RegisterMesh(Scene* scene, const std::string& obj) {
  const auto& body =
      scene->plant->AddRigidBody("m", MakeInertia(1, Vector3d::Zero(), 1e-2));
  scene->plant->RegisterCollisionGeometry(
      body, {}, geometry::Mesh(MakeObj(obj)), "m", test::MakeProperties({}));
}

TEST(MeshBadInput, AFlatMeshIsRefusedByName) {
  Scene scene(1e-3);
  EXPECT_THROWS_MESSAGE(
      RegisterMesh(&scene,
                   "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"),
      std::runtime_error, "mesh.obj");
}

// Three faces of a tetrahedron: contact is with the hull, which is closed.
TEST(MeshBadInput, AnOpenMeshCollidesAsItsHull) {
  Scene scene(1e-3);
  RegisterMesh(&scene,
               "v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0 0.1 0\nv 0 0 0.2\n"
               "f 1 2 4\nf 2 3 4\nf 3 1 4\n");
  scene.Finish();
  const auto& body = scene.plant->GetBodyByName("m");
  scene.Place(body, Vector3d(0, 0, 0.01));
  ASSERT_TRUE(AdvanceOrExplain(&scene, 1.0));
  EXPECT_EQ(scene.Results().num_point_pair_contacts(), 3);
  EXPECT_NEAR(scene.Position(body).z(), 0, 1e-3);
}

TEST(MeshBadInput, BrokenFilesAreRefused) {
  for (const char* text :
       {"", "v 0 0\n", "v 0 0 0\nf 1 2 3\n", "v a b c\n", "garbage",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 1\nf 1 2 3\nf 1 2 4\n"}) {
    Scene scene(1e-3);
    EXPECT_THROW(RegisterMesh(&scene, text), std::exception) << text;
  }
}

}  // namespace
}  // namespace wyvern::multibody
