#include "wyvern/multibody/visualization/frame_visualizer.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody {

FrameVisualizer::FrameVisualizer(const MultibodyPlant<double>& plant,
                                 std::shared_ptr<geometry::Viewer> viewer,
                                 FrameVisualizerParams params)
    : BodyFollower("FrameVisualizer", plant, std::move(viewer),
                   params.publish_period, params.prefix,
                   params.visible_by_default) {
  wyvern::internal::RequirePositive("FrameVisualizer", "axis_length",
                                    params.axis_length);
  set_name(fmt::format("frame_visualizer({})", params.prefix));
  std::map<BodyIndex, std::string> paths;
  for (BodyIndex i(0); i < plant.num_bodies(); ++i) {
    const RigidBody<double>& body = plant.get_body(i);
    paths[i] = Follow(body);
    axes_.push_back({paths[i] + "/axes", math::RigidTransformd(),
                     params.axis_length, body.name()});
  }
  for (FrameIndex i(0); i < plant.num_frames(); ++i) {
    const Frame<double>& frame = plant.get_frame(i);
    if (frame.is_body_frame()) continue;
    axes_.push_back({fmt::format("{}/{} ({})", paths.at(frame.body().index()),
                                 frame.name(), i),
                     frame.GetFixedPoseInBodyFrame(), params.axis_length / 2,
                     ""});
  }
}

FrameVisualizer& FrameVisualizer::AddToBuilder(
    systems::DiagramBuilder<double>* builder,
    const MultibodyPlant<double>& plant,
    std::shared_ptr<geometry::Viewer> viewer, FrameVisualizerParams params) {
  wyvern::internal::RequireNotNull("FrameVisualizer::AddToBuilder",
                                   "the builder", builder);
  auto* const visualizer = builder->AddSystem<FrameVisualizer>(
      plant, std::move(viewer), std::move(params));
  builder->Connect(plant.get_body_poses_output_port(),
                   visualizer->get_input_port(0));
  return *visualizer;
}

void FrameVisualizer::Draw() const {
  for (const Axes& axes : axes_) {
    viewer().SetTriad(axes.path, axes.length);
    viewer().SetTransform(axes.path, axes.X_BF);
    if (axes.label.empty()) continue;
    const std::string label = axes.path + "/name";
    // Colour that is readable on light and dark backgrounds.
    viewer().SetLabel(label, axes.label, axes.length / 6,
                      geometry::Rgba(0.45, 0.55, 0.65));
    viewer().SetTransform(
        label, math::RigidTransformd(Eigen::Vector3d(0, 0, 1.2 * axes.length)));
  }
}

}  // namespace wyvern::multibody
