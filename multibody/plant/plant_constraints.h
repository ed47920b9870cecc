#pragma once

#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "wyvern/multibody/plant/constraint_specs.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/plant/parts/projected_state.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that couples joints and closes loops. The Add
functions throw std::logic_error after Finalize() and for an element of another
plant. Constraints are active unless a Context says otherwise. They may be
redundant: those that repeat one another share the load.

A constraint has rows, errors e(q) with rates J v, and a multiplier lambda for
each, which exerts the generalized force Jᵀ lambda:

| constraint | rows | e                           | lambda                    |
|------------|------|-----------------------------|---------------------------|
| coupler    | 1    | q0 - gear_ratio q1 - offset | force on joint0 [N m, N]  |
| distance   | 1    | length - distance [m]       | force that parts P, Q [N] |
| ball       | 3    | p_PQ_W [m]                  | force on B in W [N]       |
| weld       | 6    | rotation from P to Q [rad], | torque on B in W [N m],   |
|            |      | p_PQ_W [m]                  | force on B in W [N]       |

A coupler puts -gear_ratio lambda on joint1. A weld's torque is about the point
midway from P to Q.

A discrete step halves the errors of its start. In a continuous plant they decay
with a stabilization time. Both throw std::runtime_error, naming the
constraints, where constraints contradict each other or are out of reach:
accelerations where they demand it, steps once they no longer lessen the errors.
*/
template <typename T>
class PlantConstraints {
 public:
  /** q0 = gear_ratio q1 + offset, of joints of one degree of freedom; the units
  of the ratio are those of q0 / q1.
  @throws std::logic_error for other joints, one joint twice, or a number that
  is not finite. A step throws std::runtime_error, naming the coupler, where the
  square of the ratio is too large to compute with. */
  MultibodyConstraintId AddCouplerConstraint(const Joint<T>& joint0,
                                             const Joint<T>& joint1,
                                             double gear_ratio,
                                             double offset = 0.0);
  /** |p_PQ| = distance for P fixed in A and Q in B; or, with a finite stiffness
  [N/m], a spring of that free length [m] with damping [N s/m] along it.
  @throws std::logic_error if A is B, the distance is not positive, the
  stiffness not positive, or the damping negative. */
  MultibodyConstraintId AddDistanceConstraint(
      const RigidBody<T>& body_A, const Vector3<double>& p_AP,
      const RigidBody<T>& body_B, const Vector3<double>& p_BQ, double distance,
      double stiffness = std::numeric_limits<double>::infinity(),
      double damping = 0.0);
  /** P of A and Q of B coincide. Without p_BQ, Q is where P is in the default
  configuration at Finalize(). @throws std::logic_error if A is B. */
  MultibodyConstraintId AddBallConstraint(
      const RigidBody<T>& body_A, const Vector3<double>& p_AP,
      const RigidBody<T>& body_B,
      const std::optional<Vector3<double>>& p_BQ = {});
  /** Frames P of A and Q of B coincide. @throws std::logic_error if A is B. */
  MultibodyConstraintId AddWeldConstraint(
      const RigidBody<T>& body_A, const math::RigidTransform<double>& X_AP,
      const RigidBody<T>& body_B, const math::RigidTransform<double>& X_BQ);
  /** For before Finalize(). @throws std::logic_error if there is none. */
  void RemoveConstraint(MultibodyConstraintId id);

  /** Number of constraints of all kinds that were added. */
  int num_constraints() const { return registry_.size(); }
  /** Number of couplers. */
  int num_coupler_constraints() const {
    return static_cast<int>(registry_.couplers.size());
  }
  /** Number of distance constraints. */
  int num_distance_constraints() const {
    return static_cast<int>(registry_.distances.size());
  }
  /** Number of ball constraints. */
  int num_ball_constraints() const {
    return static_cast<int>(registry_.balls.size());
  }
  /** Number of weld constraints that were added, without loop joints. */
  int num_weld_constraints() const {
    return static_cast<int>(registry_.welds.size());
  }
  /** In the order in which they were added. */
  std::vector<MultibodyConstraintId> GetConstraintIds() const {
    return registry_.ids();
  }

  /** @name What a constraint was added with
  @throws std::logic_error if `id` is not of a constraint of that kind.
  @{ */
  /** Arguments of AddCouplerConstraint(). */
  const internal::CouplerConstraintSpec& get_coupler_constraint_specs(
      MultibodyConstraintId id) const;
  /** Arguments of AddDistanceConstraint(). */
  const internal::DistanceConstraintSpec& get_distance_constraint_specs(
      MultibodyConstraintId id) const;
  /** Arguments of AddBallConstraint(); p_BQ is filled in at Finalize(). */
  const internal::BallConstraintSpec& get_ball_constraint_specs(
      MultibodyConstraintId id) const;
  /** Arguments of AddWeldConstraint(). */
  const internal::WeldConstraintSpec& get_weld_constraint_specs(
      MultibodyConstraintId id) const;
  /** All couplers. */
  const std::map<MultibodyConstraintId, internal::CouplerConstraintSpec>&
  get_coupler_constraint_specs() const {
    return registry_.couplers;
  }
  /** All distance constraints. */
  const std::map<MultibodyConstraintId, internal::DistanceConstraintSpec>&
  get_distance_constraint_specs() const {
    return registry_.distances;
  }
  /** All ball constraints. */
  const std::map<MultibodyConstraintId, internal::BallConstraintSpec>&
  get_ball_constraint_specs() const {
    return registry_.balls;
  }
  /** All weld constraints. */
  const std::map<MultibodyConstraintId, internal::WeldConstraintSpec>&
  get_weld_constraint_specs() const {
    return registry_.welds;
  }
  /** @} */

