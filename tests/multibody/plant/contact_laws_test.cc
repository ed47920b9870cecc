// Laws that every contact obeys, for each approximation and in both modes.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using test::kGravity;
using test::Material;
using wyvern::test::Near;
using Approximation = DiscreteContactApproximation;
using Scene = test::ContactScene;

constexpr double kTimeStep = 1e-3;

class ContactLaws : public ::testing::TestWithParam<Approximation> {};

INSTANTIATE_TEST_SUITE_P(All, ContactLaws, test::AllApproximations());

// The normal force as the laws say it, of the depth at the step's start and the
// approach velocity at its end.
double CalcNormalForce(Approximation approximation, const Material& material,
                       double depth, double separation, double slip,
                       double stiction_tolerance) {
  const double k = material.stiffness / 2, d = material.dissipation;
  double v = separation;
  if (approximation == Approximation::kSap) {
    const double time = kTimeStep + 2 * material.relaxation_time;
    return std::max(0.0, k * (depth - time * v));
  }
  if (approximation == Approximation::kSimilar) {
    v -= material.mu *
         (std::hypot(slip, stiction_tolerance) - stiction_tolerance);
  }
  return k * std::max(0.0, depth - kTimeStep * v) * std::max(0.0, 1 - d * v);
}

// Complementarity of a ball that falls with a push along the ground: the force
// is that of the law at every step, and friction that of the cone.
TEST_P(ContactLaws, ForcesSolveTheLawAtEveryStep) {
  const Material material{.stiffness = 1e4, .relaxation_time = 0.02};
  Scene scene(kTimeStep, GetParam(), material);
  const auto& ball = scene.AddBall("ball", 1, 0.1);
  scene.plant->set_sap_near_rigid_threshold(0);
  scene.Finish();
  scene.Place(ball, Vector3d(0, 0, 0.1 + 1e-4));
  scene.Throw(ball, Vector3d(3, 0, -0.5));
  int touched = 0;
  for (int i = 1; i <= 60; ++i) {
    const double depth = 0.1 - scene.Position(ball).z();
    const double before = scene.Velocity(ball).z();
    scene.simulator->AdvanceTo(kTimeStep * i);
    const auto V =
        scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, ball);
    const double v_n = V.translational().z();
    const double force = (v_n - before) / kTimeStep + kGravity;
    // The contact point is between the two surfaces.
    const double arm = 0.1 - depth / 2;
    const double slip = V.translational().x() - arm * V.rotational().y();
    const double expected = depth > 0 ? CalcNormalForce(GetParam(), material,
                                                        depth, v_n, slip, 1e-4)
                                      : 0.0;
    // kSap lets a sliding ball rise by mu R_t / R_n of its slip.
    if (GetParam() == Approximation::kSap) {
      EXPECT_GE(force, expected - 1e-6) << i;
    } else {
      EXPECT_NEAR(force, expected, 1e-6 * (1 + expected)) << i;
    }
    if (expected > 0) ++touched;
  }
  EXPECT_GT(touched, 1);
}

TEST_P(ContactLaws, FrictionStaysInsideTheConeAndNormalForcesPush) {
  const Material material;
  Scene scene(kTimeStep, GetParam(), material);
  std::vector<const RigidBody<double>*> boxes;
  for (int i = 0; i < 4; ++i) {
    boxes.push_back(&scene.AddBox("box" + std::to_string(i), 1, 0.1));
  }
  scene.Finish();
  for (int i = 0; i < 4; ++i) {
    scene.Place(*boxes[i], Vector3d(0.02 * i, 0.01 * i, 0.05 + 0.101 * i));
    scene.Throw(*boxes[i], Vector3d(0.5 * i, 0, -0.1 * i));
  }
  int checked = 0;
  for (int i = 1; i <= 400; ++i) {
    scene.simulator->AdvanceTo(kTimeStep * i);
    double largest = 0;
    for (const auto& contact : scene.Results().point_pairs()) {
      largest = std::max(largest, contact.contact_force().norm());
    }
    for (const auto& contact : scene.Results().point_pairs()) {
      const Vector3d& n = contact.point_pair().nhat_BA_W;
      const Vector3d f = -contact.contact_force();  // On A.
      const double normal = f.dot(n);
      EXPECT_GE(normal, -1e-12);  // Round-off of the frame.
      // kLagged goes by the normal force before the step.
      if (GetParam() == Approximation::kLagged) continue;
      // kTamsi's normal forces balance to 1e-7 of the step's largest.
      EXPECT_LE((f - normal * n).norm(),
                material.mu * (normal + 1.1e-7 * largest) + 1e-9);
      ++checked;
    }
  }
  EXPECT_EQ(checked > 1000, GetParam() != Approximation::kLagged);
}

