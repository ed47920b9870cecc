// Figures of Drake's on one forest with every type of mobilizer, against ours;
// made by tests/oracles/drake_forest.py.
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/dynamics/reaction_forces.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Figures = std::map<std::string, MatrixXd>;

Figures ReadFigures() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/drake_forest.txt");
  Figures figures;
  std::string name;
  int rows, cols;
  while (file >> name >> rows >> cols) {
    MatrixXd matrix(rows, cols);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) file >> matrix(i, j);
    }
    figures[name] = matrix;
  }
  return figures;
}

Pose<double> ToPose(const VectorXd& x) {
  return {
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(x.data()),
      x.tail<3>()};
}

Model ToModel(const MatrixXd& bodies) {
  LinkJointGraph graph;
  for (int i = 0; i < bodies.rows(); ++i) {
    graph.AddJoint(static_cast<int>(bodies(i, 0)), graph.AddLink());
  }
  return MakeModel(SpanningForest(graph), [&](int joint) {
    return static_cast<MobilizerType>(static_cast<int>(bodies(joint, 1)));
  });
}

ModelParameters<double> ToParameters(const Model& model,
                                     const Figures& figures) {
  ModelParameters<double> parameters(model);
  parameters.gravity = figures.at("gravity");
  parameters.reflected_inertia.setZero(model.num_v);
  const MatrixXd& rows = figures.at("bodies");
  for (int i = 1; i < model.num_bodies(); ++i) {
    const VectorXd row = rows.row(i - 1);
    BodyParameters<double>& body = parameters.bodies[i];
    body.X_PF = ToPose(row.segment<12>(2));
    body.X_BM = ToPose(row.segment<12>(14));
    body.axis = row.segment<3>(26);
    body.pitch = row[29];
    body.mass = row[30];
    body.p_BoBcm_B = row.segment<3>(31);
    body.I_BBo_B << row[34], row[35], row[36], row[35], row[37], row[38],
        row[36], row[38], row[39];
    if (row[40] > 0) {
      parameters.reflected_inertia[model.bodies[i].v_start] = row[40];
    }
  }
  parameters.Compile(model);
  return parameters;
}

class DrakeForest : public ::testing::Test {
 protected:
  const VectorXd Column(const std::string& name) const {
    return figures_.at(name).col(0);
  }
  // Both sides round; entries are of order 1 to 100.
  void Expect(const std::string& name, const MatrixXd& ours,
              double tolerance = 1e-11) {
    EXPECT_TRUE(wyvern::test::Near(ours, figures_.at(name), tolerance)) << name;
  }
  std::vector<Vector6<double>> BodyForces() const {
    std::vector<Vector6<double>> F(model_.num_bodies());
    for (int i = 0; i < model_.num_bodies(); ++i) {
      F[i] = figures_.at("F_BBo_W").row(i);
    }
    return F;
  }
  std::vector<Vector6<double>> NodeForces() const {
    std::vector<Vector6<double>> F(model_.num_nodes(), Vector6<double>::Zero());
    AddBodyForces<double>(model_, now_.X_WB, now_.positions, BodyForces(), &F);
    return F;
  }
  static MatrixXd Stack(const std::vector<Vector6<double>>& rows) {
    MatrixXd result(rows.size(), 6);
    for (size_t i = 0; i < rows.size(); ++i) result.row(i) = rows[i];
    return result;
  }

  const Figures figures_{ReadFigures()};
  const Model model_{ToModel(figures_.at("bodies"))};
  test::Computed<double> now_{model_, ToParameters(model_, figures_),
                              Column("q"), Column("v")};
  const int tip_{model_.num_bodies() - 1};
};

TEST_F(DrakeForest, PosesAndVelocitiesAgree) {
  MatrixXd poses(model_.num_bodies(), 12);
  for (int i = 0; i < model_.num_bodies(); ++i) {
    const Pose<double>& X = now_.X_WB[i];
    poses.row(i) << X.R.row(0), X.R.row(1), X.R.row(2), X.p.transpose();
  }
  Expect("X_WB", poses);
  std::vector<Vector6<double>> V_WB(model_.num_bodies());
  CalcBodyVelocities<double>(model_, now_.X_WB, now_.positions, now_.velocities,
                             &V_WB);
  Expect("V_WB", Stack(V_WB));
  VectorXd qdot(model_.num_q);
  MapVelocityToQDot<double>(model_, now_.q, now_.v, qdot);
  Expect("qdot", qdot);
}

TEST_F(DrakeForest, MassMatrixBiasAndGravityAgree) {
  Expect("M", now_.MassMatrix());
  VectorXd result(model_.num_v);
  CalcBiasTerm<double>(now_.motion(), &now_.scratch, result);
  Expect("Cv", result);
  CalcGravityGeneralizedForces<double>(now_.motion(), &now_.scratch, result);
  Expect("g", result, 1e-10);
}

// Drake's leaves gravity to the forces given.
TEST_F(DrakeForest, InverseDynamicsAgrees) {
  Expect("inverse_dynamics",
         now_.InverseDynamics(Column("vdot"), NodeForces(), Gravity::kOff));
}

TEST_F(DrakeForest, ForwardDynamicsAccelerationsAndReactionsAgree) {
  const VectorXd vdot = now_.ForwardDynamics(Column("tau"), NodeForces());
  Expect("forward_dynamics", vdot, 1e-9);
  std::vector<Vector6<double>> result(model_.num_bodies());
  CalcBodyAccelerations<double>(model_, now_.X_WB, now_.positions,
                                now_.velocities, now_.A, &result);
  Expect("A_WB", Stack(result), 1e-9);
  CalcReactionForces<double>(model_, now_.parameters, now_.positions,
                             now_.velocities, now_.A, BodyForces(),
                             Gravity::kOn, &result);
  Expect("F_BMo_W", Stack(result), 1e-9);
}

TEST_F(DrakeForest, JacobianAndItsBiasAgree) {
  const Vector3d p_WQ = now_.X_WB[tip_] * Vector3d(Column("p_BQ"));
  Matrix6X<double> J(6, model_.num_v);
  CalcSpatialVelocityJacobian<double>(model_, now_.positions, tip_, p_WQ, J);
  Expect("J", J);
  CalcBiasAccelerations<double>(model_, now_.velocities, &now_.A);
  Expect("Jdot_v",
         CalcPointAcceleration<double>(model_, now_.positions, now_.velocities,
                                       now_.A, tip_, p_WQ));
}

TEST_F(DrakeForest, MomentumEnergyAndCenterOfMassAgree) {
  std::vector<int> all;
  for (int i = 1; i < model_.num_bodies(); ++i) all.push_back(i);
  Expect("center_of_mass", CalcCenterOfMass<double>(model_, now_.parameters,
                                                    now_.positions, all));
  Expect("center_of_mass_velocity",
         CalcCenterOfMassVelocity<double>(
             model_, now_.parameters, now_.positions, now_.velocities, all));
  Expect("momentum_about_Wo",
         CalcSpatialMomentum<double>(model_, now_.parameters, now_.positions,
                                     now_.velocities, all, Vector3d::Zero()));
  const Eigen::Vector2d energies(
      CalcKineticEnergy<double>(model_, now_.parameters, now_.inertias,
                                now_.velocities, now_.v),
      CalcGravityPotentialEnergy<double>(model_, now_.parameters,
                                         now_.positions));
  Expect("energies", energies, 1e-10);
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
