// A log that has its models: packed files, what is refused of hostile lists,
// and a replay after the models' folder is gone.
#include "wyvern/app/log_files.h"

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/expect_throws.h"
#include "wyvern/app/command.h"
#include "wyvern/app/log_view.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

namespace wyvern::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTetrahedron =
    "mtllib part.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class LogFilesTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path Write(const fs::path& name, const std::string& text) const {
    const fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  // A robot with a mesh in a package, and one by a relative path.
  void WriteRobot() const {
    Write("site/arm_description/package.xml",
          "<package><name>arm_description</name></package>");
    Write("site/arm_description/meshes/part.obj", kTetrahedron);
    Write("site/arm_description/meshes/part.mtl", "newmtl a\nmap_Kd a.png\n");
    Write("site/arm_description/meshes/a.png", std::string("\x89PNG\0", 5));
    Write("site/robots/meshes/hand.obj", kTetrahedron);
    Write("site/robots/arm.urdf", R"(<robot name="arm"><link name="base"/>
      <link name="bar"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><geometry><mesh
          filename="package://arm_description/meshes/part.obj"/>
        </geometry></visual>
        <visual><geometry><mesh filename="meshes/hand.obj"/></geometry>
        </visual></link>
      <joint name="lift" type="prismatic"><parent link="base"/>
        <child link="bar"/><axis xyz="0 0 1"/>
        <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>)");
  }
  PackedFiles PackRobot(std::uint64_t largest = 1000000) const {
    auto record = std::make_shared<multibody::FileRecord>();
    Parse(record);
    return PackFiles(*record, largest);
  }
  // Returns the warnings of a parser.
  std::vector<std::string> Parse(
      const std::shared_ptr<multibody::FileRecord>& record,
      const std::map<std::string, std::string>& packages = {}) const {
    multibody::MultibodyPlant<double> plant(0.001);
    geometry::SceneGraph<double> scene_graph;
    multibody::Parser parser(&plant, &scene_graph);
    parser.package_map().SetFileRecord(record);
    for (const auto& [name, path] : packages) {
      parser.package_map().Add(name, record->Locate(path).string());
    }
    parser.SetWarningHandler(nullptr);
    parser.AddModels(folder_ / "site/robots/arm.urdf");
    return parser.warnings();
  }
  static PackedFiles Packed(const std::string& path, const std::string& bytes) {
    return {fmt::format("files:\n- path: '{}'\n  bytes: {}\n  checksum: "
                        "'{:016x}'\n  is_inside: true\nlinks: []\npackages: "
                        "{{}}\n",
                        path, bytes.size(), internal::HashBytes(bytes)),
            {{path, bytes}}};
  }

  const fs::path folder_ = fs::canonical(testing::TempDir()) /
                           fmt::format("wyvern_log_files_{}", getpid());
};

TEST_F(LogFilesTest, APackedModelIsReadWhenItsFolderIsGone) {
  WriteRobot();
  const PackedFiles packed = PackRobot();
  EXPECT_EQ(packed.contents.size(), 5u);
  const std::string image =
      (folder_ / "site/arm_description/meshes/a.png").string();
  EXPECT_EQ(packed.contents.at(image), std::string("\x89PNG\0", 5));
  fs::remove_all(folder_ / "site");
  const UnpackedFiles files(packed, "run.h5");
  EXPECT_EQ(files.packages().at("arm_description"),
            (folder_ / "site/arm_description").string());
  const auto record = files.MakeRecord();
  EXPECT_EQ(Parse(record, files.packages()), std::vector<std::string>{});
  for (const fs::path& file : record->files()) {
    EXPECT_FALSE(file.string().starts_with(folder_.string())) << file;
  }
  EXPECT_EQ(record->files().size(), 3u);
}

TEST_F(LogFilesTest, ALargeFileIsTakenFromThisMachineIfItIsTheSame) {
  WriteRobot();
  const PackedFiles packed = PackRobot(0);
  EXPECT_TRUE(packed.contents.empty());
  {
    const UnpackedFiles files(packed, "run.h5");
    EXPECT_EQ(Parse(files.MakeRecord(), files.packages()),
              std::vector<std::string>{});
  }
  Write("site/robots/meshes/hand.obj", std::string(kTetrahedron) + "#");
  fs::remove(folder_ / "site/arm_description/meshes/part.obj");
  testing::internal::CaptureStderr();
  const UnpackedFiles files(packed, "run.h5");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("hand.obj', which has changed since the run"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("part.obj', which is not on this machine"),
            std::string::npos)
      << said;
  EXPECT_EQ(Parse(files.MakeRecord(), files.packages()).size(), 2u);
}

