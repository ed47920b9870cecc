// Derivatives of dynamics against automatic and finite differences, on random
// forests and on a chain of every mobilizer either way round.
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/forward_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/inverse_dynamics_derivatives.h"

namespace wyvern::multibody::dynamics {
namespace derivatives_test {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Computed;
using test::Random;
using test::RandomSystem;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

// Types that move. Welds, the first type, do not.
constexpr int kFirstMoving = 1;
constexpr int kMoving = kNumMobilizerTypes - kFirstMoving;

// All that move joined as given, then each reversed; no branches.
Model ChainOfEveryMobilizer() {
  LinkJointGraph graph;
  for (int i = 0; i < 2 * kMoving; ++i) {
    graph.AddLink();
    const bool reversed = i >= kMoving;
    graph.AddJoint(reversed ? i + 1 : i, reversed ? i : i + 1);
  }
  return MakeModel(SpanningForest(graph), [](int joint) {
    return static_cast<MobilizerType>(kFirstMoving + joint % kMoving);
  });
}

// x with a column of derivatives for each column of dx.
VectorX<AutoDiffXd> Seeded(const VectorXd& x, const MatrixXd& dx) {
  VectorX<AutoDiffXd> result(x.size());
  for (int i = 0; i < x.size(); ++i) result[i] = {x[i], dx.row(i).transpose()};
  return result;
}

MatrixXd GradientOf(const VectorX<AutoDiffXd>& y, int n) {
  MatrixXd result = MatrixXd::Zero(y.size(), n);
  for (int i = 0; i < y.size(); ++i) {
    if (y[i].derivatives().size() > 0) result.row(i) = y[i].derivatives();
  }
  return result;
}

// A state, forces on every body at a point of it, and the derivatives there.
class Case {
 public:
  Case(RandomSystem* system, const Model& model,
       const ModelParameters<double>& parameters, const VectorXd& q)
      : model_(model),
        nv_(model.num_v),
        now_(model, parameters, q, system->random.Numbers(model.num_v)),
        vdot_(system->random.Numbers(nv_)),
        damping_(system->random.Numbers(nv_).cwiseAbs()),
        N_(MatrixXd::Zero(model.num_q, nv_)),
        Nplus_(MatrixXd::Zero(nv_, model.num_q)) {
    for (int i = 0; i < model.num_bodies(); ++i) {
      p_BQ_.push_back(system->random.Numbers(3));
      F_BQ_W_.push_back(system->random.Numbers(6));
    }
    CalcN<double>(model, q, N_);
    CalcNPlus<double>(model, q, Nplus_);
    for (auto* m : {&dq_, &dv_, &da_}) *m = MatrixXd::Constant(nv_, nv_, 7);
  }

  void CalcInverse(Gravity gravity = Gravity::kOn, bool with_loads = true) {
    const auto loads = with_loads ? Loads() : std::vector<DeadLoad<double>>{};
    InverseDynamicsDerivativesScratch<double> scratch(model_);
    CalcInverseDynamicsDerivatives<double>(now_.motion(), now_.v, vdot_, loads,
                                           gravity, &scratch, {dq_, dv_, da_});
  }

  void CalcForward() {
    tau_ = now_.InverseDynamics(vdot_, Forces<double>(&now_)) +
           damping_.cwiseProduct(now_.v);
    now_.ForwardDynamics(tau_);
    ForwardDynamicsDerivativesScratch<double> scratch(model_);
    CalcForwardDynamicsDerivatives<double>(
        now_.motion(), now_.v, vdot_, damping_, Loads(), Gravity::kOn,
        now_.articulated, &scratch, {dq_, dv_, da_});
  }

