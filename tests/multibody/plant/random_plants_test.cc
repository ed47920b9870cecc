// Identities of whole plants: random trees with every joint, either way round,
// springs, dampers and applied forces.
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/random_rotation.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/curvilinear_joint.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using math::RigidTransform;
using systems::Context;
using test::MakeInertia;
using wyvern::test::Near;

class RandomPlant : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr int kJoints = 11;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  RandomPlant() : generator_(GetParam() + 1) {
    std::vector<const RigidBody<double>*> bodies{&plant_.world_body()};
    for (int i = 0; i < kJoints; ++i) {
      const std::string name = std::to_string(i);
      const auto& body = plant_.AddRigidBody(
          name, MakeInertia(1 + 0.1 * i, Numbers(3), 0.2 + 0.01 * i));
      const auto& other = *bodies[Below(static_cast<int>(bodies.size()))];
      const bool reversed = &other != bodies[0] && Below(2) == 0;
      // Every type, in another order for every seed.
      AddJoint((i + GetParam()) % kJoints, name, reversed ? body : other,
               reversed ? other : body);
      bodies.push_back(&body);
    }
    plant_.AddForceElement<LinearSpringDamper>(
        *bodies[3], Vector3<double>(1, 0, 0), *bodies[8],
        Vector3<double>(0, 2, 0), 0.5, 10.0, 1.0);
    plant_.Finalize();
    context_ = plant_.CreateDefaultContext();
    VectorX<double> q = Numbers(plant_.num_positions());
    plant_.SetPositions(context_.get(), q);
    plant_.SetVelocities(context_.get(), Numbers(plant_.num_velocities()));
    tau_ = Numbers(plant_.num_velocities());
    plant_.get_applied_generalized_force_input_port().FixValue(context_.get(),
                                                               tau_);
  }
  int Below(int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator_);
  }
  VectorX<double> Numbers(int n) {
    return VectorX<double>::NullaryExpr(n, [this]() {
      return std::uniform_real_distribution<double>(-1, 1)(generator_);
    });
  }
  RigidTransform<double> AnyPose() {
    return RigidTransform<double>(
        math::UniformlyRandomRotationMatrix<double>(&generator_),
        Vector3<double>(Numbers(3)));
  }
  CurvilinearJoint<double>::Path AnyPath() {
    const auto X = AnyPose();
    return {{0, 0.3, 0.7, 1.5},  {1, 0, -3},      X.rotation().col(0),
            X.rotation().col(2), X.translation(), Below(2) == 0};
  }
  void AddJoint(int type, const std::string& name, const RigidBody<double>& P,
                const RigidBody<double>& C) {
    const RigidTransform<double> X_PF = AnyPose(), X_CM = AnyPose();
    const Vector3<double> axis = Numbers(3), damping(0.3, 0.2, 0.4);
    switch (type) {
      case 0:
        plant_.AddJoint<RevoluteJoint>(name, P, X_PF, C, X_CM, axis, 0.2);
        return;
      case 1:
        plant_.AddJoint<PrismaticJoint>(name, P, X_PF, C, X_CM, axis,
                                        -kInfinity, kInfinity, 0.3);
        return;
      case 2:
        plant_.AddJoint<ScrewJoint>(name, P, X_PF, C, X_CM, axis, 0.4, 0.1);
        return;
      case 3:
        plant_.AddJoint<UniversalJoint>(name, P, X_PF, C, X_CM, 0.2);
        return;
      case 4:
        plant_.AddJoint<PlanarJoint>(name, P, X_PF, C, X_CM, damping);
        return;
      case 5:
        plant_.AddJoint<BallRpyJoint>(name, P, X_PF, C, X_CM, 0.2);
        return;
      case 6:
        plant_.AddJoint<RpyFloatingJoint>(name, P, X_PF, C, X_CM, 0.2, 0.3);
        return;
      case 7:
        plant_.AddJoint<QuaternionFloatingJoint>(name, P, X_PF, C, X_CM, 0.2,
                                                 0.3);
        return;
      case 8:
        plant_.AddJoint<WeldJoint>(name, P, X_PF, C, X_CM, AnyPose());
        return;
      case 9:
        plant_.AddJoint<CurvilinearJoint>(name, P, X_PF, C, X_CM, AnyPath(),
                                          -kInfinity, kInfinity, 0.2);
        return;
      case 10:
        plant_.AddJoint<QuaternionBallJoint>(name, P, X_PF, C, X_CM, 0.2);
        return;
      default:
        plant_.AddJoint<RevoluteJoint>(name, P, X_PF, C, X_CM, axis);
    }
  }
  VectorX<double> Vdot() const {
    return plant_.get_generalized_acceleration_output_port().Eval(*context_);
  }

  RandomGenerator generator_;
  MultibodyPlant<double> plant_{0};
  std::unique_ptr<Context<double>> context_;
  VectorX<double> tau_;
};

