#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"
#include "wyvern/geometry/scene_graph/geometry_model.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::geometry {

template <typename T>
class QueryObject;
template <typename T>
class SceneGraph;

/** Answers questions about a SceneGraph that need no poses: its geometries,
their names, shapes, properties and filters. SceneGraph::model_inspector()
inspects the model, QueryObject::inspector() a Context.

Functions given an id that does not exist throw std::logic_error saying so. */
template <typename T>
class SceneGraphInspector {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SceneGraphInspector);

  /** @name Counts and lists
  @{ */
  /** Number of sources, the SceneGraph's own included. */
  int num_sources() const { return size(model().sources()); }
  /** Number of frames, the world included. */
  int num_frames() const { return size(model().frames()); }
  /** Number of geometries. */
  int num_geometries() const { return size(model().geometries()); }
  /** Number of geometries with a role. */
  int NumGeometriesWithRole(Role role) const;
  /** Returns the number of geometries on moving frames plus the deformable
  ones. */
  int NumDynamicGeometries() const;
  /** Number of rigid geometries on moving frames. */
  int NumDynamicNonDeformableGeometries() const {
    return NumDynamicGeometries() - NumDeformableGeometries();
  }
  /** Number of rigid geometries that are fixed to the world. */
  int NumAnchoredGeometries() const;
  /** Number of geometries that deform. */
  int NumDeformableGeometries() const {
    return size(model().deformable_places());
  }
  /** Number of geometries that deform and have a role. */
  int NumDeformableGeometriesWithRole(Role role) const;
  /** In the order of registration; the SceneGraph's own source is the first,
  the world the first frame. */
  std::vector<SourceId> GetAllSourceIds() const;
  /** All frames, parents before children. */
  std::vector<FrameId> GetAllFrameIds() const;
  /** All geometries, or those with a role, in increasing order of ids. */
  std::vector<GeometryId> GetAllGeometryIds(
      std::optional<Role> role = std::nullopt) const;
  /** In the order of registration. */
  std::vector<GeometryId> GetAllDeformableGeometryIds() const;
  /** The geometries in the set, or fixed to its frames, that have the role, if
  one is given. */
  std::unordered_set<GeometryId> GetGeometryIds(
      const GeometrySet& geometry_set,
      std::optional<Role> role = std::nullopt) const {
    return model().GetGeometryIds(geometry_set, role);
  }
  /** Pairs, in increasing order of ids, that a collision may be reported for.
   */
  std::set<std::pair<GeometryId, GeometryId>> GetCollisionCandidates() const;
  /** Version by which to notice changes of a role. */
  const GeometryVersion& geometry_version() const { return model().version(); }
  /** @} */

  /** @name Sources
  @{ */
  /** True if a source has this id. */
  bool SourceIsRegistered(SourceId source_id) const {
    return model().has_source(source_id);
  }
  /** Name of a source. */
  const std::string& GetName(SourceId source_id) const {
    return model().source(source_id).name;
  }
  /** Number of frames of a source. */
  int NumFramesForSource(SourceId source_id) const {
    return size(FramesForSource(source_id));
  }
  /** Frames of a source. */
  const std::unordered_set<FrameId>& FramesForSource(SourceId source_id) const {
    return model().source(source_id).frames;
  }
  /** @} */

  /** @name Frames
  @{ */
  /** The frame that does not move, the same in all SceneGraphs. */
  FrameId world_frame_id() const { return GeometryModel::world_frame_id(); }
  /** True if the frame belongs to the source. */
  bool BelongsToSource(FrameId frame_id, SourceId source_id) const {
    return model().BelongsToSource(frame_id, source_id);
  }
  /** Name of the source of a frame. */
  const std::string& GetOwningSourceName(FrameId frame_id) const {
    return GetName(model().frame(frame_id).source);
  }
  /** Name of a frame. */
  const std::string& GetName(FrameId frame_id) const {
    return model().frame(frame_id).name;
  }
  /** The frame in which the poses of a frame are given. */
  FrameId GetParentFrame(FrameId frame_id) const {
    return model().frame(frame_id).parent;
  }
  /** Number that the owner gave to a frame. */
  int GetFrameGroup(FrameId frame_id) const {
    return model().frame(frame_id).group;
  }
  /** Number of geometries fixed to a frame. */
  int NumGeometriesForFrame(FrameId frame_id) const {
    return size(model().frame(frame_id).geometries);
  }
  /** Number of geometries with a role that are fixed to a frame. */
  int NumGeometriesForFrameWithRole(FrameId frame_id, Role role) const {
    return size(GetGeometries(frame_id, role));
  }
  /** In the order of registration. */
  std::vector<GeometryId> GetGeometries(
      FrameId frame_id, const std::optional<Role>& role = std::nullopt) const;
  /** Returns the geometry of a frame with a role and a name.
  @throws std::logic_error unless exactly one matches. */
  GeometryId GetGeometryIdByName(FrameId frame_id, Role role,
                                 const std::string& name) const {
    return model().GetGeometryIdByName(frame_id, role, name);
  }
  /** @} */

  /** @name Geometries
  @{ */
  /** True if the geometry belongs to the source. */
  bool BelongsToSource(GeometryId geometry_id, SourceId source_id) const {
    return model().BelongsToSource(geometry_id, source_id);
  }
  /** Name of the source of a geometry. */
  const std::string& GetOwningSourceName(GeometryId geometry_id) const {
    return GetName(model().geometry(geometry_id).source);
  }
  /** Frame that a geometry is fixed to. */
  FrameId GetFrameId(GeometryId geometry_id) const {
    return model().geometry(geometry_id).frame;
  }
  /** Name of a geometry. */
  const std::string& GetName(GeometryId geometry_id) const {
    return model().geometry(geometry_id).name;
  }
  /** Shape of a geometry. */
  const Shape& GetShape(GeometryId geometry_id) const {
    return *model().geometry(geometry_id).shape;
  }
  /** X_FG, in the frame the geometry is fixed to. */
  const math::RigidTransform<double>& GetPoseInFrame(
      GeometryId geometry_id) const {
    return model().geometry(geometry_id).X_FG;
  }
  /** Null if the geometry does not have the role. */
  const GeometryProperties* GetProperties(GeometryId geometry_id,
                                          Role role) const;
  /** Null if the geometry does not have the proximity role. */
  const ProximityProperties* GetProximityProperties(
      GeometryId geometry_id) const {
    return model().geometry(geometry_id).proximity.get();
  }
  /** Null if the geometry does not have the illustration role. */
  const IllustrationProperties* GetIllustrationProperties(
      GeometryId geometry_id) const {
    return model().geometry(geometry_id).illustration.get();
  }
  /** Null if the geometry does not have the perception role. */
  const PerceptionProperties* GetPerceptionProperties(
      GeometryId geometry_id) const {
    return model().geometry(geometry_id).perception.get();
  }
  /** The hull that collision queries take a Convex or a Mesh for; null for
  other shapes, and without the proximity role. */
  const PolygonSurfaceMesh<double>* GetConvexHull(GeometryId geometry_id) const;
  /** The mesh that hydroelastic contact takes the geometry for: the surface of
  a rigid one, the volume of a compliant one; of a half space, of a geometry
  without a compliance type or without a property that it needs, and without the
  proximity role, none. It lives as long as the geometry has its shape and
  properties. */
  std::variant<std::monostate, const TriangleSurfaceMesh<double>*,
               const VolumeMesh<double>*>
  maybe_get_hydroelastic_mesh(GeometryId geometry_id) const;
  /** True if the geometry deforms. */
  bool IsDeformableGeometry(GeometryId geometry_id) const {
    return model().geometry(geometry_id).deformable != nullptr;
  }
  /** The tetrahedra of a geometry that deforms, in the frame G that
  GetPoseInFrame() poses in the world; null for a rigid one. It lives as long as
  the geometry. */
  const VolumeMesh<double>* GetReferenceMesh(GeometryId geometry_id) const {
    const auto& deformable = model().geometry(geometry_id).deformable;
    return deformable == nullptr ? nullptr : &deformable->mesh_G;
  }
  /** Returns true if the pair is filtered: queries leave it out.
  @throws std::logic_error if one does not have the proximity role. */
  bool CollisionFiltered(GeometryId geometry_id1,
                         GeometryId geometry_id2) const {
    return model().CollisionFiltered(geometry_id1, geometry_id2);
  }
  /** A new instance with the same shape, pose, name and properties, and an id
  of its own. */
  std::unique_ptr<GeometryInstance> CloneGeometryInstance(
      GeometryId geometry_id) const;
  /** @} */

 private:
  friend class QueryObject<T>;
  friend class SceneGraph<T>;

  SceneGraphInspector() = default;
  explicit SceneGraphInspector(const GeometryModel* model) : model_(model) {}
  void set(const GeometryModel* model) { model_ = model; }
  const GeometryModel& model() const { return *model_; }

  template <typename Container>
  static int size(const Container& container) {
    return static_cast<int>(container.size());
  }

  const GeometryModel* model_{};
};

}  // namespace wyvern::geometry
