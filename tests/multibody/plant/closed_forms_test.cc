// Motions that mechanics has closed forms for.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"

namespace wyvern::multibody {
namespace closed_forms_test {

using math::RigidTransform;
using systems::Context;
using test::MakeInertia;
using test::Pendulum;
using wyvern::test::Near;

constexpr double kGravity = 9.81;

// The classical Runge-Kutta method: fourth order.
void Integrate(const MultibodyPlant<double>& plant, double time, int steps,
               Context<double>* context) {
  const double h = time / steps;
  const auto rate = [&](const VectorX<double>& x) {
    plant.SetPositionsAndVelocities(context, x);
    return plant.EvalTimeDerivatives(*context).CopyToVector().eval();
  };
  for (int i = 0; i < steps; ++i) {
    const VectorX<double> x = plant.GetPositionsAndVelocities(*context);
    const VectorX<double> k1 = rate(x);
    const VectorX<double> k2 = rate(x + h / 2 * k1);
    const VectorX<double> k3 = rate(x + h / 2 * k2);
    const VectorX<double> k4 = rate(x + h * k3);
    plant.SetPositionsAndVelocities(
        context, (x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)).eval());
  }
}

double Energy(const MultibodyPlant<double>& plant,
              const Context<double>& context) {
  return plant.CalcKineticEnergy(context) + plant.CalcPotentialEnergy(context);
}

// T = 4 √(I / m g l) K(sin θ0/2).
TEST(ClosedForm, PendulumReturnsAfterAPeriodOfTheEllipticIntegral) {
  Pendulum p(0);
  p.plant.Finalize();
  const auto context = p.plant.CreateDefaultContext();
  for (double amplitude : {0.1, 1.0, 2.0, 3.0}) {
    p.joint->set_angle(context.get(), amplitude);
    p.joint->set_angular_rate(context.get(), 0);
    const double period =
        4 *
        std::sqrt(Pendulum::kMoment /
                  (Pendulum::kMass * kGravity * Pendulum::kLength)) *
        std::comp_ellint_1(std::sin(amplitude / 2));
    Integrate(p.plant, period / 4, 1000, context.get());
    EXPECT_NEAR(p.joint->get_angle(*context), 0, 1e-9) << amplitude;
    Integrate(p.plant, period * 3 / 4, 3000, context.get());
    EXPECT_NEAR(p.joint->get_angle(*context), amplitude, 1e-9) << amplitude;
  }
}

// Two links on hinges about y, hanging along -z.
struct TwoLinks {
  static constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.9, c1 = 0.4, c2 = 0.6,
                          I1 = 0.11, I2 = 0.05;
  TwoLinks() {
    const Vector3<double> y = Vector3<double>::UnitY();
    const auto& a = plant.AddRigidBody("a", MakeInertia(m1, {0, 0, -c1}, I1));
    const auto& b = plant.AddRigidBody("b", MakeInertia(m2, {0, 0, -c2}, I2));
    plant.AddJoint<RevoluteJoint>("shoulder", plant.world_body(), {}, a, {}, y);
    plant.AddJoint<RevoluteJoint>(
        "elbow", a, RigidTransform<double>(Vector3<double>(0, 0, -l1)), b, {},
        y);
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositionsAndVelocities(context.get(),
                                    Vector4<double>(0.7, -1.1, 0.9, 2.3));
  }
  MultibodyPlant<double> plant{0};
  std::unique_ptr<Context<double>> context;
};

// The acrobot's equations as in M. Spong, "The swing up control problem for the
// acrobot", IEEE Control Systems, 1995, with I about the centres of mass.
TEST(ClosedForm, TwoLinksHaveTheAcrobotsEquations) {
  TwoLinks m;
  using L = TwoLinks;
  const double s2 = std::sin(-1.1), cos2 = std::cos(-1.1);
  const double w1 = 0.9, w2 = 2.3;
  Matrix2<double> M;
  M(1, 1) = L::I2 + L::m2 * L::c2 * L::c2;
  M(0, 1) = M(1, 0) = M(1, 1) + L::m2 * L::l1 * L::c2 * cos2;
  M(0, 0) = L::I1 + L::m1 * L::c1 * L::c1 + L::m2 * L::l1 * L::l1 + M(1, 1) +
            2 * L::m2 * L::l1 * L::c2 * cos2;
  const double h = L::m2 * L::l1 * L::c2 * s2;
  const Vector2<double> Cv(-h * (2 * w1 * w2 + w2 * w2), h * w1 * w1);
  const double g2 = -L::m2 * L::c2 * kGravity * std::sin(0.7 - 1.1);
  const double g1 =
      -(L::m1 * L::c1 + L::m2 * L::l1) * kGravity * std::sin(0.7) + g2;
  MatrixX<double> M_plant(2, 2);
  m.plant.CalcMassMatrix(*m.context, &M_plant);
  EXPECT_TRUE(Near(M_plant, M, 1e-14));
  VectorX<double> Cv_plant(2);
  m.plant.CalcBiasTerm(*m.context, &Cv_plant);
  EXPECT_TRUE(Near(Cv_plant, Cv, 1e-14));
  EXPECT_TRUE(Near(m.plant.CalcGravityGeneralizedForces(*m.context),
                   Vector2<double>(g1, g2), 1e-14));
}

TEST(ClosedForm, DoublePendulumKeepsItsEnergy) {
  TwoLinks m;
  const double before = Energy(m.plant, *m.context);
  Integrate(m.plant, 3, 6000, m.context.get());
  EXPECT_NEAR(Energy(m.plant, *m.context), before, 1e-9);
}

// Without torque, the angular velocity of a symmetric body goes round its axis
// at the rate (C - A) / A w_3, seen from the body.
TEST(ClosedForm, TorqueFreeSymmetricTopPrecessesInItsOwnFrame) {
  constexpr double A = 0.3, C = 0.5;
  MultibodyPlant<double> plant(0);
  plant.mutable_gravity_field().set_gravity_vector({0, 0, 0});
  const auto& body = plant.AddRigidBody(
      "body",
      SpatialInertia<double>::MakeFromCentralInertia(
          2, Vector3<double>(0, 0, 0), RotationalInertia<double>(A, A, C)));
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const double w1 = 0.8, w3 = 3, time = 2;
  plant.SetFreeBodySpatialVelocity(
      context.get(), body,
      SpatialVelocity<double>(Vector3<double>(w1, 0, w3),
                              Vector3<double>(0.1, 0.2, 0.3)));
  Integrate(plant, time, 4000, context.get());
  const double angle = (C - A) / A * w3 * time;
  const Vector3<double> w_B =
      body.EvalPoseInWorld(*context).rotation().inverse() *
      body.EvalSpatialVelocityInWorld(*context).rotational();
  EXPECT_TRUE(
      Near(w_B, Vector3<double>(w1 * std::cos(angle), w1 * std::sin(angle), w3),
           1e-9));
}

// A heavy top about a fixed point, its axis the body's x: yaw is precession,
// minus pitch the elevation of the axis, and roll the spin.
struct Top {
  static constexpr double m = 0.5, l = 0.2, C = 0.02, A = 0.015 + m * l * l;
  Top() {
    const auto& body = plant.AddRigidBody(
        "top", SpatialInertia<double>::MakeFromCentralInertia(
                   m, Vector3<double>(l, 0, 0),
                   RotationalInertia<double>(C, 0.015, 0.015)));
    joint = &plant.AddJoint<BallRpyJoint>("point", plant.world_body(), {}, body,
                                          {});
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }
  void Set(double elevation, const Vector3<double>& rates) {
    joint->set_angles(context.get(), Vector3<double>(0, -elevation, 0));
    VectorX<double> v(3);
    plant.MapQDotToVelocity(*context, rates, &v);
    plant.SetVelocities(context.get(), v);
  }
  Vector3<double> rates() const {
    VectorX<double> qdot(3);
    plant.MapVelocityToQDot(*context, plant.GetVelocities(*context), &qdot);
    return qdot;
  }
  // Sine of the elevation, and the axis' share of the angular velocity.
  double u() const { return -std::sin(joint->get_angles(*context)[1]); }
  double spin() const { return rates()[0] + rates()[2] * u(); }

