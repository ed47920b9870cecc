#pragma once

#include <string_view>
#include <vector>

#include "wyvern/multibody/tree/basic_force_element.h"

namespace wyvern::multibody {

template <typename T>
class Joint;

namespace internal {

/** A scalar s(q) of a model, such as the length of a tendon. Its rate is ds/dt
= r(q)·v. A force f along s has the power f ds/dt, so it exerts the generalized
force f r. Functions allocate nothing. */
template <typename T>
class ScalarCoordinate {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ScalarCoordinate);
  virtual ~ScalarCoordinate() = default;

  /** The model instance that forces along s belong to. */
  virtual ModelInstanceIndex model_instance() const = 0;
  virtual T CalcValue(const MultibodyTreeSystem<T>& system,
                      const ForceState<T>& state) const = 0;
  /** Computes ds/dt; requires velocities in `state`. */
  virtual T CalcRate(const MultibodyTreeSystem<T>& system,
                     const ForceState<T>& state) const = 0;
  /** Adds the force f along s where it acts: on bodies or on joints. */
  virtual void AddForce(const MultibodyTreeSystem<T>& system,
                        const ForceState<T>& state, const T& force,
                        MultibodyForces<T>* forces) const = 0;
  /** Adds f r to `tau`, of size nv. */
  virtual void AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                                   const ForceState<T>& state, const T& force,
                                   Eigen::Ref<VectorX<T>> tau) const = 0;
  /** Returns the joints on which s depends. The model must be finalized. */
  virtual std::vector<const Joint<T>*> FindJoints(
      const MultibodyTree<T>& tree) const = 0;
  /** @throws std::logic_error, in the name of `function`, if s refers to an
  element of another model. */
  virtual void RequireMembers(const MultibodyTree<T>& tree,
                              std::string_view function) const = 0;

 protected:
  ScalarCoordinate() = default;
};

}  // namespace internal
}  // namespace wyvern::multibody
