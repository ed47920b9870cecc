/** @file Sensors on a plant: closed forms of pendulums, tops and weights. */

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/sensors/accelerometer.h"
#include "wyvern/multibody/sensors/contact_sensor.h"
#include "wyvern/multibody/sensors/force_torque_sensor.h"
#include "wyvern/multibody/sensors/gyroscope.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/sensors/measured_signal.h"

namespace wyvern::systems::sensors {
namespace sensors_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using math::RollPitchYawd;
using multibody::ContactModel;
using multibody::MultibodyPlant;
using multibody::RevoluteJoint;
using multibody::RigidBody;
using multibody::SpatialInertia;
using wyvern::test::Near;

constexpr double kGravity = 9.81;  // m/s^2
const Vector3d kDown(0, 0, -kGravity);
constexpr double kMass = 2;
constexpr double kLength = 0.7;

// A point mass at the end of a rod that turns about y; at angle q its p_WQ is
// L (-sin q, 0, -cos q).
class Pendulum {
 public:
  explicit Pendulum(const RigidTransformd& X_BS = {}, double time_step = 0)
      : plant_(builder.AddSystem<MultibodyPlant<double>>(time_step)) {
    const auto& rod = plant_->AddRigidBody(
        "rod",
        SpatialInertia<double>::PointMass(kMass, Vector3d(0, 0, -kLength)));
    joint = &plant_->AddJoint<RevoluteJoint>("pin", plant_->world_body(), {},
                                             rod, {}, Vector3d::UnitY());
    plant_->Finalize();
    accelerometer = &Accelerometer<double>::AddToDiagram(rod, X_BS, kDown,
                                                         *plant_, &builder);
    gyroscope = &Gyroscope<double>::AddToDiagram(rod, X_BS, *plant_, &builder);
    force = &ForceTorqueSensor<double>::AddToDiagram(*joint, X_BS, *plant_,
                                                     &builder);
  }
  void Finish() {
    diagram = builder.Build();
    context = diagram->CreateDefaultContext();
  }
  void Set(double q, double w) {
    auto& mine = plant_->GetMyMutableContextFromRoot(context.get());
    joint->set_angle(&mine, q);
    joint->set_angular_rate(&mine, w);
  }
  VectorXd Measure(const System<double>& sensor) const {
    return sensor.get_output_port(0).Eval(
        sensor.GetMyContextFromRoot(*context));
  }

