// A locked joint is a weld, in both modes.
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/curvilinear_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace locking_test {

using math::RigidTransform;
using test::MakeInertia;
using test::Pendulum;
using wyvern::test::Near;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Three bodies in a chain: a hinge with damping and a motor, a joint of some
// type, a slider with a motor.
struct Chain {
  using AddMiddle = std::function<const Joint<double>*(
      MultibodyPlant<double>*, const RigidBody<double>& a,
      const RigidBody<double>& b)>;

  Chain(double time_step, const AddMiddle& add_middle) : plant(time_step) {
    const auto& a =
        plant.AddRigidBody("a", MakeInertia(1, {0.1, 0.2, 0.3}, 0.1));
    const auto& b = plant.AddRigidBody("b", MakeInertia(2, {0.3, 0, 0.1}, 0.2));
    const auto& c = plant.AddRigidBody("c", MakeInertia(3, {0, 0.1, 0}, 0.3));
    hinge = &plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, a,
                                           {}, Vector3<double>(1, 2, 3), 0.7);
    middle = add_middle(&plant, a, b);
    slider = &plant.AddJoint<PrismaticJoint>(
        "slider", b, RigidTransform<double>(Vector3<double>(0.3, 0, 0)), c, {},
        Vector3<double>(0, 1, 1), -kInfinity, kInfinity, 0.3);
    plant.AddJointActuator("hinge_motor", *hinge);
    plant.AddJointActuator("slider_motor", *slider);
    if (time_step > 0) plant.SetUseSampledOutputPorts(false);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.get_actuation_input_port().FixValue(context.get(),
                                              Vector2<double>(3, -2));
    hinge->set_angle(context.get(), 0.3);
    hinge->set_angular_rate(context.get(), 0.9);
    slider->set_translation(context.get(), 0.2);
    slider->set_translation_rate(context.get(), -0.4);
  }
  const SpatialForce<double>& reaction(const Joint<double>& joint) const {
    return plant.get_reaction_forces_output_port()
        .Eval<std::vector<SpatialForce<double>>>(*context)[joint.ordinal()];
  }
  double acceleration(const Joint<double>& joint) const {
    return plant.get_generalized_acceleration_output_port().Eval(
        *context)[joint.velocity_start()];
  }

  MultibodyPlant<double> plant;
  const RevoluteJoint<double>* hinge{};
  const Joint<double>* middle{};
  const PrismaticJoint<double>* slider{};
  std::unique_ptr<systems::Context<double>> context;
};

template <template <typename> class JointType, class... Args>
Chain::AddMiddle Adder(Args... args) {
  return [args...](MultibodyPlant<double>* plant, const RigidBody<double>& a,
                   const RigidBody<double>& b) {
    return &plant->AddJoint<JointType>(
        "middle", a, RigidTransform<double>(Vector3<double>(0.1, 0.5, 0)), b,
        RigidTransform<double>(Vector3<double>(0, 0.2, 0.1)), args...);
  };
}

struct LockedJointCase {
  const char* name;
  Chain::AddMiddle add;
};

const Vector3<double> kAxis(2, -1, 1);
const LockedJointCase kCases[] = {
    {"Revolute", Adder<RevoluteJoint>(kAxis)},
    {"Prismatic", Adder<PrismaticJoint>(kAxis)},
    {"Universal", Adder<UniversalJoint>()},
    {"Planar", Adder<PlanarJoint>(Vector3<double>(0, 0, 0))},
    {"BallRpy", Adder<BallRpyJoint>()},
    {"QuaternionBall", Adder<QuaternionBallJoint>()},
    {"Curvilinear", Adder<CurvilinearJoint>(CurvilinearJoint<double>::Path(
                        {0, 1}, {2}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.2, 0.3}))},
    {"Screw", Adder<ScrewJoint>(kAxis, 0.3, 0.0)},
    {"RpyFloating", Adder<RpyFloatingJoint>()},
    {"QuaternionFloating", Adder<QuaternionFloatingJoint>()},
};

class LockedJoint
    : public testing::TestWithParam<std::tuple<LockedJointCase, double>> {};

