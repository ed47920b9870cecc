#include "wyvern/multibody/visualization/inertia_visualizer.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody {

using systems::Context;
using systems::EventStatus;

namespace {

constexpr double kDensity = 1000;  // [kg/m³]

}  // namespace

InertiaVisualizer::InertiaVisualizer(const MultibodyPlant<double>& plant,
                                     std::shared_ptr<geometry::Viewer> viewer,
                                     InertiaVisualizerParams params)
    : BodyFollower("InertiaVisualizer", plant, std::move(viewer),
                   params.publish_period, params.prefix,
                   params.visible_by_default),
      color_(params.color) {
  set_name(fmt::format("inertia_visualizer({})", params.prefix));
  for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
    const RigidBody<double>& body = plant.get_body(i);
    const SpatialInertia<double>& M = body.default_spatial_inertia();
    if (!(M.get_mass() > 0) || !M.IsPhysicallyValid()) continue;
    const auto [shape, X_BE] =
        M.CalcPrincipalSemiDiametersAndPoseForSolidEllipsoid();
    if (!shape.allFinite() || !(shape.maxCoeff() > 0)) continue;
    // The volume that its mass has; a flat one is as thin as can be seen.
    const Eigen::Vector3d axes = shape.cwiseMax(1e-3 * shape.maxCoeff());
    const double volume = 4.0 / 3.0 * std::numbers::pi * axes.prod();
    const double scale = std::cbrt(M.get_mass() / kDensity / volume);
    bodies_.push_back({Follow(body) + "/ellipsoid", X_BE, scale * axes});
  }
}

InertiaVisualizer& InertiaVisualizer::AddToBuilder(
    systems::DiagramBuilder<double>* builder,
    const MultibodyPlant<double>& plant,
    std::shared_ptr<geometry::Viewer> viewer, InertiaVisualizerParams params) {
  wyvern::internal::RequireNotNull("InertiaVisualizer::AddToBuilder",
                                   "the builder", builder);
  auto* const visualizer = builder->AddSystem<InertiaVisualizer>(
      plant, std::move(viewer), std::move(params));
  builder->Connect(plant.get_body_poses_output_port(),
                   visualizer->get_input_port(0));
  return *visualizer;
}

void InertiaVisualizer::Draw() const {
  for (const Body& body : bodies_) {
    viewer().SetObject(body.path, geometry::Ellipsoid(body.semi_axes), color_);
    viewer().SetTransform(body.path, body.X_BE);
  }
}

}  // namespace wyvern::multibody
