// Mistakes of users, and the resulting messages.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace misuse_test {

using test::CartPole;
using test::MakeInertia;
using test::Pendulum;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Vector3<double> kZero = Vector3<double>::Zero();

TEST(Misuse, TimeStepMustBeFiniteAndNotNegative) {
  EXPECT_THROWS_MESSAGE(MultibodyPlant<double>(-1), std::logic_error, "-1");
  EXPECT_THROWS_MESSAGE(MultibodyPlant<double>{kNaN}, std::logic_error,
                        "time step");
}

TEST(Misuse, NothingIsAddedAfterFinalize) {
  Pendulum p(0);
  p.plant.Finalize();
  EXPECT_THROWS_MESSAGE(
      p.plant.AddJoint<RevoluteJoint>("elbow", p.plant.world_body(), {},
                                      *p.body, {}, Vector3<double>::UnitX()),
      std::logic_error, "joint 'elbow' was added after Finalize()");
  EXPECT_THROWS_MESSAGE(p.plant.AddRigidBody("late"), std::logic_error,
                        "body 'late' was added after Finalize()");
  EXPECT_THROWS_MESSAGE(p.plant.AddModelInstance("late"), std::logic_error,
                        "after Finalize()");
  EXPECT_THROWS_MESSAGE(p.plant.AddJointActuator("late", *p.joint),
                        std::logic_error, "after Finalize()");
  EXPECT_THROWS_MESSAGE(p.plant.Finalize(), std::logic_error, "again");
  EXPECT_THROWS_MESSAGE(
      p.plant.mutable_gravity_field().set_gravity_vector(kZero),
      std::logic_error, "already finalized");
  EXPECT_THROWS_MESSAGE(
      p.plant.get_mutable_joint(p.joint->index())
          .set_position_limits(VectorX<double>::Constant(1, -1),
                               VectorX<double>::Constant(1, 1)),
      std::logic_error, "already finalized");
}

TEST(Misuse, NothingIsAskedBeforeFinalize) {
  Pendulum p(0);
  EXPECT_THROWS_MESSAGE(p.plant.num_positions(), std::logic_error,
                        "num_positions(): the model is not finalized");
  EXPECT_THROWS_MESSAGE(p.plant.get_state_output_port(), std::logic_error,
                        "not finalized");
  EXPECT_THROWS_MESSAGE(p.joint->position_start(), std::logic_error,
                        "Finalize()");
}

TEST(Misuse, AnInertiaThatIsNotKnownIsRefusedByDynamics) {
  for (const double time_step : {0.0, 0.001}) {
    MultibodyPlant<double> plant(time_step);
    const auto& body =
        plant.AddRigidBody("blob", SpatialInertia<double>::NaN());
    EXPECT_TRUE(std::isnan(body.default_mass()));
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    EXPECT_TRUE(plant.EvalBodyPoseInWorld(*context, body).IsExactlyIdentity());
    const std::string message =
        "body 'DefaultModelInstance::blob' has the spatial inertia NaN(), a "
        "placeholder";
    Eigen::MatrixXd M(6, 6);
    EXPECT_THROWS_MESSAGE(plant.CalcMassMatrix(*context, &M), std::logic_error,
                          message);
    EXPECT_THROWS_MESSAGE(plant.CalcTotalMass(*context), std::logic_error,
                          message);
    EXPECT_THROWS_MESSAGE(plant.CalcCenterOfMassPositionInWorld(*context),
                          std::logic_error, message);
    EXPECT_THROWS_MESSAGE(systems::Simulator<double>(plant).AdvanceTo(0.01),
                          std::logic_error, message);
    body.SetSpatialInertiaInBodyFrame(
        context.get(), SpatialInertia<double>::SolidSphereWithMass(2, 1));
    EXPECT_EQ(plant.CalcTotalMass(*context), 2);
    EXPECT_NO_THROW(plant.CalcMassMatrix(*context, &M));
  }
}

TEST(Misuse, AMassThatIsNoNumberIsNoPlaceholder) {
  MultibodyPlant<double> plant(0.0);
  EXPECT_THROWS_MESSAGE(
      plant.AddRigidBody("odd", SpatialInertia<double>(
                                    kNaN, Eigen::Vector3d::Zero(),
                                    UnitInertia<double>::SolidSphere(1), true)),
      std::logic_error, "is not physical");
}

TEST(Misuse, AFramesPoseIsSetInAContext) {
  MultibodyPlant<double> plant(0.0);
  const auto& frame = plant.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
      "mark", plant.world_frame(), math::RigidTransform<double>()));
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(
      frame.SetPoseInParentFrame(nullptr, math::RigidTransform<double>()),
      std::logic_error,
      "FixedOffsetFrame::SetPoseInParentFrame(): a pointer is null");
}

