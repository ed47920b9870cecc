#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/deformable/deformable_contact_surface.h"
#include "wyvern/geometry/hydroelastic/contact_surfaces.h"
#include "wyvern/geometry/scene_graph/geometry_poses.h"
#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/systems/framework/context.h"

namespace wyvern::geometry {

/** Value of SceneGraph's output port: answers questions about poses, distances
and contacts at the state of a Context. The object read from the port follows
its Context; a copy keeps the state at which it was copied, and no longer needs
the Context.

Frames: W world, A, B, G geometries. Lengths in meter. Results are sorted by
ids, and every pair has id_A < id_B. Only geometries with the proximity role
take part, and pairs that the collision filter lets through. Meshes are taken as
their convex hulls.

Functions throw std::logic_error if the object was default constructed, and
std::runtime_error if a source with frames has no poses.

@tparam T double or AutoDiffXd; see ProximityEngine for what the latter can do.
*/
template <typename T>
class QueryObject {
 public:
  /** Makes an object that every function refuses. */
  QueryObject();
  /** Copies the state at this moment; the copy needs no Context. */
  QueryObject(const QueryObject& other);
  /** Copies the state at this moment; the copy needs no Context. */
  QueryObject& operator=(const QueryObject& other);
  /** Copies, as the copy constructor does. */
  QueryObject(QueryObject&& other) : QueryObject(other) {}
  /** Copies, as the copy assignment does. */
  QueryObject& operator=(QueryObject&& other) { return *this = other; }

  /** The inspector of the geometry at this state, valid as long as this
  object. */
  const SceneGraphInspector<T>& inspector() const;

  /** @name Poses
  @{ */
  /** Returns the pose X_WF of a frame in the world. */
  const math::RigidTransform<T>& GetPoseInWorld(FrameId frame_id) const;
  /** X_PF, in the frame it was registered with. */
  const math::RigidTransform<T>& GetPoseInParent(FrameId frame_id) const;
  /** X_WG. @throws std::logic_error if the geometry deforms. */
  const math::RigidTransform<T>& GetPoseInWorld(GeometryId geometry_id) const;
  /** @} */

  /** @name Collisions
  @{ */
  /** One point pair for every overlapping pair of geometries. */
  std::vector<PenetrationAsPointPair<T>> ComputePointPairPenetration() const;
  /** All contact points of every overlapping pair of geometries, in a row for
  each pair: a box that rests on a plane has four. See ProximityEngine. */
  std::vector<PenetrationAsPointPair<T>> ComputeContactManifolds() const;
  /** Overload that writes into `points`, which allocates nothing once it is
  large enough. With a `reach`, [m], the result includes the points of pairs
  less than that apart, where they would touch: their depth is negative. */
  void ComputeContactManifolds(std::vector<PenetrationAsPointPair<T>>* points,
                               double reach = 0) const;
  /** Pairs whose bounding boxes overlap: those that collide, and others. */
  std::vector<SortedPair<GeometryId>> FindCollisionCandidates() const;
  /** True if some pair of geometries overlaps. */
  bool HasCollisions() const;
  /** @} */

  /** @name Hydroelastic contact
  The surfaces on which geometries press whose compliance types say how: see
  AddCompliantHydroelasticProperties(). A compliant geometry has a surface with
  any other that has a type, a rigid one with those that are compliant; two half
  spaces have none. A geometry whose type needs a property that it lacks, and a
  pair of half spaces, throw std::logic_error naming the geometries.
  @{ */
  /** Returns the contact surfaces of all pairs that overlap.
  @throws std::logic_error naming a pair that overlaps and can have no
  surface, and what would help. */
  std::vector<ContactSurface<T>> ComputeContactSurfaces(
      HydroelasticContactRepresentation representation) const;
  /** Adds the surfaces to `surfaces`, and to `point_pairs` what
  ComputePointPairPenetration() has for pairs that can have no surface.
  @throws std::logic_error also if an argument is null. */
  void ComputeContactSurfacesWithFallback(
      HydroelasticContactRepresentation representation,
      std::vector<ContactSurface<T>>* surfaces,
      std::vector<PenetrationAsPointPair<T>>* point_pairs) const;
  /** Replaces the content of both, and allocates nothing once they are large
  enough. Without `points` a pair that can have no surface is an error, as in
  ComputeContactSurfaces(); else they have its contact points, as in
  ComputeContactManifolds(). With a `reach`, [m], flat faces that touch each
  other are a surface, whose pressure is zero. */
  void ComputeContactSurfacesAndManifolds(
      HydroelasticContactRepresentation representation,
      ContactSurfaceList<T>* surfaces,
      std::vector<PenetrationAsPointPair<T>>* points, double reach = 0) const;
  /** @} */

