/** @file Compares models, with their shapes, with Drake's reading of them; the
figures are made by tests/oracles/drake_models.py, which says what they are. */

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace model_figures_test {

constexpr const char* kColumns[] = {
    "instances",  "bodies",     "joints", "actuators", "positions",
    "velocities", "collisions", "mass",   "kinetic",   "potential"};

std::vector<double> CalcFigures(const std::string& folder,
                                const std::string& path) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.001);
  plant.RegisterAsSourceForSceneGraph(&scene_graph);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  parser.package_map().PopulateFromFolder(folder);
  parser.AddModels(folder + "/" + path);
  const std::vector<JointIndex> joints = plant.GetJointIndices();
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Joint<double>& joint = plant.get_joint(joints[k]);
    if (joint.num_velocities() != 1) continue;
    joint.SetPositions(context.get(),
                       VectorX<double>::Constant(1, 0.1 + 0.05 * k));
    joint.SetVelocities(context.get(),
                        VectorX<double>::Constant(1, 1 - 0.07 * k));
  }
  return {static_cast<double>(plant.num_model_instances()),
          static_cast<double>(plant.num_bodies()),
          static_cast<double>(joints.size()),
          static_cast<double>(plant.num_actuators()),
          static_cast<double>(plant.num_positions()),
          static_cast<double>(plant.num_velocities()),
          static_cast<double>(plant.num_collision_geometries()),
          plant.CalcTotalMass(*context),
          plant.CalcKineticEnergy(*context),
          plant.CalcPotentialEnergy(*context)};
}

void Compare(const std::string& folder, const std::string& name) {
  std::ifstream file(std::string(WYVERN_SOURCE_DIR "/tests/oracles/") + name);
  int num_rows = 0;
  for (std::string line; std::getline(file, line); ++num_rows) {
    std::istringstream words(line);
    std::string path;
    words >> path;
    SCOPED_TRACE(path);
    std::vector<double> figures;
    ASSERT_NO_THROW(figures = CalcFigures(folder, path));
    for (std::size_t i = 0; i < figures.size(); ++i) {
      double wanted{};
      words >> wanted;
      // Figures have 15 digits. Axes and poses go through quaternions.
      EXPECT_NEAR(figures[i], wanted, 1e-12 * std::max(1.0, std::abs(wanted)))
          << kColumns[i];
    }
  }
  EXPECT_GT(num_rows, 0);
}

TEST(ModelFigures, OfOurModelsAreThoseOfDrake) {
  Compare(WYVERN_SOURCE_DIR "/tests/multibody/parsing/models",
          "drake_own_models.txt");
}

TEST(ModelFigures, OfOthersAreThoseOfDrake) {
  const char* const folder = std::getenv("WYVERN_MODELS_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "WYVERN_MODELS_DIR, the folder of the models, is not set";
  }
  Compare(folder, "drake_models.txt");
}

}  // namespace model_figures_test
}  // namespace wyvern::multibody
