// A slider-crank at constant speed against a load: the motor's torque by
// inverse dynamics under constraints, and what the piston's pin carries.
//           A
//   crank r/ '-._  rod l                x = r cos t + l cos beta
//  motor  o t    '-._[piston]<-- load   r sin t = -l sin beta
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "examples/support/planar_linkage.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"
#include "wyvern/multibody/tree/prismatic_joint.h"

using namespace wyvern::examples;   // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using Complex = std::complex<double>;

constexpr double r = 0.05, l = 0.16;         // m
constexpr double kRod = 0.6, kPiston = 0.4;  // kg
constexpr double w = 200, kLoad = -3e3;      // rad/s, N

int main() {
  MultibodyPlant<double> plant(0);
  const auto& world = plant.world_body();
  const auto& crank = AddRod(&plant, "crank", world, {0, 0, 0}, r, 1);
  const auto& rod = AddRod(&plant, "rod", crank, {r, 0, 0}, l, kRod);
  const auto& piston = plant.AddRigidBody(
      "piston", SpatialInertia<double>::SolidCubeWithMass(kPiston, 0.04));
  plant.AddJoint<PrismaticJoint>("cylinder", world, {}, piston, {},
                                 Vector3d::UnitX());
  plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  plant.Finalize();
  ConstraintSet<double> set;
  AddPin(&set, "piston pin", piston, {0, 0, 0}, rod, {l, 0, 0});
  set.Bind(plant);
  set.SetActuationMap(plant, {true, false, false});
  const auto context = plant.CreateDefaultContext();
  MultibodyForces<double> load(plant);
  load.mutable_generalized_forces()[2] = kLoad;
  const Vector3d keep_crank(1, 0, 0), steady(0, 0, 0), turning(w, 0, 0);
  Eigen::VectorXd vdot(3), tau(3);
  double error = 0, torque = 0;
  for (double t = 0.05; t < 2 * M_PI; t += 0.05) {
    Assemble(plant, Vector3d(t, -t, r + l), turning, keep_crank, &set,
             context.get());
    InverseDynamicsConstraints<double>(plant, *context, steady, &set, &vdot,
                                       &tau, &load);
    torque = std::max(torque, std::abs(tau[0]));
    // Angle and rates of the rod, its middle m, and the piston's x.
    const double beta = -std::asin(r / l * std::sin(t)), cb = std::cos(beta);
    const double b1 = -r * w * std::cos(t) / (l * cb);
    const double b2 =
        (r * w * w * std::sin(t) + l * b1 * b1 * std::sin(beta)) / (l * cb);
    const Complex i(0, 1), A = std::polar(r, t), e = std::polar(l, beta);
    const Complex A2 = -w * w * A, e1 = i * b1 * e, e2 = (i * b2 - b1 * b1) * e;
    const Complex m1 = i * w * A + 0.5 * e1, m2 = A2 + 0.5 * e2;
    const double x1 = (i * w * A + e1).real(), x2 = (A2 + e2).real();
    // The force at the pin: the piston's motion, and moments about A.
    const double fx = kLoad - kPiston * x2;
    const double moment = kRod * (l * l / 3 * b2 + 0.5 * (conj(e) * A2).imag());
    const double fy = (moment + e.imag() * fx) / e.real();
    const double power =
        kRod * ((conj(m1) * m2).real() + l * l / 12 * b1 * b2) +
        (kPiston * x2 - kLoad) * x1;
    const Vector3d q = plant.GetPositions(*context);
    const Vector3d v = plant.GetVelocities(*context);
    for (const double difference :
         {(q[2] - (A + e).real()) / l, (v[2] - x1) / (r * w),
          (v[0] + v[1] - b1) / w, (vdot[2] - x2) / (r * w * w),
          (vdot[0] + vdot[1] - b2) / (w * w), (set.force()[0] - fx) / kLoad,
          (set.force()[1] - fy) / kLoad, (tau[0] - power / w) / (kLoad * r)}) {
      error = std::max(error, std::abs(difference));
    }
  }
  fmt::print("torque up to {:.1f} N m; off by {:.1e}\n", torque, error);
  return error < 1e-9 ? 0 : 1;
}
