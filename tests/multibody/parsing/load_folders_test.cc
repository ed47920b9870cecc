/** @file Loads every model of folders of other people's robots, and lists what
is refused and why. WYVERN_MODELS_DIR is the folder of the package drake_models,
WYVERN_ROBOTS_DIR the folder "robots" of the wheel example-robot-data:

  pip install --no-deps example-robot-data==6.0.0
  WYVERN_ROBOTS_DIR=.../cmeel.prefix/share/example-robot-data/robots

Loaded is what a plant takes and finalizes; of that it is said why it has no
accelerations, if it has none. WYVERN_SHOW_WARNINGS=1 lists also the warnings.
*/

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace load_folders_test {

namespace fs = std::filesystem;

std::vector<fs::path> FindModels(const fs::path& folder) {
  std::vector<fs::path> result;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    const std::string name = path.filename().string();
    if (name.ends_with(".urdf") || name.ends_with(".sdf") ||
        name.ends_with(".dmd.yaml")) {
      result.push_back(path);
    }
  }
  std::ranges::sort(result);
  return result;
}

struct Result {
  std::string refusal;
  // Why a model that is loaded has no accelerations.
  std::string standstill;
  std::vector<std::string> warnings;
};

// Why the inverse of the mass matrix, which any acceleration needs, is not
// there or not finite; nothing if it is.
std::string WhyNoAccelerations(const MultibodyPlant<double>& plant) {
  const auto context = plant.CreateDefaultContext();
  MatrixX<double> inverse(plant.num_velocities(), plant.num_velocities());
  try {
    plant.CalcMassMatrixInverse(*context, &inverse);
  } catch (const std::exception& error) {
    return error.what();
  }
  return inverse.allFinite() ? "" : "the mass matrix is singular";
}

Result Load(const fs::path& model, bool with_shapes) {
  Result result;
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.001);
  Parser parser(&plant, with_shapes ? &scene_graph : nullptr);
  parser.SetWarningHandler({});
  try {
    parser.AddModels(model);
    plant.Finalize();
    result.standstill = WhyNoAccelerations(plant);
  } catch (const std::exception& error) {
    result.refusal = error.what();
  }
  result.warnings = parser.warnings();
  return result;
}

// Returns the refused files with their messages, by file name; prints all.
std::map<std::string, std::string> LoadAll(const fs::path& folder,
                                           bool with_shapes) {
  std::map<std::string, std::string> refused;
  const std::vector<fs::path> models = FindModels(folder);
  for (const fs::path& model : models) {
    const Result result = Load(model, with_shapes);
    const std::string name = fs::relative(model, folder).string();
    fmt::print("{} {}, {} warnings\n",
               result.refusal.empty() ? "loaded " : "REFUSED", name,
               result.warnings.size());
    if (std::getenv("WYVERN_SHOW_WARNINGS") != nullptr) {
      for (const auto& warning : result.warnings) fmt::print("  {}\n", warning);
    }
    if (!result.standstill.empty()) {
      fmt::print("  does not move: {}\n", result.standstill);
    }
    if (result.refusal.empty()) continue;
    fmt::print("  because {}\n", result.refusal);
    refused[name] = result.refusal;
  }
  fmt::print("{} of {} files are loaded {} shapes\n",
             models.size() - refused.size(), models.size(),
             with_shapes ? "with" : "without");
  return refused;
}

TEST(LoadFolders, EveryOneOfDrakesModels) {
  const char* const folder = std::getenv("WYVERN_MODELS_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "WYVERN_MODELS_DIR, the folder of the models, is not set";
  }
  EXPECT_TRUE(LoadAll(folder, false).empty());
  EXPECT_TRUE(LoadAll(folder, true).empty());
}

TEST(LoadFolders, TheRobotsOfExampleRobotData) {
  const char* const folder = std::getenv("WYVERN_ROBOTS_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "WYVERN_ROBOTS_DIR, the folder of the robots, is not set";
  }
  for (const bool with_shapes : {false, true}) {
    const auto refused = LoadAll(folder, with_shapes);
    const auto num_urdf = std::ranges::count_if(refused, [](const auto& entry) {
      return entry.first.ends_with(".urdf");
    });
    // The folder has 69 files.
    EXPECT_LE(num_urdf, 5);
  }
}

}  // namespace load_folders_test
}  // namespace wyvern::multibody
