// Position limits of joints with several degrees of freedom.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/fixed_tendon.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace limits_test {

using test::MakeInertia;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBound = 0.2;

// One body on a joint of some type, which gravity along the world's diagonal
// pushes, with an upper limit on one position.
template <template <typename> class JointType>
struct Limited {
  template <class... Args>
  Limited(double time_step, int position, Args... args) : plant(time_step) {
    plant.mutable_gravity_field().set_gravity_vector({10, 10, 10});
    const auto& body =
        plant.AddRigidBody("body", MakeInertia(1, {0.2, -0.1, 0.3}, 0.1));
    joint = &plant.AddJoint<JointType>("joint", plant.world_body(), {}, body,
                                       {}, args...);
    VectorX<double> upper = joint->position_upper_limits();
    upper[position] = kBound;
    plant.get_mutable_joint(joint->index())
        .set_position_limits(joint->position_lower_limits(), upper);
  }
  // The force that the limit exerts at rest, `over` beyond it, as it changes
  // the velocities' rates.
  VectorX<double> Push(int position, double over) {
    plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    const auto context = plant.CreateDefaultContext();
    VectorX<double> q = joint->default_positions();
    q[position] = kBound + over;
    joint->SetPositions(context.get(), q);
    const VectorX<double> vdot =
        plant.get_generalized_acceleration_output_port().Eval(*context);
    MatrixX<double> M(vdot.size(), vdot.size());
    plant.CalcMassMatrix(*context, &M);
    return M * vdot - plant.CalcGravityGeneralizedForces(*context);
  }
  MultibodyPlant<double> plant;
  const JointType<double>* joint{};
};

template <template <typename> class JointType, class... Args>
void ExpectPushBack(double time_step, int position, int velocity,
                    Args... args) {
  Limited<JointType> below(time_step, position, args...);
  EXPECT_LT(below.Push(position, -0.1).norm(), 1e-9);
  Limited<JointType> above(time_step, position, args...);
  const VectorX<double> f = above.Push(position, 0.01);
  EXPECT_LT(f[velocity], -1) << above.joint->type_name();
}

TEST(Limits, ActOnEveryPositionWhoseRateIsAVelocity) {
  for (double time_step : {0.0, 1e-3}) {
    for (int i : {0, 1}) ExpectPushBack<UniversalJoint>(time_step, i, i);
    for (int i : {0, 1, 2}) {
      ExpectPushBack<PlanarJoint>(time_step, i, i, Vector3<double>(0, 0, 0));
      ExpectPushBack<RpyFloatingJoint>(time_step, 3 + i, 3 + i);
      ExpectPushBack<QuaternionFloatingJoint>(time_step, 4 + i, 3 + i);
    }
  }
}

TEST(Limits, OfRollPitchAndYawActInBothModes) {
  for (double time_step : {0.0, 1e-3}) {
    for (int i : {0, 1, 2}) {
      ExpectPushBack<BallRpyJoint>(time_step, i, i);
      ExpectPushBack<RpyFloatingJoint>(time_step, i, i);
    }
  }
}

// The angle rests where the limit's spring carries the body's weight: a little
// beyond the bound in continuous time, hardly at all in steps.
TEST(Limits, OfAnAngleHoldTheBodyUpInBothModes) {
  double angles[2];
  for (int i : {0, 1}) {
    Limited<BallRpyJoint> m(i * 1e-3, 1);
    m.plant.get_mutable_joint(m.joint->index())
        .set_default_damping_vector(Vector3<double>::Constant(2));
    m.plant.Finalize();
    systems::Simulator<double> simulator(m.plant);
    simulator.AdvanceTo(8);
    angles[i] = m.joint->get_angles(simulator.get_context())[1];
  }
  EXPECT_GT(angles[0], kBound);
  EXPECT_LT(angles[0], kBound + 1e-3);
  EXPECT_GE(angles[1], kBound);
  EXPECT_LT(angles[1], kBound + 1e-7);
}

struct HingeState {
  double t;
  double q;
  double v;
};

