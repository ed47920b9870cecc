/** @file Files of each kind: what they hold, and what becomes of them when
something goes wrong. */

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/recording/temporary_folder.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"
#include "wyvern/systems/recording/recording.h"
#if WYVERN_HAS_HDF5
#include "tests/systems/recording/hdf5_reader.h"
#endif

namespace wyvern::systems {
namespace recording_sinks_test {

using test::ContentsOf;
using test::TemporaryFolder;
namespace fs = std::filesystem;

constexpr int kRows = 5000;

// Two signals at 1 kHz; with `all`, one at 100 Hz and texts.
RecordingDescription Description(bool all) {
  RecordingDescription description;
  description.AddSignal({.name = "plant/state",
                         .unit = "rad",
                         .element_names = {"elbow_q", "elbow_w"},
                         .period = 0.001},
                        2);
  description.AddSignal({.name = "torque", .unit = "N m", .period = 0.001}, 1);
  if (!all) return description;
  description.AddSignal({.name = "slow", .period = 0.01}, 3);
  description.AddTextSignal({.name = "contacts", .period = 0.01});
  description.attributes = {{"scenario", "a: 1\nb: [2]\n"},
                            {"long", std::string(200000, 'x')}};
  description.AddFile("/models/arm.urdf", std::string("<robot/>\0\0", 10));
  description.AddFile("/models/empty.obj", "");
  return description;
}

std::unique_ptr<Recording> Open(const std::string& filename, bool all) {
  return std::make_unique<Recording>(OpenRecordingSink(filename),
                                     Description(all));
}

void Write(int first, int last, bool all, Recording* recording) {
  for (int i = first; i < last; ++i) {
    const double t = i * 0.001;
    const double row[3] = {0.1 * i, -1.0 / (i + 1), 1e-3 * i};
    recording->WriteFrame(0, t, row, 3);
    if (!all || i % 10 != 0) continue;
    const double slow[3] = {t, 2 * t, 3 * t};
    recording->WriteFrame(1, t, slow, 3);
    recording->WriteText(3, t, "{\"count\":" + std::to_string(i) + "}");
  }
}

class FileOf : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == ".h5" && !Hdf5RecordingSink::is_available()) {
      GTEST_SKIP() << "this library was built without HDF5";
    }
  }
  const TemporaryFolder folder_;
  const std::string file_ = folder_ / ("run" + GetParam());
  const std::string partial_ = file_ + ".partial";
};

TEST_P(FileOf, ARunReplacesAnOlderOneWhenItIsWhole) {
  std::ofstream(file_) << "older";
  const auto recording = Open(file_, false);
  Write(0, 100, false, recording.get());
  EXPECT_TRUE(fs::exists(partial_));
  EXPECT_EQ(ContentsOf(file_), "older");
  recording->Close();
  EXPECT_FALSE(fs::exists(partial_));
  EXPECT_GT(fs::file_size(file_), 100);
}

TEST_P(FileOf, AFolderThatIsNotThereIsRefusedAtOnce) {
  EXPECT_THROWS_MESSAGE(OpenRecordingSink("/no/such/folder/x" + GetParam()),
                        std::runtime_error, "/no/such/folder/x" + GetParam());
}

TEST_P(FileOf, ANameThatIsAFolderIsRefused) {
  fs::create_directory(file_);
  EXPECT_THROWS_MESSAGE(OpenRecordingSink(file_), std::runtime_error,
                        "is a folder; give the name of a file");
  fs::remove(file_);
  const auto recording = Open(file_, false);
  fs::create_directory(file_);
  Write(0, 10, false, recording.get());
  EXPECT_THROWS_MESSAGE(recording->Close(), std::runtime_error,
                        "cannot rename");
  EXPECT_TRUE(fs::exists(partial_));
}

TEST_P(FileOf, ARunThatIsBeingWrittenIsNotWrittenTwice) {
  const auto recording = Open(file_, false);
  EXPECT_THROWS_MESSAGE(OpenRecordingSink(folder_ / ("./run" + GetParam())),
                        std::logic_error, "is being written by another");
}

