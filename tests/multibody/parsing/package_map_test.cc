#include "wyvern/multibody/parsing/package_map.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/multibody/parsing/package_search.h"

namespace wyvern::multibody {
namespace package_map_test {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// A folder with the packages one, two and, inside one, inner.
class PackageMapTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* test =
        testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() /
            (std::string("package_map_test_") + test->name());
    fs::remove_all(root_);
    AddPackage("one", "one");
    AddPackage("two", "two");
    AddPackage("one/inner", "inner");
    std::ofstream(root_ / "one/robot.urdf") << "<robot name='r'/>";
  }
  void TearDown() override { fs::remove_all(root_); }

  void AddPackage(const std::string& folder, const std::string& name,
                  const std::string& more = "") {
    fs::create_directories(root_ / folder);
    std::ofstream(root_ / folder / "package.xml")
        << "<package>\n<name> " << name << " </name>" << more << "</package>";
  }
  std::string Path(const std::string& folder) const {
    return (root_ / folder).string();
  }

  fs::path root_;
  PackageMap map_;
};

TEST_F(PackageMapTest, StartsEmpty) {
  EXPECT_EQ(map_.size(), 0);
  EXPECT_FALSE(map_.Contains("one"));
  EXPECT_EQ(PackageMap::MakeEmpty().GetPackageNames(), Names{});
}

TEST_F(PackageMapTest, KeepsWhatIsAdded) {
  map_.Add("one", Path("one"));
  map_.Add("one", Path("two/../one"));
  EXPECT_EQ(map_.GetPackageNames(), Names{"one"});
  EXPECT_EQ(map_.GetPath("one"), Path("one"));
  map_.Remove("one");
  EXPECT_EQ(map_.size(), 0);
}

TEST_F(PackageMapTest, RefusesWhatCannotBeAdded) {
  EXPECT_THROWS_MESSAGE(map_.Add("", Path("one")), std::logic_error, "no name");
  EXPECT_THROWS_MESSAGE(map_.Add("x", Path("x")), std::runtime_error,
                        "which does not exist");
  map_.Add("one", Path("one"));
  EXPECT_THROWS_MESSAGE(map_.Add("one", Path("two")), std::runtime_error,
                        "but it is already in");
  PackageMap other;
  other.Add("one", Path("two"));
  EXPECT_THROWS_MESSAGE(map_.AddMap(other), std::runtime_error,
                        "but it is already in");
}

TEST_F(PackageMapTest, SaysWhichPackagesThereAre) {
  map_.Add("one", Path("one"));
  map_.Add("two", Path("two"));
  EXPECT_THROWS_MESSAGE(
      map_.GetPath("three"), std::runtime_error,
      "GetPath(): there is no package 'three'; their names are: one, two.");
  EXPECT_THROWS_MESSAGE(map_.Remove("three"), std::runtime_error,
                        "Remove(): there is no package 'three'");
}

TEST_F(PackageMapTest, FindsPackagesInAFolder) {
  map_.PopulateFromFolder(root_.string());
  EXPECT_EQ(map_.GetPackageNames(), (Names{"inner", "one", "two"}));
  EXPECT_EQ(map_.GetPath("inner"), Path("one/inner"));
  EXPECT_THROWS_MESSAGE(map_.PopulateFromFolder(""), std::logic_error,
                        "the path is empty");
}

TEST_F(PackageMapTest, TheLeastDeepPackageOfANameStays) {
  AddPackage("a/deep/down", "two");
  testing::internal::CaptureStderr();
  map_.PopulateFromFolder(root_.string());
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "warning: package 'two' in '" + Path("a/deep/down") +
                "' is passed over"),
            std::string::npos);
  EXPECT_EQ(map_.GetPath("two"), Path("two"));
}

TEST_F(PackageMapTest, DoesNotFollowLinksInACircle) {
  fs::create_directory_symlink(root_, root_ / "one/circle");
  map_.PopulateFromFolder(root_.string());
  EXPECT_EQ(map_.size(), 3);
}

TEST_F(PackageMapTest, FindsPackagesInTheEnvironment) {
  const std::string folders =
      Path("one") + "::" + Path("no") + ":" + Path("two") + ":";
  setenv("PACKAGE_MAP_TEST", folders.c_str(), 1);
  testing::internal::CaptureStderr();
  map_.PopulateFromEnvironment("PACKAGE_MAP_TEST");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warning: there is no folder '" + Path("no") +
                "' to look for packages in.\n");
  EXPECT_EQ(map_.GetPackageNames(), (Names{"inner", "one", "two"}));
  unsetenv("PACKAGE_MAP_TEST");
  map_.PopulateFromEnvironment("PACKAGE_MAP_TEST");
  EXPECT_EQ(map_.size(), 3);
}

TEST_F(PackageMapTest, RosPackagePathHasAFunctionOfItsOwn) {
  EXPECT_THROWS_MESSAGE(map_.PopulateFromEnvironment("ROS_PACKAGE_PATH"),
                        std::logic_error, "call PopulateFromRosPackagePath()");
}

