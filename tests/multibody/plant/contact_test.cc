#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Box;
using geometry::HalfSpace;
using geometry::ProximityProperties;
using geometry::Sphere;
using math::RigidTransformd;
using math::RotationMatrixd;
using systems::Context;
using systems::Diagram;
using systems::DiagramBuilder;
using systems::Simulator;
using test::MakeInertia;
using wyvern::test::Near;
using Approximation = DiscreteContactApproximation;

using test::kGravity;
using test::MakeProperties;
using test::Material;
using Scene = test::ContactScene;

class Approximations : public ::testing::TestWithParam<Approximation> {};

// k x = m g, k of the pair half of each.
TEST_P(Approximations, ABallRestsAtItsSteadyPenetration) {
  Material material;
  material.stiffness = 2e4;
  Scene scene(1e-3, GetParam(), material);
  const auto& ball = scene.AddBall("ball", 2, 0.1);
  scene.plant->set_sap_near_rigid_threshold(0);
  scene.Finish();
  scene.plant->SetFreeBodyPose(scene.context, ball,
                               RigidTransformd(Vector3d(0, 0, 0.1)));
  scene.simulator->AdvanceTo(2.0);
  const double depth = 2 * kGravity / 1e4;
  EXPECT_NEAR(scene.Position(ball).z(), 0.1 - depth, 1e-8);
  ASSERT_EQ(scene.Results().num_point_pair_contacts(), 1);
  const auto& contact = scene.Results().point_pair_contact_info(0);
  EXPECT_NEAR(contact.contact_force().norm(), 2 * kGravity, 1e-6);
  EXPECT_NEAR(contact.point_pair().depth, depth, 1e-8);
  EXPECT_NEAR(contact.slip_speed(), 0, 1e-9);
}

TEST_P(Approximations, ABoxRestsOnFourPoints) {
  Scene scene(1e-3, GetParam());
  const auto& box = scene.AddBox("box", 1, 0.2);
  scene.Finish();
  scene.plant->SetFreeBodyPose(scene.context, box,
                               RigidTransformd(Vector3d(0, 0, 0.1)));
  scene.simulator->AdvanceTo(1.0);
  ASSERT_EQ(scene.Results().num_point_pair_contacts(), 4);
  for (int i = 0; i < 4; ++i) {
    const auto& contact = scene.Results().point_pair_contact_info(i);
    EXPECT_NEAR(contact.contact_force().norm(), kGravity / 4, 1e-4);
    EXPECT_NEAR(std::abs(contact.contact_point().x()), 0.1, 1e-6);
    EXPECT_NEAR(std::abs(contact.contact_point().y()), 0.1, 1e-6);
  }
}

// A box on a slope of angle a, told by gravity: it sticks if tan a < mu, and
// else slides with g (sin a - mu cos a).
double SlideSpeed(Scene* scene, double tangent, double time) {
  const double angle = std::atan(tangent);
  const auto& box = scene->AddBox("box", 1, 0.2);
  scene->plant->mutable_gravity_field().set_gravity_vector(
      kGravity * Vector3d(std::sin(angle), 0, -std::cos(angle)));
  scene->Finish();
  const double depth = kGravity * std::cos(angle) / (4 * 5e4);
  scene->plant->SetFreeBodyPose(scene->context, box,
                                RigidTransformd(Vector3d(0, 0, 0.1 - depth)));
  scene->simulator->AdvanceTo(time);
  return scene->Velocity(box).x();
}

TEST_P(Approximations, ABoxSticksInsideTheFrictionCone) {
  Scene scene(1e-3, GetParam());
  // Slips at less than the stiction tolerance, or creeps by R_t.
  EXPECT_LT(std::abs(SlideSpeed(&scene, 0.45, 0.5)), 3e-4);
}

TEST_P(Approximations, ABoxSlidesOutsideTheFrictionCone) {
  Scene scene(1e-3, GetParam());
  const double angle = std::atan(0.6), time = 0.5;
  const double expected =
      kGravity * (std::sin(angle) - 0.5 * std::cos(angle)) * time;
  // kSap lets sliding bodies rise, kSimilar couples slip to the normal force;
  // with all of them the box first finds its balance on its four points.
  const bool is_coupled = GetParam() == Approximation::kSap ||
                          GetParam() == Approximation::kSimilar;
  EXPECT_NEAR(SlideSpeed(&scene, 0.6, time), expected,
              (is_coupled ? 0.05 : 0.01) * expected);
}

