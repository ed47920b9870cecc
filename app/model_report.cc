#include "wyvern/app/model_report.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/tree/pd_controller_gains.h"
#include "wyvern/systems/common/json_text.h"

/* A model is read into a plant of its own and described as plain data, from
which the text for people and the JSON are made. Warnings are those of the
Parser, and of inertias that no mass within the body's shapes has. */

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

// How far a box of that size about its frame G's origin is from the point Q.
double ReachOfBox(const Vector3<double>& half_size,
                  const Vector3<double>& p_GQ) {
  return (p_GQ.cwiseAbs() + half_size).norm();
}

/** From the point Q to the farthest of a shape's, Q in the shape's frame. */
struct ReachOfShape {
  double operator()(const geometry::Box& box) const {
    return ReachOfBox(box.size() / 2, p_GQ);
  }
  double operator()(const geometry::Capsule& capsule) const {
    const double r = capsule.radius();
    return ReachOfBox({r, r, r + capsule.length() / 2}, p_GQ);
  }
  double operator()(const geometry::Convex& mesh) const { return OfHull(mesh); }
  double operator()(const geometry::Cylinder& cylinder) const {
    const double r = cylinder.radius();
    return ReachOfBox({r, r, cylinder.length() / 2}, p_GQ);
  }
  double operator()(const geometry::Ellipsoid& e) const {
    return ReachOfBox({e.a(), e.b(), e.c()}, p_GQ);
  }
  double operator()(const geometry::HalfSpace&) const {
    return std::numeric_limits<double>::infinity();
  }
  double operator()(const geometry::Mesh& mesh) const { return OfHull(mesh); }
  double operator()(const geometry::MeshcatCone& cone) const {
    // From its tip at the origin.
    return ReachOfBox({cone.a(), cone.b(), cone.height()}, p_GQ);
  }
  double operator()(const geometry::Sphere& sphere) const {
    return p_GQ.norm() + sphere.radius();
  }
  // A mesh that has no hull, as a flat one, is seen alone and tells nothing.
  template <class AnyMesh>
  double OfHull(const AnyMesh& mesh) const {
    double reach = 0;
    try {
      const auto& hull = mesh.GetConvexHull();
      for (int i = 0; i < hull.num_vertices(); ++i) {
        reach = std::max(reach, (hull.vertex(i) - p_GQ).norm());
      }
    } catch (const std::exception&) {
      return 0;
    }
    return reach;
  }

  Vector3<double> p_GQ;
};

double CalcShapeReach(const RigidBody<double>& body,
                      const Vector3<double>& center_of_mass,
                      const MultibodyPlant<double>& plant,
                      const geometry::SceneGraph<double>& scene_graph) {
  const auto& inspector = scene_graph.model_inspector();
  double reach = 0;
  for (const auto* ids : {&plant.GetVisualGeometriesForBody(body),
                          &plant.GetCollisionGeometriesForBody(body)}) {
    for (const geometry::GeometryId id : *ids) {
      const Vector3<double> p_GQ =
          inspector.GetPoseInFrame(id).inverse() * center_of_mass;
      reach = std::max(reach, inspector.GetShape(id).Visit(ReachOfShape{p_GQ}));
    }
  }
  return reach;
}

// Returns why the inertia is impossible, or nearly so, if the mass is within
// the shapes; returns nothing if it is possible. The second moment of mass
// along any axis is at most m reach^2, and that of a solid ellipsoid is m a^2 /
// 5. A rod or sphere has a longest semi-axis of about the reach; a point of
// mass is meant to be one.
std::string DoubtInertia(const BodyReport& body) {
  const double most = body.ellipsoid_semi_axes.maxCoeff();
  if (body.shape_reach <= 0 || !std::isfinite(body.shape_reach) || most == 0) {
    return {};
  }
  const bool is_more = most > 1.0001 * std::sqrt(5.0) * body.shape_reach;
  if (!is_more && most > body.shape_reach / 20) return {};
  return fmt::format(
      "the inertia of '{}' is that of a solid ellipsoid with a semi-axis of "
      "{:.3g} m, and its shapes reach {:.3g} m from its centre of mass: {}.",
      body.name, most, body.shape_reach,
      is_more ? "no mass within them has it"
              : "all mass is close to that point");
}

BodyReport Describe(const RigidBody<double>& body,
                    const MultibodyPlant<double>& plant,
                    const geometry::SceneGraph<double>& scene_graph) {
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
  report.shape_reach =
      CalcShapeReach(body, report.center_of_mass, plant, scene_graph);
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
          .velocity_limits = joint.velocity_upper_limits(),
          .default_positions = joint.default_positions()};
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
      "\"shape_reach\": {}, \"num_visuals\": {}, \"num_collisions\": {}}}",
      internal::JsonString(b.name), Json(b.mass), JsonVector(b.center_of_mass),
      JsonVector(b.principal_moments), JsonVector(b.ellipsoid_semi_axes),
      Json(b.shape_reach), b.num_visuals, b.num_collisions);
}

