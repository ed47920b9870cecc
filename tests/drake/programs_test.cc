#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// The programs in tests/drake/programs print figures, each a line of a name and
// numbers, which are held to those of Drake: tests/oracles/drake_programs.py.

namespace wyvern::tests {
namespace {

using Figures = std::map<std::string, std::vector<double>>;

struct Program {
  std::string name;
  std::string executable;
  /** Relative to the largest number of a figure, or absolute below 1. */
  double tolerance;
};
void PrintTo(const Program& program, std::ostream* out) {
  *out << program.name;
}

std::vector<double> ReadNumbers(std::istringstream* line) {
  std::vector<double> numbers;
  for (double x; *line >> x;) numbers.push_back(x);
  return numbers;
}

Figures ReadOracle(const std::string& program) {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/drake_programs.txt");
  Figures figures;
  for (std::string line; std::getline(file, line);) {
    std::istringstream stream(line);
    std::string of, name;
    stream >> of >> name;
    if (of == program) figures[name] = ReadNumbers(&stream);
  }
  return figures;
}

Figures Run(const std::string& command, int* status) {
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  std::string text;
  char chunk[4096];
  while (const std::size_t n = std::fread(chunk, 1, sizeof(chunk), pipe)) {
    text.append(chunk, n);
  }
  *status = pclose(pipe);
  Figures figures;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream stream(line);
    std::string name;
    stream >> name;
    figures[name] = ReadNumbers(&stream);
  }
  return figures;
}

std::string ModelsOf(const Program& program) {
  const std::string top = WYVERN_SOURCE_DIR;
  return program.name == "arm" ? top + "/examples/models"
                               : top + "/tests/drake/programs/models";
}

void ExpectDrakesFigures(const Program& program, const std::string& command) {
  int status = 0;
  const Figures figures = Run(command + " " + ModelsOf(program), &status);
  ASSERT_EQ(status, 0) << command;
  const Figures oracle = ReadOracle(program.name);
  ASSERT_FALSE(oracle.empty());
  ASSERT_EQ(figures.size(), oracle.size());
  for (const auto& [name, expected] : oracle) {
    ASSERT_TRUE(figures.contains(name)) << name;
    const auto& given = figures.at(name);
    ASSERT_EQ(given.size(), expected.size()) << name;
    double scale = 1;
    for (const double x : expected) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < given.size(); ++i) {
      EXPECT_NEAR(given[i], expected[i], program.tolerance * scale)
          << name << "[" << i << "]";
    }
  }
}

class DrakePrograms : public testing::TestWithParam<Program> {};

TEST_P(DrakePrograms, PrintDrakesFigures) {
  const Program& program = GetParam();
  ExpectDrakesFigures(program, program.executable + " " + program.name);
}

#ifdef WYVERN_REAL_DRAKE_PROGRAMS
TEST_P(DrakePrograms, PrintTheSameWithDrakeItself) {
  ExpectDrakesFigures(GetParam(), WYVERN_REAL_DRAKE_PROGRAMS + GetParam().name);
}
#endif

const std::string kWithAlias = WYVERN_drake_programs;
const std::string kInNamespace = WYVERN_drake_programs_in_namespace;

INSTANTIATE_TEST_SUITE_P(
    All, DrakePrograms,
    testing::Values(
        // Errors of the integrators' steps, asked to be below 1e-8 to 1e-10,
        // grow some ten times over the seconds that these take.
        Program{"pendulum", kWithAlias, 1e-9},
        Program{"van_der_pol", kWithAlias, 1e-8},
        Program{"quadrotor", kInNamespace, 1e-8},
#ifdef WYVERN_HAS_GFLAGS
        Program{"bouncing_ball", kInNamespace, 1e-8},
#endif
        Program{"arm", kWithAlias, 1e-7},
        // Its swing is asked for 1e-6 a step, and errors grow.
        Program{"acrobot", kWithAlias, 1e-6},
        // In discrete time without unknown forces only rounding differs, and in
        // a Riccati equation its conditioning.
        Program{"cart_pole", kWithAlias, 1e-11},
        Program{"gripper", kWithAlias, 1e-11},
        // Residual of a step's solvers: some 1e-9 of its impulses, and more if
        // a stiff constraint closes a loop.
        Program{"inclined_plane", kWithAlias, 1e-9},
        Program{"four_bar", kWithAlias, 1e-6}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace wyvern::tests
