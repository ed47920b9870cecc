/** @file Models are read by several threads at once, and what other threads
write on the console is left alone. */

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/sdf_texts.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace parsing_in_threads_test {

namespace fs = std::filesystem;

// Whether `text` can be read; what is wrong with it, if not.
std::string Read(const std::string& text, const std::string& type) {
  MultibodyPlant<double> plant(0.001);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  try {
    parser.AddModelsFromString(text, type);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

const std::vector<std::string>& BadTexts() {
  static const std::vector<std::string> texts = {
      SdfModel("<frame name='f'><pose>x</pose></frame>"),
      SdfModel("<frame name='a::b'/>"), SdfModel("<link/>"),
      "<sdf><model name='m'/></sdf>", "<robot name='r'/>"};
  return texts;
}

TEST(ParsingInThreads, GivesWhatOneThreadGives) {
  const std::string good = SdfModel(SdfJoint("<axis><xyz>1 0 0</xyz></axis>"));
  const std::string bad = BadTexts()[0];
  const std::string error = Read(bad, "sdf");
  EXPECT_NE(error, "");
  std::atomic<int> wrong{0};
  const auto work = [&] {
    for (int i = 0; i < 4; ++i) {
      if (Read(good, "sdf") != "") ++wrong;
      if (Read(bad, "sdf") != error) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The buffer of std::cerr, and whether anything arrives there, while it lives.
class Listener {
 public:
  Listener() : old_(std::cerr.rdbuf(heard_.rdbuf())) {}
  ~Listener() { std::cerr.rdbuf(old_); }
  std::string heard() const { return heard_.str(); }
  bool is_in_place() const { return std::cerr.rdbuf() == heard_.rdbuf(); }

 private:
  std::ostringstream heard_;
  std::streambuf* const old_;
};

TEST(ParsingInThreads, LeavesTheStreamOfErrorsInPlace) {
  const Listener listener;
  std::atomic<bool> is_done{false};
  std::atomic<int> away{0};
  std::thread watch([&] {
    while (!is_done) {
      if (!listener.is_in_place()) ++away;
    }
  });
  for (int i = 0; i < 5; ++i) Read(BadTexts()[0], "sdf");
  is_done = true;
  watch.join();
  EXPECT_EQ(away, 0);
}

TEST(ParsingInThreads, SaysNothingOnStderrOfWhatItThrows) {
  const Listener listener;
  testing::internal::CaptureStderr();
  for (const std::string& text : BadTexts()) {
    EXPECT_NE(Read(text, "sdf"), "") << text;
  }
  const fs::path folder = fs::path(testing::TempDir()) / "parsing_in_threads";
  fs::create_directories(folder);
  std::ofstream(folder / "bad.sdf") << BadTexts()[0];
  std::ofstream(folder / "outer.sdf")
      << SdfModel("<include><uri>bad.sdf</uri></include>");
  MultibodyPlant<double> plant(0.001);
  for (const std::string name : {"bad.sdf", "outer.sdf"}) {
    try {
      Parser(&plant).AddModels(folder / name);
      ADD_FAILURE() << name;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("bad.sdf:3: "),
                std::string::npos)
          << error.what();
    }
  }
  fs::remove_all(folder);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(listener.heard(), "");
}

// A warning's handler may read a model itself.
TEST(ParsingInThreads, AHandlerOfWarningsMayRead) {
  MultibodyPlant<double> plant(0.001);
  Parser parser(&plant);
  int num_warnings = 0;
  parser.SetWarningHandler([&](const std::string&) {
    ++num_warnings;
    EXPECT_EQ(Read(SdfModel(""), "sdf"), "");
  });
  parser.AddModelsFromString(
      SdfModel("<enable_wind/><plugin name='a::b' filename='f'/>"), "sdf");
  EXPECT_GT(num_warnings, 0);
}

}  // namespace parsing_in_threads_test
}  // namespace wyvern::multibody
