// A diagnosis says what is there, and for all else what to do.
#include "wyvern/app/doctor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "wyvern/app/command.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/common/processor_level.h"

namespace wyvern::app {
namespace doctor_test {

namespace fs = std::filesystem;
using Level = DoctorFinding::Level;

DoctorFinding Find(const std::vector<DoctorFinding>& findings,
                   const std::string& name) {
  const auto found = std::ranges::find(findings, name, &DoctorFinding::name);
  if (found == findings.end()) throw std::out_of_range(name);
  return *found;
}

fs::path CleanFolder() {
  const fs::path folder = fs::path(testing::TempDir()) / "wyvern_doctor";
  fs::remove_all(folder);
  fs::create_directories(folder / "bin");
  return folder;
}

TEST(Doctor, EachFindingThatIsNotGoodHasAFix) {
  const auto findings = Diagnose({.program_path = "/nowhere",
                                  .package_path = "/missing:/",
                                  .working_folder = "/nowhere"});
  for (const DoctorFinding& finding : findings) {
    EXPECT_FALSE(finding.value.empty()) << finding.name;
    EXPECT_EQ(finding.fix.empty(), finding.level == Level::kGood)
        << finding.name;
  }
  for (const char* name :
       {"Browser", "Opener", "Display", "Graphviz", "xacro", "Scenarios"}) {
    EXPECT_EQ(Find(findings, name).level, Level::kMissing) << name;
  }
  EXPECT_EQ(Find(findings, "Working folder").level, Level::kFault);
  EXPECT_EQ(Find(findings, "ROS packages").level, Level::kFault);
  EXPECT_TRUE(Find(findings, "ROS packages").value.ends_with(": /missing"));
}

TEST(Doctor, ProgramsAreFoundInThePath) {
  const fs::path folder = CleanFolder();
  const fs::path dot = folder / "bin/dot";
  const DoctorParams params{.program_path =
                                "/nowhere::" + (folder / "bin").string()};
  EXPECT_EQ(Find(Diagnose(params), "Graphviz").level, Level::kMissing);
  std::ofstream(dot) << "#!/bin/sh\n";
  // It cannot be executed yet.
  EXPECT_EQ(Find(Diagnose(params), "Graphviz").level, Level::kMissing);
  fs::permissions(dot, fs::perms::owner_all);
  const DoctorFinding found = Find(Diagnose(params), "Graphviz");
  EXPECT_EQ(found.level, Level::kGood);
  EXPECT_EQ(found.value, dot.string());
}

TEST(Doctor, ScenariosAreThoseOfTheShareFolder) {
  const fs::path folder = CleanFolder();
  fs::create_directories(folder / "app/scenarios");
  EXPECT_EQ(Find(Diagnose({.share_folder = folder}), "Scenarios").value,
            (folder / "app/scenarios").string());
}

TEST(Doctor, KnowsTheBuild) {
  const auto findings = Diagnose({});
  EXPECT_EQ(Find(findings, "Page").level == Level::kGood,
            geometry::Viewer::IsAvailable());
  EXPECT_NE(Find(findings, "Processor").value.find(ProcessorLevel()),
            std::string::npos);
  EXPECT_EQ(Find(findings, "Derivatives").level == Level::kGood,
            WYVERN_AUTODIFF != 0);
}

TEST(Doctor, TextAndJsonSayTheSame) {
  const std::vector<DoctorFinding> findings{
      {.name = "A", .value = "is \"there\""},
      {.level = Level::kMissing,
       .name = "Long",
       .value = "no",
       .fix = "get it"},
      {.level = Level::kFault, .name = "C", .value = "bad", .fix = "mend it"}};
  EXPECT_EQ(ToText(findings),
            "ok       A     is \"there\"\n"
            "missing  Long  no\n"
            "               Fix: get it.\n"
            "fault    C     bad\n"
            "               Fix: mend it.\n"
            "\n1 of 3 parts are optional and missing; 1 is at fault.\n");
  const auto json = nlohmann::json::parse(ToJson(findings));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["value"], "is \"there\"");
  EXPECT_EQ(json[1]["level"], "missing");
  EXPECT_EQ(json[2]["fix"], "mend it");
}

TEST(Doctor, TheCommandFailsOnlyIfSomethingIsAtFault) {
  const auto findings = Diagnose(DoctorParams::FromEnvironment());
  const bool is_at_fault = std::ranges::any_of(
      findings, [](const auto& one) { return one.level == Level::kFault; });
  std::ostringstream out, json, err;
  EXPECT_EQ(RunCommand({"doctor"}, out, err), is_at_fault ? 1 : 0);
  EXPECT_EQ(err.str(), "");
  EXPECT_EQ(RunCommand({"doctor", "--json"}, json, err), is_at_fault ? 1 : 0);
  EXPECT_EQ(nlohmann::json::parse(json.str()).size(), findings.size());
}

}  // namespace doctor_test
}  // namespace wyvern::app