  MultibodyPlant<double> plant{0};
  const BallRpyJoint<double>* joint{};
  std::unique_ptr<Context<double>> context;
};

// Ω with A u Ω² - C w_3 Ω + m g l = 0 keeps the elevation.
TEST(ClosedForm, SpinningTopPrecessesSteadily) {
  Top top;
  const double elevation = 0.5, u = std::sin(elevation), w3 = 25;
  const double b = Top::C * w3;
  const double rate =
      (b - std::sqrt(b * b - 4 * Top::A * u * Top::m * kGravity * Top::l)) /
      (2 * Top::A * u);
  top.Set(elevation, Vector3<double>(w3 - rate * u, 0, rate));
  Integrate(top.plant, 1.5, 6000, top.context.get());
  const Vector3<double> q = top.joint->get_angles(*top.context);
  EXPECT_NEAR(q[1], -elevation, 1e-9);
  EXPECT_NEAR(q[2], rate * 1.5, 1e-8);
  EXPECT_NEAR(q[0], (w3 - rate * u) * 1.5, 1e-7);
}

// With a = C w_3 / A, b = L_z / A, alpha = 2 (E - C w_3² / 2) / A, beta =
// 2 m g l / A, nutation is u̇² = (alpha - beta u)(1 - u²) - (b - a u)².
TEST(ClosedForm, SpinningTopNutatesByItsCubic) {
  Top top;
  top.Set(0.4, Vector3<double>(30, 0, 0));
  const double w3 = top.spin();
  const double a = Top::C * w3 / Top::A, b = a * top.u();
  const double beta = 2 * Top::m * kGravity * Top::l / Top::A;
  // It starts at rest, at a cusp.
  const double alpha = beta * top.u();
  for (int i = 0; i < 10; ++i) {
    Integrate(top.plant, 0.073, 600, top.context.get());
    const double u = top.u();
    const double u_rate =
        -top.rates()[1] * std::cos(top.joint->get_angles(*top.context)[1]);
    EXPECT_NEAR(top.spin(), w3, 1e-8);
    EXPECT_NEAR(u_rate * u_rate,
                (alpha - beta * u) * (1 - u * u) - (b - a * u) * (b - a * u),
                1e-6);
    EXPECT_NEAR(top.rates()[2], (b - a * u) / (1 - u * u), 1e-7);
  }
}

// Two equal cranks and a coupler that they carry parallel to the base: a
// pendulum.
struct Parallelogram {
  static constexpr double crank = 0.4, m = 0.5, I = 0.01, coupler = 1.2;
  static constexpr double inertia =
      2 * (I + m * crank * crank / 4) + coupler * crank * crank;
  static constexpr double weight = (m + coupler) * crank * kGravity;

