// A joint along a path of lines and arcs: closed forms, limits, settings, and
// Drake's figures, made by tests/oracles/curvilinear_joint.py.
#include "wyvern/multibody/tree/curvilinear_joint.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Path = CurvilinearJoint<double>::Path;
using math::RigidTransform;
using test::MakeInertia;
using wyvern::test::Near;

constexpr double kPi = M_PI;

// A vertical half circle of 0.5 m radius below the world's origin, between two
// vertical lines of 1 m, run through from the top of the left one on.
Path Bowl() {
  return Path({0, 1, 1 + kPi / 2, 2 + kPi / 2}, {0, 2, 0}, {0, 0, -1},
              {0, -1, 0}, {-0.5, 0, 1});
}

// A bead with a centre of mass at its origin.
struct Bead {
  explicit Bead(double time_step, const Path& path = Bowl(), double damping = 0)
      : plant(time_step) {
    const auto& body = plant.AddRigidBody("bead", MakeInertia(2, {0, 0, 0}, 0));
    joint = &plant.AddJoint<CurvilinearJoint>("wire", plant.world_body(), {},
                                              body, {}, path, damping);
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  double Acceleration() const {
    return plant.get_generalized_acceleration_output_port().Eval(*context)[0];
  }

  MultibodyPlant<double> plant;
  const CurvilinearJoint<double>* joint{};
  std::unique_ptr<systems::Context<double>> context;
};

TEST(CurvilinearJoint, BeadFallsByTheSlopeOfItsWire) {
  Bead bead(0);
  bead.joint->set_distance(bead.context.get(), 0.4);
  EXPECT_NEAR(bead.Acceleration(), 9.81, 1e-13);
  for (double angle : {0.3, 1.5, 2.9}) {
    bead.joint->set_distance(bead.context.get(), 1 + 0.5 * angle);
    bead.joint->set_tangential_velocity(bead.context.get(), 3);
    EXPECT_NEAR(bead.Acceleration(), 9.81 * std::cos(angle), 1e-13);
  }
}

// At the bottom the wire carries the weight and turns the velocity.
TEST(CurvilinearJoint, WireBearsWeightAndCentripetalForce) {
  Bead bead(0);
  bead.joint->set_distance(bead.context.get(), 1 + kPi / 4);
  bead.joint->set_tangential_velocity(bead.context.get(), 3);
  const SpatialForce<double> F =
      bead.plant.get_reaction_forces_output_port()
          .Eval<std::vector<SpatialForce<double>>>(*bead.context)[0];
  // In M: x along the wire, y up.
  const Vector3<double> expected(0, 2 * (9.81 + 3 * 3 / 0.5), 0);
  EXPECT_TRUE(Near(F.translational(), expected, 1e-12));
}

TEST(CurvilinearJoint, BeadInABowlKeepsItsEnergy) {
  Bead bead(0);
  bead.joint->set_distance(bead.context.get(), 0.6);
  systems::Simulator<double> simulator(bead.plant, std::move(bead.context));
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  auto& context = simulator.get_mutable_context();
  const auto energy = [&] {
    return bead.plant.CalcKineticEnergy(context) +
           bead.plant.CalcPotentialEnergy(context);
  };
  const double start = energy();
  simulator.AdvanceTo(0.55);
  EXPECT_GT(bead.joint->get_distance(context), 1.3);
  simulator.AdvanceTo(2);
  EXPECT_NEAR(energy(), start, 1e-5);
}

TEST(CurvilinearJoint, OpenPathIsLimitedToItsEndsInBothModes) {
  for (double time_step : {0.0, 1e-3}) {
    Bead bead(time_step, Path({0, 1}, {0.1}, {0, 0, -1}, {0, 1, 0}, {0, 0, 0}),
              1);
    EXPECT_EQ(bead.joint->position_lower_limit(), 0);
    EXPECT_EQ(bead.joint->position_upper_limit(), 1);
    bead.joint->set_distance(bead.context.get(), 0.9);
    systems::Simulator<double> simulator(bead.plant, std::move(bead.context));
    simulator.AdvanceTo(3);
    const double s = bead.joint->get_distance(simulator.get_context());
    EXPECT_GT(s, 1);
    EXPECT_LT(s, 1.01);
  }
}

TEST(CurvilinearJoint, ClosedPathHasNoLimitsAndCountsItsTurns) {
  const Path ring({0, kPi}, {2}, {1, 0, 0}, {0, 0, 1}, {0, -0.5, 0}, true);
  Bead bead(0, ring);
  EXPECT_EQ(bead.joint->position_upper_limit(),
            std::numeric_limits<double>::infinity());
  bead.joint->set_tangential_velocity(bead.context.get(), 4);
  systems::Simulator<double> simulator(bead.plant, std::move(bead.context));
  simulator.AdvanceTo(10);
  const auto& context = simulator.get_context();
  EXPECT_NEAR(bead.joint->get_distance(context), 40, 1e-9);
  const double angle = 80 - kPi / 2;
  EXPECT_TRUE(Near(
      bead.joint->GetPose(context).translation(),
      Vector3<double>(0.5 * std::cos(angle), 0.5 * std::sin(angle), 0), 1e-9));
}

TEST(CurvilinearJoint, DampingSlowsItDown) {
  Bead bead(0, Path({0, 9}, {0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}), 0.5);
  EXPECT_EQ(bead.joint->default_damping(), 0.5);
  bead.joint->set_distance(bead.context.get(), 1);
  bead.joint->set_tangential_velocity(bead.context.get(), 3);
  EXPECT_NEAR(bead.Acceleration(), -0.5 * 3 / 2, 1e-14);
  bead.joint->SetDamping(bead.context.get(), 0.7);
  EXPECT_NEAR(bead.Acceleration(), -0.7 * 3 / 2, 1e-14);
}

TEST(CurvilinearJoint, DefaultsAndNamesAreItsOwn) {
  MultibodyPlant<double> plant(0);
  const auto& body = plant.AddRigidBody("bead", MakeInertia(2, {0, 0, 0}, 0));
  auto& joint =
      const_cast<CurvilinearJoint<double>&>(plant.AddJoint<CurvilinearJoint>(
          "wire", plant.world_body(), {}, body, {}, Bowl(), -1.0, 2.0, 0.25));
  joint.set_default_distance(0.75);
  plant.Finalize();
  EXPECT_EQ(joint.get_default_distance(), 0.75);
  EXPECT_EQ(joint.position_lower_limit(), -1);
  EXPECT_EQ(joint.position_upper_limit(), 2);
  EXPECT_EQ(joint.type_name(), CurvilinearJoint<double>::kTypeName);
  EXPECT_EQ(joint.position_suffix(0), "q");
  EXPECT_EQ(joint.velocity_suffix(0), "v");
  EXPECT_TRUE(joint.can_rotate() && joint.can_translate());
  EXPECT_TRUE(Near(joint.GetDefaultPose().GetAsMatrix4(),
                   joint.get_trajectory().value(0.75), 1e-15));
  const auto context = plant.CreateDefaultContext();
  EXPECT_EQ(joint.get_distance(*context), 0.75);
}

TEST(CurvilinearJoint, RefusesAPathWithoutSegments) {
  MultibodyPlant<double> plant(0);
  const auto& body = plant.AddRigidBody("bead", MakeInertia(2, {0, 0, 0}, 0));
  EXPECT_THROWS_MESSAGE(
      plant.AddJoint<CurvilinearJoint>("wire", plant.world_body(), {}, body, {},
                                       Path(), 0.0, 1.0),
      std::logic_error, "joint 'wire' was given a path without segments");
}

struct Trolley {
  explicit Trolley(bool is_periodic) {
    const auto inertia = [](double mass, Vector3<double> com, double x,
                            double y, double z) {
      return SpatialInertia<double>::MakeFromCentralInertia(
          mass, com, RotationalInertia<double>(x, y, z));
    };
    const auto& a =
        plant.AddRigidBody("a", inertia(3, {0.1, 0.2, 0.3}, 0.4, 0.5, 0.6));
    const auto& b =
        plant.AddRigidBody("b", inertia(2, {-0.1, 0.3, 0.2}, 0.1, 0.2, 0.25));
    hinge = &plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, a,
                                           {}, Vector3<double>(0.6, 0, 0.8));
    const Path path({0, 1, 1 + kPi, 2 + kPi, 2 + 2 * kPi}, {0, 1, 0, 1},
                    {0.6, 0.8, 0}, {0.8, -0.6, 0}, {0, 0, 0}, is_periodic);
    track = &plant.AddJoint<CurvilinearJoint>("track", a, {}, b, {}, path);
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }

