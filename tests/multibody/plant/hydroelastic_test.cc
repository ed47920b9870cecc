// Contact on surfaces of equal pressure in a plant: closed forms, both modes
// and all approximations, and what results say.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace hydroelastic_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::ProximityProperties;
using math::RigidTransformd;
using test::kGravity;
using test::MakeInertia;
using test::MakeProperties;
using test::Material;
using wyvern::test::Near;
using Approximation = DiscreteContactApproximation;

constexpr double kModulus = 1e5, kThickness = 0.05;

ProximityProperties Rigid(const Material& material, double hint = 1) {
  ProximityProperties properties = MakeProperties(material);
  geometry::AddRigidHydroelasticProperties(hint, &properties);
  return properties;
}
ProximityProperties Compliant(const Material& material, double hint = 1,
                              double modulus = kModulus) {
  ProximityProperties properties = MakeProperties(material);
  geometry::AddCompliantHydroelasticProperties(hint, modulus, &properties);
  return properties;
}
ProximityProperties Slab(const Material& material) {
  ProximityProperties properties = MakeProperties(material);
  geometry::AddCompliantHydroelasticPropertiesForHalfSpace(kThickness, kModulus,
                                                           &properties);
  return properties;
}

// Bodies over a compliant half space.
class Scene : public test::ContactScene {
 public:
  explicit Scene(double time_step,
                 Approximation approximation = Approximation::kLagged,
                 const Material& ground = {},
                 ContactModel model = ContactModel::kHydroelastic)
      : ContactScene(time_step, approximation, ground, Slab(ground)) {
    plant->set_contact_model(model);
  }
};

constexpr double kMass = 2, kSize = 0.2;

// A rigid cube on the slab, let go where its weight is carried.
class Cube : public Scene {
 public:
  explicit Cube(double time_step,
                Approximation approximation = Approximation::kLagged,
                const Material& material = {},
                ContactModel model = ContactModel::kHydroelastic)
      : Scene(time_step, approximation, material, model),
        cube(
            Add("cube",
                MakeInertia(kMass, Vector3d::Zero(), kMass * kSize * kSize / 6),
                geometry::Box(kSize, kSize, kSize), Rigid(material))) {
    Finish();
    Place(RestingDepth());
  }
  // p A = E depth / thickness A = m g.
  static double RestingDepth() {
    return kMass * kGravity * kThickness / (kModulus * kSize * kSize);
  }
  void Place(double depth) {
    plant->SetFreeBodyPose(context, cube,
                           RigidTransformd(Vector3d(0, 0, kSize / 2 - depth)));
  }
  double Depth() const {
    return kSize / 2 -
           plant->EvalBodyPoseInWorld(*context, cube).translation()[2];
  }
  const RigidBody<double>& cube;
};

class EveryWay
    : public testing::TestWithParam<std::pair<double, Approximation>> {};

TEST_P(EveryWay, ACubeRestsWhereThePressureCarriesIt) {
  Cube scene(GetParam().first, GetParam().second);
  if (GetParam().first == 0) {
    scene.simulator->get_mutable_integrator().set_target_accuracy(1e-8);
  }
  scene.simulator->AdvanceTo(0.2);
  EXPECT_NEAR(scene.Depth(), Cube::RestingDepth(), 1e-9);
  const auto& results = scene.Results();
  ASSERT_EQ(results.num_hydroelastic_contacts(), 1);
  EXPECT_EQ(results.num_point_pair_contacts(), 0);
  const auto& info = results.hydroelastic_contact_info(0);
  // Body A has geometry M, here the ground, that was registered first.
  EXPECT_TRUE(Near(info.F_Ac_W().translational(),
                   Vector3d(0, 0, -kMass * kGravity), 1e-6));
  EXPECT_TRUE(Near(info.F_Ac_W().rotational(), Vector3d::Zero(), 1e-6));
  EXPECT_NEAR(info.contact_surface().centroid()[0], 0, 1e-12);
}

