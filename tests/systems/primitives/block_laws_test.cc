/** @file Laws that every block with vector ports obeys, stamped on each. */

#include <functional>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/controllers/gain_scheduled_feedback.h"
#include "wyvern/systems/controllers/linear_model_predictive_controller.h"
#include "wyvern/systems/controllers/state_feedback.h"
#include "wyvern/systems/estimators/kalman_filter.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/backlash.h"
#include "wyvern/systems/primitives/case_subsystem.h"
#include "wyvern/systems/primitives/comparison.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/counter.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/discrete_time_integrator.h"
#include "wyvern/systems/primitives/dot_product.h"
#include "wyvern/systems/primitives/elementwise_function.h"
#include "wyvern/systems/primitives/enabled_subsystem.h"
#include "wyvern/systems/primitives/first_order_hold.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/if_else_subsystem.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/limited_integrator.h"
#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/linear/filters.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/lookup_table.h"
#include "wyvern/systems/primitives/manual_switch.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/nary_function.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/product.h"
#include "wyvern/systems/primitives/rate_limiter.h"
#include "wyvern/systems/primitives/relay.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/selector.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"
#include "wyvern/systems/primitives/threshold_switch.h"
#include "wyvern/systems/primitives/transport_delay.h"
#include "wyvern/systems/primitives/triggered_subsystem.h"
#include "wyvern/systems/primitives/waveform_source.h"
#include "wyvern/systems/primitives/wrap_to_system.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::systems {
namespace block_laws_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Block {
  std::string name;
  std::function<std::unique_ptr<System<double>>()> make;
};

void PrintTo(const Block& block, std::ostream* os) { *os << block.name; }

MatrixXd Numbers(int rows, int cols) {
  MatrixXd m(rows, cols);
  for (int i = 0; i < m.size(); ++i) m.data()[i] = 0.3 + 0.7 * i - 0.05 * i * i;
  return m;
}

std::unique_ptr<System<double>> MakeAffine(double period) {
  return std::make_unique<AffineSystem<double>>(
      Numbers(3, 3), Numbers(3, 2), Numbers(3, 1), Numbers(2, 3), Numbers(2, 2),
      Numbers(2, 1), period);
}

std::unique_ptr<System<double>> MakeWrapTo() {
  auto wrap = std::make_unique<WrapToSystem<double>>(2);
  wrap->set_interval(1, -0.1, 0.1);
  return wrap;
}

std::unique_ptr<System<double>> MakeSelector() {
  return std::make_unique<Selector<double>>(SelectorParams{
      .inputs = {{"a", 2}, {"b", 1}},
      .outputs = {{"", {{1, 0}, {0, 1}}}, {"", {{0, 0}, {0, 0}}}}});
}

// The random state of the laws makes System 0 active, as it rounds to zero.
std::vector<std::shared_ptr<System<double>>> MakeAffines(int count) {
  std::vector<std::shared_ptr<System<double>>> systems;
  for (int i = 0; i < count; ++i) systems.push_back(MakeAffine(0));
  return systems;
}

std::unique_ptr<System<double>> MakeKalmanFilter(double period) {
  return std::make_unique<estimators::KalmanFilter<double>>(
      estimators::KalmanFilterSettings{.A = Numbers(2, 2),
                                       .B = Numbers(2, 1),
                                       .C = Numbers(1, 2),
                                       .D = {},
                                       .W = MatrixXd::Identity(2, 2),
                                       .V = 20 * MatrixXd::Identity(1, 1),
                                       .initial_state_estimate = {},
                                       .initial_state_covariance = {},
                                       .time_period = period});
}

std::unique_ptr<System<double>> MakeLuenberger() {
  const auto model = std::make_shared<LinearSystem<double>>(
      Numbers(3, 3), Numbers(3, 2), Numbers(2, 3), Numbers(2, 2));
  return std::make_unique<estimators::LuenbergerObserver<double>>(
      model, *model->CreateDefaultContext(), Numbers(3, 2));
}

