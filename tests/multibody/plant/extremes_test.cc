// Inputs at the edges: an error or finite numbers, never NaN.
#include <functional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"

namespace wyvern::multibody {
namespace extremes_test {

using test::CartPole;
using test::MakeInertia;
using test::Pendulum;

// Accelerations, or a step, at some state.
void ExpectErrorOrFinite(double time_step, const VectorX<double>& q,
                         const VectorX<double>& v, double force) {
  CartPole m(time_step);
  if (time_step > 0) m.plant.SetUseSampledOutputPorts(false);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  VectorX<double> positions = m.plant.GetPositions(*context);
  positions.head(q.size()) = q;
  m.plant.SetPositions(context.get(), positions);
  VectorX<double> velocities = m.plant.GetVelocities(*context);
  velocities.head(v.size()) = v;
  m.plant.SetVelocities(context.get(), velocities);
  m.plant.get_actuation_input_port().FixValue(
      context.get(), VectorX<double>::Constant(2, force).eval());
  try {
    const VectorX<double> vdot =
        m.plant.get_generalized_acceleration_output_port().Eval(*context);
    EXPECT_TRUE(vdot.allFinite()) << vdot.transpose();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()), "");
  }
}

TEST(Extremes, HugeStatesAndForcesGiveAnErrorOrFiniteAccelerations) {
  for (double time_step : {0.0, 1e-3}) {
    for (double huge : {1e30, 1e150, 1e300}) {
      const Vector2<double> small(0.1, 0.2), large(huge, huge);
      ExpectErrorOrFinite(time_step, large, small, 1);
      ExpectErrorOrFinite(time_step, small, large, 1);
      ExpectErrorOrFinite(time_step, small, small, huge);
      ExpectErrorOrFinite(time_step, large, large, huge);
    }
  }
}

TEST(Extremes, AccelerationTooLargeIsRefusedByName) {
  CartPole m(0);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.hinge->set_angular_rate(context.get(), 1e200);
  EXPECT_THROWS_MESSAGE(
      m.plant.get_generalized_acceleration_output_port().Eval(*context),
      std::runtime_error, "joint 'slider', is");
}

// An arm of link `a` with a massless link `b` on the joint `last`.
void AddMasslessEnd(MultibodyPlant<double>* plant_pointer) {
  MultibodyPlant<double>& plant = *plant_pointer;
  if (plant.is_discrete()) plant.SetUseSampledOutputPorts(false);
  const auto& a = plant.AddRigidBody("a", MakeInertia(1, {0, 0, 1}, 0.1));
  const auto& b = plant.AddRigidBody("b", SpatialInertia<double>::Zero());
  plant.AddJoint<RevoluteJoint>("first", plant.world_body(), {}, a, {},
                                Vector3<double>::UnitX());
  plant.AddJoint<RevoluteJoint>("last", a, {}, b, {}, Vector3<double>::UnitX());
  plant.Finalize();
}

TEST(Extremes, MasslessEndHasKinematicsAndForces) {
  MultibodyPlant<double> plant(0);
  AddMasslessEnd(&plant);
  const auto context = plant.CreateDefaultContext();
  plant.SetPositions(context.get(), Vector2<double>(0.1, 0.2));
  const auto& last = plant.GetJointByName("last");
  EXPECT_EQ(last.GetOnePosition(*context), 0.2);
  EXPECT_TRUE(plant.GetBodyByName("b")
                  .EvalPoseInWorld(*context)
                  .GetAsMatrix4()
                  .allFinite());
  MatrixX<double> M(2, 2);
  plant.CalcMassMatrix(*context, &M);
  EXPECT_GT(M(0, 0), 0);
  EXPECT_EQ(M(1, 1), 0);
  // The last joint needs no force to accelerate.
  const VectorX<double> tau = plant.CalcInverseDynamics(
      *context, Vector2<double>(0, 1), MultibodyForces<double>(plant));
  EXPECT_EQ(tau[1], 0);
}

TEST(Extremes, DynamicsOfAMasslessEndAreRefusedByName) {
  for (const double time_step : {0.0, 1e-3}) {
    MultibodyPlant<double> plant(time_step);
    AddMasslessEnd(&plant);
    const auto context = plant.CreateDefaultContext();
    const char* const kWhy =
        "body 'b' has no inertia that joint 'last' could move";
    MatrixX<double> inverse(2, 2);
    EXPECT_THROWS_MESSAGE(plant.CalcMassMatrixInverse(*context, &inverse),
                          std::runtime_error, kWhy);
    if (time_step == 0) {
      EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context),
                            std::runtime_error, kWhy);
      continue;
    }
    EXPECT_THROWS_MESSAGE(plant.EvalUniquePeriodicDiscreteUpdate(*context),
                          std::runtime_error, kWhy);
  }
}

