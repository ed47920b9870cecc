#pragma once

#include <cstddef>
#include <memory>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/visualization/visualization_config.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::visualization {

/** Shows a diagram's scene in a browser, with all that a VisualizationConfig
has by default:
@code
DiagramBuilder<double> builder;
auto [body, shapes] = AddMultibodyPlantSceneGraph(&builder, 0.001);
body.Finalize();
AddDefaultVisualization(&builder);
@endcode
Without a `viewer` it makes one, and prints the address of its page; that Viewer
lives as long as the diagram. If the library was built without the viewer it
adds nothing, and warns.
@throws std::logic_error as ApplyVisualizationConfig(). */
void AddDefaultVisualization(systems::DiagramBuilder<double>* builder,
                             std::shared_ptr<geometry::Viewer> viewer = {});

/** Adds the visualizers that `config` selects. The plant and the SceneGraph are
the given ones, or those of the builder named "plant" and "scene_graph";
contacts and inertias are left out if there is no plant. The null arguments
stand for LCM.
@throws std::logic_error if `builder` is null, there is no SceneGraph, or the
plant is not finalized. */
void ApplyVisualizationConfig(
    const VisualizationConfig& config, systems::DiagramBuilder<double>* builder,
    std::nullptr_t lcm_buses = nullptr,
    const multibody::MultibodyPlant<double>* plant = nullptr,
    const geometry::SceneGraph<double>* scene_graph = nullptr,
    std::shared_ptr<geometry::Viewer> viewer = {},
    std::nullptr_t lcm = nullptr);

}  // namespace wyvern::visualization