  DiagramBuilder<double> builder;
  MultibodyPlant<double>* plant_{};
  const RevoluteJoint<double>* joint{};
  const Accelerometer<double>* accelerometer{};
  const Gyroscope<double>* gyroscope{};
  const ForceTorqueSensor<double>* force{};
  std::unique_ptr<Diagram<double>> diagram;
  std::unique_ptr<Context<double>> context;
};

// Turned by q about y, the bob of a pendulum in free motion has no proper
// acceleration across the rod: gravity is all that moves it there. Along the
// rod, towards the pivot, it is w^2 L + g cos q.
TEST(Accelerometer, OnAPendulumsBobFeelsTheRodAlone) {
  Pendulum pendulum(RigidTransformd(Vector3d(0, 0, -kLength)));
  pendulum.Finish();
  for (double q : {0.0, 0.4, -2.1}) {
    for (double w : {0.0, 1.7}) {
      pendulum.Set(q, w);
      const Vector3d expected(0, 0, w * w * kLength + kGravity * std::cos(q));
      EXPECT_TRUE(
          Near(pendulum.Measure(*pendulum.accelerometer), expected, 1e-13));
    }
  }
}

// At a distance r along the rod, qdd = -g/L sin q leaves (r - L)/L of gravity
// across it.
TEST(Accelerometer, ElsewhereOnThePendulumFeelsWhatTheRodCarries) {
  const double r = 0.2, q = 0.5, w = -0.8;
  const RigidTransformd X_BS(RollPitchYawd(0.3, -0.2, 1.1), Vector3d(0, 0, -r));
  Pendulum pendulum(X_BS);
  pendulum.Finish();
  pendulum.Set(q, w);
  const double across = kGravity * std::sin(q) * (r / kLength - 1);
  const Vector3d along_B(across, 0, w * w * r + kGravity * std::cos(q));
  const Vector3d expected = X_BS.rotation().transpose() * along_B;
  EXPECT_TRUE(Near(pendulum.Measure(*pendulum.accelerometer), expected, 1e-13));
}

TEST(Accelerometer, WithoutGravityMeasuresTheAcceleration) {
  Pendulum pendulum;
  const auto& rod = pendulum.plant_->GetBodyByName("rod");
  const RigidTransformd X_BS(Vector3d(0, 0, -kLength));
  const auto* sensor =
      pendulum.builder.AddSystem<Accelerometer<double>>(rod, X_BS);
  const auto& plant = *pendulum.plant_;
  pendulum.builder.Connect(plant.get_body_poses_output_port(),
                           sensor->get_body_poses_input_port());
  pendulum.builder.Connect(plant.get_body_spatial_velocities_output_port(),
                           sensor->get_body_velocities_input_port());
  pendulum.builder.Connect(plant.get_body_spatial_accelerations_output_port(),
                           sensor->get_body_accelerations_input_port());
  pendulum.Finish();
  pendulum.Set(0.5, 0);
  // qdd = -g/L sin q moves the bob along -x of the rod's frame.
  EXPECT_TRUE(Near(pendulum.Measure(*sensor),
                   Vector3d(kGravity * std::sin(0.5), 0, 0), 1e-13));
  EXPECT_EQ(sensor->body_index(), rod.index());
  EXPECT_EQ(sensor->gravity_vector(), Vector3d::Zero());
  EXPECT_EQ(sensor->pose().translation(), X_BS.translation());
}

// At rest it measures -g, by any g of its Context.
TEST(Accelerometer, KnowsTheGravityOfItsContext) {
  Pendulum pendulum(RigidTransformd(Vector3d(0, 0, -kLength)));
  pendulum.Finish();
  pendulum.Set(0, 0);
  const auto& sensor = *pendulum.accelerometer;
  auto& context = sensor.GetMyMutableContextFromRoot(pendulum.context.get());
  const Vector3d before = pendulum.Measure(sensor);
  EXPECT_TRUE(Near(before, Vector3d(0, 0, kGravity), 1e-12));
  sensor.SetGravityVector(&context, Vector3d(0, 0, -1.62));
  EXPECT_TRUE(Near(pendulum.Measure(sensor), Vector3d(0, 0, 1.62), 1e-12));
  EXPECT_EQ(sensor.gravity_vector().z(), -kGravity);
  EXPECT_THROWS_MESSAGE(sensor.SetGravityVector(&context, Vector3d(0, NAN, 0)),
                        std::logic_error, "gravity_vector[1] is nan");
  EXPECT_THROW(sensor.SetGravityVector(pendulum.context.get(), before),
               std::logic_error);
  EXPECT_THROW(sensor.SetGravityVector(nullptr, before), std::logic_error);
}

// Derivatives against differences.
TEST(Accelerometer, HasDerivatives) {
  Pendulum pendulum(RigidTransformd(Vector3d(0, 0, -kLength)));
  pendulum.Finish();
  pendulum.Set(0.4, 1.7);
  const auto converted = System<double>::ToAutoDiffXd(*pendulum.diagram);
  const auto context = converted->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*pendulum.context);
  VectorX<AutoDiffXd> x = context->get_continuous_state_vector().CopyToVector();
  x[0] = AutoDiffXd(0.4, 2, 0);
  x[1] = AutoDiffXd(1.7, 2, 1);
  context->SetContinuousState(x);
  const auto& sensor =
      static_cast<const Diagram<AutoDiffXd>&>(*converted)
          .GetSubsystemByName(pendulum.accelerometer->get_name());
  const VectorX<AutoDiffXd> y =
      sensor.get_output_port(0).Eval(sensor.GetMyContextFromRoot(*context));
  const Eigen::Vector2d expected(-kGravity * std::sin(0.4), 2 * 1.7 * kLength);
  EXPECT_TRUE(Near(y[2].derivatives(), expected, 1e-12));
}