// Returns the speed that a box on a slope gains from 0.25 s to 0.5 s, once the
// rocking that the first friction causes has died out; `tangent` is the
// slope's. With kSap the box rises by mu v (dt + tau): friction had its share
// of the force that moves it along the normal, so mu times that gain is added.
constexpr double kSlopeMu = 0.5;
double SlideOnSlope(Scene* scene, double tangent) {
  const double angle = std::atan(tangent);
  const auto& box = scene->AddBox("box", 1, 0.2);
  scene->Tilt(angle);
  scene->Finish();
  const double depth = kGravity * std::cos(angle) / (4 * 5e4);
  scene->Place(box, Vector3d(0, 0, 0.1 - depth));
  scene->simulator->AdvanceTo(0.25);
  const auto measure = [&]() {
    return scene->Velocity(box).x() + kSlopeMu * scene->Velocity(box).z();
  };
  const double before = measure();
  scene->simulator->AdvanceTo(0.5);
  return measure() - before;
}

double ExpectedSlide(double tangent, double mu) {
  const double angle = std::atan(tangent);
  return 0.25 * kGravity * (std::sin(angle) - mu * std::cos(angle));
}

// Two per cent inside and outside the cone.
TEST_P(ContactLaws, SlidingStartsAtTheEdgeOfTheCone) {
  Scene inside(kTimeStep, GetParam()), outside(kTimeStep, GetParam());
  EXPECT_LT(std::abs(SlideOnSlope(&inside, 0.49)), 1e-4);
  const double expected = ExpectedSlide(0.51, kSlopeMu);
  EXPECT_NEAR(SlideOnSlope(&outside, 0.51), expected, 0.03 * expected);
}

TEST(ContinuousContactLaws, SlidingStartsAtTheEdgeOfTheCone) {
  Scene inside(0), outside(0);
  EXPECT_LT(std::abs(SlideOnSlope(&inside, 0.49)), 1e-4);
  const double expected = ExpectedSlide(0.51, 0.5);
  EXPECT_NEAR(SlideOnSlope(&outside, 0.51), expected, 0.03 * expected);
}

// A robot whose tip presses on a free box, which lies on the ground: a contact
// that sticks creeps by R_t g_t, R_t = 1e-3 |J M^-1 J'| / 3, whatever it is of.
TEST(SapContacts, CreepByTheirShareOfWhatAnImpulseMoves) {
  using math::RigidTransformd;
  Scene scene(kTimeStep, Approximation::kSap,
              {.mu = 2, .relaxation_time = 0.001});
  auto& plant = *scene.plant;
  const auto& box = scene.AddBox("box", 3, 0.2);
  const auto& arm = plant.AddRigidBody(
      "arm", test::MakeInertia(2, Vector3d(0.2, 0, 0), 0.05));
  const auto& side = plant.AddRigidBody(
      "side", test::MakeInertia(1, Vector3d(0, 0.1, 0), 0.02));
  const auto& tip = scene.AddBall("tip", 1, 0.05);
  const RigidTransformd shoulder(Vector3d(-0.4, 0, 0.26)),
      elbow(Vector3d(0.4, 0, -0.02));
  plant.AddJoint<RevoluteJoint>("shoulder", plant.world_body(), shoulder, arm,
                                {}, Vector3d::UnitY());
  plant.AddJoint<RevoluteJoint>("side", arm, {}, side, {}, Vector3d::UnitX());
  plant.AddJoint<RevoluteJoint>("elbow", arm, elbow, tip, {},
                                Vector3d(0, 1, 1).normalized());
  scene.Finish();
  scene.Place(box, Vector3d(0, 0, 0.0995));
  const auto root = scene.simulator->get_context().Clone();
  const auto& before = plant.GetMyContextFromRoot(*root);
  scene.simulator->AdvanceTo(kTimeStep);
  const VectorXd v = plant.GetVelocities(*scene.context);
  Eigen::MatrixXd M(plant.num_velocities(), plant.num_velocities());
  plant.CalcMassMatrix(before, &M);
  int num_sticking = 0, num_of_tip = 0;
  for (const auto& contact : scene.Results().point_pairs()) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3, v.size());
    for (const bool is_B : {false, true}) {
      const auto& body =
          plant.get_body(is_B ? contact.bodyB_index() : contact.bodyA_index());
      const Vector3d p = plant.EvalBodyPoseInWorld(before, body).inverse() *
                         contact.contact_point();
      Eigen::MatrixXd J_body(3, v.size());
      plant.CalcJacobianTranslationalVelocity(
          before, JacobianWrtVariable::kV, body.body_frame(), p,
          plant.world_frame(), plant.world_frame(), &J_body);
      J += is_B ? J_body : Eigen::MatrixXd(-J_body);
      num_of_tip += body.index() == tip.index();
    }
    const Vector3d n = contact.point_pair().nhat_BA_W;
    const auto tangent = [&n](const Vector3d& x) -> Vector3d {
      return x - n * n.dot(x);
    };
    const Vector3d force = tangent(contact.contact_force());
    const double normal = std::abs(n.dot(contact.contact_force()));
    if (force.norm() < 1e-3 || force.norm() > 1.9 * normal) continue;
    ++num_sticking;
    const double w = (J * M.llt().solve(J.transpose())).norm() / 3;
    // The solver's relative tolerance is 1e-9.
    EXPECT_TRUE(Near(Vector3d(tangent(J * v)),
                     Vector3d(-1e-3 * w * kTimeStep * force),
                     1e-8 * w * kTimeStep * force.norm()));
  }
  EXPECT_EQ(num_of_tip, 1);
  EXPECT_GE(num_sticking, 3);
}

