#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// A generated source of this program, every_header.cc, includes all headers and
// names what each must declare: it compiles only if every name exists.

namespace wyvern::tests {
namespace {

const std::filesystem::path kTop = WYVERN_SOURCE_DIR;

struct Row {
  std::string path;
  std::vector<std::string> ours;
  std::vector<std::string> names;
};

std::vector<std::string> SplitAtBlanks(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Row> ReadTable() {
  std::ifstream file(kTop / "drake/headers.tsv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream stream(line);
    std::string path, ours, names;
    std::getline(stream, path, '\t');
    std::getline(stream, ours, '\t');
    std::getline(stream, names, '\t');
    rows.push_back({path, SplitAtBlanks(ours), SplitAtBlanks(names)});
  }
  return rows;
}

std::filesystem::path SourceOf(const std::string& header) {
  const std::string support = "drake/";
  if (!header.starts_with(support)) return kTop / header;
  return kTop / "drake/support" / header.substr(support.size());
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Whether a header declares the class, alias, enumeration, function or macro,
// itself: not by what it includes, and not as a forward declaration.
bool Declares(const std::string& text, const std::string& name) {
  const std::string last = name.substr(name.rfind(':') + 1);
  std::string pattern;
  if (name.starts_with("#")) {
    pattern = "#define " + name.substr(1) + "\\b";
  } else if (last.ends_with("()")) {
    const std::string function = last.substr(0, last.size() - 2);
    pattern = "\\b" + function + "\\(|using std::" + function + ";";
  } else {
    pattern = "\\b(class|struct|enum class) " + last +
              "( final)?\\s*[:{]|using " + last + "\\b";
  }
  return std::regex_search(text, std::regex(pattern));
}

TEST(DrakeHeaders, TheTableIsSortedAndHasNoPathTwice) {
  const auto rows = ReadTable();
  EXPECT_GT(rows.size(), 250u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT(rows[i - 1].path, rows[i].path);
  }
}

TEST(DrakeHeaders, EveryRowForwardsToHeadersThatExist) {
  for (const Row& row : ReadTable()) {
    EXPECT_FALSE(row.ours.empty()) << row.path;
    for (const std::string& header : row.ours) {
      EXPECT_TRUE(std::filesystem::exists(SourceOf(header)))
          << row.path << " includes " << header;
    }
  }
}

TEST(DrakeHeaders, EveryNameIsDeclaredByAHeaderThatItsRowIncludes) {
  for (const Row& row : ReadTable()) {
    EXPECT_FALSE(row.names.empty()) << row.path;
    std::string text;
    for (const std::string& header : row.ours) {
      text += ReadFile(SourceOf(header));
    }
    for (const std::string& name : row.names) {
      EXPECT_TRUE(Declares(text, name)) << row.path << ": " << name;
    }
  }
}

TEST(DrakeHeaders, AForwardDeclarationOrAnotherNameDoesNotPass) {
  EXPECT_FALSE(Declares("class Gain;", "systems::Gain"));
  EXPECT_FALSE(Declares("class GainBlock {", "systems::Gain"));
  EXPECT_FALSE(Declares("#define DRAKE_ASSERT_VOID", "#DRAKE_ASSERT"));
  EXPECT_TRUE(Declares("class Gain final : public X {", "systems::Gain"));
  EXPECT_TRUE(Declares("int Get(int x);", "Get()"));
}

TEST(DrakeHeaders, EverySupportHeaderIsOfUseToARowOrToAnother) {
  std::string all;
  for (const Row& row : ReadTable()) {
    for (const std::string& header : row.ours) all += "wyvern/" + header + "\n";
  }
  const auto folder = kTop / "drake/support";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    all += ReadFile(entry.path());
  }
  all += "wyvern/drake/namespace.h";  // In every forwarding header.
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    EXPECT_NE(all.find("wyvern/drake/" + name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace wyvern::tests
