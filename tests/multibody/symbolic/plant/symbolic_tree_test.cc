// Trees of expressions, without a plant: every kind of mobilizer, against the
// tree of numbers at random points.
#include "wyvern/multibody/symbolic/plant/symbolic_tree.h"

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/standalone/standalone_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::multibody {
namespace symbolic_tree_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using symbolic::Environment;
using symbolic::Expression;
using symbolic::Variable;
using test::Caches;
using test::Mixed;
using wyvern::test::Near;

// Returns the quantities that a tree computes from x and v̇, one number a row.
template <typename T>
VectorX<T> All(const MultibodyTree<T>& tree, const systems::Context<T>& context,
               const VectorX<T>& vdot) {
  const Caches<T> at(tree, context);
  const int n = tree.get_num_velocities(), bodies = tree.get_num_bodies();
  std::vector<T> all;
  const auto add = [&all](const auto& matrix) {
    const MatrixX<T> values = matrix;
    all.insert(all.end(), values.data(), values.data() + values.size());
  };
  std::vector<SpatialAcceleration<T>> A(bodies, SpatialAcceleration<T>::Zero());
  std::vector<SpatialForce<T>> F(bodies, SpatialForce<T>::Zero());
  VectorX<T> tau = VectorX<T>::Zero(n);
  for (int b = 1; b < bodies; ++b) {
    F[b] = SpatialForce<T>(Vector3<T>(1, b, 2), Vector3<T>(0, -1, b));
  }
  tree.CalcInverseDynamics(context, at.pc, at.vc, vdot, F, VectorX<T>::Ones(n),
                           &A, &F, &tau);
  MatrixX<T> M(n, n);
  tree.CalcMassMatrixViaInverseDynamics(context, &M);
  VectorX<T> Cv(n);
  tree.CalcBiasTerm(context, &Cv);
  add(tau);
  add(M);
  add(Cv);
  for (BodyNodeIndex b(1); b < bodies; ++b) {
    add(at.pc.get_X_WB(b).matrix());
    add(at.pc.get_X_FM(b).matrix());
    add(at.pc.get_H_PB_W(b));
    add(at.pc.get_com_W(b));
    add(at.vc.get_V_WB(b).get_coeffs());
    add(at.vc.get_V_FM(b).get_coeffs());
    add(A[b].get_coeffs());
    add(F[b].get_coeffs());
  }
  return Eigen::Map<VectorX<T>>(all.data(), all.size());
}

VectorXd Draw(int size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  return VectorXd::NullaryExpr(size, [&] { return draw(generator); });
}

TEST(SymbolicTree, ComputesWhatATreeOfNumbersDoes) {
  Mixed<double> numbers;
  numbers.tree.Finalize();
  const auto formulas = ToSymbolic(numbers.tree);
  const auto context = formulas->CreateDefaultContext();
  const auto x = symbolic::MakeVectorContinuousVariable(
      context->num_continuous_states(), "x");
  const auto a = symbolic::MakeVectorContinuousVariable(
      formulas->get_num_velocities(), "a");
  context->SetContinuousState(x.cast<Expression>());
  const VectorX<Expression> all =
      All<Expression>(*formulas, *context, a.cast<Expression>());
  const auto other = numbers.tree.CreateDefaultContext();
  for (unsigned seed = 1; seed < 6; ++seed) {
    const VectorXd x_value = Draw(x.size(), seed);
    const VectorXd a_value = Draw(a.size(), seed + 10);
    other->SetContinuousState(x_value);
    Environment values;
    for (int i = 0; i < x.size(); ++i) values.insert(x[i], x_value[i]);
    for (int i = 0; i < a.size(); ++i) values.insert(a[i], a_value[i]);
    // Some dozens of products of numbers of up to 10.
    EXPECT_TRUE(Near(symbolic::Evaluate(all, values),
                     All<double>(numbers.tree, *other, a_value), 1e-11));
  }
}

TEST(SymbolicTree, ABuiltTreeIsThatOfTheConversion) {
  Mixed<Expression> built;
  const auto context = built.RandomContext(3);
  Mixed<double> numbers;
  const auto wanted = numbers.RandomContext(3);
  const VectorXd a = Draw(built.tree.get_num_velocities(), 1);
  EXPECT_TRUE(Near(
      ToDouble(All<Expression>(built.tree, *context, a.cast<Expression>())),
      All<double>(numbers.tree, *wanted, a), 1e-12));
}

TEST(SymbolicTree, CopiesHaveTheSameElements) {
  Mixed<double> numbers;
  numbers.tree.Finalize();
  const auto formulas = ToSymbolic(numbers.tree);
  const auto& hinge = formulas->get_variant(*numbers.hinge);
  EXPECT_EQ(hinge.revolute_axis(), numbers.hinge->revolute_axis());
  const auto copy = formulas->Clone();
  const auto back = formulas->CloneToScalar<double>();
  const auto derivatives = formulas->ToAutoDiffXd();
  const auto context = back->CreateDefaultContext();
  const auto wanted = numbers.RandomContext(7);
  context->SetContinuousState(wanted->get_continuous_state().CopyToVector());
  const VectorXd a = Draw(back->get_num_velocities(), 2);
  EXPECT_EQ(All<double>(*back, *context, a),
            All<double>(numbers.tree, *wanted, a));
  for (BodyIndex b(0); b < back->get_num_bodies(); ++b) {
    EXPECT_EQ(copy->get_body(b).name(), numbers.tree.get_body(b).name());
    EXPECT_EQ(derivatives->get_body(b).name(), copy->get_body(b).name());
  }
}

// Gimbal in symbols: R = Rz(c) Ry(b) Rx(a), and w as a function of the rates.
struct Gimbal {
  Gimbal() {
    tree.Finalize();
    context = tree.CreateDefaultContext();
    shoulder->set_angles(context.get(), Vector3<Expression>(a, b, c));
  }
  const Variable a{"a"}, b{"b"}, c{"c"};
  MultibodyTree<Expression> tree;
  const RigidBody<Expression>* body = &tree.AddBody<RigidBody>(
      "body", test::MakeInertia(1, Vector3d(0.1, 0, 0), 0.1));
  const SpaceXYZMobilizer<Expression>* shoulder =
      &tree.AddMobilizer<SpaceXYZMobilizer>(tree.get_world_frame(),
                                            body->body_frame());
  std::unique_ptr<systems::LeafContext<Expression>> context;
  const MultibodyTreeContext<Expression>& tree_context() const {
    return dynamic_cast<const MultibodyTreeContext<Expression>&>(*context);
  }
};

TEST(SymbolicSpaceXYZ, IsTheTextbooksRotation) {
  const Gimbal gimbal;
  const Matrix3<Expression> R =
      gimbal.shoulder->CalcAcrossMobilizerTransform(gimbal.tree_context())
          .linear();
  Matrix3<Expression> Rx, Ry, Rz;
  const Expression a = gimbal.a, b = gimbal.b, c = gimbal.c;
  Rx << 1, 0, 0, 0, cos(a), -sin(a), 0, sin(a), cos(a);
  Ry << cos(b), 0, sin(b), 0, 1, 0, -sin(b), 0, cos(b);
  Rz << cos(c), -sin(c), 0, sin(c), cos(c), 0, 0, 0, 1;
  const Matrix3<Expression> wanted = Rz * Ry * Rx;
  for (double at : {-1.2, 0.3, 2.9}) {
    const Environment values{
        {gimbal.a, at}, {gimbal.b, 0.4 * at}, {gimbal.c, 1 - at}};
    EXPECT_TRUE(Near(symbolic::Evaluate(R, values),
                     symbolic::Evaluate(wanted, values), 1e-15));
  }
}

// dR/dt = [w] R with the rates of the angles, by Differentiate().
TEST(SymbolicSpaceXYZ, RatesTurnTheRotationByTheAngularVelocity) {
  const Gimbal gimbal;
  const auto& context = gimbal.tree_context();
  const auto w = symbolic::MakeVectorContinuousVariable(3, "w");
  VectorX<Expression> rates(3), back(3);
  gimbal.shoulder->MapVelocityToQDot(context, w.cast<Expression>(), &rates);
  gimbal.shoulder->MapQDotToVelocity(context, rates, &back);
  const Matrix3<Expression> R =
      gimbal.shoulder->CalcAcrossMobilizerTransform(context).linear();
  Matrix3<Expression> Rdot, wx;
  for (int i = 0; i < 9; ++i) {
    Rdot(i) = R(i).Differentiate(gimbal.a) * rates[0] +
              R(i).Differentiate(gimbal.b) * rates[1] +
              R(i).Differentiate(gimbal.c) * rates[2];
  }
  wx << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  const Environment values{{gimbal.a, 0.3}, {gimbal.b, -0.8}, {gimbal.c, 2},
                           {w[0], 0.5},     {w[1], -1},       {w[2], 0.7}};
  EXPECT_TRUE(Near(symbolic::Evaluate(Rdot, values),
                   symbolic::Evaluate(wx * R, values), 1e-14));
  EXPECT_TRUE(
      Near(symbolic::Evaluate(back, values), Vector3d(0.5, -1, 0.7), 1e-14));
}

TEST(SymbolicSpaceXYZ, NumbersAreCheckedAndVariablesAreNot) {
  Gimbal gimbal;
  systems::Context<Expression>* const context = gimbal.context.get();
  const Variable x("x");
  gimbal.shoulder->SetFromRotationMatrix(context,
                                         Matrix3<Expression>::Identity());
  EXPECT_TRUE(Near(ToDouble(gimbal.shoulder->get_angles(*context)),
                   Vector3d::Zero(), 1e-15));
  Matrix3<Expression> R = Matrix3<Expression>::Identity();
  R(0, 0) = x;
  EXPECT_THROWS_MESSAGE(gimbal.shoulder->SetFromRotationMatrix(context, R),
                        std::runtime_error, "x");
  // Gimbal lock, of numbers.
  gimbal.shoulder->set_angles(context, Vector3<Expression>(0, M_PI / 2, 0));
  VectorX<Expression> rates(3);
  EXPECT_THROWS_MESSAGE(
      gimbal.shoulder->MapVelocityToQDot(gimbal.tree_context(),
                                         VectorX<Expression>::Ones(3), &rates),
      std::runtime_error, "gimbal lock");
  Mixed<double> numbers;
  EXPECT_THROW(gimbal.shoulder->get_angles(*Gimbal().context),
               std::logic_error);
}

}  // namespace
}  // namespace symbolic_tree_test
}  // namespace wyvern::multibody
