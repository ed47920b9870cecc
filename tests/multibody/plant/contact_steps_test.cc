// Steps of whole scenes: islands, repeatability, storage; small fast bodies.
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace contact_steps_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::MakeInertia;
using wyvern::test::Near;

constexpr double kSize = 0.1;
constexpr double kGravity = 9.81;

// Towers of boxes side by side on the ground.
struct Towers {
  Towers(int number, int height) {
    systems::DiagramBuilder<double> builder;
    plant = &AddMultibodyPlantSceneGraph(&builder, 0.002).plant;
    const CoulombFriction<double> friction(0.5, 0.5);
    plant->RegisterCollisionGeometry(plant->world_body(), {},
                                     geometry::HalfSpace(), "ground", friction);
    std::vector<const RigidBody<double>*> boxes;
    for (int i = 0; i < number * height; ++i) {
      const std::string name = "box" + std::to_string(i);
      boxes.push_back(&plant->AddRigidBody(
          name, MakeInertia(1, Vector3d::Zero(), kSize * kSize / 6)));
      plant->RegisterCollisionGeometry(*boxes.back(), {},
                                       geometry::Box(kSize, kSize, kSize), name,
                                       friction);
    }
    plant->Finalize();
    diagram = builder.Build();
    simulator = std::make_unique<systems::Simulator<double>>(*diagram);
    context =
        &plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context());
    for (int i = 0; i < number * height; ++i) {
      // Each tower is as far from its own origin: their bits are the same.
      plant->SetFreeBodyPose(
          context, *boxes[i],
          math::RigidTransformd(Vector3d(0, (i / height) * 4 * kSize,
                                         (i % height + 0.5) * kSize)));
    }
  }
  VectorXd state() const { return plant->GetPositionsAndVelocities(*context); }

  MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<systems::Simulator<double>> simulator;
  systems::Context<double>* context{};
};

TEST(ContactSteps, GiveTheSameBitsWhenRunAgain) {
  Towers a(3, 4), b(3, 4);
  a.simulator->AdvanceTo(0.5);
  b.simulator->AdvanceTo(0.5);
  EXPECT_EQ(a.state(), b.state());
}

TEST(ContactSteps, AllocateNothingWithManyIslands) {
  Towers m(5, 3);
  m.simulator->AdvanceTo(0.2);
  wyvern::test::AllocationGuard guard;
  m.simulator->AdvanceTo(0.3);
  EXPECT_EQ(guard.count(), 0);
}

TEST(ContactSteps, ATowerStandsAsItWouldAlone) {
  Towers alone(1, 4), with_others(3, 4);
  alone.simulator->AdvanceTo(0.3);
  with_others.simulator->AdvanceTo(0.3);
  const VectorXd q = alone.plant->GetPositions(*alone.context);
  EXPECT_EQ(
      VectorXd(
          with_others.plant->GetPositions(*with_others.context).head(q.size())),
      q);
}

TEST(ContactSteps, AtRestTheGroundCarriesTheWeight) {
  Towers m(1, 10);
  m.simulator->AdvanceTo(2);
  const auto& results =
      m.plant->get_contact_results_output_port().Eval<ContactResults<double>>(
          *m.context);
  EXPECT_EQ(results.num_point_pair_contacts(), 40);
  double ground = 0;
  for (int i = 0; i < results.num_point_pair_contacts(); ++i) {
    const auto& info = results.point_pair_contact_info(i);
    if (info.bodyA_index() == world_index()) ground += info.contact_force()[2];
    if (info.bodyB_index() == world_index()) ground -= info.contact_force()[2];
  }
  EXPECT_NEAR(std::abs(ground), 10 * kGravity, 1e-6);
  const VectorXd v = m.plant->GetVelocities(*m.context);
  EXPECT_LT(v.lpNorm<Eigen::Infinity>(), 1e-7);
  // The contacts' generalized forces balance gravity's.
  const VectorXd g = m.plant->CalcGravityGeneralizedForces(*m.context);
  const VectorXd tau =
      m.plant
          ->get_generalized_contact_forces_output_port(default_model_instance())
          .Eval(*m.context);
  EXPECT_TRUE(Near(VectorXd(-g), tau, 1e-5));
}