// A hinge falls onto its lower limit at 0.2 rad.
class HingeOntoItsLimit {
 public:
  explicit HingeOntoItsLimit(double time_step) : plant_(time_step) {
    const auto& bob = plant_.AddRigidBody(
        "bob",
        SpatialInertia<double>(1.0, Vector3<double>(0, 0, -0.5),
                               UnitInertia<double>(0.251, 0.251, 0.001)));
    const JointIndex hinge =
        plant_
            .AddJoint<RevoluteJoint>("hinge", plant_.world_body(), {}, bob, {},
                                     Vector3<double>::UnitY())
            .index();
    plant_.get_mutable_joint(hinge).set_position_limits(Vector1<double>(0.2),
                                                        Vector1<double>(2.0));
    plant_.Finalize();
    simulator_ = std::make_unique<systems::Simulator<double>>(plant_);
    plant_.SetPositions(&simulator_->get_mutable_context(),
                        Vector1<double>(1.0));
  }
  HingeState AdvanceTo(double time) {
    simulator_->AdvanceTo(time);
    const auto& context = simulator_->get_context();
    return {time, plant_.GetPositions(context)[0],
            plant_.GetVelocities(context)[0]};
  }

 private:
  MultibodyPlant<double> plant_;
  std::unique_ptr<systems::Simulator<double>> simulator_;
};

// Figures of tests/oracles/joint_limits.py, of pydrake 1.51.
TEST(Limits, AreThoseOfDrakeBeforeAndAfterTheImpact) {
  HingeOntoItsLimit fine(1e-3);
  for (const HingeState& s :
       {HingeState{0.3, 0.32575869705303767, -3.9857562835735321},
        HingeState{0.35, 0.20000000171327939, -3.6819736553974629e-06},
        HingeState{0.4, 0.19999999803317203, 7.8737152579520025e-15},
        HingeState{1.0, 0.19999999803317203, 7.8737152579520025e-15}}) {
    const HingeState ours = fine.AdvanceTo(s.t);
    EXPECT_NEAR(ours.q, s.q, 1e-12) << s.t;
    EXPECT_NEAR(ours.v, s.v, 1e-9) << s.t;
  }
  HingeOntoItsLimit coarse(1e-2);
  for (const HingeState& s :
       {HingeState{0.3, 0.30776638771432008, -3.9866206647651832},
        HingeState{0.35, 0.20420314903295558, -0.42054854757112003},
        HingeState{0.36, 0.20210094137037177, -0.21022076625838138},
        HingeState{0.4, 0.20013099082937, -0.013125429466119927},
        HingeState{0.5, 0.19999993110456613, -1.2785222505624333e-05},
        HingeState{1.0, 0.1999998033173927, 6.9186250548323697e-16}}) {
    const HingeState ours = coarse.AdvanceTo(s.t);
    EXPECT_NEAR(ours.q, s.q, 1e-12) << s.t;
    EXPECT_NEAR(ours.v, s.v, 1e-9) << s.t;
  }
}

TEST(Limits, OfALockedJointLeaveItsAnglesAlone) {
  Limited<BallRpyJoint> m(1e-3, 1);
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  m.joint->SetPositions(context.get(), Vector3<double>(0.1, 0.3, 0));
  m.joint->Lock(context.get());
  m.plant.ExecuteForcedEvents(context.get());
  EXPECT_EQ(m.joint->get_angles(*context), Vector3<double>(0.1, 0.3, 0));
}

TEST(Limits, OfAnAngleAreInTheBalanceOfEnergy) {
  Limited<BallRpyJoint> m(1e-3, 2);
  m.plant.Finalize();
  systems::Simulator<double> simulator(m.plant);
  auto& context = simulator.get_mutable_context();
  m.joint->SetPositions(&context, Vector3<double>(0.3, 0.2, kBound - 1e-4));
  m.joint->SetVelocities(&context, Vector3<double>(0.3, -0.2, 1));
  double change = 0, work = 0, most = 0;
  const auto energy = [&] { return m.plant.CalcKineticEnergy(context); };
  for (int i = 1; i < 20; ++i) {
    const auto ledger = m.plant.CalcPowerLedger(context);
    const double before = energy();
    simulator.AdvanceTo(i * 1e-3);
    change = energy() - before;
    work = ledger.Sum() * 1e-3;
    EXPECT_NEAR(change, work, 1e-12) << i;
    EXPECT_NEAR(ledger.constraints, 0, 1e-12);
    most = std::max(most, std::abs(ledger.joint_limits));
  }
  // The first step stops it.
  EXPECT_GT(most, 1);
}