TEST_P(ContactLaws, ADroppedStackSettles) {
  Scene scene(kTimeStep, GetParam());
  std::vector<const RigidBody<double>*> boxes;
  for (int i = 0; i < 3; ++i) {
    boxes.push_back(&scene.AddBox("box" + std::to_string(i), 1, 0.1));
  }
  scene.Finish();
  for (int i = 0; i < 3; ++i) {
    scene.Place(*boxes[i], Vector3d(0, 0, 0.05 + 0.11 * (i + 1)));
  }
  scene.simulator->AdvanceTo(2.0);
  EXPECT_LT(scene.plant->GetVelocities(*scene.context).norm(), 1e-4);
  double total = 0;
  for (const auto& contact : scene.Results().point_pairs()) {
    const bool is_foot =
        contact.bodyA_index() == 0 || contact.bodyB_index() == 0;
    if (is_foot) total += std::abs(contact.contact_force().z());
  }
  EXPECT_NEAR(total, 3 * kGravity, 1e-2);
}

// Gravity's and the springs' energy with the kinetic one.
double CalcEnergyWithSprings(const Scene& scene, double stiffness) {
  double energy = scene.Energy();
  const auto& query = scene.plant->get_geometry_query_input_port()
                          .Eval<geometry::QueryObject<double>>(*scene.context);
  std::vector<geometry::PenetrationAsPointPair<double>> pairs;
  query.ComputeContactManifolds(&pairs);
  for (const auto& pair : pairs) {
    energy += 0.5 * stiffness * pair.depth * pair.depth;
  }
  return energy;
}

// A step of free fall loses m g^2 dt^2 / 2; what is implicit in contact loses
// more. What tumbling adds by contact points that jump is far below a hundredth
// of what was dropped.
TEST_P(ContactLaws, EnergyNeverRises) {
  const Material material{.stiffness = 2e4, .dissipation = 1};
  Scene scene(kTimeStep, GetParam(), material);
  std::vector<const RigidBody<double>*> bodies;
  for (int i = 0; i < 4; ++i) {
    const auto name = "body" + std::to_string(i);
    bodies.push_back(i % 2 == 0 ? &scene.AddBox(name, 1, 0.1)
                                : &scene.AddBall(name, 1, 0.05));
  }
  scene.plant->set_sap_near_rigid_threshold(0);
  scene.Finish();
  for (int i = 0; i < 4; ++i) {
    scene.plant->SetFreeBodyPose(
        scene.context, *bodies[i],
        math::RigidTransformd(
            Eigen::Quaterniond(1, 0.3 * i, 0.2, 0.1).normalized(),
            Vector3d(0.02 * i, 0.01 * i, 0.2 + 0.15 * i)));
  }
  const double dropped = scene.Energy();
  double least = dropped;
  for (int i = 1; i <= 100; ++i) {
    scene.simulator->AdvanceTo(0.01 * i);
    const double energy = CalcEnergyWithSprings(scene, material.stiffness / 2);
    EXPECT_LT(energy, least + 0.01 * dropped) << i;
    least = std::min(least, energy);
  }
  EXPECT_LT(least, 0.5 * dropped);
}

// p_WBo x m v + I w of balls.
Vector3d CalcAngularMomentum(const Scene& scene, const RigidBody<double>& body,
                             double mass, double radius) {
  const auto V =
      scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, body);
  return mass * scene.Position(body).cross(V.translational()) +
         0.4 * mass * radius * radius * V.rotational();
}

