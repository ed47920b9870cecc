// A soft ball rests on a hard plate and spins about its vertical axis. It
// touches on a disc, whose friction stops the spin: a force at one point could
// not. The pressure in the ball is E (1 - r / R), r from its centre, so that
// what the plate carries, and the torque of friction, can be written down.
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kRadius = 0.1, kMass = 1;    // m, kg
constexpr double kModulus = 5e4, kMu = 0.5;   // Pa, -
constexpr double kGravity = 9.81, kSpin = 3;  // m/s², rad/s

// The force on a plane at a distance d from the centre.
double CalcForce(double d) {
  const double R = kRadius;
  return 2 * pi * kModulus *
         ((R * R - d * d) / 2 - (R * R * R - d * d * d) / (3 * R));
}

// The torque of friction there, by Simpson's rule: mu p s dA at a distance s
// from the axis.
double CalcTorque(double d) {
  const double a = std::sqrt(kRadius * kRadius - d * d);
  const auto density = [&](double s) {
    return 2 * pi * kMu * kModulus * s * s *
           (1 - std::sqrt(s * s + d * d) / kRadius);
  };
  constexpr int n = 100;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double s = a * i / n, h = a / n;
    sum += h / 6 * (density(s) + 4 * density(s + h / 2) + density(s + h));
  }
  return sum;
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] =
      AddMultibodyPlantSceneGraph(&builder, 0.001 /* time step, s */);
  const double inertia = 0.4 * kMass * kRadius * kRadius;
  const auto& ball = plant.AddRigidBody(
      "ball", SpatialInertia<double>::SolidSphereWithMass(kMass, kRadius));
  geometry::ProximityProperties soft, hard;
  for (auto* properties : {&soft, &hard}) {
    geometry::AddContactMaterial(10 /* s/m */, {},
                                 CoulombFriction<double>(kMu, kMu), properties);
  }
  geometry::AddCompliantHydroelasticProperties(0.02 /* m */, kModulus, &soft);
  geometry::AddRigidHydroelasticProperties(&hard);
  plant.RegisterCollisionGeometry(ball, {}, geometry::Sphere(kRadius), "ball",
                                  soft);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "plate", hard);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());

  // How low the centre is when the plate carries the ball.
  double low = 0.5 * kRadius, high = kRadius;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (CalcForce(middle) > kMass * kGravity ? low : high) = middle;
  }
  plant.SetFreeBodyPose(&context, ball,
                        math::RigidTransformd(Vector3d(0, 0, low)));
  simulator.AdvanceTo(0.5);
  const auto& at_rest = plant.get_contact_results_output_port()
                            .Eval<ContactResults<double>>(context)
                            .hydroelastic_contact_info(0);
  const double height =
      plant.EvalBodyPoseInWorld(context, ball).translation().z();
  const double carried = std::abs(at_rest.F_Ac_W().translational().z());
  const double area = at_rest.contact_surface().total_area();
  const double exact_area = pi * (kRadius * kRadius - low * low);
  fmt::print("{:24}{:>12}{:>12}\n", "at rest", "simulated", "closed form");
  fmt::print("{:24}{:12.3f}{:12.3f}\n", "depth [mm]", 1e3 * (kRadius - height),
             1e3 * (kRadius - low));
  fmt::print("{:24}{:12.3f}{:12.3f}\n", "area [cm²]", 1e4 * area,
             1e4 * exact_area);
  fmt::print("{:24}{:12.3f}{:12.3f}\n", "force [N]", carried, kMass * kGravity);

  plant.SetFreeBodySpatialVelocity(
      &context, ball,
      SpatialVelocity<double>(Vector3d(0, 0, kSpin), Vector3d::Zero()));
  const double start = context.get_time();
  const double slowing = CalcTorque(low) / inertia;  // rad/s²
  fmt::print("\ntime [s]  spin [rad/s]  closed form\n");
  double worst = 0;
  for (int i = 1; i <= 8; ++i) {
    const double time = 0.02 * i;
    simulator.AdvanceTo(start + time);
    const double spin =
        plant.EvalBodySpatialVelocityInWorld(context, ball).rotational().z();
    const double expected = std::max(0.0, kSpin - slowing * time);
    worst = std::max(worst, std::abs(spin - expected));
    fmt::print("{:8.2f}  {:12.3f}  {:11.3f}\n", time, spin, expected);
  }
  const bool is_right = std::abs(carried / (kMass * kGravity) - 1) < 1e-3 &&
                        std::abs(area / exact_area - 1) < 0.1 &&
                        worst < 0.1 * kSpin;
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
