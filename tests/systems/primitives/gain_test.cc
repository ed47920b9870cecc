#include "wyvern/systems/primitives/gain.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"

namespace wyvern::systems {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(Gain, MultipliesElementByElement) {
  const Gain<double> gain(Vector3d(1, -2, 3));
  auto context = gain.CreateDefaultContext();
  gain.get_input_port().FixValue(context.get(), Vector3d(1, 10, 100));
  EXPECT_EQ(gain.get_output_port().Eval(*context), Vector3d(1, -20, 300));
}

TEST(Gain, TellsItsGainIfThereIsOne) {
  EXPECT_EQ(Gain<double>(2.5, 3).get_gain(), 2.5);
  EXPECT_EQ(Gain<double>(2.5, 2).get_gain_vector(), Vector2d(2.5, 2.5));
  EXPECT_THROWS_MESSAGE(Gain<double>(Vector2d(1, 2)).get_gain(),
                        std::logic_error,
                        "[1, 2] is not one repeated number; use "
                        "get_gain_vector().");
  EXPECT_THROW(Gain<double>(1.0, 0).get_gain(), std::logic_error);
}

TEST(Gain, RefusesAGainThatIsNotFinite) {
  EXPECT_THROWS_MESSAGE(Gain<double>(std::nan(""), 2), std::logic_error,
                        "Gain(): k is nan; it must be finite.");
  EXPECT_THROWS_MESSAGE(Gain<double>(Vector2d(1, INFINITY)), std::logic_error,
                        "Gain(): k[1] is inf");
  EXPECT_THROWS_MESSAGE(Gain<double>(1, -2), std::logic_error,
                        "size is -2; it must be at least 0.");
}

TEST(Gain, ATunableOneHasItsGainInTheContext) {
  Gain<double> gain(Vector2d(3, 4));
  EXPECT_FALSE(gain.is_tunable());
  gain.MakeTunable();
  EXPECT_TRUE(gain.is_tunable());
  EXPECT_THROWS_MESSAGE(gain.MakeTunable(), std::logic_error, "already");
  auto context = gain.CreateDefaultContext();
  const auto other = gain.CreateDefaultContext();
  gain.get_input_port().FixValue(context.get(), Vector2d(1, 10));
  gain.get_input_port().FixValue(other.get(), Vector2d(1, 10));
  EXPECT_EQ(gain.get_output_port().Eval(*context), Vector2d(3, 40));
  context->get_mutable_numeric_parameter(0).SetAtIndex(1, 5);
  EXPECT_EQ(gain.get_output_port().Eval(*context), Vector2d(3, 50));
  EXPECT_EQ(gain.get_output_port().Eval(*other), Vector2d(3, 40));
  context->get_mutable_numeric_parameter(0).SetAtIndex(0, INFINITY);
  EXPECT_THROW(gain.get_output_port().Eval(*context), std::runtime_error);
  // Another scalar keeps it, with the numbers of the Context.
  context->get_mutable_numeric_parameter(0).SetAtIndex(0, 7);
  const auto twin = gain.ToAutoDiffXd();
  auto twin_context = twin->CreateDefaultContext();
  twin_context->SetTimeStateAndParametersFrom(*context);
  twin->get_input_port(0).FixValue(twin_context.get(),
                                   Vector2<AutoDiffXd>(1, 10));
  EXPECT_EQ(twin->get_output_port(0).Eval(*twin_context)[0].value(), 7);
}

TEST(MatrixGain, MultipliesByTheMatrix) {
  const MatrixXd D = MatrixXd{{1, 2, 3}, {4, 5, 6}};
  const MatrixGain<double> gain(D);
  auto context = gain.CreateDefaultContext();
  gain.get_input_port().FixValue(context.get(), Vector3d(1, 10, 100));
  EXPECT_EQ(gain.get_output_port().Eval(*context), Vector2d(321, 654));
  EXPECT_TRUE(context->is_stateless());
}

TEST(MatrixGain, IsTheIdentityIfGivenASize) {
  EXPECT_EQ(MatrixGain<double>(3).D(), MatrixXd::Identity(3, 3));
  EXPECT_THROWS_MESSAGE(MatrixGain<double>(-1), std::logic_error,
                        "MatrixGain(): size is -1");
}

TEST(MatrixGain, RefusesAnEntryThatIsNotFinite) {
  MatrixXd D = MatrixXd::Zero(2, 2);
  D(1, 0) = std::nan("");
  EXPECT_THROWS_MESSAGE(MatrixGain<double>{D}, std::logic_error,
                        "D(1, 0) is nan");
}

TEST(MatrixGain, HasNoFeedthroughIfZero) {
  const MatrixGain<double> gain(MatrixXd::Zero(2, 2));
  EXPECT_FALSE(gain.HasAnyDirectFeedthrough());
}

TEST(SparseMatrixGain, AgreesWithTheDenseGain) {
  const MatrixXd D = MatrixXd{{0, 2, 0}, {4, 0, 6}};
  SparseMatrixGain<double> gain(D.sparseView());
  auto context = gain.CreateDefaultContext();
  gain.get_input_port().FixValue(context.get(), Vector3d(1, 10, 100));
  EXPECT_EQ(gain.get_output_port().Eval(*context), Vector2d(20, 604));
  gain.set_D(Eigen::SparseMatrix<double>(2 * gain.D()));
  context = gain.CreateDefaultContext();
  gain.get_input_port().FixValue(context.get(), Vector3d(1, 10, 100));
  EXPECT_EQ(gain.get_output_port().Eval(*context), Vector2d(40, 1208));
}

TEST(SparseMatrixGain, RefusesBadMatrices) {
  Eigen::SparseMatrix<double> D(2, 3);
  SparseMatrixGain<double> gain(D);
  EXPECT_THROWS_MESSAGE(gain.set_D(Eigen::SparseMatrix<double>(3, 2)),
                        std::logic_error, "D is 3 x 2; it must be 2 x 3");
  D.insert(1, 2) = std::nan("");
  EXPECT_THROWS_MESSAGE(SparseMatrixGain<double>{D}, std::logic_error,
                        "SparseMatrixGain(): D(1, 2) is nan");
}

}  // namespace
}  // namespace wyvern::systems