TEST_P(ContactLaws, ACollisionWithFrictionKeepsBothMomenta) {
  Scene scene(kTimeStep, GetParam());
  const auto& one = scene.AddBall("one", 2, 0.1);
  const auto& other = scene.AddBall("other", 1, 0.1);
  scene.plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  scene.Finish();
  scene.Place(one, Vector3d(0, 0, 1));
  scene.Place(other, Vector3d(0.25, 0.08, 1.05));
  scene.plant->SetFreeBodySpatialVelocity(
      scene.context, one,
      SpatialVelocity<double>(Vector3d(3, 20, -10), Vector3d(1, 0, 0)));
  const auto angular = [&]() {
    return Vector3d(CalcAngularMomentum(scene, one, 2, 0.1) +
                    CalcAngularMomentum(scene, other, 1, 0.1));
  };
  const Vector3d before = angular();
  scene.simulator->AdvanceTo(0.5);
  EXPECT_GT(scene.Velocity(other).norm(), 0.2);
  // Friction has spun the other one.
  EXPECT_GT(scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, other)
                .rotational()
                .norm(),
            0.5);
  EXPECT_TRUE(Near(Vector3d(2 * scene.Velocity(one) + scene.Velocity(other)),
                   Vector3d(2, 0, 0), 1e-12));
  EXPECT_TRUE(Near(angular(), before, 1e-12));
}

TEST(ContinuousContactLaws, ACollisionKeepsMomentaAndLosesEnergy) {
  Scene scene(0);
  const auto& one = scene.AddBall("one", 2, 0.1);
  const auto& other = scene.AddBall("other", 1, 0.1);
  scene.plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  scene.Finish();
  scene.simulator->get_mutable_integrator().set_target_accuracy(1e-6);
  scene.Place(one, Vector3d(0, 0, 1));
  scene.Place(other, Vector3d(0.25, 0.08, 1.05));
  scene.Throw(one, Vector3d(1, 0, 0));
  const auto angular = [&]() {
    return Vector3d(CalcAngularMomentum(scene, one, 2, 0.1) +
                    CalcAngularMomentum(scene, other, 1, 0.1));
  };
  const Vector3d before = angular();
  scene.simulator->AdvanceTo(0.5);
  EXPECT_TRUE(Near(Vector3d(2 * scene.Velocity(one) + scene.Velocity(other)),
                   Vector3d(2, 0, 0), 1e-12));
  // Positions are integrated as well, to the integrator's accuracy.
  EXPECT_TRUE(Near(angular(), before, 1e-4));
  const double energy = scene.plant->CalcKineticEnergy(*scene.context);
  EXPECT_LT(energy, 0.99);
  EXPECT_GT(energy, 0.5);
}

// Where a ball is that was thrown down along the ground: [q; v] after contact.
VectorXd CalcThrow(double time_step, Approximation approximation, double d) {
  Scene scene(time_step, approximation,
              {.mu = 0.3, .stiffness = 2e3, .dissipation = d});
  scene.plant->set_stiction_tolerance(0.05);
  const auto& ball = scene.AddBall("ball", 1, 0.1);
  scene.Finish();
  scene.Place(ball, Vector3d(0, 0, 0.1));
  scene.Throw(ball, Vector3d(0.5, 0, -0.3));
  if (time_step == 0) {
    scene.simulator->get_mutable_integrator().set_target_accuracy(1e-9);
  }
  scene.simulator->AdvanceTo(0.064);
  return scene.State();
}

// All that have Hunt and Crossley's law in the limit. kSimilar has it only
// without dissipation: its damping goes by v_n - mu |v_t|. kSap has another.
TEST_P(ContactLaws, StepsConvergeToContinuousTimeInFirstOrder) {
  if (GetParam() == Approximation::kSap) return;
  const double d = GetParam() == Approximation::kSimilar ? 0 : 2;
  const VectorXd exact = CalcThrow(0, Approximation::kLagged, d);
  const double coarse = (CalcThrow(1e-3, GetParam(), d) - exact).norm();
  const double middle = (CalcThrow(5e-4, GetParam(), d) - exact).norm();
  const double fine = (CalcThrow(2.5e-4, GetParam(), d) - exact).norm();
  EXPECT_LT(fine, 0.05);
  EXPECT_NEAR(std::log2(coarse / middle), 1.0, 0.3);
  EXPECT_NEAR(std::log2(middle / fine), 1.0, 0.2);
}

}  // namespace
}  // namespace wyvern::multibody