TEST_P(LockedJoint, MovesTheOthersAndReactsLikeAWeld) {
  const auto& [joint_case, time_step] = GetParam();
  Chain locked(time_step, joint_case.add);
  VectorX<double> q = locked.middle->GetPositions(*locked.context);
  q += VectorX<double>::LinSpaced(q.size(), 0.1, 0.4);
  if (q.size() == 7 || q.size() == 4) q.head<4>().normalize();
  locked.middle->SetPositions(locked.context.get(), q);
  locked.middle->SetVelocities(
      locked.context.get(),
      VectorX<double>::Ones(locked.middle->num_velocities()));
  locked.middle->Lock(locked.context.get());
  EXPECT_TRUE(locked.middle->is_locked(*locked.context));
  EXPECT_EQ(locked.middle->GetVelocities(*locked.context).norm(), 0);
  Chain welded(time_step,
               Adder<WeldJoint>(locked.middle->GetPose(*locked.context)));
  EXPECT_NEAR(locked.acceleration(*locked.hinge),
              welded.acceleration(*welded.hinge), 1e-10);
  EXPECT_NEAR(locked.acceleration(*locked.slider),
              welded.acceleration(*welded.slider), 1e-10);
  EXPECT_TRUE(Near(locked.reaction(*locked.middle).get_coeffs(),
                   welded.reaction(*welded.middle).get_coeffs(), 1e-10));
  EXPECT_TRUE(Near(locked.reaction(*locked.hinge).get_coeffs(),
                   welded.reaction(*welded.hinge).get_coeffs(), 1e-10));
}

INSTANTIATE_TEST_SUITE_P(All, LockedJoint,
                         testing::Combine(testing::ValuesIn(kCases),
                                          testing::Values(0.0, 1e-3)),
                         [](const auto& each) {
                           const bool discrete = std::get<1>(each.param) > 0;
                           return std::string(std::get<0>(each.param).name) +
                                  (discrete ? "Discrete" : "Continuous");
                         });

// Gives the velocities of a chain, those of its locked joint among them, and
// the state itself as the ways to set it do.
struct WayToSet {
  const char* name;
  std::function<void(const Chain&, const VectorX<double>& v)> set;
};

Eigen::VectorBlock<VectorX<double>> MutableState(const Chain& chain) {
  if (chain.plant.is_discrete()) {
    return chain.context->get_mutable_discrete_state(0).get_mutable_value();
  }
  return dynamic_cast<systems::BasicVector<double>&>(
             chain.context->get_mutable_continuous_state_vector())
      .get_mutable_value();
}

const WayToSet kWays[] = {
    {"SetVelocities",
     [](const Chain& chain, const VectorX<double>& v) {
       chain.plant.SetVelocities(chain.context.get(), v);
     }},
    {"SetVelocitiesOfInstance",
     [](const Chain& chain, const VectorX<double>& v) {
       chain.plant.SetVelocities(chain.context.get(), default_model_instance(),
                                 v);
     }},
    {"SetVelocitiesOfState",
     [](const Chain& chain, const VectorX<double>& v) {
       chain.plant.SetVelocities(*chain.context,
                                 &chain.context->get_mutable_state(),
                                 default_model_instance(), v);
     }},
    {"SetPositionsAndVelocities",
     [](const Chain& chain, const VectorX<double>& v) {
       VectorX<double> x =
           chain.plant.GetPositionsAndVelocities(*chain.context);
       x.tail(v.size()) = v;
       chain.plant.SetPositionsAndVelocities(chain.context.get(), x);
     }},
    {"JointSetVelocities",
     [](const Chain& chain, const VectorX<double>& v) {
       for (const Joint<double>* joint :
            {static_cast<const Joint<double>*>(chain.hinge), chain.middle,
             static_cast<const Joint<double>*>(chain.slider)}) {
         joint->SetVelocities(
             chain.context.get(),
             v.segment(joint->velocity_start(), joint->num_velocities()));
       }
     }},
    {"TheStateItself",
     [](const Chain& chain, const VectorX<double>& v) {
       MutableState(chain).tail(v.size()) = v;
     }},
};

// The velocities of the bodies, and the energy.
VectorX<double> Motion(const Chain& chain) {
  VectorX<double> motion(19);
  int i = 0;
  for (const char* name : {"a", "b", "c"}) {
    motion.segment<6>(6 * i++) =
        chain.plant
            .EvalBodySpatialVelocityInWorld(*chain.context,
                                            chain.plant.GetBodyByName(name))
            .get_coeffs();
  }
  motion[18] = chain.plant.CalcKineticEnergy(*chain.context);
  return motion;
}

