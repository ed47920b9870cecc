#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/csv_log_sink.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

TEST(VectorLog, KeepsWhatIsAdded) {
  VectorLog<double> log(2);
  EXPECT_EQ(log.num_samples(), 0);
  EXPECT_EQ(log.get_input_size(), 2);
  log.AddData(0.5, Vector2d(1, 2));
  log.AddData(0.75, Vector2d(3, 4));
  EXPECT_EQ(log.num_samples(), 2);
  EXPECT_EQ(log.sample_times(), Vector2d(0.5, 0.75));
  EXPECT_EQ(log.data(), (Eigen::Matrix2d{{1, 3}, {2, 4}}));
  log.Clear();
  EXPECT_EQ(log.num_samples(), 0);
}

TEST(VectorLog, GrowsPastItsCapacityWithoutLoss) {
  VectorLog<double> log(1);
  const int count = 3 * VectorLog<double>::kDefaultCapacity;
  for (int i = 0; i < count; ++i) log.AddData(i, Vector<double, 1>(2 * i));
  EXPECT_EQ(log.num_samples(), count);
  for (int i = 0; i < count; ++i) EXPECT_EQ(log.data()(0, i), 2 * i);
}

// Each growth allocates twice, the times and the data, and doubles.
TEST(VectorLog, AllocatesLogarithmicallyOften) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  VectorLog<double> log(2);
  const VectorXd sample = Vector2d(1, 2);
  const int64_t count = 64 * VectorLog<double>::kDefaultCapacity;
  const ::wyvern::test::AllocationGuard guard;
  for (int64_t i = 0; i < count; ++i) log.AddData(0.1 * i, sample);
  EXPECT_GT(guard.count(), 0);
  EXPECT_LE(guard.count(), 2 * 6);
}

TEST(VectorLog, AllocatesNothingWithinAReserve) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  VectorLog<double> log(2);
  log.Reserve(100000);
  const VectorXd sample = Vector2d(1, 2);
  const ::wyvern::test::AllocationGuard guard;
  for (int i = 0; i < 100000; ++i) log.AddData(0.1 * i, sample);
  EXPECT_EQ(guard.count(), 0);
}

TEST(VectorLog, RefusesWrongSizes) {
  EXPECT_THROWS_MESSAGE(VectorLog<double>(-1), std::logic_error,
                        "input_size is -1");
  VectorLog<double> log(2);
  EXPECT_THROWS_MESSAGE(log.AddData(0, VectorXd::Zero(3)), std::logic_error,
                        "sample has size 3; it must have size 2.");
}

// A sine of time into a sink, with the sink's periodic or per-step events.
template <typename Sink>
class SinkDiagram {
 public:
  template <typename Connect>
  explicit SinkDiagram(Connect connect) {
    DiagramBuilder<double> builder;
    sine_ = builder.AddSystem<Sine<double>>(1, 1, 0, 2);
    sink_ = connect(sine_->get_output_port(0), &builder);
    diagram_ = builder.Build();
    context_ = diagram_->CreateDefaultContext();
    events_ = diagram_->AllocateCompositeEventCollection();
  }

  void PublishPeriodic(double time) {
    context_->SetTime(time);
    events_->Clear();
    diagram_->GetPeriodicEvents(*context_, events_.get());
    diagram_->Publish(*context_, events_->get_publish_events());
  }
  void PublishPerStep(double time) {
    context_->SetTime(time);
    events_->Clear();
    diagram_->GetPerStepEvents(*context_, events_.get());
    diagram_->Publish(*context_, events_->get_publish_events());
  }

  Diagram<double>& diagram() { return *diagram_; }
  Context<double>& context() { return *context_; }
  Sink& sink() { return *sink_; }

 private:
  Sine<double>* sine_{};
  Sink* sink_{};
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Context<double>> context_;
  std::unique_ptr<CompositeEventCollection<double>> events_;
};

SinkDiagram<VectorLogSink<double>> MakeVectorLogDiagram(double period = 0) {
  return SinkDiagram<VectorLogSink<double>>(
      [period](const auto& port, DiagramBuilder<double>* builder) {
        return LogVectorOutput(port, builder, period);
      });
}

TEST(VectorLogSink, LogsPerStepAndWhenForced) {
  auto d = MakeVectorLogDiagram();
  d.PublishPerStep(0.25);
  d.PublishPeriodic(0.5);  // Has no such event.
  d.context().SetTime(0.75);
  d.diagram().ForcedPublish(d.context());
  const auto& log = d.sink().FindLog(d.context());
  EXPECT_EQ(log.sample_times(), Vector2d(0.25, 0.75));
  EXPECT_EQ(log.data()(1, 1), std::sin(0.75));
}

