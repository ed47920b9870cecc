// Introspection of a plant, on both scalars.

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using wyvern::test::Near;

template <typename T>
class Introspection : public test::ScalarPlants<T> {};
TYPED_TEST_SUITE(Introspection, test::Scalars);

TYPED_TEST(Introspection, ElementsAreCounted) {
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  const ModelInstanceIndex loose = this->model_.loose;
  EXPECT_TRUE(plant.is_finalized());
  EXPECT_FALSE(this->open_.is_finalized());
  EXPECT_EQ(plant.time_step(), 0);
  EXPECT_FALSE(plant.has_sampled_output_ports());
  EXPECT_EQ(plant.num_bodies(), 5);
  EXPECT_EQ(plant.num_frames(), 5 + 1 + 2);
  EXPECT_EQ(plant.num_joints(), 4);
  EXPECT_EQ(plant.num_actuators(), 2);
  EXPECT_EQ(plant.num_actuators(i), 2);
  EXPECT_EQ(plant.num_actuators(loose), 0);
  EXPECT_EQ(plant.num_actuated_dofs(), 2);
  EXPECT_EQ(plant.num_actuated_dofs(loose), 0);
  EXPECT_EQ(plant.num_force_elements(), 1);
  EXPECT_EQ(plant.num_model_instances(), 4);
  EXPECT_EQ(plant.num_positions(), 9);
  EXPECT_EQ(plant.num_positions(loose), 7);
  EXPECT_EQ(plant.num_velocities(), 8);
  EXPECT_EQ(plant.num_velocities(i), 2);
  EXPECT_EQ(plant.num_multibody_states(), 17);
  EXPECT_EQ(plant.num_multibody_states(loose), 13);
}

TYPED_TEST(Introspection, ElementsAreFoundByNameAndByIndex) {
  auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_;
  const RigidBody<TypeParam>& pole = plant.GetBodyByName("pole");
  EXPECT_EQ(&pole, &plant.GetBodyByName("pole", i));
  EXPECT_EQ(&pole, &plant.GetRigidBodyByName("pole"));
  EXPECT_EQ(&pole, &plant.GetRigidBodyByName("pole", i));
  EXPECT_EQ(&pole, &plant.get_body(pole.index()));
  EXPECT_EQ(&plant.get_body(world_index()), &plant.world_body());
  EXPECT_EQ(&plant.world_frame(), &plant.world_body().body_frame());
  const Frame<TypeParam>& tip = plant.GetFrameByName("tip");
  EXPECT_EQ(&tip, &plant.GetFrameByName("tip", i));
  EXPECT_EQ(&tip, &plant.get_frame(tip.index()));
  const Joint<TypeParam>& hinge = plant.GetJointByName("hinge");
  EXPECT_EQ(&hinge, &plant.GetJointByName("hinge", i));
  EXPECT_EQ(&hinge, &plant.template GetJointByName<RevoluteJoint>("hinge"));
  EXPECT_EQ(&hinge, &plant.GetMutableJointByName("hinge"));
  EXPECT_EQ(&hinge, &plant.get_joint(hinge.index()));
  EXPECT_EQ(&hinge, &plant.get_mutable_joint(hinge.index()));
  EXPECT_TRUE(plant.has_joint(hinge.index()));
  const JointActuator<TypeParam>& push = plant.GetJointActuatorByName("push");
  EXPECT_EQ(&push, &plant.GetJointActuatorByName("push", i));
  EXPECT_EQ(&push, &plant.get_joint_actuator(push.index()));
  EXPECT_EQ(&push, &plant.get_mutable_joint_actuator(push.index()));
  EXPECT_TRUE(plant.has_joint_actuator(push.index()));
  const ForceElementIndex gravity(0);
  EXPECT_EQ(&plant.gravity_field(), &plant.get_force_element(gravity));
  EXPECT_EQ(
      &plant.gravity_field(),
      &plant.template GetForceElement<UniformGravityFieldElement>(gravity));
  EXPECT_EQ(&plant.mutable_gravity_field(), &plant.gravity_field());
}

