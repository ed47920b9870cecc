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

/** Applies the disturbances of a scenario. The output port `spatial_forces`
feeds a plant's applied_spatial_force. The start and the end of each disturbance
are breaks, so no step of continuous time passes over an edge. */
class DisturbanceSource final : public systems::LeafSystem<double> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DisturbanceSource);

  /** Makes the source of the disturbances, which act on bodies of `plant`.
  @throws std::logic_error if there is no such body, if a number is not
  finite, or if a duration is not positive. */
  DisturbanceSource(const std::vector<Disturbance>& disturbances,
                    const multibody::MultibodyPlant<double>& plant);
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
  void DoCalcNextBreakTime(const systems::Context<double>& context,
                           const double& after, double* time) const final;

  std::vector<Window> windows_;
  // Starts and ends of the windows, in increasing order.
  std::vector<double> edges_;
  const bool is_discrete_;
};

}  // namespace wyvern::app
