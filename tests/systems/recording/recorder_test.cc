#include "wyvern/systems/recording/recorder.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/systems/recording/temporary_folder.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"
#if WYVERN_HAS_HDF5
#include "tests/systems/recording/hdf5_reader.h"
#endif

namespace wyvern::systems {
namespace recorder_test {

using test::ContentsOf;
using test::TemporaryFolder;

// The integrals of (1, 2), recorded every 0.25 s.
class Line {
 public:
  explicit Line(const std::string& filename,
                const RecordingOptions& options = {}) {
    auto* slopes =
        builder.AddSystem<ConstantVectorSource<double>>(Eigen::Vector2d(1, 2));
    integrator = builder.AddSystem<Integrator<double>>(2);
    builder.Connect(*slopes, *integrator);
    recorder = builder.AddSystem<Recorder<double>>(filename, options);
    Record(integrator->get_output_port(),
           {.name = "line", .unit = "m", .period = 0.25}, recorder, &builder);
  }
  Simulator<double>& Simulate(double seconds) {
    diagram = builder.Build();
    simulator = std::make_unique<Simulator<double>>(*diagram);
    simulator->AdvanceTo(seconds);
    return *simulator;
  }

  DiagramBuilder<double> builder;
  Integrator<double>* integrator{};
  Recorder<double>* recorder{};
  std::unique_ptr<Diagram<double>> diagram;
  std::unique_ptr<Simulator<double>> simulator;
};

TEST(Recorder, RecordsASimulationAtItsPeriod) {
  const TemporaryFolder folder;
  Line line(folder / "x.csv");
  line.Simulate(0.5);
  EXPECT_EQ(line.recorder->num_records(), 3);
  line.recorder->Close();
  const std::string text = ContentsOf(folder / "x.csv");
  EXPECT_TRUE(text.starts_with("time,line/line[0],line/line[1]\n0,0,0\n0.25,"))
      << text;
}

TEST(Recorder, ClosesItsFileWhenItGoes) {
  const TemporaryFolder folder;
  {
    Line line(folder / "x.mcap");
    line.Simulate(1);
    EXPECT_FALSE(std::filesystem::exists(folder / "x.mcap"));
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "x.mcap"));
}

TEST(Recorder, RecordsEachStepWithoutAPeriodAndAllWhenForced) {
  const TemporaryFolder folder;
  DiagramBuilder<double> builder;
  auto* source = builder.AddSystem<ConstantVectorSource<double>>(3.0);
  auto* recorder = builder.AddSystem<Recorder<double>>(folder / "x.csv");
  Record(source->get_output_port(), {.name = "three"}, recorder, &builder);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_maximum_step_size(0.1);
  simulator.AdvanceTo(1);
  const std::int64_t steps = recorder->num_records();
  // And one at the start.
  EXPECT_EQ(steps, simulator.get_num_steps_taken() + 1);
  diagram->ForcedPublish(simulator.get_context());
  EXPECT_EQ(recorder->num_records(), steps + 1);
}

#if WYVERN_HAS_HDF5

TEST(Recorder, RecordsAbstractValuesAsNumbersAndTexts) {
  const TemporaryFolder folder;
  DiagramBuilder<double> builder;
  const Value<std::string> model(std::string("four"));
  auto* source = builder.AddSystem<ConstantValueSource<double>>(model);
  auto* recorder = builder.AddSystem<Recorder<double>>(folder / "x.h5");
  builder.Connect(
      source->get_output_port(),
      recorder->AddSignal(
          {.name = "length", .period = 0.1}, 1, model,
          [](const AbstractValue& value, Eigen::Ref<Eigen::VectorXd> numbers) {
            numbers[0] = value.get_value<std::string>().size();
          }));
  builder.Connect(source->get_output_port(),
                  recorder->AddTextSignal(
                      {.name = "word", .period = 0.5}, model,
                      [](const AbstractValue& value, std::string* json) {
                        *json += "{\"word\":\"" +
                                 value.get_value<std::string>() + "\"}";
                      }));
  recorder->SetAttribute("scenario", "the whole of it");
  Simulator<double> simulator(builder.Build());
  simulator.AdvanceTo(1);
  recorder->WriteEvent(1, "info", "done");
  recorder->Close({{"steps", "10"}});
  const test::Hdf5Reader reader(folder / "x.h5");
  EXPECT_EQ(reader.Numbers("signals/length/data"),
            std::vector<double>(11, 4.0));
  EXPECT_EQ(reader.Samples("signals/word"),
            std::vector<std::string>(3, "{\"word\":\"four\"}"));
  EXPECT_EQ(reader.Text("attributes/scenario"), "the whole of it");
  EXPECT_EQ(reader.Text("statistics/steps"), "10");
}

// Times are the simulation's own to the last bit.
TEST(Recorder, HasExactTimes) {
  const TemporaryFolder folder;
  Line line(folder / "x.h5");
  line.Simulate(100);
  line.recorder->Close();
  const auto times =
      test::Hdf5Reader(folder / "x.h5").Numbers("signals/line/time");
  ASSERT_EQ(times.size(), 401);
  for (int k = 0; k <= 400; ++k) EXPECT_EQ(times[k], k * 0.25);
}

#endif

class RecorderTo : public testing::TestWithParam<std::string> {};

TEST_P(RecorderTo, AFileAllocatesNothingInAStep) {
  if (GetParam() == ".h5" && !Hdf5RecordingSink::is_available()) {
    GTEST_SKIP() << "this library was built without HDF5";
  }
  const TemporaryFolder folder;
  Line line(folder / ("x" + GetParam()));
  line.Simulate(1);
  wyvern::test::AllocationGuard guard;
  line.simulator->AdvanceTo(500);
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Each, RecorderTo,
                         testing::Values(".csv", ".h5", ".mcap"),
                         [](const auto& suite) {
                           return suite.param.substr(1);
                         });

TEST(Recorder, CopiesHaveNoFile) {
  const TemporaryFolder folder;
  Line line(folder / "x.csv");
  line.Simulate(1);
  const auto copy = System<double>::ToAutoDiffXd(*line.diagram);
  const auto context = copy->CreateDefaultContext();
  copy->ForcedPublish(*context);
  const auto clone = System<double>::Clone(*line.diagram);
  Simulator<double> simulator(*clone);
  simulator.AdvanceTo(1);
  EXPECT_EQ(line.recorder->num_records(), 5);
}

TEST(Recorder, TakesTheSamplesOfOneContext) {
  const TemporaryFolder folder;
  Line line(folder / "x.csv");
  line.Simulate(1);
  const auto other = line.diagram->CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(line.diagram->ForcedPublish(*other), std::logic_error,
                        "use one recorder and file per simulation");
}

TEST(Recorder, RefusesWhatComesTooLateOrTwice) {
  const TemporaryFolder folder;
  Line line(folder / "x.csv");
  EXPECT_THROWS_MESSAGE(line.recorder->AddSignal({.name = "line"}, 1),
                        std::logic_error, "collides with 'line'");
  EXPECT_THROWS_MESSAGE(
      line.recorder->AddSignal({.name = "x", .period = NAN}, 1),
      std::logic_error, "period is nan");
  EXPECT_THROWS_MESSAGE(Recorder<double>(folder / "./x.csv"), std::logic_error,
                        "is being written");
  EXPECT_THROWS_MESSAGE(
      Record(line.integrator->get_output_port(), {.name = "y"},
             static_cast<Recorder<double>*>(nullptr), &line.builder),
      std::logic_error, "recorder is null");
  line.Simulate(1);
  EXPECT_THROWS_MESSAGE(line.recorder->SetAttribute("a", "b"), std::logic_error,
                        "has been recorded to already");
  line.recorder->Close();
  line.recorder->Close();
  EXPECT_THROWS_MESSAGE(line.simulator->AdvanceTo(2), std::logic_error,
                        "was closed already");
}

TEST(Recorder, StopsTheSimulationThatItCannotRecord) {
  const TemporaryFolder folder;
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  std::filesystem::create_symlink("/dev/full", folder / "x.csv");
  Line line(folder / "x.csv", {.queue_bytes = 1024, .flush_interval = 1e-3});
  EXPECT_THROWS_MESSAGE(line.Simulate(1e5), std::runtime_error,
                        "x.csv': No space left on device");
}

}  // namespace recorder_test
}  // namespace wyvern::systems
