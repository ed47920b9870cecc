// A four-bar linkage: two chains, whose ends a ball constraint holds together.
//
//        B----------C        crank AB = a, coupler BC = b, rocker DC = c,
//       /   b        \       ground AD = d; the loop closes if (Freudenstein)
//    a / p          r \ c    d/a cos r - d/c cos p + (a2 - b2 + c2 + d2)/(2ac)
//     A ------d-------D        = cos(p - r)
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double a = 0.2, b = 0.5, c = 0.4, d = 0.5;  // m
constexpr double kDensity = 2;                        // kg/m
constexpr double kTimeStep = 0.0002;                  // s
const double kUp = std::acos(0.0);                    // rad
const Vector3d kAxis = -Vector3d::UnitY();  // Angles from x towards z.

int main() {
  MultibodyPlant<double> plant(kTimeStep);
  const auto add = [&plant](const char* name, double length,
                            const RigidBody<double>& parent, double x)
      -> std::pair<const RigidBody<double>&, const RevoluteJoint<double>&> {
    const auto& link = plant.AddRigidBody(
        name, SpatialInertia<double>::ThinRodWithMassAboutEnd(
                  kDensity * length, length, Vector3d::UnitX()));
    return {link, plant.AddJoint<RevoluteJoint>(
                      name, parent, math::RigidTransformd(Vector3d(x, 0, 0)),
                      link, {}, kAxis)};
  };
  const auto [crank, crank_pin] = add("crank", a, plant.world_body(), 0);
  const auto [coupler, coupler_pin] = add("coupler", b, crank, a);
  const auto [rocker, rocker_pin] = add("rocker", c, plant.world_body(), d);
  plant.AddBallConstraint(coupler, Vector3d(b, 0, 0), rocker,
                          Vector3d(c, 0, 0));
  plant.Finalize();
  const Vector2d B(0, a), D(d, 0);  // The crank upright.
  const double BD = (D - B).norm();
  const double along = (b * b - c * c + BD * BD) / (2 * BD);
  const Vector2d u = (D - B) / BD, n(-u.y(), u.x());
  const Vector2d C = B + along * u + std::sqrt(b * b - along * along) * n;
  systems::Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  const auto angle = [](const Vector2d& p) { return std::atan2(p.y(), p.x()); };
  crank_pin.set_angle(&context, kUp);
  coupler_pin.set_angle(&context, angle(C - B) - kUp);
  rocker_pin.set_angle(&context, angle(C - D));
  const auto total_energy = [&]() {
    return plant.CalcKineticEnergy(context) +
           plant.CalcPotentialEnergy(context);
  };
  const double energy = total_energy();
  const double k = (a * a - b * b + c * c + d * d) / (2 * a * c);
  double worst = 0, drift = 0;
  fmt::print("time [s]  crank [rad]  rocker [rad]  residual\n");
  for (int i = 1; i <= 20; ++i) {
    simulator.AdvanceTo(0.1 * i);
    const double p = crank_pin.get_angle(context);
    const double r = rocker_pin.get_angle(context);
    const double residual =
        d / a * std::cos(r) - d / c * std::cos(p) + k - std::cos(p - r);
    fmt::print("{:8.1f}  {:11.5f}  {:12.5f}  {:8.1e}\n", .1 * i, p, r,
               residual);
    worst = std::max(worst, std::abs(residual));
    drift = std::max(drift, std::abs(total_energy() - energy));
  }
  fmt::print("worst residual {:.1e}, energy off by {:.1e} of {:.3f} J\n", worst,
             drift, energy);
  return worst < 1e-4 && drift < 0.01 * energy ? EXIT_SUCCESS : EXIT_FAILURE;
}
