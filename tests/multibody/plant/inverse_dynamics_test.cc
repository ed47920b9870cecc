// Inverse dynamics of a plant, with and without forces on bodies, against the
// equation of motion; and what it and its like allocate.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace inverse_dynamics_test {

using test::CartPole;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

// Rounding of numbers of order 10.
constexpr double kTolerance = 1e-12;

class InverseDynamics : public testing::Test {
 protected:
  InverseDynamics() {
    auto& plant = model_.plant;
    plant.mutable_gravity_field().set_enabled(model_.loose, false);
    const_cast<RevoluteJoint<double>*>(model_.hinge)->set_default_damping(0.3);
    plant.Finalize();
    context_ = plant.CreateDefaultContext();
    VectorX<double> q = plant.GetPositions(*context_);
    for (int i = 0; i < q.size(); ++i) q[i] += 0.1 * (i + 1);
    plant.SetPositions(context_.get(), q);
    const int nv = plant.num_velocities();
    v_ = VectorX<double>::LinSpaced(nv, -1, 2);
    vdot_ = VectorX<double>::LinSpaced(nv, 3, -1);
    plant.SetVelocities(context_.get(), v_);
    forces_ = std::make_unique<MultibodyForces<double>>(plant);
    forces_->mutable_generalized_forces() =
        VectorX<double>::LinSpaced(nv, 0.5, 0.9);
  }
  // M v̇ + C v.
  VectorX<double> InertialForces() const {
    const int nv = model_.plant.num_velocities();
    MatrixX<double> M(nv, nv);
    VectorX<double> Cv(nv);
    model_.plant.CalcMassMatrix(*context_, &M);
    model_.plant.CalcBiasTerm(*context_, &Cv);
    return M * vdot_ + Cv;
  }
  void PushBodies() {
    auto& F = forces_->mutable_body_forces();
    for (BodyIndex b(1); b < model_.plant.num_bodies(); ++b) {
      F[b] = SpatialForce<double>(Vector3<double>(b, 2, -1),
                                  Vector3<double>(0.3, -b, 1));
    }
  }

  CartPole model_{0};
  std::unique_ptr<systems::Context<double>> context_;
  std::unique_ptr<MultibodyForces<double>> forces_;
  VectorX<double> v_, vdot_;
};

TEST_F(InverseDynamics, WithoutForcesOnBodiesIsTheEquationOfMotion) {
  EXPECT_TRUE(Near(model_.plant.CalcInverseDynamics(*context_, vdot_, *forces_),
                   InertialForces() - forces_->generalized_forces(),
                   kTolerance));
}

TEST_F(InverseDynamics, ForcesOnBodiesCountAsWhatTheyAreWorthAtTheJoints) {
  PushBodies();
  VectorX<double> worth;
  model_.plant.CalcGeneralizedForces(*context_, *forces_, &worth);
  EXPECT_GT((worth - forces_->generalized_forces()).norm(), 1);
  EXPECT_TRUE(Near(model_.plant.CalcInverseDynamics(*context_, vdot_, *forces_),
                   InertialForces() - worth, kTolerance));
}

TEST_F(InverseDynamics, ForceOnOneBodyIsNotOverlooked) {
  const BodyIndex last(model_.plant.num_bodies() - 1);
  forces_->mutable_body_forces()[last] =
      SpatialForce<double>(Vector3<double>(0, 0, 0), Vector3<double>(0, 0, 7));
  VectorX<double> worth;
  model_.plant.CalcGeneralizedForces(*context_, *forces_, &worth);
  EXPECT_TRUE(Near(model_.plant.CalcInverseDynamics(*context_, vdot_, *forces_),
                   InertialForces() - worth, kTolerance));
}

// Gravity of one model instance is switched off.
TEST_F(InverseDynamics, ForceElementsAreGravityAndDamping) {
  model_.plant.CalcForceElementsContribution(*context_, forces_.get());
  VectorX<double> worth,
      expected = model_.plant.CalcGravityGeneralizedForces(*context_);
  const int hinge = model_.hinge->velocity_start();
  expected[hinge] -= 0.3 * v_[hinge];
  model_.plant.CalcGeneralizedForces(*context_, *forces_, &worth);
  EXPECT_TRUE(Near(worth, expected, kTolerance));
  EXPECT_EQ(forces_->body_forces()[model_.stone->index()].get_coeffs().norm(),
            0);
  EXPECT_EQ(forces_->body_forces()[model_.cart->index()].translational(),
            Vector3<double>(0, 0, -9.81));
}

TEST_F(InverseDynamics, ZeroForcesMayHaveDerivatives) {
  const auto plant = systems::System<double>::ToAutoDiffXd(model_.plant);
  const auto context = plant->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*context_);
  MultibodyForces<AutoDiffXd> forces(*plant);
  const BodyIndex cart = model_.cart->index();
  Vector6<AutoDiffXd> F = Vector6<AutoDiffXd>::Zero();
  F[3] = AutoDiffXd(0, VectorX<double>::Ones(1));  // Along the slider.
  forces.mutable_body_forces()[cart] = SpatialForce<AutoDiffXd>(F);
  const VectorX<AutoDiffXd> tau = plant->CalcInverseDynamics(
      *context, VectorX<AutoDiffXd>(vdot_.cast<AutoDiffXd>()), forces);
  EXPECT_TRUE(Near(ToDouble(tau), InertialForces(), kTolerance));
  EXPECT_EQ(tau[model_.slider->velocity_start()].derivatives()[0], -1);
}

TEST_F(InverseDynamics, AllocatesItsResultAlone) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  const auto count = [this] {
    model_.plant.SetVelocities(context_.get(), v_);
    const AllocationGuard guard;
    model_.plant.CalcInverseDynamics(*context_, vdot_, *forces_);
    return guard.count();
  };
  count();
  EXPECT_EQ(count(), 1);
  PushBodies();
  count();
  EXPECT_EQ(count(), 1);
}

TEST_F(InverseDynamics, ItsKinAllocateNothingAfterTheFirstCall) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  const int nv = model_.plant.num_velocities();
  MatrixX<double> M(nv, nv);
  VectorX<double> Cv(nv);
  const VectorX<double> x = model_.plant.GetPositionsAndVelocities(*context_);
  const auto& vdot = model_.plant.get_generalized_acceleration_output_port();
  const auto count = [&] {
    const AllocationGuard guard;
    model_.plant.SetPositionsAndVelocities(context_.get(), x);
    model_.plant.CalcMassMatrix(*context_, &M);
    model_.plant.CalcBiasTerm(*context_, &Cv);
    model_.plant.CalcForceElementsContribution(*context_, forces_.get());
    vdot.Eval(*context_);
    return guard.count();
  };
  count();
  EXPECT_EQ(count(), 0);
}

}  // namespace inverse_dynamics_test
}  // namespace wyvern::multibody