// A top that turns freely has w = (a cos ft, a sin ft, n) in its own frame,
// with f = (J - I) n / I.
TEST(Gyroscope, OnAFreeTopTurnsAsEulerSays) {
  const double I = 0.02, J = 0.03, n = 10, a = 0.5;
  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.0);
  const auto& top = plant->AddRigidBody(
      "top", SpatialInertia<double>(1, Vector3d::Zero(),
                                    multibody::UnitInertia<double>(I, I, J)));
  plant->Finalize();
  const RigidTransformd X_BS(RollPitchYawd(0.5, 0.2, -0.7), Vector3d(1, 2, 3));
  const auto& sensor =
      Gyroscope<double>::AddToDiagram(top, X_BS, *plant, &builder);
  Simulator<double> simulator(builder.Build());
  auto& context =
      plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  // The axes of body and world agree at first.
  plant->SetFreeBodySpatialVelocity(
      &context, top,
      multibody::SpatialVelocity<double>(Vector3d(a, 0, n), Vector3d::Zero()));
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  simulator.AdvanceTo(1);
  const double f = (J - I) * n / I;
  const Vector3d w_B(a * std::cos(f), a * std::sin(f), n);
  const VectorXd measured = sensor.get_measurement_output_port().Eval(
      sensor.GetMyContextFromRoot(simulator.get_context()));
  // The accuracy times the steps.
  EXPECT_TRUE(Near(measured, X_BS.rotation().transpose() * w_B, 1e-6));
}

// The pin holds the bob: it pulls along the rod, and about the pin's own axis
// turns nothing.
TEST(ForceTorqueSensor, InAPendulumsPinFeelsThePull) {
  Pendulum pendulum;
  pendulum.Finish();
  const double q = 0.6, w = 1.3;
  pendulum.Set(q, w);
  VectorXd expected = VectorXd::Zero(6);
  expected[5] = kMass * (w * w * kLength + kGravity * std::cos(q));
  EXPECT_TRUE(Near(pendulum.Measure(*pendulum.force), expected, 1e-12));
}

// A weight at the end of an arm that is welded to the world: the weld holds it
// up, and against the moment of the arm about the sensor.
class Weight : public testing::TestWithParam<double> {};

TEST_P(Weight, AtAWeldIsItsForceAndItsMoment) {
  const double m = 3;
  const Vector3d p_BBcm(0.4, 0.1, -0.2);
  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(GetParam());
  const auto& arm = plant->AddRigidBody(
      "arm",
      SpatialInertia<double>::SolidSphereWithMass(m, 0.05).Shift(-p_BBcm));
  const RigidTransformd X_WB(RollPitchYawd(0.2, 0.7, -0.4), Vector3d(1, 2, 3));
  const auto& weld =
      plant->WeldFrames(plant->world_frame(), arm.body_frame(), X_WB);
  plant->Finalize();
  const RigidTransformd X_BS(RollPitchYawd(1, 2, 3), Vector3d(0.1, 0, 0.3));
  const auto& sensor =
      ForceTorqueSensor<double>::AddToDiagram(weld, X_BS, *plant, &builder);
  Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(0.01);
  const VectorXd y = sensor.get_measurement_output_port().Eval(
      sensor.GetMyContextFromRoot(simulator.get_context()));
  const auto R_SW = (X_WB * X_BS).rotation().transpose();
  const Vector3d f_S = R_SW * Vector3d(-m * kDown);
  const Vector3d p_SBcm_S = X_BS.inverse() * p_BBcm;
  EXPECT_TRUE(Near(y.tail(3), f_S, 1e-12));
  EXPECT_TRUE(Near(y.head(3), p_SBcm_S.cross(f_S), 1e-12));
}

INSTANTIATE_TEST_SUITE_P(TimeStep, Weight, testing::Values(0.0, 1e-3));

