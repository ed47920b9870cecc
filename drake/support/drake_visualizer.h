#pragma once

#include <utility>

#include "wyvern/drake/drake_visualizer_params.h"
#include "wyvern/drake/no_viewer.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::geometry {

/** Shows nothing, as there is no LCM; it says so on the log. Its network
argument, of any type, is not used: there is no LCM. */
template <typename T>
class DrakeVisualizer final : public drake_support::VisualizerWithoutViewer<T> {
 public:
  explicit DrakeVisualizer(std::nullptr_t = nullptr,
                           DrakeVisualizerParams params = {})
      : drake_support::VisualizerWithoutViewer<T>(
            systems::SystemTypeTag<DrakeVisualizer>{}),
        params_(std::move(params)) {}
  template <typename U>
  explicit DrakeVisualizer(const DrakeVisualizer<U>& other)
      : DrakeVisualizer(nullptr, other.params()) {}

  /** Adds one to a diagram, connected to the SceneGraph. */
  static const DrakeVisualizer<T>& AddToBuilder(
      systems::DiagramBuilder<T>* builder, const SceneGraph<T>& scene_graph,
      std::nullptr_t lcm = nullptr, DrakeVisualizerParams params = {}) {
    return AddToBuilder(builder, scene_graph.get_query_output_port(), lcm,
                        std::move(params));
  }
  static const DrakeVisualizer<T>& AddToBuilder(
      systems::DiagramBuilder<T>* builder,
      const systems::OutputPort<T>& query_object_port,
      std::nullptr_t lcm = nullptr, DrakeVisualizerParams params = {}) {
    auto* const visualizer =
        builder->template AddSystem<DrakeVisualizer<T>>(lcm, std::move(params));
    builder->Connect(query_object_port, visualizer->query_object_input_port());
    return *visualizer;
  }

  const DrakeVisualizerParams& params() const { return params_; }

 private:
  DrakeVisualizerParams params_;
};

}  // namespace wyvern::geometry