TEST_P(RandomPlant, KineticEnergyIsHalfVMV) {
  const VectorX<double> v = plant_.GetVelocities(*context_);
  MatrixX<double> M(v.size(), v.size());
  plant_.CalcMassMatrix(*context_, &M);
  const double energy = plant_.CalcKineticEnergy(*context_);
  EXPECT_NEAR(energy, 0.5 * v.dot(M * v), 1e-12 * energy);
}

TEST_P(RandomPlant, InverseDynamicsUndoesForwardDynamics) {
  MultibodyForces<double> forces(plant_);
  plant_.CalcForceElementsContribution(*context_, &forces);
  const VectorX<double> tau =
      plant_.CalcInverseDynamics(*context_, Vdot(), forces);
  EXPECT_TRUE(Near(tau, tau_, 1e-9));
}

TEST_P(RandomPlant, LedgerSumsToTheRateOfKineticEnergy) {
  const VectorX<double> v = plant_.GetVelocities(*context_);
  MatrixX<double> M(v.size(), v.size());
  plant_.CalcMassMatrix(*context_, &M);
  VectorX<double> Cv(v.size());
  plant_.CalcBiasTerm(*context_, &Cv);
  const PowerLedger<double> ledger = plant_.CalcPowerLedger(*context_);
  const double rate = v.dot(M * Vdot() + Cv);
  EXPECT_NEAR(ledger.Sum(), rate, 1e-10 * (1 + std::abs(rate)));
  EXPECT_LT(ledger.joint_damping, 0);
}

// Derivative of ẋ by x: AutoDiff in one direction against central differences.
TEST_P(RandomPlant, AutoDiffAgreesWithCentralDifferences) {
  const VectorX<double> x = plant_.GetPositionsAndVelocities(*context_);
  const VectorX<double> direction = Numbers(static_cast<int>(x.size()));
  const auto copy = systems::System<double>::ToAutoDiffXd(plant_);
  const auto context = copy->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*context_);
  copy->FixInputPortsFrom(plant_, *context_, context.get());
  VectorX<AutoDiffXd> x_ad(x.size());
  for (int i = 0; i < x.size(); ++i) {
    x_ad[i] = AutoDiffXd(x[i], VectorX<double>::Constant(1, direction[i]));
  }
  copy->SetPositionsAndVelocities(context.get(), x_ad);
  const VectorX<AutoDiffXd> rates =
      copy->EvalTimeDerivatives(*context).CopyToVector();
  const auto at = [&](double h) {
    plant_.SetPositionsAndVelocities(context_.get(),
                                     (x + h * direction).eval());
    return plant_.EvalTimeDerivatives(*context_).CopyToVector().eval();
  };
  const double h = 1e-4;
  // The error is of fourth order: h⁴ times the fifth derivative, some 1e3.
  const VectorX<double> differences =
      (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  const double scale = 1 + differences.cwiseAbs().maxCoeff();
  for (int i = 0; i < x.size(); ++i) {
    ASSERT_EQ(rates[i].derivatives().size(), 1) << i;
    EXPECT_NEAR(rates[i].derivatives()[0], differences[i], 1e-7 * scale) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPlant, testing::Range(0u, 12u));

}  // namespace
}  // namespace wyvern::multibody
