// Energy, momentum, centre of mass and reaction forces of random forests.
#include <cmath>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/dynamics/reaction_forces.h"

namespace wyvern::multibody::dynamics {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Computed;
using test::Moving;
using test::RandomSystem;
using test::RateOf;
using test::RatesOf;
using wyvern::test::Near;

class RandomBalance : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomBalance() : bodies_(model_.num_bodies() - 1) {
    std::iota(bodies_.begin(), bodies_.end(), 1);
  }
  Computed<AutoDiffXd> InMotion(const VectorXd& vdot) const {
    return {model_, test::ToAutoDiff(model_, now_.parameters),
            Moving(now_.q, system_.QDot()), Moving(now_.v, vdot)};
  }
  template <typename T>
  Vector6<T> Momentum(const Computed<T>& at) const {
    return CalcSpatialMomentum<T>(model_, at.parameters, at.positions,
                                  at.velocities, bodies_, Vector3<T>::Zero());
  }

  RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  Computed<double>& now_{system_.computed};
  std::vector<int> bodies_;
};

TEST_P(RandomBalance, KineticEnergyIsHalfVMV) {
  const double energy = CalcKineticEnergy<double>(
      model_, now_.parameters, now_.inertias, now_.velocities, now_.v);
  EXPECT_NEAR(energy, 0.5 * now_.v.dot(now_.MassMatrix() * now_.v),
              1e-12 * energy);
}

TEST_P(RandomBalance, EnergyChangesByThePowerOfWhatIsApplied) {
  const VectorXd tau = system_.random.Numbers(model_.num_v);
  const auto at = InMotion(now_.ForwardDynamics(tau));
  const AutoDiffXd energy =
      CalcKineticEnergy<AutoDiffXd>(model_, at.parameters, at.inertias,
                                    at.velocities, at.v) +
      CalcGravityPotentialEnergy<AutoDiffXd>(model_, at.parameters,
                                             at.positions);
  EXPECT_NEAR(RateOf(energy), tau.dot(now_.v),
              1e-10 * (1 + std::abs(energy.value())));
}

TEST_P(RandomBalance, GravityPowerIsMinusTheRateOfPotentialEnergy) {
  const auto at = InMotion(VectorXd::Zero(model_.num_v));
  const AutoDiffXd potential = CalcGravityPotentialEnergy<AutoDiffXd>(
      model_, at.parameters, at.positions);
  const double power = CalcGravityPower<double>(
      model_, now_.parameters, now_.positions, now_.inertias, now_.velocities);
  EXPECT_NEAR(power, -RateOf(potential), 1e-10 * (1 + std::abs(power)));
}

TEST_P(RandomBalance, CenterOfMassMovesWithItsVelocityAndAcceleration) {
  const VectorXd vdot = system_.random.Numbers(model_.num_v);
  const auto at = InMotion(vdot);
  const Vector3d velocity = CalcCenterOfMassVelocity<double>(
      model_, now_.parameters, now_.positions, now_.velocities, bodies_);
  EXPECT_TRUE(Near(velocity,
                   RatesOf(CalcCenterOfMass<AutoDiffXd>(model_, at.parameters,
                                                        at.positions, bodies_)),
                   1e-11));
  CalcAccelerationKinematics<double>(model_, now_.positions, now_.velocities,
                                     vdot, &now_.A);
  EXPECT_TRUE(
      Near(CalcCenterOfMassAcceleration<double>(model_, now_.parameters,
                                                now_.positions, now_.velocities,
                                                now_.A, bodies_),
           RatesOf(CalcCenterOfMassVelocity<AutoDiffXd>(
               model_, at.parameters, at.positions, at.velocities, bodies_)),
           1e-10));
  MatrixXd J(3, model_.num_v);
  CalcCenterOfMassJacobian<double>(model_, now_.parameters, now_.positions,
                                   bodies_, J);
  EXPECT_TRUE(Near(J * now_.v, velocity, 1e-11));
}

TEST_P(RandomBalance, LinearMomentumIsMassTimesVelocityOfTheCenterOfMass) {
  double mass = 0;
  for (int body : bodies_) mass += now_.parameters.bodies[body].mass;
  const Vector3d v = CalcCenterOfMassVelocity<double>(
      model_, now_.parameters, now_.positions, now_.velocities, bodies_);
  EXPECT_TRUE(Near(Momentum(now_).tail<3>(), mass * v, 1e-10));
}

