#pragma once

#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wyvern/geometry/deformable/deformable_contact.h"
#include "wyvern/geometry/hydroelastic/hydroelastic_model.h"
#include "wyvern/geometry/proximity/proximity_engine.h"
#include "wyvern/geometry/scene_graph/name_index.h"
#include "wyvern/geometry/scene_graph/scene_graph_config.h"
#include "wyvern/geometry/shapes/collision_filter_declaration.h"
#include "wyvern/geometry/shapes/geometry_frame.h"
#include "wyvern/geometry/shapes/geometry_instance.h"
#include "wyvern/geometry/shapes/geometry_set.h"
#include "wyvern/geometry/shapes/geometry_version.h"
#include "wyvern/systems/common/check_argument.h"

namespace wyvern::geometry {

/** Content of a SceneGraph except for moving poses: sources, their frames, the
geometries fixed to frames, roles, properties and collision filters. The model
in the SceneGraph is copied into each new Context; the copies are independent
after that. SceneGraphInspector is the public view.

Functions given an id that does not exist throw std::logic_error saying so. */
class GeometryModel {
 public:
  /** A geometry, fixed to a frame F by the pose X_FG. */
  struct Geometry {
    /** Id, unique in the process. */
    GeometryId id;
    /** Source that registered the geometry. */
    SourceId source;
    /** Frame F. */
    FrameId frame;
    /** Name, unique among those of the frame with a role in common. */
    std::string name;
    /** The shape; never null. */
    std::shared_ptr<const Shape> shape;
    /** Pose of the geometry in F. */
    math::RigidTransform<double> X_FG;
    /** Null without the role. Never changed, but replaced, so that copies of
    the model share them. */
    std::shared_ptr<const ProximityProperties> proximity;
    /** Null without the illustration role. */
    std::shared_ptr<const IllustrationProperties> illustration;
    /** Null without the perception role. */
    std::shared_ptr<const PerceptionProperties> perception;
    /** Null without the proximity role; shared and replaced with it. */
    std::shared_ptr<const internal::HydroelasticGeometry> hydroelastic;
    /** Null without the proximity role, and if the geometry deforms; shared and
    replaced with the role and the shape. */
    std::shared_ptr<const internal::RigidSurface> surface;
    /** Null if the geometry is rigid. */
    std::shared_ptr<const internal::DeformableGeometry> deformable;
    /** Edge length that a deformable geometry was meshed with, [m]. */
    double resolution_hint{};
    /** Place in geometries(). */
    int index{};
    /** Place in deformable_places(); -1 if the geometry is rigid. */
    int deformable_index{-1};
  };
  /** A frame, which its source moves. */
  struct Frame {
    /** Id, unique in the process. */
    FrameId id;
    /** Source that registered the frame. */
    SourceId source;
    /** Frame that its poses are given in; of the world, the world itself. */
    FrameId parent;
    /** Name, unique among frames of the source. */
    std::string name;
    /** Number for the owner's use. */
    int group{};
    /** Geometries fixed to the frame, in the order of registration. */
    std::vector<GeometryId> geometries;
    /** Place in frames(), and of the parent: less. */
    int index{};
    /** Place of the parent in frames(); -1 for the world. */
    int parent_index{-1};
    /** Place of the source in the order of registration. */
    int source_index{};
  };
  /** A registrant of frames and geometries. */
  struct Source {
    /** Id, unique in the process. */
    SourceId id;
    /** Name, unique in the model. */
    std::string name;
    /** Frames of the source. */
    std::unordered_set<FrameId> frames;
    /** Geometries that the source fixed to the world. */
    std::vector<GeometryId> anchored;
  };

  /** Makes a model with the world frame alone. */
  GeometryModel();

  /** The frame that everything anchored is fixed to; the same in all models. */
  static FrameId world_frame_id();
  /** The source that owns the world frame; the same in all models. */
  static SourceId self_source_id();

  /** @name Registration
  @{ */
  /** See SceneGraph::RegisterSource(). */
  SourceId RegisterNewSource(const std::string& name);
  /** See SceneGraph::RegisterFrame(). */
  FrameId RegisterFrame(SourceId source_id, FrameId parent_id,
                        const GeometryFrame& frame);
  /** See SceneGraph::RegisterGeometry(). */
  GeometryId RegisterGeometry(SourceId source_id, FrameId frame_id,
                              std::unique_ptr<GeometryInstance> geometry);
  /** See SceneGraph::RegisterDeformableGeometry(). */
  GeometryId RegisterDeformableGeometry(
      SourceId source_id, FrameId frame_id,
      std::unique_ptr<GeometryInstance> geometry, double resolution_hint);
  /** Renames a frame.
  @throws std::logic_error for the world frame, or if the source has a frame of
  that name. */
  void RenameFrame(FrameId frame_id, const std::string& name);
  /** Renames a geometry.
  @throws std::logic_error if another one of its frame has the name and a role
  in common. */
  void RenameGeometry(GeometryId geometry_id, const std::string& name);
  /** See SceneGraph::ChangeShape(). */
  void ChangeShape(SourceId source_id, GeometryId geometry_id,
                   const Shape& shape,
                   const std::optional<math::RigidTransform<double>>& X_FG);
  /** See SceneGraph::RemoveGeometry(). */
  void RemoveGeometry(SourceId source_id, GeometryId geometry_id);
  /** @} */