// The force pair acts midway between the two points, so that neither body is
// the first.
TEST(ContactSteps, AGapOfABallConstraintClosesTheSameFromBothSides) {
  const auto run = [](bool swapped) {
    MultibodyPlant<double> plant(1e-3);
    plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    const auto& a =
        plant.AddRigidBody("a", MakeInertia(1, Vector3d::Zero(), 0.1));
    const auto& b =
        plant.AddRigidBody("b", MakeInertia(3, Vector3d::Zero(), 0.2));
    const Vector3d p_AP(0.1, 0.2, 0), p_BQ(-0.1, 0.1, 0.3);
    if (swapped) {
      plant.AddBallConstraint(b, p_BQ, a, p_AP);
    } else {
      plant.AddBallConstraint(a, p_AP, b, p_BQ);
    }
    plant.Finalize();
    systems::Simulator<double> simulator(plant);
    auto& context = simulator.get_mutable_context();
    plant.SetFreeBodyPose(&context, b,
                          math::RigidTransformd(Vector3d(0.3, 0.4, 0.1)));
    simulator.AdvanceTo(0.02);
    return VectorXd(plant.GetPositions(context));
  };
  EXPECT_TRUE(Near(run(false), run(true), 1e-10));
}

// A body of a centimetre above a plate of 5 mm whose middle is at z = 0.
class Shot {
 public:
  static constexpr double kTimeStep = 0.002, kMass = 0.004;

  Shot(const geometry::Shape& shape, const std::string& approximation,
       double margin) {
    MultibodyPlantConfig config;
    config.time_step = kTimeStep;
    config.discrete_contact_approximation = approximation;
    config.speculative_contact_margin = margin;
    systems::DiagramBuilder<double> builder;
    plant_ = &AddMultibodyPlant(config, &builder).plant;
    const CoulombFriction<double> friction(0.5, 0.5);
    plant_->RegisterCollisionGeometry(plant_->world_body(), {},
                                      geometry::Box(1, 1, 0.005), "plate",
                                      friction);
    body_ = &plant_->AddRigidBody(
        "bullet", MakeInertia(kMass, Vector3d::Zero(), kMass * 1e-4 / 6));
    plant_->RegisterCollisionGeometry(*body_, {}, shape, "bullet", friction);
    plant_->Finalize();
    diagram_ = builder.Build();
    simulator_ = std::make_unique<systems::Simulator<double>>(*diagram_);
  }

  void Start(double z, double v_z) {
    plant_->SetFreeBodyPose(&context(), *body_,
                            math::RigidTransformd(Vector3d(0.1, 0.2, z)));
    plant_->SetFreeBodySpatialVelocity(
        &context(), *body_,
        SpatialVelocity<double>(Vector3d::Zero(), Vector3d(0, 0, v_z)));
  }
  void Step() {
    simulator_->AdvanceTo(simulator_->get_context().get_time() + kTimeStep);
  }
  double z() {
    return plant_->EvalBodyPoseInWorld(context(), *body_).translation()[2];
  }
  SpatialVelocity<double> V() {
    return plant_->EvalBodySpatialVelocityInWorld(context(), *body_);
  }
  double energy() {
    return plant_->CalcKineticEnergy(context()) +
           plant_->CalcPotentialEnergy(context());
  }
  int num_contacts() {
    return plant_->get_contact_results_output_port()
        .Eval<ContactResults<double>>(context())
        .num_point_pair_contacts();
  }

 private:
  systems::Context<double>& context() {
    return plant_->GetMyMutableContextFromRoot(
        &simulator_->get_mutable_context());
  }
  MultibodyPlant<double>* plant_{};
  const RigidBody<double>* body_{};
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Simulator<double>> simulator_;
};

class SpeculativeContact : public ::testing::TestWithParam<const char*> {};

TEST_P(SpeculativeContact, ABulletStopsAtAThinPlateWithAMarginAlone) {
  const geometry::Sphere ball(0.005);
  const geometry::Box box(0.01, 0.01, 0.01);
  for (const geometry::Shape* shape :
       {static_cast<const geometry::Shape*>(&ball),
        static_cast<const geometry::Shape*>(&box)}) {
    for (const double start : {0.05, 0.1, 0.15, 0.33}) {
      for (const double margin : {0.0, 0.21}) {
        Shot shot(*shape, GetParam(), margin);
        shot.Start(start, -100);
        const double energy = shot.energy();
        for (int k = 0; k < 10; ++k) {
          shot.Step();
          EXPECT_LE(shot.energy(), energy * (1 + 1e-9));
          if (margin == 0) continue;
          EXPECT_GT(shot.z(), 0);
          EXPECT_LT(shot.V().rotational().norm(), 1e-6);
        }
        if (margin == 0) {
          EXPECT_LT(shot.z(), -1);
          EXPECT_LT(shot.V().translational()[2], -99);
        } else {
          EXPECT_LT(shot.V().translational().norm(), 1);
          EXPECT_LT(shot.z(), 0.05);
        }
      }
    }
  }
}

TEST_P(SpeculativeContact, DoesNothingIfTheStepLeavesAGap) {
  const geometry::Sphere ball(0.005);
  Shot near(ball, GetParam(), 0.05), free(ball, GetParam(), 0);
  near.Start(0.02, -0.5);
  free.Start(0.02, -0.5);
  for (int k = 0; k < 10; ++k) {
    near.Step();
    free.Step();
    EXPECT_NEAR(near.z(), free.z(), 1e-15);
    EXPECT_TRUE(Near(near.V().get_coeffs(), free.V().get_coeffs(), 1e-12));
    EXPECT_EQ(near.num_contacts(), 0);
  }
}

