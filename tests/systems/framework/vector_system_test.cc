#include "wyvern/systems/framework/vector_system.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::VectorXd;

// x' = u - x, y = 2 x, or with feedthrough y = 2 x + u.
class Lag final : public VectorSystem<double> {
 public:
  explicit Lag(bool feedthrough) : VectorSystem<double>(1, 1, feedthrough) {
    DeclareContinuousState(1);
  }

 private:
  using Block = Eigen::VectorBlock<VectorXd>;
  using ConstBlock = Eigen::VectorBlock<const VectorXd>;
  void DoCalcVectorTimeDerivatives(const Context<double>&, const ConstBlock& u,
                                   const ConstBlock& x,
                                   Block* xdot) const final {
    *xdot = u - x;
  }
  void DoCalcVectorOutput(const Context<double>&, const ConstBlock& u,
                          const ConstBlock& x, Block* y) const final {
    *y = 2 * x;
    if (u.size() > 0) *y += u;
  }
};

TEST(VectorSystem, GivesVectorsToTheOverrides) {
  const Lag lag(true);
  const auto context = lag.CreateDefaultContext();
  lag.get_input_port().FixValue(context.get(), 3.0);
  context->SetContinuousState(VectorXd::Constant(1, 1.0));
  EXPECT_EQ(lag.EvalTimeDerivatives(*context)[0], 2.0);
  EXPECT_EQ(lag.get_output_port().Eval(*context)[0], 5.0);
  EXPECT_TRUE(lag.HasAnyDirectFeedthrough());
}

TEST(VectorSystem, WithoutFeedthroughTheOutputNeedsNoInput) {
  const Lag lag(false);
  const auto context = lag.CreateDefaultContext();
  context->SetContinuousState(VectorXd::Constant(1, 1.0));
  EXPECT_EQ(lag.get_output_port().Eval(*context)[0], 2.0);
  EXPECT_FALSE(lag.HasAnyDirectFeedthrough());
}

class Bare final : public VectorSystem<double> {
 public:
  Bare() : VectorSystem<double>(0, 1) {}
  void DeclareTwoKinds() {
    DeclareContinuousState(1);
    DeclareDiscreteState(1);
  }
};

TEST(VectorSystem, SaysWhatIsNotOverridden) {
  const Bare bare;
  const auto context = bare.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(bare.get_output_port().Eval(*context), std::logic_error,
                        "DoCalcVectorOutput");
}

TEST(VectorSystem, RefusesTwoKindsOfState) {
  Bare bare;
  bare.DeclareTwoKinds();
  EXPECT_THROWS_MESSAGE(bare.CreateDefaultContext(), std::logic_error,
                        "LeafSystem");
}

}  // namespace
}  // namespace wyvern::systems