TEST_P(FileOf, AFullDiskIsReported) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", file_);
  try {
    const auto recording = Open(file_, false);
    Write(0, kRows, false, recording.get());
    recording->Close();
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    // HDF5 seeks back in its file, which a device does not support.
    EXPECT_NE(std::string(error.what())
                  .find('\'' + file_ +
                        (GetParam() == ".h5" ? "': HDF5 needs a regular file"
                                             : "': No space left on device")),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(fs::is_symlink(file_));
  EXPECT_FALSE(fs::exists(partial_));
}

TEST_P(FileOf, ALinkStaysAndTheFileAtItsEndIsWritten) {
  fs::create_symlink("other", file_);
  const auto recording = Open(file_, false);
  EXPECT_TRUE(fs::exists(folder_ / "other.partial"));
  Write(0, 10, false, recording.get());
  recording->Close();
  EXPECT_EQ(fs::read_symlink(file_), "other");
  EXPECT_GT(fs::file_size(folder_ / "other"), 100u);
}

INSTANTIATE_TEST_SUITE_P(Each, FileOf, testing::Values(".csv", ".h5", ".mcap"),
                         [](const auto& suite) {
                           return suite.param.substr(1);
                         });

TEST(RecordingSinks, AreToldByTheEndingOfAName) {
  EXPECT_THROWS_MESSAGE(OpenRecordingSink("x.bag"), std::logic_error,
                        "give a name that ends in .csv, .h5, .hdf5 or .mcap");
  EXPECT_THROWS_MESSAGE(OpenRecordingSink(""), std::logic_error, "ending ''");
  EXPECT_THROWS_MESSAGE(OpenRecordingSink(".h5"), std::logic_error, "ending");
}

TEST(CsvRecordingSink, HasARowASample) {
  const TemporaryFolder folder;
  const auto recording = Open(folder / "x.csv", false);
  Write(0, 2, false, recording.get());
  recording->WriteEvent(0.5, "warning", "a, \"b\"");
  recording->Close();
  EXPECT_EQ(ContentsOf(folder / "x.csv"),
            "time,plant/state/elbow_q,plant/state/elbow_w,torque/torque\n"
            "0,0,-1,0\n0.001,0.1,-0.5,0.001\n");
  EXPECT_EQ(ContentsOf(folder / "x.csv.events.csv"),
            "time,level,text\n0.5,warning,\"a, \"\"b\"\"\"\n");
}

TEST(CsvRecordingSink, RefusesWhatIsNoTable) {
  const TemporaryFolder folder;
  EXPECT_THROWS_MESSAGE(Open(folder / "x.csv", true), std::logic_error,
                        "the samples of 'contacts' are texts; record to a file "
                        "of the ending .h5 or .mcap");
  RecordingDescription description;
  description.AddSignal({.name = "a", .period = 0.1}, 1);
  description.AddSignal({.name = "b", .period = 0.2}, 1);
  EXPECT_THROWS_MESSAGE(
      Recording(OpenRecordingSink(folder / "y.csv"), description),
      std::logic_error, "there are signals of 0.1 s and of 0.2 s");
  EXPECT_THROWS_MESSAGE(Recording(OpenRecordingSink(folder / "z.csv"), {}),
                        std::logic_error, "there is no signal");
}

// Writes in a process of its own, which then kills itself.
void WriteAndBeKilled(const std::string& filename, int flushed, int lost) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto recording = Open(filename, true);
    Write(0, flushed, true, recording.get());
    recording->Flush();
    Write(flushed, flushed + lost, true, recording.get());
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

#if WYVERN_HAS_HDF5

using test::Hdf5Reader;

void ExpectRows(const Hdf5Reader& reader, int at_least, int at_most) {
  const auto time = reader.Numbers("signals/plant/state/time");
  const auto state = reader.Numbers("signals/plant/state/data");
  const auto torque = reader.Numbers("signals/torque/data");
  const int rows = static_cast<int>(
      std::min({time.size(), state.size() / 2, torque.size()}));
  EXPECT_GE(rows, at_least);
  EXPECT_LE(rows, at_most);
  for (int i = 0; i < rows; ++i) {
    EXPECT_EQ(time[i], i * 0.001);
    EXPECT_EQ(state[2 * i], 0.1 * i);
    EXPECT_EQ(state[2 * i + 1], -1.0 / (i + 1));
    EXPECT_EQ(torque[i], 1e-3 * i);
  }
}

TEST(Hdf5RecordingSink, HasAllThatWasWrittenExactly) {
  const TemporaryFolder folder;
  const auto recording = Open(folder / "x.h5", true);
  Write(0, kRows, true, recording.get());
  recording->WriteEvent(0.5, "warning", "it \"slips\"");
  recording->Close({{"steps", "123"}});
  const Hdf5Reader reader(folder / "x.h5");
  ExpectRows(reader, kRows, kRows);
  using Shape = std::vector<hsize_t>;
  EXPECT_EQ(reader.Shape("signals/plant/state/data"), (Shape{kRows, 2}));
  EXPECT_EQ(reader.Shape("signals/slow/data"), (Shape{kRows / 10, 3}));
  const auto slow = reader.Numbers("signals/slow/time");
  EXPECT_EQ(slow[499], 4990 * 0.001);
  const auto samples = reader.Samples("signals/contacts");
  ASSERT_EQ(samples.size(), kRows / 10);
  EXPECT_EQ(samples[3], "{\"count\":30}");
  EXPECT_EQ(reader.Numbers("signals/contacts/time")[3], 30 * 0.001);
  EXPECT_EQ(reader.Attribute("signals/plant/state", "element_names"),
            (std::vector<std::string>{"elbow_q", "elbow_w"}));
  EXPECT_EQ(reader.Attribute("signals/torque", "unit")[0], "N m");
  EXPECT_EQ(reader.Text("attributes/scenario"), "a: 1\nb: [2]\n");
  EXPECT_EQ(reader.Text("attributes/long").size(), 200000);
  EXPECT_EQ(reader.Text("statistics/steps"), "123");
  EXPECT_EQ(reader.Samples("events")[0],
            "{\"level\":\"warning\",\"text\":\"it \\\"slips\\\"\"}");
}

TEST(RecordingDescription, RefusesTwoFilesOfOneName) {
  RecordingDescription description;
  description.AddFile("a.obj", "1");
  EXPECT_THROWS_MESSAGE(description.AddFile("a.obj", "2"), std::logic_error,
                        "already a file of the name 'a.obj'");
  EXPECT_THROWS_MESSAGE(description.AddFile("", "2"), std::logic_error,
                        "the name of a file is empty");
}

TEST(Hdf5RecordingSink, OfAKilledProcessIsWholeUpToTheLastFlush) {
  const TemporaryFolder folder;
  WriteAndBeKilled(folder / "x.h5", 3333, 50000);
  EXPECT_FALSE(fs::exists(folder / "x.h5"));
  const Hdf5Reader reader(folder / "x.h5.partial", true);
  ExpectRows(reader, 3333, 3333 + 50000);
  EXPECT_GE(reader.Samples("signals/contacts").size(), 334);
  EXPECT_EQ(reader.Text("attributes/scenario"), "a: 1\nb: [2]\n");
}

// The other process writes on while this one reads.
TEST(Hdf5RecordingSink, CanBeReadWhileItIsWritten) {
  const TemporaryFolder folder;
  int ready[2], go[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(go), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  char byte = 0;
  if (child == 0) {
    const auto recording = Open(folder / "x.h5", true);
    for (int i = 0; i < 3; ++i) {
      Write(1000 * i, 1000 * (i + 1), true, recording.get());
      recording->Flush();
      if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) break;
    }
    recording->Close();
    _exit(0);
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    {
      const Hdf5Reader reader(folder / "x.h5.partial", true);
      ExpectRows(reader, 1000 * (i + 1), 1000 * (i + 1));
    }
    ASSERT_EQ(write(go[1], &byte, 1), 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ExpectRows(Hdf5Reader(folder / "x.h5"), 3000, 3000);
}

TEST(Hdf5RecordingSink, SaysNothingOnStderr) {
  const TemporaryFolder folder;
  testing::internal::CaptureStderr();
  EXPECT_THROW(OpenRecordingSink("/no/such/folder/x.h5"), std::runtime_error);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

#else

TEST(Hdf5RecordingSink, SaysThatItIsNotThere) {
  EXPECT_THROWS_MESSAGE(OpenRecordingSink("x.h5"), std::logic_error,
                        "built without HDF5; install libhdf5-dev");
}

#endif

// Returns the output of a command, with its status if that is not 0.
std::string OutputOf(const std::string& command) {
  std::FILE* const pipe_of = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe_of)) {
    output.append(buffer, n);
  }
  const int status = pclose(pipe_of);
  return status == 0 ? output : output + "status " + std::to_string(status);
}

// By the reader of those who made the format.
class McapByPython : public testing::Test {
 protected:
  void SetUp() override {
    const char* const chosen = std::getenv("WYVERN_PYTHON");
    python_ = chosen != nullptr ? chosen : "python3";
    if (OutputOf(python_ + " -c 'import mcap.reader'") != "") {
      GTEST_SKIP() << python_
                   << " has no package mcap: pip install mcap, or set "
                      "WYVERN_PYTHON to one that has";
    }
  }
  std::string Read(const std::string& arguments) const {
    return OutputOf(python_ +
                    " " WYVERN_SOURCE_DIR
                    "/tests/systems/recording/check_mcap.py " +
                    arguments);
  }

 private:
  std::string python_;
};

TEST_F(McapByPython, HasAllThatWasWritten) {
  const TemporaryFolder folder;
  const auto recording = Open(folder / "x.mcap", true);
  Write(0, kRows, true, recording.get());
  recording->WriteEvent(0.5, "warning", "it \"slips\"");
  recording->Close({{"steps", "123"}});
  const std::string output = Read(folder / "x.mcap");
  for (const std::string way : {"front", "index"}) {
    for (const std::string line :
         {" /contacts 500 {\"count\": 4990} ",
          " /events 1 {\"time\": 0.5, \"level\": \"warning\", \"text\": \"it "
          "\\\"slips\\\"\"} ",
          " /plant/state 5000 {\"time\": 4.999, \"elbow_q\": "
          "499.90000000000003, \"elbow_w\": -0.0002} rad",
          " /slow 500 {\"time\": 4.99, \"slow[0]\": 4.99, \"slow[1]\": 9.98, "
          "\"slow[2]\": 14.97} ",
          " /torque 5000 {\"time\": 4.999, \"torque\": 4.999} N m"}) {
      EXPECT_NE(output.find(way + line + '\n'), std::string::npos)
          << way + line << "\n"
          << output.substr(0, 3000);
    }
  }
  EXPECT_NE(output.find("metadata statistics {\"steps\": \"123\"}"),
            std::string::npos);
  EXPECT_NE(output.find("\"scenario\": \"a: 1\\nb: [2]\\n\""),
            std::string::npos);
  EXPECT_NE(output.find("statistics 11001 5 0 4999000000"), std::string::npos);
  EXPECT_NE(output.find(R"(attachment /models/arm.urdf b'<robot/>\x00\x00')"),
            std::string::npos);
  EXPECT_NE(output.find("attachment /models/empty.obj b''"), std::string::npos);
}

TEST_F(McapByPython, OfAKilledProcessIsWholeUpToTheLastFlush) {
  const TemporaryFolder folder;
  WriteAndBeKilled(folder / "x.mcap", 3333, 10);
  const std::string output = Read((folder / "x.mcap.partial") + " --cut");
  EXPECT_NE(output.find("front /torque 3333 {\"time\": 3.332"),
            std::string::npos)
      << output;
}

TEST(McapRecordingSink, BeginsAndEndsWithItsMagic) {
  const TemporaryFolder folder;
  const auto recording = Open(folder / "x.mcap", true);
  recording->Close();
  const std::string text = ContentsOf(folder / "x.mcap");
  const std::string magic("\x89MCAP0\r\n", 8);
  EXPECT_TRUE(text.starts_with(magic));
  EXPECT_TRUE(text.ends_with(magic));
}

TEST(McapRecordingSink, RefusesTimesBeforeZero) {
  const TemporaryFolder folder;
  const auto recording = Open(folder / "x.mcap", false);
  const double row[3] = {0, 0, 0};
  recording->WriteFrame(0, -1, row, 3);
  EXPECT_THROWS_MESSAGE(recording->Flush(), std::runtime_error,
                        "MCAP has no time -1 s");
}

}  // namespace recording_sinks_test
}  // namespace wyvern::systems