std::unique_ptr<System<double>> MakeMpc() {
  return std::make_unique<controllers::LinearModelPredictiveController<double>>(
      controllers::LinearMpcSettings{.A = Numbers(2, 2),
                                     .B = Vector2d(1, 0.5),
                                     .Q = MatrixXd::Identity(2, 2),
                                     .R = MatrixXd::Identity(1, 1),
                                     .P = MatrixXd::Identity(2, 2),
                                     .horizon = 4,
                                     .lower = VectorXd::Constant(1, -9),
                                     .upper = VectorXd::Constant(1, 9),
                                     .x0 = {},
                                     .u0 = {}});
}

template <template <typename> class S, typename... Args>
Block Of(std::string name, Args... args) {
  return {std::move(name),
          [args...]() { return std::make_unique<S<double>>(args...); }};
}

std::vector<Block> AllBlocks() {
  return {
      Of<Adder>("Adder", 3, 2),
      Of<Adder>("AdderWithSigns", std::string("-+"), 2),
      {"AffineSystem", [] { return MakeAffine(0); }},
      {"AffineSystemDiscrete", [] { return MakeAffine(0.1); }},
      Of<AffineSystem>("AffineSystemWithoutD", Numbers(2, 2), Numbers(2, 1),
                       VectorXd(), Numbers(1, 2)),
      Of<Backlash>("Backlash", 0.05, 0.0, 8),
      {"CaseSubsystem",
       [] {
         return std::make_unique<CaseSubsystem<double>>(
             std::vector<std::vector<int>>{{1}, {2}}, MakeAffines(2));
       }},
      Of<Comparison>("Comparison", Relation::kLess, 40),
      Of<Comparison>("ComparisonWithAConstant", Relation::kGreaterOrEqual,
                     VectorXd(VectorXd::Constant(40, 0.05))),
      Of<ConstantVectorSource>("ConstantVectorSource", VectorXd(Numbers(3, 1))),
      Of<Counter>("Counter", CounterSettings{.has_down_port = true,
                                             .has_reset_port = true}),
      Of<Demultiplexer>("Demultiplexer", std::vector<int>{1, 3}),
      Of<DiscreteTimeDelay>("DiscreteTimeDelay", 0.1, 2, 3),
      Of<DiscreteTimeIntegrator>("DiscreteTimeIntegrator", 2, 0.1),
      Of<DotProduct>("DotProduct", 3),
      Of<ElementwiseFunction>("ElementwiseFunction", UnaryFunction::kSignedSqrt,
                              3),
      {"DeadZone",
       [] { return ElementwiseFunction<double>::DeadZone(-0.01, 0.02, 4); }},
      {"Quantizer",
       [] { return ElementwiseFunction<double>::Quantizer(0.01, 3); }},
      {"CoulombAndViscous",
       [] { return ElementwiseFunction<double>::CoulombAndViscous(3, 4, 2); }},
      {"Filter", [] { return MakeNotch(3, 0.2); }},
      {"DiscreteFilter", [] { return MakeMovingAverage(4, 0.1); }},
      {"EnabledSubsystem",
       [] {
         return std::make_unique<EnabledSubsystem<double>>(MakeAffines(1)[0]);
       }},
      Of<FirstOrderHold>("FirstOrderHold", 0.1, 3),
      Of<FirstOrderLowPassFilter>("FirstOrderLowPassFilter", 0.2, 2),
      Of<Gain>("Gain", VectorXd(Numbers(3, 1))),
      {"IfElseSubsystem",
       [] {
         return std::make_unique<IfElseSubsystem<double>>(1, MakeAffines(2));
       }},
      Of<controllers::GainScheduledFeedback>(
          "GainScheduledFeedback",
          std::vector<controllers::ScheduledGain>{
              {.at = -1, .K = Numbers(2, 3), .x0 = {}, .u0 = {}},
              {.at = 2, .K = -Numbers(2, 3), .x0 = {}, .u0 = Vector2d(1, 2)}}),
      Of<Integrator>("Integrator", 3),
      {"KalmanFilter", [] { return MakeKalmanFilter(0); }},
      {"KalmanFilterDiscrete", [] { return MakeKalmanFilter(0.1); }},
      {"LinearModelPredictiveController", MakeMpc},
      {"LuenbergerObserver", MakeLuenberger},
      Of<LimitedIntegrator>(
          "LimitedIntegrator",
          LimitedIntegratorOptions{.lower = -1,
                                   .upper = 1,
                                   .has_reset_port = true,
                                   .has_initial_value_port = true},
          2),
      {"LookupTable",
       [] {
         return std::make_unique<LookupTable<double>>(
             std::vector<std::vector<double>>{{-1, 0, 1}, {-1, 0.2, 1}},
             std::vector<double>{1, 2, 4, 0, -1, 3, 5, 2, 1},
             TableInterpolation::kCubic, TableExtrapolation::kLinear);
       }},
      Of<ManualSwitch>("ManualSwitch", 1, 3),
      Of<MatrixGain>("MatrixGain", Numbers(2, 3)),
      Of<Multiplexer>("Multiplexer", std::vector<int>{2, 1}),
      Of<NaryFunction>("Minimum", NaryOperation::kMin, 2, 30),
      Of<PassThrough>("PassThrough", 3),
      Of<Product>("Product", std::string("*/"), 2),
      Of<RateLimiter>("RateLimiter", 0.05, 0.1, 0.1, 2),
      Of<Relay>("Relay", 0.2, -0.2, 2.0, 1.0, 2),
      Of<Saturation>("Saturation", VectorXd(Vector2d(-0.2, -0.3)),
                     VectorXd(Vector2d(0.2, 0.3))),
      // Large, so that some elements meet each limit.
      Of<Saturation>("SaturationWithPorts", 40),
      {"Selector", MakeSelector},
      Of<Sine>("Sine", VectorXd(Vector2d(1, 2)), VectorXd(Vector2d(3, 4)),
               VectorXd(Vector2d(5, 6))),
      Of<Sine>("SineOfInput", 2.0, 3.0, 0.5, 2, false),
      Of<SparseMatrixGain>("SparseMatrixGain", Eigen::SparseMatrix<double>(
                                                   Numbers(2, 3).sparseView())),
      Of<controllers::StateFeedback>("StateFeedback", Numbers(2, 3), true),
      Of<ThresholdSwitch>("ThresholdSwitch", 0.5, 0.0, 40, 40),
      Of<TransportDelay>("TransportDelay", 0.02, 2),
      {"TriggeredSubsystem",
       [] {
         return std::make_unique<TriggeredSubsystem<double>>(
             std::make_shared<Counter<double>>(
                 CounterSettings{.has_down_port = true}));
       }},
      Of<WaveformSource>("WaveformSource",
                         std::vector<Waveform>{Waveform::Triangle(2, 3),
                                               Waveform::Chirp(1, 2, 3, 4)}),
      {"WrapToSystem", MakeWrapTo},
      Of<ZeroOrderHold>("ZeroOrderHold", 0.1, 3),
  };
}

