// A four-bar linkage, closed by a ConstraintSet, through a turn of its crank:
// angles, rates, accelerations and the pin's force beside their closed forms.
//
//             B---__  b                    A = a e^{i t}
//           c/      ---A                   B = A + b e^{i coupler}
//           /         / a                    = d + c e^{i rocker}
//          o----d----o  t, motor
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "examples/support/planar_linkage.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::examples;   // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double a = 0.3, b = 0.8, c = 0.7, d = 0.9;  // m; 1 kg/m
constexpr double kGravity = 9.81, kSpeed = 5;         // m/s^2, rad/s

int main() {
  MultibodyPlant<double> plant(0);
  const auto& crank =
      AddRod(&plant, "crank", plant.world_body(), {0, 0, 0}, a, a);
  const auto& coupler = AddRod(&plant, "coupler", crank, {a, 0, 0}, b, b);
  const auto& rocker =
      AddRod(&plant, "rocker", plant.world_body(), {d, 0, 0}, c, c);
  plant.mutable_gravity_field().set_gravity_vector({0, -kGravity, 0});
  plant.Finalize();
  ConstraintSet<double> set;
  AddPin(&set, "pin", coupler, {b, 0, 0}, rocker, {c, 0, 0});
  set.Bind(plant);

  const auto context = plant.CreateDefaultContext();
  const Vector3d keep_crank(1, 0, 0), tau(2, 0, 0);  // N m
  Eigen::VectorXd vdot(3);
  Vector3d guess(0, 1, 2);
  double error = 0, largest_force = 0;
  for (double t = 0; t < 6.3; t += 0.1) {
    guess[0] = t;
    Assemble(plant, guess, Vector3d(kSpeed, 0, 0), keep_crank, &set,
             context.get());
    const Vector3d q = plant.GetPositions(*context);
    const Vector3d v = plant.GetVelocities(*context);
    guess = q;
    ForwardDynamicsConstraintsDirect<double>(plant, *context, tau, &set, &vdot);
    std::vector<BodyIndex> bodies;
    std::vector<math::RigidTransformd> frames;
    std::vector<SpatialForce<double>> forces;  // On coupler and rocker.
    set.CalcForces(0, plant, *context, &bodies, &frames, &forces, true);

    const FourBarClosedForm exact(a, b, c, d, t, kSpeed, vdot[0], 1, kGravity);
    const auto& F = forces[1].translational();
    const auto turned = [](double by) { return std::remainder(by, 2 * M_PI); };
    for (const double difference :
         {turned(q[0] + q[1] - exact.coupler), turned(q[2] - exact.rocker),
          v[0] + v[1] - exact.coupler_rate, v[2] - exact.rocker_rate,
          vdot[0] + vdot[1] - exact.coupler_acceleration,
          vdot[2] - exact.rocker_acceleration, F.x() - exact.pin_force.real(),
          F.y() - exact.pin_force.imag(), tau[0] - exact.motor_torque}) {
      error = std::max(error, std::abs(difference));
    }
    largest_force = std::max(largest_force, F.norm());
  }
  fmt::print("the pin carries up to {:.1f} N\n", largest_force);
  fmt::print("off the closed forms by {:.1e} at most\n", error);
  return error < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