// A finger that its hand moves by a coupler, both without mass.
TEST(Extremes, ACouplerThatMovesNoInertiaIsRefusedByName) {
  for (const double time_step : {0.0, 1e-3}) {
    MultibodyPlant<double> plant(time_step);
    if (plant.is_discrete()) plant.SetUseSampledOutputPorts(false);
    const auto& arm = plant.AddRigidBody("arm", MakeInertia(1, {0, 0, 1}, 0.1));
    const auto& palm =
        plant.AddRigidBody("palm", SpatialInertia<double>::Zero());
    const auto& tip = plant.AddRigidBody("tip", SpatialInertia<double>::Zero());
    const auto x = Vector3<double>::UnitX();
    plant.AddJoint<RevoluteJoint>("elbow", plant.world_body(), {}, arm, {}, x);
    const auto& hand =
        plant.AddJoint<RevoluteJoint>("hand", arm, {}, palm, {}, x);
    const auto& finger =
        plant.AddJoint<RevoluteJoint>("finger", palm, {}, tip, {}, x);
    plant.AddCouplerConstraint(finger, hand, 1.0);
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    const std::string why =
        "body 'tip' has no inertia that joint 'finger' could move, or none "
        "that is finite, so that it has no acceleration; give the body mass "
        "and inertia, or weld the joint.";
    if (time_step == 0) {
      EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context),
                            std::runtime_error, why);
      continue;
    }
    EXPECT_THROWS_MESSAGE(
        plant.EvalUniquePeriodicDiscreteUpdate(*context), std::runtime_error,
        "at time 0: coupler of joints 'finger' and 'hand': " + why);
  }
}

// The arm touches, or the end itself.
TEST(Extremes, ContactOfATreeWithAMasslessEndIsRefusedByName) {
  for (const char* touching : {"arm", "tip"}) {
    systems::DiagramBuilder<double> builder;
    auto& plant = AddMultibodyPlantSceneGraph(&builder, 1e-3).plant;
    plant.SetUseSampledOutputPorts(false);
    const auto x = Vector3<double>::UnitX();
    const auto& arm = plant.AddRigidBody("arm", MakeInertia(1, {0, 0, 1}, 0.1));
    const auto& tip = plant.AddRigidBody("tip", SpatialInertia<double>::Zero());
    plant.AddJoint<RevoluteJoint>("elbow", plant.world_body(), {}, arm, {}, x);
    plant.AddJoint<RevoluteJoint>("wrist", arm, {}, tip, {}, x);
    const CoulombFriction<double> friction(0.5, 0.5);
    plant.RegisterCollisionGeometry(plant.world_body(), {},
                                    geometry::HalfSpace(), "floor", friction);
    plant.RegisterCollisionGeometry(
        plant.GetBodyByName(touching),
        math::RigidTransform<double>(Vector3<double>(0, 0.2, 0)),
        geometry::Sphere(0.01), "ball", friction);
    plant.Finalize();
    const auto diagram = builder.Build();
    const auto context = diagram->CreateDefaultContext();
    EXPECT_THROWS_MESSAGE(
        plant.EvalUniquePeriodicDiscreteUpdate(
            plant.GetMyContextFromRoot(*context)),
        std::runtime_error,
        "body 'tip' has no inertia that joint 'wrist' could move");
  }
}

// A rotor's inertia, or in a step the damping, is enough.
TEST(Extremes, AMasslessEndWithDampingSteps) {
  MultibodyPlant<double> plant(1e-3);
  plant.SetUseSampledOutputPorts(false);
  const auto& b = plant.AddRigidBody("b", SpatialInertia<double>::Zero());
  const auto& joint = plant.AddJoint<RevoluteJoint>(
      "last", plant.world_body(), {}, b, {}, Vector3<double>::UnitX(), -1, 1,
      0.5 /* damping */);
  plant.get_mutable_joint(joint.index())
      .set_default_friction_vector(Vector1<double>(0.25));
  const auto& motor = plant.AddJointActuator("motor", joint, 10);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  plant.get_actuation_input_port().FixValue(context.get(), 1.0);
  // The torque less friction is what damping takes: 0.5 v = 1 - 0.25.
  const auto& next = plant.EvalUniquePeriodicDiscreteUpdate(*context);
  EXPECT_NEAR(next.value(0)[1], 1.5, 1e-12) << motor.name();
}