TEST_P(EveryWay, FallingOnesStopAndForcesAreThoseOfThePorts) {
  Cube scene(GetParam().first, GetParam().second);
  scene.Place(-0.001);
  scene.simulator->AdvanceTo(0.05);
  bool touched = false;
  for (int i = 1; i < 20; ++i) {
    scene.simulator->AdvanceTo(0.05 + 0.01 * i);
    const auto& results = scene.Results();
    if (results.num_hydroelastic_contacts() == 0) continue;
    touched = true;
    const auto& F = results.hydroelastic_contact_info(0).F_Ac_W();
    const auto& tau = scene.plant
                          ->get_generalized_contact_forces_output_port(
                              default_model_instance())
                          .Eval(*scene.context);
    // For a free body, the last three elements of tau are the force on it.
    EXPECT_TRUE(Near(tau.tail(3), -F.translational(), 1e-9));
    EXPECT_LE(F.translational()[2], 0);
  }
  EXPECT_TRUE(touched);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, EveryWay,
    testing::Values(std::pair(0.0, Approximation::kLagged),
                    std::pair(1e-3, Approximation::kLagged),
                    std::pair(1e-3, Approximation::kSimilar),
                    std::pair(1e-3, Approximation::kTamsi),
                    std::pair(1e-3, Approximation::kSap)));

TEST(Hydroelastic, ASpinningDiscFeelsTwoThirdsOfFrictionTimesItsRadius) {
  // T = mu N 2/3 R: a disc of even pressure, every part of it sliding.
  const Material material{.mu = 0.4};
  constexpr double kRadius = 0.1, kInertia = 0.01, kSpin = 5, kTime = 0.05;
  for (const double dt : {0.0, 1e-3}) {
    Scene scene(dt, Approximation::kLagged, material);
    const auto& disc =
        scene.Add("disc", MakeInertia(kMass, Vector3d::Zero(), kInertia),
                  geometry::Cylinder(kRadius, 0.1), Rigid(material, 0.01));
    scene.Finish();
    const double area = std::numbers::pi * kRadius * kRadius;
    const double depth = kMass * kGravity * kThickness / (kModulus * area);
    scene.plant->SetFreeBodyPose(scene.context, disc,
                                 RigidTransformd(Vector3d(0, 0, 0.05 - depth)));
    scene.plant->SetFreeBodySpatialVelocity(
        scene.context, disc,
        SpatialVelocity<double>(Vector3d(0, 0, kSpin), Vector3d::Zero()));
    scene.simulator->AdvanceTo(kTime);
    const double torque = 2.0 / 3 * material.mu * kMass * kGravity * kRadius;
    const double spin =
        scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, disc)
            .rotational()[2];
    // The mesh of the disc is a polygon of 63 corners, and its triangles reach
    // from the centre to the rim: friction goes by velocities at centroids.
    const double expected = kSpin - torque / kInertia * kTime;
    EXPECT_NEAR(spin, expected, 0.03 * (kSpin - expected)) << dt;
  }
}

TEST(Hydroelastic, ASpinningDiscStopsWhenItsFrictionHasTakenItsMomentum) {
  const Material material{.mu = 0.4};
  constexpr double kRadius = 0.1, kInertia = 0.01, kSpin = 5;
  Scene scene(1e-3, Approximation::kLagged, material);
  const auto& disc =
      scene.Add("disc", MakeInertia(kMass, Vector3d::Zero(), kInertia),
                geometry::Cylinder(kRadius, 0.1), Rigid(material, 0.01));
  scene.Finish();
  const double area = std::numbers::pi * kRadius * kRadius;
  const double depth = kMass * kGravity * kThickness / (kModulus * area);
  scene.Place(disc, Vector3d(0, 0, 0.05 - depth));
  scene.plant->SetFreeBodySpatialVelocity(
      scene.context, disc,
      SpatialVelocity<double>(Vector3d(0, 0, kSpin), Vector3d::Zero()));
  const double torque = 2.0 / 3 * material.mu * kMass * kGravity * kRadius;
  const double stop = kInertia * kSpin / torque;
  const auto spin_at = [&](double time) {
    scene.simulator->AdvanceTo(time);
    return scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, disc)
        .rotational()[2];
  };
  EXPECT_NEAR(spin_at(0.95 * stop), 0.05 * kSpin, 0.03 * kSpin);
  EXPECT_NEAR(spin_at(1.05 * stop), 0, 1e-3 * kSpin);
}

