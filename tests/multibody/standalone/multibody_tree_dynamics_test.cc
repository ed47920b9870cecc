// Dynamics of a tree, against identities and against a plant of the same model.

#include <gtest/gtest.h>

#include "tests/multibody/standalone/standalone_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Caches;
using test::Mixed;
using test::Value;
using wyvern::test::AllocationGuard;
using wyvern::test::Near;

template <typename T>
class MultibodyTreeDynamics : public ::testing::Test {
 public:
  MultibodyTreeDynamics()
      : context_(model.RandomContext(3)),
        caches_(model.tree, *context_),
        A_(model.tree.get_num_bodies()),
        F_(model.tree.get_num_bodies()),
        tau_(model.tree.get_num_velocities()) {}
  VectorX<T> InverseDynamics(const VectorX<T>& vdot,
                             const std::vector<SpatialForce<T>>& applied = {},
                             const VectorX<T>& tau_applied = VectorX<T>()) {
    model.tree.CalcInverseDynamics(*context_, caches_.pc, caches_.vc, vdot,
                                   applied, tau_applied, &A_, &F_, &tau_);
    return tau_;
  }
  VectorX<T> Random() const {
    return VectorX<T>(VectorXd::Random(tau_.size()).template cast<T>());
  }

  Mixed<T> model;
  std::unique_ptr<systems::LeafContext<T>> context_;
  Caches<T> caches_;
  std::vector<SpatialAcceleration<T>> A_;
  std::vector<SpatialForce<T>> F_;
  VectorX<T> tau_;
};
using Scalars = ::testing::Types<double, AutoDiffXd>;
TYPED_TEST_SUITE(MultibodyTreeDynamics, Scalars);

TYPED_TEST(MultibodyTreeDynamics, PosesAreThoseOfTheBodies) {
  const auto& pc = this->caches_.pc;
  for (const auto* body :
       {this->model.arm, this->model.tip, this->model.stone}) {
    const BodyNodeIndex node = this->model.Node(*body);
    EXPECT_TRUE(Near(
        Value(pc.get_X_WB(node).matrix()),
        Value(body->EvalPoseInWorld(*this->context_).GetAsMatrix4()), 1e-14));
    EXPECT_TRUE(Near(
        Value(this->caches_.vc.get_V_WB(node).get_coeffs()),
        Value(body->EvalSpatialVelocityInWorld(*this->context_).get_coeffs()),
        1e-14));
  }
  const BodyNodeIndex hand = this->model.Node(*this->model.hand);
  const BodyNodeIndex arm = this->model.Node(*this->model.arm);
  EXPECT_TRUE(Near(Value((pc.get_X_WB(arm) * pc.get_X_PB(hand)).matrix()),
                   Value(pc.get_X_WB(hand).matrix()), 1e-14));
}

// X_PB = X_PF X_FM X_MB.
TYPED_TEST(MultibodyTreeDynamics, MobilizersMakeThePoses) {
  const auto& pc = this->caches_.pc;
  const BodyNodeIndex hand = this->model.Node(*this->model.hand);
  const auto X_PF = pc.get_X_BF(this->model.elbow->index());
  EXPECT_TRUE(Near(Value((X_PF * pc.get_X_FM(hand)).matrix()),
                   Value(pc.get_X_PB(hand).matrix()), 1e-14));
}

TYPED_TEST(MultibodyTreeDynamics, VelocitiesAcrossMobilizersAddUp) {
  const auto& pc = this->caches_.pc;
  const auto& vc = this->caches_.vc;
  for (const auto* body : {this->model.arm, this->model.hand, this->model.tip,
                           this->model.stone}) {
    const BodyNodeIndex b = this->model.Node(*body);
    const auto& topology =
        this->model.tree.get_topology().bodies[body->index()];
    const BodyNodeIndex p =
        this->model.Node(this->model.tree.get_body(topology.parent_body));
    const auto p_PB_W =
        (pc.get_X_WB(b).translation() - pc.get_X_WB(p).translation()).eval();
    const auto V = vc.get_V_WB(p).Shift(p_PB_W) + vc.get_V_PB_W(b);
    EXPECT_TRUE(
        Near(Value(V.get_coeffs()), Value(vc.get_V_WB(b).get_coeffs()), 1e-14));
  }
}

