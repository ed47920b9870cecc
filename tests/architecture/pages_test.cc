// The pages for users: the README's program and pictures, messages of the
// sources on the page of errors, lines of shell that the page tests know, sizes
// of pictures. Commands of the program are run by tests/app/program_test.cc.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"

namespace wyvern::tests {
namespace pages_test {

namespace fs = std::filesystem;

const fs::path kTop = WYVERN_SOURCE_DIR;

std::vector<std::string> LinesOf(const fs::path& file) {
  std::istringstream text(ReadFile(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// The README and the pages of docs.
std::vector<fs::path> UserPages() {
  std::vector<fs::path> pages{kTop / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kTop / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  return pages;
}

// The block of code after the first line that is `fence`.
std::string BlockOf(const fs::path& page, const std::string& fence) {
  std::string block;
  bool is_inside = false;
  for (const std::string& line : LinesOf(page)) {
    if (is_inside && line == "```") return block;
    if (is_inside) block += line + "\n";
    is_inside = is_inside || line == fence;
  }
  return {};
}

TEST(Readme, ShowsAnExampleVerbatim) {
  const std::string program = BlockOf(kTop / "README.md", "```cpp");
  EXPECT_EQ(program, ReadFile(kTop / "examples/00_swing.cc"));
  // At most 20 lines besides the comment and what it includes.
  int count = 0;
  for (const std::string& line : LinesOf(kTop / "examples/00_swing.cc")) {
    count += !line.starts_with("//") && !line.starts_with("#include");
  }
  EXPECT_LE(count, 20);
}

TEST(Readme, ShowsTheScenarioOfGettingStarted) {
  const std::string scenario = BlockOf(kTop / "README.md", "```yaml");
  EXPECT_EQ(scenario, BlockOf(kTop / "docs/getting_started.md", "```yaml"));
  EXPECT_FALSE(scenario.empty());
}

TEST(Readme, IsShortAndHasPictures) {
  const std::string readme = ReadFile(kTop / "README.md");
  EXPECT_LE(std::count(readme.begin(), readme.end(), '\n'), 150);
  const std::regex picture("docs/images/[a-z_]+\\.(?:webp|svg|png)");
  int count = 0;
  for (std::sregex_iterator i(readme.begin(), readme.end(), picture), end;
       i != end; ++i, ++count) {
    EXPECT_TRUE(fs::exists(kTop / i->str())) << i->str();
  }
  EXPECT_GE(count, 5);
}

TEST(Pictures, AreSmallAndEachIsShown) {
  std::string pages;
  for (const fs::path& page : UserPages()) pages += ReadFile(page);
  std::uintmax_t sum = 0;
  for (const auto& entry : fs::directory_iterator(kTop / "docs/images")) {
    const std::string name = entry.path().filename().string();
    EXPECT_LE(entry.file_size(), 3'000'000u) << name;
    EXPECT_NE(pages.find("images/" + name), std::string::npos)
        << "No page shows " << name;
    sum += entry.file_size();
  }
  EXPECT_LE(sum, 8'000'000u);
}

// Joins string literals that follow each other.
std::string WithJoinedLiterals(const std::string& text) {
  static const std::regex joint("\"\\s*\n\\s*\"");
  return std::regex_replace(text, joint, "");
}

// Whether a source has the parts in this order, within one message.
bool HasParts(std::string_view source, const std::vector<std::string>& parts) {
  for (size_t start = source.find(parts[0]); start != source.npos;
       start = source.find(parts[0], start + 1)) {
    size_t at = start;
    bool is_there = true;
    for (const std::string& part : parts) {
      const size_t found = source.find(part, at);
      is_there = is_there && found != source.npos && found - start < 800;
      if (!is_there) break;
      at = found + part.size();
    }
    if (is_there) return true;
  }
  return false;
}

// Parts of a message between its dots, which stand for values.
std::vector<std::string> PartsOf(std::string message) {
  message = std::regex_replace(message, std::regex("\""), "\\\"");
  std::vector<std::string> parts;
  for (size_t at = 0; at <= message.size();) {
    const size_t end = std::min(message.find("...", at), message.size());
    const std::string part = message.substr(at, end - at);
    if (part.find_first_not_of(' ') != part.npos) parts.push_back(part);
    at = end + 3;
  }
  return parts;
}

TEST(ErrorPage, HasTheMessagesOfTheSources) {
  std::vector<std::string> sources;
  for (const char* folder :
       {"app", "geometry", "multibody", "simulator", "systems"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kTop / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".cc" || ending == ".h") {
        sources.push_back(WithJoinedLiterals(ReadFile(entry.path())));
      }
    }
  }
  const std::regex row("^\\| (`+)(.*?[^`])\\1 \\| .*");
  int count = 0;
  for (const std::string& line : LinesOf(kTop / "docs/errors.md")) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    ++count;
    const std::vector<std::string> parts = PartsOf(match[2]);
    EXPECT_TRUE(std::any_of(
        sources.begin(), sources.end(),
        [&parts](const std::string& one) { return HasParts(one, parts); }))
        << "No source has the message " << match[2];
  }
  EXPECT_GE(count, 40);
}

// Lines of shell start with a command that some test runs: `wyvern` by
// program_test.cc, the scripts and CMake by those of CI. `./run NAME` names one
// example.
TEST(Pages, HaveCommandsThatTestsKnow) {
  const std::regex known(
      "(wyvern|\\./run|\\./test|cmake|docs/build|apt-get|export|"
      "examples/models/fetch_models|pip install \\.)( .*)?|    --.*");
  const std::regex run("\\./run ([0-9a-z_]+).*");
  int count = 0;
  for (const fs::path& page : UserPages()) {
    bool is_shell = false;
    for (const std::string& line : LinesOf(page)) {
      if (line.starts_with("```")) {
        is_shell = line == "```sh";
        continue;
      }
      if (!is_shell || line.empty()) continue;
      ++count;
      EXPECT_TRUE(std::regex_match(line, known)) << page << ": " << line;
      std::smatch match;
      if (!std::regex_match(line, match, run)) continue;
      int examples = 0;
      for (const auto& entry : fs::directory_iterator(kTop / "examples")) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".cc")) continue;
        const std::string start = match[1];
        examples +=
            name.starts_with(start) || name.substr(3).starts_with(start);
      }
      EXPECT_EQ(examples, 1) << page << ": " << line;
    }
  }
  EXPECT_GT(count, 40);
}

TEST(Changelog, HasLinesOfAtMost25Words) {
  for (const std::string& line : LinesOf(kTop / "CHANGELOG.md")) {
    if (!line.starts_with("- ")) continue;
    std::istringstream words(line.substr(2));
    std::string word;
    int count = 0;
    while (words >> word) ++count;
    EXPECT_LE(count, 25) << line;
  }
}

}  // namespace pages_test
}  // namespace wyvern::tests