  /** @name Roles
  @{ */
  /** Gives the role of the properties; see SceneGraph::AssignRole(). */
  void AssignRole(SourceId source_id, GeometryId geometry_id,
                  ProximityProperties properties, RoleAssign assign);
  /** Gives the role of the properties; see SceneGraph::AssignRole(). */
  void AssignRole(SourceId source_id, GeometryId geometry_id,
                  PerceptionProperties properties, RoleAssign assign);
  /** Gives the role of the properties; see SceneGraph::AssignRole(). */
  void AssignRole(SourceId source_id, GeometryId geometry_id,
                  IllustrationProperties properties, RoleAssign assign);
  /** Removes the role from the geometries of a frame that `source_id` owns;
  returns how many had the role. */
  int RemoveRole(SourceId source_id, FrameId frame_id, Role role);
  /** Overload for one geometry. */
  int RemoveRole(SourceId source_id, GeometryId geometry_id, Role role);
  /** True if the geometry has the role. */
  bool HasRole(const Geometry& geometry, Role role) const;
  /** Adds the properties that are not there. */
  void ApplyProximityDefaults(const DefaultProximityProperties& defaults);
  /** @} */

  /** @name Collision filters
  @{ */
  /** See CollisionFilterManager::Apply(). */
  void ApplyFilter(const CollisionFilterDeclaration& declaration);
  /** See CollisionFilterManager::ApplyTransient(). */
  FilterId ApplyTransientFilter(const CollisionFilterDeclaration& declaration);
  /** See CollisionFilterManager::RemoveDeclaration(). */
  bool RemoveFilter(FilterId id);
  /** See CollisionFilterManager::IsActive(). */
  bool IsFilterActive(FilterId id) const {
    return engine_.collision_filter().IsActive(id);
  }
  /** See CollisionFilterManager::has_transient_history(). */
  bool has_transient_history() const {
    return engine_.collision_filter().has_transient_history();
  }
  /** True if a filter excludes the pair.
  @throws std::logic_error if one does not have the proximity role. */
  bool CollisionFiltered(GeometryId a, GeometryId b) const;
  /** @} */

  /** @name Access
  @{ */
  /** The source of this id. */
  const Source& source(SourceId id) const;
  /** The frame of this id. */
  const Frame& frame(FrameId id) const;
  /** The geometry of this id. */
  const Geometry& geometry(GeometryId id) const;
  /** True if a source has this id. */
  bool has_source(SourceId id) const { return sources_by_id_.contains(id); }
  /** Throws unless the frame or the geometry is there and of the source. */
  bool BelongsToSource(FrameId frame_id, SourceId source_id) const;
  /** Overload for a geometry. */
  bool BelongsToSource(GeometryId geometry_id, SourceId source_id) const;
  /** In the order of registration; parents before children, the world first. */
  const std::vector<Frame>& frames() const { return frames_; }
  /** All sources, in the order of registration. */
  const std::vector<Source>& sources() const { return sources_; }
  /** All geometries, in the order of registration. */
  const std::vector<Geometry>& geometries() const { return geometries_; }
  /** Returns the geometries with the role that are in the set or fixed to its
  frames. */
  std::unordered_set<GeometryId> GetGeometryIds(const GeometrySet& set,
                                                std::optional<Role> role) const;
  /** Returns the geometry of a frame with a role and a name.
  @throws std::logic_error unless exactly one geometry of the frame has the
  role and the name. */
  GeometryId GetGeometryIdByName(FrameId frame_id, Role role,
                                 const std::string& name) const;
  /** Collision shapes of the geometries with the proximity role. */
  const ProximityEngine& engine() const { return engine_; }
  /** Pressure fields and meshes of hydroelastic geometries. */
  const internal::HydroelasticModel& hydroelastic() const {
    return hydroelastic_;
  }
  /** Meshes of geometries that deform. */
  const internal::DeformableContactModel& deformable_contact() const {
    return deformable_contact_;
  }
  /** The places in geometries() of those that deform, in order. */
  const std::vector<int>& deformable_places() const {
    return deformable_places_;
  }
  /** Every pair with the proximity role that no filter excludes. */
  std::vector<SortedPair<GeometryId>> AllCollisionCandidates() const;
  /** Where each geometry is: places of its frame and its own, X_FG, and whether
  its axes are other than the frame's. */
  struct Placement {
    /** Place of the frame in frames(). */
    int frame{};
    /** Place of the geometry in geometries(). */
    int geometry{};
    /** Pose in the frame. */
    math::RigidTransform<double> X_FG;
    /** True if the geometry's axes are other than the frame's. */
    bool is_turned{};
  };
  /** By geometry: its frame, and its pose there. */
  const std::vector<Placement>& placements() const { return placements_; }
  /** The place in geometries() of each of the engine's geometries. */
  const std::vector<int>& engine_places() const { return engine_places_; }
  /** Version by which readers notice changes of a role. */
  const GeometryVersion& version() const { return version_; }
  /** @} */

