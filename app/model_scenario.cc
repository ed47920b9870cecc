#include "wyvern/app/model_scenario.h"

#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::app {

using multibody::BodyIndex;
using multibody::JointIndex;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;

namespace {

double HeightOf(BodyIndex body, const ScenarioSimulation& simulation) {
  const auto& plant = simulation.plant();
  return plant
      .EvalBodyPoseInWorld(simulation.plant_context(), plant.get_body(body))
      .translation()[2];
}

std::string ScopedNameOf(BodyIndex body, const MultibodyPlant<double>& plant) {
  return plant.get_body(body).scoped_name().to_string();
}

}  // namespace

Scenario MakeModelScenario(const std::string& file,
                           const ModelOptions& options) {
  Scenario scenario;
  scenario.model_files.push_back({.file = file});
  scenario.floor.emplace();
  ApplyModelOptions(options, &scenario);
  return scenario;
}

void ApplyModelOptions(const ModelOptions& options, Scenario* scenario) {
  if (options.time_step.has_value()) {
    scenario->plant_config.time_step = *options.time_step;
  }
  if (!options.contact_model.empty()) {
    scenario->plant_config.contact_model = options.contact_model;
  }
  if (options.base.empty()) return;
  if (scenario->model_files.empty()) {
    throw std::runtime_error(
        "--base is for models and for `model_files` of a scenario; weld a "
        "model of `directives` by add_weld.");
  }
  for (ModelFile& one : scenario->model_files) one.base = options.base;
}

ModelRemarks::ModelRemarks(const ScenarioSimulation& simulation) {
  const auto& plant = simulation.plant();
  std::set<BodyIndex> parents;
  std::vector<ModelInstanceIndex> moving;  // The model of each joint.
  for (const JointIndex i : plant.GetJointIndices()) {
    const auto& joint = plant.get_joint(i);
    parents.insert(joint.parent_body().index());
    if (joint.num_velocities() == 1) moving.push_back(joint.model_instance());
  }
  double mass = 0;
  for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
    mass += plant.get_body(i).default_mass();
  }
  if (plant.num_velocities() > 0 && mass == 0) {
    throw std::logic_error(
        "no body has a mass, so the model cannot be simulated; give each body "
        "that moves an <inertial> with a mass.");
  }
  std::vector<std::string> bases;
  for (const BodyIndex body : plant.GetFloatingBaseBodies()) {
    if (!parents.contains(body)) continue;
    heights_[body] = HeightOf(body, simulation);
  }
  for (const auto& [body, height] : heights_) {
    bases.push_back(ScopedNameOf(body, plant));
  }
  if (!bases.empty()) {
    const bool one = bases.size() == 1;
    at_start_.push_back(fmt::format(
        "the base {0} {1} free, and {2} unless something holds {3}; --base "
        "welded fixes {3} to the world.",
        fmt::join(bases, ", "), one ? "is" : "are", one ? "falls" : "fall",
        one ? "it" : "them"));
  }
  if (!moving.empty() && plant.num_actuators() == 0) {
    at_start_.push_back(fmt::format(
        "no joint has an actuator, so {} joint{} hang{} loose; the key "
        "'actuators' of a scenario adds actuators, as in --set "
        "'actuators={{{}: {{}}}}'.",
        moving.size(), moving.size() == 1 ? "" : "s",
        moving.size() == 1 ? "s" : "",
        plant.GetModelInstanceName(moving.front())));
  }
}

std::vector<std::string> ModelRemarks::AtEnd(
    const ScenarioSimulation& simulation) const {
  constexpr double kLeast = 0.01;  // [m]
  std::vector<std::string> remarks;
  for (const auto& [body, height] : heights_) {
    const double fall = height - HeightOf(body, simulation);
    if (!(fall > kLeast)) continue;
    remarks.push_back(fmt::format("the free base {} fell by {:.3g} m.",
                                  ScopedNameOf(body, simulation.plant()),
                                  fall));
  }
  return remarks;
}

}  // namespace wyvern::app