  std::vector<DeadLoad<double>> Loads() const {
    std::vector<DeadLoad<double>> loads(model_.num_nodes());
    for (int i = 1; i < model_.num_bodies(); ++i) {
      AddDeadLoadAtPoint<double>(model_, now_.positions, i,
                                 now_.X_WB[i] * p_BQ_[i], F_BQ_W_[i], &loads);
    }
    return loads;
  }
  template <typename T>
  std::vector<Vector6<T>> Forces(Computed<T>* at) const {
    std::vector<Vector6<T>> F(model_.num_nodes(), Vector6<T>::Zero());
    for (int i = 1; i < model_.num_bodies(); ++i) {
      const Vector3<T> p_WQ = at->X_WB[i] * Vector3<T>(p_BQ_[i].cast<T>());
      AddForceAtPoint<T>(model_, at->positions, i, p_WQ, F_BQ_W_[i].cast<T>(),
                         &F);
    }
    return F;
  }
  // tau and v̇ as functions of the state.
  template <typename T>
  VectorX<T> InverseAt(const VectorX<T>& q, const VectorX<T>& v,
                       const ModelParameters<T>& parameters,
                       Gravity gravity = Gravity::kOn,
                       bool with_loads = true) const {
    Computed<T> at(model_, parameters, q, v);
    return at.InverseDynamics(
        vdot_.cast<T>(),
        with_loads ? Forces<T>(&at) : std::vector<Vector6<T>>{}, gravity);
  }
  template <typename T>
  VectorX<T> ForwardAt(const VectorX<T>& q, const VectorX<T>& v,
                       const VectorX<T>& tau,
                       const ModelParameters<T>& parameters) const {
    Computed<T> at(model_, parameters, q, v);
    return at.ForwardDynamics(tau - damping_.cast<T>().cwiseProduct(v),
                              Forces<T>(&at));
  }
  ModelParameters<AutoDiffXd> AutoDiffParameters() const {
    return test::ToAutoDiff(model_, now_.parameters);
  }
  VectorX<AutoDiffXd> MovingAlong(const MatrixXd& dq) const {
    return Seeded(now_.q, dq);
  }
  VectorX<AutoDiffXd> MovingV() const {
    return Seeded(now_.v, MatrixXd::Identity(nv_, nv_));
  }