TEST(VectorLogSink, LogsPeriodicallyIfGivenAPeriod) {
  auto d = MakeVectorLogDiagram(0.25);
  d.PublishPerStep(0.125);  // Has no such event.
  d.PublishPeriodic(0.25);
  EXPECT_EQ(d.sink().FindLog(d.context()).num_samples(), 1);
  const auto events = d.diagram().AllocateCompositeEventCollection();
  EXPECT_EQ(d.diagram().CalcNextUpdateTime(d.context(), events.get()), 0.5);
}

TEST(VectorLogSink, EachContextHasItsOwnLog) {
  auto d = MakeVectorLogDiagram();
  auto other = d.diagram().CreateDefaultContext();
  d.PublishPerStep(0.25);
  EXPECT_EQ(d.sink().FindLog(*other).num_samples(), 0);
  EXPECT_EQ(d.sink().FindLog(d.context()).num_samples(), 1);
  d.sink().FindMutableLog(&d.context()).Clear();
  EXPECT_EQ(d.sink().FindLog(d.context()).num_samples(), 0);
}

TEST(VectorLogSink, TheLogSurvivesChangesOfTheContext) {
  auto d = MakeVectorLogDiagram();
  d.PublishPerStep(0.25);
  d.context().SetTime(1);
  d.diagram().SetDefaultContext(&d.context());
  EXPECT_EQ(d.sink().FindLog(d.context()).num_samples(), 1);
}

TEST(VectorLogSink, FindsItsLogInItsOwnContextToo) {
  auto d = MakeVectorLogDiagram();
  d.PublishPerStep(0.25);
  Context<double>& own = d.sink().GetMyMutableContextFromRoot(&d.context());
  EXPECT_EQ(&d.sink().GetLog(own), &d.sink().FindLog(d.context()));
  EXPECT_EQ(&d.sink().GetMutableLog(&own), &d.sink().FindLog(d.context()));
  EXPECT_THROW(d.sink().GetLog(d.context()), std::logic_error);
  EXPECT_THROW(d.sink().FindLog(own), std::logic_error);
}

TEST(VectorLogSink, LoggingAllocatesNothingBetweenGrowths) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  auto d = MakeVectorLogDiagram();
  d.PublishPerStep(0);
  const ::wyvern::test::AllocationGuard guard;
  for (int i = 1; i < VectorLog<double>::kDefaultCapacity; ++i) {
    d.PublishPerStep(0.01 * i);
  }
  EXPECT_EQ(guard.count(), 0);
}

TEST(VectorLogSink, ScalarConversionKeepsTheTriggers) {
  auto d = MakeVectorLogDiagram(0.25);
  d.PublishPeriodic(0.25);
  const auto converted = d.diagram().ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  const auto events = converted->AllocateCompositeEventCollection();
  EXPECT_EQ(converted->CalcNextUpdateTime(*context, events.get()).value(),
            0.25);
}

TEST(VectorLogSink, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(-1), std::logic_error,
                        "input_size is -1");
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(1, -0.1), std::logic_error,
                        "publish_period is -0.1");
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(1, NAN), std::logic_error,
                        "publish_period is nan");
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(1, {TriggerType::kPeriodic}),
                        std::logic_error, "kPeriodic is among the triggers");
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(1, {TriggerType::kForced}, 0.1),
                        std::logic_error, "kPeriodic is not among");
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(1, {TriggerType::kWitness}),
                        std::logic_error, "unsupported trigger");
  EXPECT_THROWS_MESSAGE(VectorLogSink<double>(1, TriggerTypeSet{}),
                        std::logic_error, "publish_triggers is empty");
}

class CsvLogSinkTest : public testing::Test {
 protected:
  ~CsvLogSinkTest() override {
    std::filesystem::remove(filename_);
    std::filesystem::remove(filename_ + ".partial");
  }

