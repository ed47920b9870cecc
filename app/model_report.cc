#include "wyvern/app/model_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/systems/common/json_text.h"

namespace wyvern::app {

using multibody::BodyIndex;
using multibody::Joint;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;
using multibody::RigidBody;

namespace {

// "hand" of the world or of a single model, else "arm::hand".
std::string NameOf(const RigidBody<double>& body) {
  return body.index() == multibody::world_index()
             ? "world"
             : body.scoped_name().to_string();
}

BodyReport Describe(const RigidBody<double>& body,
                    const MultibodyPlant<double>& plant) {
  const auto& M = body.default_spatial_inertia();
  BodyReport report;
  report.name = NameOf(body);
  report.mass = M.get_mass();
  report.center_of_mass = M.get_com();
  report.principal_moments.setZero();
  report.ellipsoid_semi_axes.setZero();
  if (report.mass > 0) {
    Vector3<double> moments = M.Shift(M.get_com())
                                  .CalcRotationalInertia()
                                  .CalcPrincipalMomentsOfInertia();
    std::sort(moments.data(), moments.data() + 3, std::greater<>());
    report.principal_moments = moments;
    report.ellipsoid_semi_axes =
        M.CalcPrincipalSemiDiametersAndPoseForSolidEllipsoid().first;
  }
  report.num_visuals =
      static_cast<int>(plant.GetVisualGeometriesForBody(body).size());
  report.num_collisions =
      static_cast<int>(plant.GetCollisionGeometriesForBody(body).size());
  return report;
}

JointReport Describe(const Joint<double>& joint) {
  return {.name = joint.name(),
          .type = joint.type_name(),
          .parent = NameOf(joint.parent_body()),
          .child = NameOf(joint.child_body()),
          .num_positions = joint.num_positions(),
          .num_velocities = joint.num_velocities(),
          .lower_limits = joint.position_lower_limits(),
          .upper_limits = joint.position_upper_limits(),
          .velocity_limits = joint.velocity_upper_limits()};
}

std::string Json(double x) {
  return std::isfinite(x) ? fmt::format("{}", x) : "null";
}

template <typename Vector>
std::string JsonVector(const Vector& v) {
  std::vector<std::string> items;
  for (int i = 0; i < v.size(); ++i) items.push_back(Json(v[i]));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string JsonTexts(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts)
    items.push_back(internal::JsonString(text));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string Json(const BodyReport& b) {
  return fmt::format(
      "    {{\"name\": {}, \"mass\": {}, \"center_of_mass\": {}, "
      "\"principal_moments\": {}, \"ellipsoid_semi_axes\": {}, "
      "\"num_visuals\": {}, \"num_collisions\": {}}}",
      internal::JsonString(b.name), Json(b.mass), JsonVector(b.center_of_mass),
      JsonVector(b.principal_moments), JsonVector(b.ellipsoid_semi_axes),
      b.num_visuals, b.num_collisions);
}

std::string Json(const JointReport& j) {
  return fmt::format(
      "    {{\"name\": {}, \"type\": {}, \"parent\": {}, \"child\": {}, "
      "\"num_positions\": {}, \"num_velocities\": {}, \"lower_limits\": {}, "
      "\"upper_limits\": {}, \"velocity_limits\": {}, \"has_actuator\": {}, "
      "\"effort_limit\": {}}}",
      internal::JsonString(j.name), internal::JsonString(j.type),
      internal::JsonString(j.parent), internal::JsonString(j.child),
      j.num_positions, j.num_velocities, JsonVector(j.lower_limits),
      JsonVector(j.upper_limits), JsonVector(j.velocity_limits), j.has_actuator,
      Json(j.effort_limit));
}

// "elbow (revolute, -1 to 1, effort 5)"
std::string Phrase(const JointReport& joint) {
  std::string text = fmt::format("{} ({}", joint.name, joint.type);
  const auto is_set = [](double x) { return std::isfinite(x); };
  if (joint.num_positions == 1 &&
      (is_set(joint.lower_limits[0]) || is_set(joint.upper_limits[0]))) {
    text += fmt::format(", {:.4g} to {:.4g}", joint.lower_limits[0],
                        joint.upper_limits[0]);
  }
  if (joint.has_actuator) {
    text += is_set(joint.effort_limit)
                ? fmt::format(", effort {:.4g}", joint.effort_limit)
                : ", actuated";
  }
  return text + ")";
}

// The bodies that hang on a body, each once: loops end where they close.
void AppendTree(const ModelReport& report, const std::string& body, int depth,
                std::set<std::string>* seen, std::string* text) {
  for (const JointReport& joint : report.joints) {
    if (joint.parent != body) continue;
    const bool is_new = seen->insert(joint.child).second;
    *text += fmt::format("{:{}}{} -> {}{}\n", "", 2 * depth, Phrase(joint),
                         joint.child, is_new ? "" : " (closes a loop)");
    if (is_new) AppendTree(report, joint.child, depth + 1, seen, text);
  }
}

}  // namespace

ModelReport InspectModel(const std::filesystem::path& file) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.0);
  multibody::Parser parser(&plant, &scene_graph);
  parser.SetWarningHandler({});
  ModelReport report;
  report.file = file.string();
  parser.AddModels(file);
  plant.Finalize();
  for (ModelInstanceIndex i(2); i < plant.num_model_instances(); ++i) {
    report.model_instances.push_back(plant.GetModelInstanceName(i));
  }
  for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
    report.bodies.push_back(Describe(plant.get_body(i), plant));
    report.total_mass += report.bodies.back().mass;
  }
  std::map<multibody::JointIndex, double> efforts;
  for (const auto i : plant.GetJointActuatorIndices()) {
    const auto& actuator = plant.get_joint_actuator(i);
    efforts[actuator.joint().index()] = actuator.effort_limit();
  }
  for (const multibody::JointIndex i : plant.GetJointIndices()) {
    report.joints.push_back(Describe(plant.get_joint(i)));
    const auto effort = efforts.find(i);
    if (effort == efforts.end()) continue;
    report.joints.back().has_actuator = true;
    report.joints.back().effort_limit = effort->second;
  }
  report.num_positions = plant.num_positions();
  report.num_velocities = plant.num_velocities();
  report.num_actuators = plant.num_actuators();
  report.warnings = parser.warnings();
  report.graphviz = plant.GetTopologyGraphvizString();
  return report;
}

