#include "wyvern/simulator/integrators/error_norm.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/simulator/test_systems.h"
#include "wyvern/simulator/integrators/state_component_name.h"
#include "wyvern/simulator/integrators/step_size_controller.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::systems::internal {
namespace {

/** One q, one v, one z, with qdot = 10 v. */
class Geared final : public LeafSystem<double> {
 public:
  Geared() { DeclareContinuousState(1, 1, 1); }

 private:
  void DoMapQDotToVelocity(const Context<double>&,
                           const Eigen::Ref<const Eigen::VectorXd>& qdot,
                           VectorBase<double>* v) const final {
    v->SetAtIndex(0, qdot[0] / 10);
  }
};

class ErrorNormTest : public ::testing::Test {
 protected:
  ErrorNormTest()
      : context_(system_.CreateDefaultContext()),
        dx_(system_.AllocateTimeDerivatives()) {
    norm_.Resize(*dx_);
  }
  double Calc(double dq, double dv, double dz) {
    dx_->SetFromVector(Eigen::Vector3d(dq, dv, dz));
    return norm_.Calc(system_, *context_, *dx_);
  }
  const Geared system_;
  std::unique_ptr<Context<double>> context_;
  std::unique_ptr<ContinuousState<double>> dx_;
  ErrorNorm<double> norm_;
};

TEST_F(ErrorNormTest, MeasuresPositionsAsVelocities) {
  EXPECT_EQ(Calc(-30, 0, 0), 3);
  EXPECT_EQ(Calc(0, -2, 0), 2);
  EXPECT_EQ(Calc(0, 0, 5), 5);
  EXPECT_EQ(Calc(-30, 2, 1), 3);
}

TEST_F(ErrorNormTest, WeighsVelocitiesAndPositionsAlike) {
  norm_.mutable_generalized_weights()[0] = 4;
  norm_.mutable_misc_weights()[0] = 0.5;
  EXPECT_EQ(Calc(30, 0, 0), 12);
  EXPECT_EQ(Calc(0, 1, 0), 4);
  EXPECT_EQ(Calc(0, 0, 2), 1);
}

TEST_F(ErrorNormTest, NamesTheWorst) {
  Calc(30, 0, 1);
  EXPECT_NE(norm_.NameWorst(*context_).find("along velocity v[0]"),
            std::string::npos);
  Calc(1, 0, 1);
  EXPECT_NE(norm_.NameWorst(*context_).find("z[0]"), std::string::npos);
}

TEST_F(ErrorNormTest, ANanIsNotLost) {
  EXPECT_TRUE(std::isnan(Calc(0, std::nan(""), 1)));
  EXPECT_TRUE(std::isnan(Calc(std::nan(""), 1, 1)));
}

TEST(ErrorNorm, PositionsWithoutVelocitiesCountAsTheyAre) {
  class Lone final : public LeafSystem<double> {
   public:
    Lone() { DeclareContinuousState(1, 0, 0); }
  };
  const Lone system;
  auto context = system.CreateDefaultContext();
  auto dx = system.AllocateTimeDerivatives();
  ErrorNorm<double> norm;
  norm.Resize(*dx);
  dx->get_mutable_vector()[0] = -7;
  EXPECT_EQ(norm.Calc(system, *context, *dx), 7);
}

TEST(NameStateComponent, FindsTheOwnerInADiagram) {
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Geared>("a");
  builder.AddNamedSystem<Geared>("b");
  auto diagram = builder.Build();
  diagram->set_name("d");
  auto context = diagram->CreateDefaultContext();
  // All q's, then all v's, then all z's.
  const char* expected[] = {"q[0] of '::d::a'", "q[0] of '::d::b'",
                            "v[0] of '::d::a'", "v[0] of '::d::b'",
                            "z[0] of '::d::a'", "z[0] of '::d::b'"};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(NameStateComponent(*context, i).find(expected[i]), 0)
        << NameStateComponent(*context, i);
  }
}

TEST(NameStateElement, TakesTheStateOfADiagramLeafAfterLeaf) {
  DiagramBuilder<double> inner;
  inner.AddNamedSystem<Geared>("b");
  DiagramBuilder<double> builder;
  builder.AddNamedSystem<Geared>("a");
  builder.AddNamedSystem("i", inner.Build());
  auto diagram = builder.Build();
  diagram->set_name("d");
  auto context = diagram->CreateDefaultContext();
  const char* expected[] = {"q[0] of '::d::a'",    "v[0] of '::d::a'",
                            "z[0] of '::d::a'",    "q[0] of '::d::i::b'",
                            "v[0] of '::d::i::b'", "z[0] of '::d::i::b'"};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(NameStateElement(*context, i).find(expected[i]), 0)
        << NameStateElement(*context, i);
    // The vector has the elements in this order.
    context->get_mutable_continuous_state_vector()[i] = 10 + i;
    const auto& leaf = i < 3 ? diagram->GetSubsystemByName("a")
                             : dynamic_cast<const Diagram<double>&>(
                                   diagram->GetSubsystemByName("i"))
                                   .GetSubsystemByName("b");
    EXPECT_EQ(leaf.GetMyContextFromRoot(*context)
                  .get_continuous_state_vector()[i % 3],
              10 + i);
  }
}

TEST(JudgeStep, AcceptsUpToTheAccuracyAndShrinksBeyond) {
  EXPECT_TRUE(JudgeStep(1, 1e-4, 1e-4, 3).accepted);
  const StepSizeVerdict refused = JudgeStep(1, 1.0001e-4, 1e-4, 3);
  EXPECT_FALSE(refused.accepted);
  EXPECT_LE(refused.next_step_size, 0.9);
}

TEST(JudgeStep, AimsAtTheAccuracyWithinBounds) {
  EXPECT_NEAR(JudgeStep(2, 1e-4 / 8, 1e-4, 3).next_step_size, 2 * 0.9 * 2,
              1e-14);
  EXPECT_EQ(JudgeStep(1, 0, 1e-4, 3).next_step_size, 5);
  EXPECT_EQ(JudgeStep(1, 1e9, 1e-4, 3).next_step_size, 0.1);
  // Hardly any growth is none.
  EXPECT_EQ(JudgeStep(1, 0.5e-4, 1e-4, 3).next_step_size, 1);
}

TEST(JudgeStep, RefusesAnErrorThatIsNotFinite) {
  EXPECT_FALSE(JudgeStep(1, std::nan(""), 1e-4, 3).accepted);
  EXPECT_FALSE(
      JudgeStep(1, std::numeric_limits<double>::infinity(), 1e-4, 3).accepted);
}

}  // namespace
}  // namespace wyvern::systems::internal
