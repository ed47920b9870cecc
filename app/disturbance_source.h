#pragma once

#include <vector>

#include "wyvern/app/scenario.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::app {

/** The disturbances as a block: output port `spatial_forces`, for a plant's
applied_spatial_force. In continuous time they begin and end at events, so that
no step goes over an edge. */
class DisturbanceSource final : public systems::LeafSystem<double> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DisturbanceSource);

  /** @param start_time [s], of the run.
  @throws std::logic_error if there is no such body, or a number is not finite
  or, of a duration, not positive. */
  DisturbanceSource(const std::vector<Disturbance>& disturbances,
                    const multibody::MultibodyPlant<double>& plant,
                    double start_time);
  ~DisturbanceSource() override;

 private:
  using Forces = std::vector<multibody::ExternallyAppliedSpatialForce<double>>;
  struct Window {
    double start{};
    double end{};
    multibody::ExternallyAppliedSpatialForce<double> force;
  };

  void CalcForces(const systems::Context<double>& context,
                  Forces* forces) const;

  std::vector<Window> windows_;
  const bool is_discrete_;
};

}  // namespace wyvern::app