std::string ToText(const ModelReport& report) {
  std::string text = fmt::format(
      "{}: {}\n{} positions, {} velocities, {} actuators, {:.6g} kg\n\n",
      report.file, fmt::join(report.model_instances, ", "),
      report.num_positions, report.num_velocities, report.num_actuators,
      report.total_mass);
  text += "Joints [rad, m, N m, N]:\nworld\n";
  std::set<std::string> seen{"world"};
  AppendTree(report, "world", 1, &seen, &text);
  text +=
      "\nBodies:                         mass    principal moments "
      "[kg m^2]       same ellipsoid [m]     seen  touch\n";
  for (const BodyReport& b : report.bodies) {
    text += fmt::format(
        "{:<28} {:>7.4g} kg {:>9.3g} {:>9.3g} {:>9.3g}  {:>7.3g} {:>7.3g} "
        "{:>7.3g}  {:>4} {:>6}\n",
        b.name, b.mass, b.principal_moments[0], b.principal_moments[1],
        b.principal_moments[2], b.ellipsoid_semi_axes[0],
        b.ellipsoid_semi_axes[1], b.ellipsoid_semi_axes[2], b.num_visuals,
        b.num_collisions);
  }
  if (!report.warnings.empty()) {
    text += fmt::format("\nDoubtful:\n{}\n", fmt::join(report.warnings, "\n"));
  }
  return text;
}

std::string ToJson(const ModelReport& report) {
  std::vector<std::string> bodies, joints;
  for (const BodyReport& body : report.bodies) bodies.push_back(Json(body));
  for (const JointReport& joint : report.joints) joints.push_back(Json(joint));
  return fmt::format(
      "{{\n  \"file\": {},\n  \"model_instances\": {},\n"
      "  \"num_positions\": {},\n  \"num_velocities\": {},\n"
      "  \"num_actuators\": {},\n  \"total_mass\": {},\n"
      "  \"bodies\": [\n{}\n  ],\n  \"joints\": [\n{}\n  ],\n"
      "  \"warnings\": {}\n}}\n",
      internal::JsonString(report.file), JsonTexts(report.model_instances),
      report.num_positions, report.num_velocities, report.num_actuators,
      Json(report.total_mass), fmt::join(bodies, ",\n"),
      fmt::join(joints, ",\n"), JsonTexts(report.warnings));
}

}  // namespace wyvern::app
