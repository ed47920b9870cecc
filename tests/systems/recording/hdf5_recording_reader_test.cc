#include "wyvern/systems/recording/hdf5_recording_reader.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/recording/temporary_folder.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"
#include "wyvern/systems/recording/recording.h"

namespace wyvern::systems {
namespace {

using test::TemporaryFolder;

class Hdf5RecordingReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Hdf5RecordingSink::is_available()) {
      GTEST_SKIP() << "This library was built without HDF5.";
    }
  }
  // 100 samples of two signals of one period, one of a name with a '/'.
  static RecordingDescription Describe() {
    RecordingDescription description;
    description.AddSignal({.name = "arm/state",
                           .unit = "rad",
                           .element_names = {"elbow", "wrist \"left\""},
                           .period = 0.01},
                          2);
    description.AddSignal({.name = "force", .period = 0.01}, 1);
    description.attributes["scenario"] = "a: 1\nb: 2\n";
    description.attributes["empty"] = "";
    return description;
  }
  static void Write(RecordingSink* sink) {
    for (int i = 0; i < 100; ++i) {
      const double row[3] = {0.5 * i, -1.0 * i, 3.0 / (i + 1)};
      sink->WriteFrame(0, 0.01 * i, row);
    }
    sink->WriteEvent(0.25, "info", "bang \"x\"");
    sink->WriteEvent(0.75, "warning", "");
  }

  const TemporaryFolder folder_;
  const std::string file_ = folder_ / "run.h5";
};

void ExpectWhatWasWritten(const Hdf5RecordingReader& reader) {
  EXPECT_EQ(reader.GetSignalNames(),
            (std::vector<std::string>{"arm/state", "force"}));
  const RecordedSignal state = reader.ReadSignal("arm/state");
  EXPECT_EQ(state.unit, "rad");
  EXPECT_EQ(state.element_names,
            (std::vector<std::string>{"elbow", "wrist \"left\""}));
  ASSERT_EQ(state.times.size(), 100);
  ASSERT_EQ(state.values.rows(), 2);
  const RecordedSignal force = reader.ReadSignal("force");
  ASSERT_EQ(force.values.rows(), 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(state.times[i], 0.01 * i);
    EXPECT_EQ(state.values(0, i), 0.5 * i);
    EXPECT_EQ(state.values(1, i), -1.0 * i);
    EXPECT_EQ(force.values(0, i), 3.0 / (i + 1));
  }
  const auto events = reader.ReadEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].time, 0.25);
  EXPECT_EQ(events[0].level, "info");
  EXPECT_EQ(events[0].text, "bang \"x\"");
  EXPECT_EQ(events[1].text, "");
  EXPECT_EQ(reader.GetAttribute("scenario"), "a: 1\nb: 2\n");
  EXPECT_EQ(reader.GetAttribute("empty"), "");
  EXPECT_EQ(reader.GetAttribute("none"), "");
}

TEST_F(Hdf5RecordingReaderTest, ReadsWhatWasWritten) {
  Hdf5RecordingSink sink(file_);
  sink.Start(Describe());
  Write(&sink);
  sink.Close({{"reason", "it was over"}});
  const Hdf5RecordingReader reader(file_);
  ExpectWhatWasWritten(reader);
  EXPECT_EQ(reader.GetStatistic("reason"), "it was over");
}

// As after the writer was killed: the file was never closed.
TEST_F(Hdf5RecordingReaderTest, ReadsARunThatGoesOn) {
  auto sink = std::make_unique<Hdf5RecordingSink>(file_);
  sink->Start(Describe());
  Write(sink.get());
  sink->Flush();
  const std::string killed = folder_ / "killed.h5";
  std::filesystem::copy_file(file_ + ".partial", killed);
  const Hdf5RecordingReader reader(killed);
  ExpectWhatWasWritten(reader);
  EXPECT_EQ(reader.GetStatistic("reason"), "");
}

TEST_F(Hdf5RecordingReaderTest, RefusesOtherFiles) {
  EXPECT_THROWS_MESSAGE(Hdf5RecordingReader("/no/such/file.h5"),
                        std::runtime_error, "'/no/such/file.h5' cannot be");
  std::ofstream(file_) << "text";
  EXPECT_THROWS_MESSAGE(Hdf5RecordingReader{file_}, std::runtime_error,
                        "cannot be opened as an HDF5 file");
  Hdf5RecordingSink sink(folder_ / "good.h5");
  sink.Start(Describe());
  Write(&sink);
  sink.Close({});
  const Hdf5RecordingReader reader(folder_ / "good.h5");
  EXPECT_THROWS_MESSAGE(reader.ReadSignal("arm"), std::runtime_error,
                        "no signal 'arm' of numbers; it has: arm/state, force");
  // Its first half: an error, and not a crash.
  std::string bytes;
  {
    std::ifstream stream(folder_ / "good.h5", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  std::ofstream(file_, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  EXPECT_THROW(ExpectWhatWasWritten(Hdf5RecordingReader(file_)),
               std::runtime_error);
}

}  // namespace
}  // namespace wyvern::systems