TEST(Hydroelastic, ATowerOfSoftBoxesStands) {
  constexpr int kBoxes = 10;
  constexpr double kBox = 0.2;
  test::ContactScene scene(1e-3, Approximation::kSap, {}, Rigid({}));
  scene.plant->set_contact_model(ContactModel::kHydroelastic);
  std::vector<const RigidBody<double>*> boxes;
  for (int i = 0; i < kBoxes; ++i) {
    boxes.push_back(
        &scene.Add("box" + std::to_string(i),
                   MakeInertia(1, Vector3d::Zero(), kBox * kBox / 6),
                   geometry::Box(kBox, kBox, kBox), Compliant({}, 1, 1e7)));
  }
  scene.Finish();
  for (int i = 0; i < kBoxes; ++i) {
    scene.Place(*boxes[i], Vector3d(0.01 * (i % 2), 0, kBox * (i + 0.5)));
  }
  scene.simulator->AdvanceTo(1);
  for (int i = 0; i < kBoxes; ++i) {
    EXPECT_TRUE(Near(scene.Position(*boxes[i]),
                     Vector3d(0.01 * (i % 2), 0, kBox * (i + 0.5)), 1e-3))
        << i;
    // It sways a little still, as Drake's does by half a millimetre a second.
    EXPECT_LT(scene.Velocity(*boxes[i]).norm(), 1e-3) << i;
  }
  double carried = 0;  // By the ground, which was registered first.
  const auto& results = scene.Results();
  ASSERT_EQ(results.num_hydroelastic_contacts(), kBoxes);
  for (int i = 0; i < kBoxes; ++i) {
    const double f =
        -results.hydroelastic_contact_info(i).F_Ac_W().translational()[2];
    carried = std::max(carried, f);
  }
  EXPECT_NEAR(carried, kBoxes * kGravity, 1e-2);
}

// One point on each of two triangles would let a box turn about their diagonal.
TEST(Hydroelastic, ASoftBoxRestsWithoutTurning) {
  test::ContactScene scene(1e-3, Approximation::kSap, {}, Rigid({}));
  scene.plant->set_contact_model(ContactModel::kHydroelastic);
  const auto& box =
      scene.Add("box", MakeInertia(1, Vector3d::Zero(), 0.04 / 6),
                geometry::Box(0.2, 0.2, 0.2), Compliant({}, 1, 1e7));
  scene.Finish();
  scene.Place(box, Vector3d(0, 0, 0.1));
  for (const double sign : {-1.0, 1.0}) {  // About either diagonal.
    scene.plant->SetFreeBodySpatialVelocity(
        scene.context, box,
        SpatialVelocity<double>(1e-3 * Vector3d(1, sign, 0), Vector3d::Zero()));
    scene.simulator->AdvanceTo(scene.simulator->get_context().get_time() + 1);
    const auto& X = scene.plant->EvalBodyPoseInWorld(*scene.context, box);
    EXPECT_LT(
        std::hypot(X.rotation().matrix()(0, 2), X.rotation().matrix()(1, 2)),
        1e-7);
  }
}

TEST(Hydroelastic, BallsThatCollideKeepTheirMomentumAndGainNoEnergy) {
  for (const Approximation approximation :
       {Approximation::kSap, Approximation::kLagged}) {
    Scene scene(1e-3, approximation);
    scene.plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    const auto& a =
        scene.Add("a", MakeInertia(1, Vector3d::Zero(), 0.004),
                  geometry::Sphere(0.1), Compliant({.mu = 0.5}, 0.04));
    const auto& b =
        scene.Add("b", MakeInertia(0.5, Vector3d::Zero(), 0.002),
                  geometry::Sphere(0.1), Compliant({.mu = 0.5}, 0.04, 3e5));
    scene.Finish();
    scene.Place(a, Vector3d(0, 0, 1));
    scene.Place(b, Vector3d(0.21, 0.05, 1.03));
    scene.Throw(a, Vector3d(1, 0, 0));
    const auto momentum = [&] {
      return scene.plant
          ->CalcSpatialMomentumInWorldAboutPoint(*scene.context,
                                                 Vector3d::Zero())
          .get_coeffs();
    };
    const Vector6<double> before = momentum();
    const double first = scene.Energy();
    bool touched = false;
    for (int i = 1; i <= 100; ++i) {
      scene.simulator->AdvanceTo(1e-3 * i);
      touched = touched || scene.Results().num_hydroelastic_contacts() > 0;
      // The field gives back what it took; a step's error is of second order.
      EXPECT_LT(scene.Energy(), first * (1 + 1e-9)) << i;
    }
    EXPECT_TRUE(touched);
    EXPECT_LT(scene.Energy(), 0.99 * first);
    EXPECT_TRUE(
        Near(momentum().tail<3>().eval(), before.tail<3>().eval(), 1e-10));
    // Forces act at the step's start, bodies have gone on by its end.
    EXPECT_TRUE(Near(momentum().head<3>().eval(), before.head<3>().eval(),
                     2e-3 * before.head<3>().norm()));
  }
}

