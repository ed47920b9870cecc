#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"

#include <algorithm>

#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"
#include "wyvern/systems/common/default_scalars.h"

/* Questions about the geometries of a model that do not depend on poses. Each
function reads the GeometryModel and copies identifiers; lists of geometries are
sorted by identifier. Errors about unknown identifiers come from the model. An
empty model has the world frame alone. */

namespace wyvern::geometry {

template <typename T>
int SceneGraphInspector<T>::NumGeometriesWithRole(Role role) const {
  return size(GetAllGeometryIds(role));
}

template <typename T>
int SceneGraphInspector<T>::NumDynamicGeometries() const {
  return num_geometries() - NumAnchoredGeometries();
}

template <typename T>
int SceneGraphInspector<T>::NumAnchoredGeometries() const {
  return NumGeometriesForFrame(world_frame_id()) - NumDeformableGeometries();
}

template <typename T>
int SceneGraphInspector<T>::NumDeformableGeometriesWithRole(Role role) const {
  int count = 0;
  for (const GeometryId id : GetAllDeformableGeometryIds()) {
    count += model().HasRole(model().geometry(id), role);
  }
  return count;
}

template <typename T>
std::vector<GeometryId> SceneGraphInspector<T>::GetAllDeformableGeometryIds()
    const {
  std::vector<GeometryId> result;
  for (const int place : model().deformable_places()) {
    result.push_back(model().geometries()[place].id);
  }
  return result;
}

template <typename T>
std::vector<SourceId> SceneGraphInspector<T>::GetAllSourceIds() const {
  std::vector<SourceId> result;
  for (const auto& source : model().sources()) result.push_back(source.id);
  return result;
}

template <typename T>
std::vector<FrameId> SceneGraphInspector<T>::GetAllFrameIds() const {
  std::vector<FrameId> result;
  for (const auto& frame : model().frames()) result.push_back(frame.id);
  return result;
}

template <typename T>
std::vector<GeometryId> SceneGraphInspector<T>::GetAllGeometryIds(
    std::optional<Role> role) const {
  std::vector<GeometryId> result;
  for (const auto& geometry : model().geometries()) {
    if (!role || model().HasRole(geometry, *role)) {
      result.push_back(geometry.id);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

template <typename T>
std::set<std::pair<GeometryId, GeometryId>>
SceneGraphInspector<T>::GetCollisionCandidates() const {
  std::set<std::pair<GeometryId, GeometryId>> result;
  for (const auto& pair : model().AllCollisionCandidates()) {
    result.insert(pair.objects());
  }
  return result;
}

template <typename T>
std::vector<GeometryId> SceneGraphInspector<T>::GetGeometries(
    FrameId frame_id, const std::optional<Role>& role) const {
  std::vector<GeometryId> result;
  for (const GeometryId id : model().frame(frame_id).geometries) {
    if (!role || model().HasRole(model().geometry(id), *role)) {
      result.push_back(id);
    }
  }
  return result;
}

template <typename T>
const GeometryProperties* SceneGraphInspector<T>::GetProperties(
    GeometryId geometry_id, Role role) const {
  switch (role) {
    case Role::kProximity:
      return GetProximityProperties(geometry_id);
    case Role::kIllustration:
      return GetIllustrationProperties(geometry_id);
    case Role::kPerception:
      return GetPerceptionProperties(geometry_id);
    case Role::kUnassigned:
      break;
  }
  return nullptr;
}

template <typename T>
const PolygonSurfaceMesh<double>* SceneGraphInspector<T>::GetConvexHull(
    GeometryId geometry_id) const {
  const auto& geometry = model().geometry(geometry_id);
  if (!geometry.proximity) return nullptr;
  if (const auto* convex = dynamic_cast<const Convex*>(geometry.shape.get())) {
    return &convex->GetConvexHull();
  }
  if (const auto* mesh = dynamic_cast<const Mesh*>(geometry.shape.get())) {
    return &mesh->GetConvexHull();
  }
  return nullptr;
}

template <typename T>
std::variant<std::monostate, const TriangleSurfaceMesh<double>*,
             const VolumeMesh<double>*>
SceneGraphInspector<T>::maybe_get_hydroelastic_mesh(
    GeometryId geometry_id) const {
  const auto& hydroelastic = model().geometry(geometry_id).hydroelastic;
  if (hydroelastic != nullptr && hydroelastic->rigid != nullptr) {
    return &hydroelastic->rigid->mesh;
  }
  if (hydroelastic != nullptr && hydroelastic->compliant != nullptr) {
    return &hydroelastic->compliant->mesh;
  }
  return {};
}

template <typename T>
std::unique_ptr<GeometryInstance> SceneGraphInspector<T>::CloneGeometryInstance(
    GeometryId geometry_id) const {
  const auto& source = model().geometry(geometry_id);
  auto result = std::make_unique<GeometryInstance>(source.X_FG, *source.shape,
                                                   source.name);
  if (source.proximity) result->set_proximity_properties(*source.proximity);
  if (source.illustration) {
    result->set_illustration_properties(*source.illustration);
  }
  if (source.perception) result->set_perception_properties(*source.perception);
  return result;
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class SceneGraphInspector);

}  // namespace wyvern::geometry