  MultibodyPlant<double> plant{0};
  const RevoluteJoint<double>* hinge{};
  const CurvilinearJoint<double>* track{};
  std::unique_ptr<systems::Context<double>> context;
};

TEST(CurvilinearJoint, AgreesWithDrake) {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/curvilinear_joint.txt");
  const auto read = [&file](auto* matrix) {
    for (int i = 0; i < matrix->rows(); ++i) {
      for (int j = 0; j < matrix->cols(); ++j) file >> (*matrix)(i, j);
    }
  };
  int rows = 0;
  for (double periodic, s; file >> periodic >> s; ++rows) {
    Eigen::Matrix<double, 3, 4> X;
    Eigen::Matrix2d M;
    Eigen::Vector2d Cv, tau_g;
    read(&X), read(&M), read(&Cv), read(&tau_g);
    Trolley model(periodic != 0);
    model.hinge->set_angle(model.context.get(), 0.4);
    model.hinge->set_angular_rate(model.context.get(), -0.7);
    model.track->set_distance(model.context.get(), s);
    model.track->set_tangential_velocity(model.context.get(), 1.3);
    // Rounding of numbers of order 10.
    constexpr double kTolerance = 1e-13;
    EXPECT_TRUE(Near(model.track->GetPose(*model.context).GetAsMatrix34(), X,
                     kTolerance));
    MatrixX<double> our_M(2, 2);
    model.plant.CalcMassMatrix(*model.context, &our_M);
    EXPECT_TRUE(Near(our_M, M, kTolerance));
    VectorX<double> our_Cv(2);
    model.plant.CalcBiasTerm(*model.context, &our_Cv);
    EXPECT_TRUE(Near(our_Cv, Cv, kTolerance));
    EXPECT_TRUE(Near(model.plant.CalcGravityGeneralizedForces(*model.context),
                     tau_g, kTolerance));
  }
  EXPECT_EQ(rows, 12);
}

}  // namespace
}  // namespace wyvern::multibody
