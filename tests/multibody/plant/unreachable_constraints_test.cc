// Constraints that no motion meets, in discrete and continuous models: the
// error names them. Constraints that are open only for a while are not refused.
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace unreachable_constraints_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RollPitchYawd;
using systems::Context;
using test::AddBar;
using test::MakeInertia;

constexpr double kTilt = 0.3;
constexpr int kMostEvaluations = 10000;
constexpr double kFastRate = 100;  // [rad/s]

// A chain of bars of 1 m from the world, about y, at given angles.
struct Arm {
  Arm(double time_step, bool has_gravity, std::vector<double> start)
      : plant(time_step), angles(std::move(start)) {
    if (!has_gravity) {
      plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    }
    tip = &plant.world_body();
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const std::string name = fmt::format("link{}", i);
      const Vector3d p = i == 0 ? Vector3d::Zero().eval() : x;
      const auto& bar = AddBar(&plant, name, 1);
      hinges.push_back(&AddHinge(name, *tip, p, bar));
      tip = &bar;
    }
  }
  const RevoluteJoint<double>& AddHinge(const std::string& name,
                                        const RigidBody<double>& parent,
                                        const Vector3d& p,
                                        const RigidBody<double>& child) {
    return plant.AddJoint<RevoluteJoint>(name, parent, RigidTransformd(p),
                                         child, {}, Vector3d::UnitY());
  }
  // Adds a body on a joint of its own, about y or along x, with limits.
  template <template <typename> class JointType>
  const JointType<double>& AddLimited(const std::string& name, double limit) {
    const auto& bar = AddBar(&plant, name, 1);
    return plant.AddJoint<JointType>(
        name, plant.world_body(), RigidTransformd(), bar, RigidTransformd(),
        std::is_same_v<JointType<double>, PrismaticJoint<double>>
            ? Vector3d::UnitX()
            : Vector3d::UnitY(),
        -limit, limit);
  }
  void TieTip(double px, double py, double pz) {
    plant.AddBallConstraint(*tip, x, plant.world_body(), Vector3d(px, py, pz));
  }
  void TieTipAt(double distance, const Vector3d& p = Vector3d::Zero()) {
    plant.AddDistanceConstraint(plant.world_body(), p, *tip, x, distance);
  }
  void Run(double time) {
    plant.Finalize();
    auto context = plant.CreateDefaultContext();
    for (std::size_t i = 0; i < angles.size(); ++i) {
      hinges[i]->set_angle(context.get(), angles[i]);
    }
    for (const Joint<double>* joint : locked) joint->Lock(context.get());
    if (spinning != nullptr) {
      spinning->set_angular_rate(context.get(), kFastRate);
    }
    simulator =
        std::make_unique<systems::Simulator<double>>(plant, std::move(context));
    simulator->set_warning_handler([](const std::string&) {});
    simulator->AdvanceTo(time);
    error = plant.CalcConstraintErrors(simulator->get_context())
                .lpNorm<Eigen::Infinity>();
  }
  bool IsFinite() const {
    return plant.GetPositionsAndVelocities(simulator->get_context())
        .allFinite();
  }

  const Vector3d x = Vector3d::UnitX();
  MultibodyPlant<double> plant;
  std::vector<double> angles;
  const RigidBody<double>* tip{};
  std::vector<const RevoluteJoint<double>*> hinges;
  std::vector<const Joint<double>*> locked;
  const RevoluteJoint<double>* spinning{};
  std::unique_ptr<systems::Simulator<double>> simulator;
  double error{};
};

struct Mechanism {
  std::string name;
  std::vector<double> angles;
  std::function<void(Arm*)> add;
  std::string wanted;
};