TYPED_TEST(MultibodyTreeDynamics, KineticEnergyIsThatOfTheBodies) {
  const auto& tree = this->model.tree;
  const int nv = tree.get_num_velocities();
  MatrixX<TypeParam> M(nv, nv);
  tree.CalcMassMatrixViaInverseDynamics(*this->context_, &M);
  TypeParam energy(0);
  for (BodyNodeIndex b(1); b < tree.get_num_bodies(); ++b) {
    const SpatialVelocity<TypeParam>& V = this->caches_.vc.get_V_WB(b);
    energy += 0.5 * (this->caches_.pc.get_M_Bo_W(b) * V).dot(V);
  }
  const VectorX<TypeParam> v =
      this->context_->get_continuous_state_vector().CopyToVector().tail(nv);
  const TypeParam half_vMv = 0.5 * v.dot(M * v);
  EXPECT_NEAR(ToDouble(half_vMv), ToDouble(energy), 1e-13);
  EXPECT_TRUE(Near(Value(M), Value(M.transpose()), 1e-13));
}

TYPED_TEST(MultibodyTreeDynamics, InverseDynamicsIsMassTimesVdotAndBias) {
  const auto& tree = this->model.tree;
  const int nv = tree.get_num_velocities();
  MatrixX<TypeParam> M(nv, nv);
  VectorX<TypeParam> Cv(nv);
  tree.CalcMassMatrixViaInverseDynamics(*this->context_, &M);
  tree.CalcBiasTerm(*this->context_, &Cv);
  const VectorX<TypeParam> vdot = this->Random();
  const VectorX<TypeParam> tau = this->InverseDynamics(vdot);
  EXPECT_TRUE(Near(Value(tau), Value(M * vdot + Cv), 1e-12));
  EXPECT_GT(Value(Cv).norm(), 0.1);
}

TYPED_TEST(MultibodyTreeDynamics, AppliedForcesAreSubtracted) {
  const VectorX<TypeParam> vdot = this->Random();
  const VectorX<TypeParam> without = this->InverseDynamics(vdot);
  const VectorX<TypeParam> tau_applied = this->Random();
  EXPECT_TRUE(Near(Value(this->InverseDynamics(vdot, {}, tau_applied)),
                   Value(without - tau_applied), 1e-13));
  // By the principle of virtual power, H_PB_Wᵀ F of the last body of a chain.
  const BodyNodeIndex tip = this->model.Node(*this->model.tip);
  std::vector<SpatialForce<TypeParam>> applied(this->A_.size(),
                                               SpatialForce<TypeParam>::Zero());
  applied[tip] = SpatialForce<TypeParam>(Vector3<TypeParam>(1, 2, 3),
                                         Vector3<TypeParam>(4, 5, 6));
  const VectorX<TypeParam> difference =
      without - this->InverseDynamics(vdot, applied);
  const VectorX<TypeParam> expected =
      this->caches_.pc.get_H_PB_W(tip).transpose() * applied[tip].get_coeffs();
  EXPECT_TRUE(Near(
      Value(this->model.wrist->get_generalized_forces_from_array(difference)),
      Value(expected), 1e-12));
}

TYPED_TEST(MultibodyTreeDynamics, ReactionsOfMobilizersProjectToTau) {
  const VectorX<TypeParam> tau = this->InverseDynamics(this->Random());
  const BodyNodeIndex arm = this->model.Node(*this->model.arm);
  // F is the world's frame here.
  VectorX<TypeParam> projected(3);
  this->model.shoulder->ProjectSpatialForce(
      dynamic_cast<const MultibodyTreeContext<TypeParam>&>(*this->context_),
      this->F_[arm], projected);
  EXPECT_TRUE(
      Near(Value(projected),
           Value(this->model.shoulder->get_generalized_forces_from_array(tau)),
           1e-12));
}

TYPED_TEST(MultibodyTreeDynamics, OutputsMayBeTheInputs) {
  const VectorX<TypeParam> vdot = this->Random();
  const VectorX<TypeParam> tau_applied = this->Random();
  std::vector<SpatialForce<TypeParam>> applied(
      this->A_.size(), SpatialForce<TypeParam>(Vector3<TypeParam>(1, 2, 3),
                                               Vector3<TypeParam>(4, 5, 6)));
  const VectorX<TypeParam> expected =
      this->InverseDynamics(vdot, applied, tau_applied);
  VectorX<TypeParam> tau = tau_applied;
  this->model.tree.CalcInverseDynamics(*this->context_, this->caches_.pc,
                                       this->caches_.vc, vdot, applied, tau,
                                       &this->A_, &applied, &tau);
  EXPECT_EQ(Value(tau), Value(expected));
  for (size_t b = 0; b < applied.size(); ++b) {
    EXPECT_EQ(Value(applied[b].get_coeffs()), Value(this->F_[b].get_coeffs()));
  }
}

