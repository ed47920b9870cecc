#include "wyvern/multibody/parsing/directives/directives_builder.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/directives/scoped_names.h"
#include "wyvern/multibody/parsing/filter_groups.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"

/* Directives into a plant, in order; collision filter groups after all others,
as they may name what comes later. A directive that the plant refuses is an
error with the directive's place. Parser calls this twice: on an outline of
the user's plant, which finds what is wrong, and then on the plant itself. */

namespace wyvern::multibody::internal {

using math::RigidTransform;
using parsing::GetScopedFrameByName;
using parsing::ModelInstanceInfo;

namespace {

class DirectivesBuilder {
 public:
  DirectivesBuilder(const std::vector<DirectiveModel>& models,
                    const std::string& prefix, MultibodyPlant<double>* plant,
                    CollisionFilterGroups* groups, ModelFacts* facts,
                    std::vector<ModelInstanceInfo>* added)
      : models_(models),
        prefix_(prefix),
        plant_(*plant),
        groups_(*groups),
        facts_(*facts),
        added_(*added) {}

  void Follow(const FlatDirective& flat) {
    place_ = flat.place;
    const bool is_own = flat.scope.empty() || flat.scope == prefix_;
    if (!is_own && !plant_.HasModelInstanceNamed(flat.scope)) {
      Throw(
          fmt::format("the model_namespace '{}' is no model instance; add it "
                      "before by add_model_instance or add_model.",
                      flat.scope));
    }
    const parsing::ModelDirective& d = flat.directive;
    try {
      if (d.add_model) Add(*d.add_model);
      if (d.add_model_instance) AddInstance(d.add_model_instance->name);
      if (d.add_frame) Add(*d.add_frame);
      if (d.add_weld) Add(*d.add_weld);
      if (d.add_collision_filter_group) Keep(*d.add_collision_filter_group);
    } catch (const std::logic_error& error) {
      Throw(error.what());
    }
  }

  // Adds the groups that were kept.
  void Finish() {
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      place_ = kept_places_[i];
      ResolveGroups(&kept_[i].member_groups, kept_[i]);
      ResolveGroups(&kept_[i].ignored_groups, kept_[i]);
    }
    std::vector<ParsedFilterGroup> all = kept_;
    for (const auto& [name, members] : groups_.groups()) {
      all.push_back({name, {members.begin(), members.end()}});
    }
    for (const ParsedFilterGroup& group : kept_) {
      groups_.AddGroup(group.name, FindMembers(group.name, all));
      for (const std::string& other : group.ignored_groups) {
        groups_.AddExclusionPair({group.name, other});
      }
    }
    if (!plant_.geometry_source_is_registered()) return;
    for (const FilteredPair& pair : FindFilteredPairs(all)) {
      plant_.ExcludeCollisionGeometriesWithCollisionFilterGroupPair(
          {pair.names.first, GeometriesOf(pair.members.first)},
          {pair.names.second, GeometriesOf(pair.members.second)});
    }
  }

  std::vector<std::pair<std::string, std::string>> TakeRemarks() {
    return std::move(remarks_);
  }

 private:
  [[noreturn]] void Throw(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: {}", place_, what));
  }

  void RequireFreeName(const std::string& name) const {
    if (!plant_.HasModelInstanceNamed(name)) return;
    Throw(fmt::format(
        "there is already a model instance named '{}'; give another name.",
        name));
  }

  void AddInstance(const std::string& name) {
    RequireFreeName(name);
    plant_.AddModelInstance(name);
  }

  // The model instance and name of `name` in the model instance `scope`.
  std::pair<ModelInstanceIndex, std::string> Locate(
      const std::string& scope, const std::string& name) const {
    const ScopedName scoped =
        ScopedName::Parse(ScopedName::Join(scope, name).to_string());
    if (!plant_.HasModelInstanceNamed(scoped.get_namespace())) {
      Throw(fmt::format("there is no model instance '{}' for '{}'.",
                        scoped.get_namespace(), name));
    }
    return {plant_.GetModelInstanceByName(scoped.get_namespace()),
            std::string(scoped.get_element())};
  }

