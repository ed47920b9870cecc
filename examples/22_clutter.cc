// Mixed shapes dropped into a bin: `22_clutter [COUNT]`, 50 unless given.
//
//   |  o [] 0  |    spheres, boxes, cylinders, capsules, ellipsoids
//   | ()  o  / |
//   +----------+    at last they lie still, and the floor carries them all
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "examples/support/contact_scene.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kMass = 0.2, kGravity = 9.81;         // kg, m/s^2
constexpr double kRadius = 0.03, kHalf = 0.16;         // Of a body, the bin, m.
constexpr double kSpacing = 3.5 * kRadius, kTime = 5;  // m, s

int main(int argc, char* argv[]) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 50;
  systems::DiagramBuilder<double> builder;
  MultibodyPlant<double>& plant =
      AddMultibodyPlantSceneGraph(&builder, 0.002 /* time step, s */).plant;
  const CoulombFriction<double> friction(0.5, 0.5);
  examples::AddBin(kHalf, 4 /* m */, friction, &plant);
  std::vector<const RigidBody<double>*> bodies;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < count; ++i) {
    bodies.push_back(
        &examples::AddMixedShape(i, kMass, kRadius, friction, &plant));
    const Vector3d place(i % 3 - 1, i / 3 % 3 - 1, i / 9 + 1);
    Eigen::Quaterniond R(number(random), number(random), number(random), 1);
    plant.SetDefaultFreeBodyPose(
        *bodies[i], math::RigidTransformd(R.normalized(), kSpacing * place));
  }
  plant.set_penetration_allowance(1e-4 /* m */);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  const auto& context = plant.GetMyContextFromRoot(simulator.get_context());

  const double dropped = plant.CalcPotentialEnergy(context);
  double kinetic = 0, energy = dropped, gain = 0;
  fmt::print("time [s]  kinetic [J]  with potential [J]\n");
  for (int i = 1; i <= 100; ++i) {
    simulator.AdvanceTo(kTime * i / 100);
    kinetic = plant.CalcKineticEnergy(context);
    const double before = energy;
    energy = kinetic + plant.CalcPotentialEnergy(context);
    gain = std::max(gain, energy - before);
    if (i % 10 == 0) {
      fmt::print("{:8.1f}  {:11.2e}  {:16.3f}\n", context.get_time(), kinetic,
                 energy);
    }
  }
  const auto escaped = std::ranges::count_if(bodies, [&](const auto* body) {
    const Vector3d p = plant.EvalBodyPoseInWorld(context, *body).translation();
    return p.head<2>().cwiseAbs().maxCoeff() > kHalf || p.z() < 0;
  });
  const double weight = count * kMass * kGravity;
  const double carried =
      -examples::CalcContactForce(plant, context, plant.world_body()).z();
  fmt::print("{} escaped; the bin carries {:.2f} N, they weigh {:.2f} N\n",
             escaped, carried, weight);
  fmt::print("energy never grew by more than {:.1e} J\n", gain);
  const bool rests = escaped == 0 && kinetic < 1e-4 * dropped &&
                     gain < 1e-3 * dropped &&
                     std::abs(carried / weight - 1) < 0.02;
  return rests ? EXIT_SUCCESS : EXIT_FAILURE;
}
