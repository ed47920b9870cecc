// The file is parsed, its root is welded, joints that move no inertia become
// welds, and then actuators are added. The order counts: a joint that goes
// takes its actuator and its couplers along. All of it is before Finalize(),
// the gains are after it, as they need the mass matrix.

#include "examples/support/arm_model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
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

// Whether the body or one that it carries has inertia.
bool CarriesInertia(BodyIndex body, const MultibodyPlant<double>& plant) {
  const auto M = plant.get_body(body).default_spatial_inertia();
  if (M.get_mass() != 0 || !M.CopyToFullMatrix6().isZero(0)) return true;
  for (const JointIndex index : plant.GetJointIndices()) {
    const auto& joint = plant.get_joint(index);
    if (joint.parent_body().index() == body &&
        CarriesInertia(joint.child_body().index(), plant)) {
      return true;
    }
  }
  return false;
}

// Couplers stand in the way of removing joints, so that those that stay are
// added anew.
void RemoveJoints(const std::vector<JointIndex>& joints,
                  MultibodyPlant<double>* plant) {
  const auto couplers = plant->get_coupler_constraint_specs();
  for (const auto& [id, spec] : couplers) plant->RemoveConstraint(id);
  for (const JointActuatorIndex index :
       std::vector<JointActuatorIndex>(plant->GetJointActuatorIndices())) {
    const auto& actuator = plant->get_joint_actuator(index);
    const bool is_removed =
        std::ranges::any_of(actuator.terms(), [&joints](const auto& term) {
          return std::ranges::count(joints, term.joint->index()) > 0;
        });
    if (is_removed) plant->RemoveJointActuator(actuator);
  }
  for (const JointIndex index : joints) {
    plant->RemoveJoint(plant->get_joint(index));
  }
  for (const auto& [id, spec] : couplers) {
    if (!plant->has_joint(spec.joint0_index)) continue;
    if (!plant->has_joint(spec.joint1_index)) continue;
    plant->AddCouplerConstraint(plant->get_joint(spec.joint0_index),
                                plant->get_joint(spec.joint1_index),
                                spec.gear_ratio, spec.offset);
  }
}

// A joint that moves no inertia has no accelerations: a weld takes its place.
void WeldWhatMovesNoInertia(const std::string& file, ModelInstanceIndex robot,
                            MultibodyPlant<double>* plant,
                            std::vector<std::string>* remarks) {
  std::vector<JointIndex> joints;
  std::vector<std::string> names;
  std::vector<std::pair<const multibody::Frame<double>*,
                        const multibody::Frame<double>*>>
      welds;
  for (const JointIndex index : plant->GetJointIndices(robot)) {
    const auto& joint = plant->get_joint(index);
    if (joint.num_velocities() == 0) continue;
    if (CarriesInertia(joint.child_body().index(), *plant)) continue;
    joints.push_back(index);
    names.push_back(joint.name());
    welds.emplace_back(&joint.frame_on_parent(), &joint.frame_on_child());
  }
  if (joints.empty()) return;
  RemoveJoints(joints, plant);
  for (const auto& [F, M] : welds) plant->WeldFrames(*F, *M);
  if (remarks == nullptr) return;
  remarks->push_back(
      fmt::format("{}: joints that move no mass and no inertia are welded: {}.",
                  file, fmt::join(names, ", ")));
}

void AddActuators(const std::string& file, ModelInstanceIndex robot,
                  Actuate actuate, multibody::JointFactsMap facts,
                  MultibodyPlant<double>* plant,
                  std::vector<std::string>* remarks) {
  const bool none = plant->num_actuators() == 0;
  const std::vector<JointIndex> joints =
      multibody::FindUnactuatedJoints(robot, *plant);
  if (!none && actuate == Actuate::kAsTheFileSays) {
    if (remarks == nullptr || joints.empty()) return;
    std::vector<std::string> names;
    for (const JointIndex index : joints) {
      names.push_back(plant->get_joint(index).name());
    }
    remarks->push_back(fmt::format(
        "{}: joints without a transmission are not driven: {}; --actuate-all "
        "drives them too.",
        file, fmt::join(names, ", ")));
    return;
  }
  // Files made by CAD programs often give no efforts, but 0.
  int num_unlimited = 0;
  for (const JointIndex index : joints) {
    double& limit = facts[index].effort_limit;
    if (limit == 0) limit = multibody::JointFacts{}.effort_limit;
    if (std::isinf(limit)) ++num_unlimited;
  }
  multibody::AddMissingActuators(robot, {}, facts, plant);
  if (remarks != nullptr && !joints.empty()) {
    remarks->push_back(fmt::format(
        "{}: {}; {} joints get an actuator, {} of them without effort limit.",
        file,
        none ? "no joint has a transmission" : "all joints are to be actuated",
        joints.size(), num_unlimited));
  }
}

}  // namespace

std::unique_ptr<MultibodyPlant<double>> LoadArm(
    const std::filesystem::path& urdf, double time_step, Actuate actuate,
    std::vector<std::string>* remarks,
    geometry::SceneGraph<double>* scene_graph) {
  auto plant = std::make_unique<MultibodyPlant<double>>(time_step);
  multibody::Parser parser(plant.get(), scene_graph);
  parser.SetWarningHandler([remarks](const std::string& warning) {
    if (remarks != nullptr) remarks->push_back(warning);
  });
  const std::vector<ModelInstanceIndex> robots = parser.AddModels(urdf);
  WeldRoot(urdf.string(), robots.at(0), plant.get());
  WeldWhatMovesNoInertia(urdf.string(), robots.at(0), plant.get(), remarks);
  AddActuators(urdf.string(), robots.at(0), actuate, parser.joint_facts(),
               plant.get(), remarks);
  if (plant->num_actuators() == 0) {
    throw std::runtime_error(fmt::format(
        "{}: no joint has an actuator, and none can get one: wanted is a joint "
        "that turns about an axis or slides.",
        urdf.string()));
  }
  for (const JointActuatorIndex index : plant->GetJointActuatorIndices()) {
    plant->get_mutable_joint_actuator(index).set_controller_gains({});
  }
  return plant;
}

void AddPdControl(const VectorXd& q, double bandwidth,
                  MultibodyPlant<double>* plant) {
  const auto context = plant->CreateDefaultContext();
  plant->SetPositions(context.get(), q);
  MatrixXd M(plant->num_velocities(), plant->num_velocities());
  plant->CalcMassMatrix(*context, &M);
  for (const JointActuatorIndex index : plant->GetJointActuatorIndices()) {
    const int dof = plant->get_joint_actuator(index).joint().velocity_start();
    plant->get_mutable_joint_actuator(index).set_controller_gains(
        {.p = bandwidth * bandwidth * M(dof, dof),
         .d = 2.0 * bandwidth * M(dof, dof)});
  }
}

}  // namespace wyvern::examples
