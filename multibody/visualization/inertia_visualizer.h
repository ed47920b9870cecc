#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/visualization/body_follower.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {

/** How an InertiaVisualizer draws. */
struct InertiaVisualizerParams {
  double publish_period{1.0 / 64};  // [s]
  /** Colour of the ellipsoids. */
  geometry::Rgba color{0.2, 0.35, 0.8, 0.6};
  /** The path that everything is below. */
  std::string prefix{"inertia"};
  /** True: ellipsoids are shown until somebody hides them. */
  bool visible_by_default{false};
};

/** Shows in a Viewer how the mass of each body lies: the ellipsoid that has the
body's inertia, were it solid and as dense as water (1000 kg/m³). Where it is
much larger than the body's shapes, or elsewhere, the model is in doubt. Bodies
without mass, and those whose inertia no body has, are left out.

Input port: `body_poses`.

Source of the ellipsoid: a solid one of mass m and semi-axes a, b, c has the
principal moments m (b² + c²) / 5, m (a² + c²) / 5, m (a² + b²) / 5. */
class InertiaVisualizer final : public internal::BodyFollower {
 public:
  /** `plant` is finalized; masses are its default ones.
  @throws std::logic_error if it is not finalized, `viewer` is null, or the
  period is not positive. */
  InertiaVisualizer(const MultibodyPlant<double>& plant,
                    std::shared_ptr<geometry::Viewer> viewer,
                    InertiaVisualizerParams params = {});

  /** Adds one to a diagram, connected to the plant's poses. */
  static InertiaVisualizer& AddToBuilder(
      systems::DiagramBuilder<double>* builder,
      const MultibodyPlant<double>& plant,
      std::shared_ptr<geometry::Viewer> viewer,
      InertiaVisualizerParams params = {});

 private:
  void Draw() const override;

  struct Body {
    std::string path;
    math::RigidTransformd X_BE;
    Eigen::Vector3d semi_axes;
  };

  const geometry::Rgba color_;
  std::vector<Body> bodies_;
};

}  // namespace wyvern::multibody