TEST(Extremes, AMasslessEndPastItsLimitStepsToFiniteNumbersOrIsRefused) {
  for (const double damping : {0.0, 0.5}) {
    MultibodyPlant<double> plant(1e-3);
    plant.SetUseSampledOutputPorts(false);
    const auto& b = plant.AddRigidBody("b", SpatialInertia<double>::Zero());
    const auto& joint =
        plant.AddJoint<RevoluteJoint>("last", plant.world_body(), {}, b, {},
                                      Vector3<double>::UnitX(), -1, 1, damping);
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    joint.set_angle(context.get(), 1.5);
    joint.set_angular_rate(context.get(), 2);
    try {
      EXPECT_TRUE(plant.EvalUniquePeriodicDiscreteUpdate(*context)
                      .value(0)
                      .allFinite());
      EXPECT_GT(damping, 0);
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("'last'"), std::string::npos);
    }
  }
}

TEST(Extremes, StraightArmMovesAsAnyOther) {
  MultibodyPlant<double> plant(0);
  const RigidBody<double>* parent = &plant.world_body();
  for (int i = 0; i < 6; ++i) {
    const auto& link = plant.AddRigidBody("link" + std::to_string(i),
                                          MakeInertia(1, {0, 0, 0.5}, 0.01));
    const Vector3<double> p(0, 0, i == 0 ? 0 : 1);
    plant.AddJoint<RevoluteJoint>(
        "joint" + std::to_string(i), *parent, math::RigidTransform<double>(p),
        link, {},
        i % 2 == 0 ? Vector3<double>(0, 1, 0) : Vector3<double>(0, 0, 1));
    parent = &link;
  }
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  plant.SetVelocities(context.get(), VectorX<double>::Ones(6));
  const VectorX<double> vdot =
      plant.get_generalized_acceleration_output_port().Eval(*context);
  EXPECT_TRUE(vdot.allFinite());
}

template <template <typename> class JointType>
void ExpectGimbalLockIsRefused(double time_step) {
  MultibodyPlant<double> plant(time_step);
  const auto& body = plant.AddRigidBody("body", MakeInertia(1, {0, 0, 0}, 1));
  const auto& joint =
      plant.AddJoint<JointType>("joint", plant.world_body(), {}, body, {});
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  joint.set_angles(context.get(), Vector3<double>(0, M_PI / 2, 0));
  joint.set_angular_velocity(context.get(), Vector3<double>(1, 1, 1));
  context->SetTime(3);
  const auto advance = [&] {
    if (time_step > 0) {
      plant.ExecuteForcedEvents(context.get());
    } else {
      plant.EvalTimeDerivatives(*context);
    }
  };
  EXPECT_THROWS_MESSAGE(advance(), std::runtime_error,
                        "at time 3: joint 'joint': Roll-pitch-yaw mobilizer: "
                        "gimbal lock");
}

TEST(Extremes, GimbalLockIsRefused) {
  for (double time_step : {0.0, 1e-3}) {
    ExpectGimbalLockIsRefused<BallRpyJoint>(time_step);
    ExpectGimbalLockIsRefused<RpyFloatingJoint>(time_step);
  }
}

TEST(Extremes, AStepThatIsNotSolvedSaysWhereAndWhatToDo) {
  MultibodyPlant<double> plant(0.01);
  plant.SetUseSampledOutputPorts(false);
  plant.set_name("arm");
  const auto M = SpatialInertia<double>::SolidBoxWithMass(1, 0.1, 0.2, 0.3)
                     .Shift(Vector3<double>(-0.3, 0, 0.1));
  const RigidBody<double>* parent = &plant.world_body();
  for (int i = 0; i < 3; ++i) {
    const std::string name = fmt::format("hinge{}", i);
    const auto& link = plant.AddRigidBody(name, M);
    plant.AddJoint<RevoluteJoint>(
        name, *parent,
        math::RigidTransform<double>(Vector3<double>(0.5, 0.1, 0)), link, {},
        Vector3<double>::Unit(i), 0.1);
    parent = &link;
  }
  plant.AddBallConstraint(*parent, Vector3<double>(0.5, 0, 0),
                          plant.world_body(), Vector3<double>(1, 0.2, 0));
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  plant.SetVelocities(context.get(), Vector3<double>(1, -1e100, 1));
  const auto step = [&] { plant.EvalUniquePeriodicDiscreteUpdate(*context); };
  EXPECT_THROWS_MESSAGE(step(), std::runtime_error,
                        "MultibodyPlant '::arm': the step from time 0 found no "
                        "velocities that balance all forces.");
  EXPECT_THROWS_MESSAGE(step(), std::runtime_error,
                        "Take a time step shorter than 0.01 s. The largest "
                        "velocity is -1e+100, of joint 'hinge1': look there");
}

}  // namespace extremes_test
}  // namespace wyvern::multibody
