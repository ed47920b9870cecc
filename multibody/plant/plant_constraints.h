#pragma once

#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "wyvern/multibody/plant/constraint_specs.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that couples joints and closes loops. The Add
functions throw std::logic_error after Finalize(), in a continuous plant, and
for an element of another plant. Constraints are active unless a Context says
otherwise. */
template <typename T>
class PlantConstraints {
 public:
  /** q0 = gear_ratio q1 + offset, of joints of one degree of freedom; the units
  of the ratio are those of q0 / q1.
  @throws std::logic_error for other joints, one joint twice, or a number that
  is not finite. */
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

  int num_constraints() const { return registry_.size(); }
  int num_coupler_constraints() const {
    return static_cast<int>(registry_.couplers.size());
  }
  int num_distance_constraints() const {
    return static_cast<int>(registry_.distances.size());
  }
  int num_ball_constraints() const {
    return static_cast<int>(registry_.balls.size());
  }
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
  const internal::CouplerConstraintSpec& get_coupler_constraint_specs(
      MultibodyConstraintId id) const;
  const internal::DistanceConstraintSpec& get_distance_constraint_specs(
      MultibodyConstraintId id) const;
  const internal::BallConstraintSpec& get_ball_constraint_specs(
      MultibodyConstraintId id) const;
  const internal::WeldConstraintSpec& get_weld_constraint_specs(
      MultibodyConstraintId id) const;
  const std::map<MultibodyConstraintId, internal::CouplerConstraintSpec>&
  get_coupler_constraint_specs() const {
    return registry_.couplers;
  }
  const std::map<MultibodyConstraintId, internal::DistanceConstraintSpec>&
  get_distance_constraint_specs() const {
    return registry_.distances;
  }
  const std::map<MultibodyConstraintId, internal::BallConstraintSpec>&
  get_ball_constraint_specs() const {
    return registry_.balls;
  }
  const std::map<MultibodyConstraintId, internal::WeldConstraintSpec>&
  get_weld_constraint_specs() const {
    return registry_.welds;
  }
  /** @} */

  /** Whether a constraint acts in a Context.
  @throws std::logic_error before Finalize(), or if there is no such one. */
  bool GetConstraintActiveStatus(const systems::Context<T>& context,
                                 MultibodyConstraintId id) const;
  void SetConstraintActiveStatus(systems::Context<T>* context,
                                 MultibodyConstraintId id, bool status) const;

 protected:
  PlantConstraints(const internal::MultibodyTreeSystem<T>& core,
                   internal::ConstraintRegistry& registry)
      : core_(core), registry_(registry) {}
  ~PlantConstraints() = default;

  /** Resolves what was added to the compiled model's bodies and coordinates,
  and declares the parameter; the tree is finalized. */
  void FinalizeConstraints(internal::MultibodyTreeSystem<T>* core);

 private:
  void RequireCanAdd(const char* function) const;
  void RequireBodies(const char* function, const RigidBody<T>& body_A,
                     const RigidBody<T>& body_B) const;
  int CompiledIndex(const char* function, MultibodyConstraintId id) const;
  void FillInBallPoints();

  const internal::MultibodyTreeSystem<T>& core_;
  internal::ConstraintRegistry& registry_;
};

}  // namespace wyvern::multibody
