// The main job as a user meets it: the program, its exit code and its output.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace wyvern::examples {
namespace arm_tracking_cli_test {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code{};
  std::string output;
};

class ArmTracking : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // Runs the program with --out in the test's own folder.
  Outcome Run(const std::string& arguments) const {
    const std::string command = std::string(WYVERN_ARM_TRACKING) + " --out " +
                                out_.string() + " " + arguments + " 2>&1";
    Outcome outcome;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer;
    while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
      outcome.output.append(buffer.data(), n);
    }
    outcome.exit_code = WEXITSTATUS(pclose(pipe));
    return outcome;
  }

  void ExpectFailure(const std::string& arguments,
                     const std::string& message) const {
    const Outcome outcome = Run(arguments);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_NE(outcome.output.find(message), std::string::npos)
        << outcome.output;
    EXPECT_FALSE(fs::exists(out_)) << "left something in the output folder";
  }

  std::string FileWith(const std::string& content,
                       const std::string& name) const {
    fs::create_directories(folder_);
    std::ofstream(folder_ / name) << content;
    return (folder_ / name).string();
  }

  static std::string Read(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) /
      (std::string("arm_tracking_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path out_ = folder_ / "out";
};

TEST_F(ArmTracking, PrintsATableAndWritesLogAndReport) {
  const Outcome outcome = Run("--time 0.5");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("shoulder_pitch"), std::string::npos);
  EXPECT_NE(outcome.output.find("Largest tracking error"), std::string::npos);
  const std::string csv = Read(out_ / "log.csv");
  EXPECT_TRUE(csv.starts_with("time,shoulder_yaw.position,"));
  // The header, and 0.5 s at 100 Hz with both ends.
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 51);
  const std::string html = Read(out_ / "report.html");
  EXPECT_NE(html.find("<polyline"), std::string::npos);
  for (const char* load : {"src=\"http", "href=\"http", "src=&quot;http",
                           "href=&quot;http", "@import"}) {
    EXPECT_EQ(html.find(load), std::string::npos) << load;
  }
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  // The motion, or why there is none.
  EXPECT_NE(html.find("<iframe") == std::string::npos,
            html.find("No replay") == std::string::npos);
}

TEST_F(ArmTracking, TakesAnyRobotAndWeldsItsRoot) {
  constexpr const char* kGantry = R"(<robot name="gantry">
    <link name="rail"/>
    <link name="cart"><inertial><mass value="2"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
    <joint name="slide" type="prismatic">
      <parent link="rail"/><child link="cart"/><axis xyz="0 0 1"/>
      <limit lower="-1" upper="1" effort="100" velocity="1"/></joint>
    <transmission name="t">
      <type>transmission_interface/SimpleTransmission</type>
      <joint name="slide"/><actuator name="motor"/></transmission></robot>)";
  const Outcome outcome =
      Run("--time 0.2 --urdf " + FileWith(kGantry, "gantry.urdf"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("mm"), std::string::npos);
  EXPECT_TRUE(Read(out_ / "report.html").find("force [N]") !=
              std::string::npos);
}

TEST_F(ArmTracking, FailsWhenTheErrorIsAboveTheBound) {
  const Outcome outcome = Run("--time 0.5 --bound 1e-9");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("FAILED"), std::string::npos);
  EXPECT_NE(outcome.output.find("too soft"), std::string::npos);
  // The report says how it was made.
  const std::string html = Read(out_ / "report.html");
  EXPECT_NE(html.find("--bound 1e-9"), std::string::npos);
  EXPECT_NE(html.find("Wyvern 0."), std::string::npos);
}

// Two links on hinges without a transmission, the second with given dynamics.
// An effort of 3 does not hold both links up, which takes 3.92 N m.
std::string Links(const std::string& dynamics, const std::string& transmission,
                  const std::string& effort = "3") {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><origin xyz='0.2 0 0'/><mass value='1'/><inertia "
           "ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/>"
           "</inertial></link>";
  };
  const auto joint = [&](const std::string& name, const std::string& parent,
                         const std::string& child, const std::string& more) {
    return "<joint name='" + name + "' type='revolute'><parent link='" +
           parent + "'/><child link='" + child +
           "'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='1' "
           "effort='" +
           effort + "'/>" + more + "</joint>";
  };
  return "<robot name='links'><link name='base'/>" + link("one") + link("two") +
         joint("first", "base", "one", "") +
         joint("second", "one", "two", dynamics) + transmission + "</robot>";
}