  explicit Parallelogram(double time_step) : plant(time_step) {
    const Vector3<double> y = Vector3<double>::UnitY();
    const Vector3<double> end(0, 0, -crank);
    const auto& a =
        plant.AddRigidBody("a", MakeInertia(m, {0, 0, -crank / 2}, I));
    const auto& b =
        plant.AddRigidBody("b", MakeInertia(coupler, {0.3, 0, 0}, 0.1));
    const auto& c =
        plant.AddRigidBody("c", MakeInertia(m, {0, 0, -crank / 2}, I));
    q1 = &plant.AddJoint<RevoluteJoint>("q1", plant.world_body(), {}, a, {}, y);
    plant.AddJoint<RevoluteJoint>("q2", a, RigidTransform<double>(end), b, {},
                                  y);
    plant.AddJoint<RevoluteJoint>(
        "q3", b, RigidTransform<double>(Vector3<double>(0.6, 0, 0)), c,
        RigidTransform<double>(end), y);
    if (time_step > 0) {
      plant.AddBallConstraint(plant.world_body(), Vector3<double>(0.6, 0, 0), c,
                              Vector3<double>(0, 0, 0));
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositions(context.get(), Vector3<double>(0.5, -0.5, 0.5));
  }
  MultibodyPlant<double> plant;
  const RevoluteJoint<double>* q1{};
  std::unique_ptr<Context<double>> context;
};

TEST(ClosedForm, FourBarByCoordinatesIsAPendulum) {
  Parallelogram p(0);
  const Vector3<double> J(1, -1, 1);
  p.plant.SetVelocities(p.context.get(), 0.8 * J);
  MatrixX<double> M(3, 3);
  p.plant.CalcMassMatrix(*p.context, &M);
  VectorX<double> Cv(3);
  p.plant.CalcBiasTerm(*p.context, &Cv);
  EXPECT_NEAR(J.dot(M * J), Parallelogram::inertia, 1e-14);
  EXPECT_NEAR(J.dot(Cv), 0, 1e-14);
  EXPECT_NEAR(J.dot(p.plant.CalcGravityGeneralizedForces(*p.context)),
              -Parallelogram::weight * std::sin(0.5), 1e-13);
}

TEST(ClosedForm, FourBarByConstraintSwingsAsAPendulum) {
  Parallelogram p(2e-4);
  const double period =
      4 * std::sqrt(Parallelogram::inertia / Parallelogram::weight) *
      std::comp_ellint_1(std::sin(0.25));
  for (int i = 0; i < std::lround(period / 2 / 2e-4); ++i) {
    p.plant.ExecuteForcedEvents(p.context.get());
  }
  // A scheme of first order, at steps of a 7000th of the period.
  EXPECT_NEAR(p.q1->get_angle(*p.context), -0.5, 1e-3);
}

}  // namespace closed_forms_test
}  // namespace wyvern::multibody