TEST_P(Approximations, SpheresThatCollideKeepTheirMomentum) {
  Scene scene(1e-3, GetParam());
  const auto& one = scene.AddBall("one", 2, 0.1);
  const auto& other = scene.AddBall("other", 1, 0.1);
  scene.plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  scene.Finish();
  scene.plant->SetFreeBodyPose(scene.context, one,
                               RigidTransformd(Vector3d(0, 0, 1)));
  scene.plant->SetFreeBodyPose(scene.context, other,
                               RigidTransformd(Vector3d(0.25, 0.05, 1)));
  scene.plant->SetFreeBodySpatialVelocity(
      scene.context, one,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(1, 0, 0)));
  scene.simulator->AdvanceTo(0.5);
  EXPECT_GT(scene.Velocity(other).x(), 0.3);
  EXPECT_TRUE(Near(Vector3d(2 * scene.Velocity(one) + scene.Velocity(other)),
                   Vector3d(2, 0, 0), 1e-12));
  const double energy = scene.plant->CalcKineticEnergy(*scene.context);
  EXPECT_LT(energy, 1.0);
}

TEST_P(Approximations, ABallThatSlidesStartsToRoll) {
  Scene scene(1e-3, GetParam());
  const auto& ball = scene.AddBall("ball", 1, 0.1);
  scene.Finish();
  scene.plant->SetFreeBodyPose(
      scene.context, ball,
      RigidTransformd(Vector3d(0, 0, 0.1 - kGravity / 5e4)));
  scene.plant->SetFreeBodySpatialVelocity(
      scene.context, ball,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(1, 0, 0)));
  scene.simulator->AdvanceTo(1.0);
  // Rolling from v0 sliding: 5/7 v0, w = v / r.
  const auto V =
      scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, ball);
  EXPECT_NEAR(V.translational().x(), 5.0 / 7, 2e-3);
  EXPECT_NEAR(V.rotational().y(), V.translational().x() / 0.1, 2e-2);
}

// The reaction at a hinge carries what contact does to the arm it holds.
TEST_P(Approximations, ReactionForcesIncludeContact) {
  // With friction hinge and ground could push against each other.
  Scene scene(1e-3, GetParam(), {.mu = 0});
  const auto& ball = scene.AddBall("ball", 2, 0.1);
  const auto& hinge = scene.plant->AddJoint<RevoluteJoint>(
      "hinge", scene.plant->world_body(), RigidTransformd(Vector3d(0, 0, 0.1)),
      ball, RigidTransformd(Vector3d(-0.5, 0, 0)), Vector3d::UnitY());
  scene.Finish();
  scene.simulator->AdvanceTo(1.0);
  const auto& F = scene.plant->get_reaction_forces_output_port()
                      .Eval<std::vector<SpatialForce<double>>>(*scene.context);
  // The ground carries the weight, the hinge nothing.
  EXPECT_TRUE(Near(F[hinge.ordinal()].translational(), Vector3d::Zero(), 1e-3));
  const auto& tau = scene.plant->get_generalized_contact_forces_output_port(
      default_model_instance());
  EXPECT_NEAR(tau.Eval(*scene.context)[0], -2 * kGravity * 0.5, 1e-3);
}

TEST_P(Approximations, StepsAllocateNothingAndRepeatTheirBits) {
  const auto run = [](Scene* scene) {
    std::vector<const RigidBody<double>*> boxes;
    for (int i = 0; i < 3; ++i) {
      boxes.push_back(&scene->AddBox("box" + std::to_string(i), 1, 0.2));
    }
    scene->Finish();
    for (int i = 0; i < 3; ++i) {
      scene->plant->SetFreeBodyPose(
          scene->context, *boxes[i],
          RigidTransformd(Vector3d(0.01 * i, 0, 0.1 + 0.2 * i)));
    }
    scene->simulator->AdvanceTo(0.5);  // As many contacts as there will be.
    wyvern::test::AllocationGuard guard;
    scene->simulator->AdvanceTo(0.7);
    EXPECT_EQ(guard.count(), 0);
    return VectorXd(scene->plant->GetPositionsAndVelocities(*scene->context));
  };
  Scene one(1e-3, GetParam()), other(1e-3, GetParam());
  EXPECT_EQ(run(&one), run(&other));
}

