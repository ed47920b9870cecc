/* Each frame knows the frame that it is posed in, which is looked up when it is
first asked for, so that the order in a file does not matter. The pose of one
frame in another goes through the nearest frame that both are posed in: poses
that are written down in one step are exact. A model that is placed by a frame
in it is posed by the way from that frame up to the model. */

#include "wyvern/multibody/parsing/sdf_frames.h"

#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/sdf_urdf_place.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;

SdfFrames::SdfFrames(const SdfTree& tree, WarningLog* log) {
  frames_.push_back({.name = kWorldName, .parent = kWorld, .depth = 0});
  AddScope(tree.root(), log);
}

SdfFrames::Id SdfFrames::Claim(const SdfScope& scope, const std::string& name,
                               const SdfElement& element, Frame frame) {
  const Id id = static_cast<Id>(frames_.size());
  frame.scope = &scope;
  frame.name = name;
  if (!scopes_.at(&scope).names.try_emplace(name, id).second) {
    element.Throw(
        fmt::format("there is already a link, joint, frame or model '{}' in "
                    "{}; names must be unique.",
                    name, scope.Describe()));
  }
  frames_.push_back(std::move(frame));
  return id;
}

// Links and models first, so that an error is about what refers to them.
void SdfFrames::AddScope(const SdfScope& scope, WarningLog* log) {
  Scope& names = scopes_[&scope];
  if (scope.is_world) {
    names.frame = kWorld;
    names.names.emplace(kWorldName, kWorld);
  } else {
    names.frame = scope.outer == nullptr
                      ? static_cast<Id>(frames_.size())
                      : scopes_.at(scope.outer).names.at(scope.name);
    if (scope.outer == nullptr) frames_.push_back({.model = &scope});
    names.names.emplace("__model__", names.frame);
  }
  if (scope.urdf.has_value()) return AddUrdf(scope);
  for (const SdfItem& link : scope.links) AddItem(scope, link, log);
  for (const auto& model : scope.models) {
    Claim(scope, model->name, model->element, {.model = model.get()});
  }
  for (const SdfItem& frame : scope.frames) AddItem(scope, frame, log);
  for (const SdfItem& joint : scope.joints) AddItem(scope, joint, log);
  for (const auto& model : scope.models) AddScope(*model, log);
}

bool SdfFrames::IsItem(const Frame& frame, const std::string& kind,
                       const std::string& name) {
  return frame.item != nullptr && frame.item->name == name &&
         frame.item->element.name() == kind;
}

// Elements of one kind never share a name, whatever the version.
void SdfFrames::AddItem(const SdfScope& scope, const SdfItem& item,
                        WarningLog* log) {
  const auto& taken = scopes_.at(&scope).names;
  const std::string kind = item.element.name();
  std::string name = item.name;
  const auto owner = taken.find(name);
  if (item.element.IsOlderThan(7) && kind != "link" && owner != taken.end() &&
      !IsItem(frames_[owner->second], kind, name)) {
    do {
      name += "_" + kind;
    } while (taken.contains(name));
    item.element.Warn(
        fmt::format("the name is taken; this {} is called '{}'.", kind, name),
        log);
  }
  items_[&item] = Claim(scope, name, item.element,
                        {.is_link = kind == "link", .item = &item});
}

void SdfFrames::AddUrdf(const SdfScope& scope) {
  const auto X_ML = CalcUrdfLinkPoses(*scope.urdf);
  const Id model = scopes_.at(&scope).frame;
  for (const ParsedLink& link : scope.urdf->links) {
    Claim(scope, link.name, scope.element,
          {.is_link = true, .parent = model, .X_PF = X_ML.at(link.name)});
  }
  for (const ParsedFrame& frame : scope.urdf->frames) {
    if (frame.link == kWorldName) continue;
    if (scopes_.at(&scope).names.contains(frame.name)) continue;
    Claim(scope, frame.name, scope.element,
          {.link_of_urdf = frame.link,
           .parent = scopes_.at(&scope).names.at(frame.link),
           .X_PF = frame.X_LF});
  }
}

const std::string& SdfFrames::NameOf(const SdfItem& item) const {
  return frames_[Get(item)].name;
}

std::optional<SdfFrames::Id> SdfFrames::FindOrNone(
    const SdfScope& scope, std::string_view name) const {
  const SdfScope* at = &scope;
  // Old models may have "::" in their own name.
  for (std::size_t end = name.find("::");;) {
    const auto& names = scopes_.at(at).names;
    const auto found = names.find(name.substr(0, end));
    if (end == name.npos) {
      if (found == names.end()) return {};
      return found->second;
    }
    if (found == names.end()) {
      end = name.find("::", end + 2);
      continue;
    }
    at = frames_[found->second].model;
    if (at == nullptr || name.substr(0, end) == "__model__") return {};
    name.remove_prefix(end + 2);
    end = name.find("::");
  }
}

SdfFrames::Id SdfFrames::Find(const SdfScope& scope, const std::string& name,
                              const SdfElement& by) const {
  const std::optional<Id> found = FindOrNone(scope, name);
  if (found.has_value()) return *found;
  by.Throw(fmt::format(
      "there is no link or frame '{}' in {}; those of a model in it are called "
      "model::name.",
      name, scope.Describe()));
}

