#include "wyvern/geometry/scene_graph/query_object.h"

#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A QueryObject that a port gives looks into a Context, and is valid as long as
that is. A copy of it keeps the model and the poses of that moment instead.
Either way the queries get the same two: model() has shapes, roles and
filters, poses() where they are, with scratch that later queries use again. */

namespace wyvern::geometry {

template <typename T>
QueryObject<T>::QueryObject() = default;

template <typename T>
QueryObject<T>::QueryObject(const QueryObject& other) {
  *this = other;
}

template <typename T>
QueryObject<T>& QueryObject<T>::operator=(const QueryObject& other) {
  if (this == &other) return *this;
  std::shared_ptr<const PoseSnapshot> snapshot = other.snapshot_;
  if (other.context_ != nullptr) {
    snapshot = std::make_shared<const PoseSnapshot>(
        PoseSnapshot{other.model(), other.poses()});
  }
  set(nullptr, nullptr);
  snapshot_ = std::move(snapshot);
  return *this;
}

template <typename T>
void QueryObject<T>::set(const systems::ContextBase* context,
                         const SceneGraph<T>* scene_graph) {
  context_ = context;
  scene_graph_ = scene_graph;
  snapshot_.reset();
}

template <typename T>
void QueryObject<T>::RequireScene() const {
  if (context_ == nullptr && snapshot_ == nullptr) {
    throw std::logic_error(
        "QueryObject: this one was not made by a SceneGraph; evaluate "
        "SceneGraph::get_query_output_port().");
  }
}

template <typename T>
const GeometryModel& QueryObject<T>::model() const {
  RequireScene();
  return snapshot_ ? snapshot_->model : scene_graph_->model_of(context());
}

template <typename T>
const internal::GeometryPoses<T>& QueryObject<T>::poses() const {
  RequireScene();
  return snapshot_ ? snapshot_->poses : scene_graph_->EvalPoses(context());
}

template <typename T>
const SceneGraphInspector<T>& QueryObject<T>::inspector() const {
  inspector_.set(&model());
  return inspector_;
}

template <typename T>
const math::RigidTransform<T>& QueryObject<T>::GetPoseInWorld(
    FrameId frame_id) const {
  return poses().X_WF[model().frame(frame_id).index];
}

template <typename T>
const math::RigidTransform<T>& QueryObject<T>::GetPoseInParent(
    FrameId frame_id) const {
  return poses().X_PF[model().frame(frame_id).index];
}

template <typename T>
const math::RigidTransform<T>& QueryObject<T>::GetPoseInWorld(
    GeometryId geometry_id) const {
  const auto& geometry = model().geometry(geometry_id);
  if (geometry.deformable != nullptr) {
    throw std::logic_error(
        fmt::format("QueryObject::GetPoseInWorld(): geometry '{}' (id {}) "
                    "deforms, which no "
                    "pose can say; use GetConfigurationsInWorld().",
                    geometry.name, geometry_id));
  }
  return poses().X_WG[geometry.index];
}

template <typename T>
const GeometryModel::Geometry& QueryObject<T>::Deformable(const char* function,
                                                          GeometryId id) const {
  const auto& geometry = model().geometry(id);
  if (geometry.deformable == nullptr) {
    throw std::logic_error(
        fmt::format("QueryObject::{}(): geometry '{}' (id {}) is rigid; use "
                    "GetPoseInWorld().",
                    function, geometry.name, id));
  }
  return geometry;
}

template <typename T>
const VectorX<T>& QueryObject<T>::GetConfigurationsInWorld(
    GeometryId deformable_geometry_id) const {
  const auto& geometry =
      Deformable("GetConfigurationsInWorld", deformable_geometry_id);
  return poses().q_WGs[geometry.deformable_index];
}

template <typename T>
std::vector<VectorX<T>> QueryObject<T>::GetDrivenMeshConfigurationsInWorld(
    GeometryId deformable_geometry_id, Role role) const {
  const auto& geometry =
      Deformable("GetDrivenMeshConfigurationsInWorld", deformable_geometry_id);
  if (!model().HasRole(geometry, role)) {
    throw std::logic_error(fmt::format(
        "QueryObject::GetDrivenMeshConfigurationsInWorld(): geometry '{}' (id "
        "{}) does not have the role '{}'; assign it first.",
        geometry.name, deformable_geometry_id, to_string(role)));
  }
  const VectorX<T>& q = poses().q_WGs[geometry.deformable_index];
  const std::vector<int>& vertices = geometry.deformable->surface_vertices;
  VectorX<T> result(3 * vertices.size());
  for (size_t i = 0; i < vertices.size(); ++i) {
    result.template segment<3>(3 * i) = q.template segment<3>(3 * vertices[i]);
  }
  return {result};
}

template <typename T>
TriangleSurfaceMesh<double> QueryObject<T>::ComputeDeformableSurfaceInWorld(
    GeometryId deformable_geometry_id) const {
  const auto& geometry =
      Deformable("ComputeDeformableSurfaceInWorld", deformable_geometry_id);
  const VectorX<T>& q = poses().q_WGs[geometry.deformable_index];
  std::vector<Vector3<double>> vertices;
  for (const int v : geometry.deformable->surface_vertices) {
    vertices.push_back(ToDouble(Vector3<T>(q.template segment<3>(3 * v))));
  }
  return {geometry.deformable->surface_G.triangles(), std::move(vertices)};
}

template <typename T>
std::string QueryObject<T>::Describe(GeometryId id) const {
  const auto& geometry = model().geometry(id);
  return fmt::format("geometry '{}' ({}, id {}) of frame '{}'", geometry.name,
                     geometry.shape->to_string(), id,
                     model().frame(geometry.frame).name);
}

template <typename T>
void QueryObject<T>::ComputeDeformableContact(
    std::vector<internal::DeformableContactSurface>* surfaces) const {
  constexpr const char* kFunction = "ComputeDeformableContact";
  if constexpr (std::is_same_v<T, double>) {
    wyvern::internal::RequireNotNull(
        wyvern::internal::Caller("QueryObject", kFunction), "surfaces",
        surfaces, "pass a vector");
    const auto& p = poses();
    const GeometryModel& m = model();
    internal::CalcDeformableContact(
        m.engine(), m.deformable_contact(), p.proximity_X_WG, p.q_WGs,
        [this](GeometryId id) { return Describe(id); }, &p.deformable_scratch,
        surfaces);
  } else {
    throw std::logic_error(fmt::format(
        "QueryObject::{}(): contact of geometry that deforms is for a "
        "SceneGraph of double.",
        kFunction));
  }
}

template <typename T>
std::vector<PenetrationAsPointPair<T>>
QueryObject<T>::ComputePointPairPenetration() const {
  std::vector<PenetrationAsPointPair<T>> result;
  const auto& p = poses();
  model().engine().CalcPenetrations(p.proximity_X_WG, &p.scratch, &result);
  return result;
}

template <typename T>
void QueryObject<T>::ComputeContactManifolds(
    std::vector<PenetrationAsPointPair<T>>* points, double reach) const {
  const auto& p = poses();
  model().engine().CalcContactManifolds(p.proximity_X_WG, &p.scratch, points,
                                        reach);
}

template <typename T>
std::vector<PenetrationAsPointPair<T>> QueryObject<T>::ComputeContactManifolds()
    const {
  std::vector<PenetrationAsPointPair<T>> result;
  ComputeContactManifolds(&result);
  return result;
}

template <typename T>
std::vector<SortedPair<GeometryId>> QueryObject<T>::FindCollisionCandidates()
    const {
  std::vector<SortedPair<GeometryId>> result;
  const auto& p = poses();
  model().engine().FindCollisionCandidates(p.proximity_X_WG, &p.scratch,
                                           &result);
  return result;
}

template <typename T>
bool QueryObject<T>::HasCollisions() const {
  const auto& p = poses();
  return model().engine().HasCollisions(p.proximity_X_WG, &p.scratch);
}

template <typename T>
void QueryObject<T>::CalcSurfaces(
    HydroelasticContactRepresentation representation,
    internal::SurfaceFallback fallback, ContactSurfaceList<T>* surfaces,
    std::vector<PenetrationAsPointPair<T>>* points, double reach) const {
  const auto& p = poses();
  const GeometryModel& m = model();
  internal::CalcContactSurfaces<T>(
      m.engine(), m.hydroelastic(), p.proximity_X_WG, representation, fallback,
      [this](GeometryId id) { return Describe(id); }, &p.scratch,
      &p.pair_scratch, surfaces, points, reach);
}

template <typename T>
std::vector<ContactSurface<T>> QueryObject<T>::ComputeContactSurfaces(
    HydroelasticContactRepresentation representation) const {
  ContactSurfaceList<T> list;
  CalcSurfaces(representation, internal::SurfaceFallback::kNone, &list,
               nullptr);
  std::vector<ContactSurface<T>> result;
  list.MoveTo(&result);
  return result;
}

template <typename T>
void QueryObject<T>::ComputeContactSurfacesWithFallback(
    HydroelasticContactRepresentation representation,
    std::vector<ContactSurface<T>>* surfaces,
    std::vector<PenetrationAsPointPair<T>>* point_pairs) const {
  constexpr const char* kFunction =
      "QueryObject::ComputeContactSurfacesWithFallback";
  wyvern::internal::RequireNotNull(kFunction, "surfaces", surfaces,
                                   "pass a vector");
  wyvern::internal::RequireNotNull(kFunction, "point_pairs", point_pairs,
                                   "pass a vector");
  ContactSurfaceList<T> list;
  CalcSurfaces(representation, internal::SurfaceFallback::kOnePoint, &list,
               point_pairs);
  list.MoveTo(surfaces);
}

template <typename T>
void QueryObject<T>::ComputeContactSurfacesAndManifolds(
    HydroelasticContactRepresentation representation,
    ContactSurfaceList<T>* surfaces,
    std::vector<PenetrationAsPointPair<T>>* points, double reach) const {
  if (points != nullptr) points->clear();
  CalcSurfaces(representation,
               points == nullptr ? internal::SurfaceFallback::kNone
                                 : internal::SurfaceFallback::kManifold,
               surfaces, points, reach);
}

template <typename T>
std::vector<SignedDistancePair<T>>
QueryObject<T>::ComputeSignedDistancePairwiseClosestPoints(
    double max_distance) const {
  std::vector<SignedDistancePair<T>> result;
  const auto& p = poses();
  model().engine().CalcSignedDistances(p.proximity_X_WG, max_distance,
                                       &p.scratch, &result);
  return result;
}

template <typename T>
SignedDistancePair<T> QueryObject<T>::ComputeSignedDistancePairClosestPoints(
    GeometryId geometry_id_A, GeometryId geometry_id_B) const {
  const auto& p = poses();
  const auto index = [this](GeometryId id) {
    const auto& geometry = model().geometry(id);
    if (geometry.deformable != nullptr) {
      throw std::logic_error(fmt::format(
          "QueryObject::ComputeSignedDistancePairClosestPoints(): geometry "
          "'{}' (id {}) deforms; distances are of rigid geometries.",
          geometry.name, id));
    }
    if (!geometry.proximity) {
      throw std::logic_error(fmt::format(
          "QueryObject::ComputeSignedDistancePairClosestPoints(): geometry "
          "'{}' (id {}) does not have the proximity role; assign it first.",
          geometry.name, id));
    }
    return model().engine().FindIndex(id);
  };
  return model().engine().CalcSignedDistance(
      p.proximity_X_WG, index(geometry_id_A), index(geometry_id_B));
}

template <typename T>
std::vector<SignedDistanceToPoint<T>>
QueryObject<T>::ComputeSignedDistanceToPoint(const Vector3<T>& p_WQ,
                                             double threshold) const {
  std::vector<SignedDistanceToPoint<T>> result;
  model().engine().CalcSignedDistancesToPoint(poses().proximity_X_WG, p_WQ,
                                              threshold, &result);
  return result;
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class QueryObject);

}  // namespace wyvern::geometry
