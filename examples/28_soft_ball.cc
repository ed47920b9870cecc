// A soft ball rests on a hard plate and spins about its vertical axis. It
// touches on a disc, whose friction stops the spin, as a force at one point
// could not. The pressure in the ball is E (1 - r / R), r from its centre: the
// torque is the integral of mu p s dA, s from the axis.
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double R = 0.1, kMass = 1, kModulus = 5e4, kMu = 0.5;  // m, kg, Pa
constexpr double kWeight = 9.81 * kMass, kSpin = 3;              // N, rad/s

// The integral of s^n p dA over the disc at a distance d from the centre.
double IntegratePressure(double d, int n) {
  constexpr int kRings = 1000;
  const double a = std::sqrt(R * R - d * d), h = a / kRings;
  double sum = 0;
  for (double s = h / 2; s < a; s += h) {
    const double p = kModulus * (1 - std::sqrt(s * s + d * d) / R);
    sum += std::pow(s, n) * p * 2 * std::numbers::pi * s * h;
  }
  return sum;
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] =
      AddMultibodyPlantSceneGraph(&builder, 0.001 /* time step, s */);
  const auto& ball = plant.AddRigidBody(
      "ball", SpatialInertia<double>::SolidSphereWithMass(kMass, R));
  geometry::ProximityProperties soft;
  geometry::AddContactMaterial(10 /* s/m */, {},
                               CoulombFriction<double>(kMu, kMu), &soft);
  geometry::ProximityProperties hard(soft);
  geometry::AddCompliantHydroelasticProperties(R / 5, kModulus, &soft);
  geometry::AddRigidHydroelasticProperties(&hard);
  plant.RegisterCollisionGeometry(ball, {}, geometry::Sphere(R), "ball", soft);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "plate", hard);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());

  // How high the centre is when the plate carries the ball.
  double d = 0.999 * R;
  while (IntegratePressure(d, 0) < kWeight) d -= 1e-5;
  plant.SetFreeBodyPose(&context, ball,
                        math::RigidTransformd(Vector3d(0, 0, d)));
  plant.SetFreeBodySpatialVelocity(
      &context, ball,
      SpatialVelocity<double>(Vector3d(0, 0, kSpin), Vector3d::Zero()));
  const double slowing = kMu * IntegratePressure(d, 1) / (0.4 * kMass * R * R);
  fmt::print("time [s]  force [N]  spin [rad/s]  closed form\n");
  double worst = 0;
  for (double time = 0.02; time < 0.17; time += 0.02) {
    simulator.AdvanceTo(time);
    const auto& contact = plant.get_contact_results_output_port()
                              .Eval<ContactResults<double>>(context)
                              .hydroelastic_contact_info(0);
    const double spin =
        plant.EvalBodySpatialVelocityInWorld(context, ball).rotational().z();
    const double expected = std::max(0.0, kSpin - slowing * time);
    fmt::print("{:8.2f}  {:9.2f}  {:12.3f}  {:11.3f}\n", time,
               contact.F_Ac_W().translational().norm(), spin, expected);
    worst = std::max(worst, std::abs(spin - expected));
  }
  return worst < 0.05 * kSpin ? EXIT_SUCCESS : EXIT_FAILURE;
}
