// Errors, Jacobians and gamma of constraints, by differentiating them.
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/contact_constraint.h"

namespace wyvern::multibody {
namespace {

using test::RandomConstrainedPlant;
using wyvern::test::Near;

class ConstraintKinematics : public testing::TestWithParam<unsigned> {
 protected:
  ConstraintKinematics()
      : set_(model_.DrawIndependentConstraints(true, &drawn_)),
        set_ad_(model_.DrawConstraints<AutoDiffXd>(drawn_, true)),
        plant_ad_(systems::System<double>::ToAutoDiffXd(model_.plant)),
        context_ad_(plant_ad_->CreateDefaultContext()) {
    set_ad_.Bind(*plant_ad_);
    context_ad_->SetTimeStateAndParametersFrom(*model_.context);
  }
  // q with derivatives along N(q) D, for the columns of D.
  void MoveAlong(const MatrixX<double>& D) {
    const VectorX<double> q = model_.plant.GetPositions(*model_.context);
    MatrixX<double> dq(q.size(), D.cols());
    for (int i = 0; i < D.cols(); ++i) {
      VectorX<double> qdot(q.size());
      model_.plant.MapVelocityToQDot(*model_.context, D.col(i), &qdot);
      dq.col(i) = qdot;
    }
    VectorX<AutoDiffXd> q_ad(q.size());
    for (int i = 0; i < q.size(); ++i) {
      q_ad[i] = AutoDiffXd(q[i], VectorX<double>(dq.row(i).transpose()));
    }
    plant_ad_->SetPositions(context_ad_.get(), q_ad);
  }
  static MatrixX<double> Derivatives(const VectorX<AutoDiffXd>& x, int n) {
    MatrixX<double> result = MatrixX<double>::Zero(x.size(), n);
    for (int i = 0; i < x.size(); ++i) {
      if (x[i].derivatives().size() > 0) {
        result.row(i) = x[i].derivatives().transpose();
      }
    }
    return result;
  }