geometry::ProximityProperties Properties() {
  geometry::ProximityProperties properties;
  geometry::AddContactMaterial(
      5.0, 1e5, multibody::CoulombFriction<double>(0.5, 0.5), &properties);
  return properties;
}
geometry::ProximityProperties Rigid() {
  auto properties = Properties();
  geometry::AddRigidHydroelasticProperties(0.1, &properties);
  return properties;
}
geometry::ProximityProperties Slab() {
  auto properties = Properties();
  geometry::AddCompliantHydroelasticPropertiesForHalfSpace(0.05, 1e6,
                                                           &properties);
  return properties;
}

// A box that falls, and comes to rest at x = 1.
class Box {
 public:
  explicit Box(ContactModel model, double threshold = 0) {
    DiagramBuilder<double> builder;
    auto [added, scene_graph] =
        multibody::AddMultibodyPlantSceneGraph(&builder, 1e-3);
    plant = &added;
    added.set_contact_model(model);
    added.RegisterCollisionGeometry(added.world_body(), {},
                                    geometry::HalfSpace(), "ground", Slab());
    const auto& box = added.AddRigidBody(
        "box", SpatialInertia<double>::SolidBoxWithMass(kMass, 0.1, 0.1, 0.1));
    added.RegisterCollisionGeometry(box, {}, geometry::Box(0.1, 0.1, 0.1),
                                    "box", Rigid());
    added.Finalize();
    sensor =
        &ContactSensor<double>::AddToDiagram(box, added, &builder, threshold);
    ground = &ContactSensor<double>::AddToDiagram(added.world_body(), added,
                                                  &builder);
    simulator = std::make_unique<Simulator<double>>(builder.Build());
    added.SetFreeBodyPose(
        &added.GetMyMutableContextFromRoot(&simulator->get_mutable_context()),
        box, RigidTransformd(Vector3d(1, 0, 0.1)));
  }
  VectorXd Wrench(const ContactSensor<double>& of) const {
    return of.get_wrench_output_port().Eval(
        of.GetMyContextFromRoot(simulator->get_context()));
  }
  // Returns the acceleration of the box in its last step.
  Vector3d Acceleration() const {
    return plant->get_body_spatial_accelerations_output_port()
        .Eval<std::vector<multibody::SpatialAcceleration<double>>>(
            plant->GetMyContextFromRoot(simulator->get_context()))[1]
        .translational();
  }
  double in_contact() const {
    return sensor->get_in_contact_output_port().Eval(
        sensor->GetMyContextFromRoot(simulator->get_context()))[0];
  }

  const MultibodyPlant<double>* plant{};
  const ContactSensor<double>* sensor{};
  const ContactSensor<double>* ground{};
  std::unique_ptr<Simulator<double>> simulator;
};

class ContactSensorOf : public testing::TestWithParam<ContactModel> {};

TEST_P(ContactSensorOf, ABoxFeelsNothingInFlightAndItsWeightAtRest) {
  Box scene(GetParam());
  scene.simulator->AdvanceTo(0.05);
  EXPECT_EQ(scene.in_contact(), 0);
  EXPECT_EQ(scene.Wrench(*scene.sensor), VectorXd::Zero(6));
  scene.simulator->AdvanceTo(1);
  EXPECT_EQ(scene.in_contact(), 1);
  VectorXd weight = VectorXd::Zero(6);
  weight[5] = kMass * kGravity;
  // A thousandth of the fall is left.
  const VectorXd wrench = scene.Wrench(*scene.sensor);
  EXPECT_TRUE(Near(wrench, weight, 0.02));
  // Newton: all that moves the box is weight and contact. To the tolerance of
  // the step's solver.
  const Vector3d a = scene.Acceleration();
  EXPECT_TRUE(Near(wrench.tail(3), kMass * (a - kDown), 1e-7));
  // The ground feels the opposite, at x = 1 from its origin.
  const VectorXd on_ground = scene.Wrench(*scene.ground);
  EXPECT_TRUE(Near(on_ground.tail(3), -wrench.tail(3), 1e-12));
  EXPECT_NEAR(on_ground[1], weight[5], 0.02);
}

