#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/scene_graph/geometry_model.h"
#include "wyvern/geometry/shapes/shape_serialization.h"
#include "wyvern/systems/common/value_serialization.h"

/* Sources and frames belong to the SceneGraph and cannot differ from Context to
Context. Geometries, roles and filters can. The model in a copied QueryObject
is loaded into an empty one, and takes sources and frames as they come.

Ids are those of the process that saved. What has been registered is counted,
so that the k-th geometry of a saved model is the k-th of one that was built
the same way, also if others have been removed since. */

namespace wyvern::geometry {

namespace {

void WriteIds(const std::vector<GeometryId>& ids, std::ostream* stream) {
  WriteBinary(ids, stream, &WriteId<GeometryId>);
}

std::vector<GeometryId> ReadIds(std::istream* stream) {
  std::vector<GeometryId> ids;
  ReadBinary(&ids, stream, &ReadId<GeometryId>);
  return ids;
}

// The id that `saved` has here: that of its counterpart, if there is one; or
// else what it was given before; or else a new one.
template <typename Id>
Id AdoptId(int64_t saved, const Id* counterpart, std::istream* stream) {
  SavedIds& ids = SavedIds::Of(stream);
  const Id* known = counterpart != nullptr ? counterpart : ids.Find<Id>(saved);
  const Id id = known != nullptr ? *known : Id::get_new_id();
  ids.Add(saved, id);
  return id;
}

// A place in a list, as read from what somebody may have changed.
template <typename Item>
const Item& At(const std::vector<Item>& items, int index, const char* what,
               const std::string& of) {
  if (index >= 0 && index < static_cast<int>(items.size())) {
    return items[index];
  }
  throw std::runtime_error(fmt::format(
      "SceneGraph: what was saved says that {} belongs to {} {}, and has {} of "
      "these; it is damaged: load something that was not changed since.",
      of, what, index, items.size()));
}

template <typename Properties>
void WriteRole(const std::shared_ptr<const Properties>& properties,
               std::ostream* stream) {
  WriteBinary(properties != nullptr, stream);
  if (properties != nullptr) internal::WriteProperties(*properties, stream);
}

template <typename Properties>
void ReadRole(std::shared_ptr<const Properties>* properties,
              std::istream* stream) {
  bool has_role{};
  ReadBinary(&has_role, stream);
  if (!has_role) return properties->reset();
  auto read = std::make_shared<Properties>();
  internal::ReadProperties(read.get(), stream);
  *properties = std::move(read);
}

}  // namespace

std::string GeometryModel::Describe(const Geometry& geometry) const {
  std::ostringstream stream;
  WriteBinary(sources_by_id_.at(geometry.source), &stream);
  WriteBinary(frame(geometry.frame).index, &stream);
  WriteBinary(geometry.name, &stream);
  internal::WriteShape(*geometry.shape, &stream);
  internal::WritePose(geometry.X_FG, &stream);
  WriteBinary(geometry.resolution_hint, &stream);
  WriteRole(geometry.proximity, &stream);
  WriteRole(geometry.illustration, &stream);
  WriteRole(geometry.perception, &stream);
  return stream.str();
}

GeometryModel::Geometry GeometryModel::Undescribe(
    GeometryId id, const std::string& description) const {
  // The mesh and hull of an unchanged geometry are shared.
  const auto now = geometries_by_id_.find(id);
  if (now != geometries_by_id_.end() &&
      Describe(geometries_[now->second]) == description) {
    return geometries_[now->second];
  }
  std::istringstream stream(description);
  Geometry geometry;
  int source_index{}, frame_index{};
  ReadBinary(&source_index, &stream);
  ReadBinary(&frame_index, &stream);
  ReadBinary(&geometry.name, &stream);
  geometry.id = id;
  const std::string who = fmt::format("geometry '{}'", geometry.name);
  geometry.source = At(sources_, source_index, "source", who).id;
  geometry.frame = At(frames_, frame_index, "frame", who).id;
  geometry.shape = internal::ReadShape(&stream);
  geometry.X_FG = internal::ReadPose(&stream);
  // Rigid geometries have no resolution hint.
  ReadBinary(&geometry.resolution_hint, &stream);
  if (geometry.resolution_hint != 0) {
    geometry.deformable =
        MakeDeformable(wyvern::internal::Caller::Element("SceneGraph: geometry",
                                                         geometry.name),
                       *geometry.shape, geometry.resolution_hint);
  }
  ReadRole(&geometry.proximity, &stream);
  if (geometry.proximity != nullptr) {
    SetContactForms(&geometry, geometry.shape, *geometry.proximity);
  }
  ReadRole(&geometry.illustration, &stream);
  ReadRole(&geometry.perception, &stream);
  return geometry;
}

void GeometryModel::SetGeometries(std::vector<Geometry> geometries) {
  for (Frame& frame : frames_) frame.geometries.clear();
  for (Source& source : sources_) source.anchored.clear();
  geometries_by_id_.clear();
  geometry_names_.Clear();
  engine_ = ProximityEngine();
  geometries_ = std::move(geometries);
  for (size_t i = 0; i < geometries_.size(); ++i) {
    Geometry& geometry = geometries_[i];
    geometry.index = static_cast<int>(i);
    geometries_by_id_[geometry.id] = geometry.index;
    geometry_names_.Add(geometry.frame, geometry.name, geometry.id);
    Frame& frame = mutable_frame(geometry.frame);
    frame.geometries.push_back(geometry.id);
    if (frame.index == 0 && geometry.deformable == nullptr) {
      sources_[sources_by_id_.at(geometry.source)].anchored.push_back(
          geometry.id);
    }
    if (geometry.proximity != nullptr) AddToEngine(geometry);
  }
  ListPlacements();
  for (const Role role :
       {Role::kProximity, Role::kIllustration, Role::kPerception}) {
    version_.Modify(role);
  }
}

void GeometryModel::SaveFilter(std::ostream* stream) const {
  using internal::CollisionFilter;
  const CollisionFilter& filter = engine_.collision_filter();
  const CollisionFilter::Persistent table = filter.persistent();
  WriteBinary(table.classes, stream, &WriteIds);
  WriteBinary(table.excluded, stream, [](const auto& pair, std::ostream* s) {
    WriteBinary(pair.first, s);
    WriteBinary(pair.second, s);
  });
  WriteBinary(filter.history(), stream,
              [](const CollisionFilter::Transient& transient, std::ostream* s) {
                WriteId(transient.id, s);
                WriteBinary(transient.changes, s,
                            [](const auto& change, std::ostream* t) {
                              WriteBinary(change.exclude, t);
                              WriteIds(change.set_A, t);
                              WriteIds(change.set_B, t);
                            });
              });
}

void GeometryModel::LoadFilter(
    const std::vector<internal::CollisionFilter::Transient>& before,
    std::istream* stream) {
  using internal::CollisionFilter;
  CollisionFilter::Persistent table;
  ReadBinary(&table.classes, stream, &ReadIds);
  ReadBinary(&table.excluded, stream, [&table](std::istream* s) {
    std::pair<int, int> pair;
    for (int* place : {&pair.first, &pair.second}) {
      ReadBinary(place, s);
      At(table.classes, *place, "class", "a collision filter");
    }
    return pair;
  });
  std::vector<CollisionFilter::Transient> history;
  ReadBinary(&history, stream, [&before](std::istream* s) {
    int64_t saved{};
    ReadBinary(&saved, s);
    const auto same = std::find_if(
        before.begin(), before.end(),
        [saved](const auto& t) { return t.id.get_value() == saved; });
    CollisionFilter::Transient transient{
        AdoptId(saved, same == before.end() ? nullptr : &same->id, s), {}};
    ReadBinary(&transient.changes, s, [](std::istream* t) {
      CollisionFilter::Change change;
      ReadBinary(&change.exclude, t);
      change.set_A = ReadIds(t);
      change.set_B = ReadIds(t);
      return change;
    });
    return transient;
  });
  engine_.collision_filter().Restore(table, std::move(history));
}

void GeometryModel::Save(std::ostream* stream) const {
  WriteBinary(sources_, stream, [](const Source& source, std::ostream* s) {
    WriteId(source.id, s);
    WriteBinary(source.name, s);
  });
  WriteBinary(frames_, stream, [](const Frame& frame, std::ostream* s) {
    WriteId(frame.id, s);
    WriteBinary(frame.name, s);
    WriteBinary(frame.group, s);
    WriteBinary(frame.parent_index, s);
    WriteBinary(frame.source_index, s);
  });
  WriteIds(registered_, stream);
  WriteBinary(geometries_, stream,
              [this](const Geometry& geometry, std::ostream* s) {
                WriteId(geometry.id, s);
                WriteBinary(Describe(geometry), s);
              });
  SaveFilter(stream);
}

// Takes on the ids of sources and frames, and these themselves if there are
// none here but the world.
void GeometryModel::LoadFrames(std::istream* stream) {
  struct Saved {
    int64_t id{};
    std::string name;
    int group{}, parent{-1}, source{};
  };
  std::vector<Saved> sources, frames;
  ReadBinary(&sources, stream, [](std::istream* s) {
    Saved source;
    ReadBinary(&source.id, s);
    ReadBinary(&source.name, s);
    return source;
  });
  ReadBinary(&frames, stream, [](std::istream* s) {
    Saved frame;
    ReadBinary(&frame.id, s);
    ReadBinary(&frame.name, s);
    ReadBinary(&frame.group, s);
    ReadBinary(&frame.parent, s);
    ReadBinary(&frame.source, s);
    return frame;
  });
  const bool is_empty = sources_.size() == 1 && frames_.size() == 1;
  // The names of sources may have been made up from their ids.
  bool is_same = is_empty || (frames.size() == frames_.size() &&
                              sources.size() == sources_.size());
  for (size_t i = 0; is_same && !is_empty && i < frames.size(); ++i) {
    is_same = frames[i].name == frames_[i].name &&
              frames[i].parent == frames_[i].parent_index &&
              frames[i].source == frames_[i].source_index;
  }
  if (!is_same) {
    throw std::runtime_error(fmt::format(
        "SceneGraph: what was saved has {} sources and {} frames, and this has "
        "{} and {}, or frames of other names, parents or sources; load it into "
        "a SceneGraph that is built the same way.",
        sources.size(), frames.size(), sources_.size(), frames_.size()));
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    const bool is_here = i < sources_.size();
    const SourceId id =
        AdoptId(sources[i].id, is_here ? &sources_[i].id : nullptr, stream);
    if (is_here) continue;
    sources_by_id_[id] = static_cast<int>(i);
    sources_.push_back({id, sources[i].name, {}, {}});
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    const bool is_here = i < frames_.size();
    const FrameId id =
        AdoptId(frames[i].id, is_here ? &frames_[i].id : nullptr, stream);
    if (is_here) continue;
    Frame frame;
    frame.id = id;
    const std::string who = fmt::format("frame '{}'", frames[i].name);
    frame.source = At(sources_, frames[i].source, "source", who).id;
    frame.parent = At(frames_, frames[i].parent, "frame", who).id;
    frame.name = frames[i].name;
    frame.group = frames[i].group;
    frame.index = static_cast<int>(i);
    frame.parent_index = frames[i].parent;
    frame.source_index = frames[i].source;
    sources_[frame.source_index].frames.insert(id);
    frames_by_id_[id] = frame.index;
    frame_names_.Add(frame.source, frame.name, id);
    frames_.push_back(std::move(frame));
  }
}

void GeometryModel::Load(std::istream* stream) {
  LoadFrames(stream);
  std::vector<int64_t> registered;
  ReadBinary(&registered, stream, [](std::istream* s) {
    int64_t id{};
    ReadBinary(&id, s);
    return id;
  });
  for (size_t i = 0; i < registered.size(); ++i) {
    const bool is_here = i < registered_.size();
    const GeometryId id =
        AdoptId(registered[i], is_here ? &registered_[i] : nullptr, stream);
    if (!is_here) registered_.push_back(id);
  }
  std::vector<Geometry> geometries;
  ReadBinary(&geometries, stream, [this](std::istream* s) {
    const auto id = ReadId<GeometryId>(s);
    std::string description;
    ReadBinary(&description, s);
    return Undescribe(id, description);
  });
  const auto history = engine_.collision_filter().history();
  SetGeometries(std::move(geometries));
  LoadFilter(history, stream);
}

}  // namespace wyvern::geometry
