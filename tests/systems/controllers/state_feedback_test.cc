#include "wyvern/systems/controllers/state_feedback.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/controllers/gain_scheduled_feedback.h"

namespace wyvern::systems::controllers {
namespace state_feedback_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using ::wyvern::test::AllocationGuard;
using ::wyvern::test::Near;

const MatrixXd kGain{{1, 2, 3}, {-4, 5, -6}};

TEST(StateFeedback, MultipliesTheErrorByItsGain) {
  const Vector3d x(0.1, -0.2, 0.3), x_d(1, 2, 3);
  const Vector2d feedforward(7, 8);
  for (const bool has_port : {false, true}) {
    const StateFeedback<double> feedback(kGain, has_port);
    const auto context = feedback.CreateDefaultContext();
    feedback.get_input_port_estimated_state().FixValue(context.get(), x);
    feedback.get_input_port_desired_state().FixValue(context.get(), x_d);
    VectorXd expected = kGain * (x_d - x);
    if (has_port) {
      feedback.get_input_port_feedforward().FixValue(context.get(),
                                                     feedforward);
      expected += feedforward;
    }
    EXPECT_TRUE(Near(feedback.get_output_port_control().Eval(*context),
                     expected, 1e-14));
  }
}

TEST(StateFeedback, GainIsAParameterThatConverts) {
  const StateFeedback<double> feedback(kGain);
  const auto context = feedback.CreateDefaultContext();
  EXPECT_EQ(feedback.GetGain(*context), kGain);
  feedback.SetGain(context.get(), 2 * kGain);
  EXPECT_EQ(feedback.GetGain(*context), 2 * kGain);
  feedback.get_input_port(0).FixValue(context.get(), Vector3d(1, 1, 1));
  feedback.get_input_port(1).FixValue(context.get(), Vector3d(0, 0, 0));
  EXPECT_TRUE(Near(feedback.get_output_port().Eval(*context), Vector2d(-12, 10),
                   1e-14));
  const auto converted = System<double>::ToAutoDiffXd(feedback);
  const auto ad_context = converted->CreateDefaultContext();
  ad_context->SetTimeStateAndParametersFrom(*context);
  converted->FixInputPortsFrom(feedback, *context, ad_context.get());
  EXPECT_TRUE(Near(ToDouble(converted->get_output_port().Eval(*ad_context)),
                   Vector2d(-12, 10), 1e-14));
}

TEST(StateFeedback, RefusesBadGains) {
  EXPECT_THROWS_MESSAGE(StateFeedback<double>(MatrixXd::Zero(0, 0)),
                        std::logic_error, "K is empty");
  EXPECT_THROWS_MESSAGE(StateFeedback<double>(MatrixXd::Constant(1, 2, NAN)),
                        std::logic_error, "K(0, 0) is nan");
  const StateFeedback<double> feedback(kGain);
  const auto context = feedback.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(feedback.SetGain(context.get(), MatrixXd::Zero(2, 2)),
                        std::logic_error, "K is 2 x 2; it must be 2 x 3");
  EXPECT_THROWS_MESSAGE(
      feedback.SetGain(context.get(), MatrixXd::Constant(2, 3, INFINITY)),
      std::logic_error, "K(0, 0) is inf");
  EXPECT_THROW(feedback.get_input_port_feedforward(), std::out_of_range);
}

const std::vector<ScheduledGain> kSchedule{
    {.at = -1, .K = kGain, .x0 = Vector3d(1, 0, 0), .u0 = Vector2d(3, 4)},
    {.at = 1, .K = 3 * kGain, .x0 = Vector3d(0, 2, 0), .u0 = {}},
    {.at = 2, .K = -kGain, .x0 = {}, .u0 = {}}};

template <typename T>
VectorX<T> ControlAt(const GainScheduledFeedback<T>& feedback,
                     const Vector3d& x, const T& s) {
  const auto context = feedback.CreateDefaultContext();
  feedback.get_input_port_estimated_state().FixValue(context.get(),
                                                     VectorX<T>(x.cast<T>()));
  feedback.get_input_port_scheduling().FixValue(
      context.get(), VectorX<T>(VectorX<T>::Constant(1, s)));
  return feedback.get_output_port_control().Eval(*context);
}

TEST(GainScheduledFeedback, IsLinearBetweenEntriesAndConstantOutside) {
  const GainScheduledFeedback<double> feedback(kSchedule);
  const Vector3d x(0.3, -0.1, 0.7);
  const VectorXd first = Vector2d(3, 4) - kGain * (x - Vector3d(1, 0, 0));
  for (const double s : {-5.0, -1.0}) {
    EXPECT_TRUE(Near(ControlAt(feedback, x, s), first, 1e-14)) << s;
  }
  EXPECT_TRUE(Near(
      ControlAt(feedback, x, 0.5),
      Vector2d(0.75, 1) - 2.5 * kGain * (x - Vector3d(0.25, 1.5, 0)), 1e-14));
  EXPECT_TRUE(Near(ControlAt(feedback, x, 1.0),
                   -3 * kGain * (x - Vector3d(0, 2, 0)), 1e-14));
  for (const double s : {2.0, 7.0}) {
    EXPECT_TRUE(Near(ControlAt(feedback, x, s), kGain * x, 1e-14)) << s;
  }
}

TEST(GainScheduledFeedback, HasTheDerivativeByTheSchedulingVariable) {
  const GainScheduledFeedback<double> feedback(kSchedule);
  const auto converted = System<double>::ToAutoDiffXd(feedback);
  const Vector3d x(0.3, -0.1, 0.7);
  const VectorX<AutoDiffXd> u = ControlAt(*converted, x, AutoDiffXd(0.5, 1, 0));
  constexpr double kStep = 1e-4;
  const VectorXd slope = (ControlAt(feedback, x, 0.5 + kStep) -
                          ControlAt(feedback, x, 0.5 - kStep)) /
                         (2 * kStep);
  EXPECT_TRUE(Near(ToDouble(u), ControlAt(feedback, x, 0.5)));
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(u[i].derivatives()[0], slope[i], 1e-9);
  }
}