TEST_F(LogFilesTest, ALinkIsReadAsTheFileAtItsEnd) {
  WriteRobot();
  fs::create_directories(folder_ / "real");
  fs::rename(folder_ / "site/robots/arm.urdf", folder_ / "real/arm.urdf");
  fs::create_symlink(folder_ / "real/arm.urdf",
                     folder_ / "site/robots/arm.urdf");
  const PackedFiles packed = PackRobot();
  fs::remove_all(folder_ / "site");
  fs::remove_all(folder_ / "real");
  const UnpackedFiles files(packed, "run.h5");
  EXPECT_EQ(Parse(files.MakeRecord(), files.packages()),
            std::vector<std::string>{});
}

TEST_F(LogFilesTest, TheFolderIsGoneAfterwards) {
  fs::path place;
  {
    const UnpackedFiles files(Packed("/a/b", "1"), "run.h5");
    place = files.MakeRecord()->Locate("/a/b");
    EXPECT_TRUE(fs::is_regular_file(place));
  }
  EXPECT_FALSE(fs::exists(place.parent_path().parent_path()));
}

TEST_F(LogFilesTest, HostileListsAreRefused) {
  const auto refuses = [](const PackedFiles& packed, const char* message) {
    EXPECT_THROWS_MESSAGE(UnpackedFiles(packed, "run.h5"), std::runtime_error,
                          message);
  };
  for (const char* path :
       {"/../escaped", "/a/../../escaped", "escaped", "/a/./b", "/a/", ""}) {
    refuses(Packed(path, "1"), "is not an absolute path without '..'");
  }
  PackedFiles packed = Packed("/a", "1");
  packed.contents["/a"] = "2";
  refuses(packed, "'/a' has 1 bytes with the checksum");
  packed.contents["/a"] = "11";
  refuses(packed, "'/a' has 2 bytes");
  packed.contents.clear();
  refuses(packed, "lacks the contents of '/a'");
  refuses({"files: 1\n", {}}, "run.h5: its list of files is damaged");
  refuses({"files: []\nlinks: []\npackages: {a: /b/../../c}\n", {}},
          "is not an absolute path without '..'");
  refuses({"files: []\nlinks: [{path: /a, target: /etc/passwd}]\n"
           "packages: {}\n",
           {}},
          "not a file of the log");
  // A file in the place of a folder.
  packed = Packed("/a", "1");
  const PackedFiles inner = Packed("/a/b", "1");
  packed.contents.merge(std::map(inner.contents));
  packed.list.erase(packed.list.find("links"));
  packed.list += inner.list.substr(inner.list.find("- path"));
  refuses(packed, "is damaged");
}

TEST_F(LogFilesTest, ARecordOfALogReadsNothingElse) {
  const multibody::FileRecord record(folder_ / "root");
  EXPECT_EQ(record.Locate("/etc/passwd"), folder_ / "root/etc/passwd");
  EXPECT_EQ(record.Locate(folder_ / "root/a/../b"), folder_ / "root/b");
  EXPECT_EQ(record.Locate(folder_ / "root/../../etc"),
            folder_ / "root" / (folder_.parent_path() / "etc").relative_path());
}

TEST_F(LogFilesTest, ALogIsShownOnAnotherMachine) {
  if (!geometry::Viewer::IsAvailable()) GTEST_SKIP() << "No viewer here.";
  if (!systems::Hdf5RecordingSink::is_available()) {
    GTEST_SKIP() << "This library was built without HDF5.";
  }
  WriteRobot();
  Write("site/motion.csv", "t,q\n0,0\n1,1\n");
  const fs::path scenario = Write("site/arm.yaml", R"(
model_files: [{file: robots/arm.urdf, base: welded}]
actuators: {arm: {}}
model_drivers: {arm: !PdDriver {kp: [10], kd: [1],
  reference: !CsvFile {file: motion.csv}}}
simulation_duration: 0.1
)");
  const fs::path log = folder_ / "run.h5";
  std::ostringstream out, err;
  ASSERT_EQ(
      RunCommand({"run", scenario.string(), "--log", log.string()}, out, err),
      0)
      << err.str();
  const systems::Hdf5RecordingReader reader(log.string());
  EXPECT_TRUE(reader.ReadFiles().contains(folder_ / "site/motion.csv"));
  fs::remove_all(folder_ / "site");
  const auto viewer = std::make_shared<geometry::Viewer>();
  LogView(log).Show(viewer);
  const auto path = "/wyvern/illustration/arm/bar";
  EXPECT_TRUE(viewer->HasPath(path));
}

}  // namespace
}  // namespace wyvern::app
