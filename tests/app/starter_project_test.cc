// A new project runs as it is, and its README leaves no key unexplained.
#include "wyvern/app/starter_project.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wyvern/app/command.h"
#include "wyvern/app/model_report.h"
#include "wyvern/app/scenario_io.h"
#include "wyvern/app/scenario_simulation.h"

namespace wyvern::app {
namespace starter_project_test {

namespace fs = std::filesystem;

fs::path NewFolder(const std::string& name) {
  const fs::path top = fs::path(testing::TempDir()) / "wyvern_starter";
  fs::remove_all(top);
  fs::create_directories(top);
  return top / name;
}

std::string Contents(const fs::path& file) {
  std::ifstream stream(file);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::string Refusal(const fs::path& folder) {
  try {
    MakeStarterProject(folder);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(StarterProject, TheArmPassesThroughItsLastWayPoint) {
  const fs::path folder = NewFolder("robot");
  ASSERT_EQ(MakeStarterProject(folder).size(), 3u);
  ScenarioSimulation simulation(
      LoadScenario(folder / "scenario.yaml", {"logs=[]"}), folder);
  EXPECT_TRUE(simulation.warnings().empty());
  simulation.simulator().AdvanceTo(3.2);
  const Eigen::VectorXd q =
      simulation.plant().GetPositions(simulation.plant_context());
  // The last way-point; a PD controller that bears the weight has come to rest.
  EXPECT_LT((q - Eigen::Vector2d(-0.5, 0.8)).norm(), 0.01) << q.transpose();
  EXPECT_EQ(simulation.Run().reason, "the duration is over");
}

TEST(StarterProject, NothingAboutTheModelIsDoubtful) {
  const fs::path folder = NewFolder("robot");
  MakeStarterProject(folder);
  const ModelReport report = InspectModel(folder / "model.urdf");
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_DOUBLE_EQ(report.total_mass, 8);
}

TEST(StarterProject, TheReadmeExplainsEachKeyAndElement) {
  const fs::path folder = NewFolder("robot");
  MakeStarterProject(folder);
  const std::string readme = Contents(folder / "README.md");
  const auto find_all = [](const std::string& text, const char* pattern) {
    const std::regex expression(pattern);
    std::set<std::string> words;
    for (std::sregex_iterator it(text.begin(), text.end(), expression), end;
         it != end; ++it) {
      words.insert((*it)[1]);
    }
    return words;
  };
  const auto keys = find_all(Contents(folder / "scenario.yaml"),
                             "(?:^|\n)[ -]*([A-Za-z_]+):(?=[ \n])");
  const auto elements =
      find_all(Contents(folder / "model.urdf"), "<([a-z_]+)[ >/]");
  EXPECT_GE(keys.size(), 30u);
  EXPECT_GE(elements.size(), 15u);
  const auto rows = find_all(readme, "\n\\| `([A-Za-z_]+)` \\|");
  for (const auto& words : {keys, elements}) {
    for (const std::string& word : words) {
      EXPECT_TRUE(rows.contains(word)) << word;
    }
  }
  // It explains nothing else.
  for (const std::string& row : rows) {
    EXPECT_TRUE(keys.contains(row) || elements.contains(row)) << row;
  }
  EXPECT_TRUE(readme.starts_with("# robot\n"));
}

TEST(StarterProject, NothingThatExistsIsTouched) {
  const fs::path folder = NewFolder("robot");
  fs::create_directories(folder);
  EXPECT_EQ(Refusal(folder), folder.string() +
                                 " exists already; give another name, or move "
                                 "it away.");
  EXPECT_TRUE(fs::is_empty(folder));
  // A link that leads nowhere exists, too.
  const fs::path link = NewFolder("link");
  fs::create_symlink("nowhere", link);
  EXPECT_NE(Refusal(link), "");
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(StarterProject, ANameIsAWord) {
  const fs::path top = NewFolder("");
  for (const char* name : {"..", ".", "a b", "a`b", "a\nb", "-x", "/"}) {
    const std::string text = Refusal(*name == '/' ? "/" : top.string() + name);
    EXPECT_TRUE(text.find("is no name for a folder of a project") != text.npos)
        << name << ": " << text;
  }
  EXPECT_NE(Refusal("").find("'' is no name"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(top));
  EXPECT_EQ(Refusal(top / "deep/er/arm-2.0/"), "");
  EXPECT_EQ(Refusal(top / "größe"), "");
}

TEST(StarterProject, AFolderThatCannotBeMadeIsAnError) {
  const fs::path file = NewFolder("file");
  std::ofstream(file) << "x";
  const std::string text = Refusal(file / "robot");
  EXPECT_TRUE(text.find("cannot be made: Not a directory; choose a place that "
                        "you may write to.") != text.npos)
      << text;
}

TEST(StarterProject, TheCommandSaysWhatItWrote) {
  const fs::path folder = NewFolder("robot");
  std::ostringstream out, err;
  EXPECT_EQ(RunCommand({"new", folder.string()}, out, err), 0) << err.str();
  EXPECT_EQ(out.str(), "  -> " + (folder / "scenario.yaml").string() +
                           "\n  -> " + (folder / "model.urdf").string() +
                           "\n  -> " + (folder / "README.md").string() +
                           "\nRun `wyvern run scenario.yaml --view` in that "
                           "folder.\n");
}

}  // namespace starter_project_test
}  // namespace wyvern::app
