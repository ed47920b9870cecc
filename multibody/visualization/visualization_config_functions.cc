#include "wyvern/multibody/visualization/visualization_config_functions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/viewer/viewer_visualizer.h"
#include "wyvern/multibody/visualization/contact_visualizer.h"
#include "wyvern/multibody/visualization/frame_visualizer.h"
#include "wyvern/multibody/visualization/inertia_visualizer.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/warning.h"

namespace wyvern::visualization {

using geometry::SceneGraph;
using geometry::Viewer;
using multibody::MultibodyPlant;

namespace {

// The system of that name, if it is of that type.
template <typename S>
const S* FindSystem(const systems::DiagramBuilder<double>& builder,
                    const std::string& name) {
  if (!builder.HasSubsystemNamed(name)) return nullptr;
  return dynamic_cast<const S*>(&builder.GetSubsystemByName(name));
}

void AddGeometries(const VisualizationConfig& config, geometry::Role role,
                   const SceneGraph<double>& scene_graph,
                   const std::shared_ptr<Viewer>& viewer,
                   systems::DiagramBuilder<double>* builder) {
  const bool looks = role == geometry::Role::kIllustration;
  geometry::ViewerVisualizerParams params;
  params.publish_period = config.publish_period;
  params.role = role;
  params.default_color = looks ? config.default_illustration_color
                               : config.default_proximity_color;
  params.prefix = looks ? "illustration" : "proximity";
  params.delete_on_initialization_event = config.delete_on_initialization_event;
  params.enable_alpha_slider = config.enable_alpha_sliders;
  if (!looks) {
    params.visible_by_default = false;
    params.show_hydroelastic = true;
    params.default_color.update({}, {}, {}, config.initial_proximity_alpha);
  }
  geometry::ViewerVisualizer<double>::AddToBuilder(builder, scene_graph, viewer,
                                                   params);
}

}  // namespace

void AddDefaultVisualization(systems::DiagramBuilder<double>* builder,
                             std::shared_ptr<Viewer> viewer) {
  ApplyVisualizationConfig({}, builder, nullptr, nullptr, nullptr,
                           std::move(viewer));
}

void ApplyVisualizationConfig(const VisualizationConfig& config,
                              systems::DiagramBuilder<double>* builder,
                              std::nullptr_t,
                              const MultibodyPlant<double>* plant,
                              const SceneGraph<double>* scene_graph,
                              std::shared_ptr<Viewer> viewer, std::nullptr_t) {
  constexpr const char* kFunction = "ApplyVisualizationConfig";
  wyvern::internal::RequireNotNull(kFunction, "the builder", builder);
  wyvern::internal::RequirePositive(kFunction, "publish_period",
                                    config.publish_period);
  wyvern::internal::RequireInRange(kFunction, "initial_proximity_alpha",
                                   config.initial_proximity_alpha, 0, 1);
  if (plant == nullptr) {
    plant = FindSystem<MultibodyPlant<double>>(*builder, "plant");
  }
  if (scene_graph == nullptr) {
    scene_graph = FindSystem<SceneGraph<double>>(*builder, "scene_graph");
  }
  wyvern::internal::RequireNotNull(
      kFunction, "the SceneGraph", scene_graph,
      "pass it, or name it 'scene_graph' in the builder");
  if (plant != nullptr && !plant->is_finalized()) {
    throw std::logic_error(
        "ApplyVisualizationConfig(): the plant is not finalized; call "
        "Finalize() first.");
  }
  if (viewer == nullptr) {
    if (!config.enable_meshcat_creation) return;
    if (!Viewer::IsAvailable()) {
      WarnOnStderr(
          "ApplyVisualizationConfig(): nothing will be shown, since this "
          "library was built without the viewer's page; "
          "third_party/install_packages gets what it needs.");
      return;
    }
    viewer = std::make_shared<Viewer>();
    fmt::print(stderr, "Open {} to see the simulation.\n", viewer->web_url());
  }
  if (config.publish_illustration) {
    AddGeometries(config, geometry::Role::kIllustration, *scene_graph, viewer,
                  builder);
  }
  if (config.publish_proximity) {
    AddGeometries(config, geometry::Role::kProximity, *scene_graph, viewer,
                  builder);
  }
  if (plant == nullptr) return;
  if (config.publish_contacts && plant->geometry_source_is_registered()) {
    multibody::ContactVisualizerParams params;
    params.publish_period = config.publish_period;
    params.delete_on_initialization_event =
        config.delete_on_initialization_event;
    // A body as heavy as all together has an arrow of a metre.
    double weight = 0;
    for (multibody::BodyIndex i(1); i < plant->num_bodies(); ++i) {
      const double mass = plant->get_body(i).default_mass();
      if (std::isfinite(mass)) weight += 9.81 * mass;
    }
    params.newtons_per_meter = std::max(10.0, weight);
    multibody::ContactVisualizer<double>::AddToBuilder(builder, *plant, viewer,
                                                       params);
  }
  if (config.publish_inertia) {
    multibody::InertiaVisualizer::AddToBuilder(
        builder, *plant, viewer, {.publish_period = config.publish_period});
  }
  if (config.publish_frames) {
    multibody::FrameVisualizer::AddToBuilder(
        builder, *plant, viewer, {.publish_period = config.publish_period});
  }
}

}  // namespace wyvern::visualization
