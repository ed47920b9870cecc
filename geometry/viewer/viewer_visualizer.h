#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_visualizer_params.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::geometry {

/** Shows the geometries of a SceneGraph in a Viewer, as they move.

Input port: `query_object`.

It publishes when a simulation starts, once in a period after that, and
whenever it is asked to. A frame "arm::hand" is at "<prefix>/arm/hand", its
geometries below it, each by its name. Geometries that come, go, or change are
followed. A mesh that cannot be read is left out, with a warning. Of a geometry
that deforms the surface is sent at each publish.

What it sent is no part of the Context: two simulations of one diagram at once
are two mixed up in one page. */
template <typename T>
class ViewerVisualizer final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ViewerVisualizer);

  /** Makes a System that shows a scene in `viewer`.
  @throws std::logic_error if `viewer` is null, the period is not positive,
  the opacity is not in [0, 1], or the role is kUnassigned. */
  explicit ViewerVisualizer(std::shared_ptr<Viewer> viewer,
                            ViewerVisualizerParams params = {});
  /** Converts the scalar; both show in one Viewer. */
  template <typename U>
  explicit ViewerVisualizer(const ViewerVisualizer<U>& other)
      : ViewerVisualizer(other.viewer_, other.params_) {}

  /** Adds one to a diagram, connected to the SceneGraph. */
  static ViewerVisualizer<T>& AddToBuilder(systems::DiagramBuilder<T>* builder,
                                           const SceneGraph<T>& scene_graph,
                                           std::shared_ptr<Viewer> viewer,
                                           ViewerVisualizerParams params = {});
  /** Overload for an output port of a QueryObject. */
  static ViewerVisualizer<T>& AddToBuilder(
      systems::DiagramBuilder<T>* builder,
      const systems::OutputPort<T>& query_object_port,
      std::shared_ptr<Viewer> viewer, ViewerVisualizerParams params = {});

  /** The port `query_object`. */
  const systems::InputPort<T>& query_object_input_port() const {
    return this->get_input_port(query_object_port_);
  }

  /** Takes everything at the prefix away. */
  void Delete() const;
  /** The Viewer's, at the rate of publishing; what is published from now on has
  its time. Returns the Viewer's recording functions' effects. */
  void StartRecording(bool set_transforms_while_recording = true);
  /** Does Viewer::StopRecording(). */
  void StopRecording();
  /** Does Viewer::PublishRecording(). */
  void PublishRecording() const;
  /** Does Viewer::DeleteRecording(). */
  void DeleteRecording();
  /** The pace that the page shows is counted from now on. */
  void ResetRealtimeRateCalculator() const;

 private:
  template <typename U>
  friend class ViewerVisualizer;

  systems::EventStatus OnInitialization(const systems::Context<T>&) const;
  systems::EventStatus Show(const systems::Context<T>& context) const;
  void SetObjects(const SceneGraphInspector<T>& inspector) const;
  void SetSurfaces(const QueryObject<T>& query) const;
  Rgba ColorOf(GeometryId id, const SceneGraphInspector<T>& inspector) const;
  void SetObject(const std::string& path, GeometryId id,
                 const SceneGraphInspector<T>& inspector) const;
  bool IsAccepted(const GeometryProperties& properties) const;
  void ShowPace(double time) const;

  const std::shared_ptr<Viewer> viewer_;
  const ViewerVisualizerParams params_;
  const std::string alpha_slider_;
  systems::InputPortIndex query_object_port_;

  // Version of the geometry that the Viewer holds.
  mutable std::optional<GeometryVersion> shown_;
  mutable std::map<FrameId, std::string> path_of_frame_;
  // Paths of the deformable geometries.
  mutable std::map<GeometryId, std::string> path_of_surface_;
  mutable double alpha_{-1};
  mutable std::optional<
      std::pair<double, std::chrono::steady_clock::time_point>>
      pace_start_;
};

}  // namespace wyvern::geometry