TYPED_TEST(Introspection, NamesAreKnownWhereTheyAre) {
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_, loose = this->model_.loose;
  EXPECT_TRUE(plant.HasBodyNamed("pole"));
  EXPECT_TRUE(plant.HasBodyNamed("pole", i));
  EXPECT_FALSE(plant.HasBodyNamed("pole", loose));
  EXPECT_TRUE(plant.HasFrameNamed("tip"));
  EXPECT_FALSE(plant.HasFrameNamed("tip", loose));
  EXPECT_TRUE(plant.HasJointNamed("hinge"));
  EXPECT_FALSE(plant.HasJointNamed("hinge", loose));
  EXPECT_TRUE(plant.HasJointActuatorNamed("push"));
  EXPECT_FALSE(plant.HasJointActuatorNamed("push", loose));
  EXPECT_TRUE(plant.HasModelInstanceNamed("loose"));
  EXPECT_FALSE(plant.HasModelInstanceNamed("tight"));
  EXPECT_EQ(plant.NumBodiesWithName("pole"), 1);
  EXPECT_EQ(plant.NumBodiesWithName("pile"), 0);
  EXPECT_EQ(plant.GetModelInstanceByName("loose"), loose);
  EXPECT_EQ(plant.GetModelInstanceName(loose), "loose");
}

TYPED_TEST(Introspection, IndicesAreThoseOfTheModelInstance) {
  const auto& plant = *this->plant_;
  const ModelInstanceIndex i = this->instance_, loose = this->model_.loose;
  EXPECT_EQ(plant.GetBodyIndices(loose),
            std::vector<BodyIndex>{plant.GetBodyByName("stone").index()});
  EXPECT_EQ(plant.GetBodyIndices(i).size(), 3);
  // Frames of the bodies, of the hinge on the cart, and of the tip.
  EXPECT_EQ(plant.GetFrameIndices(i).size(), 3 + 1 + 1);
  EXPECT_EQ(plant.GetFrameIndices(world_model_instance()).size(), 2);
  EXPECT_EQ(plant.GetJointIndices().size(), 4);
  EXPECT_EQ(plant.GetJointIndices(loose),
            std::vector<JointIndex>{plant.GetJointByName("stone").index()});
  const std::vector<JointActuatorIndex> actuators{JointActuatorIndex(0),
                                                  JointActuatorIndex(1)};
  EXPECT_EQ(plant.GetJointActuatorIndices(), actuators);
  EXPECT_EQ(plant.GetJointActuatorIndices(i), actuators);
  EXPECT_TRUE(plant.GetJointActuatorIndices(loose).empty());
  EXPECT_EQ(plant.GetActuatedJointIndices(i),
            (std::vector<JointIndex>{plant.GetJointByName("slider").index(),
                                     plant.GetJointByName("hinge").index()}));
}

TYPED_TEST(Introspection, TopologyTellsWhatHangsTogether) {
  using T = TypeParam;
  const auto& plant = *this->plant_;
  const RigidBody<T>& pole = plant.GetBodyByName("pole");
  const RigidBody<T>& flag = plant.GetBodyByName("flag");
  const RigidBody<T>& stone = plant.GetBodyByName("stone");
  EXPECT_TRUE(plant.IsAnchored(plant.world_body()));
  EXPECT_FALSE(plant.IsAnchored(flag));
  EXPECT_EQ(plant.GetBodiesWeldedTo(flag),
            (std::vector<const RigidBody<T>*>{&pole, &flag}));
  EXPECT_EQ(plant.GetBodiesKinematicallyAffectedBy(
                {plant.GetJointByName("hinge").index()}),
            (std::vector<BodyIndex>{pole.index(), flag.index()}));
  EXPECT_EQ(plant.GetFloatingBaseBodies(),
            std::unordered_set<BodyIndex>{stone.index()});
  EXPECT_TRUE(plant.HasUniqueFreeBaseBody(this->model_.loose));
  EXPECT_EQ(&plant.GetUniqueFreeBaseBodyOrThrow(this->model_.loose), &stone);
  EXPECT_FALSE(plant.IsVelocityEqualToQDot());
}