std::vector<Mechanism> MechanismsOfArms() {
  const std::string ball = "ball between", distance = "distance between";
  const Vector3d x = Vector3d::UnitX();
  return {
      {"DistanceFromBase",
       {0.3},
       [](Arm* a) { a->TieTipAt(3, Vector3d(0, 0, 0.5)); },
       distance},
      {"DistanceTooLong",
       {0.3, 0.8},
       [](Arm* a) { a->TieTipAt(2.5); },
       distance},
      {"DistanceTooShort",
       {0.3, 0.8},
       [](Arm* a) { a->TieTipAt(1, Vector3d(5, 0, 0)); },
       distance},
      {"BallTooFar", {0.3, 0.8}, [](Arm* a) { a->TieTip(2.5, 0, 0); }, ball},
      {"BallABitTooFar",
       {0.1, 0.3},
       [](Arm* a) { a->TieTip(1.5, 0, 1.5); },
       ball},
      {"BallTooFarForThree",
       {0.1, 0.3, 0.5},
       [](Arm* a) { a->TieTip(0, 0, 3.5); },
       ball},
      {"BallOutOfPlane",
       {0.3, 0.8},
       [](Arm* a) { a->TieTip(1.2, 0.4, 0); },
       ball},
      {"TwoDistances",
       {0.3, 1.5},
       [](Arm* a) {
         a->TieTipAt(1);
         a->TieTipAt(1.5);
       },
       distance},
      {"TwoBalls",
       {0.3, 1, 0.5},
       [](Arm* a) {
         a->TieTip(1, 0, 1);
         a->TieTip(1.3, 0, 1);
       },
       ball},
      {"BallAndDistance",
       {0.3, 0.8, 0.5},
       [](Arm* a) {
         a->TieTip(1, 0, 1);
         a->TieTipAt(2);
       },
       ball},
      {"WeldOutOfPlane",
       {0.3, 1, 0.5},
       [x](Arm* a) {
         a->plant.AddWeldConstraint(
             *a->tip, RigidTransformd(x), a->plant.world_body(),
             RigidTransformd(RollPitchYawd(kTilt, 0.2, 0),
                             Vector3d(1.5, 0, -1)));
       },
       "weld between"},
      {"LockedElbow",
       {0.3, 0.8},
       [](Arm* a) {
         a->TieTip(1, 0, 0);
         a->locked = {a->hinges[1]};
       },
       ball},
      {"AllLocked",
       {0.3, 0.8},
       [](Arm* a) {
         a->TieTip(1, 0, 0);
         a->locked = {a->hinges[0], a->hinges[1]};
       },
       ball},
      {"LoopTooFar",
       {0.3, 0.8},
       [x](Arm* a) {
         a->AddHinge("loop", a->plant.world_body(), 3 * x, *a->tip);
       },
       "loop that joint"},
      {"LoopWithTiltedAxis",
       {0.9, -1.8},
       [x](Arm* a) {
         a->plant.AddJoint<RevoluteJoint>(
             "loop", a->plant.world_body(),
             RigidTransformd(RollPitchYawd(kTilt, 0, 0), 1.2 * x), *a->tip,
             RigidTransformd(x), Vector3d::UnitY());
       },
       "loop that joint"},
  };
}