// Central differences of V_WB along q̇ and v̇.
TEST(MultibodyTreeAcceleration, IsTheRateOfTheVelocity) {
  Mixed<double> model;
  auto context = model.RandomContext(5);
  const Caches<double> caches(model.tree, *context);
  const VectorXd x = context->get_continuous_state_vector().CopyToVector();
  const VectorXd v = x.tail(13), vdot = VectorXd::Random(13);
  VectorXd qdot(14);
  const auto& tree_context =
      dynamic_cast<const MultibodyTreeContext<double>&>(*context);
  for (MobilizerIndex m(0); m < 4; ++m) {
    const Mobilizer<double>& mobilizer = model.tree.get_mobilizer(m);
    VectorXd rates(mobilizer.num_positions());
    mobilizer.MapVelocityToQDot(
        tree_context, VectorXd(mobilizer.get_velocities_from_array(v)), &rates);
    mobilizer.get_mutable_positions_from_array(&qdot) = rates;
  }
  AccelerationKinematicsCache<double> ac(model.tree.get_topology());
  model.tree.CalcAccelerationKinematicsCache(*context, caches.pc, caches.vc,
                                             vdot, &ac);
  const double h = 1e-5;
  VectorXd rate(27);
  rate << qdot, vdot;
  auto other = model.tree.CreateDefaultContext();
  other->SetContinuousState(x + h * rate);
  const Caches<double> after(model.tree, *other);
  other->SetContinuousState(x - h * rate);
  const Caches<double> before(model.tree, *other);
  for (BodyNodeIndex b(0); b < 5; ++b) {
    const VectorXd difference =
        after.vc.get_V_WB(b).get_coeffs() - before.vc.get_V_WB(b).get_coeffs();
    // h² times third derivatives of order 10.
    EXPECT_TRUE(Near(VectorXd(difference / (2 * h)),
                     ac.get_A_WB(b).get_coeffs(), 1e-7));
  }
}

TEST(MultibodyTreeInverseDynamics, AllocatesNothingTheSecondTime) {
  Mixed<double> model;
  auto context = model.RandomContext(5);
  Caches<double> caches(model.tree, *context);
  std::vector<SpatialAcceleration<double>> A(5);
  std::vector<SpatialForce<double>> F(5);
  VectorXd tau = VectorXd::Zero(13);
  const VectorXd vdot = VectorXd::Ones(13);
  const VectorXd none;
  const auto step = [&]() {
    model.tree.CalcPositionKinematicsCache(*context, &caches.pc);
    model.tree.CalcVelocityKinematicsCache(*context, caches.pc, &caches.vc);
    model.tree.CalcInverseDynamics(*context, caches.pc, caches.vc, vdot, F,
                                   none, &A, &F, &tau);
  };
  for (auto& force : F) force.SetZero();
  step();
  const AllocationGuard guard;
  step();
  EXPECT_EQ(guard.count(), 0);
}

TYPED_TEST(MultibodyTreeDynamics, WrongSizesAndNullsAreRefused) {
  using T = TypeParam;
  const auto& tree = this->model.tree;
  const auto& [pc, vc] = this->caches_;
  const auto call = [&](int vdot, int applied, int tau_applied, int A, int F,
                        int tau_out) {
    const VectorX<T> v = VectorX<T>::Zero(vdot);
    const std::vector<SpatialForce<T>> forces(applied, SpatialForce<T>::Zero());
    const VectorX<T> taus = VectorX<T>::Zero(tau_applied);
    std::vector<SpatialAcceleration<T>> A_out(A);
    std::vector<SpatialForce<T>> F_out(F);
    VectorX<T> tau(tau_out);
    tree.CalcInverseDynamics(*this->context_, pc, vc, v, forces, taus, &A_out,
                             &F_out, &tau);
  };
  EXPECT_NO_THROW(call(13, 5, 13, 5, 5, 13));
  EXPECT_NO_THROW(call(13, 0, 0, 5, 5, 13));
  EXPECT_THROWS_MESSAGE(call(12, 5, 13, 5, 5, 13), std::logic_error, "vdot");
  EXPECT_THROWS_MESSAGE(call(13, 4, 13, 5, 5, 13), std::logic_error,
                        "Fapplied_Bo_W_array");
  EXPECT_THROWS_MESSAGE(call(13, 5, 12, 5, 5, 13), std::logic_error,
                        "tau_applied_array");
  EXPECT_THROWS_MESSAGE(call(13, 5, 13, 6, 5, 13), std::logic_error,
                        "A_WB_array");
  EXPECT_THROWS_MESSAGE(call(13, 5, 13, 5, 6, 13), std::logic_error,
                        "F_BMo_W_array");
  EXPECT_THROWS_MESSAGE(call(13, 5, 13, 5, 5, 14), std::logic_error,
                        "tau_array");
}