TEST_P(Approximations, DerivativesOfAStepAreThoseOfDifferences) {
  Scene scene(1e-3, GetParam());
  scene.AddBall("ball", 1, 0.1);
  scene.Finish();
  const auto& plant = *scene.plant;
  VectorXd x0 = plant.GetPositionsAndVelocities(*scene.context);
  x0.segment<3>(4) = Vector3d(0, 0, 0.0995);
  x0.tail<3>() = Vector3d(0.02, 0.01, -0.03);
  const auto next = [&](const VectorXd& x) {
    auto root = scene.diagram->CreateDefaultContext();
    auto& context = plant.GetMyMutableContextFromRoot(root.get());
    plant.SetPositionsAndVelocities(&context, x);
    plant.ExecuteForcedEvents(&context);
    return VectorXd(plant.GetPositionsAndVelocities(context));
  };
  const auto ad = systems::System<double>::ToAutoDiffXd(*scene.diagram);
  const auto& ad_plant = dynamic_cast<const MultibodyPlant<AutoDiffXd>&>(
      ad->GetSubsystemByName("plant"));
  auto root = ad->CreateDefaultContext();
  auto& context = ad_plant.GetMyMutableContextFromRoot(root.get());
  ad_plant.SetPositionsAndVelocities(&context, math::InitializeAutoDiff(x0));
  ad_plant.ExecuteForcedEvents(&context);
  const Eigen::MatrixXd gradient =
      math::ExtractGradient(ad_plant.GetPositionsAndVelocities(context));
  const double h = 1e-7;
  for (int j = 4; j < x0.size(); ++j) {  // All but the quaternion.
    const VectorXd dx = h * VectorXd::Unit(x0.size(), j);
    const VectorXd difference = (next(x0 + dx) - next(x0 - dx)) / (2 * h);
    EXPECT_TRUE(
        Near(gradient.col(j), difference, 1e-4 * (1 + gradient.col(j).norm())))
        << j;
  }
}

// Friction's regularization goes by how easily the balls move, which doubles
// take from formulas of free bodies and AutoDiffXd from J M^-1 J'.
TEST_P(Approximations, PressedBallsStepAsThoseWithDerivatives) {
  Scene scene(1e-3, GetParam());
  scene.Add("light", test::MakeInertia(1, Vector3d(0.02, -0.03, 0.01), 0.02),
            geometry::Sphere(0.1));
  scene.AddBall("heavy", 100, 0.1);
  scene.Finish();
  const auto& plant = *scene.plant;
  VectorXd x0 = plant.GetPositionsAndVelocities(*scene.context);
  x0.segment<3>(4) = Vector3d(0, 0, 0.098);
  x0.segment<3>(11) = Vector3d(0.03, 0.01, 0.29);
  x0.segment<3>(17) = Vector3d(2e-3, 1e-3, 0);
  plant.SetPositionsAndVelocities(scene.context, x0);
  plant.ExecuteForcedEvents(scene.context);
  const auto ad = systems::System<double>::ToAutoDiffXd(*scene.diagram);
  const auto& ad_plant = dynamic_cast<const MultibodyPlant<AutoDiffXd>&>(
      ad->GetSubsystemByName("plant"));
  auto root = ad->CreateDefaultContext();
  auto& context = ad_plant.GetMyMutableContextFromRoot(root.get());
  ad_plant.SetPositionsAndVelocities(&context, x0.cast<AutoDiffXd>());
  ad_plant.ExecuteForcedEvents(&context);
  EXPECT_TRUE(Near(
      plant.GetPositionsAndVelocities(*scene.context),
      math::ExtractValue(ad_plant.GetPositionsAndVelocities(context)), 1e-10));
}

INSTANTIATE_TEST_SUITE_P(All, Approximations, test::AllApproximations());

TEST(ContinuousContact, ABallRestsAtItsSteadyPenetration) {
  Scene scene(0);
  const auto& ball = scene.AddBall("ball", 2, 0.1);
  scene.Finish();
  scene.plant->SetFreeBodyPose(scene.context, ball,
                               RigidTransformd(Vector3d(0, 0, 0.101)));
  scene.simulator->AdvanceTo(1.0);
  EXPECT_NEAR(scene.Position(ball).z(), 0.1 - 2 * kGravity / 5e4, 1e-6);
  EXPECT_NEAR(
      scene.Results().point_pair_contact_info(0).contact_force().z(),
      scene.Results().point_pair_contact_info(0).bodyB_index() == ball.index()
          ? 2 * kGravity
          : -2 * kGravity,
      1e-2);
}

// The discrete steps converge to the continuous motion, in first order.
TEST(ContinuousContact, DiscreteStepsConvergeToIt) {
  const auto final_state = [](double time_step) {
    Scene scene(time_step, Approximation::kLagged,
                {.mu = 0.3, .stiffness = 2e3, .dissipation = 2});
    scene.plant->set_stiction_tolerance(0.05);
    const auto& ball = scene.AddBall("ball", 1, 0.1);
    scene.Finish();
    scene.plant->SetFreeBodyPose(scene.context, ball,
                                 RigidTransformd(Vector3d(0, 0, 0.1)));
    scene.plant->SetFreeBodySpatialVelocity(
        scene.context, ball,
        SpatialVelocity<double>(Vector3d::Zero(), Vector3d(0.5, 0, -0.3)));
    if (time_step == 0) {
      scene.simulator->get_mutable_integrator().set_target_accuracy(1e-9);
    }
    scene.simulator->AdvanceTo(0.064);
    return VectorXd(scene.plant->GetVelocities(*scene.context));
  };
  const VectorXd exact = final_state(0);
  const double coarse = (final_state(1e-3) - exact).norm();
  const double fine = (final_state(2.5e-4) - exact).norm();
  EXPECT_LT(fine, 0.05);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 1.0, 0.25);
}

