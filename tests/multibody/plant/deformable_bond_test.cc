// Deformable bodies fixed to moving rigid bodies: momentum, a pendulum's
// period, the weight at its joint, and bits.
#include <cmath>
#include <memory>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace deformable_bond_test {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using math::RigidTransformd;
using systems::Context;
using systems::Simulator;
using Plant = MultibodyPlant<double>;

constexpr double kLength = 0.4, kSide = 0.1, kDensity = 1000, kHint = 0.1;
constexpr double kMass = kDensity * kLength * kSide * kSide;
constexpr double kGravity = 9.81;

// A bar along z from -kLength to 0, whose upper end E is fixed to body B.
struct Bar {
  Bar(Plant* plant, const RigidBody<double>& body_B,
      const RigidTransformd& X_BE, double E, double damping = 0.02) {
    fem::DeformableBodyConfig<double> config;
    config.set_youngs_modulus(E);
    config.set_poissons_ratio(0.3);
    config.set_mass_density(kDensity);
    config.set_stiffness_damping_coefficient(damping);
    const geometry::Box box(kSide, kSide, kLength);
    const RigidTransformd X(Vector3d(0, 0, -kLength / 2));
    auto& model = plant->mutable_deformable_model();
    id = model.RegisterDeformableBody(
        std::make_unique<geometry::GeometryInstance>(X, box, "bar"), config,
        kHint);
    model.AddFixedConstraint(id, body_B, X_BE * X, geometry::Box(1, 1, 1e-3),
                             X_BE);
    mesh = std::make_unique<geometry::VolumeMesh<double>>(
        geometry::internal::MakeDeformableMesh(box, kHint));
  }

  // [L; p] about the world's origin, by the consistent masses.
  Vector6<double> CalcMomentum(const Plant& plant,
                               const Context<double>& context) const {
    const Matrix3Xd q = plant.deformable_model().GetPositions(context, id);
    const Matrix3Xd v = plant.deformable_model().GetVelocities(context, id);
    Vector6<double> result = Vector6<double>::Zero();
    for (int e = 0; e < mesh->num_elements(); ++e) {
      const double m = kDensity * mesh->CalcTetrahedronVolume(e);
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          const Vector3d p =
              m / 20 * (i == j ? 2 : 1) * v.col(mesh->element(e).vertex(j));
          const Vector3d q_i = q.col(mesh->element(e).vertex(i));
          result.head<3>() += q_i.cross(p);
          result.tail<3>() += p;
        }
      }
    }
    return result;
  }

  DeformableBodyId id;
  std::unique_ptr<geometry::VolumeMesh<double>> mesh;
};

// A free box that turns and takes the bar along. Without damping, which in what
// is strained resists turning.
struct Pair {
  explicit Pair(double dt)
      : plant(dt),
        box(plant.AddRigidBody(
            "box", SpatialInertia<double>::SolidBoxWithMass(8, 0.3, 0.2, 0.1))),
        bar(&plant, box, RigidTransformd(Vector3d(0, 0, -0.05)), 1e5, 0) {
    plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    plant.Finalize();
    simulator = std::make_unique<Simulator<double>>(plant);
    Start(&simulator->get_mutable_context());
  }
  void Start(Context<double>* context) const {
    plant.SetFreeBodyPose(context, box, RigidTransformd(Vector3d(0, 0, 0.05)));
    plant.SetFreeBodySpatialVelocity(
        context, box,
        SpatialVelocity<double>(Vector3d(1, 2, 0.5), Vector3d(0.5, 0, 0.2)));
  }
  Vector6<double> CalcMomentum() const {
    const Context<double>& context = simulator->get_context();
    return plant.CalcSpatialMomentumInWorldAboutPoint(context, Vector3d::Zero())
               .get_coeffs() +
           bar.CalcMomentum(plant, context);
  }
  Matrix3Xd CalcPositions(const Context<double>& context) const {
    return plant.deformable_model().GetPositions(context, bar.id);
  }