TEST_F(PackageMapTest, RosRulesPassOverMarkedFoldersAndThoseInPackages) {
  AddPackage("ignored/three", "three");
  std::ofstream(root_ / "ignored/CATKIN_IGNORE");
  setenv("ROS_PACKAGE_PATH", root_.c_str(), 1);
  map_.PopulateFromRosPackagePath();
  unsetenv("ROS_PACKAGE_PATH");
  EXPECT_EQ(map_.GetPackageNames(), (Names{"one", "two"}));
}

TEST_F(PackageMapTest, ReadsWhyAPackageIsDeprecated) {
  AddPackage("old", "old", "<export><deprecated>use two</deprecated></export>");
  map_.AddPackageXml(Path("old/package.xml"));
  EXPECT_EQ(map_.GetDeprecated("old"), "use two");
  std::optional<std::string> message;
  testing::internal::CaptureStderr();
  map_.GetPath("old", &message);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(message, "use two");
  const std::string warning = "warning: package 'old' is deprecated: use two\n";
  testing::internal::CaptureStderr();
  map_.GetPath("old");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), warning);
  testing::internal::CaptureStderr();
  map_.ResolveUrl("package://old/package.xml");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), warning);
  map_.SetDeprecated("old", std::nullopt);
  EXPECT_EQ(map_.GetDeprecated("old"), std::nullopt);
}

TEST_F(PackageMapTest, PackagesAreFoundAroundAFileAndInTheEnvironment) {
  using internal::FindPackage;
  using internal::PackageOfUrl;
  EXPECT_EQ(PackageOfUrl("package://one/robot.urdf"), "one");
  EXPECT_EQ(PackageOfUrl("model://two"), "two");
  EXPECT_EQ(PackageOfUrl("file:///one"), std::nullopt);
  // Above the file, by the name in package.xml, and next to those above it.
  AddPackage("folder", "called");
  const fs::path deep = root_ / "folder/a/b";
  fs::create_directories(deep);
  EXPECT_EQ(FindPackage("called", deep), root_ / "folder");
  EXPECT_EQ(FindPackage("folder", deep), root_ / "folder");
  EXPECT_EQ(FindPackage("two", deep), root_ / "two");
  EXPECT_EQ(FindPackage("none", deep), std::nullopt);
  EXPECT_EQ(FindPackage("", deep), std::nullopt);
  EXPECT_EQ(FindPackage("..", deep), std::nullopt);
  EXPECT_EQ(FindPackage("two", std::nullopt), std::nullopt);
  for (const char* variable : {"ROS_PACKAGE_PATH", "WYVERN_MODELS_DIR"}) {
    const char* const before = std::getenv(variable);
    const std::string kept = before == nullptr ? "" : before;
    setenv(variable, root_.c_str(), 1);
    EXPECT_EQ(FindPackage("called", std::nullopt), root_ / "folder");
    before == nullptr ? unsetenv(variable) : setenv(variable, kept.c_str(), 1);
  }
}

TEST_F(PackageMapTest, FoldersAreMadeAbsolute) {
  const fs::path present = fs::current_path();
  fs::current_path(root_);
  map_.Add("one", "one");
  fs::current_path(present);
  EXPECT_EQ(map_.ResolveUrl("package://one/robot.urdf"),
            Path("one/robot.urdf"));
}

TEST_F(PackageMapTest, RefusesAPackageXmlWithoutName) {
  EXPECT_THROWS_MESSAGE(map_.AddPackageXml(Path("one/robot.urdf")),
                        std::runtime_error, ":1: the document is a <robot>");
  AddPackage("odd", "");
  EXPECT_THROWS_MESSAGE(map_.AddPackageXml(Path("odd/package.xml")),
                        std::runtime_error,
                        "package.xml:2: the name of the package is empty");
}

TEST_F(PackageMapTest, ResolvesUrls) {
  map_.Add("one", Path("one"));
  const std::string file = Path("one/robot.urdf");
  for (const std::string& url :
       {std::string("package://one/robot.urdf"),
        std::string("model://one/robot.urdf"),
        std::string("package://one//inner/../robot.urdf"), "file://" + file}) {
    EXPECT_EQ(map_.ResolveUrl(url), file) << url;
  }
}

TEST_F(PackageMapTest, RefusesUrlsThatStandForNothing) {
  map_.Add("one", Path("one"));
  for (const char* url : {"", "/robot.urdf", "http://one/robot.urdf",
                          "package:one/robot.urdf", "package://one"}) {
    EXPECT_THROWS_MESSAGE(map_.ResolveUrl(url), std::runtime_error,
                          "is not a URL that can be resolved")
  }
  EXPECT_THROWS_MESSAGE(map_.ResolveUrl("package://three/robot.urdf"),
                        std::runtime_error, "there is no package 'three'");
  EXPECT_THROWS_MESSAGE(map_.ResolveUrl("package://one/no.urdf"),
                        std::runtime_error, "which does not exist");
}

}  // namespace package_map_test
}  // namespace wyvern::multibody
