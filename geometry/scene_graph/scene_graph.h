#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/geometry/scene_graph/collision_filter_manager.h"
#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::geometry {

/** The System that knows all geometry: others register theirs with it, feed it
the poses of their frames, and ask its output port about contact and distance.

| port                        | value                                         |
|-----------------------------|-----------------------------------------------|
| input "NAME_pose", for each | FramePoseVector<T>: the poses of the frames   |
| source NAME                 | that the source has registered                |
| input "NAME_configuration"  | GeometryConfigurationVector<T>: the vertices  |
|                             | of its geometries that deform                 |
| output "query"              | QueryObject<T>                                |

Whoever owns geometry registers a source, frames that move with it, and
geometries fixed to those frames; or geometries fixed to the world ("anchored").
What a geometry is used for is said by its roles: proximity, illustration,
perception.

Functions without a Context change the model: what Contexts made later start
with. Functions with one change that Context alone; those belong to a Context of
this SceneGraph, or throw std::logic_error. So do functions given an id that
does not exist, a name that is taken, or a geometry of another source, each
saying so.

@tparam T double or AutoDiffXd. */
template <typename T>
class SceneGraph final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SceneGraph);

  /** Makes a SceneGraph with the default configuration. */
  SceneGraph() : SceneGraph(SceneGraphConfig{}) {}
  /** Makes a scene graph of a given configuration.
  @throws std::logic_error if the configuration is not valid. */
  explicit SceneGraph(const SceneGraphConfig& config);
  /** Scalar-converting copy constructor: copies sources, frames and
  geometries. */
  template <typename U>
  explicit SceneGraph(const SceneGraph<U>& other);
  ~SceneGraph() override;

  /** For Contexts made from now on: when one is made, default proximity
  properties are added to geometries that lack them.
  @throws std::logic_error if the configuration is not valid. */
  void set_config(const SceneGraphConfig& config);
  /** The configuration that Contexts made from now on have. */
  const SceneGraphConfig& get_config() const { return config_; }
  /** The configuration that `context` was made with. */
  const SceneGraphConfig& get_config(const systems::Context<T>& context) const;

  /** @name Sources and ports
  @{ */
  /** Registers a source; an empty name is replaced by a generated one. The
  source's ports are named "<name>_pose" and "<name>_configuration". @throws
  std::logic_error if a Context exists. */
  SourceId RegisterSource(const std::string& name = "");
  /** True if a source has this id. */
  bool SourceIsRegistered(SourceId id) const { return model_.has_source(id); }
  /** The input port for the poses of the source's frames. */
  const systems::InputPort<T>& get_source_pose_port(SourceId id) const;
  /** Needed by sources that have registered geometries that deform. */
  const systems::InputPort<T>& get_source_configuration_port(SourceId id) const;
  /** The output port "query". */
  const systems::OutputPort<T>& get_query_output_port() const {
    return this->get_output_port(query_port_index_);
  }
  /** @} */

  /** @name Frames and geometries
  @{ */
  /** The frame that does not move, the same in all SceneGraphs. */
  static FrameId world_frame_id() { return GeometryModel::world_frame_id(); }
  /** A frame whose parent is the world, or the frame `parent_id`. */
  FrameId RegisterFrame(SourceId source_id, const GeometryFrame& frame);
  /** Overload for a parent other than the world, which must be the source's
  own. */
  FrameId RegisterFrame(SourceId source_id, FrameId parent_id,
                        const GeometryFrame& frame);
  /** Renames a frame; the world frame has no other name. */
  void RenameFrame(FrameId frame_id, const std::string& name);
  /** Fixed to a frame, or to the world, at the instance's pose, with the roles
  whose properties it has. */
  GeometryId RegisterGeometry(SourceId source_id, FrameId frame_id,
                              std::unique_ptr<GeometryInstance> geometry);
  /** Overload for a Context: the geometry is in that Context alone. */
  GeometryId RegisterGeometry(systems::Context<T>* context, SourceId source_id,
                              FrameId frame_id,
                              std::unique_ptr<GeometryInstance> geometry) const;
  /** Fixed to the world. */
  GeometryId RegisterAnchoredGeometry(
      SourceId source_id, std::unique_ptr<GeometryInstance> geometry);
  /** A geometry that deforms: tetrahedra, made from the instance's shape, whose
  vertices are where the source's configuration port says. At the instance's
  pose in the world they are in their reference configuration, which gives the
  order of vertices: SceneGraphInspector::GetReferenceMesh(). Shapes are boxes,
  spheres, ellipsoids, cylinders, capsules, and meshes of .vtk files.
  @param frame_id the world's
  @param resolution_hint [m] how long edges are, about; not used for a Mesh
  @throws std::logic_error also if the frame is not the world's, the hint is not
  positive, or the shape is another. */
  GeometryId RegisterDeformableGeometry(
      SourceId source_id, FrameId frame_id,
      std::unique_ptr<GeometryInstance> geometry, double resolution_hint);
  /** Overload for a Context: the geometry is in that Context alone. */
  GeometryId RegisterDeformableGeometry(
      systems::Context<T>* context, SourceId source_id, FrameId frame_id,
      std::unique_ptr<GeometryInstance> geometry, double resolution_hint) const;
  /** Renames a geometry. */
  void RenameGeometry(GeometryId geometry_id, const std::string& name);
  /** Also its pose, if X_FG is given. Of a rigid geometry only. */
  void ChangeShape(
      SourceId source_id, GeometryId geometry_id, const Shape& shape,
      std::optional<math::RigidTransform<double>> X_FG = std::nullopt);
  /** Overload for a Context. */
  void ChangeShape(
      systems::Context<T>* context, SourceId source_id, GeometryId geometry_id,
      const Shape& shape,
      std::optional<math::RigidTransform<double>> X_FG = std::nullopt) const;
  /** Removes a geometry with all its roles. */
  void RemoveGeometry(SourceId source_id, GeometryId geometry_id);
  /** Overload for a Context. */
  void RemoveGeometry(systems::Context<T>* context, SourceId source_id,
                      GeometryId geometry_id) const;
  /** @} */

  /** @name Roles
  @{ */
  /** Gives a geometry the proximity role.
  @throws std::logic_error unless `assign` says whether it has the role already,
  here and in the overloads. */
  void AssignRole(SourceId source_id, GeometryId geometry_id,
                  ProximityProperties properties,
                  RoleAssign assign = RoleAssign::kNew);
  /** Gives a geometry the perception role. */
  void AssignRole(SourceId source_id, GeometryId geometry_id,
                  PerceptionProperties properties,
                  RoleAssign assign = RoleAssign::kNew);
  /** Gives a geometry the illustration role. */
  void AssignRole(SourceId source_id, GeometryId geometry_id,
                  IllustrationProperties properties,
                  RoleAssign assign = RoleAssign::kNew);
  /** Gives a geometry the proximity role in a Context. */
  void AssignRole(systems::Context<T>* context, SourceId source_id,
                  GeometryId geometry_id, ProximityProperties properties,
                  RoleAssign assign = RoleAssign::kNew) const;
  /** Gives a geometry the perception role in a Context. */
  void AssignRole(systems::Context<T>* context, SourceId source_id,
                  GeometryId geometry_id, PerceptionProperties properties,
                  RoleAssign assign = RoleAssign::kNew) const;
  /** Gives a geometry the illustration role in a Context. */
  void AssignRole(systems::Context<T>* context, SourceId source_id,
                  GeometryId geometry_id, IllustrationProperties properties,
                  RoleAssign assign = RoleAssign::kNew) const;
  /** Takes the role away from all geometries that the source has on a frame, or
  from one; returns how many had it. */
  int RemoveRole(SourceId source_id, FrameId frame_id, Role role);
  /** Overload for one geometry; returns 1 if it had the role. */
  int RemoveRole(SourceId source_id, GeometryId geometry_id, Role role);
  /** Overload for a Context. */
  int RemoveRole(systems::Context<T>* context, SourceId source_id,
                 FrameId frame_id, Role role) const;
  /** Overload for one geometry in a Context. */
  int RemoveRole(systems::Context<T>* context, SourceId source_id,
                 GeometryId geometry_id, Role role) const;
  /** @} */

  /** The inspector of the model that new Contexts start with. */
  const SceneGraphInspector<T>& model_inspector() const {
    return model_inspector_;
  }
  /** The collision filters of the model that new Contexts start with. */
  CollisionFilterManager collision_filter_manager() {
    return CollisionFilterManager(&model_);
  }
  /** The collision filters of a Context. */
  CollisionFilterManager collision_filter_manager(
      systems::Context<T>* context) const {
    this->ValidateContext(context);
    return CollisionFilterManager(
        [this, context] { return &mutable_model_of(context); },
        &model_of(*context));
  }

 private:
  template <typename U>
  friend class SceneGraph;
  friend class QueryObject<T>;
  class LiveQuery;

  void SetDefaultParameters(const systems::Context<T>& context,
                            systems::Parameters<T>* parameters) const final;
  void DeclareSourcePorts(const std::string& source_name);
  const systems::InputPort<T>& SourcePort(const char* function, SourceId id,
                                          const char* suffix) const;
  const GeometryModel& model_of(const systems::Context<T>& context) const;
  GeometryModel& mutable_model_of(systems::Context<T>* context) const;
  const internal::GeometryPoses<T>& EvalPoses(
      const systems::Context<T>& context) const {
    return poses_entry_->template Eval<internal::GeometryPoses<T>>(context);
  }
  void CalcPoses(const systems::Context<T>& context,
                 internal::GeometryPoses<T>* poses) const;

  SceneGraphConfig config_;
  GeometryModel model_;
  SceneGraphInspector<T> model_inspector_{&model_};
  int model_parameter_{};
  int config_parameter_{};
  const systems::CacheEntry* poses_entry_{};
  systems::OutputPortIndex query_port_index_{};
};

}  // namespace wyvern::geometry
