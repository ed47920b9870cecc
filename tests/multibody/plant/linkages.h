#pragma once

/** @file
Planar linkages with closed forms, for tests. Bars are uniform, of
mass 1 kg/m; hinges are about z; gravity is -9.81 m/s² along y. */

#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"

namespace wyvern::multibody::test {

/** v̇ by the output port. */
inline VectorX<double> Acceleration(const MultibodyPlant<double>& plant,
                                    const systems::Context<double>& context) {
  return plant.get_generalized_acceleration_output_port().Eval(context);
}

inline double TotalEnergy(const MultibodyPlant<double>& plant,
                          const systems::Context<double>& context) {
  return plant.CalcKineticEnergy(context) + plant.CalcPotentialEnergy(context);
}

/** A bar of length l from its origin along its x. */
inline const RigidBody<double>& AddBar(MultibodyPlant<double>* plant,
                                       const std::string& name, double l) {
  return plant->AddRigidBody(
      name, MakeInertia(l, Vector3<double>(l / 2, 0, 0), l * l * l / 12));
}

/** Ground O(0, 0), crank OA, coupler AB, rocker CB with C = (ground, 0). The
loop is closed at B. */
struct FourBar {
  static constexpr double kCrank = 0.3, kCoupler = 0.7, kRocker = 0.6,
                          kGround = 0.8, kGravity = 9.81;
  enum class Closure { kBall, kWeld, kJoint, kNone };

  explicit FourBar(double time_step, Closure closure = Closure::kBall,
                   bool finalize = true)
      : plant(time_step) {
    using Eigen::Vector3d;
    using math::RigidTransformd;
    const Vector3d z = Vector3d::UnitZ();
    crank = &AddBar(&plant, "crank", kCrank);
    coupler = &AddBar(&plant, "coupler", kCoupler);
    rocker = &AddBar(&plant, "rocker", kRocker);
    hinge_O = &plant.AddJoint<RevoluteJoint>("O", plant.world_body(), {},
                                             *crank, {}, z);
    hinge_A = &plant.AddJoint<RevoluteJoint>(
        "A", *crank, RigidTransformd(Vector3d(kCrank, 0, 0)), *coupler, {}, z);
    hinge_C = &plant.AddJoint<RevoluteJoint>(
        "C", plant.world_body(), RigidTransformd(Vector3d(kGround, 0, 0)),
        *rocker, {}, z);
    const Vector3d p_coupler(kCoupler, 0, 0), p_rocker(kRocker, 0, 0);
    if (closure == Closure::kBall) {
      id = plant.AddBallConstraint(*coupler, p_coupler, *rocker, p_rocker);
    } else if (closure == Closure::kWeld) {
      // By a pin, a body that is welded to the rocker's end.
      pin =
          &plant.AddRigidBody("pin", MakeInertia(1e-3, Vector3d::Zero(), 1e-6));
      hinge_B = &plant.AddJoint<RevoluteJoint>(
          "B", *coupler, RigidTransformd(p_coupler), *pin, {}, z);
      id =
          plant.AddWeldConstraint(*rocker, RigidTransformd(p_rocker), *pin, {});
    }
    if (closure == Closure::kJoint) {
      hinge_B = &plant.AddJoint<RevoluteJoint>(
          "B", *coupler, RigidTransformd(p_coupler), *rocker,
          RigidTransformd(p_rocker), z);
    }
    plant.mutable_gravity_field().set_gravity_vector(Vector3d(0, -kGravity, 0));
    if (finalize) Finalize();
  }

  void Finalize() {
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }

  /** Angles that close the loop for a crank angle; the elbow is up. */
  void SetAngles(double theta) {
    const double x = kGround - kCrank * std::cos(theta);
    const double y = -kCrank * std::sin(theta);
    const double d = std::hypot(x, y);
    const double beta = std::acos(
        (kCoupler * kCoupler + d * d - kRocker * kRocker) / (2 * kCoupler * d));
    const double phi = std::atan2(y, x) + beta;
    const double Bx = kCrank * std::cos(theta) + kCoupler * std::cos(phi);
    const double By = kCrank * std::sin(theta) + kCoupler * std::sin(phi);
    const double psi = std::atan2(By, Bx - kGround);
    hinge_O->set_angle(context.get(), theta);
    hinge_A->set_angle(context.get(), phi - theta);
    hinge_C->set_angle(context.get(), psi);
    if (hinge_B) hinge_B->set_angle(context.get(), psi - phi);
  }
  double rocker_for(double theta) {
    const double now = hinge_C->get_angle(*context);
    const auto saved = context->Clone();
    SetAngles(theta);
    const double result = hinge_C->get_angle(*context);
    context->SetTimeStateAndParametersFrom(*saved);
    EXPECT_EQ(hinge_C->get_angle(*context), now);
    return result;
  }