TEST(Hydroelastic, AFastBodyThatTunnelsStaysFiniteAndGainsNoEnergy) {
  // It moves by half a metre a step, through a slab of 5 cm. What is rigid is
  // pushed back; a soft ball that is through is not touched any more.
  for (const Approximation approximation :
       {Approximation::kSap, Approximation::kLagged, Approximation::kTamsi}) {
    Scene scene(1e-3, approximation);
    const auto inertia = MakeInertia(2, Vector3d::Zero(), 0.01);
    const auto& cube = scene.Add("cube", inertia, geometry::Box(0.2, 0.2, 0.2),
                                 Rigid({.mu = 0.5}));
    const auto& ball = scene.Add("ball", inertia, geometry::Sphere(0.1),
                                 Compliant({.mu = 0.5}, 0.04));
    scene.Finish();
    scene.Place(cube, Vector3d(0, 0, 0.3));
    scene.Place(ball, Vector3d(1, 0, 0.3));
    scene.Throw(cube, Vector3d(0, 0, -500));
    scene.Throw(ball, Vector3d(0, 0, -500));
    const auto speed = [&](const RigidBody<double>& body) {
      return scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, body)
          .translational()
          .norm();
    };
    bool touched = false;
    for (int i = 1; i <= 100; ++i) {
      scene.simulator->AdvanceTo(1e-3 * i);
      ASSERT_TRUE(
          scene.plant->GetPositionsAndVelocities(*scene.context).allFinite());
      touched = touched || scene.Results().num_hydroelastic_contacts() > 0;
      EXPECT_LT(speed(cube), 500 + 9.81e-3 * i + 1e-9) << i;
    }
    EXPECT_TRUE(touched);
    EXPECT_LT(speed(cube), 400);
    EXPECT_NEAR(speed(ball), 500 + kGravity * 0.1, 1e-6);
  }
}

TEST(Hydroelastic, StepsTendToContinuousTime) {
  double last = 1;
  Cube continuous(0);
  continuous.Place(0.5 * Cube::RestingDepth());
  continuous.simulator->get_mutable_integrator().set_target_accuracy(1e-8);
  continuous.simulator->AdvanceTo(0.02);
  for (const double dt : {2e-4, 1e-4, 5e-5}) {
    Cube steps(dt);
    steps.Place(0.5 * Cube::RestingDepth());
    steps.simulator->AdvanceTo(0.02);
    const double error = std::abs(steps.Depth() - continuous.Depth());
    EXPECT_LT(error, 0.6 * last) << dt;
    last = error;
  }
}

TEST(Hydroelastic, ASofterGroundTakesTheDissipationOfTheOther) {
  // Each of two compliant bodies counts by its share of the deformation.
  const Material ground{.mu = 0, .dissipation = 4};
  const Material box{.mu = 0, .dissipation = 10};
  const auto rate_of_force = [&](const ProximityProperties& properties) {
    Scene scene(0, Approximation::kLagged, ground);
    const auto& body = scene.Add("box", MakeInertia(1, Vector3d::Zero(), 0.004),
                                 geometry::Box(1, 1, 0.2), properties);
    scene.Finish();
    const auto force = [&](double v) {
      scene.plant->SetFreeBodyPose(scene.context, body,
                                   RigidTransformd(Vector3d(0, 0, 0.099)));
      scene.plant->SetFreeBodySpatialVelocity(
          scene.context, body,
          SpatialVelocity<double>(Vector3d::Zero(), Vector3d(0, 0, -v)));
      return -scene.Results()
                  .hydroelastic_contact_info(0)
                  .F_Ac_W()
                  .translational()[2];
    };
    // F = F0 (1 + d v).
    return (force(0.01) / force(0) - 1) / 0.01;
  };
  EXPECT_NEAR(rate_of_force(Rigid(box)), 4, 1e-9);
  // E_ball / (E_ball + E_ground) d_ground + E_ground / (...) d_ball.
  // Near the rim the surface is not level, and less of the velocity closes it.
  EXPECT_NEAR(rate_of_force(Compliant(box, 1, 3 * kModulus)),
              0.75 * 4 + 0.25 * 10, 0.02);
}

