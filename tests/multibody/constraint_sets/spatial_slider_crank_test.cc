// A slider-crank in space: a crank, a rod on it by a universal joint, and a
// slider on rails, closed by a loop of three translations and one rotation.
#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransform;
using wyvern::test::Near;

constexpr double kCrank = 0.2, kRod = 0.7;  // [m]

class SpatialSliderCrank : public testing::Test {
 protected:
  SpatialSliderCrank() {
    const auto M = [](const Vector3d& size) {
      const auto G = SpatialInertia<double>::SolidBoxWithMass(1, size[0],
                                                              size[1], size[2]);
      return G.Shift(Vector3d(-size[0] / 2, 0, 0));
    };
    const auto& crank = plant_.AddRigidBody("crank", M({kCrank, 0.02, 0.03}));
    rod_ = &plant_.AddRigidBody("rod", M({kRod, 0.03, 0.02}));
    slider_ = &plant_.AddRigidBody("slider", M({0.1, 0.1, 0.1}));
    plant_.AddJoint<RevoluteJoint>("crank", plant_.world_body(), {}, crank, {},
                                   Vector3d::UnitZ());
    plant_.AddJoint<QuaternionBallJoint>(
        "knuckle", crank, RigidTransform<double>(Vector3d(kCrank, 0, 0)), *rod_,
        {});
    // Rails that do not pass through the crank's axis.
    plant_.AddJoint<PrismaticJoint>(
        "rails", plant_.world_body(),
        RigidTransform<double>(Vector3d(0.5, 0.1, 0.2)), *slider_, {},
        Vector3d::UnitX());
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
    const RigidTransform<double> X_rod(Vector3d(kRod, 0, 0));
    for (int i : {3, 4, 5}) {
      set_.AddLoopConstraint(*slider_, *rod_, {}, X_rod,
                             Vector6<double>::Unit(i), false, 0.1, "pin");
    }
    // The rod does not turn about the rails.
    set_.AddLoopConstraint(*slider_, *rod_, {}, X_rod, Vector6<double>::Unit(0),
                           false, 0.1, "pin");
    set_.Bind(plant_);
  }
  // Put together from crank angle `q0`, turning at 3 rad/s.
  void Assemble(double q0) {
    const int nv = plant_.num_velocities();
    VectorXd q(plant_.num_positions()), v(nv);
    plant_.SetPositions(context_.get(), crank_q(q0));
    ASSERT_TRUE(CalcAssemblyQ<double>(plant_, *context_, &set_, &q,
                                      VectorXd::Ones(nv)));
    plant_.SetPositions(context_.get(), q);
    plant_.SetVelocities(context_.get(), 3 * VectorXd::Unit(nv, 0));
    CalcAssemblyQDot<double>(plant_, *context_, &set_, &v,
                             VectorXd::Unit(nv, 0));
    EXPECT_NEAR(v[0], 3, 1e-12);
    plant_.SetVelocities(context_.get(), v);
  }
  VectorXd crank_q(double q0) const {
    VectorXd q = plant_.GetPositions(*context_);
    q[0] = q0;
    return q;
  }
  // Returns the rod's turning rate about the rails. The slider does not turn,
  // so this is the rate relative to the slider.
  double rate() const {
    return plant_.EvalBodySpatialVelocityInWorld(*context_, *rod_)
        .rotational()[0];
  }

  MultibodyPlant<double> plant_{0};
  const RigidBody<double>* rod_{};
  const RigidBody<double>* slider_{};
  std::unique_ptr<systems::Context<double>> context_;
  ConstraintSet<double> set_;
};

TEST_F(SpatialSliderCrank, RodHasNoVelocityNorAccelerationAboutTheRails) {
  for (const double q0 : {0.3, 1.2, 2.4, -1.0}) {
    Assemble(q0);
    const VectorXd v = plant_.GetVelocities(*context_);
    EXPECT_GT(v.norm(), 3);
    EXPECT_NEAR(rate(), 0, 1e-12);
    const VectorXd tau = VectorXd::Zero(v.size());
    VectorXd vdot(v.size());
    for (auto* solve : {&ForwardDynamicsConstraintsDirect<double>,
                        &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                        &ForwardDynamicsConstraintsNullSpace<double>,
                        &ForwardDynamicsContactsKokkevis<double>}) {
      solve(plant_, *context_, tau, &set_, &vdot, nullptr);
      std::vector<SpatialAcceleration<double>> A(
          plant_.num_bodies(), SpatialAcceleration<double>::Zero());
      plant_.CalcSpatialAccelerationsFromVdot(*context_, vdot, &A);
      EXPECT_NEAR(A[rod_->index()].rotational()[0], 0, 1e-9);
      EXPECT_GT(A[rod_->index()].rotational().norm(), 0.1);
    }
  }
}

// The rail's torque on the rod is along the rails alone.
TEST_F(SpatialSliderCrank, RowOfRotationMakesATorqueAboutItsAxis) {
  Assemble(1.2);
  VectorXd vdot(plant_.num_velocities());
  ForwardDynamicsConstraintsDirect<double>(
      plant_, *context_, VectorXd::Ones(vdot.size()), &set_, &vdot);
  std::vector<BodyIndex> bodies;
  std::vector<RigidTransform<double>> frames;
  std::vector<SpatialForce<double>> forces;
  set_.CalcForces(0, plant_, *context_, &bodies, &frames, &forces, true);
  EXPECT_NEAR(forces[1].rotational()[0], set_.force()[3], 1e-12);
  EXPECT_GT(std::abs(set_.force()[3]), 0.1);
  EXPECT_TRUE(
      Near(Vector3d(0, forces[1].rotational()[1], forces[1].rotational()[2]),
           Vector3d::Zero(), 1e-12));
}

}  // namespace
}  // namespace wyvern::multibody
