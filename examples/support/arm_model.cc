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

// The joints of one degree of freedom that neither have an actuator nor follow
// another joint.
std::vector<JointIndex> FindJointsToActuate(
    ModelInstanceIndex robot, const MultibodyPlant<double>& plant) {
  std::set<JointIndex> taken;
  for (const JointActuatorIndex index : plant.GetJointActuatorIndices()) {
    taken.insert(plant.get_joint_actuator(index).joint().index());
  }
  for (const auto& [id, spec] : plant.get_coupler_constraint_specs()) {
    taken.insert(spec.joint0_index);
  }
  std::vector<JointIndex> result;
  for (const JointIndex index : plant.GetJointIndices(robot)) {
    if (plant.get_joint(index).num_velocities() == 1 &&
        !taken.contains(index)) {
      result.push_back(index);
    }
  }
  return result;
}

void AddActuators(const std::string& file, ModelInstanceIndex robot,
                  Actuate actuate, MultibodyPlant<double>* plant,
                  std::vector<std::string>* remarks) {
  const bool none = plant->num_actuators() == 0;
  if (!none && actuate == Actuate::kAsTheFileSays) return;
  const std::vector<JointIndex> joints = FindJointsToActuate(robot, *plant);
  for (const JointIndex index : joints) {
    const auto& joint = plant->get_joint(index);
    plant->AddJointActuator(joint.name(), joint);
  }
  if (remarks != nullptr && !joints.empty()) {
    remarks->push_back(fmt::format(
        "{}: {}; {} joints get an actuator without effort limit.", file,
        none ? "no joint has a transmission" : "all joints are to be actuated",
        joints.size()));
  }
}

}  // namespace

std::unique_ptr<MultibodyPlant<double>> LoadArm(
    const std::filesystem::path& urdf, double time_step, Actuate actuate,
    std::vector<std::string>* remarks) {
  auto plant = std::make_unique<MultibodyPlant<double>>(time_step);
  multibody::Parser parser(plant.get());
  parser.SetWarningHandler([remarks](const std::string& warning) {
    if (remarks != nullptr) remarks->push_back(warning);
  });
  const std::vector<ModelInstanceIndex> robots = parser.AddModels(urdf);
  WeldRoot(urdf.string(), robots.at(0), plant.get());
  AddActuators(urdf.string(), robots.at(0), actuate, plant.get(), remarks);
  if (plant->num_actuators() == 0) {
    throw std::runtime_error(fmt::format(
        "{}: no joint has an actuator, and none can get one: wanted is a joint "
        "that turns about an axis or slides.",
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