TEST(GainScheduledFeedback, RefusesBadSchedules) {
  const auto refused = [](auto change, const char* message) {
    std::vector<ScheduledGain> schedule = kSchedule;
    change(&schedule);
    EXPECT_THROWS_MESSAGE(GainScheduledFeedback<double>{schedule},
                          std::logic_error, message);
  };
  refused([](auto* s) { s->clear(); }, "schedule is empty");
  refused([](auto* s) { (*s)[0].K = {}; }, "schedule[0].K is empty");
  refused([](auto* s) { (*s)[1].at = NAN; }, "schedule[1].at is nan");
  refused([](auto* s) { (*s)[2].at = 1; },
          "schedule[2].at is 1 after 1; the values must increase");
  refused([](auto* s) { (*s)[1].K = MatrixXd::Zero(2, 2); },
          "schedule[1].K is 2 x 2; it must be 2 x 3");
  refused([](auto* s) { (*s)[1].K(0, 1) = NAN; }, "schedule[1].K(0, 1) is nan");
  refused([](auto* s) { (*s)[0].x0 = Vector2d(1, 2); },
          "schedule[0].x0 has size 2; it must have size 3");
  refused([](auto* s) { (*s)[0].u0[1] = INFINITY; },
          "schedule[0].u0[1] is inf");
}

TEST(StateFeedback, AndItsScheduleAllocateNothing) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  const StateFeedback<double> feedback(kGain);
  const GainScheduledFeedback<double> scheduled(kSchedule);
  for (const System<double>* block :
       {static_cast<const System<double>*>(&feedback),
        static_cast<const System<double>*>(&scheduled)}) {
    const auto context = block->CreateDefaultContext();
    std::vector<FixedInputPortValue*> inputs;
    for (int i = 0; i < 2; ++i) {
      const InputPort<double>& port = block->get_input_port(i);
      inputs.push_back(
          &port.FixValue(context.get(), VectorXd(VectorXd::Ones(port.size()))));
    }
    block->get_output_port().Eval(*context);
    const AllocationGuard guard;
    for (FixedInputPortValue* input : inputs) {
      input->GetMutableVectorData<double>();
    }
    block->get_output_port().Eval(*context);
    EXPECT_EQ(guard.count(), 0);
  }
}

}  // namespace state_feedback_test
}  // namespace wyvern::systems::controllers