  /** Writes geometries, roles and filters, and how they and the frames are
  called: for ValueSerialization.
  @throws std::logic_error if it does not know the type of a property. */
  void Save(std::ostream* stream) const;
  /** Takes on what a model with the same sources and frames wrote, or any if
  this has none. What was registered in the same place keeps the id that it has
  here.
  @throws std::runtime_error if sources or frames differ; this is then as it
  was. */
  void Load(std::istream* stream);

 private:
  Frame& mutable_frame(FrameId id);
  Geometry& mutable_geometry(GeometryId id);
  Geometry& OwnedGeometry(const char* function, SourceId source_id,
                          GeometryId geometry_id);
  void RequireName(const char* function, const Frame& frame, Role role,
                   const std::string& name, GeometryId self) const;
  template <typename Properties>
  void Assign(Role role, SourceId source_id, GeometryId geometry_id,
              Properties properties, RoleAssign assign,
              std::shared_ptr<const Properties> Geometry::*member);
  static std::shared_ptr<const internal::HydroelasticGeometry> MakeHydroelastic(
      const std::string& name, const Shape& shape,
      const ProximityProperties& properties);
  static std::shared_ptr<const internal::DeformableGeometry> MakeDeformable(
      const wyvern::internal::Caller& who, const Shape& shape,
      double resolution_hint);
  // Makes what contact takes a rigid geometry for; nothing of one that deforms.
  static void SetContactForms(Geometry* geometry,
                              const std::shared_ptr<const Shape>& shape,
                              const ProximityProperties& properties);
  // `deformable` is null for a rigid geometry.
  GeometryId Register(
      const char* function, SourceId source_id, FrameId frame_id,
      std::unique_ptr<GeometryInstance> geometry,
      std::shared_ptr<const internal::DeformableGeometry> deformable,
      double resolution_hint);
  // Takes a role. A geometry that has it no longer takes part in contact is
  // added to `leaving`, to be passed to LeaveContact() with all others.
  bool RemoveRoleOf(Geometry* geometry, Role role,
                    std::vector<GeometryId>* leaving);
  void LeaveContact(const std::vector<GeometryId>& leaving);
  std::string Describe(const Geometry& geometry) const;
  Geometry Undescribe(GeometryId id, const std::string& description) const;
  void SetGeometries(std::vector<Geometry> geometries);
  void LoadFrames(std::istream* stream);
  void SaveFilter(std::ostream* stream) const;
  void LoadFilter(
      const std::vector<internal::CollisionFilter::Transient>& before,
      std::istream* stream);
  // Both geometries have the proximity role.
  bool IsExcluded(GeometryId a, GeometryId b) const;
  // Fills the flat arrays that pose updates read.
  void ListPlacements();
  // Adds the last geometry to the arrays.
  void ListNewPlacement();
  Placement MakePlacement(const Geometry& g) const;
  // Adds a geometry that the engine has to the arrays in the engine's order.
  void ListInEngine(const Geometry& g);
  // Renews what these arrays have of a geometry. Its margin was `last_margin`.
  void RelistInEngine(const Geometry& g, double last_margin);
  void AddToEngine(const Geometry& geometry);
  std::vector<internal::CollisionFilter::Change> Resolve(
      const CollisionFilterDeclaration& declaration) const;

  std::vector<Source> sources_;
  std::vector<Frame> frames_;
  std::vector<Geometry> geometries_;
  // Every geometry there ever was, in order: how saved models name them.
  std::vector<GeometryId> registered_;
  std::unordered_map<SourceId, int> sources_by_id_;
  std::unordered_map<FrameId, int> frames_by_id_;
  std::unordered_map<GeometryId, int> geometries_by_id_;
  std::vector<Placement> placements_;
  std::vector<int> engine_places_;
  ProximityEngine engine_;
  internal::HydroelasticModel hydroelastic_;
  internal::DeformableContactModel deformable_contact_;
  std::vector<int> deformable_places_;
  GeometryVersion version_;
  internal::NameIndex<SourceId, FrameId> frame_names_;
  internal::NameIndex<FrameId, GeometryId> geometry_names_;
};

}  // namespace wyvern::geometry