  /** Whether a constraint acts in a Context.
  @throws std::logic_error before Finalize(), or if there is no such one. */
  bool GetConstraintActiveStatus(const systems::Context<T>& context,
                                 MultibodyConstraintId id) const;
  /** Lets a constraint act in a Context, or not; throws as the getter does. */
  void SetConstraintActiveStatus(systems::Context<T>* context,
                                 MultibodyConstraintId id, bool status) const;

  /** @name Errors
  @{ */
  /** How fast errors decay in a continuous plant, [s]: as (1 + t / s) exp(-t /
  s). What an integrator adds to them is held to about its own error in a time
  s. The default, 0.1 s, is no burden to steps of up to 0.2 s. Infinite: errors
  are left to grow. No effect on a discrete plant.
  @throws std::logic_error after Finalize(), or if it is not positive. */
  void set_constraint_stabilization_time(double s);
  /** The stabilization time, [s]. */
  double get_constraint_stabilization_time() const {
    return registry_.stabilization_time;
  }
  /** Whether the Simulator projects a continuous plant's state onto the
  constraints before each step; by default it does not. Worth its cost for
  energy and accuracy over long times, or with coarse steps.
  @throws std::logic_error after Finalize(), or to project in a discrete plant,
  whose steps need none. */
  void set_constraint_projection(ConstraintProjection projection);
  /** The choice of set_constraint_projection(). */
  ConstraintProjection get_constraint_projection() const {
    return registry_.projection;
  }

  /** Moves q to positions at which the active rigid constraints hold to 1e-11
  [rad], and to 1e-11 of the longest link's length [m], and v to velocities with
  J v = 0. Of all such states near by it chooses the nearest in the metric of
  the mass matrix. Positions that already meet the constraints stay, except next
  to a singular configuration. There velocities stay unchanged along directions
  that have lost all but 1e-3 of J. Locked joints do not move. The function also
  assembles a mechanism from a guess.
  @throws std::runtime_error, naming the constraint with the largest error, if
  there is no such state near by, and std::logic_error before Finalize(). */
  void ProjectOntoConstraints(systems::Context<T>* context) const;

  /** The number of rows of all constraints, among them, last, the 6 of a weld
  for each of GetLoopJoints(): from the body that the loop is cut at to its
  other half, so that the force on it is minus lambda. @throws std::logic_error
  before Finalize(). */
  int num_constraint_multipliers() const;
  /** Where a constraint's rows begin among those of all: the order is that in
  which constraints were added.
  @throws std::logic_error before Finalize(), or if there is no such one. */
  int GetConstraintMultiplierStart(MultibodyConstraintId id) const;
  /** e by row of all constraints; 0 of one that is not active. */
  VectorX<T> CalcConstraintErrors(const systems::Context<T>& context) const;
  /** J v by row; 0 of one that is not active. */
  VectorX<T> CalcConstraintVelocities(const systems::Context<T>& context) const;
  /** @} */

 protected:
  PlantConstraints(const internal::MultibodyTreeSystem<T>& core,
                   internal::ConstraintRegistry& registry)
      : core_(core), registry_(registry) {}
  ~PlantConstraints() = default;

  /** Resolves what was added to the compiled model's bodies and coordinates,
  and declares the parameter; the tree is finalized. */
  void FinalizeConstraints(internal::MultibodyTreeSystem<T>* core);
  bool projects_every_step() const;
  /** [q; v] of the projected state. */
  void CalcProjectedState(const systems::Context<T>& context,
                          Eigen::Ref<VectorX<T>> x) const;

 private:
  void RequireCanAdd(const char* function) const;
  void RequireBodies(const char* function, const RigidBody<T>& body_A,
                     const RigidBody<T>& body_B) const;
  int CompiledIndex(const char* function, MultibodyConstraintId id) const;
  void FillInBallPoints();
  void CompileCouplers();
  void CompileLinks();
  void CompileLoops();
  void CalcProjection(const systems::Context<T>& context,
                      internal::ProjectedState<T>* state) const;

  const internal::MultibodyTreeSystem<T>& core_;
  internal::ConstraintRegistry& registry_;
  const systems::CacheEntry* projection_entry_{};
};

}  // namespace wyvern::multibody
