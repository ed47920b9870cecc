#include "wyvern/app/scenario_models.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/geometry/proximity/aabb.h"
#include "wyvern/geometry/proximity/collision_shape.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/parsing/directives/process_model_directives.h"
#include "wyvern/multibody/parsing/mesh_files.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/yaml/yaml_node.h"

/* From files to a finalized plant. Files come first, then directives, which may
weld or place the files' models; then actuators and positions. The floor is
last, because its height follows from the shapes at these positions. Poses
are computed from the joints' default positions, because a plant has no
Context before it is finalized. */

namespace wyvern::app {

using geometry::internal::Aabb;
using math::RigidTransform;
using multibody::BodyIndex;
using multibody::Joint;
using multibody::JointActuatorIndex;
using multibody::JointIndex;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;
using multibody::RigidBody;

std::string SuggestName(const std::string& name,
                        const std::vector<std::string>& names) {
  const std::string nearest = yaml::internal::FindNearest(name, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

ModelInstanceIndex FindModel(const std::string& who, const std::string& name,
                             const MultibodyPlant<double>& plant) {
  if (plant.HasModelInstanceNamed(name)) {
    return plant.GetModelInstanceByName(name);
  }
  std::vector<std::string> names;
  for (ModelInstanceIndex i(2); i < plant.num_model_instances(); ++i) {
    names.push_back(plant.GetModelInstanceName(i));
  }
  throw std::logic_error(
      fmt::format("{}: there is no model instance named '{}', only [{}]{}", who,
                  name, fmt::join(names, ", "), SuggestName(name, names)));
}

BodyIndex FindBody(const std::string& who, const std::string& name,
                   ModelInstanceIndex model,
                   const MultibodyPlant<double>& plant) {
  if (plant.HasBodyNamed(name, model)) {
    return plant.GetBodyByName(name, model).index();
  }
  std::vector<std::string> names;
  for (const BodyIndex i : plant.GetBodyIndices(model)) {
    names.push_back(plant.get_body(i).name());
  }
  throw std::logic_error(
      fmt::format("{}: the model '{}' has no body named '{}', only [{}]{}", who,
                  plant.GetModelInstanceName(model), name,
                  fmt::join(names, ", "), SuggestName(name, names)));
}

JointIndex FindJoint(const std::string& who, const std::string& name,
                     ModelInstanceIndex model,
                     const MultibodyPlant<double>& plant) {
  if (plant.HasJointNamed(name, model)) {
    return plant.GetJointByName(name, model).index();
  }
  std::vector<std::string> names;
  for (const JointIndex i : plant.GetJointIndices(model)) {
    names.push_back(plant.get_joint(i).name());
  }
  throw std::logic_error(
      fmt::format("{}: the model '{}' has no joint named '{}', only [{}]{}",
                  who, plant.GetModelInstanceName(model), name,
                  fmt::join(names, ", "), SuggestName(name, names)));
}

void SetDefaultPositions(const std::string& who,
                         const JointPositions& positions,
                         MultibodyPlant<double>* plant) {
  for (const auto& [model, joints] : positions) {
    const ModelInstanceIndex instance = FindModel(who, model, *plant);
    for (const auto& [joint, q] : joints) {
      plant->get_mutable_joint(FindJoint(who, joint, instance, *plant))
          .set_default_positions(q);
    }
  }
}

namespace {

/** The joint whose child each body is; bodies without one are free. */
class ParentJoints {
 public:
  explicit ParentJoints(const MultibodyPlant<double>& plant) {
    for (const JointIndex i : plant.GetJointIndices()) {
      const Joint<double>& joint = plant.get_joint(i);
      by_child_.emplace(joint.child_body().index(), &joint);
    }
  }

  const Joint<double>* Find(BodyIndex body) const {
    const auto found = by_child_.find(body);
    return found == by_child_.end() ? nullptr : found->second;
  }
  /** Whether no joint, or one of six degrees of freedom, ties it to the world.
   */
  bool IsFree(BodyIndex body) const {
    const Joint<double>* joint = Find(body);
    return joint == nullptr ||
           (joint->num_velocities() == 6 &&
            joint->parent_body().index() == multibody::world_index());
  }

 private:
  std::map<BodyIndex, const Joint<double>*> by_child_;
};

RigidTransform<double> CalcPoseFromJoint(const Joint<double>& joint) {
  return joint.frame_on_parent().GetFixedPoseInBodyFrame() *
         joint.GetDefaultPose() *
         joint.frame_on_child().GetFixedPoseInBodyFrame().inverse();
}

/** Poses of bodies before Finalize(), and whether they are fixed. */
class StartPoses {
 public:
  explicit StartPoses(const MultibodyPlant<double>& plant)
      : plant_(plant), parents_(plant), bodies_(plant.num_bodies()) {
    bodies_[0] = Start{.X_WB = {}, .is_fixed = true};
    for (BodyIndex i(1); i < plant.num_bodies(); ++i) Find(i);
  }

  const RigidTransform<double>& pose(BodyIndex body) const {
    return bodies_[body]->X_WB;
  }
  bool is_fixed(BodyIndex body) const { return bodies_[body]->is_fixed; }

 private:
  struct Start {
    RigidTransform<double> X_WB;
    bool is_fixed{};
  };

  // Goes up to a body that is known, and down again: a chain may be long.
  void Find(BodyIndex body) {
    std::vector<BodyIndex> path;
    for (BodyIndex at = body; !bodies_[at].has_value();) {
      path.push_back(at);
      const Joint<double>* joint = parents_.Find(at);
      const bool is_loop = path.size() > bodies_.size();
      if (joint == nullptr || is_loop) {
        bodies_[at] = Start{plant_.GetDefaultFreeBodyPose(plant_.get_body(at)),
                            /* is_fixed= */ false};
        break;
      }
      at = joint->parent_body().index();
    }
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      if (bodies_[*it].has_value()) continue;
      const Joint<double>& joint = *parents_.Find(*it);
      const Start& parent = *bodies_[joint.parent_body().index()];
      bodies_[*it] = Start{parent.X_WB * CalcPoseFromJoint(joint),
                           parent.is_fixed && joint.num_velocities() == 0};
    }
  }

  const MultibodyPlant<double>& plant_;
  const ParentJoints parents_;
  std::vector<std::optional<Start>> bodies_;
};

void WeldBases(const std::vector<ModelInstanceIndex>& models,
               MultibodyPlant<double>* plant) {
  const ParentJoints parents(*plant);
  std::vector<BodyIndex> all, with_joints;
  for (const ModelInstanceIndex model : models) {
    for (const BodyIndex body : plant->GetBodyIndices(model)) {
      if (!parents.IsFree(body)) continue;
      all.push_back(body);
      const bool carries =
          std::ranges::any_of(plant->GetJointIndices(), [&](JointIndex i) {
            return plant->get_joint(i).parent_body().index() == body;
          });
      if (carries) with_joints.push_back(body);
    }
  }
  for (const BodyIndex body : with_joints.empty() ? all : with_joints) {
    const RigidBody<double>& base = plant->get_body(body);
    const Joint<double>* joint = parents.Find(body);
    const RigidTransform<double> X_WB =
        joint == nullptr ? plant->GetDefaultFreeBodyPose(base)
                         : CalcPoseFromJoint(*joint);
    if (joint != nullptr) plant->RemoveJoint(*joint);
    plant->WeldFrames(plant->world_frame(), base.body_frame(), X_WB);
  }
}

void AddActuators(const Scenario& scenario,
                  const multibody::JointFactsMap& facts,
                  MultibodyPlant<double>* plant) {
  for (const auto& [model, wanted] : scenario.actuators) {
    const std::string who = fmt::format("Scenario (actuators['{}'])", model);
    const ModelInstanceIndex instance = FindModel(who, model, *plant);
    multibody::JointFactsMap known = facts;
    std::vector<JointIndex> joints = plant->GetJointIndices(instance);
    if (!wanted.joints.empty()) joints.clear();
    for (const std::string& name : wanted.joints) {
      joints.push_back(FindJoint(who, name, instance, *plant));
    }
    const int size = static_cast<int>(wanted.effort_limit.size());
    if (size > 1) {
      internal::RequireSize(who, "effort_limit", size,
                            static_cast<int>(wanted.joints.size()),
                            "give one for each of `joints`, or one for all");
    }
    for (int i = 0; i < size; ++i) {
      internal::RequirePositive(who, fmt::format("effort_limit[{}]", i),
                                wanted.effort_limit[i]);
    }
    for (std::size_t i = 0; size > 0 && i < joints.size(); ++i) {
      known[joints[i]].effort_limit = wanted.effort_limit[size == 1 ? 0 : i];
    }
    try {
      multibody::AddMissingActuators(instance, wanted.joints, known, plant);
    } catch (const std::logic_error& error) {
      throw std::logic_error(fmt::format("{}: {}", who, error.what()));
    }
    const bool has_some =
        std::ranges::any_of(plant->GetJointActuatorIndices(), [&](auto i) {
          return plant->get_joint_actuator(i).model_instance() == instance;
        });
    if (has_some) continue;
    throw std::logic_error(fmt::format(
        "{}: no joint can get an actuator: each follows another, has not one "
        "degree of freedom, or has an effort limit of 0; in the last case give "
        "effort_limit, as in actuators: {{{}: {{effort_limit: [50]}}}}.",
        who, model));
  }
}

// A plant wants gains of all actuators of a model instance or of none.
void CompleteGains(const Scenario& scenario, MultibodyPlant<double>* plant) {
  for (ModelInstanceIndex i(0); i < plant->num_model_instances(); ++i) {
    std::vector<JointActuatorIndex> actuators;
    for (const JointActuatorIndex one : plant->GetJointActuatorIndices()) {
      if (plant->get_joint_actuator(one).model_instance() == i) {
        actuators.push_back(one);
      }
    }
    const auto has_gains = [plant](JointActuatorIndex one) {
      return plant->get_joint_actuator(one).has_controller();
    };
    if (std::ranges::none_of(actuators, has_gains)) continue;
    const auto driver =
        scenario.model_drivers.find(plant->GetModelInstanceName(i));
    const bool is_replaced =
        driver != scenario.model_drivers.end() &&
        !std::holds_alternative<ServoDriver>(driver->second);
    for (const JointActuatorIndex one : actuators) {
      if (has_gains(one) && !is_replaced) continue;
      plant->get_mutable_joint_actuator(one).set_controller_gains({});
    }
  }
}

bool Contains(const Aabb& outer, const Aabb& inner) {
  return (outer.lower.head<2>().array() <= inner.lower.head<2>().array())
             .all() &&
         (outer.upper.head<2>().array() >= inner.upper.head<2>().array()).all();
}

// Returns "floor", or a longer name if the world has a geometry of that name.
std::string MakeFloorName(const geometry::SceneGraph<double>& scene_graph) {
  const auto& inspector = scene_graph.model_inspector();
  std::string name = "floor";
  const auto is_taken = [&](geometry::GeometryId id) {
    return inspector.GetName(id) == name;
  };
  while (std::ranges::any_of(
      inspector.GetGeometries(inspector.world_frame_id()), is_taken)) {
    name += "_below";
  }
  return name;
}

void AddFloor(const Floor& floor,
              const geometry::SceneGraph<double>& scene_graph,
              MultibodyPlant<double>* plant) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (floor.height.has_value()) {
    internal::RequireFinite("Scenario (floor)", "height", *floor.height);
  }
  const auto& inspector = scene_graph.model_inspector();
  const StartPoses starts(*plant);
  Aabb moving{Vector3<double>::Constant(kInfinity),
              Vector3<double>::Constant(-kInfinity)};
  std::vector<Aabb> fixed;
  double lowest = 0;
  for (BodyIndex i(0); i < plant->num_bodies(); ++i) {
    for (const geometry::GeometryId id :
         plant->GetCollisionGeometriesForBody(plant->get_body(i))) {
      const RigidTransform<double> X_WG =
          starts.pose(i) * inspector.GetPoseInFrame(id);
      const Aabb box = geometry::internal::CalcWorldAabb(
          geometry::internal::MakeCollisionShape(inspector.GetShape(id)), X_WG);
      const bool is_finite = std::isfinite(box.lower[2]);
      if (is_finite) lowest = std::min(lowest, box.lower[2]);
      if (starts.is_fixed(i)) {
        // A steep half space is a wall.
        if (!is_finite && X_WG.rotation().matrix()(2, 2) < 0.5) continue;
        // A base is no floor of the arm on it.
        const bool is_part =
            i > 0 &&
            std::ranges::any_of(
                plant->GetBodyIndices(plant->get_body(i).model_instance()),
                [&](BodyIndex b) { return !starts.is_fixed(b); });
        if (!is_part) fixed.push_back(box);
        continue;
      }
      moving.Include(box);
    }
  }
  constexpr double kOverlap = 0.01;  // [m] of shapes that touch at the start.
  const auto bears = [&](const Aabb& box) {
    const bool is_half_space = !std::isfinite(box.lower[2]);
    return is_half_space || (box.upper[2] <= moving.lower[2] + kOverlap &&
                             Contains(box, moving));
  };
  if (!floor.height.has_value() && std::ranges::any_of(fixed, bears)) return;
  const RigidTransform<double> X_WF(
      Vector3<double>(0, 0, floor.height.value_or(lowest)));
  const RigidBody<double>& world = plant->world_body();
  const std::string name = MakeFloorName(scene_graph);
  plant->RegisterCollisionGeometry(world, X_WF, geometry::HalfSpace(), name,
                                   multibody::CoulombFriction<double>(1, 1));
  plant->RegisterVisualGeometry(world, X_WF, geometry::HalfSpace(), name,
                                Vector4<double>(0.6, 0.6, 0.6, 1));
}

}  // namespace

AddedModels AddModels(const Scenario& scenario,
                      const std::filesystem::path& folder,
                      MultibodyPlant<double>* plant,
                      const geometry::SceneGraph<double>* scene_graph,
                      std::shared_ptr<multibody::FileRecord> record) {
  multibody::Parser parser(plant);
  parser.package_map().SetFileRecord(record);
  const std::filesystem::path top =
      internal::MakeAbsolute("ScenarioSimulation", folder);
  for (const auto& [name, path] : scenario.packages) {
    const std::filesystem::path place = top / path;
    parser.package_map().Add(
        name, (record == nullptr ? place : record->Locate(place)).string());
  }
  const multibody::internal::MeshFiles files(&parser.package_map(), top);
  for (const ModelFile& one : scenario.model_files) {
    const std::vector<ModelInstanceIndex> added =
        parser.AddModels(files.Resolve(one.file));
    if (one.base == "welded") {
      WeldBases(added, plant);
    } else if (one.base != "free") {
      throw std::logic_error(fmt::format(
          "Scenario (model_files): base is '{}'; give 'free' or 'welded'.",
          one.base));
    }
  }
  multibody::parsing::ModelDirectives directives{scenario.directives};
  for (auto& directive : directives.directives) {
    if (directive.add_model && !directive.add_model->file.empty()) {
      auto& file = directive.add_model->file;
      file = files.Resolve(file).string();
    }
    if (directive.add_directives && !directive.add_directives->file.empty()) {
      auto& file = directive.add_directives->file;
      file = files.Resolve(file).string();
    }
  }
  ProcessModelDirectives(directives, &parser);
  SetDefaultPositions("Scenario (initial_position)", scenario.initial_position,
                      plant);
  AddActuators(scenario, parser.joint_facts(), plant);
  CompleteGains(scenario, plant);
  if (scenario.floor.has_value() && scene_graph != nullptr) {
    AddFloor(*scenario.floor, *scene_graph, plant);
  }
  if (scenario.gravity.has_value()) {
    internal::RequireFinite("Scenario", "gravity", *scenario.gravity);
    plant->mutable_gravity_field().set_gravity_vector(*scenario.gravity);
  }
  plant->Finalize();
  return {.warnings = parser.warnings(),
          .facts = {parser.joint_facts(), parser.actuator_facts()}};
}

}  // namespace wyvern::app
