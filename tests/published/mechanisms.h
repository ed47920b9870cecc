#pragma once

/** @file
Published mechanisms as plants: those of the IFToMM library of computational
benchmark problems (see planar_mechanisms.h), free rotation, and two motions
with contact. */

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/published/planar_mechanisms.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::test {

struct Mechanism {
  std::string name;
  double end{};  // [s]
  std::unique_ptr<systems::System<double>> system{};
  /** Sets the start and fixes inputs of a Context of the plant. */
  std::function<void(systems::Context<double>*)> start{};
  /** The error at `end`, in the unit of the quantity that is compared. */
  std::function<double(const systems::Context<double>&)> calc_error{};
  /** The plant in `system`. */
  multibody::MultibodyPlant<double>* plant{};

  const systems::Context<double>& GetPlantContext(
      const systems::Context<double>& root) const {
    return plant->GetMyContextFromRoot(root);
  }
  systems::Context<double>* GetMutablePlantContext(
      systems::Context<double>* root) const {
    return &plant->GetMyMutableContextFromRoot(root);
  }
};

/** Gives `mechanism` a plant in continuous time. */
inline multibody::MultibodyPlant<double>* AddPlant(
    const Eigen::Vector3d& gravity, Mechanism* mechanism) {
  auto plant = std::make_unique<multibody::MultibodyPlant<double>>(0.0);
  plant->mutable_gravity_field().set_gravity_vector(gravity);
  mechanism->plant = plant.get();
  mechanism->system = std::move(plant);
  return mechanism->plant;
}

// --- The IFToMM library ----------------------------------------------------

inline Mechanism MakePlanar(const PlanarMechanism& planar) {
  using Eigen::Vector3d;
  Mechanism result{.name = planar.name, .end = planar.end};
  auto* plant = AddPlant({0, -planar.gravity, 0}, &result);
  std::vector<const multibody::RevoluteJoint<double>*> pins;
  const auto body_of = [&](int i) -> const multibody::RigidBody<double>& {
    return i < 0 ? plant->world_body() : pins[i]->child_body();
  };
  for (const PlanarBody& b : planar.bodies) {
    const auto& body = plant->AddRigidBody(
        b.name, multibody::SpatialInertia<double>::MakeFromCentralInertia(
                    b.mass, {b.cx, b.cy, 0},
                    multibody::RotationalInertia<double>(b.moment, b.moment,
                                                         b.moment)));
    pins.push_back(&plant->AddJoint<multibody::RevoluteJoint>(
        b.name, body_of(b.parent), math::RigidTransformd(Vector3d(b.x, b.y, 0)),
        body, {}, Vector3d::UnitZ()));
  }
  const auto p = [](const PlanarPoint& a) { return Vector3d(a.x, a.y, 0); };
  for (const auto& loop : planar.loops) {
    plant->AddBallConstraint(body_of(loop[0].body), p(loop[0]),
                             body_of(loop[1].body), p(loop[1]));
  }
  for (const PlanarSpring& s : planar.springs) {
    plant->AddForceElement<multibody::LinearSpringDamper>(
        body_of(s.a.body), p(s.a), body_of(s.b.body), p(s.b), s.rest,
        s.stiffness, 0.0);
  }
  if (planar.torque != 0) plant->AddJointActuator("motor", *pins[0]);
  plant->Finalize();
  result.start = [pins, planar, plant](systems::Context<double>* context) {
    for (size_t i = 0; i < pins.size(); ++i) {
      pins[i]->set_angle(context, planar.bodies[i].q);
      pins[i]->set_angular_rate(context, planar.bodies[i].v);
    }
    if (planar.torque != 0) {
      plant->get_actuation_input_port().FixValue(
          context, Eigen::VectorXd::Constant(1, planar.torque));
    }
  };
  result.calc_error = [pins, planar](const systems::Context<double>& context) {
    std::vector<double> q, v;
    for (const auto* pin : pins) {
      q.push_back(pin->get_angle(context));
      v.push_back(pin->get_angular_rate(context));
    }
    return CalcError(planar, q, v);
  };
  return result;
}

/** A04, Bricard's loop of six joints with twists of 90 degrees, whose five rods
of 1 m and 1 kg move although six joints usually do not; from rest, for 10 s.
The joints have two angles in turn, (1 + cos a) (1 + cos b) = 1
(singular_passages _test.cc). The error is that of this equation, or of the
energy in N m. The library gives no closed form; the directions of gravity and
axes are ours. */
inline Mechanism MakeBricard() {
  using Eigen::Vector3d;
  Mechanism result{.name = "A04 Bricard", .end = 10};
  auto* plant = AddPlant({0, -9.81, 0}, &result);
  const auto twist = [](int i) {
    return math::RigidTransformd(
        math::RotationMatrixd::MakeXRotation((i % 2 == 0 ? 0.5 : -0.5) *
                                             std::numbers::pi),
        Vector3d::UnitX());
  };
  const multibody::RigidBody<double>* parent = &plant->world_body();
  math::RigidTransformd X_LF;
  std::vector<const multibody::RevoluteJoint<double>*> pins;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "link" + std::to_string(i);
    const auto& link = plant->AddRigidBody(
        name, multibody::SpatialInertia<double>::ThinRodWithMassAboutEnd(
                  1, 1, Vector3d::UnitX()));
    pins.push_back(&plant->AddJoint<multibody::RevoluteJoint>(
        name, *parent, X_LF, link, {}, Vector3d::UnitZ()));
    parent = &link;
    X_LF = twist(i);
  }
  // The ground is the sixth link.
  pins.push_back(&plant->AddJoint<multibody::RevoluteJoint>(
      "last", plant->world_body(), twist(5).inverse(), *parent, X_LF,
      -Vector3d::UnitZ()));
  plant->Finalize();
  const auto calc_energy = [plant](const systems::Context<double>& context) {
    return plant->CalcKineticEnergy(context) +
           plant->CalcPotentialEnergy(context);
  };
  const auto set_start = [pins](systems::Context<double>* context) {
    for (const auto* pin : pins) {
      pin->set_angle(context, std::numbers::pi / 2);
    }
  };
  const auto context = plant->CreateDefaultContext();
  set_start(context.get());
  result.start = set_start;
  result.calc_error = [pins, calc_energy, energy = calc_energy(*context)](
                          const systems::Context<double>& at) {
    double error = std::abs(calc_energy(at) - energy);
    for (int i = 0; i < 6; ++i) {
      const double a = pins[i]->get_angle(at);
      const double b = pins[(i + 1) % 6]->get_angle(at);
      error =
          std::max(error, std::abs((1 + std::cos(a)) * (1 + std::cos(b)) - 1));
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
  auto* plant = AddPlant({0, 0, -9.81}, &result);
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
  std::vector<const multibody::RevoluteJoint<double>*> pins;
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

// --- Free rotation ---------------------------------------------------------

/** Free rotation of a body with the moments 1, 2, 3 kg m^2 that starts near its
middle axis. In the body, the angular velocity is periodic, with the period
4 K(m) / p (L.D. Landau, E.M. Lifshitz, Mechanics, section 37). */
inline Mechanism MakeFreeBody() {
  Mechanism result;
  result.name = "free rotation";
  auto* plant = AddPlant({0, 0, 0}, &result);
  const Eigen::Vector3d I(1, 2, 3), w0(0.1, 3, 0.2);
  const auto* body = &plant->AddRigidBody(
      "body", multibody::SpatialInertia<double>::MakeFromCentralInertia(
                  1, Eigen::Vector3d::Zero(),
                  multibody::RotationalInertia<double>(I[0], I[1], I[2])));
  plant->Finalize();
  const double L2 = I.cwiseProduct(w0).squaredNorm();
  const double E2 = I.dot(w0.cwiseAbs2());
  // L^2 > 2 E I2 here, so the body turns about its third axis.
  const double p2 = (I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2]);
  const double m =
      (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]));
  result.end = 2 * 4 * EllipticK(m) / std::sqrt(p2);
  result.start = [plant, body, w0](systems::Context<double>* context) {
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

/** A01 to A05 and free rotation, in continuous time. */
inline std::vector<Mechanism> GetMechanisms() {
  std::vector<Mechanism> result;
  for (const PlanarMechanism& planar : GetPlanarMechanisms()) {
    result.push_back(MakePlanar(planar));
  }
  result.push_back(MakeBricard());
  result.push_back(MakeGovernor());
  result.push_back(MakeFreeBody());
  return result;
}

// --- Contact ---------------------------------------------------------------

/** A body of 1 kg on a ground of 1e6 N/m, with a dissipation in s/m, which
bodies at rest press in by kPressedIn; in continuous time if the time step is 0.
Steps are shortened so that the last one ends with the motion. */
inline const multibody::RigidBody<double>& AddBodyOnGround(
    double time_step, double friction, double dissipation,
    const Eigen::Vector3d& moments, const math::RigidTransformd& X_BG,
    const geometry::Shape& shape, Mechanism* mechanism) {
  systems::DiagramBuilder<double> builder;
  if (time_step > 0) {
    time_step = mechanism->end / std::ceil(mechanism->end / time_step);
  }
  const auto added =
      multibody::AddMultibodyPlantSceneGraph(&builder, time_step);
  auto* plant = &added.plant;
  geometry::ProximityProperties properties;
  // Two of 2e6 N/m one after the other.
  geometry::AddContactMaterial(
      dissipation, 2e6, multibody::CoulombFriction<double>(friction, friction),
      &properties);
  plant->RegisterCollisionGeometry(plant->world_body(), {},
                                   geometry::HalfSpace(), "ground", properties);
  const auto& body = plant->AddRigidBody(
      "body", multibody::SpatialInertia<double>::MakeFromCentralInertia(
                  1, Eigen::Vector3d::Zero(),
                  multibody::RotationalInertia<double>(moments[0], moments[1],
                                                       moments[2])));
  plant->RegisterCollisionGeometry(body, X_BG, shape, "body", properties);
  plant->set_stiction_tolerance(1e-4);
  plant->Finalize();
  mechanism->plant = plant;
  mechanism->system = builder.Build();
  return body;
}

inline constexpr double kPressedIn = 9.81 / 1e6;  // [m]

/** A ball of 0.1 m that slides at 1 m/s, with a friction of 0.2. It rolls after
2 v / (7 mu g), and then has 5/7 of the speed. The error is that of the place
[m] or of the speed [m/s]. */
inline Mechanism MakeRollingBall(double time_step) {
  Mechanism result{.name = "rolling ball", .end = 1};
  constexpr double kFriction = 0.2, kMoment = 0.4 * 0.1 * 0.1;
  const auto* body = &AddBodyOnGround(time_step, kFriction, 10,
                                      Eigen::Vector3d::Constant(kMoment), {},
                                      geometry::Sphere(0.1), &result);
  result.start = [plant = result.plant,
                  body](systems::Context<double>* context) {
    plant->SetFreeBodyPose(
        context, *body,
        math::RigidTransformd(Eigen::Vector3d(0, 0, 0.1 - kPressedIn)));
    plant->SetFreeBodySpatialVelocity(
        context, *body,
        multibody::SpatialVelocity<double>(Eigen::Vector3d::Zero(),
                                           Eigen::Vector3d::UnitX()));
  };
  result.calc_error = [plant = result.plant,
                       body](const systems::Context<double>& context) {
    constexpr double kSlides = 2 / (7 * kFriction * 9.81);
    constexpr double kX = 6.0 / 7 * kSlides + 5.0 / 7 * (1 - kSlides);
    const double x =
        plant->EvalBodyPoseInWorld(context, *body).translation().x();
    const double v = plant->EvalBodySpatialVelocityInWorld(context, *body)
                         .translational()
                         .x();
    return std::max(std::abs(x - kX), std::abs(v - 5.0 / 7));
  };
  return result;
}

/** Euler's disk: a thin disk of 0.1 m that rolls on its edge, tilted by 0.3
rad, while its center stays. With the moment m R^2 / 4 about its diameters it
then precesses at the rate Omega with Omega^2 = 4 g / (R sin(0.3)). After each
turn its axis is where it was; the error is that of the axis after five turns.
*/
inline Mechanism MakeEulersDisk(double time_step) {
  using Eigen::Vector3d;
  constexpr double kRadius = 0.1, kTilt = 0.3, kThickness = 0.005;
  const double rate = std::sqrt(4 * 9.81 / (kRadius * std::sin(kTilt)));
  Mechanism result{.name = "Euler's disk", .end = 10 * std::numbers::pi / rate};
  // The edge that touches is in the plane of the center of mass.
  const double moment = 0.25 * kRadius * kRadius;
  const auto* body =
      &AddBodyOnGround(time_step, 1, 10, Vector3d(moment, moment, 2 * moment),
                       math::RigidTransformd(Vector3d(0, 0, 0.5 * kThickness)),
                       geometry::Cylinder(kRadius, kThickness), &result);
  const auto R_WB = math::RotationMatrixd::MakeYRotation(kTilt);
  result.start = [plant = result.plant, body, R_WB,
                  rate](systems::Context<double>* context) {
    const double height = kRadius * std::sin(kTilt) - kPressedIn;
    plant->SetFreeBodyPose(context, *body,
                           math::RigidTransformd(R_WB, Vector3d(0, 0, height)));
    plant->SetFreeBodySpatialVelocity(
        context, *body,
        multibody::SpatialVelocity<double>(
            -rate * std::sin(kTilt) * R_WB.col(0), Vector3d::Zero()));
  };
  result.calc_error = [plant = result.plant, body,
                       R_WB](const systems::Context<double>& context) {
    return (plant->EvalBodyPoseInWorld(context, *body).rotation().col(2) -
            R_WB.col(2))
        .norm();
  };
  return result;
}

/** A ball of 0.1 m that falls on the ground from 0.5 m above it, without
dissipation. With k / m = omega^2 and the speed v at the ground it falls for v /
g and touches for 2 / omega (pi - atan(v omega / g)). The error is that of the
height [m] or of the speed [m/s] where it turns for the fifth time. */
inline Mechanism MakeBouncingBall(double time_step) {
  constexpr double kDrop = 0.5, kRadius = 0.1, kGravity = 9.81;
  const double v = std::sqrt(2 * kGravity * kDrop), omega = std::sqrt(1e6);
  const double touches =
      2 / omega * (std::numbers::pi - std::atan(v * omega / kGravity));
  Mechanism result{.name = "bouncing ball",
                   .end = 5 * (2 * v / kGravity + touches)};
  const auto* body =
      &AddBodyOnGround(time_step, 0, 0, Eigen::Vector3d::Constant(0.004), {},
                       geometry::Sphere(kRadius), &result);
  const Eigen::Vector3d start(0, 0, kRadius + kDrop);
  result.start = [plant = result.plant, body,
                  start](systems::Context<double>* context) {
    plant->SetFreeBodyPose(context, *body, math::RigidTransformd(start));
  };
  result.calc_error = [plant = result.plant, body,
                       start](const systems::Context<double>& context) {
    const Eigen::Vector3d p =
        plant->EvalBodyPoseInWorld(context, *body).translation();
    const Eigen::Vector3d v_at_end =
        plant->EvalBodySpatialVelocityInWorld(context, *body).translational();
    return std::max((p - start).norm(), v_at_end.norm());
  };
  return result;
}

/** Bodies that roll on the ground. */
inline std::vector<Mechanism> GetRollingMechanisms(double time_step) {
  std::vector<Mechanism> result;
  result.push_back(MakeRollingBall(time_step));
  result.push_back(MakeEulersDisk(time_step));
  return result;
}

inline std::vector<Mechanism> GetContactMechanisms(double time_step) {
  std::vector<Mechanism> result = GetRollingMechanisms(time_step);
  result.push_back(MakeBouncingBall(time_step));
  return result;
}

}  // namespace wyvern::test