TYPED_TEST(MultibodyTreeDynamics, NullOutputsAreRefused) {
  using T = TypeParam;
  const auto& tree = this->model.tree;
  const auto& context = *this->context_;
  const auto& [pc, vc] = this->caches_;
  const VectorX<T> vdot = this->Random(), none;
  EXPECT_THROW(tree.CalcInverseDynamics(context, pc, vc, vdot, {}, none,
                                        nullptr, &this->F_, &this->tau_),
               std::logic_error);
  EXPECT_THROW(tree.CalcInverseDynamics(context, pc, vc, vdot, {}, none,
                                        &this->A_, nullptr, &this->tau_),
               std::logic_error);
  EXPECT_THROW(tree.CalcInverseDynamics(context, pc, vc, vdot, {}, none,
                                        &this->A_, &this->F_, nullptr),
               std::logic_error);
  EXPECT_THROW(tree.CalcMassMatrixViaInverseDynamics(context, nullptr),
               std::logic_error);
  EXPECT_THROW(tree.CalcBiasTerm(context, nullptr), std::logic_error);
  EXPECT_THROW(tree.CalcPositionKinematicsCache(context, nullptr),
               std::logic_error);
  EXPECT_THROW(tree.CalcVelocityKinematicsCache(context, pc, nullptr),
               std::logic_error);
  EXPECT_THROW(
      tree.CalcAccelerationKinematicsCache(context, pc, vc, vdot, nullptr),
      std::logic_error);
  MatrixX<T> M(12, 13);
  EXPECT_THROW(tree.CalcMassMatrixViaInverseDynamics(context, &M),
               std::logic_error);
}

TYPED_TEST(MultibodyTreeDynamics, CachesMustBeComputedAndOfThisTree) {
  using T = TypeParam;
  const auto& tree = this->model.tree;
  const auto& topology = tree.get_topology();
  PositionKinematicsCache<T> pc(topology);
  VelocityKinematicsCache<T> vc(topology);
  EXPECT_THROWS_MESSAGE(
      tree.CalcVelocityKinematicsCache(*this->context_, pc, &vc),
      std::logic_error, "call CalcPositionKinematicsCache() first");
  EXPECT_THROWS_MESSAGE(
      tree.CalcSpatialAccelerationsFromVdot(*this->context_, this->caches_.pc,
                                            vc, this->Random(), &this->A_),
      std::logic_error, "call CalcVelocityKinematicsCache() first");
  PositionKinematicsCache<T> empty((MultibodyTreeTopology()));
  EXPECT_THROW(tree.CalcPositionKinematicsCache(*this->context_, &empty),
               std::logic_error);
  EXPECT_THROWS_MESSAGE(pc.get_X_WB(BodyNodeIndex(5)), std::out_of_range,
                        "get_X_WB(): this cache of kinematics has nothing at");
}

TYPED_TEST(MultibodyTreeDynamics, NumbersThatAreNotFiniteAreRefused) {
  using T = TypeParam;
  auto& x = this->context_->get_mutable_continuous_state_vector();
  x.SetAtIndex(20, T(NAN));
  VelocityKinematicsCache<T> vc(this->model.tree.get_topology());
  EXPECT_THROWS_MESSAGE(this->model.tree.CalcVelocityKinematicsCache(
                            *this->context_, this->caches_.pc, &vc),
                        std::logic_error, "v[6] is nan");
  x.SetAtIndex(2, T(INFINITY));
  EXPECT_THROWS_MESSAGE(this->model.tree.CalcPositionKinematicsCache(
                            *this->context_, &this->caches_.pc),
                        std::logic_error, "the positions[2] is ");
}

}  // namespace
}  // namespace wyvern::multibody
