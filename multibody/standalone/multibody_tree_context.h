#pragma once

#include <memory>

#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/leaf_context.h"

namespace wyvern::multibody {

/** The Context that a MultibodyTree makes: x = [q; v] is its continuous state.
 */
template <typename T>
class MultibodyTreeContext final : public systems::LeafContext<T> {
 public:
  /** Takes the sizes; MultibodyTree::CreateDefaultContext() makes the state. */
  MultibodyTreeContext(int num_positions, int num_velocities);
  ~MultibodyTreeContext() override;

  /** Returns the number of entries of q. */
  int num_positions() const { return num_positions_; }
  /** Returns the number of entries of v. */
  int num_velocities() const { return num_velocities_; }

  /** @name State
  Getting something mutable marks all that depends on it as out of date.
  @{ */
  /** Returns q, a view of the state. */
  Eigen::VectorBlock<const VectorX<T>> get_positions() const {
    return x().head(num_positions_);
  }
  /** Returns v, a view of the state. */
  Eigen::VectorBlock<const VectorX<T>> get_velocities() const {
    return x().tail(num_velocities_);
  }
  /** Returns q for writing. */
  Eigen::VectorBlock<VectorX<T>> get_mutable_positions();
  /** Returns v for writing. */
  Eigen::VectorBlock<VectorX<T>> get_mutable_velocities();
  /** @} */

 private:
  MultibodyTreeContext(const MultibodyTreeContext<T>& source);
  std::unique_ptr<systems::ContextBase> DoCloneWithoutPointers() const override;
  const VectorX<T>& x() const {
    return static_cast<const systems::BasicVector<T>&>(
               this->get_continuous_state_vector())
        .value();
  }

  int num_positions_{};
  int num_velocities_{};
};

}  // namespace wyvern::multibody