class BlockLaws : public testing::TestWithParam<Block> {
 protected:
  BlockLaws() {
    context_->SetTime(0.7);
    for (int i = 0; i < block_->num_input_ports(); ++i) {
      // The ports of Saturation are value, max and min.
      VectorXd u = RandomVector(InputSize(i));
      if (i > 0) u = (i == 2 ? -1 - i : 1 + i) * u.cwiseAbs();
      fixed_.push_back(&block_->get_input_port(i).FixValue(context_.get(), u));
    }
    if (context_->num_continuous_states() > 0) {
      context_->SetContinuousState(
          RandomVector(context_->num_continuous_states()));
    }
    for (int i = 0; i < context_->num_discrete_state_groups(); ++i) {
      context_->SetDiscreteState(
          i, RandomVector(context_->get_discrete_state(i).size()));
    }
  }

  int InputSize(int i) const { return block_->get_input_port(i).size(); }

  VectorXd RandomVector(int size) {
    VectorXd result(size);
    for (double& x : result) x = uniform_(generator_);
    return result;
  }

  std::mt19937 generator_;
  std::uniform_real_distribution<double> uniform_{-0.5, 0.5};
  std::unique_ptr<System<double>> block_ = GetParam().make();
  std::unique_ptr<Context<double>> context_ = block_->CreateDefaultContext();
  std::vector<FixedInputPortValue*> fixed_;
};