  /** @name Geometries that deform
  Functions given an id throw std::logic_error if it is of a rigid geometry.
  @{ */
  /** Positions in the world, m, of the vertices of the reference mesh: x, y, z
  of one after the other. */
  const VectorX<T>& GetConfigurationsInWorld(
      GeometryId deformable_geometry_id) const;
  /** Returns the vertex positions of each mesh that shows the geometry in a
  role: one mesh, its surface, with the vertices in the reference mesh's order.
  @throws std::logic_error also if it does not have the role. */
  std::vector<VectorX<T>> GetDrivenMeshConfigurationsInWorld(
      GeometryId deformable_geometry_id, Role role) const;
  /** The surface in the world: triangles, outward, and where their vertices
  are, without derivatives. */
  TriangleSurfaceMesh<double> ComputeDeformableSurfaceInWorld(
      GeometryId deformable_geometry_id) const;
  /** Replaces the content: the surfaces, none of them empty, on which
  geometries that deform touch rigid ones and each other, sorted by (A, B). A
  pair has none if the collision filter excludes it. The surface with a rigid B
  is what the tetrahedra of A hold of B's surface, with A's signed distance; of
  two that deform, where their signed distances are equal. Once `surfaces` has
  grown, it allocates nothing. Only with double; else throws std::logic_error.
  @throws std::logic_error if it is null, and naming a rigid geometry whose
  surface cannot be made. */
  void ComputeDeformableContact(
      std::vector<internal::DeformableContactSurface>* surfaces) const;
  /** @} */

  /** @name Distances
  @{ */
  /** Every pair at most `max_distance` apart.
  @throws std::logic_error if it is negative. */
  std::vector<SignedDistancePair<T>> ComputeSignedDistancePairwiseClosestPoints(
      double max_distance = std::numeric_limits<double>::infinity()) const;
  /** The result is for (A, B) in the order given, filtered or not.
  @throws std::logic_error if one does not have the proximity role, or both are
  half spaces. */
  SignedDistancePair<T> ComputeSignedDistancePairClosestPoints(
      GeometryId geometry_id_A, GeometryId geometry_id_B) const;
  /** Returns the signed distance of every geometry at most `threshold` from the
  point Q.
  @throws std::logic_error if it is negative or the point is not finite. */
  std::vector<SignedDistanceToPoint<T>> ComputeSignedDistanceToPoint(
      const Vector3<T>& p_WQ,
      double threshold = std::numeric_limits<double>::infinity()) const;
  /** @} */

 private:
  friend class SceneGraph<T>;

  struct PoseSnapshot {
    GeometryModel model;
    internal::GeometryPoses<T> poses;
  };

  void set(const systems::ContextBase* context,
           const SceneGraph<T>* scene_graph);
  const systems::Context<T>& context() const {
    return static_cast<const systems::Context<T>&>(*context_);
  }
  const GeometryModel& model() const;
  const internal::GeometryPoses<T>& poses() const;
  void RequireScene() const;
  // Name of a geometry in messages.
  std::string Describe(GeometryId id) const;
  const GeometryModel::Geometry& Deformable(const char* function,
                                            GeometryId id) const;
  void CalcSurfaces(HydroelasticContactRepresentation representation,
                    internal::SurfaceFallback fallback,
                    ContactSurfaceList<T>* surfaces,
                    std::vector<PenetrationAsPointPair<T>>* points,
                    double reach = 0) const;

  // Live: both set. PoseSnapshot: neither, but a copy of the state.
  const systems::ContextBase* context_{};
  const SceneGraph<T>* scene_graph_{};
  std::shared_ptr<const PoseSnapshot> snapshot_;
  mutable SceneGraphInspector<T> inspector_;
};

}  // namespace wyvern::geometry
