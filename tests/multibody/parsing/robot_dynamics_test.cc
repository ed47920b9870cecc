/** @file Compares the dynamics of whole robots with Drake's; the figures are
made by tests/oracles/robot_dynamics.py, which says what they are. */

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::multibody {
namespace robot_dynamics_test {

using Figures = std::map<std::string, MatrixX<double>>;

struct Robot {
  std::string folder, path, base, body;
  Figures figures;
};

std::vector<Robot> ReadRobots() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/robot_dynamics.txt");
  std::vector<Robot> robots;
  for (std::string name; file >> name;) {
    if (name == "robot") {
      Robot& robot = robots.emplace_back();
      file >> robot.folder >> robot.path >> robot.base >> robot.body;
      continue;
    }
    int rows = 0, cols = 0;
    file >> rows >> cols;
    MatrixX<double> matrix(rows, cols);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < cols; ++j) file >> matrix(i, j);
    }
    robots.back().figures[name] = matrix;
  }
  return robots;
}

// A robot in the state of the script, without damping and limits.
struct Model {
  Model(const Robot& robot, const std::string& folder) : plant(0) {
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.AddModels(folder + "/" + robot.path);
    std::vector<Joint<double>*> joints;
    for (JointIndex index : plant.GetJointIndices()) {
      Joint<double>& joint = plant.get_mutable_joint(index);
      if (joint.num_velocities() != 1) continue;
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      joint.set_default_damping_vector(VectorX<double>::Zero(1));
      joint.set_position_limits(VectorX<double>::Constant(1, -kInfinity),
                                VectorX<double>::Constant(1, kInfinity));
      joints.push_back(&joint);
    }
    if (robot.base != "-") {
      plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(robot.base));
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    SetBase();
    for (int k = 0; k < static_cast<int>(joints.size()); ++k) {
      joints[k]->SetPositions(
          context.get(), VectorX<double>::Constant(1, 0.4 * std::sin(k + 1)));
      joints[k]->SetVelocities(context.get(),
                               VectorX<double>::Constant(1, std::cos(2 * k)));
      order.push_back(joints[k]->velocity_start());
    }
  }
  void SetBase() {
    for (BodyIndex index : plant.GetFloatingBaseBodies()) {
      const RigidBody<double>& body = plant.get_body(index);
      VectorX<double> q = plant.GetPositions(*context);
      VectorX<double> v = plant.GetVelocities(*context);
      q.segment<7>(body.floating_positions_start()) << 0.8, 0.2, -0.4, 0.4, 0.3,
          -0.2, 0.9;
      const int start = body.floating_velocities_start_in_v();
      v.segment<6>(start) << 0.5, -0.3, 0.7, -0.2, 0.4, 0.1;
      plant.SetPositions(context.get(), q);
      plant.SetVelocities(context.get(), v);
      for (int i = 0; i < 6; ++i) order.push_back(start + i);
    }
  }
  // Generalized forces or accelerations as a row, in the script's order.
  MatrixX<double> Row(const VectorX<double>& x) const {
    return x(order).transpose();
  }

  MultibodyPlant<double> plant;
  std::unique_ptr<systems::Context<double>> context;
  std::vector<int> order;
};

Figures CalcFigures(const Robot& robot, const std::string& folder) {
  Model model(robot, folder);
  const MultibodyPlant<double>& plant = model.plant;
  const auto& context = *model.context;
  const int nv = plant.num_velocities();
  Figures figures;
  MatrixX<double> M(nv, nv), J(6, nv);
  plant.CalcMassMatrix(context, &M);
  figures["M"] = M(model.order, model.order);
  VectorX<double> Cv(nv), tau(nv);
  plant.CalcBiasTerm(context, &Cv);
  figures["Cv"] = model.Row(Cv);
  figures["tau_g"] = model.Row(plant.CalcGravityGeneralizedForces(context));
  for (int i = 0; i < nv; ++i) tau[model.order[i]] = 5 * std::sin(3 * i + 1);
  plant.get_applied_generalized_force_input_port().FixValue(model.context.get(),
                                                            tau);
  figures["vdot"] =
      model.Row(plant.get_generalized_acceleration_output_port().Eval(context));
  const auto& frame = plant.GetFrameByName(robot.body);
  const Vector3<double> p(0.1, -0.2, 0.3);
  plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable::kV, frame, p,
                                    plant.world_frame(), plant.world_frame(),
                                    &J);
  figures["J"] = J(Eigen::all, model.order);
  figures["Jdot_v"] = plant
                          .CalcBiasSpatialAcceleration(
                              context, JacobianWrtVariable::kV, frame, p,
                              plant.world_frame(), plant.world_frame())
                          .get_coeffs()
                          .transpose();
  figures["energy"] = Vector2<double>(plant.CalcKineticEnergy(context),
                                      plant.CalcPotentialEnergy(context))
                          .transpose();
  return figures;
}

void Compare(const std::string& which, const std::string& folder) {
  int compared = 0;
  for (const Robot& robot : ReadRobots()) {
    if (robot.folder != which) continue;
    ++compared;
    SCOPED_TRACE(robot.path);
    const Figures figures = CalcFigures(robot, folder);
    EXPECT_EQ(robot.figures.size(), 7u);
    for (const auto& [name, wanted] : robot.figures) {
      const MatrixX<double>& found = figures.at(name);
      ASSERT_EQ(found.rows(), wanted.rows()) << name;
      ASSERT_EQ(found.cols(), wanted.cols()) << name;
      // Accelerations lose what M's condition number costs, some 1e4.
      const double tolerance = name == "vdot" ? 1e-10 : 1e-12;
      EXPECT_LE((found - wanted).cwiseAbs().maxCoeff(),
                tolerance * wanted.cwiseAbs().maxCoeff())
          << name;
    }
  }
  EXPECT_GE(compared, 1);
}

TEST(RobotDynamics, OfOurHumanoidIsThatOfDrake) {
  Compare("own", WYVERN_SOURCE_DIR "/examples/models");
}

TEST(RobotDynamics, OfAnArmAndOfAHumanoidIsThatOfDrake) {
  const char* const folder = std::getenv("WYVERN_MODELS_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "WYVERN_MODELS_DIR, the folder of the models, is not set";
  }
  Compare("other", folder);
}

}  // namespace robot_dynamics_test
}  // namespace wyvern::multibody