TEST_P(LockedJoint, HasNoVelocityWhateverTheStateIsGiven) {
  const auto& [joint_case, time_step] = GetParam();
  for (const WayToSet& way : kWays) {
    for (const bool is_set_before : {false, true}) {
      SCOPED_TRACE(std::string(way.name) + (is_set_before ? " before" : ""));
      Chain locked(time_step, joint_case.add);
      systems::Context<double>* context = locked.context.get();
      VectorX<double> v = locked.plant.GetVelocities(*context);
      v.segment(locked.middle->velocity_start(),
                locked.middle->num_velocities())
          .setOnes();
      if (is_set_before) way.set(locked, v);
      locked.middle->Lock(context);
      locked.plant.EvalBodySpatialVelocityInWorld(
          *context, locked.plant.GetBodyByName("b"));
      if (!is_set_before) way.set(locked, v);
      EXPECT_EQ(locked.middle->GetVelocities(*context).norm(), 0);
      v.segment(locked.middle->velocity_start(),
                locked.middle->num_velocities())
          .setZero();
      EXPECT_EQ(locked.plant.GetVelocities(*context), v);
      EXPECT_EQ(locked.plant.get_state_output_port().Eval(*context),
                locked.plant.GetPositionsAndVelocities(*context));
      Chain welded(time_step,
                   Adder<WeldJoint>(locked.middle->GetPose(*context)));
      EXPECT_TRUE(Near(Motion(locked), Motion(welded), 1e-13));
      locked.middle->Unlock(context);
      EXPECT_EQ(locked.middle->GetVelocities(*context).norm(), 0);
    }
  }
}

TEST_P(LockedJoint, StaysWhereItIsInASimulation) {
  const auto& [joint_case, time_step] = GetParam();
  for (const WayToSet& way : kWays) {
    SCOPED_TRACE(way.name);
    Chain chain(time_step, joint_case.add);
    chain.middle->Lock(chain.context.get());
    way.set(chain, VectorX<double>::Ones(chain.plant.num_velocities()));
    const VectorX<double> q0 = chain.middle->GetPositions(*chain.context);
    const double slider = chain.slider->get_translation(*chain.context);
    systems::Simulator<double> simulator(chain.plant, std::move(chain.context));
    simulator.AdvanceTo(0.05);
    const systems::Context<double>& context = simulator.get_context();
    EXPECT_TRUE(Near(chain.middle->GetPositions(context), q0, 1e-15));
    EXPECT_EQ(chain.middle->GetVelocities(context).norm(), 0);
    EXPECT_GT(std::abs(chain.slider->get_translation(context) - slider), 1e-3);
  }
}

TEST(Lock, HoldsInEveryIntegrator) {
  for (const std::string& scheme : systems::GetIntegrationSchemes()) {
    SCOPED_TRACE(scheme);
    Chain chain(0, Adder<RevoluteJoint>(kAxis));
    chain.middle->Lock(chain.context.get());
    chain.plant.SetVelocities(chain.context.get(), Vector3<double>::Ones());
    systems::Simulator<double> simulator(chain.plant, std::move(chain.context));
    systems::ResetIntegratorFromFlags(&simulator, scheme, 1e-3);
    simulator.AdvanceTo(0.02);
    EXPECT_EQ(chain.middle->GetPositions(simulator.get_context())[0], 0);
    EXPECT_GT(chain.hinge->get_angle(simulator.get_context()), 0.31);
  }
}

TEST(Lock, IsPerContextAndCanBeUndone) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto locked = p.plant.CreateDefaultContext();
  const auto free = p.plant.CreateDefaultContext();
  p.joint->set_angle(locked.get(), 0.5);
  p.joint->set_angle(free.get(), 0.5);
  p.joint->Lock(locked.get());
  const auto& vdot = p.plant.get_generalized_acceleration_output_port();
  EXPECT_EQ(vdot.Eval(*locked)[0], 0);
  EXPECT_LT(vdot.Eval(*free)[0], -1);
  p.joint->Unlock(locked.get());
  EXPECT_EQ(vdot.Eval(*locked)[0], vdot.Eval(*free)[0]);
}

TEST(Lock, WorksOnAutoDiff) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto plant = systems::System<double>::ToAutoDiffXd(p.plant);
  const auto context = plant->CreateDefaultContext();
  plant->get_joint(JointIndex(0)).Lock(context.get());
  EXPECT_EQ(plant->get_generalized_acceleration_output_port().Eval(*context)[0],
            0);
}

}  // namespace locking_test
}  // namespace wyvern::multibody
