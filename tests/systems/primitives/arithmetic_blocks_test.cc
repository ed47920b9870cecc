/** @file Blocks of arithmetic and logic without state. */

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/comparison.h"
#include "wyvern/systems/primitives/dot_product.h"
#include "wyvern/systems/primitives/elementwise_function.h"
#include "wyvern/systems/primitives/manual_switch.h"
#include "wyvern/systems/primitives/nary_function.h"
#include "wyvern/systems/primitives/product.h"
#include "wyvern/systems/primitives/saturation.h"

namespace wyvern::systems {
namespace arithmetic_blocks_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

// The output of a block for given inputs.
VectorXd Output(const System<double>& block,
                const std::vector<VectorXd>& inputs) {
  const auto context = block.CreateDefaultContext();
  for (size_t i = 0; i < inputs.size(); ++i) {
    block.get_input_port(static_cast<int>(i))
        .FixValue(context.get(), inputs[i]);
  }
  return block.get_output_port(0).Eval(*context);
}

double ScalarOutput(const System<double>& block, std::vector<double> inputs) {
  std::vector<VectorXd> vectors;
  for (double u : inputs) vectors.push_back(VectorXd::Constant(1, u));
  return Output(block, vectors)[0];
}

double Of(UnaryFunction f, double u) {
  return ScalarOutput(ElementwiseFunction<double>(f), {u});
}

// The first output for a NaN in the last input, which FixValue() refuses.
double OutputForNan(const System<double>& block) {
  const auto context = block.CreateDefaultContext();
  for (int i = 0; i < block.num_input_ports(); ++i) {
    FixedInputPortValue& value =
        block.get_input_port(i).FixValue(context.get(), 1.0);
    if (i + 1 == block.num_input_ports()) {
      (*value.GetMutableVectorData<double>())[0] = std::nan("");
    }
  }
  return block.get_output_port(0).Eval(*context)[0];
}

TEST(NanInput, IsNotTakenForANumber) {
  EXPECT_EQ(OutputForNan(Comparison<double>(Relation::kEqual)), 0);
  EXPECT_EQ(OutputForNan(Comparison<double>(Relation::kLessOrEqual)), 0);
  EXPECT_EQ(OutputForNan(Comparison<double>(Relation::kNotEqual)), 1);
  // A port refuses to give NaN to others.
  for (const auto operation : {NaryOperation::kMin, NaryOperation::kMax}) {
    EXPECT_THROWS_MESSAGE(OutputForNan(NaryFunction<double>(operation)),
                          std::runtime_error, "is nan");
  }
  EXPECT_THROWS_MESSAGE(
      OutputForNan(ElementwiseFunction<double>(UnaryFunction::kSign)),
      std::runtime_error, "is nan");
  EXPECT_THROWS_MESSAGE(
      OutputForNan(*ElementwiseFunction<double>::DeadZone(-1, 1)),
      std::runtime_error, "is nan");
}

TEST(Adder, AddsWithSigns) {
  EXPECT_EQ(Output(Adder<double>("+-", 2), {Vector2d(1, 2), Vector2d(5, 7)}),
            Vector2d(-4, -5));
  EXPECT_EQ(ScalarOutput(Adder<double>("--+"), {1, 2, 4}), 1);
  EXPECT_EQ(ScalarOutput(*Adder<double>("-").Clone(), {3}), -3);
  EXPECT_THROWS_MESSAGE(Adder<double>("+x", 1), std::logic_error,
                        "signs is \"+x\"");
  EXPECT_THROWS_MESSAGE(Adder<double>("", 1), std::logic_error,
                        "signs is empty");
}

TEST(Product, MultipliesAndDivides) {
  EXPECT_EQ(Output(Product<double>("*/", 2), {Vector2d(1, 2), Vector2d(4, 8)}),
            Vector2d(0.25, 0.25));
  EXPECT_EQ(ScalarOutput(Product<double>("**/"), {3, 4, 2}), 6);
  EXPECT_EQ(ScalarOutput(Product<double>("/"), {8}), 0.125);
}

TEST(Product, NamesADivisorOfZero) {
  EXPECT_THROWS_MESSAGE(ScalarOutput(Product<double>("*/"), {0, 0}),
                        std::runtime_error,
                        "divisor u1 of '::_' has a zero in element 0");
  EXPECT_THROWS_MESSAGE(Product<double>("*+"), std::logic_error,
                        "operations is \"*+\"");
  EXPECT_THROWS_MESSAGE(ScalarOutput(Product<double>("**"), {1e200, 1e200}),
                        std::runtime_error, "overflows to inf");
}

TEST(DotProduct, IsTheSumOfProducts) {
  EXPECT_EQ(Output(DotProduct<double>(2), {Vector2d(1, 2), Vector2d(5, -7)})[0],
            -9);
  EXPECT_THROWS_MESSAGE(DotProduct<double>(0), std::logic_error, "size is 0");
}

TEST(ElementwiseFunction, AreTheFunctionsOfTheirNames) {
  const double u = -0.7;
  EXPECT_EQ(Of(UnaryFunction::kAbs, u), 0.7);
  EXPECT_EQ(Of(UnaryFunction::kSign, u), -1);
  EXPECT_EQ(Of(UnaryFunction::kSign, 0), 0);
  EXPECT_EQ(Of(UnaryFunction::kSquare, 3), 9);
  EXPECT_EQ(Of(UnaryFunction::kSqrt, 9), 3);
  EXPECT_EQ(Of(UnaryFunction::kSignedSqrt, -9), -3);
  EXPECT_EQ(Of(UnaryFunction::kReciprocal, 4), 0.25);
  EXPECT_EQ(Of(UnaryFunction::kExp, u), std::exp(u));
  EXPECT_EQ(Of(UnaryFunction::kLog, 2), std::log(2));
  EXPECT_EQ(Of(UnaryFunction::kSin, u), std::sin(u));
  EXPECT_EQ(Of(UnaryFunction::kCos, u), std::cos(u));
  EXPECT_EQ(Of(UnaryFunction::kTan, u), std::tan(u));
  EXPECT_EQ(Of(UnaryFunction::kAsin, u), std::asin(u));
  EXPECT_EQ(Of(UnaryFunction::kAcos, u), std::acos(u));
  EXPECT_EQ(Of(UnaryFunction::kAtan, u), std::atan(u));
  EXPECT_DOUBLE_EQ(Of(UnaryFunction::kSinh, u), std::sinh(u));
  EXPECT_DOUBLE_EQ(Of(UnaryFunction::kCosh, u), std::cosh(u));
  EXPECT_DOUBLE_EQ(Of(UnaryFunction::kTanh, u), std::tanh(u));
  EXPECT_EQ(Of(UnaryFunction::kFloor, u), -1);
  EXPECT_EQ(Of(UnaryFunction::kCeil, 0.7), 1);
  EXPECT_EQ(Of(UnaryFunction::kRound, 2.5), 3);
  EXPECT_EQ(Of(UnaryFunction::kTruncate, -2.5), -2);
  EXPECT_EQ(Of(UnaryFunction::kNot, 0), 1);
  EXPECT_EQ(Of(UnaryFunction::kNot, -2), 0);
}

TEST(ElementwiseFunction, DerivativesAreThoseOfThePieces) {
  const auto derivative = [](UnaryFunction f, double u) {
    const ElementwiseFunction<AutoDiffXd> block(f);
    const auto context = block.CreateDefaultContext();
    block.get_input_port(0).FixValue(
        context.get(), VectorX<AutoDiffXd>::Constant(1, AutoDiffXd(u, 1, 0)));
    const AutoDiffXd& y = block.get_output_port().Eval(*context)[0];
    return y.derivatives().size() == 0 ? 0.0 : y.derivatives()[0];
  };
  EXPECT_EQ(derivative(UnaryFunction::kAbs, -2), -1);
  EXPECT_EQ(derivative(UnaryFunction::kSignedSqrt, -4), 0.25);
  EXPECT_EQ(derivative(UnaryFunction::kTanh, 0), 1);
  EXPECT_EQ(derivative(UnaryFunction::kReciprocal, 2), -0.25);
  EXPECT_EQ(derivative(UnaryFunction::kRound, 0.7), 0);
}

TEST(ElementwiseFunction, SaysWhereItIsNotDefined) {
  EXPECT_THROWS_MESSAGE(Of(UnaryFunction::kSqrt, -1), std::runtime_error,
                        "nan");
  EXPECT_THROWS_MESSAGE(Of(UnaryFunction::kLog, 0), std::runtime_error, "-inf");
  EXPECT_THROWS_MESSAGE(ElementwiseFunction<double>(UnaryFunction::kAbs, 0),
                        std::logic_error, "size is 0");
}

TEST(ElementwiseFunction, DeadZoneQuantizerAndFriction) {
  const auto zone = ElementwiseFunction<double>::DeadZone(-1, 2);
  EXPECT_EQ(ScalarOutput(*zone, {1.5}), 0);
  EXPECT_EQ(ScalarOutput(*zone, {5}), 3);
  EXPECT_EQ(ScalarOutput(*zone, {-3}), -2);
  const auto quantizer = ElementwiseFunction<double>::Quantizer(0.25);
  EXPECT_EQ(ScalarOutput(*quantizer, {0.9}), 1);
  EXPECT_EQ(ScalarOutput(*quantizer, {-0.3}), -0.25);
  const auto friction = ElementwiseFunction<double>::CoulombAndViscous(2, 0.5);
  EXPECT_EQ(ScalarOutput(*friction, {4}), 4);
  EXPECT_EQ(ScalarOutput(*friction, {-4}), -4);
  EXPECT_EQ(ScalarOutput(*friction, {0}), 0);
  EXPECT_THROWS_MESSAGE(ElementwiseFunction<double>::DeadZone(1, 0),
                        std::logic_error, "low = 1 is above high = 0");
  EXPECT_THROWS_MESSAGE(ElementwiseFunction<double>::Quantizer(0),
                        std::logic_error, "step is 0");
  EXPECT_THROWS_MESSAGE(ElementwiseFunction<double>::CoulombAndViscous(-1, 0),
                        std::logic_error, "coulomb is -1");
}

TEST(NaryFunction, HasTheTruthTables) {
  const auto of = [](NaryOperation operation, double a, double b) {
    return ScalarOutput(NaryFunction<double>(operation), {a, b});
  };
  for (const double a : {0.0, 3.0}) {
    for (const double b : {0.0, -1.0}) {
      const bool p = a != 0;
      const bool q = b != 0;
      EXPECT_EQ(of(NaryOperation::kAnd, a, b), p && q);
      EXPECT_EQ(of(NaryOperation::kOr, a, b), p || q);
      EXPECT_EQ(of(NaryOperation::kNand, a, b), !(p && q));
      EXPECT_EQ(of(NaryOperation::kNor, a, b), !(p || q));
      EXPECT_EQ(of(NaryOperation::kXor, a, b), p != q);
      EXPECT_EQ(of(NaryOperation::kMin, a, b), std::min(a, b));
      EXPECT_EQ(of(NaryOperation::kMax, a, b), std::max(a, b));
    }
  }
  EXPECT_EQ(
      ScalarOutput(NaryFunction<double>(NaryOperation::kXor, 3), {1, 1, 1}), 1);
  EXPECT_THROWS_MESSAGE(NaryFunction<double>(NaryOperation::kMin, 0),
                        std::logic_error, "num_inputs is 0");
}

TEST(Comparison, HoldsAsTheRelationDoes) {
  for (const double a : {-1.0, 2.0, 3.0}) {
    const double b = 2;
    const auto of = [&](Relation relation) {
      const double by_port = ScalarOutput(Comparison<double>(relation), {a, b});
      EXPECT_EQ(by_port, ScalarOutput(Comparison<double>(
                                          relation, VectorXd::Constant(1, b)),
                                      {a}));
      return by_port;
    };
    EXPECT_EQ(of(Relation::kLess), a < b);
    EXPECT_EQ(of(Relation::kLessOrEqual), a <= b);
    EXPECT_EQ(of(Relation::kEqual), a == b);
    EXPECT_EQ(of(Relation::kNotEqual), a != b);
    EXPECT_EQ(of(Relation::kGreaterOrEqual), a >= b);
    EXPECT_EQ(of(Relation::kGreater), a > b);
  }
  EXPECT_THROWS_MESSAGE(
      Comparison<double>(Relation::kLess, VectorXd::Constant(1, NAN)),
      std::logic_error, "b[0] is nan");
}

TEST(Saturation, HasLimitsForAScalar) {
  const Saturation<double> saturation(-1, 2.5);
  EXPECT_EQ(ScalarOutput(saturation, {3}), 2.5);
  EXPECT_EQ(ScalarOutput(saturation, {-3}), -1);
  EXPECT_EQ(Output(Saturation<double>(0.0, 1.0, 2), {Vector2d(-1, 0.5)}),
            Vector2d(0, 0.5));
  EXPECT_THROWS_MESSAGE(Saturation<double>(2, 1), std::logic_error,
                        "min_value[0] = 2 is above max_value[0] = 1");
}

TEST(ManualSwitch, PassesOnTheInputThatItsParameterSelects) {
  const ManualSwitch<double> block(3);
  const auto context = block.CreateDefaultContext();
  block.get_input_port(0).FixValue(context.get(), 1.0);
  block.get_input_port(2).FixValue(context.get(), 3.0);
  EXPECT_EQ(block.get_output_port().Eval(*context)[0], 1);
  block.Select(context.get(), 2);
  EXPECT_EQ(block.get_output_port().Eval(*context)[0], 3);
  EXPECT_THROWS_MESSAGE(block.Select(context.get(), 3), std::out_of_range,
                        "selected is 3; it must be from 0 to 2");
  context->get_mutable_numeric_parameter(0)[0] = -2;
  EXPECT_THROWS_MESSAGE(block.get_output_port().Eval(*context),
                        std::runtime_error, "selects an input is -2");
}

}  // namespace arithmetic_blocks_test
}  // namespace wyvern::systems
