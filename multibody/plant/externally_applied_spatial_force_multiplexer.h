#pragma once

#include <vector>

#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {

/** Joins lists of forces on bodies into one, for a plant's port
"applied_spatial_force": the lists of the inputs u0, u1, ... one after another
in the output y0. An input that is not connected has none. All are
std::vector<ExternallyAppliedSpatialForce<T>>. */
template <typename T>
class ExternallyAppliedSpatialForceMultiplexer final
    : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ExternallyAppliedSpatialForceMultiplexer);

  /** Makes a block with `num_inputs` input ports.
  @throws std::logic_error if `num_inputs` is negative. */
  explicit ExternallyAppliedSpatialForceMultiplexer(int num_inputs);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ExternallyAppliedSpatialForceMultiplexer(
      const ExternallyAppliedSpatialForceMultiplexer<U>& other)
      : ExternallyAppliedSpatialForceMultiplexer(other.num_input_ports()) {}
  ~ExternallyAppliedSpatialForceMultiplexer() override;

 private:
  using List = std::vector<ExternallyAppliedSpatialForce<T>>;
  void CombineInputs(const systems::Context<T>& context, List* output) const;
};

}  // namespace wyvern::multibody