TEST(Misuse, InertiaMustBePhysical) {
  MultibodyPlant<double> plant(0);
  EXPECT_THROWS_MESSAGE(
      plant.AddRigidBody(
          "odd", SpatialInertia<double>(1, Vector3<double>(2, 0, 0),
                                        UnitInertia<double>(1, 1, 1),
                                        /* skip_validity_check */ true)),
      std::logic_error, "body 'odd' is not physical");
  EXPECT_THROWS_MESSAGE(
      plant.AddRigidBody("anti", SpatialInertia<double>(
                                     -1, kZero, UnitInertia<double>(1, 1, 1),
                                     /* skip_validity_check */ true)),
      std::logic_error, "body 'anti' is not physical");
}

TEST(Misuse, NamesAreUniqueAndNotEmpty) {
  Pendulum p(0);
  EXPECT_THROWS_MESSAGE(p.plant.AddRigidBody("bob"), std::runtime_error,
                        "already has a body named 'bob'");
  EXPECT_THROWS_MESSAGE(p.plant.AddRigidBody(""), std::logic_error,
                        "empty name");
  p.plant.AddModelInstance("arm");
  EXPECT_THROWS_MESSAGE(p.plant.AddModelInstance("arm"), std::runtime_error,
                        "'arm'");
}

TEST(Misuse, LookUpsListWhatThereIs) {
  Pendulum p(0);
  EXPECT_THROWS_MESSAGE(p.plant.GetJointByName("hing"), std::logic_error,
                        "its names are: hinge");
  EXPECT_THROWS_MESSAGE(p.plant.GetBodyByName("x"), std::logic_error,
                        "world, bob");
  EXPECT_THROWS_MESSAGE(p.plant.get_body(BodyIndex(7)), std::out_of_range,
                        "index 7");
  EXPECT_THROWS_MESSAGE(p.plant.GetJointByName<PrismaticJoint>("hinge"),
                        std::logic_error, "not of the type");
  EXPECT_THROWS_MESSAGE(p.plant.GetModelInstanceName(ModelInstanceIndex(9)),
                        std::out_of_range, "9");
}

TEST(Misuse, AmbiguousNameSaysWhere) {
  CartPole m(0);
  m.plant.AddRigidBody("pole", m.loose, MakeInertia(1, kZero, 1));
  EXPECT_THROWS_MESSAGE(m.plant.GetBodyByName("pole"), std::logic_error,
                        "cart_pole, loose");
  EXPECT_EQ(&m.plant.GetBodyByName("pole", m.instance), m.pole);
}

TEST(Misuse, JointArgumentsMustMakeSense) {
  Pendulum p(0);
  const auto& W = p.plant.world_body();
  const auto& b = p.plant.AddRigidBody("b", MakeInertia(1, kZero, 1));
  EXPECT_THROWS_MESSAGE(
      p.plant.AddJoint<RevoluteJoint>("j", W, {}, b, {}, kZero),
      std::logic_error, "axis");
  EXPECT_THROWS_MESSAGE(p.plant.AddJoint<RevoluteJoint>(
                            "j", W, {}, b, {}, Vector3<double>::UnitX(), 2, 1),
                        std::logic_error, "[2, 1]");
  EXPECT_THROWS_MESSAGE(p.plant.AddJoint<RevoluteJoint>(
                            "j", W, {}, b, {}, Vector3<double>::UnitX(), -3),
                        std::logic_error, "damping[0] is -3");
  EXPECT_THROWS_MESSAGE(p.plant.AddJoint<RevoluteJoint>(
                            "j", b, {}, b, {}, Vector3<double>::UnitX()),
                        std::logic_error, "to itself");
}

TEST(Misuse, ElementsOfAnotherPlantAreRefused) {
  Pendulum p(0), other(0);
  EXPECT_THROWS_MESSAGE(p.plant.AddJoint<RevoluteJoint>(
                            "j", p.plant.world_body(), {}, *other.body, {},
                            Vector3<double>::UnitX()),
                        std::logic_error, "does not belong to this model");
}

