// Loops drift: a slider-crank in continuous time, closed by a constraint on
// accelerations, whose errors e an integrator lets grow.
//
//         B                 crank AB = a, rod BC = b, slider C on the x-axis;
//       a/  \ b             ball constraint: e = from the rod's end to C;
//       A    [C]----- x     x = a cos p + sqrt(b^2 - (a sin p)^2), p at A
// Against that nothing, stabilization (e'' + 2 e'/t + e/t^2 = 0), and, besides,
// projection onto e = 0, e' = 0 before each step.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "examples/support/planar_linkage.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double a = 0.2, b = 0.5, kRate = 8;  // m, m, rad/s of the crank

struct Drift {
  double error, energy, off;  // m, J, m
};

// The worst of 20 s, by an integrator that controls its error; prints some.
Drift Run(const char* name, double time, ConstraintProjection projection) {
  MultibodyPlant<double> plant(0.0 /* continuous */);
  plant.mutable_gravity_field().set_gravity_vector(Vector3d(0, -9.81, 0));
  const auto& crank = examples::AddRod(&plant, "crank", plant.world_body(),
                                       Vector3d::Zero(), a, 0.4 /* kg */);
  const auto& rod =
      examples::AddRod(&plant, "rod", crank, Vector3d(a, 0, 0), b, 1.0);
  const auto& slider = plant.AddRigidBody(
      "slider", SpatialInertia<double>::SolidCubeWithMass(0.5, 0.05));
  plant.AddJoint<PrismaticJoint>("C", plant.world_body(), {}, slider, {},
                                 Vector3d::UnitX());
  plant.AddBallConstraint(rod, Vector3d(b, 0, 0), slider, Vector3d::Zero());
  plant.set_constraint_stabilization_time(time);
  plant.set_constraint_projection(projection);
  plant.Finalize();
  systems::Simulator<double> simulator(plant);
  simulator.get_mutable_integrator().set_target_accuracy(1e-3);
  auto& context = simulator.get_mutable_context();
  plant.SetPositions(&context, Vector3d(0, 0, a + b));  // Stretched out.
  plant.SetVelocities(&context, Vector3d(1, -1 - a / b, 0) * kRate);
  const double energy = plant.CalcKineticEnergy(context);
  Drift worst{};
  fmt::print("{:10}", name);
  for (int i = 1; i <= 200; ++i) {
    simulator.AdvanceTo(0.1 * i);
    const double error = plant.CalcConstraintErrors(context).norm();
    const double gain = plant.CalcKineticEnergy(context) +
                        plant.CalcPotentialEnergy(context) - energy;
    const Vector3d q = plant.GetPositions(context);
    const double x =
        a * std::cos(q[0]) + std::sqrt(b * b - std::pow(a * std::sin(q[0]), 2));
    worst.error = std::max(worst.error, error);
    worst.energy = std::max(worst.energy, std::abs(gain));
    worst.off = std::max(worst.off, std::abs(q[2] - x));
    if (i % 100 == 0) fmt::print("  {:10.1e}  {:10.1e}", error, gain);
  }
  fmt::print("  {:10.1e}\n", worst.error);
  return worst;
}

int main() {
  fmt::print("e, energy:  10 s [m, J]             20 s [m, J]   worst e [m]\n");
  using enum ConstraintProjection;
  const Drift alone = Run("alone", INFINITY, kNone);
  const Drift stabilized = Run("stabilized", 0.1 /* s */, kNone);
  const Drift projected = Run("projected", 0.1, kEveryStep);
  const bool holds = stabilized.error < alone.error &&
                     projected.error < stabilized.error &&
                     projected.off < 5e-6 && projected.energy < 1e-3;
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
}