  void Add(const parsing::AddModel& directive) {
    RequireFreeName(directive.name);
    const DirectiveModel& file = models_.at(num_models_++);
    const ModelInstanceIndex instance =
        AddToPlant(
            file.model, [&](const std::string&) { return directive.name; },
            &plant_, &groups_, &facts_)
            .at(0);
    added_.push_back({.model_name = directive.name,
                      .model_path = file.path,
                      .parent_frame_name = {},
                      .child_frame_name = {},
                      .X_PC = {},
                      .model_instance = instance});
    for (const auto& [name, q] : directive.default_joint_positions) {
      const auto [owner, local] = Locate(directive.name, name);
      if (!plant_.HasJointNamed(local, owner)) {
        Throw(fmt::format(
            "default_joint_positions: there is no joint '{}' in '{}'.", name,
            directive.name));
      }
      plant_.GetMutableJointByName(local, owner).set_default_positions(q);
    }
    for (const auto& [name, pose] : directive.default_free_body_pose) {
      SetPose(directive.name, name, pose);
    }
  }

  const Frame<double>& PosedFrame(const std::string& model,
                                  const std::string& name) const {
    if (name.empty()) {
      const auto bodies =
          plant_.GetBodyIndices(plant_.GetModelInstanceByName(model));
      if (bodies.size() == 1) return plant_.get_body(bodies[0]).body_frame();
      Throw(fmt::format(
          "default_free_body_pose: '{}' has {} bodies; give a body's name.",
          model, bodies.size()));
    }
    const auto [instance, local] = Locate(model, name);
    if (plant_.HasFrameNamed(local, instance)) {
      return plant_.GetFrameByName(local, instance);
    }
    Throw(fmt::format(
        "default_free_body_pose: there is no body or frame '{}' in '{}'.", name,
        model));
  }

  bool HasParentJoint(const RigidBody<double>& body) const {
    return std::ranges::any_of(plant_.GetJointIndices(), [&](JointIndex index) {
      return &plant_.get_joint(index).child_body() == &body;
    });
  }

  void SetPose(const std::string& model, const std::string& name,
               const schema::Transform& pose) {
    const Frame<double>& F = PosedFrame(model, name);
    const RigidBody<double>& body = F.body();
    const RigidTransform<double> X_BF = pose.GetDeterministicValue();
    const std::string base = pose.base_frame.value_or("world");
    const Frame<double>& base_frame = GetScopedFrameByName(plant_, base);
    if (HasParentJoint(body)) {
      remarks_.emplace_back(
          place_,
          fmt::format("default_free_body_pose of '{}' is left out: a joint "
                      "moves the body '{}'.",
                      name, body.name()));
    } else if (&base_frame == &plant_.world_frame()) {
      plant_.SetDefaultFreeBodyPose(
          body, X_BF * F.GetFixedPoseInBodyFrame().inverse());
    } else {
      const JointIndex joint =
          plant_
              .AddJoint(std::make_unique<QuaternionFloatingJoint<double>>(
                  body.name(), base_frame, F))
              .index();
      plant_.get_mutable_joint(joint).SetDefaultPose(X_BF);
    }
  }

