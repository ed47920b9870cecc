// A model by itself: what it stands on, what holds it, and what a person is
// told who gives a file to the wrong command, or misspells one.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "wyvern/app/command.h"
#include "wyvern/app/file_kind.h"
#include "wyvern/app/model_scenario.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"

namespace wyvern::app {
namespace model_run_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;

fs::path Write(const std::string& name, const std::string& text) {
  const fs::path file =
      fs::path(testing::TempDir()) / "wyvern_model_run" / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

struct Said {
  int code{};
  std::string out;
  std::string err;
};

Said Tell(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = RunCommand(arguments, out, err);
  return {code, out.str(), err.str()};
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A ball of radius 0.1 m that a hinge ties to a box, which is free or not.
std::string Urdf(const std::string& base = "box") {
  return fmt::format(
      "<robot name='toy'><link name='{0}'>{1}</link><link name='ball'>"
      "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' "
      "ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='.1'/>"
      "</geometry></collision></link><joint name='pin' type='revolute'><origin "
      "xyz='0 0 -0.5'/><axis xyz='0 1 0'/><parent link='{0}'/><child "
      "link='ball'/><limit lower='-3' upper='3' velocity='9' effort='60'/>"
      "</joint></robot>",
      base,
      base == "world"
          ? ""
          : "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' "
            "ixy='0' ixz='0' iyz='0'/></inertial>");
}

double FindFloor(const std::string& file,
                 const std::vector<std::string>& settings = {}) {
  const Scenario scenario = LoadScenarioFromString(
      SaveScenario(MakeModelScenario(file, {})), settings);
  ScenarioSimulation simulation(scenario, "/");
  const auto& plant = simulation.plant();
  const auto& inspector =
      dynamic_cast<const geometry::SceneGraph<double>&>(
          simulation.diagram().GetSubsystemByName("scene_graph"))
          .model_inspector();
  for (const auto id :
       plant.GetCollisionGeometriesForBody(plant.world_body())) {
    if (inspector.GetName(id).starts_with("floor") &&
        inspector.GetShape(id).type_name() == "HalfSpace") {
      return inspector.GetPoseInFrame(id).translation()[2];
    }
  }
  return std::nan("");
}

// A ball of radius 0.1 m at a height, and more geometries of the world.
std::string WriteBall(double z, const std::string& more) {
  return Write("ball.xml",
               fmt::format("<mujoco model='m'><worldbody>{}<body pos='0 0 "
                           "{}'><freejoint/><geom size='.1'/></body>"
                           "</worldbody></mujoco>",
                           more, z))
      .string();
}

TEST(ModelRun, TheFloorIsUnderTheLowestShapeAndNotAboveZero) {
  const std::string toy = Write("toy.urdf", Urdf()).string();
  EXPECT_DOUBLE_EQ(FindFloor(toy), -0.6);
  EXPECT_DOUBLE_EQ(FindFloor(toy, {"floor.height=-2"}), -2);
  EXPECT_DOUBLE_EQ(FindFloor(WriteBall(3, "")), 0);
  EXPECT_DOUBLE_EQ(FindFloor(WriteBall(-3, "")), -3.1);
}

TEST(ModelRun, AFloorIsAddedUnlessAPlaneOrAWideBoxBearsTheModel) {
  EXPECT_TRUE(std::isnan(FindFloor(
      WriteBall(3, "<geom type='plane' size='1 1 1' pos='0 0 1'/>"))));
  EXPECT_TRUE(std::isnan(FindFloor(
      WriteBall(3, "<geom type='box' size='1 1 1' pos='0 0 1.9'/>"))));
  EXPECT_DOUBLE_EQ(
      FindFloor(WriteBall(3, "<geom type='box' size='.1 .1 .1' pos='1 0 1'/>")),
      0);
  // The model may have a geometry of the floor's name.
  const std::string tile = "<geom name='floor' type='box' size='.05 1 .1'/>";
  EXPECT_DOUBLE_EQ(FindFloor(WriteBall(3, tile)), -0.1);
  const std::string wall = "<geom type='plane' size='1 1 1' zaxis='1 0 0'/>";
  EXPECT_DOUBLE_EQ(FindFloor(WriteBall(3, wall)), 0);
}

TEST(ModelRun, AFreeBaseFallsAndAWeldedOneStays) {
  const std::string toy = Write("toy.urdf", Urdf()).string();
  const Said free =
      Tell({"run", toy, "--until", "0.5", "--set", "floor.height=-9"});
  EXPECT_EQ(free.code, 0) << free.err;
  EXPECT_TRUE(Contains(free.out, "the base toy::box is free")) << free.out;
  // 9.81 / 2 * 0.25 m
  EXPECT_TRUE(Contains(free.out, "the free base toy::box fell by 1.23 m"))
      << free.out;
  const Said welded = Tell({"run", toy, "--until", "0.5", "--base", "welded"});
  EXPECT_EQ(welded.code, 0) << welded.err;
  EXPECT_FALSE(Contains(welded.out, "free")) << welded.out;
}

TEST(ModelRun, TheHintForLooseJointsNamesTheModelThatHasThem) {
  const std::string world =
      Write("loose.sdf",
            "<sdf version='1.7'><world name='w'><model name='arm'><link "
            "name='b'/><joint name='j' type='revolute'><parent>world</parent>"
            "<child>b</child><axis><xyz>0 0 1</xyz><limit><effort>0</effort>"
            "</limit></axis></joint></model>"
            "<model name='box'><link name='d'/></model></world></sdf>")
          .string();
  const Said said = Tell({"run", world, "--until", "0"});
  EXPECT_TRUE(Contains(said.out, "so 1 joint hangs loose")) << said.out;
  EXPECT_TRUE(Contains(said.out, "'actuators={arm: {}}'")) << said.out;
  EXPECT_EQ(Tell({"run", world, "--until", "0", "--set",
                  "actuators={arm: {effort_limit: [5]}}"})
                .code,
            0);
}

TEST(ModelRun, OptionsSetTheScenarioThatIsPrinted) {
  const std::string toy = Write("toy.urdf", Urdf()).string();
  const Said said = Tell({"run", toy, "--print", "--time-step", "0.002",
                          "--contact-model", "point", "--base", "welded",
                          "--until", "3", "--set", "actuators={toy: {}}"});
  EXPECT_EQ(said.code, 0) << said.err;
  const Scenario scenario = LoadScenarioFromString(said.out);
  EXPECT_EQ(scenario.plant_config.time_step, 0.002);
  EXPECT_EQ(scenario.plant_config.contact_model, "point");
  EXPECT_EQ(scenario.model_files.at(0).base, "welded");
  EXPECT_EQ(scenario.simulation_duration, 3);
  EXPECT_TRUE(scenario.floor.has_value());
  // The scenario in a file is the same run.
  const std::string file = Write("toy.yaml", said.out).string();
  const Said again = Tell({"run", file, "--until", "0.01"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(Contains(again.out, "5 steps")) << again.out;
}

TEST(ModelRun, AModelIsKnownByItsContents) {
  const std::string world =
      "<sdf version='1.7'><world name='w'><model name='a'><link name='b'/>"
      "</model><model name='c'><link name='d'/></model></world></sdf>";
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{
           {"toy", Urdf("world")},
           {"toy.xml", "<?xml version='1.0'?><!-- <sdf> -->" + Urdf("world")},
           {"toy.txt", "\xEF\xBB\xBF" + Urdf("world")},
           {"two.world", world},
           {"hinge.mjcf",
            "<mujoco><worldbody><body><joint/><geom size='1'/>"
            "</body></worldbody></mujoco>"}}) {
    const Said said = Tell({"run", Write(name, text).string(), "--until", "0"});
    EXPECT_EQ(said.code, 0) << name << ": " << said.err;
    EXPECT_EQ(Tell({"inspect", Write(name, text).string()}).code, 0) << name;
  }
}

TEST(ModelRun, AModelWithoutAnyMassIsAnError) {
  const std::string file =
      Write("light.urdf",
            "<robot name='light'><link name='world'/><link name='a'/><joint "
            "name='j' type='continuous'><parent link='world'/><child "
            "link='a'/></joint></robot>")
          .string();
  const Said said = Tell({"run", file});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(Contains(said.err, "light.urdf: no body has a mass")) << said.err;
}

TEST(ModelRun, PackagesComeFromTheCommandLineAndFromNeighbours) {
  const std::string text =
      "<robot name='r'><link name='a'><visual><geometry><mesh filename='"
      "package://shapes/a.obj'/></geometry></visual></link></robot>";
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  Write("elsewhere/a.obj", triangle);
  Write("near/other/a.obj", triangle);
  Write("near/other/package.xml", "<package><name>shapes</name></package>");
  Write("gazebo/shapes/a.obj", triangle);
  Write("gazebo/shapes/model.config", "<model/>");
  const fs::path alone = Write("alone/r.urdf", text);
  const std::string package =
      "shapes=" + (alone.parent_path().parent_path() / "elsewhere").string();
  const auto sees = [](const std::vector<std::string>& arguments) {
    return Contains(Tell(arguments).out, "\"num_visuals\": 1");
  };
  EXPECT_FALSE(sees({"inspect", alone.string(), "--json"}));
  EXPECT_TRUE(
      sees({"inspect", alone.string(), "--json", "--package", package}));
  for (const char* name : {"near/robot/r.urdf", "gazebo/r/r.urdf"}) {
    EXPECT_TRUE(sees({"inspect", Write(name, text).string(), "--json"}))
        << name;
  }
  EXPECT_TRUE(Contains(
      Tell({"run", alone.string(), "--package", "shapes=/nowhere"}).err,
      "--package shapes=/nowhere: there is no folder '/nowhere'"));
  EXPECT_TRUE(Contains(Tell({"run", alone.string(), "--package", "a"}).err,
                       "give NAME=DIR"));
}

TEST(WrongFiles, GetOneLineThatNamesTheirKindAndNeverTheirText) {
  const std::string secret = "SECRET_TEXT";
  const std::string toy = Write("toy.urdf", Urdf()).string();
  const std::string arm = (kTop / "app/scenarios/arm_pd.yaml").string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"run", Write("log.h5", "\x89HDF\r\n\x1a\n" + secret).string()},
       "is a log (HDF5), which `wyvern run` does not take; `wyvern view`"},
      {{"run", Write("log.csv", "time,a\n" + secret).string()}, "CSV"},
      {{"run", Write("log.mcap", "\x89MCAP0\r\n" + secret).string()}, "MCAP"},
      {{"run", Write("m.stl", "solid " + secret).string()}, "is a mesh"},
      {{"run", Write("p.html", "<html>" + secret).string()}, "browser"},
      {{"run", Write("b.bin", std::string("\0a", 2) + secret).string()},
       "is neither a scenario, a model nor a log"},
      {{"run", Write("a.cc", "int " + secret + "() {}").string()}, "neither"},
      {{"run", Write("text.yaml", secret).string()}, "is YAML, but no mapping"},
      {{"run", Write("empty.yaml", "").string()}, "is empty"},
      {{"run", Write("p.xml", "<svg>" + secret + "</svg>").string()},
       "is XML, but neither URDF, SDFormat nor MJCF"},
      {{"run", Write("x.xacro",
                     "<robot xmlns:xacro='x'><xacro:include "
                     "filename='SECRET_TEXT'/></robot>")
                   .string()},
       "is a xacro file"},
      {{"run", testing::TempDir()}, "is a folder"},
      {{"run", "/nowhere.urdf"}, "/nowhere.urdf does not exist"},
      {{"inspect", arm}, "is a scenario, which `wyvern inspect`"},
      {{"convert", arm, "x.sdf"}, "is a scenario, which `wyvern convert`"},
      {{"diagram", toy}, "--print > scenario.yaml"},
      {{"sweep", toy}, "`wyvern sweep` takes a scenario"},
      {{"view", "/nowhere"}, "does not exist"}};
  for (const auto& [arguments, part] : cases) {
    const Said said = Tell(arguments);
    EXPECT_NE(said.code, 0) << arguments[1];
    EXPECT_TRUE(Contains(said.err, part)) << said.err;
    EXPECT_FALSE(Contains(said.err, secret)) << said.err;
    EXPECT_EQ(said.err.find('\n'), said.err.size() - 1) << said.err;
  }
}

TEST(WrongFiles, DoNotIncludeUrdfThatXacroWrote) {
  const std::string urdf =
      "<!-- made by xacro --><robot name='r' xmlns:xacro='x'><!-- ${length} "
      "<xacro:arm/> --><link name='a'/></robot>\n";
  EXPECT_EQ(FindFileKind(Write("made.urdf", urdf)), FileKind::kUrdf);
  EXPECT_EQ(FindFileKind(Write("open.urdf",
                               "<robot xmlns:xacro='x'><link name='${a}'/>"
                               "<!-- ${b}")),
            FileKind::kXacro);
}

TEST(WrongFiles, DoNotIncludePipesWhichMayHoldScenarios) {
  const fs::path pipe = Write("a.yaml", "").parent_path() / "pipe";
  fs::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(FindFileKind(pipe), FileKind::kScenario);
}

TEST(Misspellings, NameTheNearestCommandOptionOrKey) {
  const std::string arm = (kTop / "app/scenarios/arm_pd.yaml").string();
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"rnu", arm}, "no sub-command 'rnu'; did you mean 'run'?"},
      {{"rn"}, "did you mean 'run'?"},
      {{arm}, "is a scenario, not a sub-command; `wyvern run`"},
      {{"run", arm, "--untill", "2"},
       "no option '--untill'; did you mean "
       "'--until'?"},
      {{"run", arm, "--untill=2"}, "did you mean '--until'?"},
      {{"run", "--relatime", "1", arm}, "did you mean '--realtime'?"},
      {{"run", arm, "--paused"}, "--paused: the run has no page; add --view"},
      {{"run", arm, "--no-wait", "--port", "7001", "--host", "localhost",
        "--open"},
       "--open, --port 7001, --host localhost, --no-wait: the run has no page"},
      {{"sweep", arm, "--sample", "2"}, "did you mean '--samples'?"},
      {{"--verison"}, "did you mean '--version'?"},
      {{"run", arm, "--quite-another-word"}, "no option '--quite-another"},
      {{"run", arm, "--set", "plant_cnfig.time_step=1"},
       "is 'plant_config' meant?"},
      {{"run", arm, "--set", "model_drivers.amr.kp=[1]"},
       "model_drivers has no key 'amr'; did you mean 'arm'?"},
      {{"run", arm, "--set", "model_drivers.arm.kpp=[1]"}, "is 'kp' meant?"},
      {{"run", arm, "--set", "initial_position.amr.elbow=[1]"},
       "no model instance named 'amr', only [arm]; did you mean 'arm'?"},
      {{"run", arm, "--set", "initial_position.arm.ebow=[1]"},
       "did you mean 'elbow'?"}};
  for (const auto& [arguments, part] : cases) {
    const Said said = Tell(arguments);
    EXPECT_NE(said.code, 0);
    EXPECT_TRUE(said.err.starts_with("wyvern: ")) << said.err;
    EXPECT_TRUE(Contains(said.err, part)) << said.err;
  }
}

}  // namespace model_run_test
}  // namespace wyvern::app