// Newton and Euler for the whole: the momentum about the world's origin changes
// by gravity, by what is applied to bodies and by what the world's mobilizers
// pass on. Reflected inertia lies outside it: the rotors' share is removed.
TEST_P(RandomBalance, MomentumChangesByWhatTheWorldExerts) {
  now_.parameters.reflected_inertia.resize(0);
  now_.parameters.Compile(model_);
  now_.Update();
  std::vector<Vector6<double>> F_BBo_W(model_.num_bodies());
  for (auto& F : F_BBo_W) F = system_.random.Numbers(6);
  std::vector<Vector6<double>> F(model_.num_nodes(), Vector6<double>::Zero());
  AddBodyForces<double>(model_, now_.X_WB, now_.positions, F_BBo_W, &F);
  const VectorXd tau = system_.random.Numbers(model_.num_v);
  const VectorXd vdot = now_.ForwardDynamics(tau, F);
  std::vector<Vector6<double>> reactions(model_.num_bodies());
  CalcReactionForces<double>(model_, now_.parameters, now_.positions,
                             now_.velocities, now_.A, F_BBo_W, Gravity::kOn,
                             &reactions);
  Vector6<double> sum = Vector6<double>::Zero();
  const auto add = [&sum](const Vector6<double>& force, const Vector3d& at) {
    sum += force;
    sum.head<3>() += at.cross(Vector3d(force.tail<3>()));
  };
  for (int i : bodies_) {
    const auto& body = now_.parameters.bodies[i];
    add(F_BBo_W[i], now_.X_WB[i].p);
    if (model_.bodies[i].parent == 0) {
      add(reactions[i], (now_.X_WB[i] * body.X_BM).p);
    }
    if (!body.gravity_enabled) continue;
    Vector6<double> weight = Vector6<double>::Zero();
    weight.tail<3>() = body.mass * now_.parameters.gravity;
    add(weight, now_.X_WB[i] * body.p_BoBcm_B);
  }
  // 1e-9 of the forces' size is what the project promises.
  EXPECT_TRUE(
      Near(RatesOf(Momentum(InMotion(vdot))), sum, 1e-10 * (1 + sum.norm())));
}

// Every body by itself: momentum changes by its own reaction, those of its
// children turned round, its weight and its applied force.
TEST_P(RandomBalance, NewtonAndEulerCloseOnEveryBody) {
  const VectorXd vdot =
      now_.ForwardDynamics(system_.random.Numbers(model_.num_v));
  std::vector<Vector6<double>> reactions(model_.num_bodies());
  CalcReactionForces<double>(model_, now_.parameters, now_.positions,
                             now_.velocities, now_.A, {}, Gravity::kOn,
                             &reactions);
  std::vector<Vector6<double>> sum(model_.num_bodies(),
                                   Vector6<double>::Zero());
  const auto at = InMotion(vdot);
  for (int i : bodies_) {
    const auto& body = now_.parameters.bodies[i];
    Vector6<double> F = reactions[i];
    const Vector3d p_WM = (now_.X_WB[i] * body.X_BM).p;
    F.head<3>() += p_WM.cross(Vector3d(F.tail<3>()));
    sum[i] += F;
    sum[model_.bodies[i].parent] -= F;
    if (!body.gravity_enabled) continue;
    const Vector3d weight = body.mass * now_.parameters.gravity;
    sum[i].tail<3>() += weight;
    sum[i].head<3>() += (now_.X_WB[i] * body.p_BoBcm_B).cross(weight);
  }
  for (int i : bodies_) {
    const int one[] = {i};
    const Vector6<double> rate = RatesOf(CalcSpatialMomentum<AutoDiffXd>(
        model_, at.parameters, at.positions, at.velocities, one,
        Vector3<AutoDiffXd>::Zero()));
    EXPECT_TRUE(Near(rate, sum[i], 1e-10 * (1 + reactions[i].norm())));
  }
}

// The force that a mobilizer transmits along its own freedom is tau less the
// rotor's.
TEST_P(RandomBalance, ReactionAlongAMobilityIsItsGeneralizedForce) {
  const VectorXd tau = system_.random.Numbers(model_.num_v);
  const VectorXd vdot = now_.ForwardDynamics(tau);
  std::vector<Vector6<double>> reactions(model_.num_bodies());
  CalcReactionForces<double>(model_, now_.parameters, now_.positions,
                             now_.velocities, now_.A, {}, Gravity::kOn,
                             &reactions);
  const VectorXd expected =
      tau - now_.parameters.reflected_inertia.cwiseProduct(vdot);
  for (int i = 1; i < model_.num_nodes(); ++i) {
    const Model::Node& node = model_.nodes[i];
    const Pose<double> X_WM =
        now_.X_WB[node.body] * now_.parameters.bodies[node.body].X_BM;
    const Vector3d r = X_WM.p - now_.positions.p_WO[node.tree];
    Vector6<double> F = reactions[node.body];
    F.head<3>() += r.cross(Vector3d(F.tail<3>()));
    for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
      EXPECT_NEAR(now_.positions.H.col(k).dot(F), expected[k],
                  1e-10 * (1 + F.norm()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBalance, ::testing::Range(0u, 12u));

TEST(CenterOfMass, RefusesASetWithoutMass) {
  const RandomSystem system(2);
  EXPECT_THROWS_MESSAGE(
      CalcCenterOfMass<double>(system.model, system.computed.parameters,
                               system.computed.positions, {}),
      std::logic_error, "the mass of the 0 bodies given is not positive");
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
