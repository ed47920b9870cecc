#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/algorithms/forward_dynamics.h"
#include "wyvern/multibody/constraints/articulated_response.h"
#include "wyvern/multibody/constraints/body_pair_constraint.h"
#include "wyvern/multibody/constraints/constraint.h"
#include "wyvern/multibody/constraints/row_paths.h"
#include "wyvern/multibody/constraints/solve_constrained_system.h"
#include "wyvern/multibody/tree/multibody_forces.h"

namespace wyvern::multibody {

template <typename T>
class ContactConstraint;
template <typename T>
class LoopConstraint;

/** Baumgarte's stabilization of a group: G v̇ = gamma - 2 alpha ė - beta² e,
alpha = beta = 1 / time_constant, so that errors die away as by exp(-t /
time_constant). */
struct BaumgarteStabilization {
  bool is_enabled{false};
  double time_constant{0.1};  // [s]
};

/** Room for InverseDynamicsConstraints...(), of size from the first call on. */
template <typename T>
struct ActuationScratch {
  MatrixX<T> H, G;
  VectorX<T> c, gamma, x;
  ConstrainedSystemScratch<T> scratch;
};

/** The numbers of a constrained system, and the room they are worked out in: of
size once and for all from Bind() on. */
template <typename T>
struct ConstrainedSystem {
  MatrixX<T> H;      // Mass matrix, nv x nv.
  VectorX<T> C;      // C(q, v) v - tau_g - applied body forces.
  MatrixX<T> G;      // Constraint Jacobian, nc x nv.
  VectorX<T> gamma;  // What G v̇ is to be, stabilization included.
  VectorX<T> position_error;
  VectorX<T> velocity_error;
  VectorX<T> force;    // Multipliers of accelerations.
  VectorX<T> impulse;  // Multipliers of velocity changes.
  VectorX<T> v_plus;   // What G v is to be after an impact.

  Matrix6X<T> F;  // Unit forces of the rows on successors, about Wo, in W.
  ConstrainedSystemScratch<T> scratch;
  engine::InverseDynamicsScratch<T> inverse_dynamics;
  engine::ArticulatedInertias<T> articulated;
  engine::RowPaths paths;
  ArticulatedResponseScratch<T> response;
  std::vector<Vector6<T>> A_bias, A, applied;  // By node.
  VectorX<T> c, zero_v;                        // nv.
  Matrix6X<T> group_F;
  VectorX<T> group_rows;
  ActuationScratch<T> exact, relaxed;
};

/** Constraints on a MultibodyPlant, beside those of the plant: contacts of
points with the world, loops between frames of two bodies, and a user's own. It
holds no state: that is the Context's which is given with every question. What
is asked of it overwrites its own room, so a set serves one thread.

@code
ConstraintSet<double> feet;
feet.AddContactConstraint(foot, p_FootHeel, Vector3<double>::UnitZ(), "heel");
feet.Bind(plant);
ForwardDynamicsConstraintsDirect<double>(plant, *context, tau, &feet, &vdot);
@endcode

Rows are numbered as they are added; that number, which the Add functions
return, is their assigned id. Rows of one kind, between the same bodies and
frames and stabilized alike, are one group. Groups are numbered as they begin,
and are called by the name, user id and assigned id of their first row; any of
their rows' names and ids finds them.

`plant` is a MultibodyPlant, `context` one of its Contexts. Every function that
takes them throws std::logic_error before Bind(), for another plant than was
bound, and for a Context of another System; std::runtime_error for a state that
is not finite, and if a custom constraint computes what is not;
std::out_of_range for a group, name or id that there is none of.

@tparam T double or AutoDiffXd. */
template <typename T>
class ConstraintSet {
 public:
  ConstraintSet();
  ~ConstraintSet();
  /** What was moved from is as a new set. */
  ConstraintSet(ConstraintSet&&) noexcept;
  ConstraintSet& operator=(ConstraintSet&&) noexcept;
  ConstraintSet(const ConstraintSet&) = delete;
  ConstraintSet& operator=(const ConstraintSet&) = delete;

