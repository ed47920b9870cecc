// `wyvern inspect run.h5` says what a log has.
#include "wyvern/app/log_report.h"

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "wyvern/app/command.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

namespace wyvern::app {
namespace log_report_test {

namespace fs = std::filesystem;

class LogReportTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!systems::Hdf5RecordingSink::is_available()) {
      GTEST_SKIP() << "This library was built without HDF5.";
    }
    EXPECT_EQ(Call({"run", WYVERN_SOURCE_DIR "/app/scenarios/arm_sway.yaml",
                    "--set", "logs=[]", "--until", "0.5", "--log", log_}),
              0)
        << err_;
  }
  void TearDown() override { fs::remove(log_); }

  int Call(const std::vector<std::string>& arguments) {
    std::ostringstream out, err;
    const int code = RunCommand(arguments, out, err);
    out_ = out.str();
    err_ = err.str();
    return code;
  }

  const std::string log_ =
      (fs::path(testing::TempDir()) / fmt::format("report_{}.h5", getpid()))
          .string();
  std::string out_;
  std::string err_;
};

TEST_F(LogReportTest, ListsSignalsFilesAndHowTheRunEnded) {
  ASSERT_EQ(Call({"inspect", log_}), 0) << err_;
  EXPECT_NE(out_.find("End: the duration is over"), std::string::npos) << out_;
  EXPECT_NE(out_.find("plant/state                       51       0 s     0.5 "
                      "s"),
            std::string::npos)
      << out_;
  EXPECT_NE(out_.find("/arm.urdf\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("Replay: wyvern view " + log_), std::string::npos);
}

TEST_F(LogReportTest, PrintsJson) {
  ASSERT_EQ(Call({"inspect", log_, "--json"}), 0) << err_;
  const auto json = nlohmann::json::parse(out_);
  EXPECT_TRUE(json["can_be_replayed"]);
  EXPECT_EQ(json["signals"][0]["name"], "plant/state");
  EXPECT_EQ(json["signals"][0]["num_samples"], 51);
  EXPECT_EQ(json["signals"][0]["element_names"].size(), 14u);
  EXPECT_EQ(json["signals"][0]["last_time"], 0.5);
  EXPECT_EQ(json["reason"], "the duration is over");
  EXPECT_GT(json["files"][0]["bytes"], 100);
  EXPECT_TRUE(json["files"][0]["is_inside"]);
}

TEST_F(LogReportTest, ALogHasNoJointsToDraw) {
  EXPECT_EQ(Call({"inspect", log_, "--dot"}), 1);
  EXPECT_NE(err_.find("is a log, which has no joints for --dot"),
            std::string::npos)
      << err_;
}

TEST(LogReport, SaysThatARunWasKilledAndHasNoSamples) {
  LogReport report;
  report.file = "run.h5";
  SignalReport& signal = report.signals.emplace_back();
  signal.name = "a/y";
  signal.first_time = signal.last_time = NAN;
  report.events.push_back({.time = 1.5, .level = "warning", .text = "\"x\""});
  const std::string text = ToText(report);
  EXPECT_NE(text.find("the run was killed"), std::string::npos);
  EXPECT_NE(text.find("1.5 s  warning: \"x\""), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(ToJson(report));
  EXPECT_TRUE(json["signals"][0]["first_time"].is_null());
  EXPECT_EQ(json["events"][0]["text"], "\"x\"");
}

}  // namespace log_report_test
}  // namespace wyvern::app
