#pragma once

/** @file
Mechanisms of the IFToMM library of computational benchmark problems
(https://www.iftomm-multibody.org/benchmark; M. Gonzalez, D. Dopico, U. Lugris,
J. Cuadrado, "A benchmarking system for MBS simulation software", Multibody
System Dynamics 16, 2006) and free rotation, as continuous plants. */

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::test {

struct Mechanism {
  std::string name;
  std::unique_ptr<multibody::MultibodyPlant<double>> plant;
  double end{};  // [s]
  /** Sets the start and fixes inputs. */
  std::function<void(systems::Context<double>*)> start;
  /** The error at `end`, in the unit of the quantity that is compared. */
  std::function<double(const systems::Context<double>&)> calc_error;
};

inline std::unique_ptr<multibody::MultibodyPlant<double>> MakePlant(
    const Eigen::Vector3d& gravity) {
  auto plant = std::make_unique<multibody::MultibodyPlant<double>>(0.0);
  plant->mutable_gravity_field().set_gravity_vector(gravity);
  return plant;
}

/** K(m), the complete elliptic integral of the first kind, by the
arithmetic-geometric mean (Abramowitz, Stegun, 17.6). */
inline double EllipticK(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

/** A body of mass m that moves in the plane z = 0, with its center at (x, y)
and the moment I about it. */
inline multibody::SpatialInertia<double> Planar(double m, double x, double y,
                                                double I) {
  return multibody::SpatialInertia<double>::MakeFromCentralInertia(
      m, Eigen::Vector3d(x, y, 0),
      multibody::RotationalInertia<double>(I, I, I));
}

using RevolutePin = multibody::RevoluteJoint<double>;

/** Adds a body that turns about z at (x, y) of its parent. */
inline const RevolutePin& AddPin(multibody::MultibodyPlant<double>* plant,
                                 const std::string& name,
                                 const multibody::RigidBody<double>& parent,
                                 double x, double y,
                                 const multibody::SpatialInertia<double>& M) {
  const auto& body = plant->AddRigidBody(name, M);
  return plant->AddJoint<multibody::RevoluteJoint>(
      name, parent, math::RigidTransformd(Eigen::Vector3d(x, y, 0)), body, {},
      Eigen::Vector3d::UnitZ());
}

/** A01, the simple pendulum of 1 m and 1 kg, which starts at rest and
horizontal. After four periods of 4 K(1/2) sqrt(L / g) it is there again. */
inline Mechanism MakePendulum() {
  Mechanism result;
  result.name = "A01 pendulum";
  result.plant = MakePlant({0, -9.81, 0});
  const auto* pin =
      &AddPin(result.plant.get(), "pendulum", result.plant->world_body(), 0, 0,
              multibody::SpatialInertia<double>::PointMass(1, {1, 0, 0}));
  result.plant->Finalize();
  result.end = 4 * 4 * EllipticK(0.5) / std::sqrt(9.81);
  result.start = [](systems::Context<double>*) {};
  result.calc_error = [pin](const systems::Context<double>& context) {
    return std::abs(pin->get_angle(context));
  };
  return result;
}

/** A02 of two windows: five rods of 1 m and 1 kg, three of them upright at the
start with 1 m/s at the upper ends. With the angle a of the three from upright,
the energy 3/2 a'^2 + 3.5 g cos a is constant; the tip (sin a, cos a) after 10 s
is that of a solution of a'' = 3.5/3 g sin a to 1e-13. */
inline Mechanism MakeFourBars() {
  Mechanism result;
  result.name = "A02 four-bars";
  result.plant = MakePlant({0, -9.81, 0});
  auto* plant = result.plant.get();
  const auto rod = multibody::SpatialInertia<double>::ThinRodWithMassAboutEnd(
      1, 1, Eigen::Vector3d::UnitX());
  std::vector<const RevolutePin*> cranks, couplers;
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    cranks.push_back(
        &AddPin(plant, "crank" + n, plant->world_body(), i, 0, rod));
    if (i < 2) {
      couplers.push_back(&AddPin(plant, "coupler" + n,
                                 cranks.back()->child_body(), 1, 0, rod));
    }
  }
  const Eigen::Vector3d tip(1, 0, 0);
  for (int i = 0; i < 2; ++i) {
    plant->AddBallConstraint(couplers[i]->child_body(), tip,
                             cranks[i + 1]->child_body(), tip);
  }
  plant->Finalize();
  result.end = 10;
  result.start = [cranks, couplers](systems::Context<double>* context) {
    for (const auto* crank : cranks) {
      crank->set_angle(context, std::numbers::pi / 2);
      crank->set_angular_rate(context, -1);
    }
    for (const auto* coupler : couplers) {
      coupler->set_angle(context, -std::numbers::pi / 2);
      coupler->set_angular_rate(context, 1);
    }
  };
  result.calc_error = [cranks](const systems::Context<double>& context) {
    const double angle = cranks[0]->get_angle(context);
    return std::hypot(std::cos(angle) - 0.32845811154,
                      std::sin(angle) - 0.94451853818);
  };
  return result;
}

/** A03, Andrews' squeezer: seven bodies, three loops, a spring and a motor. The
parameters and the solution are those of the test set for initial value problem
solvers, "Andrews' squeezing mechanism". */
inline Mechanism MakeSqueezer() {
  Mechanism result;
  result.name = "A03 Andrews";
  result.plant = MakePlant({0, 0, 0});
  auto* plant = result.plant.get();
  const auto& world = plant->world_body();
  constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273;
  constexpr double xc = 0.014, yc = 0.072, rr = 7e-3, d = 28e-3, e = 2e-2;
  constexpr double ss = 35e-3, sc = 18e-3, sd = 2e-2, zt = 4e-2, u = 4e-2;
  const auto& K1 =
      AddPin(plant, "K1", world, 0, 0, Planar(0.04325, 92e-5, 0, 2.194e-6));
  const auto& K2 = AddPin(plant, "K2", K1.child_body(), rr, 0,
                          Planar(0.00365, -115e-4, 0, 4.410e-7));
  const auto& K3 = AddPin(plant, "K3", world, xb, yb,
                          Planar(0.02373, 1043e-5, -1874e-5, 5.255e-6));
  const auto& K5 = AddPin(plant, "K5", world, xa, ya,
                          Planar(0.07050, 2308e-5, 916e-5, 1.169e-5));
  const auto& K4 = AddPin(plant, "K4", K5.child_body(), zt, 0,
                          Planar(0.00706, 0, -(e - 1421e-5), 5.667e-7));
  const auto& K7 = AddPin(plant, "K7", world, xa, ya,
                          Planar(0.05498, 449e-5, -1228e-5, 1.912e-5));
  const auto& K6 = AddPin(plant, "K6", K7.child_body(), 0, -u,
                          Planar(0.00706, 2e-2 - 1421e-5, 0, 5.667e-7));
  const Eigen::Vector3d P2(-d, 0, 0), P3(0, -ss, 0), P4(0, -e, 0),
      P6(2e-2, 0, 0);
  plant->AddBallConstraint(K2.child_body(), P2, K3.child_body(), P3);
  plant->AddBallConstraint(K2.child_body(), P2, K4.child_body(), P4);
  plant->AddBallConstraint(K2.child_body(), P2, K6.child_body(), P6);
  plant->AddForceElement<multibody::LinearSpringDamper>(
      K3.child_body(), Eigen::Vector3d(sd, sc, 0), world,
      Eigen::Vector3d(xc, yc, 0), 0.07785, 4530.0, 0.0);
  plant->AddJointActuator("motor", K1);
  plant->Finalize();
  result.end = 0.03;
  const std::vector<const RevolutePin*> pins{&K1, &K2, &K3, &K4, &K5, &K6, &K7};
  result.start = [pins, plant](systems::Context<double>* context) {
    const std::array<double, 7> angles{
        -0.0617138900142764496358948458001, 0,
        0.455279819163070380255912382449,   0.222668390165885884674473185609,
        0.487364979543842550225598953530,   -0.222668390165885884674473185609,
        1.23054744454982119249735015568};
    for (int i = 0; i < 7; ++i) pins[i]->set_angle(context, angles[i]);
    plant->get_actuation_input_port().FixValue(
        context, Eigen::VectorXd::Constant(1, 0.033));
  };
  result.calc_error = [pins](const systems::Context<double>& context) {
    const std::array<double, 7> angles{
        0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1,
        -0.5347301163226948,  0.5244099658805304,    0.5347301163226948,
        0.1048080741042263e1};
    double error = 0;
    for (int i = 0; i < 7; ++i) {
      error =
          std::max(error, std::abs(pins[i]->get_angle(context) - angles[i]));
    }
    return error;
  };
  return result;
}

/** A05, the stiff flyball governor: springs of 8e5 N/m with dampers of 4e4 N
s/m between two rods and a slider on a shaft that turns with 2 pi rad/s. The
height of the slider after 10 s is that of tests/oracles/flyball_governor.py. */
inline Mechanism MakeGovernor() {
  using multibody::SpatialInertia;
  Mechanism result;
  result.name = "A05 governor";
  result.plant = MakePlant({0, 0, -9.81});
  auto* plant = result.plant.get();
  const auto box = [](double m, double x, double y, double z) {
    return SpatialInertia<double>::SolidBoxWithMass(m, x, y, z);
  };
  const auto& shaft = plant->AddRigidBody("shaft", box(0.3, 0.01, 0.01, 1));
  const auto& slider = plant->AddRigidBody("slider", box(3, 0.1, 0.1, 0.1));
  const auto* spin = &plant->AddJoint<multibody::RevoluteJoint>(
      "spin", plant->world_body(),
      math::RigidTransformd(Eigen::Vector3d(0, 0, 0.5)), shaft, {},
      Eigen::Vector3d::UnitZ());
  const auto* lift = &plant->AddJoint<multibody::PrismaticJoint>(
      "lift", shaft, {}, slider, {}, Eigen::Vector3d::UnitZ());
  std::vector<const RevolutePin*> pins;
  for (const double side : {1.0, -1.0}) {
    const Eigen::Vector3d out(side, 0, 0);
    SpatialInertia<double> rod = box(0.3, 1, 0.01, 0.01).Shift(-0.5 * out);
    rod += SpatialInertia<double>::PointMass(5, out);
    const std::string name = side > 0 ? "right" : "left";
    const auto& body = plant->AddRigidBody(name, rod);
    // The angle is that of the rod below the horizontal.
    pins.push_back(&plant->AddJoint<multibody::RevoluteJoint>(
        name, shaft,
        math::RigidTransformd(Eigen::Vector3d(0.05 * side, 0, 0.5)), body, {},
        Eigen::Vector3d(0, side, 0)));
    plant->AddForceElement<multibody::LinearSpringDamper>(
        slider, Eigen::Vector3d(0.05 * side, 0, 0), body,
        Eigen::Vector3d(0.5 * side, 0, 0), 0.5, 8e5, 4e4);
  }
  plant->Finalize();
  result.end = 10;
  result.start = [spin, pins](systems::Context<double>* context) {
    spin->set_angular_rate(context, 2 * std::numbers::pi);
    for (const auto* pin : pins) {
      pin->set_angle(context, std::numbers::pi / 6);
    }
  };
  result.calc_error = [lift](const systems::Context<double>& context) {
    return std::abs(0.5 + lift->get_translation(context) - 0.619622917061);
  };
  return result;
}

/** Free rotation of a body with the moments 1, 2, 3 kg m^2 that starts near its
middle axis. In the body, the angular velocity is periodic, with the period
4 K(m) / p (L.D. Landau, E.M. Lifshitz, Mechanics, section 37). */
inline Mechanism MakeFreeBody() {
  Mechanism result;
  result.name = "free rotation";
  result.plant = MakePlant({0, 0, 0});
  const Eigen::Vector3d I(1, 2, 3), w0(0.1, 3, 0.2);
  const auto* body = &result.plant->AddRigidBody(
      "body", multibody::SpatialInertia<double>::MakeFromCentralInertia(
                  1, Eigen::Vector3d::Zero(),
                  multibody::RotationalInertia<double>(I[0], I[1], I[2])));
  result.plant->Finalize();
  const double L2 = I.cwiseProduct(w0).squaredNorm();
  const double E2 = I.dot(w0.cwiseAbs2());
  // L^2 > 2 E I2 here, so the body turns about its third axis.
  const double p2 = (I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2]);
  const double m =
      (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]));
  result.end = 2 * 4 * EllipticK(m) / std::sqrt(p2);
  result.start = [plant = result.plant.get(), body,
                  w0](systems::Context<double>* context) {
    plant->SetFreeBodySpatialVelocity(
        context, *body,
        multibody::SpatialVelocity<double>(w0, Eigen::Vector3d::Zero()));
  };
  result.calc_error = [body, w0](const systems::Context<double>& context) {
    const auto& R_WB = body->EvalPoseInWorld(context).rotation();
    const auto& V_WB = body->EvalSpatialVelocityInWorld(context);
    return (R_WB.inverse() * V_WB.rotational() - w0).cwiseAbs().maxCoeff();
  };
  return result;
}

inline std::vector<Mechanism> GetMechanisms() {
  std::vector<Mechanism> result;
  result.push_back(MakePendulum());
  result.push_back(MakeFourBars());
  result.push_back(MakeSqueezer());
  result.push_back(MakeGovernor());
  result.push_back(MakeFreeBody());
  return result;
}

}  // namespace wyvern::test