// Mechanisms without an arm.
std::vector<Mechanism> MechanismsOfPairs() {
  const Vector3d x = Vector3d::UnitX(), zero = Vector3d::Zero();
  std::vector<Mechanism> result{
      {"CouplersThatDisagree",
       {0.1, 0},
       [](Arm* a) {
         for (double offset : {0.0, 0.5}) {
           a->plant.AddCouplerConstraint(*a->hinges[0], *a->hinges[1], 1,
                                         offset);
         }
       },
       "coupler of"},
      {"WeldBeyondLimits",
       {},
       [](Arm* a) {
         const auto& joint = a->AddLimited<RevoluteJoint>("hinge", 0.2);
         a->plant.AddWeldConstraint(
             joint.child_body(), {}, a->plant.world_body(),
             RigidTransformd(RollPitchYawd(0, 1, 0), Vector3d::Zero()));
       },
       "limits are in the way: 'hinge'"},
      {"CouplerBeyondLimits",
       {},
       [](Arm* a) {
         const auto& one = a->AddLimited<RevoluteJoint>("one", 0.2);
         const auto& other = a->AddLimited<RevoluteJoint>("other", 0.3);
         a->plant.AddCouplerConstraint(one, other, 1, 1);
       },
       "coupler of joints 'one' and 'other'"},
      {"DistanceBeyondLimits",
       {},
       [x, zero](Arm* a) {
         const auto& joint = a->AddLimited<PrismaticJoint>("slide", 0.5);
         a->plant.AddDistanceConstraint(a->plant.world_body(), -x,
                                        joint.child_body(), zero, 2);
       },
       "limits are in the way: 'slide'"},
      {"RodTooShort",
       {},
       [x, zero](Arm* a) {
         const auto& one = AddBar(&a->plant, "one", 1);
         const auto& other = AddBar(&a->plant, "other", 1);
         a->AddHinge("one", a->plant.world_body(), zero, one);
         a->AddHinge("other", a->plant.world_body(), 4 * x, other);
         a->plant.AddDistanceConstraint(one, x, other, x, 1);
       },
       "distance between 'one' and 'other'"},
  };
  // Bodies welded to each other, or to the world, and constrained apart.
  for (const bool is_static : {true, false}) {
    const auto weld = [=](Arm* a) {
      const auto& one = AddBar(&a->plant, "one", 1);
      const auto& other = AddBar(&a->plant, "other", 1);
      a->plant.WeldFrames(one.body_frame(), other.body_frame(),
                          RigidTransformd(x));
      if (is_static) {
        a->plant.WeldFrames(a->plant.world_frame(), one.body_frame());
      }
      return std::pair(&one, &other);
    };
    const std::string of = is_static ? "Static" : "Free";
    result.push_back({of + "Ball",
                      {0.1},
                      [=](Arm* a) {
                        const auto [one, other] = weld(a);
                        a->plant.AddBallConstraint(*one, zero, *other, zero);
                      },
                      "ball between 'one' and 'other'"});
    result.push_back({of + "Distance",
                      {0.1},
                      [=](Arm* a) {
                        const auto [one, other] = weld(a);
                        a->plant.AddDistanceConstraint(*one, zero, *other, zero,
                                                       2);
                      },
                      "distance between 'one' and 'other'"});
    result.push_back({of + "Weld",
                      {0.1},
                      [=](Arm* a) {
                        const auto [one, other] = weld(a);
                        a->plant.AddWeldConstraint(
                            *one, RigidTransformd(x), *other,
                            RigidTransformd(RollPitchYawd(kTilt, 0, 0), zero));
                      },
                      "weld between 'one' and 'other'"});
  }
  return result;
}