TEST(ContactModeling, ASceneMustBeConnected) {
  MultibodyPlant<double> plant(1e-3);
  geometry::SceneGraph<double> scene_graph;
  plant.RegisterAsSourceForSceneGraph(&scene_graph);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, HalfSpace(), "ground",
                                  MakeProperties({}));
  const auto& ball =
      plant.AddRigidBody("ball", MakeInertia(1, Vector3d::Zero(), 1e-3));
  plant.RegisterCollisionGeometry(ball, {}, Sphere(0.1), "ball",
                                  CoulombFriction<double>(1, 1));
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(plant.ExecuteForcedEvents(context.get()),
                        std::logic_error, "'geometry_query' is not connected");
}

TEST(ContactModeling, MissingPropertiesAreNamed) {
  Scene scene(1e-3, Approximation::kSap);
  const auto& ball =
      scene.plant->AddRigidBody("b", MakeInertia(1, Vector3d::Zero(), 1e-3));
  EXPECT_THROWS_MESSAGE(scene.plant->RegisterCollisionGeometry(
                            ball, {}, Sphere(0.1), "b", ProximityProperties()),
                        std::logic_error, "geometry 'b' has no property");
  scene.plant->RegisterCollisionGeometry(ball, {}, Sphere(0.1), "b",
                                         CoulombFriction<double>(1, 1));
  geometry::SceneGraphConfig config;
  config.default_proximity_properties.relaxation_time.reset();
  scene.scene_graph->set_config(config);
  scene.Finish();
  EXPECT_THROWS_MESSAGE(scene.plant->ExecuteForcedEvents(scene.context),
                        std::logic_error, "relaxation_time");
}

TEST(ContactModeling, AdjacentAndWeldedBodiesDoNotTouch) {
  Scene scene(1e-3);
  const auto& one = scene.AddBall("one", 1, 0.1);
  const auto& other = scene.AddBall("other", 1, 0.1);
  const auto& third = scene.AddBall("third", 1, 0.1);
  scene.plant->AddJoint<RevoluteJoint>("hinge", one, {}, other, {},
                                       Vector3d::UnitX());
  scene.plant->WeldFrames(other.body_frame(), third.body_frame());
  scene.Finish();
  scene.plant->SetFreeBodyPose(scene.context, one,
                               RigidTransformd(Vector3d(0, 0, 1)));
  scene.plant->ExecuteForcedEvents(scene.context);
  // One through the hinge, not the two that are not neighbours of each other.
  EXPECT_EQ(scene.Results().num_point_pair_contacts(), 1);
}

TEST(ContactModeling, SettersCheckTheirArguments) {
  MultibodyPlant<double> plant(1e-3);
  EXPECT_THROWS_MESSAGE(plant.set_stiction_tolerance(0), std::logic_error,
                        "v_stiction (m/s) is 0; it must be positive");
  EXPECT_THROWS_MESSAGE(plant.set_penetration_allowance(-1), std::logic_error,
                        "penetration_allowance (m) is -1");
  EXPECT_THROWS_MESSAGE(plant.set_sap_near_rigid_threshold(-1),
                        std::logic_error, "-1");
  EXPECT_EQ(plant.get_discrete_contact_solver(), DiscreteContactSolver::kSap);
  plant.set_discrete_contact_approximation(Approximation::kTamsi);
  EXPECT_EQ(plant.get_discrete_contact_solver(), DiscreteContactSolver::kTamsi);
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(plant.set_contact_model(ContactModel::kPoint),
                        std::logic_error, "after Finalize");
  MultibodyPlant<double> continuous(0);
  EXPECT_THROWS_MESSAGE(
      continuous.set_discrete_contact_approximation(Approximation::kSap),
      std::logic_error, "continuous");
}

TEST(MultibodyPlantConfig, IsAppliedByName) {
  DiagramBuilder<double> builder;
  MultibodyPlantConfig config;
  config.time_step = 0.002;
  config.discrete_contact_approximation = "sap";
  config.contact_model = "point";
  config.use_sampled_output_ports = false;
  auto [plant, scene_graph] = AddMultibodyPlant(config, &builder);
  EXPECT_EQ(plant.time_step(), 0.002);
  EXPECT_EQ(plant.get_contact_model(), ContactModel::kPoint);
  EXPECT_EQ(plant.get_discrete_contact_approximation(), Approximation::kSap);
  EXPECT_EQ(scene_graph.get_name(), "scene_graph");
  config.contact_model = "rubber";
  EXPECT_THROWS_MESSAGE(ApplyMultibodyPlantConfig(config, &plant),
                        std::logic_error, "'rubber' is not one of 'point'");
}

}  // namespace
}  // namespace wyvern::multibody
