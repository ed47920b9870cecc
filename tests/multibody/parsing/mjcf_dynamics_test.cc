/** @file Compares the dynamics of MJCF files with MuJoCo's; the figures are
made by tests/oracles/mjcf_dynamics.py, which says what they are.
WYVERN_MJCF_DIR is a folder of other people's models with their figures in
figures.txt: what is refused there is listed with why. */

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
namespace mjcf_dynamics_test {

struct Figures {
  std::string path;
  int nq{}, nv{};
  std::map<std::string, double> masses;
  std::map<std::string, MatrixX<double>> blocks;
};

std::vector<Figures> ReadFigures(const std::string& name) {
  std::ifstream file(name);
  std::vector<Figures> result;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "model") {
      words >> result.emplace_back().path;
    } else if (word == "size") {
      words >> result.back().nq >> result.back().nv;
    } else if (word == "masses") {
      int n{};
      words >> n;
      for (int i = 0; i < n && std::getline(file, line); ++i) {
        const std::size_t space = line.find(' ');
        result.back().masses[line.substr(space + 1)] = std::stod(line);
      }
    } else {
      int rows{}, cols{};
      words >> rows >> cols;
      MatrixX<double> matrix(rows, cols);
      for (int i = 0; i < rows && std::getline(file, line); ++i) {
        std::istringstream row(line);
        for (int j = 0; j < cols; ++j) row >> matrix(i, j);
      }
      result.back().blocks[word] = matrix;
    }
  }
  return result;
}

// The joints that move in MuJoCo's order, depth first: a free body, whose joint
// the plant makes last, is among those that come before it in the file.
std::vector<const Joint<double>*> JointsInOrder(
    const MultibodyPlant<double>& plant, int num_explicit) {
  std::vector<const Joint<double>*> free;
  std::vector<const Joint<double>*> result;
  const std::vector<JointIndex> all = plant.GetJointIndices();
  for (std::size_t k = num_explicit; k < all.size(); ++k) {
    free.push_back(&plant.get_joint(all[k]));
  }
  const auto body = [](const Joint<double>* joint) {
    return joint->child_body().index();
  };
  std::ranges::sort(free, {}, body);
  std::size_t next = 0;
  for (int k = 0; k < num_explicit; ++k) {
    const Joint<double>* const joint = &plant.get_joint(all[k]);
    while (next < free.size() && body(free[next]) < body(joint)) {
      result.push_back(free[next++]);
    }
    if (joint->num_velocities() > 0) result.push_back(joint);
  }
  for (; next < free.size(); ++next) result.push_back(free[next]);
  return result;
}

/** A model in the state of the figures, and the matrix T that makes MuJoCo's
velocities ours: its turning velocities of ball and free joints are in the
body's frame, and a free joint's are after those of translation. */
class Model {
 public:
  explicit Model(const std::string& file) : plant_(0) {
    geometry::SceneGraph<double> scene_graph;
    plant_.RegisterAsSourceForSceneGraph(&scene_graph);
    Parser parser(&plant_);
    parser.SetWarningHandler([this](const std::string& warning) {
      has_other_damping_ |= warning.find("it is taken as 0") != warning.npos;
    });
    parser.AddModels(file);
    const int num_explicit = static_cast<int>(plant_.GetJointIndices().size());
    plant_.Finalize();
    joints_ = JointsInOrder(plant_, num_explicit);
    context_ = plant_.CreateDefaultContext();
  }

  const MultibodyPlant<double>& plant() const { return plant_; }
  const systems::Context<double>& context() const { return *context_; }
  // Whether MuJoCo has a negative damping, which joints here do not have.
  bool has_other_damping() const { return has_other_damping_; }
  bool has_gravity() const {
    return plant_.is_gravity_enabled(
        ModelInstanceIndex(plant_.num_model_instances() - 1));
  }

