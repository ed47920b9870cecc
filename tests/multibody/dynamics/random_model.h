#pragma once

/** @file
Random forests with every mobilizer type, and everything the kernels
compute on them, for tests of identities. */

#include <random>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/forward_dynamics.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/mass_matrix.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/math/line_and_arc_path.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::multibody::dynamics::test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double Number(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  int Below(int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(engine_);
  }
  VectorXd Numbers(int n) {
    return VectorXd::NullaryExpr(n, [this]() { return Number(); });
  }
  Pose<double> AnyPose() {
    const Eigen::Quaterniond q(Eigen::Vector4d(Numbers(4)));
    return {q.normalized().toRotationMatrix(), Numbers(3)};
  }

 private:
  std::mt19937 engine_;
};

/** One of two paths with ends of segments every few tenths of a metre: an open
one, and a closed one of 2.05 m. */
inline const internal::LineAndArcPath<double>* RandomPath(Random* random) {
  const double arc = 0.2 * M_PI;
  using Path = internal::LineAndArcPath<double>;
  static const Pose<double> start = Random(5).AnyPose();
  static const Path open({0, 0.3, 0.7, 1.5}, {1, 0, -3}, start.R, start.p,
                         false);
  static const Path closed({0, 0.4, 0.4 + arc, 0.8 + arc, 0.8 + 2 * arc},
                           {0, 5, 0, 5}, start.R, start.p, true);
  return random->Below(2) == 0 ? &open : &closed;
}

/** A body of five random point masses. */
inline BodyParameters<double> RandomBody(Random* random) {
  BodyParameters<double> body;
  body.X_PF = random->AnyPose();
  body.X_BM = random->AnyPose();
  body.axis = Vector3d(random->Numbers(3)).normalized();
  body.pitch = random->Number();
  body.path = RandomPath(random);
  Vector3d h = Vector3d::Zero();
  for (int i = 0; i < 5; ++i) {
    const double m = random->Number(0.1, 1);
    const Vector3d r = random->Numbers(3);
    body.mass += m;
    h += m * r;
    body.I_BBo_B +=
        m * (r.squaredNorm() * MatrixXd::Identity(3, 3) - r * r.transpose());
  }
  body.p_BoBcm_B = h / body.mass;
  return body;
}

/** A forest of `n` links: every mobilizer type, welds, joints either way round,
and floating bases. */
inline Model RandomModel(int n, Random* random) {
  LinkJointGraph graph;
  std::vector<MobilizerType> types;
  for (int link = 1; link <= n; ++link) {
    graph.AddLink();
    if (random->Below(8) == 0) continue;
    const int other = random->Below(link);
    const bool reversed = random->Below(2) == 0;
    graph.AddJoint(reversed ? link : other, reversed ? other : link);
    types.push_back(
        static_cast<MobilizerType>(random->Below(kNumMobilizerTypes)));
  }
  return MakeModel(SpanningForest(graph), [&](int j) { return types[j]; });
}

/** A model, a state, and what follows from them. */
template <typename T>
struct Computed {
  Computed(const Model& model_in, const ModelParameters<T>& parameters_in,
           const VectorX<T>& q_in, const VectorX<T>& v_in)
      : model(model_in),
        parameters(parameters_in),
        q(q_in),
        v(v_in),
        positions(model),
        velocities(model),
        inertias(model.num_nodes()),
        composites(model.num_nodes()),
        articulated(model),
        scratch(model),
        A(model.num_nodes(), Vector6<T>::Zero()),
        X_WB(model.num_bodies()) {
    Update();
  }

  void Update() {
    CalcPositionKinematics<T>(model, parameters, q, &positions);
    CalcVelocityKinematics<T>(model, parameters, positions, v, &velocities);
    CalcInertiasInWorld<T>(model, parameters, positions, &inertias);
    CalcCompositeInertias<T>(model, inertias, &composites);
    CalcBodyPoses<T>(model, parameters, positions, &X_WB);
  }
  Motion<T> motion() const {
    return {{model, parameters, positions, inertias}, velocities};
  }
  VectorX<T> InverseDynamics(const VectorX<T>& vdot,
                             std::span<const Vector6<T>> F = {},
                             Gravity gravity = Gravity::kOn) {
    VectorX<T> tau(model.num_v);
    CalcInverseDynamics<T>(motion(), vdot, F, gravity, &scratch, tau);
    return tau;
  }
  VectorX<T> ForwardDynamics(const VectorX<T>& tau,
                             std::span<const Vector6<T>> F = {},
                             const VectorX<T>& diagonal = VectorX<T>()) {
    VectorX<T> vdot(model.num_v);
    CalcArticulatedInertias<T>(motion(), diagonal, &articulated);
    CalcForwardDynamics<T>(motion(), tau, F, Gravity::kOn, &articulated, &A,
                           vdot);
    return vdot;
  }
  MatrixX<T> MassMatrix() const {
    MatrixX<T> M(model.num_v, model.num_v);
    CalcMassMatrix<T>(model, parameters, positions, composites, M);
    return M;
  }