  /** Motion in closed form: angles of crank, coupler and rocker against the
  ground, their rates by the crank's and the derivatives of these by its
  angle. */
  struct Motion {
    double theta, phi, psi;
    double dphi, dpsi;    // By theta.
    double ddphi, ddpsi;  // Twice.
  };
  Motion CalcMotion() const {
    using std::cos;
    using std::sin;
    Motion m{};
    m.theta = hinge_O->get_angle(*context);
    m.phi = m.theta + hinge_A->get_angle(*context);
    m.psi = hinge_C->get_angle(*context);
    const double a = kCrank, b = kCoupler, c = kRocker;
    m.dphi = -a * sin(m.theta - m.psi) / (b * sin(m.phi - m.psi));
    m.dpsi = a * sin(m.theta - m.phi) / (c * sin(m.psi - m.phi));
    m.ddphi = (c * m.dpsi * m.dpsi - a * cos(m.theta - m.psi) -
               b * m.dphi * m.dphi * cos(m.phi - m.psi)) /
              (b * sin(m.phi - m.psi));
    m.ddpsi = (a * cos(m.theta - m.phi) + b * m.dphi * m.dphi -
               c * m.dpsi * m.dpsi * cos(m.psi - m.phi)) /
              (c * sin(m.psi - m.phi));
    return m;
  }

  /** Angles and rates of all hinges. */
  void SetMotion(double theta, double rate) {
    SetAngles(theta);
    const Motion m = CalcMotion();
    hinge_O->set_angular_rate(context.get(), rate);
    hinge_A->set_angular_rate(context.get(), (m.dphi - 1) * rate);
    hinge_C->set_angular_rate(context.get(), m.dpsi * rate);
    if (hinge_B) {
      hinge_B->set_angular_rate(context.get(), (m.dpsi - m.dphi) * rate);
    }
  }

  /** The crank's acceleration under gravity and a torque on it, [rad/s²]:
  I(theta) theta'' + I'/2 theta'^2 = Q. */
  double CalcCrankAcceleration(double torque = 0) const {
    using std::cos;
    using std::sin;
    const Motion m = CalcMotion();
    const double rate = hinge_O->get_angular_rate(*context);
    const double a = kCrank, b = kCoupler, c = kRocker;
    const double angle = m.theta - m.phi;
    const double I = a * a * a / 3 + c * c * c / 3 * m.dpsi * m.dpsi +
                     b * (a * a + a * b * m.dphi * cos(angle)) +
                     b * b * b / 3 * m.dphi * m.dphi;
    const double dI_2 =
        c * c * c / 3 * m.dpsi * m.ddpsi +
        b * a * b / 2 *
            (m.ddphi * cos(angle) - m.dphi * (1 - m.dphi) * sin(angle)) +
        b * b * b / 3 * m.dphi * m.ddphi;
    const double Q =
        torque -
        kGravity * (a * a / 2 * cos(m.theta) +
                    b * (a * cos(m.theta) + b / 2 * m.dphi * cos(m.phi)) +
                    c * c / 2 * m.dpsi * cos(m.psi));
    return (Q - dI_2 * rate * rate) / I;
  }

  /** The force on the rocker at B in the plane, by moments of the rocker about
  C and of the coupler about A. */
  Eigen::Vector2d CalcForceAtB(double torque = 0) const {
    using Eigen::Vector2d;
    const Motion m = CalcMotion();
    const double rate = hinge_O->get_angular_rate(*context);
    const double acceleration = CalcCrankAcceleration(torque);
    const double ddphi = m.dphi * acceleration + m.ddphi * rate * rate;
    const double ddpsi = m.dpsi * acceleration + m.ddpsi * rate * rate;
    const double phi_rate = m.dphi * rate;
    const auto unit = [](double angle) {
      return Vector2d(std::cos(angle), std::sin(angle));
    };
    const auto normal = [](const Vector2d& u) { return Vector2d(-u[1], u[0]); };
    const auto cross = [](const Vector2d& u, const Vector2d& w) {
      return u[0] * w[1] - u[1] * w[0];
    };
    const double a = kCrank, b = kCoupler, c = kRocker;
    const Vector2d e = unit(m.theta), f = unit(m.phi), h = unit(m.psi);
    const Vector2d a_com =
        a * (acceleration * normal(e) - rate * rate * e) +
        b / 2 * (ddphi * normal(f) - phi_rate * phi_rate * f);
    const Vector2d g(0, -kGravity);
    Eigen::Matrix2d A;
    Vector2d rhs;
    A.row(0) = c * normal(h).transpose();  // cross(r, F) = normal(r)·F.
    rhs[0] = c * c * c / 3 * ddpsi - cross(c / 2 * h, c * g);
    A.row(1) = -b * normal(f).transpose();
    rhs[1] = b * b * b / 12 * ddphi + cross(b / 2 * f, b * (a_com - g));
    return A.inverse() * rhs;
  }

  MultibodyPlant<double> plant;
  MultibodyConstraintId id;
  const RigidBody<double>* crank{};
  const RigidBody<double>* coupler{};
  const RigidBody<double>* rocker{};
  const RigidBody<double>* pin{};
  const RevoluteJoint<double>* hinge_O{};
  const RevoluteJoint<double>* hinge_A{};
  const RevoluteJoint<double>* hinge_C{};
  const RevoluteJoint<double>* hinge_B{};
  std::unique_ptr<systems::Context<double>> context;
};

}  // namespace wyvern::multibody::test