// A joint may have the world for its child.
SdfFrames::Id SdfFrames::FindAttached(const SdfScope& scope,
                                      const SdfItem& item) const {
  if (item.attached_to == kWorldName && item.element.name() == "joint") {
    return kWorld;
  }
  return Find(scope, item.attached_to, item.element);
}

const SdfElement& SdfFrames::ElementOf(const Frame& frame) const {
  if (frame.item != nullptr) return frame.item->element;
  // A part of a URDF file has the element of its model, which includes it.
  return (frame.model != nullptr ? frame.model : frame.scope)->element;
}

SdfFrames::Id SdfFrames::FindAroundRoot(const SdfScope& model) {
  const std::string& name = model.pose.relative_to;
  if (!name.empty() && name != kWorldName) {
    model.element.Throw(fmt::format(
        "there is no frame '{}' around the model that its <pose> could be "
        "relative to.",
        name));
  }
  return kWorld;
}

// X_RF of a frame that is given by the pose in R of a frame P that moves with
// F: X_RF = X_RP X_FP⁻¹, with X_FP by the way from P up to F.
RigidTransform<double> SdfFrames::PlaceFrame(const SdfScope& scope,
                                             const std::string& placement_frame,
                                             const SdfPose& pose, Id frame,
                                             const SdfElement& element) const {
  if (placement_frame.empty()) return pose.X;
  RigidTransform<double> X_FP;
  std::size_t num_steps = 0;
  for (Id at = Find(scope, placement_frame, element); at != frame;) {
    if (at == kWorld || ++num_steps > frames_.size()) {
      element.Throw(fmt::format(
          "the placement frame '{}' does not move with the model; give a "
          "frame in it.",
          placement_frame));
    }
    const Id parent = Parent(at);
    X_FP = frames_[at].X_PF * X_FP;
    at = parent;
  }
  return pose.X * X_FP.inverse();
}

SdfFrames::Id SdfFrames::Parent(Id id) const {
  const Frame& frame = frames_[id];
  if (frame.parent.has_value()) return *frame.parent;
  const SdfElement& element = ElementOf(frame);
  if (frame.item != nullptr) {
    const SdfItem& item = *frame.item;
    frame.parent = item.pose.relative_to == item.attached_to
                       ? FindAttached(*frame.scope, item)
                       : Find(*frame.scope, item.pose.relative_to, element);
    frame.X_PF =
        PlaceFrame(*frame.scope, item.placement_frame, item.pose, id, element);
  } else {
    const SdfScope& model = *frame.model;
    frame.parent = model.outer == nullptr
                       ? FindAroundRoot(model)
                       : Find(*model.outer, model.pose.relative_to, element);
    frame.X_PF =
        PlaceFrame(model, model.placement_frame, model.pose, id, element);
  }
  return *frame.parent;
}

int SdfFrames::Depth(Id id) const {
  std::vector<Id> path;
  while (!frames_[id].depth.has_value()) {
    if (path.size() > frames_.size()) {
      ElementOf(frames_[id])
          .Throw(
              "the frame is posed in itself, through the frames that its "
              "<pose> is relative to; give one of them another.");
    }
    path.push_back(id);
    id = Parent(id);
  }
  int depth = *frames_[id].depth;
  while (!path.empty()) {
    frames_[path.back()].depth = ++depth;
    path.pop_back();
  }
  return depth;
}

RigidTransform<double> SdfFrames::CalcPose(Id A, Id B,
                                           const SdfElement& by) const {
  RigidTransform<double> X_CA;
  RigidTransform<double> X_CB;
  int depth_A = Depth(A);
  int depth_B = Depth(B);
  while (A != B) {
    if (depth_A >= depth_B) {
      X_CA = frames_[A].X_PF * X_CA;
      A = Parent(A);
      --depth_A;
    } else {
      X_CB = frames_[B].X_PF * X_CB;
      B = Parent(B);
      --depth_B;
    }
  }
  const RigidTransform<double> result =
      X_CA.IsExactlyIdentity() ? X_CB : X_CA.InvertAndCompose(X_CB);
  if (!result.translation().allFinite()) by.Throw("the pose is not finite.");
  return result;
}

SdfFrames::Id SdfFrames::LinkOf(Id id, const SdfElement& by) const {
  for (std::size_t num_steps = 0; id != kWorld && !frames_[id].is_link;
       ++num_steps) {
    const Frame& frame = frames_[id];
    if (num_steps > frames_.size()) {
      by.Throw(
          "the frame is attached to itself, through the frames between; attach "
          "one of them to a link.");
    }
    if (frame.item != nullptr) {
      id = FindAttached(*frame.scope, *frame.item);
    } else if (!frame.link_of_urdf.empty()) {
      id = Find(*frame.scope, frame.link_of_urdf, by);
    } else {
      const std::string link = frame.model->FindCanonicalLink();
      if (link.empty()) return kWorld;
      id = Find(*frame.model, link, frame.model->element);
    }
  }
  return id;
}

std::string SdfFrames::NameIn(const SdfScope& scope, Id frame) const {
  if (frame == kWorld) return kWorldName;
  std::string name = frames_[frame].name;
  for (const SdfScope* at = frames_[frame].scope; at != &scope;
       at = at->outer) {
    name = at->name + "::" + name;
  }
  return name;
}

}  // namespace wyvern::multibody::internal
