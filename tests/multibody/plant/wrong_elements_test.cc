// Elements and model instances that do not exist are refused by every function
// that takes one, on both scalars.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/door_hinge.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/fluid_drag.h"
#include "wyvern/multibody/tree/gravity_compensation.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/prismatic_spring.h"
#include "wyvern/multibody/tree/revolute_spring.h"

namespace wyvern::multibody {
namespace {

template <typename T>
class WrongElements : public test::ScalarPlants<T> {
 public:
  // Each name a second time, in the other model instance.
  void AddNamesakes() {
    const auto& pole = this->open_.AddRigidBody(
        "pole", this->model_.loose, test::MakeInertia(1, {0, 0, 0}, 1));
    const auto& hinge = this->open_.template AddJoint<RevoluteJoint>(
        "hinge", this->open_.GetBodyByName("stone"), {}, pole, {},
        Vector3<double>::UnitX());
    this->open_.AddJointActuator("push", hinge);
  }
};
TYPED_TEST_SUITE(WrongElements, test::Scalars);

#define EXPECT_IS_OUT_OF_RANGE(call) EXPECT_THROW(call, std::out_of_range)

TYPED_TEST(WrongElements, IndicesAreOutOfRange) {
  auto& plant = *this->plant_;
  for (int i : {5, 17}) {
    EXPECT_THROWS_MESSAGE(plant.get_body(BodyIndex(i)), std::out_of_range,
                          "no body with index");
    EXPECT_IS_OUT_OF_RANGE(plant.get_joint(JointIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(plant.get_mutable_joint(JointIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(plant.get_joint_actuator(JointActuatorIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(
        plant.get_mutable_joint_actuator(JointActuatorIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(plant.get_force_element(ForceElementIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(plant.GetForceElement(ForceElementIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(plant.get_frame(FrameIndex(3 + i)));
    EXPECT_FALSE(plant.has_joint(JointIndex(i)));
    EXPECT_FALSE(plant.has_joint_actuator(JointActuatorIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(plant.GetBodyFrameIdOrThrow(BodyIndex(i)));
    EXPECT_IS_OUT_OF_RANGE(
        plant.GetBodiesKinematicallyAffectedBy({JointIndex(i)}));
    EXPECT_IS_OUT_OF_RANGE(plant.CalcSpatialInertia(
        *this->context_, plant.world_frame(), {BodyIndex(i)}));
    EXPECT_IS_OUT_OF_RANGE(plant.MakeStateSelectorMatrix({JointIndex(i)}));
    EXPECT_IS_OUT_OF_RANGE(plant.MakeActuatorSelectorMatrix(
        std::vector<JointActuatorIndex>{JointActuatorIndex(i)}));
  }
}

TYPED_TEST(WrongElements, IndicesThatWereNeverSetAreOutOfRange) {
  auto& plant = *this->plant_;
  EXPECT_IS_OUT_OF_RANGE(plant.get_body(BodyIndex()));
  EXPECT_IS_OUT_OF_RANGE(plant.get_frame(FrameIndex()));
  EXPECT_IS_OUT_OF_RANGE(plant.get_joint(JointIndex()));
  EXPECT_IS_OUT_OF_RANGE(plant.get_joint_actuator(JointActuatorIndex()));
  EXPECT_IS_OUT_OF_RANGE(plant.get_force_element(ForceElementIndex()));
  EXPECT_IS_OUT_OF_RANGE(plant.GetModelInstanceName(ModelInstanceIndex()));
  EXPECT_IS_OUT_OF_RANGE(plant.num_positions(ModelInstanceIndex()));
}

TYPED_TEST(WrongElements, TypesAreNotTakenForOthers) {
  auto& plant = *this->plant_;
  EXPECT_THROWS_MESSAGE(
      plant.template GetForceElement<LinearSpringDamper>(ForceElementIndex(0)),
      std::logic_error, "GetForceElement");
  EXPECT_THROWS_MESSAGE(plant.template GetJointByName<PrismaticJoint>("hinge"),
                        std::logic_error, "'hinge'");
  EXPECT_THROWS_MESSAGE(
      plant.template GetMutableJointByName<WeldJoint>("hinge"),
      std::logic_error, "'hinge'");
}

TYPED_TEST(WrongElements, NamesThatDoNotOccurAreListedAgainstThoseThatDo) {
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  EXPECT_THROWS_MESSAGE(plant.GetBodyByName("x"), std::logic_error, "stone");
  EXPECT_THROWS_MESSAGE(plant.GetBodyByName("stone", i), std::logic_error,
                        "cart, pole, flag");
  EXPECT_THROWS_MESSAGE(plant.GetRigidBodyByName("x"), std::logic_error,
                        "stone");
  EXPECT_THROWS_MESSAGE(plant.GetRigidBodyByName("stone", i), std::logic_error,
                        "cart, pole, flag");
  EXPECT_THROWS_MESSAGE(plant.GetFrameByName("x"), std::logic_error, "tip");
  EXPECT_THROWS_MESSAGE(plant.GetFrameByName("stone", i), std::logic_error,
                        "tip");
  EXPECT_THROWS_MESSAGE(plant.GetJointByName("x"), std::logic_error, "slider");
  EXPECT_THROWS_MESSAGE(plant.GetJointByName("stone", i), std::logic_error,
                        "slider");
  EXPECT_THROWS_MESSAGE(plant.GetJointActuatorByName("x"), std::logic_error,
                        "push, twist");
  EXPECT_THROWS_MESSAGE(plant.GetJointActuatorByName("x", i), std::logic_error,
                        "push, twist");
  EXPECT_THROWS_MESSAGE(plant.GetModelInstanceByName("x"), std::logic_error,
                        "cart_pole, loose");
}

TYPED_TEST(WrongElements, NamesThatOccurTwiceAreAmbiguous) {
  this->AddNamesakes();
  const auto& plant = this->open_;
  const char* where = "(cart_pole, loose)";
  EXPECT_THROWS_MESSAGE(plant.HasBodyNamed("pole"), std::logic_error, where);
  EXPECT_THROWS_MESSAGE(plant.GetBodyByName("pole"), std::logic_error, where);
  EXPECT_THROWS_MESSAGE(plant.GetRigidBodyByName("pole"), std::logic_error,
                        where);
  EXPECT_THROWS_MESSAGE(plant.HasFrameNamed("pole"), std::logic_error, where);
  EXPECT_THROWS_MESSAGE(plant.GetFrameByName("pole"), std::logic_error, where);
  EXPECT_THROWS_MESSAGE(plant.HasJointNamed("hinge"), std::logic_error, where);
  EXPECT_THROWS_MESSAGE(plant.GetJointByName("hinge"), std::logic_error, where);
  EXPECT_THROWS_MESSAGE(plant.HasJointActuatorNamed("push"), std::logic_error,
                        where);
  EXPECT_THROWS_MESSAGE(plant.GetJointActuatorByName("push"), std::logic_error,
                        where);
  EXPECT_EQ(plant.NumBodiesWithName("pole"), 2);
  EXPECT_TRUE(plant.HasBodyNamed("pole", this->model_.loose));
}

TYPED_TEST(WrongElements, NamesAreNotGivenTwice) {
  auto& plant = this->open_;
  const ModelInstanceIndex i = this->instance_;
  const auto& cart = plant.GetBodyByName("cart");
  const auto& weld = plant.GetJointByName("pole_welds_to_flag");
  const Vector3<double> x(1, 0, 0);
  EXPECT_THROW(plant.AddModelInstance("loose"), std::runtime_error);
  EXPECT_THROW(plant.RenameModelInstance(i, "loose"), std::runtime_error);
  EXPECT_THROW(plant.RenameModelInstance(i, "cart_pole"), std::runtime_error);
  EXPECT_THROW(plant.AddRigidBody("pole", i), std::runtime_error);
  EXPECT_THROW(plant.AddFrame(std::make_unique<FixedOffsetFrame<TypeParam>>(
                   "tip", cart, math::RigidTransform<double>())),
               std::runtime_error);
  EXPECT_THROW(plant.template AddJoint<RevoluteJoint>(
                   "hinge", plant.GetBodyByName("pole"), {}, cart, {}, x),
               std::runtime_error);
  EXPECT_THROW(plant.WeldFrames(weld.frame_on_parent(), weld.frame_on_child()),
               std::runtime_error);
  plant.RemoveJointActuator(plant.GetJointActuatorByName("push"));
  EXPECT_THROW(plant.AddJointActuator("twist", plant.GetJointByName("slider")),
               std::runtime_error);
}

TYPED_TEST(WrongElements, ForceElementsOnOtherPlantsAreRefused) {
  using T = TypeParam;
  auto& own = this->open_;
  const auto& other = *this->plant_;
  const auto& hinge = other.template GetJointByName<RevoluteJoint>("hinge");
  const auto& slider = other.template GetJointByName<PrismaticJoint>("slider");
  const Frame<T>& W = own.world_frame();
  const Frame<T>& tip = other.GetFrameByName("tip");
  const RigidBody<T>& cart = other.GetBodyByName("cart");
  const RigidBody<T>& own_cart = own.GetBodyByName("cart");
  const Vector3<double> p(0, 0, 0), k(1, 1, 1);
#define EXPECT_IS_FOREIGN(Element, ...)                                     \
  EXPECT_THROWS_MESSAGE(own.template AddForceElement<Element>(__VA_ARGS__), \
                        std::logic_error, "does not belong")
  EXPECT_IS_FOREIGN(RevoluteSpring, hinge, 0.0, 1.0);
  EXPECT_IS_FOREIGN(PrismaticSpring, slider, 0.0, 1.0);
  EXPECT_IS_FOREIGN(DoorHinge, hinge, DoorHingeConfig());
  EXPECT_IS_FOREIGN(LinearSpringDamper, cart, p, own_cart, p, 1.0, 1.0, 1.0);
  EXPECT_IS_FOREIGN(LinearSpringDamper, own_cart, p, cart, p, 1.0, 1.0, 1.0);
  EXPECT_IS_FOREIGN(LinearBushingRollPitchYaw, W, tip, k, k, k, k);
  EXPECT_IS_FOREIGN(LinearBushingRollPitchYaw, tip, W, k, k, k, k);
  EXPECT_IS_FOREIGN(GravityCompensation, cart, 1.0);
  EXPECT_IS_FOREIGN(FluidDrag, cart, math::RigidTransform<double>(), k,
                    FluidMedium());
  EXPECT_IS_FOREIGN(EllipsoidDrag, cart, math::RigidTransform<double>(), k,
                    FluidMedium());
  EXPECT_IS_FOREIGN(FixedTendon, std::vector<TendonTerm<T>>{{&hinge, 1.0}}, 0.0,
                    0.0, 1.0, 1.0);
#undef EXPECT_IS_FOREIGN
  EXPECT_EQ(own.num_force_elements(), 1);
}

TYPED_TEST(WrongElements, ModelInstancesOfElementsMustExist) {
  auto& plant = this->open_;
  const ModelInstanceIndex n = this->nowhere_;
  EXPECT_IS_OUT_OF_RANGE(plant.AddRigidBody("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.RenameModelInstance(n, "x"));
  EXPECT_IS_OUT_OF_RANGE(plant.set_gravity_enabled(n, true));
  EXPECT_IS_OUT_OF_RANGE(plant.is_gravity_enabled(n));
  EXPECT_IS_OUT_OF_RANGE(
      plant.SetBaseBodyJointType(BaseBodyJointType::kWeldJoint, n));
  // The instance keeps the default type of all instances.
  EXPECT_EQ(plant.GetBaseBodyJointType(n), plant.GetBaseBodyJointType());
  EXPECT_IS_OUT_OF_RANGE(plant.HasBodyNamed("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.HasFrameNamed("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.HasJointNamed("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.HasJointActuatorNamed("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetBodyByName("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetRigidBodyByName("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetFrameByName("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetJointByName("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetJointActuatorByName("x", n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetBodyIndices(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetFrameIndices(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetJointIndices(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetModelInstanceName(n));
}

TYPED_TEST(WrongElements, ModelInstancesOfSizesAndNamesMustExist) {
  const auto& plant = *this->plant_;
  const ModelInstanceIndex n = this->nowhere_;
  EXPECT_IS_OUT_OF_RANGE(plant.num_positions(n));
  EXPECT_IS_OUT_OF_RANGE(plant.num_velocities(n));
  EXPECT_IS_OUT_OF_RANGE(plant.num_multibody_states(n));
  EXPECT_IS_OUT_OF_RANGE(plant.num_actuated_dofs(n));
  EXPECT_IS_OUT_OF_RANGE(plant.num_actuators(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetJointActuatorIndices(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetActuatedJointIndices(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetPositionNames(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetVelocityNames(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetStateNames(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetActuatorNames(n));
  EXPECT_IS_OUT_OF_RANGE(plant.HasUniqueFreeBaseBody(n));
  EXPECT_IS_OUT_OF_RANGE(plant.GetUniqueFreeBaseBodyOrThrow(n));
  EXPECT_IS_OUT_OF_RANGE(plant.get_actuation_input_port(n));
  EXPECT_IS_OUT_OF_RANGE(plant.get_desired_state_input_port(n));
  EXPECT_IS_OUT_OF_RANGE(plant.get_state_output_port(n));
  EXPECT_IS_OUT_OF_RANGE(plant.get_generalized_acceleration_output_port(n));
  EXPECT_IS_OUT_OF_RANGE(plant.get_net_actuation_output_port(n));
  EXPECT_IS_OUT_OF_RANGE(plant.get_generalized_contact_forces_output_port(n));
}

TYPED_TEST(WrongElements, ModelInstancesOfSumsMustExist) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const auto& c = *this->context_;
  const std::vector<ModelInstanceIndex> n{this->instance_, this->nowhere_};
  const Frame<T>& W = plant.world_frame();
  Matrix3X<T> J(3, plant.num_velocities());
  const JacobianWrtVariable v = JacobianWrtVariable::kV;
  EXPECT_IS_OUT_OF_RANGE(plant.CalcTotalMass(c, n));
  EXPECT_IS_OUT_OF_RANGE(plant.CalcCenterOfMassPositionInWorld(c, n));
  EXPECT_IS_OUT_OF_RANGE(
      plant.CalcCenterOfMassTranslationalVelocityInWorld(c, n));
  EXPECT_IS_OUT_OF_RANGE(
      plant.CalcCenterOfMassTranslationalAccelerationInWorld(c, n));
  EXPECT_IS_OUT_OF_RANGE(
      plant.CalcSpatialMomentumInWorldAboutPoint(c, n, Vector3<T>(0, 0, 0)));
  EXPECT_IS_OUT_OF_RANGE(
      plant.CalcJacobianCenterOfMassTranslationalVelocity(c, n, v, W, W, &J));
  EXPECT_IS_OUT_OF_RANGE(
      plant.CalcBiasCenterOfMassTranslationalAcceleration(c, n, v, W, W));
}

TYPED_TEST(WrongElements, ModelInstancesWithoutBodiesHaveNoCentreOfMass) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const auto& c = *this->context_;
  const Frame<T>& W = plant.world_frame();
  Matrix3X<T> J(3, plant.num_velocities());
  const JacobianWrtVariable v = JacobianWrtVariable::kV;
  for (const auto& none :
       {std::vector<ModelInstanceIndex>{},
        std::vector<ModelInstanceIndex>{world_model_instance()}}) {
    EXPECT_THROW(plant.CalcCenterOfMassPositionInWorld(c, none),
                 std::logic_error);
    EXPECT_THROW(plant.CalcCenterOfMassTranslationalVelocityInWorld(c, none),
                 std::logic_error);
    EXPECT_THROW(
        plant.CalcCenterOfMassTranslationalAccelerationInWorld(c, none),
        std::logic_error);
    EXPECT_THROW(plant.CalcJacobianCenterOfMassTranslationalVelocity(c, none, v,
                                                                     W, W, &J),
                 std::logic_error);
    EXPECT_THROW(
        plant.CalcBiasCenterOfMassTranslationalAcceleration(c, none, v, W, W),
        std::logic_error);
    EXPECT_EQ(plant.CalcTotalMass(c, none), 0);
  }
}

template <typename T>
class WithoutMass : public ::testing::Test {};
TYPED_TEST_SUITE(WithoutMass, test::Scalars);

// A plant of the world alone, and one with a body welded to it that has no
// mass.
TYPED_TEST(WithoutMass, ThereIsNoCentreOfMass) {
  using T = TypeParam;
  const JacobianWrtVariable v = JacobianWrtVariable::kV;
  for (bool has_body : {false, true}) {
    MultibodyPlant<T> plant(0);
    if (has_body) {
      plant.WeldFrames(plant.world_frame(),
                       plant.AddRigidBody("ghost").body_frame());
    }
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    const auto& c = *context;
    const Frame<T>& W = plant.world_frame();
    Matrix3X<T> J(3, 0);
    EXPECT_EQ(plant.CalcTotalMass(c), 0);
    EXPECT_THROW(plant.CalcCenterOfMassPositionInWorld(c), std::logic_error);
    EXPECT_THROW(plant.CalcCenterOfMassTranslationalVelocityInWorld(c),
                 std::logic_error);
    EXPECT_THROW(plant.CalcCenterOfMassTranslationalAccelerationInWorld(c),
                 std::logic_error);
    EXPECT_THROW(
        plant.CalcJacobianCenterOfMassTranslationalVelocity(c, v, W, W, &J),
        std::logic_error);
    EXPECT_THROW(
        plant.CalcBiasCenterOfMassTranslationalAcceleration(c, v, W, W),
        std::logic_error);
  }
}

TYPED_TEST(WrongElements, SpecsAreOfTheirOwnKindOfConstraint) {
  const auto& plant = *this->plant_;
  const auto id = MultibodyConstraintId::get_new_id();
  EXPECT_THROW(plant.get_coupler_constraint_specs(id), std::logic_error);
  EXPECT_THROW(plant.get_distance_constraint_specs(id), std::logic_error);
  EXPECT_THROW(plant.get_ball_constraint_specs(id), std::logic_error);
  EXPECT_THROW(plant.get_weld_constraint_specs(id), std::logic_error);
  EXPECT_THROW(this->open_.RemoveConstraint(id), std::logic_error);
  EXPECT_THROW(plant.GetConstraintActiveStatus(*this->context_, id),
               std::logic_error);
  EXPECT_THROW(plant.SetConstraintActiveStatus(this->context_.get(), id, true),
               std::logic_error);
}

#undef EXPECT_IS_OUT_OF_RANGE

TEST(ElementNames, WithTheDelimiterOfScopesAreRefusedAtOnce) {
  test::CartPole model(0);
  EXPECT_THROWS_MESSAGE(
      model.plant.AddRigidBody("a::b", model.instance,
                               test::MakeInertia(1, {0, 0, 0}, 1)),
      std::logic_error,
      "A body was given the name 'a::b'; give it one without");
  EXPECT_THROWS_MESSAGE(
      model.plant.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
          "a::b", *model.cart, math::RigidTransform<double>())),
      std::logic_error, "A frame was given the name 'a::b'");
  EXPECT_EQ(model.plant.num_bodies(), 4);
}

}  // namespace
}  // namespace wyvern::multibody