  /** @name Building
  Throw std::logic_error after Bind(), for numbers that are not finite, for
  directions of length zero, body indices of no value, and for a name or user id
  of another group.
  @{ */
  /** The point at p_BoC_B of a body does not move along a normal, of any
  length, fixed in the world. */
  int AddContactConstraint(BodyIndex body, const Vector3<double>& p_BoC_B,
                           const Vector3<double>& normal_W,
                           std::string_view name = "",
                           std::optional<int> user_id = {});
  int AddContactConstraint(const RigidBody<T>& body,
                           const Vector3<double>& p_BoC_B,
                           const Vector3<double>& normal_W,
                           std::string_view name = "",
                           std::optional<int> user_id = {}) {
    return AddContactConstraint(body.index(), p_BoC_B, normal_W, name, user_id);
  }
  /** Frame S of the successor and frame P of the predecessor do not move apart
  along an axis fixed in P: see LoopConstraint.
  @param X_predecessor Pose of P in the predecessor's frame.
  @param X_successor Pose of S in the successor's frame.
  @param axis_P [rotational; translational], not scaled to unit length.
  @param time_constant Of the stabilization, [s], positive. */
  int AddLoopConstraint(BodyIndex predecessor, BodyIndex successor,
                        const math::RigidTransform<double>& X_predecessor,
                        const math::RigidTransform<double>& X_successor,
                        const Vector6<double>& axis_P,
                        bool enable_stabilization = false,
                        double time_constant = 0.1, std::string_view name = "",
                        std::optional<int> user_id = {});
  int AddLoopConstraint(const RigidBody<T>& predecessor,
                        const RigidBody<T>& successor,
                        const math::RigidTransform<double>& X_predecessor,
                        const math::RigidTransform<double>& X_successor,
                        const Vector6<double>& axis_P,
                        bool enable_stabilization = false,
                        double time_constant = 0.1, std::string_view name = "",
                        std::optional<int> user_id = {}) {
    return AddLoopConstraint(
        predecessor.index(), successor.index(), X_predecessor, X_successor,
        axis_P, enable_stabilization, time_constant, name, user_id);
  }
  /** A constraint of the user's own, always a group of itself; the number of
  its first row is returned. */
  int AddCustomConstraint(std::shared_ptr<Constraint<T>> constraint,
                          const BaumgarteStabilization& stabilization = {});

  /** Takes the room that a plant needs; from then on nothing is allocated and
  nothing can be added.
  @throws std::logic_error if the plant is not finalized, for a body that it
  does not have, for an actuation map of another plant, and if called twice. */
  void Bind(const internal::MultibodyTreeSystem<T>& plant);
  bool is_bound() const { return plant_ != nullptr; }
  /** The same constraints, not bound, and without an actuation map. Custom
  constraints are shared. */
  ConstraintSet Copy() const;
  /** Forgets everything. */
  void Clear();
  /** @} */

  /** @name Groups
  @{ */
  /** How many rows there are. */
  int size() const { return static_cast<int>(rows_.size()); }
  int num_groups() const { return static_cast<int>(groups_.size()); }
  int GetGroupIndexByName(std::string_view name) const;
  int GetGroupIndexById(int user_id) const;
  int GetGroupIndexByAssignedId(int assigned_id) const;
  /** The largest group index; the least is 0. @throws std::logic_error if there
  are no groups. */
  int GetGroupIndexMax() const;
  const std::string& GetGroupName(int group) const;
  int GetGroupSize(int group) const;
  ConstraintType GetGroupType(int group) const;
  std::optional<int> GetGroupId(int group) const;
  int GetGroupAssignedId(int group) const;
  /** The rows of a group, in the order they were added. */
  std::span<const int> GetGroupRows(int group) const;
  const Constraint<T>& GetGroupConstraint(int group) const;
  /** What messages call a row: its name, and its number. */
  std::string GetRowLabel(int row) const;
  /** @} */

