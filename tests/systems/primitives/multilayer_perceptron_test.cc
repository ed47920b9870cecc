#include "wyvern/systems/primitives/multilayer_perceptron.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using ::wyvern::test::Near;
using Mlp = MultilayerPerceptron<double>;

// Two inputs, the first an angle; three neurons; `outputs` outputs.
struct Network {
  explicit Network(int outputs)
      : mlp({true, false}, {3, outputs}, {kTanh, kIdentity}),
        context(mlp.CreateDefaultContext()) {
    mlp.SetParameters(context.get(),
                      VectorXd::LinSpaced(mlp.num_parameters(), -1.0,
                                          0.1 * mlp.num_parameters() - 1.1));
  }
  Mlp mlp;
  std::unique_ptr<Context<double>> context;
};

TEST(MultilayerPerceptron, AgreesWithAnotherImplementation) {
  // pydrake 1.51: the same network, MultilayerPerceptron.BatchOutput().
  const Network n(2);
  const MatrixXd X{{0.3, 0.5}, {0.2, -0.4}};
  MatrixXd Y(2, 2);
  n.mlp.BatchOutput(*n.context, X, &Y);
  EXPECT_TRUE(Near(
      Y, MatrixXd{{0.00582627, 0.03112246}, {-0.10478862, -0.07154274}}, 5e-9));
  n.mlp.get_input_port().FixValue(n.context.get(), X.col(0));
  EXPECT_TRUE(Near(n.mlp.get_output_port().Eval(*n.context), Y.col(0), 1e-16));
}

TEST(MultilayerPerceptron, IsLayersOfWeightsAndBiases) {
  const Network n(2);
  EXPECT_EQ(n.mlp.layers(), (std::vector<int>{3, 3, 2}));
  EXPECT_EQ(n.mlp.num_parameters(), 20);
  EXPECT_EQ(n.mlp.activation_type(0), kTanh);
  const Vector2d x(0.3, 0.2);
  const Eigen::Vector3d f(std::sin(0.3), std::cos(0.3), 0.2);
  const MatrixXd W0 = n.mlp.GetWeights(*n.context, 0);
  const MatrixXd W1 = n.mlp.GetWeights(*n.context, 1);
  const VectorXd hidden =
      (W0 * f + n.mlp.GetBiases(*n.context, 0)).array().tanh();
  const VectorXd expected = W1 * hidden + n.mlp.GetBiases(*n.context, 1);
  n.mlp.get_input_port().FixValue(n.context.get(), x);
  EXPECT_TRUE(Near(n.mlp.get_output_port().Eval(*n.context), expected, 1e-15));
}

TEST(MultilayerPerceptron, LayersCanBeSetOneByOne) {
  const Mlp mlp({2, 1}, kReLU);
  EXPECT_EQ(mlp.activation_type(0), kIdentity);
  auto context = mlp.CreateDefaultContext();
  mlp.SetWeights(context.get(), 0, Eigen::RowVector2d(2, -3));
  mlp.SetBiases(context.get(), 0, VectorXd{{0.5}});
  mlp.get_input_port().FixValue(context.get(), Vector2d(1, 2));
  EXPECT_EQ(mlp.get_output_port().Eval(*context)[0], 2 - 6 + 0.5);
  mlp.GetMutableParameters(context.get())[2] = 1.5;
  EXPECT_EQ(mlp.get_output_port().Eval(*context)[0], 2 - 6 + 1.5);
}

TEST(MultilayerPerceptron, RectifierStopsNegativeSums) {
  const Mlp mlp({1, 2, 1}, {kReLU, kIdentity});
  auto context = mlp.CreateDefaultContext();
  VectorXd params(7);
  params << 1, -1, 0, 0, 2, 3, 0;
  mlp.SetParameters(context.get(), params);
  MatrixXd Y(1, 2);
  mlp.BatchOutput(*context, MatrixXd{{4.0, -5.0}}, &Y);
  EXPECT_TRUE(Near(Y, MatrixXd{{8.0, 15.0}}));
}

TEST(MultilayerPerceptron, BackpropagationIsTheGradient) {
  const Network n(2);
  const MatrixXd X{{0.3, 0.5, -0.1}, {0.2, -0.4, 1.0}};
  const MatrixXd Y_desired{{1.0, 2.0, 0.0}, {0.0, -1.0, 0.3}};
  VectorXd gradient(20);
  const double loss = n.mlp.BackpropagationMeanSquaredError(
      *n.context, X, Y_desired, &gradient);
  // Copy of the network with AutoDiffXd parameters.
  const MultilayerPerceptron<AutoDiffXd> ad(n.mlp);
  auto context = ad.CreateDefaultContext();
  for (int i = 0; i < 20; ++i) {
    ad.GetMutableParameters(context.get())[i] =
        AutoDiffXd(n.mlp.GetParameters(*n.context)[i], 20, i);
  }
  MatrixX<AutoDiffXd> Y(2, 3);
  ad.BatchOutput(*context, X.cast<AutoDiffXd>(), &Y);
  const AutoDiffXd expected =
      (Y - Y_desired.cast<AutoDiffXd>()).squaredNorm() / 3.0;
  EXPECT_NEAR(loss, expected.value(), 1e-14);
  EXPECT_TRUE(Near(gradient, expected.derivatives(), 1e-14));
}

