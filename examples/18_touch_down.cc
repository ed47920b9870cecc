// A rod falls on one end: the impulse of the ground, by three solvers.
//
//        \  l, m            end stops or bounces:  (1 + e) m v / (1 + 3 cos^2
//        p)
//  |      \                 end sticks: w = 3 v cos p / (2 l) about it
//  v  v    \ p
//  ---------'----- ground
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/plant/multibody_plant.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using Eigen::VectorXd;

int main() {
  constexpr double l = 0.8, m = 1.5, v = 3, p = 0.9;        // m, kg, m/s, rad
  constexpr double s = 0.02, I = m * (l * l + s * s) / 12;  // m, kg m^2
  MultibodyPlant<double> plant(0);
  const auto& rod = plant.AddRigidBody(
      "rod", SpatialInertia<double>::SolidBoxWithMass(m, l, s, s));
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  plant.SetFreeBodyPose(
      context.get(), rod,
      math::RigidTransformd(math::RotationMatrixd::MakeYRotation(p),
                            Vector3d(0, 0, l / 2 * std::sin(p))));
  plant.SetFreeBodySpatialVelocity(
      context.get(), rod,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d(0, 0, -v)));
  const Vector3d end(l / 2, 0, 0);
  const double r = l / 2 * std::cos(p);
  double error = 0;

  ConstraintSet<double> smooth;  // No friction; e of the speed comes back.
  smooth.AddContactConstraint(rod, end, Vector3d::UnitZ(), "end");
  smooth.Bind(plant);
  VectorXd after(6);
  for (const double e : {0.0, 0.4, 1.0}) {
    smooth.SetVPlus(VectorXd::Constant(1, e * v));
    const double expected = (1 + e) * v / (1 / m + r * r / I);
    for (auto* solve : {&ComputeConstraintImpulsesDirect<double>,
                        &ComputeConstraintImpulsesRangeSpaceSparse<double>,
                        &ComputeConstraintImpulsesNullSpace<double>}) {
      solve(plant, *context, &smooth, &after);
      error = std::max({error, std::abs(-smooth.impulse()[0] - expected),
                        std::abs(after[5] - (expected / m - v))});
    }
    fmt::print("restitution {:.1f}: {:.6f} N s, in closed form {:.6f}\n", e,
               -smooth.impulse()[0], expected);
  }

  ConstraintSet<double> rough;  // The end stays where it is.
  for (int axis : {0, 1, 2}) {
    rough.AddContactConstraint(rod, end, Vector3d::Unit(axis), "end");
  }
  rough.Bind(plant);
  ComputeConstraintImpulsesNullSpace<double>(plant, *context, &rough, &after);
  const double inertia = I + m * l * l / 4;  // About the end.
  const double expected = -m * v * r / inertia;
  fmt::print("sticking: turns at {:.6f} rad/s, in closed form {:.6f}\n",
             after[1], expected);
  error = std::max(error, std::abs(after[1] - expected));
  const double kinetic = 0.5 * inertia * after[1] * after[1];
  fmt::print("lost of {:.3f} J: {:.3f} J\n", 0.5 * m * v * v,
             0.5 * m * v * v - kinetic);
  return error < 1e-9 && kinetic < 0.5 * m * v * v ? EXIT_SUCCESS
                                                   : EXIT_FAILURE;
}
