#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/plant/deformable_model.h"
#include "wyvern/multibody/plant/parts/contact_config.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that gives its bodies geometry, in a
SceneGraph. Frames and geometries there have the names of the plant's bodies and
geometries, scoped by model instance: "instance::name". Names in the world's and
the default instance have no scope. Call registration functions after
RegisterAsSourceForSceneGraph() and before Finalize(), with bodies of this
plant; otherwise they throw std::logic_error. */
template <typename T>
class PlantGeometry {
 public:
  /** From here on every body has a frame there, as soon as it is added.
  @throws std::logic_error for a null pointer, or a second time. */
  geometry::SourceId RegisterAsSourceForSceneGraph(
      geometry::SceneGraph<T>* scene_graph);
  /** True after RegisterAsSourceForSceneGraph(). */
  bool geometry_source_is_registered() const {
    return binding_.source.has_value();
  }
  /** The source that this plant is in the SceneGraph, if it is registered. */
  std::optional<geometry::SourceId> get_source_id() const {
    return binding_.source;
  }
  /** Returns the SceneGraph that the plant is registered with, for changes.
  @throws std::logic_error after Finalize(), or before
  RegisterAsSourceForSceneGraph(). */
  geometry::SceneGraph<T>* GetMutableSceneGraphPreFinalize();

  /** Geometry that is seen: with the roles illustration and perception. X_BG is
  its pose in the body. */
  geometry::GeometryId RegisterVisualGeometry(
      const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
      const geometry::Shape& shape, const std::string& name,
      const geometry::IllustrationProperties& properties);
  /** With the roles that the instance has properties for.
  @throws std::logic_error if it is null. */
  geometry::GeometryId RegisterVisualGeometry(
      const RigidBody<T>& body,
      std::unique_ptr<geometry::GeometryInstance> geometry_instance);
  /** In a colour: red, green, blue and alpha in [0, 1]. */
  geometry::GeometryId RegisterVisualGeometry(
      const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
      const geometry::Shape& shape, const std::string& name,
      const Vector4<double>& diffuse_color);
  /** Overload with properties that are empty, for the default look. */
  geometry::GeometryId RegisterVisualGeometry(
      const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
      const geometry::Shape& shape, const std::string& name);
  /** Geometry that touches: with the role proximity.
  @throws std::logic_error if the properties lack ("material",
  "coulomb_friction"). */
  geometry::GeometryId RegisterCollisionGeometry(
      const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
      const geometry::Shape& shape, const std::string& name,
      geometry::ProximityProperties properties);
  /** Overload with friction coefficients and no other property. */
  geometry::GeometryId RegisterCollisionGeometry(
      const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
      const geometry::Shape& shape, const std::string& name,
      const CoulombFriction<double>& coulomb_friction);
  /** Filters out collisions between two groups, or within one if both have the
  same name. */
  void ExcludeCollisionGeometriesWithCollisionFilterGroupPair(
      const std::pair<std::string, geometry::GeometrySet>&
          collision_filter_group_a,
      const std::pair<std::string, geometry::GeometrySet>&
          collision_filter_group_b);

  /** Number of visual geometries that were registered. */
  int num_visual_geometries() const { return binding_.num_visual; }
  /** Number of collision geometries that were registered. */
  int num_collision_geometries() const {
    return static_cast<int>(binding_.body_of_collision.size());
  }
  /** Visual geometries of a body, in the order of registration. */
  const std::vector<geometry::GeometryId>& GetVisualGeometriesForBody(
      const RigidBody<T>& body) const;
  /** Collision geometries of a body, in the order of registration. */
  const std::vector<geometry::GeometryId>& GetCollisionGeometriesForBody(
      const RigidBody<T>& body) const;
  /** All geometries of some bodies, as their frames. @throws std::logic_error
  before RegisterAsSourceForSceneGraph(). */
  geometry::GeometrySet CollectRegisteredGeometries(
      const std::vector<const RigidBody<T>*>& bodies) const;
  /** Null if the frame is not of this plant. */
  const RigidBody<T>* GetBodyFromFrameId(geometry::FrameId frame_id) const;
  /** The SceneGraph frame of a body, if it has one. */
  std::optional<geometry::FrameId> GetBodyFrameIdIfExists(
      BodyIndex body_index) const;
  /** Returns the SceneGraph frame of a body.
  @throws std::logic_error before RegisterAsSourceForSceneGraph(). */
  geometry::FrameId GetBodyFrameIdOrThrow(BodyIndex body_index) const;
  /** Returns the inspector of the SceneGraph at the geometry query port in a
  Context.
  @throws std::logic_error before Finalize(), or if the port is not
  connected. */
  const geometry::SceneGraphInspector<T>& EvalSceneGraphInspector(
      const systems::Context<T>& context) const;

 protected:
  PlantGeometry(const internal::MultibodyTreeSystem<T>& core,
                internal::GeometryBinding& binding,
                const internal::ContactConfig& config,
                DeformableModel<T>& deformables,
                const internal::PortIndices& ports)
      : core_(core),
        binding_(binding),
        config_(config),
        deformables_(deformables),
        ports_(ports) {}
  ~PlantGeometry() = default;

  /** Registers the frame of a body, if there is a SceneGraph that does not have
  it. */
  void RegisterFrame(const RigidBody<T>& body);
  /** Frames and geometries of a model instance that had another name. */
  void RenameGeometry(ModelInstanceIndex model_instance,
                      const std::string& old_name);
  /** Registers the frames of bodies that Finalize() added and the filters that
  joints make; the tree is finalized. */
  void FinalizeGeometry();

 private:
  void RequireCanRegister(const char* function, const char* what) const;
  std::string ScopedNameOf(ModelInstanceIndex model_instance,
                           const std::string& name) const;
  geometry::GeometryId RegisterGeometry(
      const char* function, const RigidBody<T>& body,
      std::unique_ptr<geometry::GeometryInstance> instance);
  void FilterWeldedBodies();
  void FilterAdjacentBodies();

  const internal::MultibodyTreeSystem<T>& core_;
  internal::GeometryBinding& binding_;
  const internal::ContactConfig& config_;
  DeformableModel<T>& deformables_;
  const internal::PortIndices& ports_;
  geometry::SceneGraph<T>* scene_graph_{};
};

}  // namespace wyvern::multibody
