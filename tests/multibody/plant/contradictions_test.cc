// Constraints that cannot be met, in discrete steps: named, and only those.
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace contradictions_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using systems::Context;
using test::AddBar;
using test::FourBar;
using test::MakeInertia;

constexpr double kStep = 1e-3;

void Step(const MultibodyPlant<double>& plant, Context<double>* context,
          int steps) {
  for (int i = 0; i < steps; ++i) plant.ExecuteForcedEvents(context);
}

// Bars of 1 m on hinges at the origin, about z.
struct Bars {
  explicit Bars(double time_step) : plant(time_step) {
    plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    for (const char* name : {"one", "other"}) {
      bars.push_back(&AddBar(&plant, name, 1));
      hinges.push_back(&plant.AddJoint<RevoluteJoint>(
          name, plant.world_body(), {}, *bars.back(), {}, Vector3d::UnitZ()));
    }
  }
  void TieEnd(const Vector3d& p_WQ) {
    plant.AddBallConstraint(*bars[0], Vector3d(1, 0, 0), plant.world_body(),
                            p_WQ);
  }
  void Finalize() {
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }

  MultibodyPlant<double> plant;
  std::vector<const RigidBody<double>*> bars;
  std::vector<const RevoluteJoint<double>*> hinges;
  std::unique_ptr<Context<double>> context;
};

TEST(Contradictions, ABallOutOfReachIsNamed) {
  for (const Vector3d& p_WQ : {Vector3d(100, 0, 0), Vector3d(0, 100, 0),
                               Vector3d(-70, 70, 0), Vector3d(1.01, 0, 0)}) {
    Bars m(kStep);
    m.TieEnd(p_WQ);
    m.Finalize();
    EXPECT_THROWS_MESSAGE(Step(m.plant, m.context.get(), 200),
                          std::runtime_error,
                          "contradict others: ball between 'one' and "
                          "'world'; remove or deactivate");
  }
}

TEST(Contradictions, CouplersThatDisagreeAreNamed) {
  for (double offset : {0.01, 1.0, 1e6}) {
    Bars m(kStep);
    m.plant.AddCouplerConstraint(*m.hinges[0], *m.hinges[1], 1);
    m.plant.AddCouplerConstraint(*m.hinges[1], *m.hinges[0], 1, offset);
    m.Finalize();
    EXPECT_THROWS_MESSAGE(
        Step(m.plant, m.context.get(), 50), std::runtime_error,
        "contradict others: coupler of joints 'one' and 'other', coupler of "
        "joints 'other' and 'one'; remove");
  }
}

TEST(Contradictions, ACouplerOfLockedJointsIsNamed) {
  Bars m(kStep);
  m.plant.AddCouplerConstraint(*m.hinges[0], *m.hinges[1], 1, 0.5);
  m.Finalize();
  for (const auto* hinge : m.hinges) hinge->Lock(m.context.get());
  EXPECT_THROWS_MESSAGE(Step(m.plant, m.context.get(), 50), std::runtime_error,
                        "others: coupler of joints 'one' and 'other'; remove");
  m.hinges[1]->Unlock(m.context.get());
  Step(m.plant, m.context.get(), 50);
  EXPECT_NEAR(m.hinges[1]->get_angle(*m.context), -0.5, 1e-4);
}

// An impulse through such a ratio would not be finite.
TEST(Contradictions, ARatioTooLargeToComputeWithIsNamed) {
  for (double ratio : {1.3e154, 1e200}) {
    Bars m(kStep);
    m.plant.AddCouplerConstraint(*m.hinges[0], *m.hinges[1], ratio);
    m.Finalize();
    EXPECT_THROWS_MESSAGE(Step(m.plant, m.context.get(), 1), std::runtime_error,
                          "coupler of joints 'one' and 'other'");
  }
}

// As it swings there, nothing lessens the error along the bar.
TEST(Contradictions, AnEndFarFromItsAnchorSwingsThere) {
  for (double angle : {0.5, 1.6, 3.0, -3.0}) {
    Bars m(kStep);
    m.TieEnd(Vector3d(1, 0, 0));
    m.Finalize();
    m.hinges[0]->set_angle(m.context.get(), angle);
    Step(m.plant, m.context.get(), 50);
    EXPECT_NEAR(std::cos(m.hinges[0]->get_angle(*m.context)), 1, 1e-8) << angle;
  }
}

TEST(Contradictions, RedundantRowsAreNone) {
  FourBar m(kStep, FourBar::Closure::kWeld, false);
  m.plant.AddBallConstraint(*m.coupler, Vector3d(FourBar::kCoupler, 0, 0),
                            *m.rocker, Vector3d(FourBar::kRocker, 0, 0));
  m.Finalize();
  m.SetMotion(1, 3);
  EXPECT_NO_THROW(Step(m.plant, m.context.get(), 1000));
}

// A parallelogram's bars line up twice a turn; steps are coarse, so that the
// loop opens by a millimetre and more.
TEST(Contradictions, SingularitiesArePassed) {
  for (double time_step : {1e-3, 1e-2}) {
    Bars m(time_step);
    const auto& coupler = AddBar(&m.plant, "coupler", 1);
    m.plant.AddJoint<RevoluteJoint>("knee", *m.bars[0],
                                    RigidTransformd(Vector3d(1, 0, 0)), coupler,
                                    {}, Vector3d::UnitZ());
    const auto& rocker = AddBar(&m.plant, "rocker", 1);
    const auto& hinge = m.plant.AddJoint<RevoluteJoint>(
        "rocker", m.plant.world_body(), RigidTransformd(Vector3d(1, 0, 0)),
        rocker, {}, Vector3d::UnitZ());
    m.plant.AddBallConstraint(coupler, Vector3d(1, 0, 0), rocker,
                              Vector3d(1, 0, 0));
    m.Finalize();
    m.hinges[0]->set_angular_rate(m.context.get(), 5);
    hinge.set_angular_rate(m.context.get(), 5);
    m.plant.GetJointByName<RevoluteJoint>("knee").set_angular_rate(
        m.context.get(), -5);
    EXPECT_NO_THROW(
        Step(m.plant, m.context.get(), static_cast<int>(4 / time_step)));
  }
}

// A light link between heavy bars: its rows are as soft as it is light.
TEST(Contradictions, ALightLinkIsNone) {
  Bars m(kStep);
  const auto& link =
      m.plant.AddRigidBody("link", MakeInertia(1e-7, Vector3d::Zero(), 1e-9));
  for (const auto* bar : m.bars) {
    m.plant.AddBallConstraint(*bar, Vector3d(1, 0, 0), link, Vector3d::Zero());
  }
  m.Finalize();
  m.plant.SetFreeBodyPose(m.context.get(), link,
                          RigidTransformd(Vector3d(1, 0, 0)));
  m.hinges[0]->set_angular_rate(m.context.get(), 30);
  systems::Simulator<double> simulator(m.plant, std::move(m.context));
  simulator.Initialize();
  simulator.AdvanceTo(10 * kStep);
  const wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(100 * kStep);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace contradictions_test
}  // namespace wyvern::multibody