TEST_P(BlockLaws, ScalarConversionKeepsValues) {
  const auto converted = block_->ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  context->SetTimeStateAndParametersFrom(*context_);
  converted->FixInputPortsFrom(*block_, *context_, context.get());
  for (int i = 0; i < block_->num_output_ports(); ++i) {
    EXPECT_TRUE(::wyvern::test::Near(
        ToDouble(converted->get_output_port(i).Eval(*context)),
        block_->get_output_port(i).Eval(*context_), 1e-14));
    EXPECT_EQ(converted->get_output_port(i).get_name(),
              block_->get_output_port(i).get_name());
  }
  EXPECT_TRUE(::wyvern::test::Near(
      ToDouble(converted->EvalTimeDerivatives(*context).CopyToVector()),
      block_->EvalTimeDerivatives(*context_).CopyToVector(), 1e-14));
  if (block_->GetUniquePeriodicDiscreteUpdateAttribute().has_value()) {
    EXPECT_TRUE(::wyvern::test::Near(
        ToDouble(
            converted->EvalUniquePeriodicDiscreteUpdate(*context).value(0)),
        block_->EvalUniquePeriodicDiscreteUpdate(*context_).value(0), 1e-14));
  }
}

// A change of one input changes an output only if there is feedthrough, and
// does if there is (for some change of the numbers chosen).
TEST_P(BlockLaws, OutputFollowsInputIfAndOnlyIfThereIsFeedthrough) {
  // Or a wrong dependency would hide the change that it fails to announce.
  context_->DisableCaching();
  for (int i = 0; i < block_->num_input_ports(); ++i) {
    for (int j = 0; j < block_->num_output_ports(); ++j) {
      const OutputPort<double>& port = block_->get_output_port(j);
      const VectorXd before = port.Eval(*context_);
      auto* u = fixed_[i]->GetMutableVectorData<double>();
      const VectorXd u_before = u->value();
      u->get_mutable_value() *= 0.2;
      EXPECT_EQ(block_->HasDirectFeedthrough(i, j),
                port.Eval(*context_) != before)
          << "input " << i << ", output " << j;
      fixed_[i]->GetMutableVectorData<double>()->SetFromVector(u_before);
    }
  }
}

TEST_P(BlockLaws, EvaluationAllocatesNothing) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  auto evaluate = [this](double time) {
    context_->SetTime(time);
    for (FixedInputPortValue* u : fixed_) u->GetMutableVectorData<double>();
    for (int j = 0; j < block_->num_output_ports(); ++j) {
      block_->get_output_port(j).Eval(*context_);
    }
    block_->EvalTimeDerivatives(*context_);
    if (block_->GetUniquePeriodicDiscreteUpdateAttribute().has_value()) {
      block_->EvalUniquePeriodicDiscreteUpdate(*context_);
    }
  };
  const bool is_discrete = context_->num_discrete_state_groups() > 0;
  evaluate(0.1);
  const ::wyvern::test::AllocationGuard guard;
  // Looking for the unique update allocates in the framework, not here.
  if (!is_discrete) evaluate(0.2);
  EXPECT_EQ(guard.count(), 0);
}

TEST_P(BlockLaws, RefusesAnInputOfAnotherSize) {
  for (int i = 0; i < block_->num_input_ports(); ++i) {
    EXPECT_THROW(
        block_->get_input_port(i).FixValue(
            context_.get(), VectorXd(VectorXd::Zero(InputSize(i) + 1))),
        std::logic_error);
  }
}

TEST_P(BlockLaws, RefusesTheContextOfAnother) {
  const auto other = GetParam().make();
  const auto other_context = other->CreateDefaultContext();
  EXPECT_THROW(block_->EvalTimeDerivatives(*other_context), std::logic_error);
  if (block_->num_output_ports() > 0) {
    EXPECT_THROW(block_->get_output_port(0).Eval(*other_context),
                 std::logic_error);
  }
}

INSTANTIATE_TEST_SUITE_P(Block, BlockLaws, testing::ValuesIn(AllBlocks()),
                         [](const auto& param) { return param.param.name; });

}  // namespace block_laws_test
}  // namespace wyvern::systems
