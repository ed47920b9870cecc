// Derivatives of a plant's dynamics against those of its own time derivatives
// on AutoDiffXd, and what follows from M and J against dense algebra.
#include <memory>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using test::MakeInertia;
using wyvern::test::Near;

// A floating trunk with a limb of many joints, damped, and a rotor.
class Limb : public ::testing::Test {
 protected:
  Limb() {
    const auto add = [this](const char* name) -> const RigidBody<double>& {
      return plant_.AddRigidBody(name, MakeInertia(1.5, {0.1, 0.2, -0.3}, 0.2));
    };
    const auto& trunk = add("trunk");
    const auto& a = add("a");
    const auto& b = add("b");
    const auto& c = add("c");
    const auto& d = add("d");
    const auto& e = add("e");
    const RigidTransformd X(math::RollPitchYawd(0.3, 0.4, -0.8),
                            Vector3d(0.2, -0.1, 0.4));
    plant_.AddJoint<BallRpyJoint>("ab", trunk, X, a, {}, 0.3);
    plant_.AddJoint<UniversalJoint>("bc", a, X, b, {}, 0.2);
    const auto& hinge = plant_.AddJoint<RevoluteJoint>("hinge", b, X, c, {},
                                                       Vector3d::UnitX(), 0.4);
    plant_.AddJoint<PlanarJoint>("slab", c, X, d, {}, Vector3d(0.1, 0.2, 0.3));
    plant_.AddJoint<ScrewJoint>("screw", trunk, X, e, {}, 0.1, 0.05);
    const auto& motor = plant_.AddJointActuator("motor", hinge);
    plant_.get_mutable_joint_actuator(motor.index())
        .set_default_rotor_inertia(0.02);
    plant_.get_mutable_joint_actuator(motor.index()).set_default_gear_ratio(5);
    plant_.Finalize();
    nv_ = plant_.num_velocities();
    context_ = plant_.CreateDefaultContext();
    VectorXd q = VectorXd::LinSpaced(plant_.num_positions(), 0.9, -0.7);
    plant_.SetPositions(context_.get(), q);
    plant_.SetVelocities(context_.get(), VectorXd::LinSpaced(nv_, -0.8, 1));
    tau_ = VectorXd::LinSpaced(nv_, 2, -1);
    forces_ = std::make_unique<MultibodyForces<double>>(plant_);
    forces_->mutable_generalized_forces().setConstant(0.3);
    for (auto& F : forces_->mutable_body_forces()) {
      F = SpatialForce<double>(Vector3d(0.5, -1, 2), Vector3d(3, -2, 1));
    }
  }

  // v̇ of the plant on AutoDiffXd, moving along columns dq and dv.
  MatrixXd RateOfAcceleration(const MatrixXd& dq, const MatrixXd& dv) const {
    MultibodyPlant<AutoDiffXd> plant(plant_);
    auto context = plant.CreateDefaultContext();
    VectorX<AutoDiffXd> x(plant_.num_positions() + nv_);
    const VectorXd value = plant_.GetPositionsAndVelocities(*context_);
    MatrixXd dx(x.size(), dq.cols());
    dx << dq, dv;
    for (int i = 0; i < x.size(); ++i) {
      x[i] = AutoDiffXd(value[i], dx.row(i).transpose());
    }
    plant.SetPositionsAndVelocities(context.get(), x);
    const VectorXd tau = tau_ + forces_->generalized_forces();
    plant.get_applied_generalized_force_input_port().FixValue(
        context.get(), VectorX<AutoDiffXd>(tau.cast<AutoDiffXd>()));
    std::vector<ExternallyAppliedSpatialForce<AutoDiffXd>> applied;
    for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
      applied.push_back(
          {i, Vector3<AutoDiffXd>::Zero(),
           SpatialForce<AutoDiffXd>(Vector6<AutoDiffXd>(
               forces_->body_forces()[i].get_coeffs().cast<AutoDiffXd>()))});
    }
    plant.get_applied_spatial_force_input_port().FixValue(context.get(),
                                                          applied);
    const VectorX<AutoDiffXd> xdot =
        plant.EvalTimeDerivatives(*context).CopyToVector();
    MatrixXd rate = MatrixXd::Zero(nv_, dq.cols());
    for (int i = 0; i < nv_; ++i) {
      rate.row(i) = xdot[plant_.num_positions() + i].derivatives();
    }
    return rate;
  }

  MultibodyPlant<double> plant_{0.0};
  int nv_{};
  std::unique_ptr<systems::Context<double>> context_;
  VectorXd tau_;
  std::unique_ptr<MultibodyForces<double>> forces_;
};

