#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/visualization/body_follower.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {

/** How a FrameVisualizer draws. */
struct FrameVisualizerParams {
  double publish_period{1.0 / 64};  // [s]
  /** Length of bodies' axes, [m]; axes of other frames are half as long, and
  the letters of names a sixth as high. */
  double axis_length{0.1};
  /** The path that everything is below. */
  std::string prefix{"frames"};
  /** True: frames are shown until somebody hides them. */
  bool visible_by_default{false};
};

/** Shows in a Viewer the frames of a plant, the world's too: axes, x red, y
green and z blue, and the name of each body. A body's frames are below its path,
so that the page's list shows and hides them one by one.

Input port: `body_poses`. */
class FrameVisualizer final : public internal::BodyFollower {
 public:
  /** `plant` is finalized; its frames are where they are by default.
  @throws std::logic_error if it is not finalized, `viewer` is null, or a length
  or period is not positive. */
  FrameVisualizer(const MultibodyPlant<double>& plant,
                  std::shared_ptr<geometry::Viewer> viewer,
                  FrameVisualizerParams params = {});

  /** Adds one to a diagram, connected to the plant's poses. */
  static FrameVisualizer& AddToBuilder(systems::DiagramBuilder<double>* builder,
                                       const MultibodyPlant<double>& plant,
                                       std::shared_ptr<geometry::Viewer> viewer,
                                       FrameVisualizerParams params = {});

 private:
  void Draw() const override;

  struct Axes {
    std::string path;
    math::RigidTransformd X_BF;
    double length{};
    std::string label;  // None, if empty.
  };

  std::vector<Axes> axes_;
};

}  // namespace wyvern::multibody