  // Returns T.
  MatrixX<double> SetState(const MatrixX<double>& qpos,
                           const MatrixX<double>& qvel) {
    const int nv = plant_.num_velocities();
    MatrixX<double> T = MatrixX<double>::Zero(nv, nv);
    int q = 0, v = 0;
    for (const Joint<double>* const joint : joints_) {
      const int n = joint->num_positions();
      const VectorX<double> theirs = qpos.row(0).segment(q, n).transpose();
      VectorX<double> own = theirs;
      // A free body's quaternion comes first.
      if (n == 7) own << theirs.tail<4>(), theirs.head<3>();
      joint->SetPositions(context_.get(), own);
      const int start = joint->velocity_start();
      if (n == 1) {
        T(start, v) = 1;
      } else {
        const Matrix3<double> R =
            Eigen::Quaternion<double>(own[0], own[1], own[2], own[3])
                .toRotationMatrix();
        const int turning = n == 7 ? v + 3 : v;
        T.block<3, 3>(start, turning) = R;
        if (n == 7) T.block<3, 3>(start + 3, v).setIdentity();
      }
      q += n;
      v += joint->num_velocities();
    }
    plant_.SetVelocities(context_.get(), T * qvel.row(0).transpose());
    return T;
  }

  VectorX<double> CalcBias() const {
    VectorX<double> Cv(plant_.num_velocities());
    plant_.CalcBiasTerm(*context_, &Cv);
    return Cv - plant_.CalcGravityGeneralizedForces(*context_);
  }

  // Bias less what springs and dampers do.
  VectorX<double> CalcTotal() const {
    MultibodyForces<double> forces(plant_);
    plant_.CalcForceElementsContribution(*context_, &forces);
    return plant_.CalcInverseDynamics(
        *context_, VectorX<double>::Zero(plant_.num_velocities()), forces);
  }

 private:
  MultibodyPlant<double> plant_;
  std::vector<const Joint<double>*> joints_;
  std::unique_ptr<systems::Context<double>> context_;
  bool has_other_damping_{false};
};

// MuJoCo keeps the vertices of meshes as floats, so where they make masses
// there are seven digits; six of a thin pan. Its principal axes of an inertia
// that is not diagonal are inexact, too: by 5e-7 of a link of the Panda, by
// 1e-6 of the human that carries the hand of MyoSuite (tests/oracles/
// mjcf_dynamics.py). Polygons of the table are split otherwise.
double ToleranceOf(const Figures& figures) {
  const std::pair<double, std::vector<const char*>> looser[] = {
      {1e-4, {"arm/myoarm_tabletennis"}},
      {1e-6, {"aloha_pot/scene.xml", "hand/myohand_"}},
      {1e-7,
       {"franka_emika_panda", "walkers/assets/dog_v2/dog", "suite/dog.xml",
        "drosophila_fused.xml", "fluid_ellipsoid.xml", "b1/robot.xml",
        "bases/omron_mobile_base.xml", "grippers/bd_gripper.xml",
        "umi_gripper.xml", "inspire_", "myoarm_simple.xml",
        "connector_plate.xml", "ur5e/robot.xml", "test_data/convex.xml",
        "test_data/convex_convex.xml"}}};
  for (const auto& [tolerance, paths] : looser) {
    for (const char* const path : paths) {
      if (figures.path.find(path) != std::string::npos) return tolerance;
    }
  }
  return 1e-9;
}

void ExpectNear(const MatrixX<double>& ours, const MatrixX<double>& theirs,
                double tolerance, const char* what) {
  ASSERT_EQ(ours.rows(), theirs.rows()) << what;
  ASSERT_EQ(ours.cols(), theirs.cols()) << what;
  const double scale = std::max(1.0, theirs.cwiseAbs().maxCoeff());
  EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), tolerance * scale) << what;
}

void CompareMasses(const Figures& figures, const Model& model) {
  const ModelInstanceIndex instance(model.plant().num_model_instances() - 1);
  for (const auto& [name, mass] : figures.masses) {
    ASSERT_TRUE(model.plant().HasBodyNamed(name, instance)) << name;
    const double ours =
        model.plant().GetBodyByName(name, instance).default_mass();
    EXPECT_NEAR(ours, mass, ToleranceOf(figures) * std::max(1.0, mass)) << name;
  }
}

