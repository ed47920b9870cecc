#pragma once

#include <memory>
#include <vector>

#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/standalone/multibody_tree_context.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** The System behind a MultibodyTree: elements, state, parameters and caches of
MultibodyTreeSystem, without the ports and forces of a plant. */
template <typename T>
class StandaloneSystem final : public MultibodyTreeSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(StandaloneSystem);
  StandaloneSystem();
  ~StandaloneSystem() override;

  void Finalize();

  /** Scratch of inverse dynamics, by node or by body. */
  struct Scratch {
    dynamics::InverseDynamicsScratch<T> inverse_dynamics;
    std::vector<Vector6<T>> A;
    std::vector<Vector6<T>> node_forces;
    std::vector<Vector6<T>> body_vectors;
    std::vector<Vector6<T>> reactions;
    dynamics::VelocityKinematics<T> at_rest;
    VectorX<T> vdot;
    VectorX<T> tau;
  };
  /** That of `context`. */
  Scratch& scratch(const systems::Context<T>& context) const;

  /** @throws std::logic_error: without forces there are no accelerations. */
  const std::vector<SpatialAcceleration<T>>& EvalBodyAccelerations(
      const systems::Context<T>& context) const override;

 private:
  std::unique_ptr<systems::LeafContext<T>> DoMakeLeafContext() const override;

  const systems::CacheEntry* scratch_{};
};

}  // namespace wyvern::multibody::internal