// Loops that are too long or too short by a little or by a lot.
std::vector<Mechanism> MechanismsOfLoops() {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(),
                 zero = Vector3d::Zero();
  std::vector<Mechanism> result;
  for (const double off : {1e-3, 1e-2, 1.0}) {
    const std::string of = fmt::format("OffBy{}", off);
    result.push_back({"Arm" + of,
                      {0.3, 0.8},
                      [=](Arm* a) { a->TieTip(2 + off, 0, 0); },
                      "ball between"});
    result.push_back(
        {"Rod" + of,
         {},
         [=](Arm* a) {
           const auto& one = AddBar(&a->plant, "one", 1);
           const auto& other = AddBar(&a->plant, "other", 1);
           a->AddHinge("one", a->plant.world_body(), zero, one);
           a->AddHinge("other", a->plant.world_body(), 4 * x, other);
           a->plant.AddDistanceConstraint(one, x, other, x, 2 - off);
         },
         "distance between 'one' and 'other'"});
    result.push_back(
        {"Sliders" + of,
         {},
         [=](Arm* a) {
           const auto& one = a->AddLimited<PrismaticJoint>("one", 5);
           const auto& other = a->AddLimited<PrismaticJoint>("other", 5);
           a->plant.AddDistanceConstraint(one.child_body(), zero,
                                          other.child_body(), (1 + off) * y, 1);
         },
         "distance between 'one' and 'other'"});
    // A free bar whose ends are tied to points that are too far apart.
    result.push_back({"Bar" + of,
                      {},
                      [=](Arm* a) {
                        const auto& bar = AddBar(&a->plant, "bar", 1);
                        const auto& world = a->plant.world_body();
                        a->plant.AddBallConstraint(bar, zero, world, zero);
                        a->plant.AddBallConstraint(bar, x, world,
                                                   (1 + off) * x);
                      },
                      "ball between 'bar' and 'world'"});
    result.push_back({"Welds" + of,
                      {},
                      [=](Arm* a) {
                        const auto& bar = AddBar(&a->plant, "bar", 1);
                        const auto& world = a->plant.world_body();
                        for (const double shift : {0.0, off}) {
                          a->plant.AddWeldConstraint(
                              bar, {}, world, RigidTransformd(shift * x));
                        }
                      },
                      "weld between 'bar' and 'world'"});
    result.push_back({"Couplers" + of,
                      {0.1, 0, 0},
                      [=](Arm* a) {
                        const auto& h = a->hinges;
                        for (int i = 0; i < 3; ++i) {
                          a->plant.AddCouplerConstraint(*h[i], *h[(i + 1) % 3],
                                                        1, i == 0 ? off : 0);
                        }
                      },
                      "coupler of"});
    result.push_back({"Locked" + of,
                      {0.3, 0, 0.5},
                      [=](Arm* a) {
                        a->TieTip(std::cos(0.8) + 2 * std::cos(0.3) + off, 0,
                                  -std::sin(0.8) - 2 * std::sin(0.3));
                        a->locked = {a->hinges[0], a->hinges[2]};
                      },
                      "ball between"});
  }
  return result;
}

void ExpectNamed(const Mechanism& mechanism) {
  for (const double time_step : {0.0, 1e-3, 1e-2}) {
    for (const bool has_gravity : {true, false}) {
      SCOPED_TRACE(fmt::format("{}, step {}, gravity {}", mechanism.name,
                               time_step, has_gravity));
      Arm arm(time_step, has_gravity, mechanism.angles);
      mechanism.add(&arm);
      EXPECT_THROWS_MESSAGE(arm.Run(1), std::runtime_error, mechanism.wanted);
      EXPECT_TRUE(arm.IsFinite());
      EXPECT_LT(
          arm.simulator->get_integrator().get_num_derivative_evaluations(),
          kMostEvaluations);
    }
  }
}

TEST(UnreachableConstraints, OfAnArmAreNamedInBothModes) {
  for (const Mechanism& mechanism : MechanismsOfArms()) ExpectNamed(mechanism);
}

TEST(UnreachableConstraints, OfPairsOfBodiesAreNamedInBothModes) {
  for (const Mechanism& mechanism : MechanismsOfPairs()) {
    ExpectNamed(mechanism);
  }
}

TEST(UnreachableConstraints, OfLoopsAreNamedInBothModes) {
  for (const Mechanism& mechanism : MechanismsOfLoops()) ExpectNamed(mechanism);
}

void ExpectMet(const std::vector<double>& time_steps,
               const std::vector<double>& angles,
               const std::function<void(Arm*)>& add) {
  for (const double time_step : time_steps) {
    for (const bool has_gravity : {true, false}) {
      SCOPED_TRACE(fmt::format("step {}, gravity {}", time_step, has_gravity));
      Arm arm(time_step, has_gravity, angles);
      add(&arm);
      EXPECT_NO_THROW(arm.Run(3));
      EXPECT_LT(arm.error, 1e-5);
    }
  }
}

