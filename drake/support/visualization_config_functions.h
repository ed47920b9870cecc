#pragma once

#include <memory>

#include "wyvern/drake/meshcat.h"
#include "wyvern/drake/no_viewer.h"
#include "wyvern/drake/visualization_config.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::visualization {

/** Adds nothing, as there is no viewer yet; it says so on the log. */
inline void AddDefaultVisualization(systems::DiagramBuilder<double>*,
                                    std::shared_ptr<geometry::Meshcat> = {}) {
  drake_support::SayThereIsNoViewer();
}

/** The same. The arguments that are null stand for LCM, which there is not. */
inline void ApplyVisualizationConfig(
    const VisualizationConfig&, systems::DiagramBuilder<double>*,
    std::nullptr_t /* lcm_buses */ = nullptr,
    const multibody::MultibodyPlant<double>* = nullptr,
    const geometry::SceneGraph<double>* = nullptr,
    std::shared_ptr<geometry::Meshcat> = {},
    std::nullptr_t /* lcm */ = nullptr) {
  drake_support::SayThereIsNoViewer();
}

}  // namespace wyvern::visualization