  void Add(const parsing::AddFrame& directive) {
    const Frame<double>& P =
        GetScopedFrameByName(plant_, *directive.X_PF.base_frame);
    const ScopedName name = ScopedName::Parse(directive.name);
    ModelInstanceIndex instance = P.model_instance();
    if (!name.get_namespace().empty()) {
      instance = Locate("", directive.name).first;
    }
    plant_.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
        std::string(name.get_element()), P,
        directive.X_PF.GetDeterministicValue(), instance));
  }

  void Add(const parsing::AddWeld& directive) {
    const Frame<double>& P = GetScopedFrameByName(plant_, directive.parent);
    const Frame<double>& C = GetScopedFrameByName(plant_, directive.child);
    RigidTransform<double> X_PC;
    if (directive.X_PC) X_PC = directive.X_PC->GetDeterministicValue();
    plant_.WeldFrames(P, C, X_PC);
    for (ModelInstanceInfo& info : added_) {
      if (info.model_instance != C.model_instance()) continue;
      info.parent_frame_name = P.name();
      info.child_frame_name = C.name();
      info.X_PC = X_PC;
    }
  }

  void Keep(const parsing::AddCollisionFilterGroup& directive) {
    if (HasGroup(directive.name)) {
      Throw(
          fmt::format("there is already a collision filter group '{}'; give "
                      "another name or model_namespace.",
                      directive.name));
    }
    kept_.push_back({directive.name,
                     {},
                     directive.member_groups,
                     directive.ignored_collision_filter_groups});
    kept_places_.push_back(place_);
    for (const std::string& member : directive.members) {
      const RigidBody<double>& body =
          GetScopedFrameByName(plant_, member).body();
      kept_.back().members.push_back(body.scoped_name().to_string());
    }
  }

  bool HasGroup(const std::string& name) const {
    const auto is_it = [&name](const ParsedFilterGroup& group) {
      return group.name == name;
    };
    return groups_.groups().contains(name) || std::ranges::any_of(kept_, is_it);
  }

  // A group is called by its full name or by that in its own scope.
  void ResolveGroups(std::vector<std::string>* names,
                     const ParsedFilterGroup& from) const {
    for (std::string& name : *names) {
      if (HasGroup(name)) continue;
      const ScopedName own = ScopedName::Parse(from.name);
      const ScopedName given = ScopedName::Parse(name);
      std::string nearer;
      for (const std::string_view local :
           {given.get_full(), given.get_element()}) {
        nearer = ScopedName::Join(own.get_namespace(), local).to_string();
        if (HasGroup(nearer)) break;
        nearer.clear();
      }
      if (nearer.empty()) {
        Throw(fmt::format("there is no collision filter group '{}'.", name));
      }
      name = nearer;
    }
  }

  geometry::GeometrySet GeometriesOf(const std::set<std::string>& names) const {
    std::vector<const RigidBody<double>*> bodies;
    for (const std::string& name : names) {
      bodies.push_back(&GetScopedFrameByName(plant_, name).body());
    }
    return plant_.CollectRegisteredGeometries(bodies);
  }

  const std::vector<DirectiveModel>& models_;
  const std::string& prefix_;
  MultibodyPlant<double>& plant_;
  CollisionFilterGroups& groups_;
  ModelFacts& facts_;
  std::vector<ModelInstanceInfo>& added_;
  // The groups of directives, and where they are.
  std::vector<ParsedFilterGroup> kept_;
  std::vector<std::string> kept_places_;
  std::vector<std::pair<std::string, std::string>> remarks_;
  std::string place_;
  std::size_t num_models_{0};
};

}  // namespace

std::vector<std::pair<std::string, std::string>> BuildDirectives(
    const std::vector<FlatDirective>& directives,
    const std::vector<DirectiveModel>& models, const std::string& prefix,
    MultibodyPlant<double>* plant, CollisionFilterGroups* groups,
    ModelFacts* facts, std::vector<ModelInstanceInfo>* added) {
  DirectivesBuilder builder(models, prefix, plant, groups, facts, added);
  for (const FlatDirective& directive : directives) builder.Follow(directive);
  builder.Finish();
  return builder.TakeRemarks();
}

void CopyOutline(const MultibodyPlant<double>& from,
                 MultibodyPlant<double>* to) {
  for (ModelInstanceIndex i(to->num_model_instances());
       i < from.num_model_instances(); ++i) {
    to->AddModelInstance(from.GetModelInstanceName(i));
  }
  std::vector<const RigidBody<double>*> bodies{&to->world_body()};
  for (BodyIndex i(1); i < from.num_bodies(); ++i) {
    const RigidBody<double>& body = from.get_body(i);
    bodies.push_back(&to->AddRigidBody(body.name(), body.model_instance(),
                                       SpatialInertia<double>::Zero()));
  }
  std::vector<const Frame<double>*> frames;
  for (FrameIndex i(0); i < from.num_frames(); ++i) {
    const Frame<double>& frame = from.get_frame(i);
    const Frame<double>& body_frame =
        bodies[frame.body().index()]->body_frame();
    frames.push_back(
        frame.is_body_frame()
            ? &body_frame
            : &to->AddFrame(std::make_unique<FixedOffsetFrame<double>>(
                  frame.name(), body_frame, RigidTransform<double>(),
                  frame.model_instance())));
  }
  for (const JointIndex i : from.GetJointIndices()) {
    const Joint<double>& joint = from.get_joint(i);
    to->AddJoint(std::make_unique<WeldJoint<double>>(
        joint.name(), *frames[joint.frame_on_parent().index()],
        *frames[joint.frame_on_child().index()], RigidTransform<double>()));
  }
}

}  // namespace wyvern::multibody::internal
