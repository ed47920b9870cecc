// ./run builds an example with AutoDiffXd exactly if the example differentiates
// by it, directly or through a function of the library.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace wyvern {

namespace fs = std::filesystem;

namespace {

const fs::path kPresetsTop = WYVERN_SOURCE_DIR;

// The code of a source, without the rest of lines after "//".
std::string ReadCode(const fs::path& file) {
  std::ifstream stream(file);
  std::string code;
  for (std::string line; std::getline(stream, line);) {
    code += line.substr(0, line.find("//")) + '\n';
  }
  return code;
}

// Functions of the library that convert a System to AutoDiffXd, or call one
// that does; and the scalar itself.
bool Differentiates(const fs::path& file) {
  const std::string code = ReadCode(file);
  return std::ranges::any_of(
      std::initializer_list<const char*>{"AutoDiff", "Linearize(",
                                         "FirstOrderTaylorApproximation(",
                                         "LinearQuadraticRegulator("},
      [&code](const char* word) { return code.find(word) != code.npos; });
}

std::string AskPreset(const std::string& example) {
  const std::string command =
      (kPresetsTop / "run").string() + " --preset " + example + " 2>&1";
  std::string answer;
  FILE* const pipe = popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    answer += static_cast<char>(c);
  }
  pclose(pipe);
  return answer;
}

TEST(RunPresets, AnExampleIsBuiltWithAutoDiffXdIfItDifferentiates) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kPresetsTop / "examples")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".cc") continue;
    ++count;
    EXPECT_EQ(AskPreset(name),
              Differentiates(entry.path()) ? "release\n" : "run\n")
        << name;
  }
  EXPECT_GE(count, 30);
}

TEST(RunPresets, WhatExamplesShareDoesNotDifferentiate) {
  for (const auto& entry :
       fs::directory_iterator(kPresetsTop / "examples/support")) {
    EXPECT_FALSE(Differentiates(entry.path())) << entry.path();
  }
}

TEST(RunPresets, TheListOfFunctionsThatDifferentiateIsComplete) {
  std::set<std::string> callers;
  for (const char* const layer :
       {"systems", "geometry", "multibody", "simulator", "app"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(kPresetsTop / layer)) {
      if (entry.path().extension() != ".cc") continue;
      const std::string code = ReadCode(entry.path());
      if (code.find(".ToAutoDiffXd()") != code.npos ||
          code.find("->ToAutoDiffXd()") != code.npos) {
        callers.insert(entry.path().filename().string());
      }
    }
  }
  // A new caller belongs here, and its functions into Differentiates().
  EXPECT_EQ(callers,
            (std::set<std::string>{"linearization.cc", "riccati_flow.cc",
                                   "standalone_instantiation.cc"}));
}

TEST(RunPresets, TheListNamesExamples) {
  std::ifstream stream(kPresetsTop / "examples/needs_autodiff.txt");
  for (std::string line; std::getline(stream, line);) {
    EXPECT_TRUE(fs::exists(kPresetsTop / "examples" / (line + ".cc"))) << line;
  }
}

}  // namespace
}  // namespace wyvern