// Rounding relative to the largest entry.
double Rounding(const MatrixXd& x) {
  return 1e-10 * std::max(1.0, x.cwiseAbs().maxCoeff());
}

TEST_F(Limb, ForwardDynamicsDerivativesAreThoseOfItsTimeDerivatives) {
  MatrixXd by_q(nv_, nv_), by_v(nv_, nv_), by_tau(nv_, nv_);
  plant_.CalcForwardDynamicsDerivatives(*context_, tau_, *forces_, &by_q, &by_v,
                                        &by_tau);
  const int nq = plant_.num_positions();
  const MatrixXd expected_q =
      RateOfAcceleration(MatrixXd::Identity(nq, nq), MatrixXd::Zero(nv_, nq));
  const MatrixXd expected_v =
      RateOfAcceleration(MatrixXd::Zero(nq, nv_), MatrixXd::Identity(nv_, nv_));
  EXPECT_TRUE(Near(plant_.CalcDerivativeInPositions(*context_, by_q),
                   expected_q, Rounding(expected_q)));
  EXPECT_TRUE(Near(by_v, expected_v, Rounding(expected_v)));
}

TEST_F(Limb, InverseDynamicsDerivativesUndoThoseOfForwardDynamics) {
  MatrixXd by_q(nv_, nv_), by_v(nv_, nv_), by_tau(nv_, nv_);
  plant_.CalcForwardDynamicsDerivatives(*context_, tau_, *forces_, &by_q, &by_v,
                                        &by_tau);
  MultibodyForces<double> all(plant_);
  plant_.CalcForceElementsContribution(*context_, &all);
  all.AddInForces(*forces_);
  const VectorXd at_rest =
      plant_.CalcInverseDynamics(*context_, VectorXd::Zero(nv_), all);
  const VectorXd vdot = by_tau * (tau_ - at_rest);
  MatrixXd dq(nv_, nv_), dv(nv_, nv_), M(nv_, nv_), mass(nv_, nv_);
  plant_.CalcInverseDynamicsDerivatives(*context_, vdot, *forces_, &dq, &dv,
                                        &M);
  plant_.CalcMassMatrix(*context_, &mass);
  EXPECT_TRUE(Near(M, mass, Rounding(mass)));
  EXPECT_TRUE(Near(dq, MatrixXd(-M * by_q), Rounding(dq)));
  EXPECT_TRUE(Near(dv, MatrixXd(-M * by_v), Rounding(dv)));
}

TEST_F(Limb, MassMatrixTimesItsInverseIsIdentity) {
  MatrixXd M(nv_, nv_), inverse(nv_, nv_);
  plant_.CalcMassMatrix(*context_, &M);
  plant_.CalcMassMatrixInverse(*context_, &inverse);
  EXPECT_TRUE(Near(MatrixXd(M * inverse), MatrixXd::Identity(nv_, nv_), 1e-10));
}

TEST_F(Limb, CentroidalMomentumIsTheMomentumAboutTheCentreOfMass) {
  const Vector6<double> expected =
      plant_
          .CalcSpatialMomentumInWorldAboutPoint(
              *context_, plant_.CalcCenterOfMassPositionInWorld(*context_))
          .get_coeffs();
  Matrix6X<double> A(6, nv_);
  plant_.CalcCentroidalMomentumMatrix(*context_, &A);
  const VectorXd v = plant_.GetVelocities(*context_);
  EXPECT_TRUE(Near(Vector6<double>(A * v), expected, Rounding(expected)));
  EXPECT_TRUE(Near(plant_.CalcCentroidalMomentum(*context_).get_coeffs(),
                   expected, Rounding(expected)));
}

// In free fall the only force is the weight, which has no moment about Scm.
TEST_F(Limb, CentroidalMomentumChangesByWeightAloneInFreeFall) {
  const VectorXd vdot =
      plant_.EvalTimeDerivatives(*context_).CopyToVector().tail(nv_);
  Matrix6X<double> A(6, nv_);
  plant_.CalcCentroidalMomentumMatrix(*context_, &A);
  const Vector6<double> rate =
      A * vdot + plant_.CalcCentroidalMomentumBias(*context_).get_coeffs();
  Vector6<double> weight = Vector6<double>::Zero();
  weight[5] = -plant_.CalcTotalMass(*context_) *
              UniformGravityFieldElement<double>::kDefaultStrength;
  EXPECT_TRUE(Near(rate, weight, Rounding(weight)));
}

