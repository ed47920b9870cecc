#include "wyvern/app/live_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/app/scenario_models.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/sensors/accelerometer.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/gain.h"

/* Each number is found by its path and becomes a getter and a setter of the
Context: the plant has masses, damping, dry friction and gravity as parameters
(accelerometers have gravity, too, wherever they are in the diagram), the
SceneGraph has the friction of surfaces as properties of geometries, and some
blocks have their fields as parameters. The numbers that a scenario sets at the
start go the same way, so a restart gives what the slider gave. */

namespace wyvern::app {

using geometry::ProximityProperties;
using multibody::CoulombFriction;
using multibody::MultibodyPlant;
using multibody::RigidBody;
using systems::Context;
using systems::Diagram;
using systems::System;

namespace {

constexpr std::string_view kParameters = "model_parameters.";
constexpr const char* kWho = "Scenario (model_parameters)";

LiveNumber FindMass(const RigidBody<double>& body,
                    const MultibodyPlant<double>& plant,
                    const Context<double>& root) {
  return {.name = fmt::format("{} mass [kg]", body.scoped_name().to_string()),
          .value = body.get_mass(plant.GetMyContextFromRoot(root)),
          .set = [&body, &plant](double value, Context<double>* context) {
            internal::RequirePositive(
                internal::Caller(kWho).Of("body", body.name()), "mass", value);
            body.SetMass(&plant.GetMyMutableContextFromRoot(context), value);
          }};
}

LiveNumber FindContactFriction(const RigidBody<double>& body,
                               const MultibodyPlant<double>& plant,
                               const geometry::SceneGraph<double>& scene_graph,
                               const Context<double>& root) {
  const auto& shapes = plant.GetCollisionGeometriesForBody(body);
  const auto inspector_of =
      [&scene_graph](const Context<double>& context) -> decltype(auto) {
    return scene_graph.get_query_output_port()
        .Eval<geometry::QueryObject<double>>(
            scene_graph.GetMyContextFromRoot(context))
        .inspector();
  };
  if (shapes.empty()) {
    throw std::logic_error(
        fmt::format("Scenario (model_parameters): the body '{}' has no "
                    "collision shape, so it has no "
                    "friction; give another body.",
                    body.scoped_name().to_string()));
  }
  const auto friction =
      inspector_of(root)
          .GetProximityProperties(shapes.front())
          ->GetPropertyOrDefault<CoulombFriction<double>>(
              "material", "coulomb_friction", CoulombFriction<double>(0, 0));
  return {
      .name =
          fmt::format("{} contact friction", body.scoped_name().to_string()),
      .value = friction.dynamic_friction(),
      .set = [&body, &plant, &scene_graph, inspector_of, shapes](
                 double value, Context<double>* context) {
        internal::RequireNonNegative(
            internal::Caller(kWho).Of("body", body.name()), "friction", value);
        for (const geometry::GeometryId id : shapes) {
          ProximityProperties properties =
              *inspector_of(*context).GetProximityProperties(id);
          properties.UpdateProperty("material", "coulomb_friction",
                                    CoulombFriction<double>(value, value));
          scene_graph.AssignRole(
              &scene_graph.GetMyMutableContextFromRoot(context),
              plant.get_source_id().value(), id, std::move(properties),
              geometry::RoleAssign::kReplace);
        }
      }};
}

LiveNumber FindOfJoint(const multibody::Joint<double>& joint,
                       const std::string& quantity,
                       const MultibodyPlant<double>& plant,
                       const Context<double>& root) {
  const std::string name =
      fmt::format("{}::{}", plant.GetModelInstanceName(joint.model_instance()),
                  joint.name());
  if (joint.num_velocities() != 1) {
    throw std::logic_error(
        fmt::format("Scenario (model_parameters): the joint '{}' has {} "
                    "degrees of freedom; give a "
                    "joint of one.",
                    name, joint.num_velocities()));
  }
  const Context<double>& context = plant.GetMyContextFromRoot(root);
  const bool is_linear = joint.type_name() == "prismatic";
  const bool is_damping = quantity == "damping";
  const char* const unit = is_damping ? (is_linear ? "N·s/m" : "N·m·s/rad")
                                      : (is_linear ? "N" : "N·m");
  return {.name = fmt::format("{} {} [{}]", name, quantity, unit),
          .value = is_damping ? joint.GetDampingVector(context)[0]
                              : joint.GetFrictionVector(context)[0],
          .set = [&joint, &plant, is_damping](double value,
                                              Context<double>* changed) {
            Context<double>* const own =
                &plant.GetMyMutableContextFromRoot(changed);
            const VectorX<double> one = VectorX<double>::Constant(1, value);
            if (is_damping) {
              joint.SetDampingVector(own, one);
            } else {
              joint.SetFrictionVector(own, one);
            }
          }};
}

using GravitySensor = systems::sensors::Accelerometer<double>;

// Adds the accelerometers of a Diagram and of those inside of it.
void FindAccelerometers(const Diagram<double>& diagram,
                        std::vector<const GravitySensor*>* found) {
  for (const System<double>* part : diagram.GetSystems()) {
    if (const auto* sensor = dynamic_cast<const GravitySensor*>(part)) {
      found->push_back(sensor);
    } else if (const auto* inner = dynamic_cast<const Diagram<double>*>(part)) {
      FindAccelerometers(*inner, found);
    }
  }
}

LiveNumber FindGravity(int axis, const Diagram<double>& diagram,
                       const Context<double>& root) {
  const auto& plant =
      diagram.GetDowncastSubsystemByName<MultibodyPlant>("plant");
  std::vector<const GravitySensor*> sensors;
  FindAccelerometers(diagram, &sensors);
  return {.name = fmt::format("gravity[{}] [m/s²]", axis),
          .value = plant.gravity_field().GetGravityVector(
              plant.GetMyContextFromRoot(root))[axis],
          .set = [&plant, sensors = std::move(sensors), axis](
                     double value, Context<double>* changed) {
            internal::RequireFinite("Scenario (gravity)", "gravity", value);
            Context<double>& own = plant.GetMyMutableContextFromRoot(changed);
            Eigen::Vector3d g_W = plant.gravity_field().GetGravityVector(own);
            g_W[axis] = value;
            plant.gravity_field().SetGravityVector(&own, g_W);
            for (const GravitySensor* sensor : sensors) {
              sensor->SetGravityVector(
                  &sensor->GetMyMutableContextFromRoot(changed), g_W);
            }
          }};
}

std::vector<std::string> Split(std::string_view path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

LiveNumber FindModelNumber(const std::string& path,
                           const Diagram<double>& diagram,
                           const Context<double>& root) {
  const auto& plant =
      diagram.GetDowncastSubsystemByName<MultibodyPlant>("plant");
  const std::vector<std::string> parts = Split(path);
  const std::string who = fmt::format("Scenario ({})", path);
  const bool is_whole = parts.size() == 5;
  const std::string what = is_whole ? parts[2] + "." + parts[4] : std::string();
  if (what == "bodies.mass" || what == "bodies.friction") {
    const RigidBody<double>& body = plant.get_body(
        FindBody(who, parts[3], FindModel(who, parts[1], plant), plant));
    return parts[4] == "mass"
               ? FindMass(body, plant, root)
               : FindContactFriction(
                     body, plant,
                     diagram.GetDowncastSubsystemByName<geometry::SceneGraph>(
                         "scene_graph"),
                     root);
  }
  if (what == "joints.damping" || what == "joints.friction") {
    return FindOfJoint(
        plant.get_joint(
            FindJoint(who, parts[3], FindModel(who, parts[1], plant), plant)),
        parts[4], plant, root);
  }
  throw std::logic_error(fmt::format(
      "{}: there is no such number; give model_parameters.MODEL.bodies.BODY "
      "with .mass or .friction, or model_parameters.MODEL.joints.JOINT with "
      ".damping or .friction. Names must not have a dot.",
      who));
}

// A parameter of a block whose type has the field as a parameter.
struct Field {
  const System<double>* block{};
  int parameter{-1};
};

Field FindField(const System<double>& block, const std::string& field) {
  const auto* gain = dynamic_cast<const systems::Gain<double>*>(&block);
  if (gain != nullptr && gain->is_tunable() && field == "k") {
    return {&block, 0};
  }
  const auto* pid =
      dynamic_cast<const systems::controllers::PidController<double>*>(&block);
  if (pid != nullptr && pid->is_tunable()) {
    if (field == "kp") return {&block, 0};
    if (field == "ki") return {&block, 1};
    if (field == "kd") return {&block, 2};
  }
  if (field == "value" &&
      dynamic_cast<const systems::ConstantVectorSource<double>*>(&block) !=
          nullptr) {
    return {&block, 0};
  }
  return {};
}

// The number of "blocks.NAME.FIELD[INDEX]"; null if it is no parameter.
std::optional<LiveNumber> FindBlockNumber(const std::string& path,
                                          const Diagram<double>& diagram,
                                          const Context<double>& root) {
  const std::vector<std::string> parts = Split(path);
  if (parts.size() != 3 || !diagram.HasSubsystemNamed(parts[1])) {
    return std::nullopt;
  }
  const std::size_t bracket = parts[2].find('[');
  const Field found = FindField(diagram.GetSubsystemByName(parts[1]),
                                parts[2].substr(0, bracket));
  if (found.block == nullptr || bracket == std::string::npos) {
    return std::nullopt;
  }
  int index = -1;
  const char* const end = parts[2].data() + parts[2].size();
  const char* const rest =
      std::from_chars(parts[2].data() + bracket + 1, end, index).ptr;
  if (index < 0 || std::string_view(rest, end) != "]") return std::nullopt;
  const auto& values = found.block->GetMyContextFromRoot(root)
                           .get_numeric_parameter(found.parameter)
                           .value();
  if (index >= values.size()) return std::nullopt;
  return LiveNumber{
      .name = path,
      .value = values[index],
      .set = [found, index](double value, Context<double>* context) {
        found.block->GetMyMutableContextFromRoot(context)
            .get_mutable_numeric_parameter(found.parameter)
            .SetAtIndex(index, value);
      }};
}

}  // namespace

std::optional<int> FindGravityAxis(std::string_view path) {
  constexpr std::array kPaths{"gravity[0]", "gravity[1]", "gravity[2]"};
  const auto at = std::ranges::find(kPaths, path);
  if (at == kPaths.end()) return std::nullopt;
  return static_cast<int>(at - kPaths.begin());
}

std::optional<LiveNumber> FindLiveNumber(const std::string& path,
                                         const Diagram<double>& diagram,
                                         const Context<double>& root) {
  const std::optional<int> axis = FindGravityAxis(path);
  if (axis.has_value()) return FindGravity(*axis, diagram, root);
  if (path.starts_with(kParameters)) {
    return FindModelNumber(path, diagram, root);
  }
  if (path.starts_with("blocks.")) {
    return FindBlockNumber(path, diagram, root);
  }
  return std::nullopt;
}

void ApplyModelParameters(const Scenario& scenario,
                          const Diagram<double>& diagram,
                          Context<double>* root) {
  if (scenario.model_parameters.empty()) return;
  const auto& plant =
      diagram.GetDowncastSubsystemByName<MultibodyPlant>("plant");
  const auto& scene_graph =
      diagram.GetDowncastSubsystemByName<geometry::SceneGraph>("scene_graph");
  for (const auto& [model, parameters] : scenario.model_parameters) {
    const std::string who =
        fmt::format("Scenario (model_parameters['{}'])", model);
    const auto instance = FindModel(who, model, plant);
    for (const auto& [name, wanted] : parameters.bodies) {
      const auto& body = plant.get_body(FindBody(who, name, instance, plant));
      if (wanted.mass) FindMass(body, plant, *root).set(*wanted.mass, root);
      if (wanted.friction) {
        FindContactFriction(body, plant, scene_graph, *root)
            .set(*wanted.friction, root);
      }
    }
    for (const auto& [name, wanted] : parameters.joints) {
      const auto& joint =
          plant.get_joint(FindJoint(who, name, instance, plant));
      if (wanted.damping) {
        FindOfJoint(joint, "damping", plant, *root).set(*wanted.damping, root);
      }
      if (wanted.friction) {
        FindOfJoint(joint, "friction", plant, *root)
            .set(*wanted.friction, root);
      }
    }
  }
}

}  // namespace wyvern::app
