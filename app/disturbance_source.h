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
applied_spatial_force. Where they begin and end are breaks, so that in
continuous time no step goes over an edge. */
class DisturbanceSource final : public systems::LeafSystem<double> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DisturbanceSource);

  /** @throws std::logic_error if there is no such body, or a number is not
  finite or, of a duration, not positive. */
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
  // Where windows begin and end, in increasing order.
  std::vector<double> edges_;
  const bool is_discrete_;
};

}  // namespace wyvern::app