// Carts of 1 and 2 kg on separate rails, tied by a tendon x1 + x2 of at most
// 0.2 m.
struct TiedCarts {
  explicit TiedCarts(double time_step) : plant(time_step) {
    plant.mutable_gravity_field().set_gravity_vector({0, 0, 0});
    std::vector<TendonTerm<double>> terms;
    for (int i : {0, 1}) {
      const auto& cart = plant.AddRigidBody(fmt::format("cart{}", i),
                                            MakeInertia(1 + i, {0, 0, 0}, 0.1));
      terms.push_back({&plant.AddJoint<PrismaticJoint>(
                           fmt::format("rail{}", i), plant.world_body(), {},
                           cart, {}, Vector3<double>::UnitX()),
                       1.0});
    }
    tendon = &plant.AddForceElement<FixedTendon>(terms, 0, 0, 0, 0, -kInfinity,
                                                 kBound);
    plant.Finalize();
    simulator = std::make_unique<systems::Simulator<double>>(plant);
    plant.SetPositionsAndVelocities(&simulator->get_mutable_context(),
                                    Vector4<double>(0, 0.1, 1, 1));
  }
  MultibodyPlant<double> plant;
  const FixedTendon<double>* tendon{};
  std::unique_ptr<systems::Simulator<double>> simulator;
};

// The tendon stops the speed of its length, 2 m/s, by one impulse on both
// carts: -2 / (1 + 1 / 2) N s.
TEST(Limits, OfATendonStopItsLengthByOneImpulseOnAllItsJoints) {
  TiedCarts m(1e-3);
  m.simulator->AdvanceTo(0.2);
  const auto& context = m.simulator->get_context();
  const VectorX<double> v = m.plant.GetVelocities(context);
  EXPECT_NEAR(v[0], -1.0 / 3, 1e-6);
  EXPECT_NEAR(v[1], 1.0 / 3, 1e-6);
  EXPECT_NEAR(m.tendon->CalcLength(context), kBound, 1e-4);
}

TEST(Limits, OfATendonAreInTheBalanceOfEnergy) {
  TiedCarts m(1e-3);
  auto& context = m.simulator->get_mutable_context();
  m.plant.SetPositions(&context, Vector2<double>(0.05, 0.1499));
  double most = 0;
  for (int i = 1; i < 20; ++i) {
    const auto ledger = m.plant.CalcPowerLedger(context);
    const double before = m.plant.CalcKineticEnergy(context);
    m.simulator->AdvanceTo(i * 1e-3);
    EXPECT_NEAR(m.plant.CalcKineticEnergy(context) - before,
                ledger.Sum() * 1e-3, 1e-12)
        << i;
    most = std::max(most, std::abs(ledger.joint_limits));
  }
  EXPECT_GT(most, 1);
}

TEST(Limits, OfATendonPushItsLengthBackInContinuousTime) {
  TiedCarts m(0);
  m.simulator->AdvanceTo(0.2);
  const auto& context = m.simulator->get_context();
  const VectorX<double> v = m.plant.GetVelocities(context);
  // Momentum along (1, -1 / 2), which the tendon does not change.
  EXPECT_NEAR(v[0] - 2 * v[1], -1, 1e-6);
  EXPECT_LT(v[0] + v[1], 1e-3);
  EXPECT_LT(m.tendon->CalcLength(context), kBound + 1e-3);
}

