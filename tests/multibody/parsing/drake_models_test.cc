/** @file Compares models with Drake's reading of them; the figures are made by
tests/oracles/drake_urdf_models.py, which says what they are. */

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
namespace drake_models_test {

constexpr const char* kColumns[] = {
    "bodies", "joints",   "actuators",    "frames",  "positions",
    "mass",   "kinetic",  "potential",    "damping", "lower",
    "upper",  "velocity", "acceleration", "effort",  "reflected inertia"};

struct Row {
  std::string path;
  std::vector<double> figures;
};

std::vector<Row> ReadRows(const std::string& name) {
  std::ifstream file(std::string(WYVERN_SOURCE_DIR "/tests/oracles/") + name);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Row row;
    words >> row.path;
    for (double x; words >> x;) row.figures.push_back(x);
    rows.push_back(row);
  }
  return rows;
}

double Finite(double x) { return std::isfinite(x) ? x : 0; }

// The state of the script.
void SetState(const MultibodyPlant<double>& plant,
              const std::vector<JointIndex>& joints,
              systems::Context<double>* context) {
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Joint<double>& joint = plant.get_joint(joints[k]);
    if (joint.num_velocities() != 1) continue;
    joint.SetPositions(context, VectorX<double>::Constant(1, 0.1 + 0.05 * k));
    joint.SetVelocities(context, VectorX<double>::Constant(1, 1 - 0.07 * k));
  }
}

// The columns from damping on.
std::vector<double> SumLimits(const MultibodyPlant<double>& plant,
                              const std::vector<JointIndex>& joints) {
  std::vector<double> sums(7);
  for (const JointIndex index : joints) {
    const Joint<double>& joint = plant.get_joint(index);
    if (joint.num_velocities() != 1) continue;
    sums[0] += Finite(joint.default_damping_vector()[0]);
    sums[1] += Finite(joint.position_lower_limits()[0]);
    sums[2] += Finite(joint.position_upper_limits()[0]);
    sums[3] += Finite(joint.velocity_upper_limits()[0]);
    sums[4] += Finite(joint.acceleration_upper_limits()[0]);
  }
  for (const JointActuatorIndex index : plant.GetJointActuatorIndices()) {
    const auto& actuator = plant.get_joint_actuator(index);
    sums[5] += Finite(actuator.effort_limit());
    sums[6] += Finite(actuator.default_reflected_inertia());
  }
  return sums;
}

std::vector<double> CalcFigures(const std::string& path) {
  MultibodyPlant<double> plant(0.0);
  Parser parser(&plant);
  parser.SetWarningHandler({});
  parser.AddModels(path);
  const std::vector<JointIndex> joints = plant.GetJointIndices();
  std::vector<double> figures{static_cast<double>(plant.num_bodies()),
                              static_cast<double>(plant.num_joints()),
                              static_cast<double>(plant.num_actuators()),
                              static_cast<double>(plant.num_frames())};
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  SetState(plant, joints, context.get());
  figures.push_back(plant.num_positions());
  figures.push_back(plant.CalcTotalMass(*context));
  figures.push_back(plant.CalcKineticEnergy(*context));
  figures.push_back(plant.CalcPotentialEnergy(*context));
  const std::vector<double> sums = SumLimits(plant, joints);
  figures.insert(figures.end(), sums.begin(), sums.end());
  return figures;
}

// Compares the models in `folder` with the rows in the file `name`.
void Compare(const std::string& folder, const std::string& name) {
  const std::vector<Row> rows = ReadRows(name);
  ASSERT_FALSE(rows.empty());
  for (const Row& row : rows) {
    SCOPED_TRACE(row.path);
    const std::vector<double> figures = CalcFigures(folder + "/" + row.path);
    ASSERT_EQ(figures.size(), row.figures.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
      // The figures have 15 digits; rounding costs up to two.
      EXPECT_NEAR(figures[i], row.figures[i],
                  1e-13 * std::max(1.0, std::abs(row.figures[i])))
          << kColumns[i];
    }
  }
}

TEST(DrakeModels, OwnModelsAreAsDrakeReadsThem) {
  Compare(WYVERN_SOURCE_DIR "/tests/multibody/parsing/models",
          "drake_urdf_own_models.txt");
}

TEST(DrakeModels, OthersAreAsDrakeReadsThem) {
  const char* const folder = std::getenv("WYVERN_MODELS_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "WYVERN_MODELS_DIR, the folder of the models, is not set";
  }
  Compare(folder, "drake_urdf_models.txt");
}

}  // namespace drake_models_test
}  // namespace wyvern::multibody