  RandomConstrainedPlant model_{GetParam()};
  unsigned drawn_{};
  ConstraintSet<double> set_;
  ConstraintSet<AutoDiffXd> set_ad_;
  std::unique_ptr<MultibodyPlant<AutoDiffXd>> plant_ad_;
  std::unique_ptr<systems::Context<AutoDiffXd>> context_ad_;
};

TEST_P(ConstraintKinematics, JacobianOfLoopsIsTheDerivativeOfThePositionError) {
  const int nv = model_.plant.num_velocities();
  MoveAlong(MatrixX<double>::Identity(nv, nv));
  VectorX<AutoDiffXd> error(set_.size());
  CalcConstraintsPositionError<AutoDiffXd>(*plant_ad_, *context_ad_, &set_ad_,
                                           &error);
  const MatrixX<double> expected = Derivatives(error, nv);
  set_.UpdatePositionJacobian(model_.plant, *model_.context,
                              &set_.own_system());
  const MatrixX<double>& G = set_.G();
  for (int group = 0; group < set_.num_groups(); ++group) {
    if (set_.GetGroupType(group) != ConstraintType::kLoop) continue;
    for (int row : set_.GetGroupRows(group)) {
      EXPECT_TRUE(Near(G.row(row), expected.row(row), 1e-12)) << row;
    }
  }
}

// This holds for a single axis of rotation; other constraints have the rate of
// their errors.
TEST_P(ConstraintKinematics, VelocityAboutOneAxisAloneIsTheRelativeOneAlongIt) {
  const auto& [plant, context] = std::tie(model_.plant, *model_.context);
  const int nv = plant.num_velocities();
  const math::RigidTransform<double> X_P = model_.AnyPose();
  const math::RigidTransform<double> X_S = model_.AnyPose();
  const auto& A = plant.get_body(BodyIndex(3));
  const auto& B = plant.get_body(BodyIndex(5));
  Vector6<double> axis = Vector6<double>::Zero();
  axis.head<3>() = Vector3<double>(model_.Numbers(3));
  ConstraintSet<double> set;
  set.AddLoopConstraint(A, B, X_P, X_S, axis);
  set.Bind(plant);
  const auto X_AP = plant.EvalBodyPoseInWorld(context, A) * X_P;
  const Vector3<double> a_W = X_AP.rotation() * Vector3<double>(axis.head<3>());
  const Vector3<double> w_W =
      plant.EvalBodySpatialVelocityInWorld(context, B).rotational() -
      plant.EvalBodySpatialVelocityInWorld(context, A).rotational();
  VectorX<double> error(1), vdot(nv);
  CalcConstraintsVelocityError<double>(plant, context, &set, &error);
  EXPECT_NEAR(error[0], a_W.dot(w_W), 1e-12);
  // d/dt (a · w) = 0 for a that turns with A.
  ForwardDynamicsConstraintsDirect<double>(plant, context, model_.tau, &set,
                                           &vdot);
  std::vector<SpatialAcceleration<double>> A_WB(
      plant.num_bodies(), SpatialAcceleration<double>::Zero());
  plant.CalcSpatialAccelerationsFromVdot(context, vdot, &A_WB);
  const Vector3<double> w_A =
      plant.EvalBodySpatialVelocityInWorld(context, A).rotational();
  const Vector3<double> alpha =
      A_WB[B.index()].rotational() - A_WB[A.index()].rotational();
  EXPECT_NEAR(a_W.dot(alpha) + w_A.cross(a_W).dot(w_W), 0,
              1e-10 * (1 + vdot.norm()));
}

TEST_P(ConstraintKinematics, JacobianOfContactsIsThatOfThePointAlongTheNormal) {
  const int nv = model_.plant.num_velocities();
  MatrixX<double> G(set_.size(), nv), J(3, nv);
  CalcConstraintsJacobian<double>(model_.plant, *model_.context, &set_, &G);
  for (int group = 0; group < set_.num_groups(); ++group) {
    if (set_.GetGroupType(group) != ConstraintType::kContact) continue;
    const auto& contact = dynamic_cast<const ContactConstraint<double>&>(
        set_.GetGroupConstraint(group));
    const auto& W = model_.plant.world_frame();
    model_.plant.CalcJacobianTranslationalVelocity(
        *model_.context, JacobianWrtVariable::kV,
        model_.plant.get_body(contact.successor()).body_frame(),
        contact.p_BoC_B(), W, W, &J);
    const auto rows = set_.GetGroupRows(group);
    for (size_t i = 0; i < rows.size(); ++i) {
      EXPECT_NEAR(contact.normals()[i].norm(), 1, 1e-15);
      EXPECT_TRUE(
          Near(G.row(rows[i]), contact.normals()[i].transpose() * J, 1e-12));
    }
  }
}

TEST_P(ConstraintKinematics, GammaIsMinusTheRateOfJacobianTimesVelocity) {
  MoveAlong(model_.plant.GetVelocities(*model_.context));
  VectorX<AutoDiffXd> rate(set_.size());
  CalcConstraintsVelocityError<AutoDiffXd>(*plant_ad_, *context_ad_, &set_ad_,
                                           &rate);
  const VectorX<double> Gdot_v = Derivatives(rate, 1);
  for (int g = 0; g < set_.num_groups(); ++g) {
    set_.DisableBaumgarteStabilization(g);
  }
  CalcConstrainedSystemVariables<double>(model_.plant, *model_.context, &set_);
  const double scale = 1 + Gdot_v.cwiseAbs().maxCoeff();
  EXPECT_TRUE(Near(set_.gamma(), -Gdot_v, 1e-12 * scale));
}

TEST_P(ConstraintKinematics, VelocityErrorIsJacobianTimesVelocity) {
  const int nc = set_.size();
  MatrixX<double> G(nc, model_.plant.num_velocities());
  VectorX<double> error(nc);
  CalcConstraintsJacobian<double>(model_.plant, *model_.context, &set_, &G);
  CalcConstraintsVelocityError<double>(model_.plant, *model_.context, &set_,
                                       &error);
  const VectorX<double> v = model_.plant.GetVelocities(*model_.context);
  EXPECT_TRUE(Near(error, G * v, 1e-12));
  for (int g = 0; g < set_.num_groups(); ++g) {
    VectorX<double> own(set_.GetGroupSize(g));
    set_.CalcVelocityError(g, model_.plant, *model_.context, &own);
    const auto rows = set_.GetGroupRows(g);
    for (int i = 0; i < own.size(); ++i) {
      EXPECT_NEAR(own[i], error[rows[i]], 1e-12);
    }
  }
}

TEST_P(ConstraintKinematics, StabilizationTakesErrorsOffGamma) {
  for (int g = 0; g < set_.num_groups(); ++g) {
    set_.DisableBaumgarteStabilization(g);
  }
  const auto& [plant, context] = std::tie(model_.plant, *model_.context);
  CalcConstrainedSystemVariables<double>(plant, context, &set_);
  const VectorX<double> gamma = set_.gamma();
  for (int g = 0; g < set_.num_groups(); ++g) {
    set_.EnableBaumgarteStabilization(g);
    set_.SetBaumgarteTimeConstant(g, 0.25);
  }
  CalcConstrainedSystemVariables<double>(plant, context, &set_);
  for (int g = 0; g < set_.num_groups(); ++g) {
    const int n = set_.GetGroupSize(g);
    VectorX<double> e(n), edot(n), expected(n);
    set_.CalcPositionError(g, plant, context, &e);
    set_.CalcVelocityError(g, plant, context, &edot);
    set_.CalcBaumgarteStabilizationForces(g, e, edot, &expected);
    EXPECT_TRUE(Near(expected, -16 * e - 8 * edot, 1e-12));
    const auto rows = set_.GetGroupRows(g);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(set_.gamma()[rows[i]] - gamma[rows[i]], expected[i], 1e-10);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ConstraintKinematics, testing::Range(0u, 12u));

}  // namespace
}  // namespace wyvern::multibody
