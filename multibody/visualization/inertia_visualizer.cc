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
    : viewer_(std::move(viewer)), params_(std::move(params)) {
  wyvern::internal::RequireNotNull("InertiaVisualizer", "the viewer", viewer_,
                                   "pass one");
  wyvern::internal::RequirePositive("InertiaVisualizer", "publish_period",
                                    params_.publish_period);
  if (!plant.is_finalized()) {
    throw std::logic_error(
        "InertiaVisualizer: the plant is not finalized; call Finalize() "
        "first.");
  }
  this->set_name(fmt::format("inertia_visualizer({})", params_.prefix));
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
    bodies_.push_back(
        {i, fmt::format("{}/{} ({})", params_.prefix, body.name(), i), X_BE,
         scale * axes});
  }
  this->DeclareAbstractInputPort("body_poses",
                                 Value<std::vector<math::RigidTransformd>>{});
  this->DeclareInitializationPublishEvent(&InertiaVisualizer::OnInitialization);
  this->DeclarePeriodicPublishEvent(params_.publish_period, 0.0,
                                    &InertiaVisualizer::Show);
  this->DeclareForcedPublishEvent(&InertiaVisualizer::Show);
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

EventStatus InertiaVisualizer::OnInitialization(const Context<double>&) const {
  viewer_->Delete(params_.prefix);
  viewer_->SetProperty(params_.prefix, "visible", params_.visible_by_default);
  for (const Body& body : bodies_) {
    const std::string path = body.path + "/ellipsoid";
    viewer_->SetObject(path, geometry::Ellipsoid(body.semi_axes),
                       params_.color);
    viewer_->SetTransform(path, body.X_BE);
  }
  return EventStatus::Succeeded();
}

EventStatus InertiaVisualizer::Show(const Context<double>& context) const {
  const auto& poses =
      get_input_port(0).Eval<std::vector<math::RigidTransformd>>(context);
  for (const Body& body : bodies_) {
    viewer_->SetTransform(body.path, poses[body.index], context.get_time());
  }
  return EventStatus::Succeeded();
}

}  // namespace wyvern::multibody