  Plant plant;
  const RigidBody<double>& box;
  Bar bar;
  std::unique_ptr<Simulator<double>> simulator;
};

TEST(DeformableBond, KeepsTheMomentumOfThePair) {
  double last = 0;
  for (const double dt : {4e-3, 2e-3, 1e-3}) {
    Pair pair(dt);
    const Vector6<double> before = pair.CalcMomentum();
    pair.simulator->AdvanceTo(0.4);
    const Vector6<double> change = pair.CalcMomentum() - before;
    EXPECT_LE(change.tail<3>().norm(), 1e-10 * before.tail<3>().norm());
    // Angular momentum is kept to the order of the step.
    const double turned = change.head<3>().norm() / before.head<3>().norm();
    if (last > 0) {
      EXPECT_LE(turned, 0.6 * last);
    }
    last = turned;
  }
  EXPECT_LE(last, 0.01);
}

// An error e shrinks to e / 2 in a step, whichever body moves.
TEST(DeformableBond, HalvesAnErrorInAStep) {
  const double dt = 2e-3;
  Pair pair(dt);
  auto& context = pair.simulator->get_mutable_context();
  const Vector3d e(1e-3, 2e-3, -3e-3);
  const Matrix3Xd reference = pair.CalcPositions(context);
  const Matrix3Xd none = Matrix3Xd::Zero(3, reference.cols());
  pair.plant.deformable_model().SetPositionsAndVelocities(
      &context, pair.bar.id, reference.colwise() + e, none);
  pair.plant.SetFreeBodySpatialVelocity(
      &context, pair.box,
      SpatialVelocity<double>(Vector3d::Zero(), Vector3d::Zero()));
  pair.simulator->AdvanceTo(dt);
  const RigidTransformd X_WB = pair.box.EvalPoseInWorld(context);
  const Matrix3Xd q = pair.CalcPositions(context);
  int count = 0;
  for (int v = 0; v < q.cols(); ++v) {
    if (reference(2, v) < -1e-3) continue;
    const Vector3d p_BV = reference.col(v) - Vector3d(0, 0, 0.05);
    // The box turns a little, which its points see at second order.
    EXPECT_LE((q.col(v) - X_WB * p_BV - e / 2).norm(), 1e-3 * e.norm());
    ++count;
  }
  EXPECT_EQ(count, 4);
}

TEST(DeformableBond, TakesTheBarAlong) {
  const Pair pair(2e-3);
  const Matrix3Xd p_AV = pair.CalcPositions(*pair.plant.CreateDefaultContext());
  pair.simulator->AdvanceTo(0.4);
  const Context<double>& context = pair.simulator->get_context();
  const RigidTransformd X_WB = pair.box.EvalPoseInWorld(context);
  const Matrix3Xd q = pair.CalcPositions(context);
  EXPECT_GE((q - p_AV).norm(), 0.1);
  int count = 0;
  for (int v = 0; v < q.cols(); ++v) {
    if (p_AV(2, v) < -1e-3) continue;
    const Vector3d p_BV = p_AV.col(v) - Vector3d(0, 0, 0.05);
    // A step with turning velocity misses by dt² w² r.
    EXPECT_LE((q.col(v) - X_WB * p_BV).norm(), 1e-5);
    ++count;
  }
  EXPECT_EQ(count, 4);
}

// A pendulum of a light cap and the bar.
struct Pendulum {
  Pendulum(double E, double dt)
      : plant(dt),
        cap(plant.AddRigidBody("cap", SpatialInertia<double>::SolidBoxWithMass(
                                          0.1, 0.1, 0.1, 0.02))),
        joint(plant.AddJoint<RevoluteJoint>(
            "hinge", plant.world_body(), RigidTransformd(), cap,
            RigidTransformd(), Vector3d::UnitY())),
        bar(&plant, cap, RigidTransformd(), E) {
    plant.Finalize();
    simulator = std::make_unique<Simulator<double>>(plant);
  }
  Plant plant;
  const RigidBody<double>& cap;
  const RevoluteJoint<double>& joint;
  Bar bar;
  std::unique_ptr<Simulator<double>> simulator;
};