  SinkDiagram<CsvLogSink<double>> MakeDiagram(double period = 0) {
    return SinkDiagram<CsvLogSink<double>>(
        [this, period](const auto& port, DiagramBuilder<double>* builder) {
          return LogCsvOutput(port, builder, filename_, {"x", "y"}, period);
        });
  }
  std::string Contents() const {
    std::ifstream file(filename_);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  const std::string filename_ =
      testing::TempDir() + "wyvern_sink_" +
      testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(CsvLogSinkTest, WritesARowPerPublish) {
  auto d = MakeDiagram();
  d.PublishPerStep(0);
  d.PublishPerStep(0.5);
  EXPECT_EQ(d.sink().num_rows(), 2);
  d.sink().Close();
  const std::string sine = fmt::format("{}", std::sin(0.5));
  EXPECT_EQ(Contents(), "time,x,y\n0,0,0\n0.5," + sine + "," + sine + "\n");
}

TEST_F(CsvLogSinkTest, WritesPeriodicallyIfGivenAPeriod) {
  auto d = MakeDiagram(0.25);
  d.PublishPerStep(0.125);  // Has no such event.
  d.PublishPeriodic(0.25);
  EXPECT_EQ(d.sink().num_rows(), 1);
}

TEST_F(CsvLogSinkTest, WritingAllocatesNothing) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  auto d = MakeDiagram();
  d.PublishPerStep(0);
  const ::wyvern::test::AllocationGuard guard;
  for (int i = 1; i < 20000; ++i) d.PublishPerStep(0.01 * i);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(CsvLogSinkTest, TakesRowsOfOneContextOnlyAndForwardInTime) {
  auto d = MakeDiagram();
  d.PublishPerStep(1);
  EXPECT_THROWS_MESSAGE(d.PublishPerStep(0.5), std::logic_error,
                        "wrote time 1");
  const auto other = d.diagram().CreateDefaultContext();
  other->SetTime(2);
  EXPECT_THROWS_MESSAGE(d.diagram().ForcedPublish(*other), std::logic_error,
                        "was published with another");
  EXPECT_EQ(d.sink().num_rows(), 1);
}

TEST_F(CsvLogSinkTest, AConvertedCopyWritesNothing) {
  auto d = MakeDiagram();
  d.PublishPerStep(1);
  const auto converted = d.diagram().ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  EXPECT_NO_THROW(converted->ForcedPublish(*context));
  EXPECT_EQ(d.sink().num_rows(), 1);
}

TEST_F(CsvLogSinkTest, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(CsvLogSink<double>("/no/such/folder/x.csv", {"a"}),
                        std::runtime_error, "/no/such/folder/x.csv");
  EXPECT_THROWS_MESSAGE(CsvLogSink<double>(filename_, {"a"}, -1.0),
                        std::logic_error, "publish_period is -1");
  EXPECT_THROWS_MESSAGE(CsvLogSink<double>(filename_, {"time"}),
                        std::logic_error, "is a repetition");
  DiagramBuilder<double> builder;
  const auto* sine = builder.AddSystem<Sine<double>>(1, 1, 0, 2);
  EXPECT_THROWS_MESSAGE(
      LogCsvOutput(sine->get_output_port(0), &builder, filename_, {"x"}),
      std::logic_error, "column_names has size 1; it must have size 2.");
}

TEST_F(CsvLogSinkTest, ABuilderIsAsItWasWhenALogIsRefused) {
  DiagramBuilder<double> builder;
  const auto* sine = builder.AddSystem<Sine<double>>(1, 1, 0, 2);
  const OutputPort<double>& port = sine->get_output_port(0);
  DiagramBuilder<double> strange;
  EXPECT_THROWS_MESSAGE(LogVectorOutput(port, &strange), std::logic_error,
                        "has not been added");
  EXPECT_THROWS_MESSAGE(LogCsvOutput(port, &strange, filename_, {"x", "y"}),
                        std::logic_error, "has not been added");
  EXPECT_TRUE(strange.GetSystems().empty());
  DiagramBuilder<double>* none = nullptr;
  EXPECT_THROWS_MESSAGE(LogVectorOutput(port, none), std::logic_error,
                        "LogVectorOutput(): builder is null");
  EXPECT_THROWS_MESSAGE(LogCsvOutput(port, none, filename_, {"x", "y"}),
                        std::logic_error, "builder is null");
  // The file is free.
  LogCsvOutput(port, &builder, filename_, {"x", "y"});
  EXPECT_EQ(builder.GetSystems().size(), 2u);
}

TEST_F(CsvLogSinkTest, PublishingAfterCloseThrows) {
  auto d = MakeDiagram();
  d.sink().Flush();
  d.sink().Close();
  EXPECT_THROWS_MESSAGE(d.PublishPerStep(0), std::logic_error,
                        "was closed already");
}

}  // namespace
}  // namespace wyvern::systems