TEST(Hydroelastic, PairsThatCannotAreErrorsOrPoints) {
  const auto lay_two_rigid = [](ContactModel model) {
    auto scene = std::make_unique<Scene>(1e-3, Approximation::kLagged,
                                         Material{}, model);
    const auto& one = scene->Add("one", MakeInertia(1, Vector3d::Zero(), 0.01),
                                 geometry::Box(0.2, 0.2, 0.2), Rigid({}));
    const auto& two = scene->Add("two", MakeInertia(1, Vector3d::Zero(), 0.01),
                                 geometry::Box(0.2, 0.2, 0.2), Rigid({}));
    scene->Finish();
    scene->plant->SetFreeBodyPose(scene->context, one,
                                  RigidTransformd(Vector3d(0, 0, 0.0999)));
    scene->plant->SetFreeBodyPose(scene->context, two,
                                  RigidTransformd(Vector3d(0, 0, 0.2998)));
    return scene;
  };
  const auto strict = lay_two_rigid(ContactModel::kHydroelastic);
  EXPECT_THROWS_MESSAGE(strict->simulator->AdvanceTo(0.01), std::logic_error,
                        "both are rigid");
  const auto lenient = lay_two_rigid(ContactModel::kHydroelasticWithFallback);
  lenient->simulator->AdvanceTo(0.01);
  EXPECT_EQ(lenient->Results().num_hydroelastic_contacts(), 1);
  EXPECT_EQ(lenient->Results().num_point_pair_contacts(), 4);
  const auto points = lay_two_rigid(ContactModel::kPoint);
  points->simulator->AdvanceTo(0.01);
  EXPECT_EQ(points->Results().num_hydroelastic_contacts(), 0);
  EXPECT_EQ(points->Results().num_point_pair_contacts(), 8);
}

TEST(Hydroelastic, ACompliantOneWithoutAModulusIsAnError) {
  test::ContactScene scene(1e-3);  // The ground has no type.
  ProximityProperties soft = MakeProperties({});
  soft.AddProperty("hydroelastic", "compliance_type",
                   geometry::HydroelasticType::kCompliant);
  const auto& cube = scene.Add("cube", MakeInertia(1, Vector3d::Zero(), 0.01),
                               geometry::Box(0.2, 0.2, 0.2), soft);
  auto& graph = *scene.scene_graph;
  auto config = graph.get_config();
  config.default_proximity_properties.hydroelastic_modulus.reset();
  graph.set_config(config);
  scene.Finish();
  scene.plant->SetFreeBodyPose(scene.context, cube,
                               RigidTransformd(Vector3d(0, 0, 0.0999)));
  EXPECT_THROWS_MESSAGE(scene.simulator->AdvanceTo(0.01), std::logic_error,
                        "hydroelastic_modulus");
}

TEST(Hydroelastic, ResultsSelectAndRefuse) {
  Cube scene(1e-3);
  scene.simulator->AdvanceTo(0.01);
  const ContactResults<double> results = scene.Results();
  const auto all = results.SelectHydroelastic([](const auto&) { return true; });
  EXPECT_EQ(all.num_hydroelastic_contacts(), 1);
  const auto none =
      results.SelectHydroelastic([](const auto&) { return false; });
  EXPECT_EQ(none.num_hydroelastic_contacts(), 0);
  EXPECT_THROWS_MESSAGE(results.SelectHydroelastic(nullptr), std::logic_error,
                        "selector is null");
  EXPECT_THROWS_MESSAGE(results.hydroelastic_contact_info(1), std::out_of_range,
                        "there is no contact 1");
  EXPECT_THROWS_MESSAGE(
      HydroelasticContactInfo<double>(
          static_cast<const geometry::ContactSurface<double>*>(nullptr),
          SpatialForce<double>::Zero()),
      std::logic_error, "the contact surface is null");
}

TEST(Hydroelastic, ASavedSampleKeepsItsSurface) {
  Cube scene(1e-3);
  scene.Place(1.5 * Cube::RestingDepth());
  scene.simulator->AdvanceTo(0.01);
  const auto& before = scene.Results().hydroelastic_contact_info(0);
  std::stringstream stream;
  systems::SaveContext(scene.simulator->get_context(), &stream);
  const auto other = scene.diagram->CreateDefaultContext();
  systems::LoadContext(&stream, other.get());
  const auto& results = scene.plant->get_contact_results_output_port()
                            .Eval<ContactResults<double>>(
                                scene.plant->GetMyContextFromRoot(*other));
  ASSERT_EQ(results.num_hydroelastic_contacts(), 1);
  const auto& after = results.hydroelastic_contact_info(0);
  EXPECT_TRUE(after.contact_surface().Equal(before.contact_surface()));
  EXPECT_EQ(after.F_Ac_W().get_coeffs(), before.F_Ac_W().get_coeffs());
}

