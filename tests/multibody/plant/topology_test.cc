// How the bodies of a plant are tied together must not matter beyond what the
// joints say: order, direction and welds.

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace topology_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransform;
using test::MakeInertia;
using wyvern::test::Near;

const std::array<std::string, 4> kNames{"a", "b", "c", "d"};

// A chain a - b - c and d on b, with hinges of skew axes, the joints added in
// the order given; joint i is that of body i. Where reversed says so, the joint
// goes from the body to the one it hangs on.
struct Chain {
  Chain(std::array<int, 4> order, std::array<bool, 4> reversed) : plant(0) {
    for (int i = 0; i < 4; ++i) {
      plant.AddRigidBody(kNames[i],
                         MakeInertia(1 + i, Vector3d(0.1, 0.2 * i, 0.3), 0.1));
    }
    for (int i : order) {
      const char* parents[] = {"world", "a", "b", "b"};
      const RigidBody<double>& outer = plant.GetBodyByName(kNames[i]);
      const RigidBody<double>& inner = plant.GetBodyByName(parents[i]);
      const RigidTransform<double> X(math::RollPitchYaw<double>(i, 0.3, 0.2),
                                     Vector3d(0.1, -0.2, 0.5));
      const Vector3d axis = Vector3d(1, i, -0.5).normalized();
      if (reversed[i]) {
        plant.AddJoint<RevoluteJoint>(kNames[i], outer, {}, inner, X, axis);
      } else {
        plant.AddJoint<RevoluteJoint>(kNames[i], inner, X, outer, {}, axis);
      }
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    for (int i = 0; i < 4; ++i) {
      const double sign = reversed[i] ? -1 : 1;
      joint(i).set_angle(context.get(), sign * (0.3 + 0.2 * i));
      joint(i).set_angular_rate(context.get(), sign * (1 - 0.4 * i));
    }
    // Accelerations of the bodies, by name.
    for (int i = 0; i < 4; ++i) {
      accelerations.segment<6>(6 * i) =
          plant
              .EvalBodySpatialAccelerationInWorld(
                  *context, plant.GetBodyByName(kNames[i]))
              .get_coeffs();
    }
  }
  const RevoluteJoint<double>& joint(int i) const {
    return plant.GetJointByName<RevoluteJoint>(kNames[i]);
  }
  MultibodyPlant<double> plant;
  std::unique_ptr<systems::Context<double>> context;
  VectorXd accelerations{24};
};

TEST(Topology, OrderOfJointsDoesNotMatter) {
  const Chain expected({0, 1, 2, 3}, {});
  std::array<int, 4> order{0, 1, 2, 3};
  while (std::ranges::next_permutation(order).found) {
    const Chain chain(order, {});
    EXPECT_TRUE(Near(chain.accelerations, expected.accelerations, 1e-12));
    EXPECT_NEAR(chain.plant.CalcKineticEnergy(*chain.context),
                expected.plant.CalcKineticEnergy(*expected.context), 1e-12);
  }
}

TEST(Topology, DirectionOfJointsDoesNotMatter) {
  const Chain expected({0, 1, 2, 3}, {});
  for (int bits = 1; bits < 16; ++bits) {
    const Chain chain({2, 0, 3, 1}, {(bits & 1) != 0, (bits & 2) != 0,
                                     (bits & 4) != 0, (bits & 8) != 0});
    EXPECT_TRUE(Near(chain.accelerations, expected.accelerations, 1e-12))
        << bits;
    EXPECT_NEAR(chain.plant.CalcPotentialEnergy(*chain.context),
                expected.plant.CalcPotentialEnergy(*expected.context), 1e-12);
  }
}

// Newton's third law at a joint seen from its other side: the force on the
// child, which is the inner body here, is what the outer one takes, turned.
TEST(Topology, ReactionsActOnTheChildWhicheverWayTheTreeGrows) {
  const Chain forward({0, 1, 2, 3}, {});
  const Chain reversed({0, 1, 2, 3}, {false, true, false, false});
  const auto reaction = [](const Chain& chain) {
    const RevoluteJoint<double>& joint = chain.joint(1);
    const auto& forces =
        chain.plant.get_reaction_forces_output_port()
            .Eval<std::vector<SpatialForce<double>>>(*chain.context);
    const Eigen::Matrix3d R = joint.frame_on_child()
                                  .CalcPoseInWorld(*chain.context)
                                  .rotation()
                                  .matrix();
    return std::pair<Vector3d, Vector3d>(
        R * forces[joint.ordinal()].rotational(),
        R * forces[joint.ordinal()].translational());
  };
  const auto [t, f] = reaction(forward);
  const auto [t_reversed, f_reversed] = reaction(reversed);
  EXPECT_TRUE(Near(f_reversed, -f, 1e-11));
  EXPECT_TRUE(Near(t_reversed, -t, 1e-11));
}

TEST(Topology, WeldedBodiesAreAsOneOfTheirTogetherInertia) {
  const SpatialInertia<double> M1 = MakeInertia(1, {0.1, 0.2, 0.3}, 0.1);
  const SpatialInertia<double> M2 = MakeInertia(2, {0.3, 0, 0.1}, 0.3);
  const RigidTransform<double> X(math::RollPitchYaw<double>(0.3, 0.2, 0.1),
                                 Vector3d(0.4, 0.5, 0.6));
  MultibodyPlant<double> two(0), one(0);
  const auto& first = two.AddRigidBody("first", M1);
  const auto& second = two.AddRigidBody("second", M2);
  two.WeldFrames(first.body_frame(), second.body_frame(), X);
  const Vector3d p_21 = -(X.rotation().transpose() * X.translation());
  SpatialInertia<double> M = M2.Shift(p_21).ReExpress(X.rotation());
  M += M1;
  const auto& whole = one.AddRigidBody("first", M);
  for (auto* plant : {&two, &one}) {
    plant->AddJoint<BallRpyJoint>("ball", plant->world_body(), {},
                                  plant->GetBodyByName("first"), {});
    plant->Finalize();
    ASSERT_EQ(plant->num_velocities(), 3);
  }
  auto c2 = two.CreateDefaultContext(), c1 = one.CreateDefaultContext();
  const VectorXd x = VectorXd::LinSpaced(6, -0.5, 0.9);
  two.SetPositionsAndVelocities(c2.get(), x);
  one.SetPositionsAndVelocities(c1.get(), x);
  EXPECT_TRUE(Near(two.EvalTimeDerivatives(*c2).CopyToVector(),
                   one.EvalTimeDerivatives(*c1).CopyToVector(), 1e-12));
  EXPECT_EQ(two.GetBodiesWeldedTo(first).size(), 2);
  EXPECT_EQ(one.GetBodiesWeldedTo(whole).size(), 1);
}

TEST(Topology, BodiesWeldedToTheWorldAreGround) {
  MultibodyPlant<double> plant(0);
  const auto& floor = plant.AddRigidBody("floor", MakeInertia(1, {0, 0, 0}, 1));
  const auto& table = plant.AddRigidBody("table", MakeInertia(1, {0, 0, 0}, 1));
  const RigidTransform<double> X(Vector3d(1, 2, 3));
  // Towards the world, and before what it hangs on is tied.
  plant.WeldFrames(table.body_frame(), floor.body_frame(), X);
  plant.WeldFrames(floor.body_frame(), plant.world_frame(), X);
  plant.Finalize();
  EXPECT_EQ(plant.num_velocities(), 0);
  EXPECT_TRUE(plant.IsAnchored(table));
  auto context = plant.CreateDefaultContext();
  EXPECT_TRUE(Near(plant.EvalBodyPoseInWorld(*context, table).translation(),
                   Vector3d(-2, -4, -6)));
  const auto& forces = plant.get_reaction_forces_output_port()
                           .Eval<std::vector<SpatialForce<double>>>(*context);
  // The second weld's child is the world, which it bears down on by 2 kg.
  EXPECT_TRUE(
      Near(forces[1].translational(), Vector3d(0, 0, -2 * 9.81), 1e-13));
}

TEST(Topology, MasslessBodiesAreRefusedAtTheirEndOfAFreeJoint) {
  for (bool reversed : {false, true}) {
    MultibodyPlant<double> plant(0);
    const auto& bob = plant.AddRigidBody("bob", MakeInertia(1, {0, 0, 0}, 1));
    const auto& tip = plant.AddRigidBody("tip", SpatialInertia<double>::Zero());
    plant.AddJoint<RevoluteJoint>("j", reversed ? tip : bob, {},
                                  reversed ? bob : tip, {}, Vector3d::UnitX());
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    // Reversed, the tip is the base: it floats with the bob on it, and turns
    // about the hinge without moving it.
    EXPECT_THROWS_MESSAGE(plant.EvalTimeDerivatives(*context),
                          std::runtime_error, "body 'tip'");
  }
}

TEST(Topology, BaseJointsFollowTheInstanceThenTheModel) {
  MultibodyPlant<double> plant(0);
  const auto rpy = plant.AddModelInstance("rpy");
  const auto weld = plant.AddModelInstance("weld");
  plant.AddRigidBody("free", default_model_instance(),
                     MakeInertia(1, {0, 0, 0}, 1));
  plant.AddRigidBody("r", rpy, MakeInertia(1, {0, 0, 0}, 1));
  plant.AddRigidBody("w", weld, MakeInertia(1, {0, 0, 0}, 1));
  plant.SetBaseBodyJointType(BaseBodyJointType::kRpyFloatingJoint, rpy);
  plant.SetBaseBodyJointType(BaseBodyJointType::kWeldJoint, weld);
  EXPECT_EQ(plant.GetBaseBodyJointType(),
            BaseBodyJointType::kQuaternionFloatingJoint);
  EXPECT_EQ(plant.GetBaseBodyJointType(rpy),
            BaseBodyJointType::kRpyFloatingJoint);
  plant.Finalize();
  EXPECT_EQ(plant.num_positions(), 7 + 6);
  EXPECT_EQ(plant.GetJointByName("r").type_name(), "rpy_floating");
  EXPECT_EQ(plant.GetJointByName("w").type_name(), "weld");
  EXPECT_THROW(plant.SetBaseBodyJointType(BaseBodyJointType::kWeldJoint),
               std::logic_error);
}

}  // namespace topology_test
}  // namespace wyvern::multibody
