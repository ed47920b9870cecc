#pragma once

#include <memory>
#include <utility>

#include "wyvern/drake/meshcat.h"
#include "wyvern/drake/meshcat_visualizer_params.h"
#include "wyvern/drake/no_viewer.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::geometry {

/** Shows nothing, as there is no viewer yet; it says so on the log. */
template <typename T>
class MeshcatVisualizer final
    : public drake_support::VisualizerWithoutViewer<T> {
 public:
  explicit MeshcatVisualizer(std::shared_ptr<Meshcat> meshcat,
                             MeshcatVisualizerParams params = {})
      : drake_support::VisualizerWithoutViewer<T>(
            systems::SystemTypeTag<MeshcatVisualizer>{}),
        meshcat_(std::move(meshcat)),
        params_(std::move(params)) {}
  template <typename U>
  explicit MeshcatVisualizer(const MeshcatVisualizer<U>& other)
      : MeshcatVisualizer(other.meshcat(), other.params()) {}

  /** Adds one to a diagram, connected to the SceneGraph. */
  static MeshcatVisualizer<T>& AddToBuilder(
      systems::DiagramBuilder<T>* builder, const SceneGraph<T>& scene_graph,
      std::shared_ptr<Meshcat> meshcat, MeshcatVisualizerParams params = {}) {
    return AddToBuilder(builder, scene_graph.get_query_output_port(),
                        std::move(meshcat), std::move(params));
  }
  static MeshcatVisualizer<T>& AddToBuilder(
      systems::DiagramBuilder<T>* builder,
      const systems::OutputPort<T>& query_object_port,
      std::shared_ptr<Meshcat> meshcat, MeshcatVisualizerParams params = {}) {
    auto* const visualizer = builder->template AddSystem<MeshcatVisualizer<T>>(
        std::move(meshcat), std::move(params));
    builder->Connect(query_object_port, visualizer->query_object_input_port());
    return *visualizer;
  }

  void Delete() const {}
  void StartRecording(bool = true) {}
  void StopRecording() {}
  void PublishRecording() const {}
  void DeleteRecording() {}

  std::shared_ptr<Meshcat> meshcat() const { return meshcat_; }
  const MeshcatVisualizerParams& params() const { return params_; }

 private:
  std::shared_ptr<Meshcat> meshcat_;
  MeshcatVisualizerParams params_;
};

using MeshcatVisualizerd = MeshcatVisualizer<double>;

}  // namespace wyvern::geometry
