// Tests the setters of all blocks that hold numbers. After the call, a Context
// whose outputs were evaluated gives the same results as a new one.
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"
#include "wyvern/systems/primitives/wrap_to_system.h"

namespace wyvern::systems {
namespace setters_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  std::string name;
  // A block with two inputs and two outputs.
  std::function<std::unique_ptr<LeafSystem<double>>()> make;
  std::function<void(LeafSystem<double>*)> set;
};

class Setters : public ::testing::TestWithParam<Case> {};

std::unique_ptr<AffineSystem<double>> MakeAffine(double time_period) {
  const MatrixXd I = MatrixXd::Identity(2, 2);
  const VectorXd zero = VectorXd::Zero(2);
  auto system = std::make_unique<AffineSystem<double>>(I, I, zero, I, I, zero,
                                                       time_period);
  system->configure_default_state(Eigen::Vector2d(1, 2));
  return system;
}

void SetAffine(LeafSystem<double>* system) {
  const MatrixXd I = MatrixXd::Identity(2, 2);
  const VectorXd ones = VectorXd::Ones(2);
  static_cast<AffineSystem<double>*>(system)->UpdateCoefficients(
      2 * I, 3 * I, ones, 4 * I, 5 * I, 6 * ones);
}

const Case kCases[] = {
    {"SparseMatrixGain",
     [] {
       return std::make_unique<SparseMatrixGain<double>>(
           MatrixXd::Identity(2, 2).sparseView());
     },
     [](auto* s) {
       static_cast<SparseMatrixGain<double>*>(s)->set_D(
           MatrixXd(7 * MatrixXd::Identity(2, 2)).sparseView());
     }},
    {"WrapToSystem", [] { return std::make_unique<WrapToSystem<double>>(2); },
     [](auto* s) {
       static_cast<WrapToSystem<double>*>(s)->set_interval(1, 0, 0.3);
     }},
    {"AffineSystem", [] { return MakeAffine(0); }, SetAffine},
    {"DiscreteAffineSystem", [] { return MakeAffine(0.1); }, SetAffine},
};

// Returns the outputs of a gain after the block, derivatives and the next
// state.
VectorXd Evaluate(const Diagram<double>& diagram,
                  const Context<double>& context) {
  const VectorXd y = diagram.get_output_port(0).Eval(context);
  const VectorXd xdot = diagram.EvalTimeDerivatives(context).CopyToVector();
  auto next = diagram.AllocateDiscreteVariables();
  diagram.CalcForcedDiscreteVariableUpdate(context, next.get());
  VectorXd xd(0);
  if (context.num_discrete_state_groups() > 0) {
    xd = diagram.EvalUniquePeriodicDiscreteUpdate(context).value(0);
  }
  VectorXd all(y.size() + xdot.size() + xd.size());
  all << y, xdot, xd;
  return all;
}

TEST_P(Setters, ActAtOnceInEveryContext) {
  DiagramBuilder<double> builder;
  auto* block = builder.AddSystem(GetParam().make());
  auto* gain = builder.AddSystem<Gain<double>>(2.0, 2);
  builder.Connect(block->get_output_port(0), gain->get_input_port());
  builder.ExportInput(block->get_input_port(0), "u");
  builder.ExportOutput(gain->get_output_port(), "y");
  const auto diagram = builder.Build();
  const auto make_context = [&diagram] {
    auto context = diagram->CreateDefaultContext();
    diagram->get_input_port(0).FixValue(context.get(),
                                        Eigen::Vector2d(10, 20.5));
    return context;
  };
  const auto context = make_context();
  const VectorXd before = Evaluate(*diagram, *context);
  const auto copy = context->Clone();
  GetParam().set(block);
  const VectorXd wanted = Evaluate(*diagram, *make_context());
  EXPECT_NE(wanted, before);
  EXPECT_EQ(Evaluate(*diagram, *context), wanted);
  EXPECT_EQ(Evaluate(*diagram, *copy), wanted);
}

INSTANTIATE_TEST_SUITE_P(Blocks, Setters, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

}  // namespace setters_test
}  // namespace wyvern::systems
