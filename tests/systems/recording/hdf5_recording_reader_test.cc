#include "wyvern/systems/recording/hdf5_recording_reader.h"

#include <cmath>
#include <cstdint>
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
#if WYVERN_HAS_HDF5
#include "wyvern/systems/recording/hdf5_handle_private.h"
#endif

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
    description.AddFile("/models/../arm.stl", std::string("a\0\xff\0", 4));
    description.AddFile("b", "");
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
  EXPECT_EQ(
      reader.ReadFiles(),
      (std::map<std::string, std::string>{
          {"/models/../arm.stl", std::string("a\0\xff\0", 4)}, {"b", ""}}));
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

// HDF5 reads a structure with a wrong checksum again and again, and waits twice
// as long each time.
TEST_F(Hdf5RecordingReaderTest, AChangedByteAnywhereEndsInAnErrorOrSamples) {
  Hdf5RecordingSink sink(file_);
  sink.Start(Describe());
  Write(&sink);
  sink.Flush();
  const std::string killed = test::ContentsOf(file_ + ".partial");
  sink.Close({{"reason", "it was over"}});
  int num_errors = 0;
  for (const std::string& whole : {test::ContentsOf(file_), killed}) {
    for (std::size_t i = 0; i < whole.size(); i = 10 + 21 * i / 20) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ 0x5a);
      std::ofstream(folder_ / "bad.h5", std::ios::binary) << bytes;
      try {
        const Hdf5RecordingReader reader(folder_ / "bad.h5");
        reader.GetStatistic("reason");
        for (const auto& name : reader.GetSignalNames()) {
          EXPECT_TRUE(reader.ReadSignal(name).values.allFinite());
        }
        reader.ReadEvents();
      } catch (const std::runtime_error&) {
        ++num_errors;
      }
    }
  }
  EXPECT_GT(num_errors, 10);
}

#if WYVERN_HAS_HDF5

// A recording changed with HDF5 itself, so that all checksums are right.
class HostileRecording : public Hdf5RecordingReaderTest {
 protected:
  void SetUp() override {
    Hdf5RecordingReaderTest::SetUp();
    Hdf5RecordingSink sink(file_);
    sink.Start(Describe());
    Write(&sink);
    sink.Close({{"reason", "it was over"}});
    hdf5_ = {H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose};
    ASSERT_GE(hdf5_, 0);
  }
  internal::Handle Set(const char* name) const {
    return {H5Dopen2(hdf5_, name, H5P_DEFAULT), &H5Dclose};
  }
  Hdf5RecordingReader Read() {
    EXPECT_TRUE(hdf5_.Close());
    return Hdf5RecordingReader(file_);
  }

  internal::Handle hdf5_;
};

TEST_F(HostileRecording, LinksToOtherFilesAreNotFollowed) {
  H5Ldelete(hdf5_, "/attributes/scenario", H5P_DEFAULT);
  H5Ldelete(hdf5_, "/signals/force/data", H5P_DEFAULT);
  ASSERT_GE(
      H5Lcreate_external("other.h5", "/secret", hdf5_, "/attributes/scenario",
                         H5P_DEFAULT, H5P_DEFAULT),
      0);
  ASSERT_GE(H5Lcreate_soft("/signals/arm/state/data", hdf5_,
                           "/signals/force/data", H5P_DEFAULT, H5P_DEFAULT),
            0);
  const Hdf5RecordingReader reader = Read();
  EXPECT_THROWS_MESSAGE(reader.GetAttribute("scenario"), std::runtime_error,
                        "it is damaged, or no recording of Wyvern");
  EXPECT_THROW(reader.ReadSignal("force"), std::runtime_error);
  EXPECT_EQ(reader.ReadSignal("arm/state").times.size(), 100);
}

TEST_F(HostileRecording, RowsThatTheFileHasNoRoomForTakeNoMemory) {
  const hsize_t many[2] = {hsize_t{1} << 60, 1};
  ASSERT_GE(H5Dset_extent(Set("/signals/force/data"), many), 0);
  ASSERT_GE(H5Dset_extent(Set("/events/text"), many), 0);
  const Hdf5RecordingReader reader = Read();
  EXPECT_THROW(reader.ReadSignal("force"), std::runtime_error);
  EXPECT_THROW(reader.ReadEvents(), std::runtime_error);
}