TEST(DeformableBond, AStiffBarSwingsAsARigidOne) {
  Pendulum pendulum(1e8, 1e-3);
  auto& context = pendulum.simulator->get_mutable_context();
  const double angle = 0.05;
  const RigidTransformd X(math::RotationMatrixd::MakeYRotation(angle));
  Matrix3Xd q =
      pendulum.plant.deformable_model().GetPositions(context, pendulum.bar.id);
  for (int v = 0; v < q.cols(); ++v) q.col(v) = X * Vector3d(q.col(v));
  pendulum.plant.deformable_model().SetPositions(&context, pendulum.bar.id, q);
  pendulum.joint.set_angle(&context, angle);
  // Inertia of the bar and the cap about the hinge.
  const double inertia = kMass * (kLength * kLength / 3 + kSide * kSide / 12) +
                         0.1 * (0.1 * 0.1 + 0.02 * 0.02) / 12;
  const double period =
      2 * M_PI * std::sqrt(inertia / (kMass * kGravity * kLength / 2));
  pendulum.simulator->AdvanceTo(period / 4);
  EXPECT_NEAR(pendulum.joint.get_angle(context), 0, 0.01 * angle);
  pendulum.simulator->AdvanceTo(period / 2);
  EXPECT_NEAR(pendulum.joint.get_angle(context), -angle, 0.02 * angle);
}

TEST(DeformableBond, TheHingeCarriesTheSoftBar) {
  Pendulum pendulum(1e5, 5e-3);
  pendulum.simulator->AdvanceTo(2);
  const auto& context = pendulum.simulator->get_context();
  const auto& forces = pendulum.plant.get_reaction_forces_output_port()
                           .Eval<std::vector<SpatialForce<double>>>(context);
  const double weight = (kMass + 0.1) * kGravity;
  const SpatialForce<double>& F = forces[pendulum.joint.ordinal()];
  EXPECT_NEAR(F.translational().z(), weight, 1e-5 * weight);
  // It is longer by rho g l² / 2E, but for its held end.
  const double stretch = kDensity * kGravity * kLength * kLength / 2e5;
  const double lowest = pendulum.plant.deformable_model()
                            .GetPositions(context, pendulum.bar.id)
                            .row(2)
                            .minCoeff();
  EXPECT_NEAR(-lowest - kLength, stretch, 0.1 * stretch);
}

TEST(DeformableBond, RepeatsItsBitsAndAllocatesNothing) {
  Pair pair(2e-3);
  pair.simulator->AdvanceTo(0.1);
  const auto half = pair.simulator->get_context().Clone();
  pair.simulator->AdvanceTo(0.12);
  {
    const wyvern::test::AllocationGuard guard;
    pair.simulator->AdvanceTo(0.2);
    EXPECT_EQ(guard.count(), 0);
  }
  const Matrix3Xd q = pair.CalcPositions(pair.simulator->get_context());
  std::stringstream file;
  systems::SaveContext(*half, &file);
  auto loaded = pair.plant.CreateDefaultContext();
  systems::LoadContext(&file, loaded.get());
  Simulator<double> resumed(pair.plant, std::move(loaded));
  resumed.AdvanceTo(0.2);
  EXPECT_EQ(q, pair.CalcPositions(resumed.get_context()));
  Simulator<double> again(pair.plant);
  pair.Start(&again.get_mutable_context());
  again.AdvanceTo(0.2);
  EXPECT_EQ(q, pair.CalcPositions(again.get_context()));
}

}  // namespace deformable_bond_test
}  // namespace wyvern::multibody