TEST_P(SpeculativeContact, LeavesABodyAtRestAsItIs) {
  const geometry::Box box(0.01, 0.01, 0.01);
  Shot with(box, GetParam(), 0.05), without(box, GetParam(), 0);
  for (Shot* shot : {&with, &without}) {
    shot->Start(0.0075, 0);
    // With kSap it sinks in with the materials' relaxation time, 0.2 s.
    for (int k = 0; k < 2500; ++k) shot->Step();
  }
  EXPECT_NEAR(with.z(), without.z(), 1e-9);
  EXPECT_LT(with.V().get_coeffs().norm(), 1e-6);
  EXPECT_EQ(with.num_contacts(), 4);
}

INSTANTIATE_TEST_SUITE_P(All, SpeculativeContact,
                         ::testing::Values("lagged", "similar", "tamsi",
                                           "sap"));

TEST(SpeculativeContactMargin, IsForStepsAndSetBeforeFinalize) {
  MultibodyPlant<double> plant(0.001), continuous(0.0);
  EXPECT_EQ(plant.get_speculative_contact_margin(), 0);
  plant.set_speculative_contact_margin(0.02);
  EXPECT_EQ(plant.get_speculative_contact_margin(), 0.02);
  for (const double bad : {-1e-9, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROWS_MESSAGE(plant.set_speculative_contact_margin(bad),
                          std::logic_error, "must be 0 or more and finite");
  }
  EXPECT_THROWS_MESSAGE(continuous.set_speculative_contact_margin(0.01),
                        std::logic_error, "give the plant a time step");
  continuous.set_speculative_contact_margin(0);
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(plant.set_speculative_contact_margin(0.01),
                        std::logic_error, "Finalize");
}

// The figures of three boxes begin at zero, and are those of the
// steps that were computed, in each Context for itself.
TEST(ContactSteps, TheSolversFiguresAreThoseOfItsSteps) {
  Towers towers(1, 3);
  const auto other = towers.diagram->CreateDefaultContext();
  const auto& plant = *towers.plant;
  EXPECT_EQ(plant.GetSolverStatistics(*towers.context).num_solves, 0);
  towers.simulator->AdvanceTo(0.1);
  const SolverStatistics first = plant.GetSolverStatistics(*towers.context);
  EXPECT_EQ(first.num_solves, 50);
  EXPECT_GE(first.max_iterations, 1);
  EXPECT_GE(first.num_iterations, first.max_iterations);
  EXPECT_LE(first.num_iterations, first.num_solves * first.max_iterations);
  EXPECT_GT(first.worst_residual, 0);
  EXPECT_LE(first.worst_residual, 1e-9);
  towers.simulator->AdvanceTo(0.2);
  EXPECT_EQ(plant.GetSolverStatistics(*towers.context).num_solves, 100);
  EXPECT_EQ(
      plant.GetSolverStatistics(plant.GetMyContextFromRoot(*other)).num_solves,
      0);
}

// A box that is lifted off the ground falls freely. No contact problem is
// solved, and no contact force of an earlier step is left.
TEST(ContactSteps, WithoutContactAreForwardDynamics) {
  constexpr double kStep = 0.002;
  Towers towers(1, 1);
  const auto& plant = *towers.plant;
  const auto& box = plant.GetBodyByName("box0");
  const auto contact_forces = [&] {
    return plant
        .get_generalized_contact_forces_output_port(box.model_instance())
        .Eval(*towers.context);
  };
  towers.simulator->AdvanceTo(0.1);
  EXPECT_NEAR(contact_forces().norm(), kGravity, 1e-3);
  const auto before = plant.GetSolverStatistics(*towers.context);
  plant.SetFreeBodyPose(towers.context, box,
                        math::RigidTransformd(Vector3d(0, 0, 1)));
  plant.SetFreeBodySpatialVelocity(towers.context, box,
                                   SpatialVelocity<double>::Zero());
  towers.simulator->AdvanceTo(0.2);
  EXPECT_EQ(plant.GetSolverStatistics(*towers.context).num_solves,
            before.num_solves);
  EXPECT_EQ(contact_forces().norm(), 0);
  // Velocities advance before positions: 50 steps fall by 50 * 51 / 2 g dt^2.
  const double z =
      plant.EvalBodyPoseInWorld(*towers.context, box).translation()[2];
  EXPECT_NEAR(z, 1 - 1275 * kGravity * kStep * kStep, 1e-13);
}

}  // namespace contact_steps_test
}  // namespace wyvern::multibody
