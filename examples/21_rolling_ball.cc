// A ball that is thrown along the ground without spin, and ends up rolling.
//
//   v0 -> ( )           (o)-> v = 5/7 v0, w = v / r
//   ======================   friction spins it up for t = 2 v0 / (7 mu g)
//
// The same model in discrete steps and in continuous time.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kRadius = 0.1, kMass = 1;  // m, kg
constexpr double kSpeed = 1.4;              // v0, m/s
constexpr double kFriction = 0.3, kGravity = 9.81;
constexpr double kStiffness = 1e5;   // Of each of the two, N/m.
constexpr double kTolerance = 1e-3;  // Slip that counts as none, m/s.

// Prints the motion; whether it is as expected.
static bool Roll(double time_step) {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, time_step);
  geometry::ProximityProperties material;
  geometry::AddContactMaterial(10 /* s/m */, kStiffness,
                               CoulombFriction<double>(kFriction, kFriction),
                               &material);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "ground", material);
  const auto& ball = plant.AddRigidBody(
      "ball", SpatialInertia<double>::SolidSphereWithMass(kMass, kRadius));
  plant.RegisterCollisionGeometry(ball, {}, geometry::Sphere(kRadius), "ball",
                                  material);
  plant.set_stiction_tolerance(kTolerance);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const double depth = kMass * kGravity / (kStiffness / 2);
  plant.SetFreeBodyPose(&context, ball,
                        math::RigidTransformd(Vector3d(0, 0, kRadius - depth)));
  plant.SetFreeBodySpatialVelocity(
      &context, ball,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(kSpeed, 0, 0)));

  fmt::print("{}\n  time [s]  v [m/s]   w r [m/s]  v, exact\n",
             time_step > 0 ? "discrete, steps of 1 ms" : "continuous");
  const double slip_time = 2 * kSpeed / (7 * kFriction * kGravity);
  double worst = 0;
  for (int i = 0; i <= 10; ++i) {
    const double time = i * slip_time / 5;
    simulator.AdvanceTo(time);
    const auto& V = plant.EvalBodySpatialVelocityInWorld(context, ball);
    const double v = V.translational().x();
    const double exact =
        kSpeed - kFriction * kGravity * std::min(time, slip_time);
    fmt::print("{:10.4f}  {:.5f}   {:.5f}    {:.5f}\n", time, v,
               V.rotational().y() * kRadius, exact);
    worst = std::max(worst, std::abs(v - exact));
    if (i > 5) {
      worst = std::max(worst, std::abs(v - V.rotational().y() * kRadius));
    }
  }
  fmt::print("worst error {:.1e} m/s\n", worst);
  return worst < 5 * kTolerance;
}

int main() {
  const bool is_right_in_steps = Roll(0.001);
  const bool is_right_in_continuous_time = Roll(0);
  return is_right_in_steps && is_right_in_continuous_time ? EXIT_SUCCESS
                                                          : EXIT_FAILURE;
}