void Compare(const Figures& figures, Model* model) {
  ASSERT_EQ(model->plant().num_velocities(), figures.nv);
  ASSERT_EQ(model->plant().num_positions(), figures.nq);
  CompareMasses(figures, *model);
  if (figures.nv == 0) return;
  const auto& blocks = figures.blocks;
  const double tolerance = ToleranceOf(figures);
  const MatrixX<double> T =
      model->SetState(blocks.at("qpos"), blocks.at("qvel"));
  MatrixX<double> M(figures.nv, figures.nv);
  model->plant().CalcMassMatrix(model->context(), &M);
  ExpectNear(T.transpose() * M * T, blocks.at("M"), tolerance, "M");
  const MatrixX<double> bias = blocks.at("bias");
  const MatrixX<double> passive = blocks.at("passive");
  const VectorX<double> total = model->CalcTotal();
  if (!model->has_other_damping()) {
    ExpectNear((T.transpose() * total).transpose(), bias - passive, tolerance,
               "total");
  }
  if (!model->has_gravity()) return;
  const VectorX<double> own = model->CalcBias();
  ExpectNear((T.transpose() * own).transpose(), bias, tolerance, "bias");
  if (model->has_other_damping()) return;
  ExpectNear((T.transpose() * (own - total)).transpose(), passive, tolerance,
             "passive");
}

TEST(MjcfDynamics, OfOurModelsAreThoseOfMuJoCo) {
  const auto all =
      ReadFigures(WYVERN_SOURCE_DIR "/tests/oracles/mjcf_dynamics.txt");
  EXPECT_GE(all.size(), 8u);
  for (const Figures& figures : all) {
    SCOPED_TRACE(figures.path);
    Model model(WYVERN_SOURCE_DIR "/tests/multibody/parsing/models/mjcf/" +
                figures.path);
    Compare(figures, &model);
  }
}

// With contact, limits, friction, couplers and springs at once; the equalities
// of four_bar, made to be read, contradict each other.
TEST(MjcfDynamics, OurModelsStep) {
  for (const std::string name :
       {"arm", "cart", "hand", "humanoid", "odd_masses", "quadruped", "rope"}) {
    SCOPED_TRACE(name);
    systems::DiagramBuilder<double> builder;
    auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.001);
    Parser parser(&plant);
    parser.SetWarningHandler({});
    parser.AddModels(WYVERN_SOURCE_DIR "/tests/multibody/parsing/models/mjcf/" +
                     name + ".xml");
    plant.Finalize();
    const auto diagram = builder.Build();
    systems::Simulator<double> simulator(*diagram);
    systems::Context<double>& context =
        plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
    const ModelInstanceIndex instance = plant.GetModelInstanceByName(name);
    for (const JointActuatorIndex i : plant.GetJointActuatorIndices(instance)) {
      if (!plant.get_joint_actuator(i).has_controller()) continue;
      plant.get_desired_state_input_port(instance).FixValue(
          &context, VectorX<double>::Zero(2 * plant.num_actuators(instance)));
      break;
    }
    const VectorX<double> before = plant.GetPositions(context);
    simulator.AdvanceTo(0.02);
    ASSERT_TRUE(plant.GetPositionsAndVelocities(context).allFinite());
    const VectorX<double> after = plant.GetPositions(context);
    // Nothing is thrown about; a knee starts 2 degrees beyond its limit.
    EXPECT_LT((after - before).cwiseAbs().maxCoeff(), 0.3);
    EXPECT_NE(after, before);
  }
}

TEST(MjcfDynamics, OfOthersAreThoseOfMuJoCo) {
  const char* const folder = std::getenv("WYVERN_MJCF_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "WYVERN_MJCF_DIR, the folder of the models, is not set";
  }
  const auto all = ReadFigures(std::string(folder) + "/figures.txt");
  std::size_t num_refused = 0;
  for (const Figures& figures : all) {
    SCOPED_TRACE(figures.path);
    std::optional<Model> model;
    try {
      model.emplace(std::string(folder) + "/" + figures.path);
    } catch (const std::exception& error) {
      fmt::print("REFUSED {}\n  because {}\n", figures.path, error.what());
      ++num_refused;
      continue;
    }
    Compare(figures, &*model);
  }
  fmt::print("{} of {} files are loaded\n", all.size() - num_refused,
             all.size());
  EXPECT_LE(num_refused, all.size() / 4);
}

}  // namespace mjcf_dynamics_test
}  // namespace wyvern::multibody