std::string Json(const JointReport& j) {
  return fmt::format(
      "    {{\"name\": {}, \"type\": {}, \"parent\": {}, \"child\": {}, "
      "\"num_positions\": {}, \"num_velocities\": {}, \"lower_limits\": {}, "
      "\"upper_limits\": {}, \"velocity_limits\": {}, \"has_actuator\": {}, "
      "\"effort_limit\": {}, \"proportional_gain\": {}, "
      "\"derivative_gain\": {}, \"default_positions\": {}}}",
      internal::JsonString(j.name), internal::JsonString(j.type),
      internal::JsonString(j.parent), internal::JsonString(j.child),
      j.num_positions, j.num_velocities, JsonVector(j.lower_limits),
      JsonVector(j.upper_limits), JsonVector(j.velocity_limits), j.has_actuator,
      Json(j.effort_limit), Json(j.proportional_gain), Json(j.derivative_gain),
      JsonVector(j.default_positions));
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
  if (!std::isnan(joint.proportional_gain)) {
    text += fmt::format(", servo with gains {:.4g} and {:.4g}",
                        joint.proportional_gain, joint.derivative_gain);
  }
  if (joint.num_positions == 1 && joint.default_positions[0] != 0) {
    text += fmt::format(", starts at {:.4g}", joint.default_positions[0]);
  }
  return text + ")";
}

// Lists the bodies that hang on the world, depth first, each body once: a loop
// ends where it closes. Keeps a list instead of recursing, because a chain may
// be long.
void AppendTree(const ModelReport& report, std::string* text) {
  std::map<std::string, std::vector<const JointReport*>> joints_on;
  for (const JointReport& joint : report.joints) {
    joints_on[joint.parent].push_back(&joint);
  }
  struct Branch {
    const JointReport* joint{};
    int depth{};
  };
  std::vector<Branch> to_do;
  const auto push_joints_on = [&](const std::string& body, int depth) {
    const auto& joints = joints_on[body];
    for (auto it = joints.rbegin(); it != joints.rend(); ++it) {
      to_do.push_back({*it, depth});
    }
  };
  // Deeper bodies are not indented further, so that the text grows linearly.
  constexpr int kDeepest = 100;
  std::set<std::string> seen{"world"};
  push_joints_on("world", 1);
  while (!to_do.empty()) {
    const auto [joint, depth] = to_do.back();
    to_do.pop_back();
    const bool is_new = seen.insert(joint->child).second;
    *text += fmt::format("{:{}}{} -> {}{}\n", "", 2 * std::min(depth, kDeepest),
                         Phrase(*joint), joint->child,
                         is_new ? "" : " (closes a loop)");
    if (is_new) push_joints_on(joint->child, depth + 1);
  }
}

}  // namespace

ModelReport InspectModel(const std::filesystem::path& file,
                         const multibody::PackageMap& packages) {
  geometry::SceneGraph<double> scene_graph;
  MultibodyPlant<double> plant(0.0);
  multibody::Parser parser(&plant, &scene_graph);
  parser.SetWarningHandler({});
  parser.package_map().AddMap(packages);
  ModelReport report;
  report.file = file.string();
  parser.AddModels(file);
  plant.Finalize();
  for (ModelInstanceIndex i(2); i < plant.num_model_instances(); ++i) {
    report.model_instances.push_back(plant.GetModelInstanceName(i));
  }
  for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
    report.bodies.push_back(Describe(plant.get_body(i), plant, scene_graph));
    report.total_mass += report.bodies.back().mass;
  }
  std::map<multibody::JointIndex, double> efforts;
  std::map<multibody::JointIndex, multibody::PdControllerGains> gains;
  for (const auto i : plant.GetJointActuatorIndices()) {
    const auto& actuator = plant.get_joint_actuator(i);
    for (const auto& term : actuator.terms()) {
      efforts[term.joint->index()] +=
          std::abs(term.coefficient) * actuator.effort_limit();
    }
    if (!actuator.has_controller()) continue;
    // A servo at a tendon of length sum c_i q_i has the stiffness c_i^2 p at
    // joint i.
    for (const auto& term : actuator.terms()) {
      const double c = term.coefficient;
      gains[term.joint->index()].p += c * c * actuator.get_controller_gains().p;
      gains[term.joint->index()].d += c * c * actuator.get_controller_gains().d;
    }
  }
  for (const multibody::JointIndex i : plant.GetJointIndices()) {
    JointReport& joint =
        report.joints.emplace_back(Describe(plant.get_joint(i)));
    const auto effort = efforts.find(i);
    if (effort == efforts.end()) continue;
    joint.has_actuator = true;
    joint.effort_limit = effort->second;
    const auto found = gains.find(i);
    if (found == gains.end()) continue;
    joint.proportional_gain = found->second.p;
    joint.derivative_gain = found->second.d;
  }
  report.num_positions = plant.num_positions();
  report.num_velocities = plant.num_velocities();
  report.num_actuators = plant.num_actuators();
  report.warnings = parser.warnings();
  for (const BodyReport& body : report.bodies) {
    std::string doubt = DoubtInertia(body);
    if (!doubt.empty()) report.warnings.push_back(std::move(doubt));
  }
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
  AppendTree(report, &text);
  text +=
      "\nBodies:                         mass    principal moments "
      "[kg m^2]       same ellipsoid [m]    reach  seen  touch\n";
  for (const BodyReport& b : report.bodies) {
    text += fmt::format(
        "{:<28} {:>7.4g} kg {:>9.3g} {:>9.3g} {:>9.3g}  {:>7.3g} {:>7.3g} "
        "{:>7.3g} {:>7.3g}  {:>4} {:>6}\n",
        b.name, b.mass, b.principal_moments[0], b.principal_moments[1],
        b.principal_moments[2], b.ellipsoid_semi_axes[0],
        b.ellipsoid_semi_axes[1], b.ellipsoid_semi_axes[2], b.shape_reach,
        b.num_visuals, b.num_collisions);
  }
  if (!report.warnings.empty()) {
    text += fmt::format("\nWarnings:\n{}\n", fmt::join(report.warnings, "\n"));
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