TEST(Misuse, ContextOfAnotherPlantIsRefused) {
  Pendulum p(0), other(0);
  p.plant.Finalize();
  other.plant.Finalize();
  const auto context = other.plant.CreateDefaultContext();
  EXPECT_THROW(p.plant.GetPositions(*context), std::logic_error);
  EXPECT_THROW(p.joint->set_angle(context.get(), 1), std::logic_error);
  EXPECT_THROW(p.body->EvalPoseInWorld(*context), std::logic_error);
  MatrixX<double> M(1, 1);
  EXPECT_THROW(p.plant.CalcMassMatrix(*context, &M), std::logic_error);
  EXPECT_THROW(p.plant.SetPositions(nullptr, VectorX<double>::Zero(1)),
               std::logic_error);
}

TEST(Misuse, VectorsOfTheWrongSizeAreRefused) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  const VectorX<double> three = VectorX<double>::Zero(3);
  EXPECT_THROWS_MESSAGE(p.plant.SetPositions(context.get(), three),
                        std::logic_error, "size 3; it must have size 1");
  EXPECT_THROWS_MESSAGE(p.plant.SetPositionsAndVelocities(context.get(), three),
                        std::logic_error, "must have size 2");
  EXPECT_THROWS_MESSAGE(p.plant.CalcInverseDynamics(
                            *context, three, MultibodyForces<double>(p.plant)),
                        std::logic_error, "known_vdot has size 3");
  EXPECT_THROWS_MESSAGE(
      p.plant.CalcInverseDynamics(*context, VectorX<double>::Zero(1),
                                  MultibodyForces<double>(5, 1)),
      std::logic_error, "5 bodies");
  EXPECT_ANY_THROW(
      p.plant.get_actuation_input_port().FixValue(context.get(), three));
}

TEST(Misuse, AccelerationsMustBeFinite) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  const VectorX<double> vdot = VectorX<double>::Constant(1, kNaN);
  const MultibodyForces<double> none(p.plant);
  MatrixX<double> M(1, 1);
  std::vector<SpatialAcceleration<double>> A_WB(p.plant.num_bodies());
  const char message[] = "known_vdot[0] is nan; it must be finite";
  EXPECT_THROWS_MESSAGE(p.plant.CalcInverseDynamics(*context, vdot, none),
                        std::logic_error, message);
  EXPECT_THROWS_MESSAGE(
      p.plant.CalcSpatialAccelerationsFromVdot(*context, vdot, &A_WB),
      std::logic_error, message);
  EXPECT_THROWS_MESSAGE(
      p.plant.CalcInverseDynamicsDerivatives(*context, vdot, none, &M, &M, &M),
      std::logic_error, message);
}

TEST(Misuse, InverseDynamicsRefusesForcesThatAreNotFinite) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  const VectorX<double> vdot = VectorX<double>::Zero(1);
  MultibodyForces<double> on_joint(p.plant), on_body(p.plant);
  on_joint.mutable_generalized_forces()[0] = kNaN;
  on_body.mutable_body_forces()[p.body->index()] =
      SpatialForce<double>(kZero, Vector3<double>(0, 0, kNaN));
  for (const auto* forces : {&on_joint, &on_body}) {
    EXPECT_THROWS_MESSAGE(p.plant.CalcInverseDynamics(*context, vdot, *forces),
                          std::runtime_error,
                          "entry 0 of tau is nan; external_forces, or");
  }
}

TEST(Misuse, OneVectorMayBeVelocitiesAndRates) {
  MultibodyPlant<double> plant(0);
  plant.AddRigidBody("body", MakeInertia(1, kZero, 1));
  plant.SetBaseBodyJointType(BaseBodyJointType::kRpyFloatingJoint);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  Vector6<double> q, v;
  q << 0.3, -0.4, 0.5, 1, 2, 3;
  v << 1, 2, 3, 4, 5, 6;
  plant.SetPositions(context.get(), q);
  VectorX<double> qdot(6), both = v;
  plant.MapVelocityToQDot(*context, v, &qdot);
  plant.MapVelocityToQDot(*context, both, &both);
  EXPECT_EQ(both, qdot);
  plant.MapQDotToVelocity(*context, both, &both);
  EXPECT_LT((both - v).norm(), 1e-14);
}

TEST(Misuse, StateMustBeFinite) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      p.plant.SetPositions(context.get(), VectorX<double>::Constant(1, kNaN)),
      std::logic_error, "the state[0] is nan; it must be finite");
  EXPECT_THROWS_MESSAGE(p.joint->set_angle(context.get(), kNaN),
                        std::logic_error, "'hinge'");
}

TEST(Misuse, MassParametersAreChecked) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(p.body->SetMass(context.get(), -1), std::logic_error,
                        "'bob'");
  EXPECT_THROWS_MESSAGE(p.body->SetMass(context.get(), kNaN), std::logic_error,
                        "'bob'");
}

}  // namespace misuse_test
}  // namespace wyvern::multibody