  /** @name Stabilization
  @{ */
  bool IsBaumgarteStabilizationEnabled(int group) const;
  void EnableBaumgarteStabilization(int group);
  void DisableBaumgarteStabilization(int group);
  /** (beta, alpha): of position and velocity errors, [1/s], enabled or not. */
  Vector2<double> GetBaumgarteStabilizationCoefficients(int group) const;
  /** @throws std::logic_error unless it is positive and finite, [s]. */
  void SetBaumgarteTimeConstant(int group, double time_constant);
  /** -2 alpha ė - beta² e, enabled or not. */
  void CalcBaumgarteStabilizationForces(
      int group, const Eigen::Ref<const VectorX<T>>& position_error,
      const Eigen::Ref<const VectorX<T>>& velocity_error,
      EigenPtr<VectorX<T>> stabilization) const;
  /** @} */

  /** @name Solving
  @{ */
  void SetSolver(LinearSolver solver) { solver_ = solver; }
  LinearSolver solver() const { return solver_; }
  /** Rows by which gamma contradicts itself are refused if they do so by more
  than this, relative to the largest; 1e-6 unless set. */
  void SetConsistencyTolerance(double tolerance);
  /** By velocity: whether it is actuated. For InverseDynamicsConstraints...().
  @throws std::logic_error unless there is one entry for each velocity, and for
  another plant than was bound. */
  void SetActuationMap(const internal::MultibodyTreeSystem<T>& plant,
                       const std::vector<bool>& actuated);
  bool has_actuation_map() const { return !is_actuated_.empty(); }
  const std::vector<bool>& actuation_map() const { return is_actuated_; }
  /** Velocities that are actuated, and those that are not. */
  std::span<const int> actuated() const { return actuated_; }
  std::span<const int> unactuated() const { return unactuated_; }
  /** @} */

  /** @name One group's errors and forces
  @{ */
  void CalcPositionError(int group,
                         const internal::MultibodyTreeSystem<T>& plant,
                         const systems::Context<T>& context,
                         EigenPtr<VectorX<T>> error) const;
  void CalcVelocityError(int group,
                         const internal::MultibodyTreeSystem<T>& plant,
                         const systems::Context<T>& context,
                         EigenPtr<VectorX<T>> error) const;
  /** What force() of this group amounts to, after one of the dynamics functions
  in the same Context: spatial forces, each on a body at the origin of a frame
  X_BF and in its axes. Contact: the body, at C, in the axes of the body; the
  world. Loop: the predecessor at P; the successor at S. With `in_world`, bodies
  are the world, and frames are at the same points with its axes. */
  void CalcForces(int group, const internal::MultibodyTreeSystem<T>& plant,
                  const systems::Context<T>& context,
                  std::vector<BodyIndex>* bodies,
                  std::vector<math::RigidTransform<T>>* frames,
                  std::vector<SpatialForce<T>>* forces,
                  bool in_world = false) const;
  /** The same of impulse(), after one of the impulse functions. */
  void CalcImpulses(int group, const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context,
                    std::vector<BodyIndex>* bodies,
                    std::vector<math::RigidTransform<T>>* frames,
                    std::vector<SpatialForce<T>>* impulses,
                    bool in_world = false) const;
  /** @} */

  /** @name What was last computed
  Of size from Bind() on.
  @{ */
  const VectorX<T>& force() const { return system_.force; }
  const VectorX<T>& impulse() const { return system_.impulse; }
  /** What G v is to be after an impact; zero unless set. */
  const VectorX<T>& v_plus() const { return system_.v_plus; }
  /** @throws std::logic_error before Bind(), or for another size. */
  void SetVPlus(const Eigen::Ref<const VectorX<T>>& v_plus);
  const MatrixX<T>& H() const { return system_.H; }
  const VectorX<T>& C() const { return system_.C; }
  const MatrixX<T>& G() const { return system_.G; }
  const VectorX<T>& gamma() const { return system_.gamma; }
  const VectorX<T>& position_error() const { return system_.position_error; }
  const VectorX<T>& velocity_error() const { return system_.velocity_error; }
  /** Rows that others made up in the last solution, in increasing order. */
  std::span<const int> dependent_rows() const {
    return system_.scratch.dependent_rows;
  }
  /** @} */