// Links to one dataset would take the memory of many.
TEST_F(HostileRecording, FilesThatTheRecordingHasNoRoomForTakeNoMemory) {
  H5Ldelete(hdf5_, "/files/0", H5P_DEFAULT);
  const hsize_t many = hsize_t{1} << 26;
  {
    const internal::Handle space(H5Screate_simple(1, &many, nullptr),
                                 &H5Sclose);
    const internal::Handle set(
        H5Dcreate2(hdf5_, "/files/0", H5T_NATIVE_UCHAR, space, H5P_DEFAULT,
                   H5P_DEFAULT, H5P_DEFAULT),
        &H5Dclose);
    const internal::Handle type = internal::MakeHdf5TextType(1);
    const internal::Handle scalar(H5Screate(H5S_SCALAR), &H5Sclose);
    const internal::Handle name(
        H5Acreate2(set, "name", type, scalar, H5P_DEFAULT, H5P_DEFAULT),
        &H5Aclose);
    ASSERT_GE(H5Awrite(name, type, "a"), 0);
  }
  for (const char* copy : {"/files/2", "/files/3"}) {
    ASSERT_GE(H5Lcreate_hard(hdf5_, "/files/0", hdf5_, copy, H5P_DEFAULT,
                             H5P_DEFAULT),
              0);
  }
  EXPECT_THROWS_MESSAGE(Read().ReadFiles(), std::runtime_error, "damaged");
}

TEST_F(HostileRecording, ATextThatIsManyIsRefused) {
  H5Ldelete(hdf5_, "/statistics/reason", H5P_DEFAULT);
  const hsize_t many = 100000;
  const internal::Handle type = internal::MakeHdf5TextType(4);
  const internal::Handle space(H5Screate_simple(1, &many, nullptr), &H5Sclose);
  const std::string texts(4 * many, 'x');
  {
    const internal::Handle set(
        H5Dcreate2(hdf5_, "/statistics/reason", type, space, H5P_DEFAULT,
                   H5P_DEFAULT, H5P_DEFAULT),
        &H5Dclose);
    ASSERT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()),
              0);
  }
  EXPECT_THROW(Read().GetStatistic("reason"), std::runtime_error);
}

TEST_F(HostileRecording, ASampleThatIsNoneIsNamed) {
  std::vector<double> numbers(100, 1.0);
  const auto write = [&](const char* name) {
    return H5Dwrite(Set(name), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                    numbers.data());
  };
  numbers[7] = 0.5;
  ASSERT_GE(write("/signals/arm/state/time"), 0);
  numbers[3] = NAN;
  ASSERT_GE(write("/signals/force/data"), 0);
  const Hdf5RecordingReader reader = Read();
  EXPECT_THROWS_MESSAGE(reader.ReadSignal("arm/state"), std::runtime_error,
                        "sample 7 of 'arm/state', at 0.5 s, is no sample");
  EXPECT_THROWS_MESSAGE(reader.ReadSignal("force"), std::runtime_error,
                        "sample 3 of 'force', at 1 s, is no sample");
}

// HDF5 1.10 crashes on some damaged files.
TEST_F(HostileRecording, AFormatWithoutChecksumsIsRefused) {
  const std::string old = folder_ / "old.h5";
  {
    const internal::Handle file(
        H5Fcreate(old.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
        &H5Fclose);
    ASSERT_GE(
        H5Ocopy(hdf5_, "/signals", file, "/signals", H5P_DEFAULT, H5P_DEFAULT),
        0);
  }
  EXPECT_THROWS_MESSAGE(Hdf5RecordingReader{old}, std::runtime_error,
                        "without checksums");
}

TEST_F(HostileRecording, AnEventOfOtherTypesHasEmptyTexts) {
  const std::string json = R"({"level":7,"text":[[1]]})";
  ASSERT_LT(json.size(), 64u);
  const hsize_t size = json.size(), one = 1;
  const std::uint64_t end = json.size();
  for (const char* name : {"/events/time", "/events/end"}) {
    ASSERT_GE(H5Dset_extent(Set(name), &one), 0);
  }
  ASSERT_GE(H5Dset_extent(Set("/events/text"), &size), 0);
  ASSERT_GE(H5Dwrite(Set("/events/text"), H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL,
                     H5P_DEFAULT, json.data()),
            0);
  ASSERT_GE(H5Dwrite(Set("/events/end"), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL,
                     H5P_DEFAULT, &end),
            0);
  const auto events = Read().ReadEvents();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].level + events[0].text, "");
}

#endif

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