TEST_F(Limb, InverseOfOperationalSpaceInertiaIsJMInverseJt) {
  const std::vector<const Frame<double>*> frames{
      &plant_.GetFrameByName("d"), &plant_.GetFrameByName("e"),
      &plant_.GetFrameByName("trunk"), &plant_.world_frame()};
  MatrixXd J(24, nv_);
  for (int i = 0; i < 4; ++i) {
    MatrixXd Ji(6, nv_);
    plant_.CalcJacobianSpatialVelocity(
        *context_, JacobianWrtVariable::kV, *frames[i], Vector3d::Zero(),
        plant_.world_frame(), plant_.world_frame(), &Ji);
    J.middleRows(6 * i, 6) = Ji;
  }
  MatrixXd M(nv_, nv_), Lambda_inverse(24, 24);
  plant_.CalcMassMatrix(*context_, &M);
  plant_.CalcInverseOperationalSpaceInertia(*context_, frames, &Lambda_inverse);
  const MatrixXd expected = J * M.inverse() * J.transpose();
  EXPECT_TRUE(Near(Lambda_inverse, expected, Rounding(expected)));
}

TEST_F(Limb, DerivativesRefuseWhatDoesNotFit) {
  MatrixXd m(nv_, nv_), small(2, 2);
  EXPECT_THROWS_MESSAGE(plant_.CalcInverseDynamicsDerivatives(
                            *context_, VectorXd::Zero(2), *forces_, &m, &m, &m),
                        std::logic_error, "known_vdot");
  EXPECT_THROWS_MESSAGE(plant_.CalcInverseDynamicsDerivatives(
                            *context_, tau_, *forces_, &m, &small, &m),
                        std::logic_error, "the output dtau_dv must be a");
  EXPECT_THROWS_MESSAGE(plant_.CalcForwardDynamicsDerivatives(
                            *context_, tau_, *forces_, nullptr, &m, &m),
                        std::logic_error, "the output dvdot_dq must be a");
  EXPECT_THROWS_MESSAGE(
      plant_.CalcForwardDynamicsDerivatives(
          *context_, tau_, MultibodyForces<double>(2, 3), &m, &m, &m),
      std::logic_error, "CalcForwardDynamicsDerivatives");
  EXPECT_THROWS_MESSAGE(plant_.CalcMassMatrixInverse(*context_, &small),
                        std::logic_error, "M_inverse");
  EXPECT_THROWS_MESSAGE(plant_.CalcDerivativeInPositions(*context_, small),
                        std::logic_error, "columns of `tangent`");
  Matrix6X<double> A(6, 1);
  EXPECT_THROWS_MESSAGE(plant_.CalcCentroidalMomentumMatrix(*context_, &A),
                        std::logic_error, "columns of A");
}

TEST_F(Limb, OperationalSpaceInertiaRefusesFramesOfOthers) {
  test::Pendulum other(0);
  MatrixXd m(6, 6);
  EXPECT_THROWS_MESSAGE(plant_.CalcInverseOperationalSpaceInertia(
                            *context_, {&other.body->body_frame()}, &m),
                        std::logic_error, "CalcInverseOperationalSpaceInertia");
  EXPECT_THROWS_MESSAGE(
      plant_.CalcInverseOperationalSpaceInertia(*context_, {nullptr}, &m),
      std::logic_error, "a pointer is null");
}

TEST(PlantDerivatives, NeedAFinalizedPlant) {
  test::Pendulum finalized(0), p(0);
  finalized.plant.Finalize();
  const auto context = finalized.plant.CreateDefaultContext();
  MatrixXd m(1, 1);
  Matrix6X<double> A(6, 1);
  const VectorXd one(1);
  const MultibodyForces<double> forces(2, 1);
  const auto throws = [](auto f) {
    EXPECT_THROWS_MESSAGE(f(), std::logic_error, "not finalized");
  };
  throws([&] { p.plant.CalcMassMatrixInverse(*context, &m); });
  throws([&] { p.plant.CalcCentroidalMomentumMatrix(*context, &A); });
  throws([&] { p.plant.CalcCentroidalMomentum(*context); });
  throws([&] { p.plant.CalcCentroidalMomentumBias(*context); });
  throws([&] { p.plant.CalcDerivativeInPositions(*context, m); });
  throws([&] { p.plant.CalcInverseOperationalSpaceInertia(*context, {}, &m); });
  throws([&] {
    p.plant.CalcInverseDynamicsDerivatives(*context, one, forces, &m, &m, &m);
  });
  throws([&] {
    p.plant.CalcForwardDynamicsDerivatives(*context, one, forces, &m, &m, &m);
  });
}

}  // namespace
}  // namespace wyvern::multibody