TEST(MultilayerPerceptron, BatchGradientIsThatByTheInputs) {
  const Network n(1);
  const MatrixXd X{{0.3, 0.5}, {0.2, -0.4}};
  MatrixXd Y(1, 2), dYdX(2, 2);
  n.mlp.BatchOutput(*n.context, X, &Y, &dYdX);
  const double h = 1e-6;
  for (int i = 0; i < 2; ++i) {
    MatrixXd plus = X, minus = X, Y_plus(1, 2), Y_minus(1, 2);
    plus.row(i).array() += h;
    minus.row(i).array() -= h;
    n.mlp.BatchOutput(*n.context, plus, &Y_plus);
    n.mlp.BatchOutput(*n.context, minus, &Y_minus);
    EXPECT_TRUE(Near(dYdX.row(i), (Y_plus - Y_minus) / (2 * h), 1e-9));
  }
}

TEST(MultilayerPerceptron, RandomParametersAreWithinTheirRange) {
  const Mlp mlp({4, 9, 1});
  auto context = mlp.CreateDefaultContext();
  EXPECT_TRUE(mlp.GetParameters(*context).isZero());
  RandomGenerator generator;
  mlp.SetRandomContext(context.get(), &generator);
  EXPECT_LE(mlp.GetWeights(*context, 0).cwiseAbs().maxCoeff(), 0.5);
  EXPECT_GE(mlp.GetWeights(*context, 0).cwiseAbs().maxCoeff(), 0.4);
  EXPECT_LE(mlp.GetWeights(*context, 1).cwiseAbs().maxCoeff(), 1 / 3.0);
}

TEST(MultilayerPerceptron, RefusesNonsense) {
  EXPECT_THROWS_MESSAGE(Mlp({3}), std::logic_error, "1 layers");
  EXPECT_THROWS_MESSAGE(
      Mlp(std::vector<int>{}, std::vector<PerceptronActivationType>{}),
      std::logic_error, "0 layers");
  EXPECT_THROWS_MESSAGE(Mlp({3, 0, 1}), std::logic_error, "0 or more neurons");
  EXPECT_THROWS_MESSAGE(
      Mlp(std::vector<int>{3, 1},
          std::vector<PerceptronActivationType>{kTanh, kTanh}),
      std::logic_error, "activation types");
  const Network n(2);
  EXPECT_THROWS_MESSAGE(n.mlp.GetWeights(*n.context, 2), std::out_of_range,
                        "layer 2 was asked of a network that has 2");
  EXPECT_THROWS_MESSAGE(n.mlp.SetParameters(n.context.get(), VectorXd(3)),
                        std::logic_error, "params");
  EXPECT_THROWS_MESSAGE(
      n.mlp.SetWeights(n.context.get(), 0, MatrixXd::Zero(3, 2)),
      std::logic_error, "columns of W");
  EXPECT_THROWS_MESSAGE(n.mlp.SetBiases(n.context.get(), 0, VectorXd::Zero(2)),
                        std::logic_error, "b");
  MatrixXd Y(2, 1), dYdX(2, 1);
  EXPECT_THROWS_MESSAGE(n.mlp.BatchOutput(*n.context, MatrixXd::Zero(3, 1), &Y),
                        std::logic_error, "X has 3 rows");
  EXPECT_THROWS_MESSAGE(n.mlp.BatchOutput(*n.context, MatrixXd::Zero(2, 2), &Y),
                        std::logic_error, "Y does not fit");
  EXPECT_THROWS_MESSAGE(
      n.mlp.BatchOutput(*n.context, MatrixXd::Zero(2, 1), &Y, &dYdX),
      std::logic_error, "for 2 outputs");
  VectorXd gradient(20);
  EXPECT_THROWS_MESSAGE(
      n.mlp.BackpropagationMeanSquaredError(*n.context, MatrixXd::Zero(2, 1),
                                            MatrixXd::Zero(1, 1), &gradient),
      std::logic_error, "Y_desired is 1 x 1");
}

}  // namespace
}  // namespace wyvern::systems