TEST(Hydroelastic, AccelerationsHaveDerivatives) {
  // A cube at rest in continuous time has dv̇_z/dz = -E A / (thickness m).
  Cube scene(0);
  const auto diagram = systems::System<double>::ToAutoDiffXd(*scene.diagram);
  const auto context = diagram->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(scene.simulator->get_context());
  const auto& plant = dynamic_cast<const MultibodyPlant<AutoDiffXd>&>(
      diagram->GetSubsystemByName("plant"));
  auto& plant_context = plant.GetMyMutableContextFromRoot(context.get());
  VectorX<AutoDiffXd> q = plant.GetPositions(plant_context);
  q[6].derivatives() = Eigen::VectorXd::Ones(1);
  plant.SetPositions(&plant_context, q);
  const auto& vdot =
      plant.get_generalized_acceleration_output_port(default_model_instance())
          .Eval(plant_context);
  ASSERT_EQ(vdot[5].derivatives().size(), 1);
  EXPECT_NEAR(vdot[5].value(), 0, 1e-9);
  EXPECT_NEAR(vdot[5].derivatives()[0],
              -kModulus * kSize * kSize / (kThickness * kMass), 1e-6);
}

TEST(Hydroelastic, StepsAllocateNothing) {
  if (!wyvern::test::AllocationGuard::is_active()) {
    GTEST_SKIP() << "malloc is not counted";
  }
  Cube scene(1e-3);
  scene.simulator->AdvanceTo(0.05);
  const wyvern::test::AllocationGuard guard;
  scene.simulator->AdvanceTo(0.1);
  EXPECT_EQ(guard.count(), 0);
}

TEST(Hydroelastic, StepsOfRollingBallsAllocateNothingOnceTheyHaveGrown) {
  if (!wyvern::test::AllocationGuard::is_active()) {
    GTEST_SKIP() << "malloc is not counted";
  }
  // Two soft balls that press on a rigid plate and on each other: meshes meet
  // meshes, and the number of faces changes from step to step.
  constexpr double kRadius = 0.1, kDt = 1e-3;
  Scene scene(kDt);
  scene.plant->RegisterCollisionGeometry(
      scene.plant->world_body(), RigidTransformd(Vector3d(0, 0, 0.05)),
      geometry::Box(4, 4, 0.1), "plate", Rigid({}));
  std::vector<const RigidBody<double>*> balls;
  for (const char* name : {"left", "right"}) {
    balls.push_back(&scene.Add(name,
                               MakeInertia(kMass, Vector3d::Zero(), 0.008),
                               geometry::Sphere(kRadius), Compliant({}, 0.04)));
  }
  scene.Finish();
  for (int i = 0; i < 2; ++i) {
    scene.plant->SetFreeBodyPose(
        scene.context, *balls[i],
        RigidTransformd(Vector3d(0.195 * i + 0.013, 0.029, 0.198)));
    scene.Throw(*balls[i], Vector3d(0.4 - 0.2 * i, 0.2, 0));
  }
  const VectorXd start = scene.State();
  double end = 0;
  int most = 0, least = 1000;
  const auto roll = [&] {
    scene.plant->SetPositionsAndVelocities(scene.context, start);
    for (int step = 0; step < 100; ++step) {
      end += kDt;
      scene.simulator->AdvanceTo(end);
      const auto& results = scene.Results();
      int faces = 0;
      for (int i = 0; i < results.num_hydroelastic_contacts(); ++i) {
        faces +=
            results.hydroelastic_contact_info(i).contact_surface().num_faces();
      }
      most = std::max(most, faces);
      least = std::min(least, faces);
    }
  };
  for (int i = 0; i < 3; ++i) roll();
  EXPECT_GT(most, least + 5);
  EXPECT_GT(least, 5);
  const wyvern::test::AllocationGuard guard;
  roll();
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace hydroelastic_test
}  // namespace wyvern::multibody
