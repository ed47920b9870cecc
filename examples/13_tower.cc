// Ten boxes, one on the other, that stand.
//
//   +--+
//   |10|   each rests on four points;
//   +--+   a point at the foot carries 10 m g / 4
//    ..
//   | 1|
//  ======
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr int kBoxes = 10;
constexpr double kSize = 0.1;  // m
constexpr double kMass = 1;    // kg

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] =
      AddMultibodyPlantSceneGraph(&builder, 0.002 /* time step, s */);
  const CoulombFriction<double> friction(0.5, 0.5);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "ground", friction);
  std::vector<const RigidBody<double>*> boxes;
  for (int i = 0; i < kBoxes; ++i) {
    const auto name = fmt::format("box{}", i + 1);
    boxes.push_back(&plant.AddRigidBody(
        name, SpatialInertia<double>::SolidCubeWithMass(kMass, kSize)));
    plant.RegisterCollisionGeometry(
        *boxes[i], {}, geometry::Box(kSize, kSize, kSize), name, friction);
  }
  plant.Finalize();
  const auto diagram = builder.Build();

  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  for (int i = 0; i < kBoxes; ++i) {
    plant.SetFreeBodyPose(
        &context, *boxes[i],
        math::RigidTransformd(Vector3d(0, 0, kSize * (i + 0.5))));
  }
  simulator.AdvanceTo(5.0);

  const double top =
      plant.EvalBodyPoseInWorld(context, *boxes.back()).translation().z();
  double foot = 0;
  const auto& results =
      plant.get_contact_results_output_port().Eval<ContactResults<double>>(
          context);
  for (const auto& contact : results.point_pairs()) {
    const bool is_foot =
        std::min(contact.bodyA_index(), contact.bodyB_index()) == 0;
    if (is_foot) foot += std::abs(contact.contact_force().z());
  }
  const double speed = plant.GetVelocities(context).cwiseAbs().maxCoeff();
  const double weight = kBoxes * kMass * 9.81;
  // Two default surfaces in series; box i from the top has i times its load.
  const double stiffness = 1e6 / 2;  // N/m
  const double first = kMass * 9.81 / (4 * stiffness);
  const double expected =
      kSize * (kBoxes - 0.5) - kBoxes * (kBoxes + 1) / 2 * first;
  fmt::print("{} contacts; the top box is at {:.6f} m, in closed form {:.6f}\n",
             results.num_point_pair_contacts(), top, expected);
  fmt::print("ground carries {:.6f} N, boxes weigh {:.6f} N\n", foot, weight);
  fmt::print("largest speed after 5 s: {:.1e} m/s\n", speed);
  const bool stands = std::abs(foot - weight) < 1e-4 * weight &&
                      std::abs(top - expected) < 1e-6 && speed < 1e-4;
  return stands ? EXIT_SUCCESS : EXIT_FAILURE;
}
