// How many files a joint is spread over, by the list in multibody/README.md.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"

namespace wyvern::tests {
namespace joint_files_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;
constexpr int kMostFiles = 8;

// Motions that no other code has a reason to name.
struct Motion {
  std::string file_name;
  std::string class_name;
};
const std::vector<Motion> kMotions{{"universal", "Universal"},
                                   {"planar", "Planar"},
                                   {"curvilinear", "Curvilinear"}};

// The numbered files of the section, NAME being that of a joint.
std::vector<std::string> ListedFiles(const std::string& name) {
  const std::string readme = ReadFile(kTop / "multibody/README.md");
  const size_t start = readme.find("## A new joint");
  EXPECT_NE(start, std::string::npos);
  const std::string section =
      readme.substr(start, readme.find("\n## ", start) - start);
  const std::regex item("\n[0-9]+\\. `([^`]*)`");
  std::vector<std::string> files;
  for (std::sregex_iterator i(section.begin(), section.end(), item), end;
       i != end; ++i) {
    files.push_back(
        std::regex_replace((*i)[1].str(), std::regex("NAME"), name));
  }
  return files;
}

// The library's files that name a motion; what files call it is parsing's.
std::vector<std::string> FilesThatName(const Motion& motion) {
  const auto& [name, Name] = motion;
  const std::regex mention("\\bk" + Name + "\\b|" + Name +
                           "(Joint|Mobilizer)\\b|" + name +
                           "_(joint|mobilizer)|F\\(" + Name + "\\)");
  std::vector<std::string> files;
  for (const std::string& source : LibrarySources(kTop)) {
    if (source.starts_with("multibody/parsing/")) continue;
    const std::string text = ReadFile(kTop / source);
    if ((text.find(Name) != text.npos || text.find(name) != text.npos) &&
        std::regex_search(text, mention)) {
      files.push_back(source);
    }
  }
  return files;
}

TEST(ANewJoint, TouchesAtMostEightFilesAllOfWhichExist) {
  for (const Motion& motion : kMotions) {
    const auto files = ListedFiles(motion.file_name);
    EXPECT_GT(files.size(), 4u);
    EXPECT_LE(files.size(), kMostFiles);
    for (const std::string& file : files) {
      EXPECT_TRUE(fs::exists(kTop / file)) << file;
    }
  }
}

TEST(ANewJoint, IsNamedByTheListedFilesAlone) {
  for (const Motion& motion : kMotions) {
    const auto listed = ListedFiles(motion.file_name);
    const auto found = FilesThatName(motion);
    EXPECT_GE(found.size(), 4u) << motion.class_name;
    for (const std::string& file : found) {
      EXPECT_NE(std::find(listed.begin(), listed.end(), file), listed.end())
          << file << " names " << motion.class_name
          << "; ask MobilizerTraits for what it wants to know instead.";
    }
  }
}

// A switch with a default would leave a new type to chance.
TEST(MobilizerTypes, AreNotCasesButInTheVisitorAndOneKernel) {
  const std::regex of_types("case (engine::)?MobilizerType::");
  std::set<std::string> found;
  for (const std::string& source : LibrarySources(kTop)) {
    const std::string text = ReadFile(kTop / source);
    if (text.find("MobilizerType::") != text.npos &&
        std::regex_search(text, of_types)) {
      found.insert(source);
    }
  }
  // The kernel has the types of one axis by name and visits the others.
  EXPECT_EQ(found,
            (std::set<std::string>{"multibody/algorithms/newton_euler.cc",
                                   "multibody/mobilizers/visit_mobilizer.h"}));
}

}  // namespace joint_files_test
}  // namespace wyvern::tests