TEST(Limits, OfATendonOverThreeTreesAreRefused) {
  MultibodyPlant<double> plant(0);
  std::vector<TendonTerm<double>> terms;
  for (const char* name : {"a", "b", "c"}) {
    const auto& cart = plant.AddRigidBody(name, MakeInertia(1, {0, 0, 0}, 0.1));
    terms.push_back(
        {&plant.AddJoint<PrismaticJoint>(name, plant.world_body(), {}, cart, {},
                                         Vector3<double>::UnitX()),
         1.0});
  }
  plant.AddForceElement<FixedTendon>(terms, 0, 0, 0, 0, 0, 1);
  EXPECT_THROWS_MESSAGE(plant.Finalize(), std::logic_error,
                        "limited FixedTendon 'a' has joints of three trees");
}

TEST(Limits, OfRollPitchAndYawDoTheWorkOfTheAnglesRate) {
  Limited<BallRpyJoint> m(0.0, 0);
  m.plant.mutable_gravity_field().set_gravity_vector({0, 0, 0});
  m.plant.Finalize();
  const auto context = m.plant.CreateDefaultContext();
  // At any attitude, and turning so that roll alone stays: no work.
  m.joint->SetPositions(context.get(), Vector3<double>(0.3, 0.7, -0.4));
  VectorX<double> v(3);
  m.plant.MapQDotToVelocity(*context, Vector3<double>(0, 1, 2), &v);
  m.plant.SetVelocities(context.get(), v);
  const auto ledger = m.plant.CalcPowerLedger(*context);
  EXPECT_NEAR(ledger.joint_limits, 0, 1e-9);
  m.plant.MapQDotToVelocity(*context, Vector3<double>(1e-6, 1, 2), &v);
  m.plant.SetVelocities(context.get(), v);
  EXPECT_LT(m.plant.CalcPowerLedger(*context).joint_limits, -1e-6);
}

// Or it would be thrown back within a step without a word.
TEST(Limits, AStartOutsideIsNamedWhenASimulationStarts) {
  for (const double time_step : {0.0, 0.001}) {
    for (const double q : {kBound + 0.5, kBound + 0.001}) {
      Limited<PrismaticJoint> m(time_step, 0, Vector3<double>::UnitX());
      m.plant.Finalize();
      systems::Simulator<double> simulator(m.plant);
      std::string warnings;
      simulator.set_warning_handler(
          [&warnings](const std::string& text) { warnings += text; });
      auto& context = simulator.get_mutable_context();
      m.plant.SetPositions(&context, Vector1<double>(q));
      simulator.Initialize();
      const bool warns = warnings.find(fmt::format(
                             "Joint 'joint' is at {}, outside its limits",
                             q)) != std::string::npos;
      EXPECT_EQ(warns, q > kBound + 0.1) << warnings;
    }
  }
}

// A share of the link's length, 0.77 L, takes the place of a range that is
// infinite.
TEST(Limits, AStartOutsideOneLimitIsNamedAtEachScaleOfLength) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double L : {1e-5, 1.0, 1e5}) {
    for (const double outside : {0.005 * L, 0.02 * L}) {
      MultibodyPlant<double> plant(0);
      const auto& body = plant.AddRigidBody(
          "body", MakeInertia(1, Vector3<double>::Zero(), 0.4 * L * L));
      plant.AddJoint<PrismaticJoint>("slider", plant.world_body(), {}, body, {},
                                     Vector3<double>::UnitX(), -kInf, 3 * L);
      plant.Finalize();
      const auto context = plant.CreateDefaultContext();
      plant.SetPositions(context.get(), Vector1<double>(3 * L + outside));
      EXPECT_EQ(plant.DescribeDifficulties(*context).empty(),
                outside < 0.01 * L)
          << L;
    }
  }
}

TEST(Limits, OfAQuaternionAreIgnoredWithAWarning) {
  for (const double time_step : {0.0, 0.001}) {
    Limited<QuaternionFloatingJoint> m(time_step, 2);
    testing::internal::CaptureStderr();
    const VectorX<double> force = m.Push(2, 0.1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(
                  "has limits on its position qy, an element of a quaternion"),
              std::string::npos);
    EXPECT_LE(force.norm(), 1e-12);
  }
}

}  // namespace limits_test
}  // namespace wyvern::multibody