TYPED_TEST(Introspection, UniqueFreeBaseBodyIsTheOnlyOneTiedToTheWorld) {
  auto& open = this->open_;
  // Another base body, which does not float, in the stone's model instance.
  const auto& post =
      open.AddRigidBody("post", this->model_.loose,
                        test::MakeInertia(1, Eigen::Vector3d::Zero(), 0.1));
  open.WeldFrames(open.world_frame(), post.body_frame());
  // Repeat with the floating body last.
  const ModelInstanceIndex pair = open.AddModelInstance("pair");
  const auto& base_of_pair = open.AddRigidBody(
      "post", pair, test::MakeInertia(1, Eigen::Vector3d::Zero(), 0.1));
  open.WeldFrames(open.world_frame(), base_of_pair.body_frame());
  open.AddRigidBody("ball", pair,
                    test::MakeInertia(1, Eigen::Vector3d::Zero(), 0.1));
  // A base body that floats, with another on it by a joint.
  const ModelInstanceIndex chain = open.AddModelInstance("chain");
  const auto& base = open.AddRigidBody(
      "base", chain, test::MakeInertia(1, Eigen::Vector3d::Zero(), 0.1));
  const auto& link = open.AddRigidBody(
      "link", chain, test::MakeInertia(1, Eigen::Vector3d::Zero(), 0.1));
  open.WeldFrames(base.body_frame(), link.body_frame());
  open.Finalize();
  EXPECT_FALSE(open.HasUniqueFreeBaseBody(this->model_.loose));
  EXPECT_THROWS_MESSAGE(open.GetUniqueFreeBaseBodyOrThrow(this->model_.loose),
                        std::logic_error, "'loose'");
  EXPECT_FALSE(open.HasUniqueFreeBaseBody(pair));
  EXPECT_FALSE(open.HasUniqueFreeBaseBody(this->instance_));
  EXPECT_FALSE(open.HasUniqueFreeBaseBody(world_model_instance()));
  EXPECT_TRUE(open.HasUniqueFreeBaseBody(chain));
  EXPECT_EQ(&open.GetUniqueFreeBaseBodyOrThrow(chain), &base);
}

TYPED_TEST(Introspection, SettingsOfModelInstancesAreKept) {
  auto& open = this->open_;
  const ModelInstanceIndex loose = this->model_.loose;
  open.set_gravity_enabled(loose, false);
  EXPECT_FALSE(open.is_gravity_enabled(loose));
  EXPECT_TRUE(open.is_gravity_enabled(this->instance_));
  open.SetBaseBodyJointType(BaseBodyJointType::kRpyFloatingJoint, loose);
  EXPECT_EQ(open.GetBaseBodyJointType(loose),
            BaseBodyJointType::kRpyFloatingJoint);
  EXPECT_EQ(open.GetBaseBodyJointType(),
            BaseBodyJointType::kQuaternionFloatingJoint);
  open.RenameModelInstance(loose, "free");
  EXPECT_EQ(open.GetModelInstanceName(loose), "free");
  open.Finalize();
  EXPECT_EQ(open.GetJointByName("stone").type_name(), "rpy_floating");
  const auto context = open.CreateDefaultContext();
  EXPECT_EQ(open.CalcGravityGeneralizedForces(*context).tail(6).norm(), 0);
}

// Every body and joint is in the drawing, in the box of its model instance.
TYPED_TEST(Introspection, DrawingHasEveryBodyAndJoint) {
  const std::string dot = this->plant_->GetTopologyGraphvizString();
  for (const char* name : {"world", "cart", "pole", "flag", "stone", "slider",
                           "hinge", "pole_welds_to_flag", "cart_pole", "loose",
                           "[prismatic]", "[revolute]"}) {
    EXPECT_NE(dot.find(name), std::string::npos) << name << " in\n" << dot;
  }
  EXPECT_TRUE(dot.starts_with("digraph"));
  EXPECT_EQ(std::ranges::count(dot, '{'), std::ranges::count(dot, '}'));
}

// As a block it says how often it steps, once it is finalized.
TYPED_TEST(Introspection, IsDrawnAsABlockBeforeAndAfterFinalize) {
  MultibodyPlant<TypeParam> plant(0.002);
  const auto says_rate = [&plant] {
    return plant.GetGraphvizString().find("\\nevery\\ 0.002\\ s") !=
           std::string::npos;
  };
  EXPECT_FALSE(says_rate());
  plant.AddRigidBody("b", SpatialInertia<double>::SolidSphereWithMass(1, 1));
  plant.Finalize();
  EXPECT_TRUE(says_rate()) << plant.GetGraphvizString();
}

TYPED_TEST(Introspection, ElementsAreRemovedAndLeaveGaps) {
  auto& open = this->open_;
  const JointActuatorIndex push = open.GetJointActuatorByName("push").index();
  const JointIndex slider = open.GetJointByName("slider").index();
  open.RemoveJointActuator(open.get_joint_actuator(push));
  open.RemoveJoint(open.get_joint(slider));
  EXPECT_FALSE(open.has_joint(slider));
  EXPECT_FALSE(open.has_joint_actuator(push));
  EXPECT_THROW(open.get_joint(slider), std::out_of_range);
  EXPECT_THROW(open.get_joint_actuator(push), std::out_of_range);
  open.Finalize();
  // The cart floats now.
  EXPECT_EQ(open.num_velocities(), 6 + 1 + 6);
  EXPECT_EQ(open.num_actuated_dofs(), 1);
  EXPECT_TRUE(open.GetBodyByName("cart").is_floating());
}

}  // namespace
}  // namespace wyvern::multibody
