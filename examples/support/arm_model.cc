#include "examples/support/arm_model.h"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/parsing/parser.h"

namespace wyvern::examples {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using multibody::BodyIndex;
using multibody::JointActuatorIndex;
using multibody::JointIndex;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;
using multibody::PdControllerGains;

namespace {

// Welds the body that is no joint's child, if there is one.
void WeldRoot(const std::string& file, ModelInstanceIndex robot,
              MultibodyPlant<double>* plant) {
  std::set<BodyIndex> children;
  for (const JointIndex joint : plant->GetJointIndices(robot)) {
    children.insert(plant->get_joint(joint).child_body().index());
  }
  std::vector<std::string> roots;
  for (const BodyIndex body : plant->GetBodyIndices(robot)) {
    if (!children.contains(body)) {
      roots.push_back(plant->get_body(body).name());
    }
  }
  if (roots.size() > 1) {
    throw std::runtime_error(
        fmt::format("{}: links {} have no joint above them; an arm has one "
                    "root.",
                    file, fmt::join(roots, ", ")));
  }
  if (roots.size() == 1) {
    plant->WeldFrames(plant->world_frame(),
                      plant->GetFrameByName(roots.front(), robot));
  }
}

}  // namespace

std::unique_ptr<MultibodyPlant<double>> LoadArm(
    const std::filesystem::path& urdf, double time_step) {
  auto plant = std::make_unique<MultibodyPlant<double>>(time_step);
  const std::vector<ModelInstanceIndex> robots =
      multibody::Parser(plant.get()).AddModels(urdf);
  WeldRoot(urdf.string(), robots.at(0), plant.get());
  if (plant->num_actuators() == 0) {
    throw std::runtime_error(fmt::format(
        "{}: no joint has an actuator; add a <transmission> for each that is "
        "to be controlled.",
        urdf.string()));
  }
  return plant;
}

void AddPdControl(const MultibodyPlant<double>& model, const VectorXd& q,
                  double bandwidth, MultibodyPlant<double>* plant) {
  const auto context = model.CreateDefaultContext();
  model.SetPositions(context.get(), q);
  MatrixXd M(model.num_velocities(), model.num_velocities());
  model.CalcMassMatrix(*context, &M);
  for (const JointActuatorIndex index : model.GetJointActuatorIndices()) {
    const int dof = model.get_joint_actuator(index).joint().velocity_start();
    plant->get_mutable_joint_actuator(index).set_controller_gains(
        {.p = bandwidth * bandwidth * M(dof, dof),
         .d = 2.0 * bandwidth * M(dof, dof)});
  }
}

}  // namespace wyvern::examples
