// A planar 3-RRR robot: a platform on three arms, three loops. Where its motors
// are at a pose, and what they hold there, in closed form.
//    motor o-a-o-b-[platform]-b-o-a-o motor     elbows and pins are free
//                      |b
//                      o-a-o motor
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "examples/support/planar_linkage.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"
#include "wyvern/multibody/tree/planar_joint.h"

using namespace wyvern::examples;   // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d, Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr double a = 0.25, b = 0.3, kBase = 0.45, kPlatform = 0.1;  // m
Complex Corner(int k, double r) { return std::polar(r, 2 * M_PI / 3 * k); }
Vector3d ToVector(Complex z) { return {z.real(), z.imag(), 0}; }

// The angle of motor k at a pose (x, y, angle) of the platform.
double MotorAngle(int k, const Vector3d& pose) {
  const Complex base = Corner(k, kBase), to(pose.x(), pose.y());
  const Complex end = to + std::polar(1.0, pose.z()) * Corner(k, kPlatform);
  return std::arg(Meet(base, a, end, b) - base);
}

int main() {
  MultibodyPlant<double> plant(0);
  const auto& world = plant.world_body();
  const auto& platform = plant.AddRigidBody(
      "platform", SpatialInertia<double>::SolidBoxWithMass(2, 0.2, 0.2, 0.02));
  plant.AddJoint<PlanarJoint>("pose", world, {}, platform, {});
  ConstraintSet<double> set;
  std::vector<bool> is_motor(9, false);
  VectorXd guess(9), keep_platform(9), vdot(9), tau(9);
  guess << 0.04, -0.03, 0.2, 0, 0, 0, 0, 0, 0;  // m, m, rad
  keep_platform << 1, 1, 1, 0, 0, 0, 0, 0, 0;
  for (int k = 0; k < 3; ++k) {
    const Vector3d base = ToVector(Corner(k, kBase));
    const Vector3d corner = ToVector(Corner(k, kPlatform));
    const auto arm = "arm " + std::to_string(k);
    const auto& upper = AddRod(&plant, "upper " + arm, world, base, a, 1);
    const auto& lower = AddRod(&plant, "lower " + arm, upper, {a, 0, 0}, b, 1);
    AddPin(&set, arm, platform, corner, lower, {b, 0, 0});
    guess[3 + 2 * k] = M_PI + 2 * M_PI / 3 * k + 1;
    guess[4 + 2 * k] = -2;
    is_motor[3 + 2 * k] = true;
  }
  plant.Finalize();
  set.Bind(plant);
  set.SetActuationMap(plant, is_motor);
  const auto context = plant.CreateDefaultContext();
  const VectorXd rest = VectorXd::Zero(9);
  Assemble(plant, guess, rest, keep_platform, &set, context.get());
  // Motors against a push F on the platform: F dpose + tau dangle = 0.
  MultibodyForces<double> push(plant);
  const Vector3d pose = guess.head(3), F(30, -20, 4);  // N, N, N m
  push.mutable_generalized_forces().head(3) = F;
  InverseDynamicsConstraints<double>(plant, *context, rest, &set, &vdot, &tau,
                                     &push);
  double error = 0;
  Vector3d left = F;
  for (int k = 0; k < 3; ++k) {
    const double angle = plant.GetPositions(*context)[3 + 2 * k];
    const double off = std::remainder(angle - MotorAngle(k, pose), 2 * M_PI);
    error = std::max(error, std::abs(off));
    for (int i = 0; i < 3; ++i) {
      const Vector3d h = 1e-5 * Vector3d::Unit(i);
      left[i] += tau[3 + 2 * k] *
                 (MotorAngle(k, pose + h) - MotorAngle(k, pose - h)) / 2e-5;
    }
  }
  fmt::print("off by {:.1e} rad and {:.1e} N\n", error, left.norm());
  return error < 1e-8 && left.norm() < 1e-6 ? 0 : 1;
}
