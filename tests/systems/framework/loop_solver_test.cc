/** @file Algebraic loops that a LoopSolver solves. */

#include "wyvern/systems/framework/loop_solver.h"

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/systems/framework/test_systems.h"

namespace wyvern::systems {
namespace loop_solver_test {

using Eigen::Vector2d;
using Eigen::VectorXd;
using test::Accumulator;
using test::Scale;

enum class Map { kLinear, kCosine, kNoRoot, kLine, kRoot };

// y = f(x, z) + w.
template <typename T>
class Block final : public LeafSystem<T> {
 public:
  explicit Block(Map map) : LeafSystem<T>(SystemTypeTag<Block>{}), map_(map) {
    for (const char* name : {"x", "z", "w"}) {
      this->DeclareVectorInputPort(name, 1);
    }
    this->DeclareVectorOutputPort("y", 1, &Block::CalcY,
                                  {this->all_input_ports_ticket()});
  }
  template <typename U>
  explicit Block(const Block<U>& other) : Block(other.map()) {}

  Map map() const { return map_; }
  const InputPort<T>& x() const { return this->get_input_port(0); }
  const InputPort<T>& z() const { return this->get_input_port(1); }
  const InputPort<T>& w() const { return this->get_input_port(2); }

 private:
  T Read(const Context<T>& context, int i) const {
    const InputPort<T>& port = this->get_input_port(i);
    return port.HasValue(context) ? port.Eval(context)[0] : T(0);
  }
  void CalcY(const Context<T>& context, BasicVector<T>* y) const {
    using std::cos;
    using std::sqrt;
    const T x = Read(context, 0);
    // Sums in place, as a block may.
    (*y)[0] = Read(context, 2);
    if (map_ == Map::kLinear) (*y)[0] += 0.5 * x + 0.25 * Read(context, 1);
    if (map_ == Map::kCosine) (*y)[0] += cos(x);
    if (map_ == Map::kNoRoot) (*y)[0] += x + 1 + x * x;
    if (map_ == Map::kLine) (*y)[0] += x + 1;
    if (map_ == Map::kRoot) (*y)[0] += sqrt(x);
  }
  const Map map_;
};

// x = f(x) + w with the Diagram's input "w" and outputs "y" and "twice".
std::unique_ptr<Diagram<double>> MakeLoop(
    Map map, const LoopSolverOptions& options = {}) {
  DiagramBuilder<double> builder;
  auto* block = builder.AddNamedSystem<Block<double>>("block", map);
  auto* twice = builder.AddNamedSystem<Scale<double>>("twice", 2.0);
  builder.Connect(block->get_output_port(), block->x());
  auto* solver =
      LoopSolver<double>::AddToDiagram(block->x(), &builder, options);
  builder.Connect(solver->get_output_port(), twice->get_input_port());
  builder.ExportInput(block->w(), "w");
  builder.ExportOutput(block->get_output_port(), "y");
  builder.ExportOutput(twice->get_output_port(), "twice");
  return builder.Build();
}

double Solve(const Diagram<double>& diagram, double w) {
  const auto context = diagram.CreateDefaultContext();
  diagram.get_input_port().FixValue(context.get(), w);
  return diagram.GetOutputPort("y").Eval(*context)[0];
}

TEST(LoopSolver, SolvesALinearLoop) {
  // x = x / 2 + w has the solution 2 w. The residual has a rounding error of
  // one unit in the last place of x, which dr/dx = 1/2 doubles.
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const auto diagram = MakeLoop(Map::kLinear);
  for (const double w : {0.0, 3.0, -1e6, 1e-9, 1e-14}) {
    EXPECT_NEAR(Solve(*diagram, w), 2 * w, 4 * kEpsilon * std::abs(w)) << w;
  }
}

TEST(LoopSolver, FindsTheFixedPointOfTheCosine) {
  // The Dottie number, OEIS A003957.
  constexpr double kDottie = 0.73908513321516064;
  EXPECT_NEAR(Solve(*MakeLoop(Map::kCosine), 0), kDottie, 2e-16);
}

TEST(LoopSolver, StartsAtItsGuess) {
  // x = sqrt(x) has the solutions 0 and 1, and no slope at 0.
  LoopSolverOptions options;
  options.guess = VectorXd::Constant(1, 4.0);
  EXPECT_NEAR(Solve(*MakeLoop(Map::kRoot, options), 0), 1, 5e-16);
}

TEST(LoopSolver, NamesThePortsOfALoopWithoutSolution) {
  for (const Map map : {Map::kNoRoot, Map::kLine}) {
    const auto diagram = MakeLoop(map);
    EXPECT_THROWS_MESSAGE(Solve(*diagram, 0), std::runtime_error,
                          "OutputPort[0] (y) of System ::block (Block<double>)"
                          " -> InputPort[0] (x) of System ::block "
                          "(Block<double>)");
    EXPECT_THROWS_MESSAGE(Solve(*diagram, 0), std::runtime_error,
                          "did not solve the algebraic loop");
  }
}

TEST(LoopSolver, EndsAfterAsManyStepsAsItMayTake) {
  LoopSolverOptions options;
  options.max_iterations = 1;
  EXPECT_THROWS_MESSAGE(Solve(*MakeLoop(Map::kCosine, options), 0),
                        std::runtime_error, "max_iterations is reached");
}

TEST(LoopSolver, SolvesLoopsThatNeedOneAnother) {
  // a = a / 2 + b / 4 + w and b = b / 2 + a / 4 + 1.
  DiagramBuilder<double> builder;
  auto* a = builder.AddNamedSystem<Block<double>>("a", Map::kLinear);
  auto* b = builder.AddNamedSystem<Block<double>>("b", Map::kLinear);
  builder.Connect(a->get_output_port(), a->x());
  builder.Connect(b->get_output_port(), a->z());
  builder.Connect(b->get_output_port(), b->x());
  builder.Connect(a->get_output_port(), b->z());
  for (const auto* input : {&a->x(), &a->z(), &b->x()}) {
    LoopSolver<double>::AddToDiagram(*input, &builder);
  }
  builder.ExportInput(a->w(), "a");
  builder.ExportInput(b->w(), "b");
  builder.ExportOutput(a->get_output_port(), "y");
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  diagram->GetInputPort("b").FixValue(context.get(), 1.0);
  Eigen::Matrix2d m;
  m << 0.5, -0.25, -0.25, 0.5;
  for (const double w : {2.0, -3.0}) {
    diagram->GetInputPort("a").FixValue(context.get(), w);
    const Vector2d solution = m.inverse() * Vector2d(w, 1);
    EXPECT_NEAR(diagram->get_output_port().Eval(*context)[0], solution[0],
                1e-14);
  }
}

TEST(LoopSolver, HasTheDerivativesOfTheImplicitFunctionTheorem) {
  const auto diagram = MakeLoop(Map::kCosine);
  const auto autodiff = System<double>::ToAutoDiffXd(*diagram);
  const auto context = autodiff->CreateDefaultContext();
  for (const double w : {0.0, 0.7}) {
    autodiff->get_input_port().FixValue(
        context.get(), Vector1<AutoDiffXd>(AutoDiffXd(w, 2, 1)));
    const AutoDiffXd y = autodiff->GetOutputPort("y").Eval(*context)[0];
    const double x = Solve(*diagram, w);
    EXPECT_EQ(y.value(), x);
    // x = cos(x) + w gives (1 + sin(x)) dx = dw.
    ASSERT_EQ(y.derivatives().size(), 2);
    EXPECT_EQ(y.derivatives()[0], 0);
    EXPECT_NEAR(y.derivatives()[1], 1 / (1 + std::sin(x)), 1e-15);
  }
}

TEST(LoopSolver, GivesTheBitsOfANewContextInAnyOrder) {
  const auto diagram = MakeLoop(Map::kCosine);
  const auto context = diagram->CreateDefaultContext();
  for (const double w : {0.3, -2.0, 5.0, 0.3}) {
    const auto fresh = diagram->CreateDefaultContext();
    diagram->get_input_port().FixValue(context.get(), w);
    diagram->get_input_port().FixValue(fresh.get(), w);
    // The loop is entered at the block here, and behind the solver there.
    const double y = diagram->GetOutputPort("y").Eval(*context)[0];
    const double twice = diagram->GetOutputPort("twice").Eval(*context)[0];
    EXPECT_EQ(diagram->GetOutputPort("twice").Eval(*fresh)[0], twice);
    EXPECT_EQ(diagram->GetOutputPort("y").Eval(*fresh)[0], y);
    EXPECT_EQ(diagram->GetOutputPort("y").Eval(*context->Clone())[0], y);
  }
}

TEST(LoopSolver, FollowsAChangeThatOnlyTheOpenLoopReads) {
  // x = x / 2 + s with a state s, read behind the solver alone: nobody has
  // computed the block when s changes.
  DiagramBuilder<double> builder;
  auto* block = builder.AddSystem<Block<double>>(Map::kLinear);
  auto* state = builder.AddSystem<Accumulator<double>>();
  auto* reader = builder.AddSystem<Scale<double>>(1.0);
  builder.Connect(state->get_output_port(), block->w());
  builder.Connect(block->get_output_port(), block->x());
  auto* solver = LoopSolver<double>::AddToDiagram(block->x(), &builder);
  builder.Connect(solver->get_output_port(), reader->get_input_port());
  builder.ExportInput(state->get_input_port(), "u");
  builder.ExportOutput(reader->get_output_port(), "y");
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  for (const double s : {1.0, 4.0, -2.0}) {
    context->SetContinuousState(VectorXd::Constant(1, s));
    EXPECT_NEAR(diagram->get_output_port().Eval(*context)[0], 2 * s, 4e-15);
  }
}

TEST(LoopSolver, AllocatesNothingAfterTheFirstTime) {
  if (!wyvern::test::AllocationGuard::is_active()) {
    GTEST_SKIP() << "sanitizers replace malloc()";
  }
  const auto diagram = MakeLoop(Map::kCosine);
  const auto context = diagram->CreateDefaultContext();
  auto& input = diagram->get_input_port().FixValue(context.get(), 1.0);
  const OutputPort<double>& output = diagram->GetOutputPort("y");
  output.Eval(*context);
  const wyvern::test::AllocationGuard guard;
  for (const double w : {0.5, -0.25, 3.0}) {
    input.GetMutableVectorData<double>()->SetAtIndex(0, w);
    EXPECT_GT(output.Eval(*context)[0], -2);
    context->SetTime(w);
    context->SetAccuracy(std::abs(w));
    EXPECT_GT(output.Eval(*context)[0], -2);
  }
  EXPECT_EQ(guard.count(), 0);
}

TEST(LoopSolver, LeavesOuterLoopsToBeFound) {
  auto inner = MakeLoop(Map::kLinear);
  EXPECT_EQ(inner->GetDirectFeedthroughs(),
            (std::multimap<int, int>{{0, 0}, {0, 1}}));
  DiagramBuilder<double> builder;
  auto* system = builder.AddSystem(std::move(inner));
  builder.Connect(system->GetOutputPort("y"), system->get_input_port());
  EXPECT_THROWS_MESSAGE(builder.Build(), std::logic_error,
                        "an algebraic loop:");
}

TEST(LoopSolver, RefusesBadOptions) {
  LoopSolverOptions options;
  options.tolerance = 0;
  EXPECT_THROWS_MESSAGE(LoopSolver<double>(1, options), std::logic_error,
                        "tolerance");
  options = {};
  options.max_iterations = 0;
  EXPECT_THROWS_MESSAGE(LoopSolver<double>(1, options), std::logic_error,
                        "max_iterations");
  options = {};
  options.guess = VectorXd::Constant(1, std::nan(""));
  EXPECT_THROWS_MESSAGE(LoopSolver<double>(1, options), std::logic_error,
                        "guess");
  EXPECT_THROWS_MESSAGE(LoopSolver<double>(2, options), std::logic_error,
                        "guess");
  EXPECT_THROWS_MESSAGE(LoopSolver<double>(0), std::logic_error, "size");
}

}  // namespace loop_solver_test
}  // namespace wyvern::systems