INSTANTIATE_TEST_SUITE_P(PointsAndSurfaces, ContactSensorOf,
                         testing::Values(ContactModel::kPoint,
                                         ContactModel::kHydroelastic));

TEST(ContactSensor, IsNotInContactBelowItsThreshold) {
  Box scene(ContactModel::kPoint, kMass * kGravity * 1.01);
  scene.simulator->AdvanceTo(1);
  EXPECT_EQ(scene.in_contact(), 0);
}

// A sample of a discrete plant at t is of its state at t, though the plant
// steps at t too.
TEST(MeasuredSignal, OfADiscretePlantIsOfItsTime) {
  DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<MultibodyPlant<double>>(0.01);
  plant->AddRigidBody("ball",
                      SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  plant->Finalize();
  const auto* signal = AddMeasuredSignal<double>(plant->get_state_output_port(),
                                                 {.period = 0.05}, &builder);
  Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(0.1);
  const auto& plant_context =
      plant->GetMyContextFromRoot(simulator.get_context());
  const VectorXd at_01 = plant->GetPositionsAndVelocities(plant_context);
  // The sample at 0.1 is taken in the step from there.
  simulator.AdvanceTo(0.12);
  EXPECT_EQ(signal->get_output_port().Eval(
                signal->GetMyContextFromRoot(simulator.get_context())),
            at_01);
}

TEST(Sensors, RefuseWhatTheyCannotMeasure) {
  MultibodyPlant<double> plant(0.0);
  const auto& body = plant.AddRigidBody(
      "body", SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  RigidTransformd X_BS;
  X_BS.set_translation(Vector3d(0, NAN, 0));
  EXPECT_THROWS_MESSAGE(Accelerometer<double>(body, X_BS), std::logic_error,
                        "X_BS(1, 3) is nan");
  EXPECT_THROWS_MESSAGE(
      Accelerometer<double>(body, {}, Vector3d(0, 0, INFINITY)),
      std::logic_error, "gravity_vector[2] is inf");
  EXPECT_THROWS_MESSAGE(Gyroscope<double>(body, X_BS), std::logic_error,
                        "Gyroscope(): X_BS");
  EXPECT_THROWS_MESSAGE(ContactSensor<double>(body, plant), std::logic_error,
                        "call Finalize() first");
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(ContactSensor<double>(body, plant, -1),
                        std::logic_error, "threshold is -1");
  EXPECT_THROWS_MESSAGE(
      Gyroscope<double>::AddToDiagram(body, {}, plant, nullptr),
      std::logic_error, "Gyroscope::AddToDiagram(): builder is null");
}

TEST(Sensors, HaveUnits) {
  MultibodyPlant<double> plant(0.0);
  const auto& body = plant.AddRigidBody(
      "body", SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  const Gyroscope<double> gyroscope(body, {});
  const Accelerometer<double> accelerometer(body, {});
  EXPECT_EQ(gyroscope.get_measurement_output_port().DescribeUnits(), "rad/s");
  EXPECT_EQ(accelerometer.get_measurement_output_port().DescribeUnits(),
            "m/s^2");
}

TEST(Sensors, NameThePortOfAnotherPlant) {
  MultibodyPlant<double> plant(0.0);
  const auto& body = plant.AddRigidBody(
      "body", SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  const Gyroscope<double> sensor(body, {});
  const auto context = sensor.CreateDefaultContext();
  sensor.get_body_poses_input_port().FixValue(context.get(),
                                              std::vector<RigidTransformd>(1));
  sensor.get_body_velocities_input_port().FixValue(
      context.get(), std::vector<multibody::SpatialVelocity<double>>(1));
  EXPECT_THROWS_MESSAGE(sensor.get_measurement_output_port().Eval(*context),
                        std::out_of_range, "'body_poses'");
}

}  // namespace sensors_test
}  // namespace wyvern::systems::sensors
