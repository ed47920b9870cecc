#pragma once

/** @file
Scenes with geometry that deforms, for the tests of this folder. */

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/proximity_properties.h"

namespace wyvern::test {

/** A SceneGraph whose one source has geometries that deform, rigid ones fixed
to the world, and a frame that moves. */
class DeformableScene {
 public:
  DeformableScene() {
    source = graph.RegisterSource("soft");
    frame = graph.RegisterFrame(source, geometry::GeometryFrame("body"));
  }

  static std::unique_ptr<geometry::GeometryInstance> MakeInstance(
      const geometry::Shape& shape, const std::string& name,
      const math::RigidTransform<double>& X = {},
      const geometry::ProximityProperties& properties = {}) {
    auto result = std::make_unique<geometry::GeometryInstance>(X, shape, name);
    result->set_proximity_properties(properties);
    return result;
  }
  geometry::GeometryId AddDeformable(
      const geometry::Shape& shape, const std::string& name, double hint,
      const math::RigidTransform<double>& X = {}) {
    return graph.RegisterDeformableGeometry(source, graph.world_frame_id(),
                                            MakeInstance(shape, name, X), hint);
  }
  geometry::GeometryId Anchor(
      const geometry::Shape& shape, const std::string& name,
      const math::RigidTransform<double>& X = {},
      const geometry::ProximityProperties& properties = {}) {
    return graph.RegisterAnchoredGeometry(
        source, MakeInstance(shape, name, X, properties));
  }
  /** Where a geometry's vertices are at its pose, each moved by `move`. */
  VectorX<double> CalcConfiguration(
      geometry::GeometryId id,
      const std::function<Vector3<double>(const Vector3<double>&)>& move =
          [](const Vector3<double>& p) { return p; }) const {
    const auto& inspector = graph.model_inspector();
    const geometry::VolumeMesh<double>& mesh = *inspector.GetReferenceMesh(id);
    VectorX<double> q(3 * mesh.num_vertices());
    for (int v = 0; v < mesh.num_vertices(); ++v) {
      q.segment<3>(3 * v) =
          inspector.GetPoseInFrame(id) * Vector3<double>(move(mesh.vertex(v)));
    }
    return q;
  }
  /** Makes a Context with these configurations; those left out are at their
  poses. */
  void MakeContext(
      const std::vector<std::pair<geometry::GeometryId, VectorX<double>>>&
          given = {}) {
    context = graph.CreateDefaultContext();
    geometry::GeometryConfigurationVector<double> all;
    for (const geometry::GeometryId id :
         graph.model_inspector().GetAllDeformableGeometryIds()) {
      all.set_value(id, CalcConfiguration(id));
    }
    for (const auto& [id, q] : given) all.set_value(id, q);
    configurations = &graph.get_source_configuration_port(source).FixValue(
        context.get(), all);
    PoseFrame({});
  }
  void PoseFrame(const math::RigidTransform<double>& X_WF) {
    graph.get_source_pose_port(source).FixValue(
        context.get(), geometry::FramePoseVector<double>{{frame, X_WF}});
  }
  const geometry::QueryObject<double>& query() const {
    return graph.get_query_output_port().Eval<geometry::QueryObject<double>>(
        *context);
  }
  std::vector<geometry::internal::DeformableContactSurface> Touch() const {
    std::vector<geometry::internal::DeformableContactSurface> surfaces;
    query().ComputeDeformableContact(&surfaces);
    return surfaces;
  }

  geometry::SceneGraph<double> graph;
  geometry::SourceId source;
  geometry::FrameId frame;
  std::unique_ptr<systems::Context<double>> context;
  systems::FixedInputPortValue* configurations{};
};

}  // namespace wyvern::test