  /** @name For the functions that work on a set
  @{ */
  ConstrainedSystem<T>& mutable_system() { return system_; }
  const ConstrainedSystem<T>& system() const { return system_; }
  /** @throws std::logic_error, in the name of `function`, unless bound to
  `plant`. */
  void RequireBound(const internal::MultibodyTreeSystem<T>& plant,
                    std::string_view function) const;
  /** Also throws for a Context of another System, and std::runtime_error for a
  state that is not finite. */
  void RequireReady(const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context,
                    std::string_view function) const;
  /** Fills in F, of contacts and loops. */
  void UpdateUnitForces(const internal::MultibodyTreeSystem<T>& plant,
                        const systems::Context<T>& context);
  /** Fills in F and G. */
  void UpdateJacobian(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context);
  void UpdatePositionError(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context);
  /** ė of all rows; F must be there, and G of custom constraints. */
  void UpdateVelocityError(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context);
  /** Fills in gamma, with stabilization where it is enabled; F must be there,
  and G of custom constraints. */
  void UpdateGamma(const internal::MultibodyTreeSystem<T>& plant,
                   const systems::Context<T>& context);
  /** The name of a custom constraint; null if there is none. */
  const std::string* FindCustomGroup() const;
  /** The groups' pairs of bodies; null for custom constraints. */
  const BodyPairConstraint<T>* GetPair(int group) const;
  /** @throws std::runtime_error naming the rows by which gamma contradicts
  itself, if there are any. */
  void ThrowIfInconsistent(std::string_view function) const;
  /** @} */

 private:
  struct Group {
    std::shared_ptr<Constraint<T>> constraint;
    // The constraint, if it is one of these.
    ContactConstraint<T>* contact{};
    LoopConstraint<T>* loop{};
    BodyPairConstraint<T>* pair{};
    BaumgarteStabilization baumgarte;
    std::vector<int> rows;
  };
  struct Row {
    int group{};
    std::string name;
    std::optional<int> user_id;
  };

  void Swap(ConstraintSet* other) noexcept;
  const Group& GetGroup(int group, std::string_view function) const;
  Group& GetMutableGroup(int group, std::string_view function);
  void RequireNotBound(std::string_view function) const;
  void RequireFreeLabels(std::string_view function, int group,
                         std::string_view name, std::optional<int> user_id);
  int AddRow(int group, std::string_view name, std::optional<int> user_id);
  void CalcMultiplierForces(std::string_view function, int group,
                            const internal::MultibodyTreeSystem<T>& plant,
                            const systems::Context<T>& context,
                            const VectorX<T>& multipliers, bool in_world,
                            std::vector<BodyIndex>* bodies,
                            std::vector<math::RigidTransform<T>>* frames,
                            std::vector<SpatialForce<T>>* forces) const;

  std::vector<Group> groups_;
  std::vector<Row> rows_;
  std::map<std::string, int, std::less<>> group_of_name_;
  std::map<int, int> group_of_user_id_;
  LinearSolver solver_{LinearSolver::kSymmetric};
  double consistency_tolerance_{1e-6};
  const internal::MultibodyTreeSystem<T>* plant_{};
  const internal::MultibodyTreeSystem<T>* actuated_plant_{};
  std::vector<bool> is_actuated_;
  std::vector<int> actuated_;
  std::vector<int> unactuated_;
  ConstrainedSystem<T> system_;
};

}  // namespace wyvern::multibody
