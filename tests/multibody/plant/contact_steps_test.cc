// Steps of whole scenes: islands, repeatability and storage.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
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
  // What contacts are worth at the joints balances gravity there.
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

}  // namespace contact_steps_test
}  // namespace wyvern::multibody