  const Model& model_;
  int nv_;
  Computed<double> now_;
  VectorXd vdot_, damping_, tau_;
  std::vector<Vector3d> p_BQ_;
  std::vector<Vector6<double>> F_BQ_W_;
  MatrixXd N_, Nplus_, dq_, dv_, da_;
};

// Rounding relative to the largest entry.
double Rounding(const MatrixXd& x, double relative = 1e-11) {
  return relative * std::max(1.0, x.cwiseAbs().maxCoeff());
}

class Derivatives : public ::testing::TestWithParam<unsigned> {
 protected:
  RandomSystem system_{GetParam()};
  const Model& model_{system_.model};
  Case case_{&system_, model_, system_.computed.parameters, system_.computed.q};
  const int nv_{model_.num_v};
};

void ExpectInverseDerivatives(Case* c, Gravity gravity, bool with_loads) {
  c->CalcInverse(gravity, with_loads);
  const auto parameters = c->AutoDiffParameters();
  const VectorX<AutoDiffXd> v = c->now_.v.cast<AutoDiffXd>();
  const VectorX<AutoDiffXd> q = c->now_.q.cast<AutoDiffXd>();
  const MatrixXd by_q =
      GradientOf(c->InverseAt<AutoDiffXd>(c->MovingAlong(c->N_), v, parameters,
                                          gravity, with_loads),
                 c->nv_);
  const MatrixXd by_v =
      GradientOf(c->InverseAt<AutoDiffXd>(q, c->MovingV(), parameters, gravity,
                                          with_loads),
                 c->nv_);
  EXPECT_TRUE(Near(c->dq_, by_q, Rounding(by_q)));
  EXPECT_TRUE(Near(c->dv_, by_v, Rounding(by_v)));
  const MatrixXd M = c->now_.MassMatrix();
  EXPECT_TRUE(Near(c->da_, M, Rounding(M)));
}

TEST_P(Derivatives, OfInverseDynamicsAreThoseOfAutoDiff) {
  ExpectInverseDerivatives(&case_, Gravity::kOn, true);
}

TEST_P(Derivatives, OfInverseDynamicsAreRightWithoutForcesOrGravity) {
  ExpectInverseDerivatives(&case_, Gravity::kOff, false);
  ExpectInverseDerivatives(&case_, Gravity::kOff, true);
  ExpectInverseDerivatives(&case_, Gravity::kOn, false);
}

TEST_P(Derivatives, OfInverseDynamicsAreRightInUniformGravity) {
  ModelParameters<double> parameters = case_.now_.parameters;
  for (auto& body : parameters.bodies) body.gravity_enabled = true;
  parameters.Compile(model_);
  ASSERT_TRUE(parameters.gravity_is_uniform);
  Case uniform(&system_, model_, parameters, case_.now_.q);
  ExpectInverseDerivatives(&uniform, Gravity::kOn, true);
  ExpectInverseDerivatives(&uniform, Gravity::kOn, false);
}

TEST_P(Derivatives, TimesNPlusAreThoseByTheEntriesOfQ) {
  case_.CalcInverse();
  const MatrixXd identity = MatrixXd::Identity(model_.num_q, model_.num_q);
  const MatrixXd by_entries =
      GradientOf(case_.InverseAt<AutoDiffXd>(case_.MovingAlong(identity),
                                             case_.now_.v.cast<AutoDiffXd>(),
                                             case_.AutoDiffParameters()),
                 model_.num_q);
  EXPECT_TRUE(Near(case_.dq_ * case_.Nplus_, by_entries, Rounding(by_entries)));
}

// Central differences of step h err by h² and by rounding / h.
TEST_P(Derivatives, OfInverseDynamicsAreThoseOfCentralDifferences) {
  case_.CalcInverse();
  const double h = 1e-5;
  const auto& now = case_.now_;
  for (int k = 0; k < nv_; ++k) {
    const VectorXd dq = h * case_.N_.col(k);
    const VectorXd dv = h * VectorXd::Unit(nv_, k);
    const auto tau = [&](const VectorXd& q, const VectorXd& v) {
      return case_.InverseAt<double>(q, v, now.parameters);
    };
    const VectorXd by_q =
        (tau(now.q + dq, now.v) - tau(now.q - dq, now.v)) / (2 * h);
    const VectorXd by_v =
        (tau(now.q, now.v + dv) - tau(now.q, now.v - dv)) / (2 * h);
    EXPECT_TRUE(Near(VectorXd(case_.dq_.col(k)), by_q, Rounding(by_q, 1e-6)));
    EXPECT_TRUE(Near(VectorXd(case_.dv_.col(k)), by_v, Rounding(by_v, 1e-6)));
  }
}

TEST_P(Derivatives, OfForwardDynamicsAreThoseOfAutoDiff) {
  case_.CalcForward();
  const auto& c = case_;
  const auto parameters = c.AutoDiffParameters();
  const VectorX<AutoDiffXd> q = c.now_.q.cast<AutoDiffXd>();
  const VectorX<AutoDiffXd> v = c.now_.v.cast<AutoDiffXd>();
  const VectorX<AutoDiffXd> tau = c.tau_.cast<AutoDiffXd>();
  const MatrixXd by_q = GradientOf(
      c.ForwardAt<AutoDiffXd>(c.MovingAlong(c.N_), v, tau, parameters), nv_);
  const MatrixXd by_v =
      GradientOf(c.ForwardAt<AutoDiffXd>(q, c.MovingV(), tau, parameters), nv_);
  const MatrixXd by_tau = c.now_.MassMatrix().inverse();
  EXPECT_TRUE(Near(c.dq_, by_q, Rounding(by_q, 1e-9)));
  EXPECT_TRUE(Near(c.dv_, by_v, Rounding(by_v, 1e-9)));
  EXPECT_TRUE(Near(c.da_, by_tau, Rounding(by_tau, 1e-9)));
}

TEST_P(Derivatives, OfForwardDynamicsAreThoseOfCentralDifferences) {
  case_.CalcForward();
  const double h = 1e-5;
  const auto& now = case_.now_;
  for (int k = 0; k < nv_; ++k) {
    const VectorXd dq = h * case_.N_.col(k);
    const auto vdot = [&](const VectorXd& q) {
      return case_.ForwardAt<double>(q, now.v, case_.tau_, now.parameters);
    };
    const VectorXd by_q = (vdot(now.q + dq) - vdot(now.q - dq)) / (2 * h);
    EXPECT_TRUE(Near(VectorXd(case_.dq_.col(k)), by_q, Rounding(by_q, 1e-5)));
  }
}

TEST_P(Derivatives, AreTheSameOnAutoDiff) {
  using T = AutoDiffXd;
  case_.CalcInverse();
  Computed<T> other(model_, case_.AutoDiffParameters(), case_.now_.q.cast<T>(),
                    case_.now_.v.cast<T>());
  InverseDynamicsDerivativesScratch<T> scratch(model_);
  MatrixX<T> dq(nv_, nv_), dv(nv_, nv_), M(nv_, nv_);
  std::vector<DeadLoad<T>> loads(model_.num_nodes());
  const auto in = case_.Loads();
  for (size_t i = 0; i < in.size(); ++i) {
    loads[i] = {in[i].F.cast<T>(), in[i].S.cast<T>()};
  }
  CalcInverseDynamicsDerivatives<T>(other.motion(), other.v,
                                    case_.vdot_.cast<T>(), loads, Gravity::kOn,
                                    &scratch, {dq, dv, M});
  const auto value = [](const T& x) { return x.value(); };
  EXPECT_TRUE(
      Near(MatrixXd(dq.unaryExpr(value)), case_.dq_, Rounding(case_.dq_)));
  EXPECT_TRUE(
      Near(MatrixXd(dv.unaryExpr(value)), case_.dv_, Rounding(case_.dv_)));
}

INSTANTIATE_TEST_SUITE_P(Forests, Derivatives, ::testing::Range(0u, 16u));

TEST(DerivativesOfAChain, OfEveryMobilizerEitherWayRoundAreThoseOfAutoDiff) {
  const Model model = ChainOfEveryMobilizer();
  RandomSystem system(3);
  ModelParameters<double> parameters(model);
  for (int i = 1; i < model.num_bodies(); ++i) {
    parameters.bodies[i] = test::RandomBody(&system.random);
  }
  parameters.gravity = {1, -2, -9.81};
  parameters.Compile(model);
  Case chain(&system, model, parameters, system.random.Numbers(model.num_q));
  ExpectInverseDerivatives(&chain, Gravity::kOn, true);
}

TEST(DerivativesOfForests, OfTheTestsHaveEveryMobilizerEitherWayRound) {
  std::set<std::pair<MobilizerType, bool>> seen;
  for (unsigned seed = 0; seed < 16; ++seed) {
    for (const auto& node : RandomSystem(seed).model.nodes) {
      seen.emplace(node.type, node.is_reversed);
    }
  }
  for (int type = kFirstMoving; type < kNumMobilizerTypes; ++type) {
    for (bool reversed : {false, true}) {
      EXPECT_TRUE(seen.contains({static_cast<MobilizerType>(type), reversed}))
          << type << reversed;
    }
  }
}

TEST(DerivativesAllocation, NoneByInverseOrForwardDynamics) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  RandomSystem system(4, 40);
  const Model& model = system.model;
  Case c(&system, model, system.computed.parameters, system.computed.q);
  c.CalcForward();
  const auto& now = c.now_;
  const auto loads = c.Loads();
  ForwardDynamicsDerivativesScratch<double> scratch(model);
  const AllocationGuard guard;
  CalcInverseDynamicsDerivatives<double>(
      now.motion(), now.v, c.vdot_, loads, Gravity::kOn,
      &scratch.inverse_dynamics, {c.dq_, c.dv_, c.da_});
  CalcForwardDynamicsDerivatives<double>(
      now.motion(), now.v, c.vdot_, c.damping_, loads, Gravity::kOn,
      now.articulated, &scratch, {c.dq_, c.dv_, c.da_});
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace derivatives_test
}  // namespace wyvern::multibody::dynamics
