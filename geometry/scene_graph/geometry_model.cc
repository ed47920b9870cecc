#include "wyvern/geometry/scene_graph/geometry_model.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"
#include "wyvern/systems/common/check_argument.h"

/* Sources, frames and geometries are in vectors, in the order in which they
were registered, and found by id through maps. All checks come before the
first change, so that what is refused leaves the model as it was. What has
the proximity role is in the engine too, whose order is its own: arrays say
where each place of the engine finds its pose and its hydroelastic mesh.
Changes that keep all places write down the one geometry; the others write
all by ListPlacements(). Names are found by an index. Registering n
geometries with their roles thus takes n steps. */

namespace wyvern::geometry {

FrameId GeometryModel::world_frame_id() {
  static const FrameId id = FrameId::get_new_id();
  return id;
}

SourceId GeometryModel::self_source_id() {
  static const SourceId id = SourceId::get_new_id();
  return id;
}

GeometryModel::GeometryModel() {
  sources_.push_back({self_source_id(), "SceneGraphInternal", {}, {}});
  sources_by_id_[self_source_id()] = 0;
  Frame world;
  world.id = world.parent = world_frame_id();
  world.source = self_source_id();
  world.name = "world";
  frames_.push_back(world);
  frames_by_id_[world.id] = 0;
}

const GeometryModel::Source& GeometryModel::source(SourceId id) const {
  const auto found = sources_by_id_.find(id);
  if (found == sources_by_id_.end()) {
    throw std::logic_error(fmt::format(
        "SceneGraph: there is no source with id {}; register one by "
        "RegisterSource().",
        id));
  }
  return sources_[found->second];
}

const GeometryModel::Frame& GeometryModel::frame(FrameId id) const {
  const auto found = frames_by_id_.find(id);
  if (found == frames_by_id_.end()) {
    throw std::logic_error(
        fmt::format("SceneGraph: there is no frame with id {}; register one by "
                    "RegisterFrame().",
                    id));
  }
  return frames_[found->second];
}

const GeometryModel::Geometry& GeometryModel::geometry(GeometryId id) const {
  const auto found = geometries_by_id_.find(id);
  if (found == geometries_by_id_.end()) {
    throw std::logic_error(fmt::format(
        "SceneGraph: there is no geometry with id {}; register one by "
        "RegisterGeometry().",
        id));
  }
  return geometries_[found->second];
}

GeometryModel::Frame& GeometryModel::mutable_frame(FrameId id) {
  return frames_[frame(id).index];
}

GeometryModel::Geometry& GeometryModel::mutable_geometry(GeometryId id) {
  return geometries_[geometry(id).index];
}

bool GeometryModel::BelongsToSource(FrameId frame_id,
                                    SourceId source_id) const {
  return frame(frame_id).source == source(source_id).id;
}

bool GeometryModel::BelongsToSource(GeometryId geometry_id,
                                    SourceId source_id) const {
  return geometry(geometry_id).source == source(source_id).id;
}

GeometryModel::Geometry& GeometryModel::OwnedGeometry(const char* function,
                                                      SourceId source_id,
                                                      GeometryId geometry_id) {
  Geometry& result = mutable_geometry(geometry_id);
  if (!(result.source == source(source_id).id)) {
    throw std::logic_error(fmt::format(
        "SceneGraph::{}(): geometry '{}' (id {}) belongs to source '{}', not "
        "to '{}'; only its owner may change it.",
        function, result.name, geometry_id, source(result.source).name,
        source(source_id).name));
  }
  return result;
}

SourceId GeometryModel::RegisterNewSource(const std::string& name) {
  const SourceId id = SourceId::get_new_id();
  const std::string unique = name.empty() ? fmt::format("Source_{}", id) : name;
  for (const Source& other : sources_) {
    if (other.name == unique) {
      throw std::logic_error(fmt::format(
          "SceneGraph::RegisterSource(): there is a source named '{}' already; "
          "choose another name, or none.",
          unique));
    }
  }
  sources_by_id_[id] = static_cast<int>(sources_.size());
  sources_.push_back({id, unique, {}, {}});
  return id;
}

FrameId GeometryModel::RegisterFrame(SourceId source_id, FrameId parent_id,
                                     const GeometryFrame& frame) {
  const Source& owner = source(source_id);
  const Frame& parent = this->frame(parent_id);
  const auto fail = [&](const std::string& why) {
    throw std::logic_error(
        fmt::format("SceneGraph::RegisterFrame(): frame '{}' of source '{}' {}",
                    frame.name(), owner.name, why));
  };
  if (frames_by_id_.contains(frame.id())) {
    fail("is registered already; make a new GeometryFrame for each.");
  }
  if (parent.index != 0 && !(parent.source == source_id)) {
    fail(
        fmt::format("was given the parent '{}' of another source; use one of "
                    "its own, or the world.",
                    parent.name));
  }
  if (!frame_names_.Find(source_id, frame.name()).empty()) {
    fail("has the name of another frame of the source; choose another.");
  }
  Frame added;
  added.id = frame.id();
  added.source = source_id;
  added.parent = parent_id;
  added.name = frame.name();
  added.group = frame.frame_group();
  added.index = static_cast<int>(frames_.size());
  added.parent_index = parent.index;
  added.source_index = sources_by_id_.at(source_id);
  frames_by_id_[added.id] = added.index;
  sources_[added.source_index].frames.insert(added.id);
  frame_names_.Add(source_id, added.name, added.id);
  frames_.push_back(added);
  return added.id;
}

GeometryId GeometryModel::RegisterGeometry(
    SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry) {
  return Register("RegisterGeometry", source_id, frame_id, std::move(geometry),
                  {}, 0);
}

GeometryId GeometryModel::RegisterDeformableGeometry(
    SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry, double resolution_hint) {
  const wyvern::internal::Caller who("SceneGraph",
                                     "RegisterDeformableGeometry");
  wyvern::internal::RequireNotNull(who, "the geometry", geometry, "pass one");
  const wyvern::internal::Caller of = who.Of("geometry", geometry->name());
  source(source_id);
  if (frame(frame_id).index != 0) {
    throw std::logic_error(fmt::format(
        "{}: it is to be on frame '{}', but its vertices are given in the "
        "world; use the world's frame.",
        of.ToText(), frame(frame_id).name));
  }
  wyvern::internal::RequirePositive(of, "the resolution hint [m]",
                                    resolution_hint);
  auto deformable = MakeDeformable(of, geometry->shape(), resolution_hint);
  return Register("RegisterDeformableGeometry", source_id, frame_id,
                  std::move(geometry), std::move(deformable), resolution_hint);
}

GeometryId GeometryModel::Register(
    const char* function, SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry,
    std::shared_ptr<const internal::DeformableGeometry> deformable,
    double resolution_hint) {
  const wyvern::internal::Caller who("SceneGraph", function);
  wyvern::internal::RequireNotNull(who, "the geometry", geometry, "pass one");
  const Source& owner = source(source_id);
  const Frame& parent = frame(frame_id);
  if (parent.index != 0 && !(parent.source == source_id)) {
    throw std::logic_error(fmt::format(
        "SceneGraph::{}(): geometry '{}' is to be fixed to frame '{}', which "
        "does not belong to source '{}'; use a frame of the source, or anchor "
        "it to the world.",
        function, geometry->name(), parent.name, owner.name));
  }
  const GeometryId id = geometry->id();
  if (geometries_by_id_.contains(id)) {
    throw std::logic_error(fmt::format(
        "SceneGraph::{}(): geometry '{}' (id {}) is registered already; make a "
        "new GeometryInstance for each.",
        function, geometry->name(), id));
  }
  wyvern::internal::RequireFinite(who.Of("geometry", geometry->name()),
                                  "the pose", geometry->pose().GetAsMatrix34());
  Geometry added;
  added.id = id;
  added.source = source_id;
  added.frame = frame_id;
  added.name = geometry->name();
  added.shape = geometry->shape().Clone();
  added.X_FG = geometry->pose();
  added.deformable = std::move(deformable);
  added.resolution_hint = resolution_hint;
  added.index = static_cast<int>(geometries_.size());
  const auto* proximity = geometry->proximity_properties();
  const auto* illustration = geometry->illustration_properties();
  const auto* perception = geometry->perception_properties();
  const std::pair<bool, Role> roles[] = {
      {proximity != nullptr, Role::kProximity},
      {illustration != nullptr, Role::kIllustration},
      {perception != nullptr, Role::kPerception}};
  bool any = false;
  for (const auto& [has, role] : roles) {
    if (has) RequireName(function, parent, role, added.name, id);
    any = any || has;
  }
  if (!any) {
    RequireName(function, parent, Role::kUnassigned, added.name, id);
  }
  if (proximity != nullptr) {
    added.proximity = std::make_shared<const ProximityProperties>(*proximity);
    SetContactForms(&added, added.shape, *added.proximity);
    AddToEngine(added);
  }
  geometries_by_id_[id] = added.index;
  geometry_names_.Add(frame_id, added.name, id);
  registered_.push_back(id);
  geometries_.push_back(std::move(added));
  frames_[parent.index].geometries.push_back(id);
  Geometry& here = geometries_.back();
  if (parent.index == 0 && here.deformable == nullptr) {
    sources_[sources_by_id_.at(source_id)].anchored.push_back(id);
  }
  if (proximity != nullptr) version_.Modify(Role::kProximity);
  if (illustration != nullptr) {
    here.illustration =
        std::make_shared<const IllustrationProperties>(*illustration);
    version_.Modify(Role::kIllustration);
  }
  if (perception != nullptr) {
    here.perception = std::make_shared<const PerceptionProperties>(*perception);
    version_.Modify(Role::kPerception);
  }
  ListNewPlacement();
  return id;
}

void GeometryModel::RenameFrame(FrameId frame_id, const std::string& name) {
  Frame& renamed = mutable_frame(frame_id);
  if (renamed.index == 0) {
    throw std::logic_error(
        "SceneGraph::RenameFrame(): the world frame has no other name.");
  }
  for (const FrameId id : frame_names_.Find(renamed.source, name)) {
    if (!(id == frame_id)) {
      throw std::logic_error(fmt::format(
          "SceneGraph::RenameFrame(): source '{}' has a frame named '{}' "
          "already; choose another name for '{}'.",
          source(renamed.source).name, name, renamed.name));
    }
  }
  frame_names_.Remove(renamed.source, renamed.name, frame_id);
  frame_names_.Add(renamed.source, name, frame_id);
  renamed.name = name;
}

void GeometryModel::RenameGeometry(GeometryId geometry_id,
                                   const std::string& name) {
  Geometry& renamed = mutable_geometry(geometry_id);
  if (renamed.name == name) return;
  for (const Role role :
       {Role::kProximity, Role::kIllustration, Role::kPerception}) {
    if (HasRole(renamed, role)) {
      RequireName("RenameGeometry", frame(renamed.frame), role, name,
                  geometry_id);
    }
  }
  geometry_names_.Remove(renamed.frame, renamed.name, geometry_id);
  geometry_names_.Add(renamed.frame, name, geometry_id);
  renamed.name = name;
}

void GeometryModel::ChangeShape(
    SourceId source_id, GeometryId geometry_id, const Shape& shape,
    const std::optional<math::RigidTransform<double>>& X_FG) {
  Geometry& changed = OwnedGeometry("ChangeShape", source_id, geometry_id);
  if (changed.deformable != nullptr) {
    throw std::logic_error(fmt::format(
        "SceneGraph::ChangeShape(): geometry '{}' (id {}) deforms; remove it, "
        "and register another.",
        changed.name, geometry_id));
  }
  if (X_FG) {
    wyvern::internal::RequireFinite(
        wyvern::internal::Caller("SceneGraph::ChangeShape")
            .Of("geometry", changed.name),
        "the pose", X_FG->GetAsMatrix34());
  }
  const std::shared_ptr<const Shape> new_shape = shape.Clone();
  double last_margin = 0;
  if (changed.proximity) {
    last_margin = changed.hydroelastic->margin;
    Geometry next = changed;
    SetContactForms(&next, new_shape, *changed.proximity);
    engine_.ReplaceShape(geometry_id, shape);
    changed = std::move(next);
    version_.Modify(Role::kProximity);
  }
  if (changed.illustration) version_.Modify(Role::kIllustration);
  if (changed.perception) version_.Modify(Role::kPerception);
  changed.shape = new_shape;
  if (X_FG) changed.X_FG = *X_FG;
  placements_[changed.index] = MakePlacement(changed);
  if (!changed.proximity) return;
  RelistInEngine(changed, last_margin);
  if (frame(changed.frame).index == 0) {
    engine_.SetAnchoredPose(geometry_id, changed.X_FG);
  }
}

void GeometryModel::RemoveGeometry(SourceId source_id, GeometryId geometry_id) {
  Geometry& removed = OwnedGeometry("RemoveGeometry", source_id, geometry_id);
  std::vector<GeometryId> leaving;
  for (const Role role :
       {Role::kProximity, Role::kIllustration, Role::kPerception}) {
    RemoveRoleOf(&removed, role, &leaving);
  }
  LeaveContact(leaving);
  geometry_names_.Remove(removed.frame, removed.name, geometry_id);
  std::erase(mutable_frame(removed.frame).geometries, geometry_id);
  std::erase(sources_[sources_by_id_.at(source_id)].anchored, geometry_id);
  const int place = removed.index;
  geometries_.erase(geometries_.begin() + place);
  geometries_by_id_.erase(geometry_id);
  for (size_t i = place; i < geometries_.size(); ++i) {
    geometries_[i].index = static_cast<int>(i);
    geometries_by_id_[geometries_[i].id] = geometries_[i].index;
  }
  ListPlacements();
}

void GeometryModel::ListNewPlacement() {
  const Geometry& g = geometries_.back();
  if (g.deformable != nullptr) {
    ListPlacements();
    return;
  }
  placements_.push_back(MakePlacement(g));
  if (g.proximity != nullptr) ListInEngine(g);
}

GeometryModel::Placement GeometryModel::MakePlacement(const Geometry& g) const {
  return {frame(g.frame).index, g.index, g.X_FG,
          !g.X_FG.rotation().IsExactlyIdentity()};
}

void GeometryModel::ListInEngine(const Geometry& g) {
  const int place = engine_.FindIndex(g.id);
  const auto insert = [place](const auto& value, auto* list) {
    list->insert(list->begin() + place, value);
  };
  insert(g.index, &engine_places_);
  insert(g.hydroelastic.get(), &hydroelastic_.geometries);
  insert(g.surface, &deformable_contact_.rigids);
  hydroelastic_.margin = std::max(hydroelastic_.margin, g.hydroelastic->margin);
}

void GeometryModel::RelistInEngine(const Geometry& g, double last_margin) {
  const int place = engine_.FindIndex(g.id);
  hydroelastic_.geometries[place] = g.hydroelastic.get();
  deformable_contact_.rigids[place] = g.surface;
  double& largest = hydroelastic_.margin;
  if (g.hydroelastic->margin >= largest) {
    largest = g.hydroelastic->margin;
  } else if (last_margin == largest) {
    largest = 0;
    for (const auto* one : hydroelastic_.geometries) {
      largest = std::max(largest, one->margin);
    }
  }
}

void GeometryModel::ListPlacements() {
  placements_.clear();
  deformable_places_.clear();
  deformable_contact_ = {};
  for (Geometry& g : geometries_) {
    placements_.push_back(MakePlacement(g));
    if (g.deformable == nullptr) continue;
    g.deformable_index = static_cast<int>(deformable_places_.size());
    deformable_places_.push_back(g.index);
    if (!g.proximity) continue;
    deformable_contact_.deformables.push_back(
        {g.id, g.deformable, g.deformable_index});
  }
  std::ranges::sort(deformable_contact_.deformables,
                    [](const auto& a, const auto& b) { return a.id < b.id; });
  engine_places_.clear();
  hydroelastic_ = {};
  for (const GeometryId id : engine_.ids()) {
    ListInEngine(geometry(id));
  }
}

std::unordered_set<GeometryId> GeometryModel::GetGeometryIds(
    const GeometrySet& set, std::optional<Role> role) const {
  std::unordered_set<GeometryId> result;
  const auto add = [&](GeometryId id) {
    if (!role || HasRole(geometry(id), *role)) result.insert(id);
  };
  for (const FrameId id : set.frames()) {
    for (const GeometryId geometry_id : frame(id).geometries) add(geometry_id);
  }
  for (const GeometryId id : set.geometries()) add(id);
  return result;
}

GeometryId GeometryModel::GetGeometryIdByName(FrameId frame_id, Role role,
                                              const std::string& name) const {
  const Frame& owner = frame(frame_id);
  std::vector<GeometryId> found;
  for (const GeometryId id : geometry_names_.Find(frame_id, name)) {
    if (HasRole(geometry(id), role)) found.push_back(id);
  }
  if (found.size() != 1) {
    throw std::logic_error(fmt::format(
        "SceneGraph: frame '{}' has {} geometries named '{}' with the role "
        "'{}'; exactly one was expected.",
        owner.name, found.size(), name, to_string(role)));
  }
  return found[0];
}

}  // namespace wyvern::geometry