TEST_F(ArmTracking, ActuatesAllJointsOfAFileWithoutTransmissions) {
  const Outcome outcome =
      Run("--time 0.2 --urdf " + FileWith(Links("", "", "30"), "links.urdf"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("an actuator, 0 of them without effort limit"),
            std::string::npos)
      << outcome.output;
  const std::string remark = "no joint has a transmission; 2 joints get";
  const size_t first = outcome.output.find(remark);
  EXPECT_NE(first, std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find(remark, first + 1), std::string::npos)
      << "said twice";
  EXPECT_NE(outcome.output.find("second"), std::string::npos);
}

const char kFirstAlone[] =
    "<transmission name='t'><type>transmission_interface/SimpleTransmission"
    "</type><joint name='first'/><actuator name='m'/></transmission>";

TEST_F(ArmTracking, ActuatesAllJointsOnDemand) {
  const std::string file = FileWith(Links("", kFirstAlone), "links.urdf");
  const Outcome one = Run("--time 0.05 --urdf " + file);
  EXPECT_EQ(one.output.find("\nsecond "), std::string::npos) << one.output;
  EXPECT_NE(one.output.find("without a transmission are not driven: second;"),
            std::string::npos)
      << one.output;
  const Outcome all = Run("--time 0.05 --actuate-all --urdf " + file);
  EXPECT_NE(all.output.find("\nsecond "), std::string::npos) << all.output;
  EXPECT_NE(all.output.find("1 joints get an actuator"), std::string::npos);
}

// A gripper without mass or inertia, and a finger that follows it.
TEST_F(ArmTracking, WeldsJointsThatMoveNoInertia) {
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& mimic) {
    return "<link name='" + child + "'/><joint name='" + name +
           "' type='continuous'><parent link='" + parent + "'/><child link='" +
           child + "'/>" + mimic + "</joint>";
  };
  const Outcome outcome =
      Run("--time 0.2 --urdf " +
          FileWith(
              Links("",
                    joint("grip", "two", "palm", "") +
                        joint("finger", "palm", "tip", "<mimic joint='grip'/>"),
                    "30"),
              "romeo.urdf"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("joints that move no mass and no inertia are "
                                "welded: grip, finger."),
            std::string::npos)
      << outcome.output;
}

TEST_F(ArmTracking, SaysThatDryFrictionHoldsAJoint) {
  const Outcome outcome =
      Run("--time 0.2 --urdf " +
          FileWith(Links("<dynamics friction='5'/>",
                         "<transmission name='t'><type>transmission_interface/"
                         "SimpleTransmission</type><joint name='second'/>"
                         "<actuator name='m'/></transmission>"),
                   "stuck.urdf"));
  EXPECT_NE(outcome.output.find("joint 'second' stays where it is: its dry "
                                "friction, 5, is no less than its effort "
                                "limit, 3."),
            std::string::npos)
      << outcome.output;
}

TEST_F(ArmTracking, FeedsDampingAndDryFrictionForward) {
  const Outcome outcome =
      Run("--time 2 --urdf " +
          FileWith(Links("<dynamics damping='20' friction='5'/>", "", "90"),
                   "rusty.urdf"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

TEST_F(ArmTracking, SaysWhyAJointFailsAndPutsItFirst) {
  // The first joint's effort limit is less than the links weigh.
  const Outcome outcome = Run("--time 2 --actuate-all --urdf " +
                              FileWith(Links("", kFirstAlone), "weak.urdf"));
  EXPECT_EQ(outcome.exit_code, 1);
  const size_t failed = outcome.output.find("saturated");
  EXPECT_NE(failed, std::string::npos) << outcome.output;
  EXPECT_LT(failed, outcome.output.find("\nsecond ")) << outcome.output;
}

TEST_F(ArmTracking, ChecksTheFolderBeforeItSimulates) {
  FileWith("", "out");  // Where the folder is to be.
  const Outcome outcome = Run("");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("cannot write"), std::string::npos);
  EXPECT_EQ(outcome.output.find("Wall time"), std::string::npos);
}

TEST_F(ArmTracking, RefusesAMissingRobot) {
  ExpectFailure("--urdf /no/such.urdf", "/no/such.urdf");
}

TEST_F(ArmTracking, RefusesAMalformedRobotWithFileAndLine) {
  const std::string file =
      FileWith("<robot name='r'>\n  <link name='a'>\n", "r.urdf");
  ExpectFailure("--urdf " + file, file + ":");
}

TEST_F(ArmTracking, RefusesARobotWithoutActuators) {
  ExpectFailure("--urdf " + FileWith("<robot name='r'><link name='a'/></robot>",
                                     "r.urdf"),
                "no joint has an actuator");
}

TEST_F(ArmTracking, RefusesAnUnknownJointInTheWaypoints) {
  const std::string file = FileWith("time, knee\n0, 0\n1, 0\n", "w.csv");
  ExpectFailure("--waypoints " + file, "joint 'knee'");
}

TEST_F(ArmTracking, RefusesMalformedWaypointsWithFileAndLine) {
  const std::string file = FileWith("time, elbow\n0, zero\n", "w.csv");
  ExpectFailure("--waypoints " + file, file + ":2: 'zero' is not a finite");
}

TEST_F(ArmTracking, RefusesOptionsThatMakeNoSense) {
  ExpectFailure("--time-step -0.001", "--time-step");
  ExpectFailure("--time nan", "--time");
  ExpectFailure("--bandwidth nan", "--bandwidth");
  ExpectFailure("--no-such-option", "--no-such-option");
}

TEST_F(ArmTracking, HelpIsASuccess) {
  const Outcome outcome = Run("--help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("--urdf"), std::string::npos);
}

}  // namespace arm_tracking_cli_test
}  // namespace wyvern::examples
