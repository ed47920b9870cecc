#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_link.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {

/** How hard a BodyDragger pulls. */
struct BodyDraggerParams {
  /** Natural frequency [rad/s] and damping ratio of the spring with the mass
  that the body has at the point where it is held. */
  double frequency{15.0};
  /** Damping ratio; 1 is critical. */
  double damping_ratio{1.0};
  /** Bound of the force, for each kilogram of that mass [m/s²]. */
  double max_acceleration{300.0};
};

/** Lets pages of a Viewer drag bodies of a plant: a spring and a damper act
between a point Q of a body and the target T to which a person moves it,
<pre>
    f = k (p_WT - p_WQ) - d v_WQ,  k = m w²,  d = 2 z m w,  |f| <= m a,
</pre>
where 1/m is the largest eigenvalue of J M⁻¹ Jᵀ for the Jacobian J of v_WQ: the
mass of a free body that is held at its centre, and less elsewhere, so that the
spring is as stiff for a robot as for a ball. The frequency w is at most half a
plant's step rate, which keeps the explicit spring stable.

The drag is a parameter of the Context, which Update() sets between two steps;
so a step is a function of its Context. Without a drag the output is an empty
list, at no cost.

Output port: `spatial_forces`, for a plant's applied_spatial_force. Input ports:
`body_poses` and `body_spatial_velocities` of the plant. */
class BodyDragger final : public systems::LeafSystem<double> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BodyDragger);

  /** `plant` must outlive this.
  @throws std::logic_error if a pointer is null, the plant is not finalized, or
  a parameter is not positive. */
  BodyDragger(const MultibodyPlant<double>* plant,
              std::shared_ptr<geometry::Viewer> viewer,
              const BodyDraggerParams& params = {});
  ~BodyDragger() override;

  /** Adds one to a diagram, connected to the plant. Forces that are connected
  to the plant's applied_spatial_force already still act.
  @throws std::logic_error as the constructor, if `builder` is null, or if that
  port is an input of the Diagram. */
  static BodyDragger& AddToBuilder(systems::DiagramBuilder<double>* builder,
                                   const MultibodyPlant<double>& plant,
                                   std::shared_ptr<geometry::Viewer> viewer,
                                   const BodyDraggerParams& params = {});

  /** Sets the drag that pages ask for in the Context of the whole Diagram, and
  returns whether it changed. A drag of a body that is not there or cannot move,
  or of a page that has been silent for a second, ends. Call it between two
  steps; LiveSimulation::AddListener() does. */
  bool Update(systems::Context<double>* root);

 private:
  using Clock = std::chrono::steady_clock;
  using Forces = std::vector<ExternallyAppliedSpatialForce<double>>;

  // A page's request.
  struct Drag {
    BodyIndex body;
    Eigen::Vector3d p_BQ;
    Eigen::Vector3d p_WT;
    Clock::time_point time;
  };

  void Receive(const geometry::internal::PageMessage& message);
  std::optional<double> CalcMassAt(const systems::Context<double>& plant,
                                   const Drag& drag) const;
  void CalcForces(const systems::Context<double>& context,
                  Forces* forces) const;

  const MultibodyPlant<double>& plant_;
  const std::shared_ptr<geometry::Viewer> viewer_;
  const BodyDraggerParams params_;
  std::map<int64_t, BodyIndex> body_of_;  // By the number of its frame.

  std::mutex mutex_;
  std::optional<Drag> drag_;
  // Begins when all of this is there, and ends first.
  std::optional<geometry::internal::ViewerLink> link_;
};

}  // namespace wyvern::multibody