// The last mechanism ends where the arm is straight.
TEST(UnreachableConstraints, AreNoneThatCloseOnTheirWay) {
  ExpectMet({0}, {0.3, 0.8, 0.5}, [](Arm* a) { a->TieTip(1.2, 0, 0.5); });
  ExpectMet({0}, {0.3, 0.8, 0.5}, [](Arm* a) { a->TieTip(2, 0, -1.7); });
  ExpectMet({0, 1e-3, 1e-2}, {0.1, 0.5},
            [](Arm* a) { a->TieTip(1.999, 0, 0); });
  ExpectMet({0, 1e-3, 1e-2}, {0.1, 0.5}, [](Arm* a) { a->TieTip(0, 0, -2); });
  ExpectMet({0, 1e-3, 1e-2}, {0.5}, [](Arm* a) { a->TieTip(1, 0, 0); });
}

// Adds a rod on a rigid constraint, with a load that is ten million times its
// weight on another. The rod yields.
void AddPulledRod(Arm* arm) {
  const auto add = [&](const char* name, double mass) -> const auto& {
    const auto& ball = arm->plant.AddRigidBody(
        name, MakeInertia(mass, Vector3d::Zero(), 0.01 * mass));
    arm->plant.AddJoint<PrismaticJoint>(name, arm->plant.world_body(), {}, ball,
                                        {}, Vector3d::UnitZ());
    return ball;
  };
  const auto& rod = add("rod", 0.01);
  const auto& load = add("load", 1e5);
  const Vector3d zero = Vector3d::Zero(), top = Vector3d::UnitZ();
  arm->plant.AddDistanceConstraint(arm->plant.world_body(), top, rod, zero, 1);
  arm->plant.AddDistanceConstraint(rod, -top, load, zero, 1);
}

TEST(UnreachableConstraints, AreNoneThatALoadPullsOpen) {
  for (const double time_step : {0.0, 1e-3, 1e-2}) {
    Arm arm(time_step, true, {});
    AddPulledRod(&arm);
    EXPECT_NO_THROW(arm.Run(1));
  }
}

// A wheel that turns by 2 rad in each step has no part in the error.
TEST(UnreachableConstraints, AreNoneThatAreOpenBesideAFastWheel) {
  Arm arm(2e-2, true, {});
  AddPulledRod(&arm);
  const auto& body =
      arm.plant.AddRigidBody("wheel", MakeInertia(1, Vector3d::Zero(), 0.01));
  arm.spinning =
      &arm.AddHinge("wheel", arm.plant.world_body(), Vector3d::Zero(), body);
  EXPECT_NO_THROW(arm.Run(1));
  EXPECT_GT(arm.error, 0.01);
}

// A start that is metres away from a loop that can close either closes it, or
// ends in an error that says so.
TEST(UnreachableConstraints, StartsFarAwayCloseOrAreNamed) {
  const std::vector<Vector3d> anchors{
      {1.2, 0, 0.5}, {-2, 0, 0.5}, {0, 0, 2.9}, {-2.5, 0, -0.5}, {0.1, 0, 0}};
  for (const double time_step : {0.0, 1e-3, 1e-2}) {
    for (const bool has_gravity : {true, false}) {
      for (const Vector3d& p : anchors) {
        Arm arm(time_step, has_gravity, {0.3, 0.8, 0.5});
        arm.TieTip(p[0], p[1], p[2]);
        std::string text;
        try {
          arm.Run(3);
          EXPECT_LT(arm.error, 1e-5);
        } catch (const std::runtime_error& error) {
          text = error.what();
          EXPECT_NE(text.find("ball between 'link2' and 'world'"), text.npos)
              << text;
          EXPECT_NE(text.find("Start closer"), text.npos) << text;
        }
        EXPECT_LT(arm.plant.GetVelocities(arm.simulator->get_context()).norm(),
                  1e4)
            << text;
      }
    }
  }
}

// The bodies are so far off that a step asks for velocities beyond computing.
TEST(UnreachableConstraints, AStepWithoutSolutionNamesWhatIsOpen) {
  Arm arm(1e-3, true, {0.3, 0.8, 0.5});
  arm.TieTip(1.2, 0, 0.5);
  EXPECT_THROWS_MESSAGE(arm.Run(1), std::runtime_error,
                        "ball between 'link2' and 'world'");
}

}  // namespace unreachable_constraints_test
}  // namespace wyvern::multibody
