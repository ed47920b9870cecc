#include "examples/support/planar_linkage.h"

#include <cmath>
#include <stdexcept>

#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::examples {

using Eigen::Vector3d;
using Eigen::VectorXd;
using multibody::MultibodyPlant;
using multibody::RigidBody;
using Complex = std::complex<double>;

const RigidBody<double>& AddRod(MultibodyPlant<double>* plant,
                                const std::string& name,
                                const RigidBody<double>& parent,
                                const Vector3d& p_PJ, double length,
                                double mass) {
  const auto& rod = plant->AddRigidBody(
      name, multibody::SpatialInertia<double>::ThinRodWithMassAboutEnd(
                mass, length, Vector3d::UnitX()));
  plant->AddJoint<multibody::RevoluteJoint>(
      name, parent, math::RigidTransformd(p_PJ), rod, math::RigidTransformd(),
      Vector3d::UnitZ());
  return rod;
}

void AddPin(multibody::ConstraintSet<double>* set, const std::string& name,
            const RigidBody<double>& first, const Vector3d& p_1,
            const RigidBody<double>& second, const Vector3d& p_2) {
  for (int axis : {3, 4}) {
    set->AddLoopConstraint(first, second, math::RigidTransformd(p_1),
                           math::RigidTransformd(p_2),
                           Vector6<double>::Unit(axis), false, 0.1, name);
  }
}

void Assemble(const MultibodyPlant<double>& plant, const VectorXd& guess,
              const VectorXd& v, const VectorXd& weights,
              multibody::ConstraintSet<double>* set,
              systems::Context<double>* context) {
  VectorXd q(guess.size()), velocities(v.size());
  plant.SetPositions(context, guess);
  plant.SetVelocities(context, v);
  multibody::AssemblyReport report;
  if (!CalcAssemblyQ<double>(plant, *context, set, &q, weights, 1e-12, 100,
                             &report)) {
    throw std::runtime_error("The linkage does not close: " +
                             report.DescribeUnmet());
  }
  plant.SetPositions(context, q);
  CalcAssemblyQDot<double>(plant, *context, set, &velocities, weights);
  plant.SetVelocities(context, velocities);
}

Complex Meet(Complex p, double r, Complex q, double s) {
  const double n = std::abs(q - p);
  const double x = (r * r - s * s + n * n) / (2 * n);
  return p + (q - p) / n * Complex(x, std::sqrt(r * r - x * x));
}

// Rates from a e^{it} + b e^{i coupler} = d + c e^{i rocker}, differentiated
// and turned so that one unknown drops out; the pin's force from the moments of
// rocker and coupler about their hinges, the motor's torque from the crank's.
FourBarClosedForm::FourBarClosedForm(double a, double b, double c, double d,
                                     double t, double t1, double t2,
                                     double density, double gravity) {
  const Complex i(0, 1), A = std::polar(a, t), B = Meet(A, b, d, c);
  coupler = std::arg(B - A);
  rocker = std::arg(B - d);
  const double between = coupler - rocker;
  coupler_rate = -t1 * a * std::sin(t - rocker) / (b * std::sin(between));
  rocker_rate = -t1 * a * std::sin(t - coupler) / (c * std::sin(between));
  const auto pull = [](double r, double w, double w2, double on) {
    return r * (w2 * std::sin(on) + w * w * std::cos(on));
  };
  coupler_acceleration =
      (c * rocker_rate * rocker_rate - pull(a, t1, t2, t - rocker) -
       pull(b, coupler_rate, 0, between)) /
      (b * std::sin(between));
  rocker_acceleration =
      -(pull(a, t1, t2, t - coupler) + b * coupler_rate * coupler_rate -
        pull(c, rocker_rate, 0, -between)) /
      (c * std::sin(between));

  const auto cross = [](Complex u, Complex w) { return (conj(u) * w).imag(); };
  const Complex along_b = std::polar(1.0, coupler);
  const Complex along_c = std::polar(1.0, rocker);
  const Complex up = i * gravity;
  const Complex A2 = A * (i * t2 - t1 * t1);
  const double across_c =
      density * (c * c * rocker_acceleration / 3 + c / 2 * cross(along_c, up));
  const double across_b = -density * (b * b * coupler_acceleration / 3 +
                                      b / 2 * cross(along_b, A2 + up));
  pin_force = (across_c * along_b - across_b * along_c) / std::sin(between);
  const Complex middle =
      A2 + b / 2 * along_b *
               (i * coupler_acceleration - coupler_rate * coupler_rate);
  const Complex on_coupler = density * b * (middle + up) + pin_force;
  motor_torque =
      density * a * (a * a * t2 / 3 + cross(A, up) / 2) + cross(A, on_coupler);
}

}  // namespace wyvern::examples