  const Model& model;
  ModelParameters<T> parameters;
  VectorX<T> q, v;
  PositionKinematics<T> positions;
  VelocityKinematics<T> velocities;
  std::vector<RigidInertia<T>> inertias, composites;
  ArticulatedInertias<T> articulated;
  InverseDynamicsScratch<T> scratch;
  std::vector<Vector6<T>> A;
  std::vector<Pose<T>> X_WB;
};

/** A random forest in a random state, with reflected inertia, and gravity that
spares some bodies. */
struct RandomSystem {
  explicit RandomSystem(unsigned seed, int n = 15)
      : random(seed),
        model(RandomModel(n, &random)),
        computed(model, RandomParameters(), RandomPositions(),
                 random.Numbers(model.num_v)) {}

  ModelParameters<double> RandomParameters() {
    ModelParameters<double> parameters(model);
    for (int i = 1; i < model.num_bodies(); ++i) {
      parameters.bodies[i] = RandomBody(&random);
      parameters.bodies[i].gravity_enabled = random.Below(4) > 0;
    }
    parameters.gravity = {1, -2, -9.81};
    parameters.reflected_inertia = random.Numbers(model.num_v).cwiseAbs();
    parameters.Compile(model);
    return parameters;
  }
  /** Quaternions are not of unit length; angles keep off gimbal lock. */
  VectorXd RandomPositions() { return random.Numbers(model.num_q); }

  std::vector<Vector6<double>> RandomNodeForces() {
    std::vector<Vector6<double>> F(model.num_nodes(), Vector6<double>::Zero());
    for (int i = 1; i < model.num_nodes(); ++i) F[i] = random.Numbers(6);
    return F;
  }
  VectorXd QDot() const {
    VectorXd qdot(model.num_q);
    MapVelocityToQDot<double>(model, computed.q, computed.v, qdot);
    return qdot;
  }

  Random random;
  Model model;
  Computed<double> computed;
};

inline ModelParameters<AutoDiffXd> ToAutoDiff(
    const Model& model, const ModelParameters<double>& in) {
  ModelParameters<AutoDiffXd> out(model);
  for (int i = 0; i < model.num_bodies(); ++i) {
    const BodyParameters<double>& a = in.bodies[i];
    BodyParameters<AutoDiffXd>& b = out.bodies[i];
    b.X_PF = {a.X_PF.R.cast<AutoDiffXd>(), a.X_PF.p.cast<AutoDiffXd>()};
    b.X_BM = {a.X_BM.R.cast<AutoDiffXd>(), a.X_BM.p.cast<AutoDiffXd>()};
    b.axis = a.axis.cast<AutoDiffXd>();
    b.pitch = a.pitch;
    b.path = a.path;
    b.mass = a.mass;
    b.p_BoBcm_B = a.p_BoBcm_B.cast<AutoDiffXd>();
    b.I_BBo_B = a.I_BBo_B.cast<AutoDiffXd>();
    b.gravity_enabled = a.gravity_enabled;
  }
  out.gravity = in.gravity.cast<AutoDiffXd>();
  out.reflected_inertia = in.reflected_inertia.cast<AutoDiffXd>();
  out.Compile(model);
  return out;
}

/** x moving at a rate, for derivatives in time. */
inline VectorX<AutoDiffXd> Moving(const VectorXd& x, const VectorXd& xdot) {
  VectorX<AutoDiffXd> result(x.size());
  for (int i = 0; i < x.size(); ++i) {
    result[i] = AutoDiffXd(x[i], VectorXd::Constant(1, xdot[i]));
  }
  return result;
}
inline double RateOf(const AutoDiffXd& x) {
  return x.derivatives().size() == 0 ? 0.0 : x.derivatives()[0];
}
template <typename Derived>
MatrixXd RatesOf(const Eigen::MatrixBase<Derived>& m) {
  MatrixXd rates(m.rows(), m.cols());
  for (int j = 0; j < m.cols(); ++j) {
    for (int i = 0; i < m.rows(); ++i) rates(i, j) = RateOf(m(i, j));
  }
  return rates;
}

}  // namespace wyvern::multibody::dynamics::test
